// Parameters, accesses, accumulators and instructions of host kernels in the loop IR: see kernel.hpp.
#include "fusion/schedules/host/kernel.hpp"

#include <algorithm>
#include <stdexcept>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion::host {
namespace {

std::string text(std::uint64_t n) { return std::to_string(n); }

int widest_of(const kernel_spec& spec) {
    std::size_t widest = 1;
    each_instruction(spec, [&](const instruction& i) { widest = std::max(widest, size_of(real_dtype(i.type))); });
    for (const reduction_spec& r : spec.reductions) {
        const reduction_rule& rule = rule_of(r);
        for (int p = 0; p < rule.parts; ++p) widest = std::max(widest, size_of(rule.types[p]));
    }
    return static_cast<int>(widest);
}

}  // namespace

int kernel_builder::lanes_of(const kernel_spec& spec, const target& t) { return t.vector_bytes / widest_of(spec); }

kernel_builder::kernel_builder(const kernel_spec& spec, const word_map& map, const target& t, std::string name)
    : spec_(spec),
      map_(map),
      target_(t),
      b_(std::move(name)),
      words_(b_.parameter("w", loops::address_of(dtype::u64, true))),
      lanes_(lanes_of(spec, t)),
      widest_(widest_of(spec)) {
    b_.set_kernel(spec, map.layout.pointers);
    for (std::size_t k = 0; k < spec.loads.size(); ++k)
        memories_.push_back({spec.loads[k], map.loads[k], text(k), memory::kind::load});
    for (std::size_t k = 0; k < spec.stores.size(); ++k)
        memories_.push_back({spec.stores[k].to, map.stores[k], "s" + text(k), memory::kind::store});
    for (std::size_t k = 0; k < spec.row_stores.size(); ++k)
        memories_.push_back({spec.row_stores[k].to, map.row_stores[k], "o" + text(k), memory::kind::row_store});
}

kernel_builder::clamp kernel_builder::clamp_at(const std::string& id, const dim_words& w, bool clamped) {
    clamp c;
    c.step = b_.let("step" + id, b_.word(w.step));
    c.shift = b_.let("shift" + id, b_.word(w.shift));
    if (!clamped) return c;
    c.low = b_.let("low" + id, b_.word(w.lo));
    c.high = b_.let("high" + id, b_.word(w.hi));
    return c;
}
value kernel_builder::clamp_index(const clamp& c, value index) {
    const value i = c.step * index + c.shift;
    return c.low ? least(most(i, c.low), c.high) : i;
}

void kernel_builder::parameters(std::size_t along) {
    along_ = along;
    for (std::size_t d = 0; d < spec_.rank; ++d)
        extents_.push_back(b_.let("n" + text(d), b_.word(map_.layout.extents + static_cast<std::uint32_t>(d))));
    for (memory& m : memories_) {
        m.base = b_.let("x" + m.id, b_.word(map_.layout.pointers + m.at.pointer, loops::address_of(m.at.type, m.is_load())));
        if (m.dim(along).stride == stride_class::runtime)
            m.stride = b_.let("e" + m.id, b_.word(m.words[along].stride));
        else if (m.moves(along))
            static_cast<value&>(m.stride) = b_.constant(m.dim(along).stride == stride_class::one);
        clamps_.push_back(m.dim(along).clamped ? clamp_at(m.id, m.words[along], true) : clamp{});
    }
    for (std::size_t k = 0; k < spec_.scalars.size(); ++k)
        scalars_.push_back(b_.let("a" + text(k), b_.splat(b_.word(map_.scalars[k], loops::number_of(spec_.scalars[k])))));
    for (std::size_t k = 0; k < spec_.coords.size(); ++k)
        coords_.push_back(clamp_at("k" + text(k), map_.coords[k], spec_.coords[k].clamped));
}

value kernel_builder::product(std::size_t first, std::size_t last) {
    value p = b_.constant(1);
    for (std::size_t d = first; d < last; ++d) p = p * extents_[d];
    return p;
}

value kernel_builder::clamped(const memory& m, std::size_t d, value index) {
    if (!m.dim(d).clamped) return index;
    const dim_words& w = m.words[d];
    if (d == along_) return clamp_index(clamps_[static_cast<std::size_t>(&m - memories_.data())], index);
    return least(most(b_.word(w.step) * index + b_.word(w.shift), b_.word(w.lo)), b_.word(w.hi));
}
value kernel_builder::offset(const memory& m, std::size_t d, value index) {
    if (!m.moves(d)) return b_.constant(0);
    const value i = clamped(m, d, index);
    if (m.dim(d).stride != stride_class::runtime) return i;
    return i * (d == along_ ? value(m.stride) : b_.word(m.words[d].stride));
}

