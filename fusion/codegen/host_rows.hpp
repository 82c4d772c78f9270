// The texts of row kernels, and what both orders of their loops share: which dear values one pass keeps for the next.
#pragma once

#include <string>
#include <vector>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/ir/row_passes.hpp"

namespace frit::inline v0::fusion::host {

/// Lanes along the row: reduce_all, reduce_inner.
std::string inner_rows(const dialect&, const kernel_spec&, const word_map&, const target&, const std::string& name);
/// Lanes across rows: reduce_outer, reduce_tile. And a static function for the rows of a reduce_inner that are at most
/// reduce_run long, for the text of inner_rows.
std::string outer_rows(const dialect&, const kernel_spec&, const word_map&, const target&, const std::string& name);

/// Values of the body that are dear, and needed by a pass and a later one: the first leaves them in memory of its own
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

}  // namespace frit::v0::fusion::host
