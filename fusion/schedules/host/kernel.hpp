// What the loops of all host kernels share: parameters as variables, the accesses of a spec, the accumulators of reductions,
// the table's instructions in lanes. One class per order of loops builds on it (pointwise.cpp, along_rows.cpp,
// across_rows.cpp); an object of it is one function.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/row_passes.hpp"
#include "fusion/ir/word_map.hpp"
#include "fusion/loops/build.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion::host {

using loops::array;
using loops::cell;
using loops::leaf_value;
using loops::value;

/// One load, store or row store of the spec, with its variables.
struct memory {
    enum class kind : std::uint8_t { load, store, row_store };
    const access& at;
    const std::vector<dim_words>& words;
    std::string id;  ///< in names: "0", ...; "s0", ...; "o0", ...
    kind what;
    cell base{};    ///< the pointer
    cell stride{};  ///< in the dimension that lanes run along, where it moves there

    bool is_load() const { return what == kind::load; }
    const access_dim& dim(std::size_t d) const { return at.dims[d]; }
    bool moves(std::size_t d) const { return dim(d) != access_dim{stride_class::zero, false}; }
    bool is_contiguous(std::size_t d) const { return dim(d) == access_dim{stride_class::one, false}; }
    std::uint32_t clamp_word(std::size_t d) const { return dim(d).clamped ? words[d].step : 0; }
};

/// The parts of one accumulator.
using parts = std::vector<value>;
/// Arrays of accumulators: an array for each part.
using accumulators = std::vector<array>;

class kernel_builder {
public:
    kernel_builder(const kernel_spec&, const word_map&, const target&, std::string name);

    static int lanes_of(const kernel_spec&, const target&);

protected:
    /// Extents n, pointers x, strides and clamps of dimension `along`, scalars a, coordinates.
    void parameters(std::size_t along);
    value product(std::size_t first, std::size_t last);

    // --- accesses ---
    /// A clamped index of dimension d, or the index.
    value clamped(const memory&, std::size_t d, value index);
    /// How many elements index i of dimension d is further; `from` moved on by them.
    value offset(const memory&, std::size_t d, value index);
    value moved(const memory& m, std::size_t d, value from, value index) { return from + offset(m, d, index); }
    value stride(const memory& m) { return m.stride ? value(m.stride) : b_.constant(0); }
    /// The index of a coordinate, and in lanes that are neighbours along its dimension from `index` on.
    value coordinate_at(std::uint16_t coord, value index);
    value coordinate_lanes(std::uint16_t coord, dtype, value index);
    /// The first `count` lanes, or all.
    value load_lanes(value from, value count) {
        return b_.constant_of(count) == lanes_ ? b_.load(from) : b_.load_part(from, count);
    }
    void store_lanes(value to, value lanes, value count) {
        b_.constant_of(count) == lanes_ ? b_.store(to, lanes) : b_.store_part(to, lanes, count);
    }
    value splat_index(dtype t, value index) { return b_.splat(b_.number(t, index)); }
    /// How far elements of a stretch are apart that begins at an index of dimension d, the one of parameters().
    value pitch_from(const memory&, value index);
    /// The row of a clamp's words narrowed to where it changes nothing: `inside` has two indices.
    void narrow(const memory& m, std::size_t along, const array& inside);

    // --- stores past the caches ---
    bool may_be_far(const memory& m, std::size_t along) const {
        return m.what == memory::kind::store && m.at.type != dtype::bool_ && m.is_contiguous(along) &&
               lanes_ * static_cast<int>(size_of(m.at.type)) >= 16;
    }
    void far_stores(std::size_t along);
    void finish_far_stores(std::size_t along);
    /// Whether a vector at this address may go past the caches.
    value is_past(const memory& m, value address);

    // --- accumulators ---
    const reduction_rule& rule(std::size_t r) const { return rule_of(spec_.reductions[r]); }
    accumulators declare_accumulators(const std::string& name, std::size_t r, std::int64_t count);
    parts identity(std::size_t r);
    parts read(const accumulators&, value index);
    void write(const accumulators&, value index, const parts&);
    /// Right taken in by left: as accumulators, or (take) as one that has met elements.
    parts combined(std::size_t r, const parts& left, const parts& right) { return by(r, rule(r).combine, left, right); }
    parts taken(std::size_t r, const parts& left, const parts& right) {
        return by(r, rule(r).takes_otherwise() ? rule(r).take : rule(r).combine, left, right);
    }
    parts lifted(std::size_t r, const std::vector<value>& body);
    parts kept(const parts& fresh, const parts& old, value count);
    /// The parts that count elements: accumulators that added up as many agree in them.
    bool counts(std::size_t r, std::size_t part) const { return rule(r).lift[part] == part_source::one; }

    const kernel_spec& spec_;
    const word_map& map_;
    const target& target_;
    loops::builder b_;
    cell words_;
    int lanes_ = 1, widest_ = 1;
    std::vector<memory> memories_;  ///< loads, stores, row stores
    std::vector<cell> extents_, scalars_;

private:
    parts by(std::size_t r, const rule_code&, const parts& left, const parts& right);
    struct clamp {
        cell step, shift, low, high;
    };
    clamp clamp_at(const std::string& id, const dim_words&, bool clamped);
    value clamp_index(const clamp&, value index);

    std::size_t along_ = 0;
    std::vector<clamp> clamps_, coords_;  ///< of the memories in dimension `along`; of the coordinates
    std::vector<cell> far_;               ///< of each memory, where it may be
};

}  // namespace frit::v0::fusion::host
