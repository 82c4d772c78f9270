// The texts of row kernels, and what both orders of their loops share: which expensive values one pass keeps for the next.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion::host {

/// Lanes along the row: reduce_all, reduce_inner.
std::string inner_rows(const dialect&, const kernel_spec&, const word_map&, const target&, const std::string& name);
/// Lanes across rows: reduce_outer, reduce_tile. And a static function for the rows of a reduce_inner that are at most
/// reduce_run long, for the text of inner_rows.
std::string outer_rows(const dialect&, const kernel_spec&, const word_map&, const target&, const std::string& name);

/// Values of the body that are expensive, and needed by a pass and a later one: the first leaves them in memory of its own
/// (variable k and the value's number), where `kept` says that there is room.
class crossing_values {
public:
    crossing_values(const kernel_spec&, const row_passes&);

    bool empty() const { return values_.empty(); }
    int count() const;  ///< of elements that there is room for
    /// Arrays with room for a row and a group more; `kept`: whether the row has that many elements.
    std::string declarations(const kernel_spec&, const std::string& elements) const;
    /// The value's line in pass p, which stores it at place `at` or reads it from there.
    std::string line(std::size_t p, std::uint16_t value, const std::string& at, const std::string& computed,
                     const std::string& indent) const;

private:
    struct value {
        std::uint16_t name;
        std::size_t made;  // in this pass
    };
    std::vector<value> values_;
    int bytes_ = 0;
};

/// What the text of a kernel over rows needs, whichever way its lanes run. `row_dims_`: the dimensions before the reduced
/// ones.
class row_text : protected kernel_text {
protected:
    row_text(const dialect&, const kernel_spec&, const word_map&, const target&);

    bool moves_in_row(const memory&) const;
    /// Calls f(k, body[k]) for the body's coordinates that move in a row.
    template <class F>
    void each_coordinate(F f) const {
        for (std::size_t k = 0; k < spec_.body.size(); ++k)
            if (spec_.body[k].code == op::coord && spec_.coords[spec_.body[k].a].dim >= row_dims_) f(k, spec_.body[k]);
    }
    /// Place `number` of the first `dims` dimensions: indices i0, i1, ...; of every access its pointer r there, and of every
    /// load that is one value from there on (`is_splat`) that value z.
    std::string start_of(std::size_t dims, const std::string& number,
                         const std::function<bool(const memory&)>& is_splat) const;

    const row_passes passes_;
    const crossing_values kept_;
    const std::size_t row_dims_;
};

}  // namespace frit::v0::fusion::host