value kernel_builder::coordinate_at(std::uint16_t c, value index) { return clamp_index(coords_[c], index); }
value kernel_builder::coordinate_lanes(std::uint16_t c, dtype t, value index) {
    const clamp& at = coords_[c];
    const value start = at.step * index + at.shift;
    return at.low ? b_.along(t, start, at.step, at.low, at.high) : b_.along(t, start, at.step);
}

value kernel_builder::pitch_from(const memory& m, value index) {
    if (!m.dim(along_).clamped) return stride(m);
    const clamp& c = clamps_[static_cast<std::size_t>(&m - memories_.data())];
    const value i = c.step * index + c.shift;
    return b_.choice(i >= c.low && i <= c.high, c.step * stride(m), b_.constant(0));
}

void kernel_builder::narrow(const memory& m, std::size_t along, const array& inside) {
    if (m.dim(along).clamped) b_.run(loops::routine::narrow, {b_.constant(m.clamp_word(along)), inside.at(b_.constant(0))});
}

void kernel_builder::far_stores(std::size_t along) {
    for (const memory& m : memories_) {
        if (!may_be_far(m, along)) {
            far_.emplace_back();
            continue;
        }
        const auto size = static_cast<std::int64_t>(size_of(m.at.type));
        value far = are_far(product(0, spec_.rank) * size, extents_[along] * size);
        for (const access& from : spec_.loads)
            far = far && b_.word(map_.layout.pointers + m.at.pointer) != b_.word(map_.layout.pointers + from.pointer);
        far_.push_back(b_.let("far" + m.id, far));
    }
}
void kernel_builder::finish_far_stores(std::size_t along) {
    value any = b_.truth(false);
    for (std::size_t k = 0; k < memories_.size(); ++k)
        if (may_be_far(memories_[k], along)) any = any || far_[k];
    if (!b_.constant_of(any)) b_.finish_streams(any);
}
value kernel_builder::is_past(const memory& m, value address) {
    const value far = far_[static_cast<std::size_t>(&m - memories_.data())];
    return far && b_.bytes(address) % (lanes_ * static_cast<std::int64_t>(size_of(m.at.type))) == 0;
}

accumulators kernel_builder::declare_accumulators(const std::string& name, std::size_t r, std::int64_t count) {
    accumulators made;
    for (int p = 0; p < rule(r).parts; ++p)
        made.push_back(
            b_.declare(name + "_" + text(static_cast<std::uint64_t>(p)), loops::lanes_of(rule(r).types[p]), count));
    return made;
}
parts kernel_builder::identity(std::size_t r) {
    parts made;
    for (int p = 0; p < rule(r).parts; ++p) made.push_back(b_.lanes(rule(r).types[p], rule(r).identity[p]));
    return made;
}
parts kernel_builder::read(const accumulators& from, value index) {
    parts all;
    for (const array& a : from) all.push_back(a[index]);
    return all;
}
void kernel_builder::write(const accumulators& to, value index, const parts& all) {
    for (std::size_t p = 0; p < to.size(); ++p) b_.put(to[p], index, all[p]);
}
parts kernel_builder::by(std::size_t r, const rule_code& code, const parts& left, const parts& right) {
    std::vector<value> done;
    std::vector<std::uint16_t> all;
    for (std::uint16_t k = 0; k < code.steps.size(); ++k) all.push_back(k);
    b_.compute(code.steps, all, "u", done, [&](const instruction& i) {
        if (i.code == op::scalar) return b_.lanes_with(i.type, 1);
        const auto n = static_cast<std::size_t>(rule(r).parts);
        return i.a < n ? left[i.a] : right[i.a - n];
    });
    parts made;
    for (int p = 0; p < rule(r).parts; ++p) made.push_back(done[code.result[p]]);
    return made;
}
parts kernel_builder::lifted(std::size_t r, const std::vector<value>& body) {
    const reduction_spec& red = spec_.reductions[r];
    parts made;
    for (int p = 0; p < rule(r).parts; ++p) {
        const dtype t = rule(r).types[p];
        switch (rule(r).lift[p]) {
            case part_source::value: made.push_back(body[red.value]); break;
            case part_source::second: made.push_back(body[red.second]); break;
            case part_source::third: made.push_back(body[red.third]); break;
            case part_source::one: made.push_back(b_.lanes_with(t, 1)); break;
            case part_source::minus_zero: made.push_back(b_.lanes_with(t, -0.0)); break;
            case part_source::own: throw std::logic_error("what an operation combines is no reduction");
        }
    }
    return made;
}
parts kernel_builder::kept(const parts& fresh, const parts& old, value count) {
    parts made;
    for (std::size_t p = 0; p < fresh.size(); ++p) made.push_back(b_.kept(fresh[p], old[p], count));
    return made;
}

}  // namespace frit::v0::fusion::host
