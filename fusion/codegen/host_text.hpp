// What the texts of all host kernels share: names of types and words, the accesses of a spec with their variables, the
// accumulators of a reduction as a struct. One class per family of schedules builds on it (host_c.cpp, host_inner.cpp,
// host_outer.cpp).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/row_passes.hpp"

namespace frit::inline v0::fusion::host {

using replacement = std::pair<std::string_view, std::string>;
/// Replaces $name by its value: keeps generated lines readable where they are generated.
std::string with(std::string_view pattern, std::initializer_list<replacement> values);

std::string text(std::uint64_t n);
std::string word(std::uint32_t at);
std::string signed_word(std::uint32_t at);

/// The dtype's name in the prelude.
std::string c_type(dtype);
/// The type of a value of one group of lanes.
std::string lanes_type(dtype);
std::string splat_of(dtype, const std::string& value);

/// One load, store or row store of the spec, with the name of its variables in the text: "0", ...; "s0", ...; "o0", ...
struct memory {
    enum class kind : std::uint8_t { load, store, row_store };
    const access& at;
    const std::vector<dim_words>& words;
    std::string id;
    kind what;

    bool is_load() const { return what == kind::load; }
    const access_dim& dim(std::size_t d) const { return at.dims[d]; }
    bool moves(std::size_t d) const { return dim(d) != access_dim{stride_class::zero, false}; }
    bool is_contiguous(std::size_t d) const { return dim(d) == access_dim{stride_class::one, false}; }
    std::string type() const { return (is_load() ? "const " : "") + c_type(at.type); }
    /// "0", "1" or the word.
    std::string stride(std::size_t d) const;
    /// " + index * stride", clamped where it must be, or nothing.
    std::string term(std::size_t d, const std::string& index) const;
};

/// The part of a kernel's text that does not depend on the order of its loops.
class kernel_text {
public:
    kernel_text(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t);

protected:
    /// L, M, V<T>: lanes of one group, as many as the widest number of the code has in a register.
    std::string lanes() const;
    /// Extents n0, n1, ...; of every access the pointer x, the stride e and the clamp c of dimension `along`; scalars a.
    std::string parameters(std::size_t along) const;
    std::string product(std::size_t first, std::size_t last) const;
    /// "const bool far$k = ...;" for the stores that may go past the caches, their lines along dimension `along`; and what
    /// stands behind the last of them.
    std::string far_stores(std::size_t along) const;
    std::string finish_far_stores(std::size_t along) const;
    bool may_be_far(const memory& m, std::size_t along) const {
        return m.what == memory::kind::store && m.at.type != dtype::bool_ && m.is_contiguous(along) &&
               lanes_ * size_of(m.at.type) >= 16;
    }

    std::string coordinate_value(std::uint16_t coord, const std::string& index) const;
    /// Coordinate `coord` in lanes, which are neighbours along its dimension from `index` on.
    std::string coordinate_lanes(std::uint16_t coord, dtype, const std::string& index) const;

    /// "const T t7 = ...;" for some of the instructions.
    std::string lines(const std::vector<instruction>& code, const std::vector<std::uint16_t>& which, char prefix,
                      const std::string& indent, const leaf_speller& leaf) const;

    /// struct sumK: the accumulators of reduction K.
    std::string accumulators() const;
    std::string method(std::size_t reduction, const std::string& name, const rule_code&) const;
    /// The method of it that takes in an element, given as lanes.
    std::string take(std::size_t reduction) const;
    static std::string sum_type(std::size_t reduction) { return "sum" + std::to_string(reduction); }
    /// An element's parts, given its value and its index as lanes.
    std::string lifted(std::size_t reduction) const;
    /// Calls f with every part that counts elements: accumulators that added up as many agree in it.
    template <class F>
    void each_count(std::size_t reduction, F f) const {
        const reduction_rule& rule = rule_of(spec_.reductions[reduction]);
        for (int p = 0; p < rule.parts; ++p)
            if (rule.lift[p] == part_source::one) f("a" + std::to_string(p));
    }
    int parts(std::size_t reduction) const { return rule_of(spec_.reductions[reduction]).parts; }
    std::size_t first_part(std::size_t reduction) const;
    /// The result of a total: "from.a2".
    std::string result_of(std::size_t reduction, const std::string& from) const;

    const dialect& dialect_;
    const kernel_spec& spec_;
    const word_map& map_;
    const target& target_;
    int lanes_ = 1, widest_ = 1;
    std::vector<memory> memories_;  ///< loads, stores, row stores
};

}  // namespace frit::v0::fusion::host
