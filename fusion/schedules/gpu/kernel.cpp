// Indices, accesses and accumulators of GPU kernels in the loop IR: see kernel.hpp.
#include "fusion/schedules/gpu/kernel.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::gpu {
namespace {

// NVRTC 13.0 dies of 64-bit sums of products of narrow integers: their search for dp4a takes the sum for one of 32 bits.
// A plain sum of what was read has no product to hide.
bool hides_products(const reduction_spec& red, const std::vector<instruction>& body) {
    if (reduction(red.code).combine != op::add || !is_integer(red.type) || size_of(red.type) < 8) return false;
    const instruction* i = &body[red.value];
    while (is_conversion(i->code)) i = &body[i->a];
    return is_elementwise(i->code) && is_integer(i->type);
}

}  // namespace

kernel_builder::kernel_builder(const kernel_spec& spec, std::string name)
    : spec_(spec),
      map_(spec),
      linear_(spec.index64 ? dtype::u64 : dtype::u32),
      offset_(spec.index64 ? dtype::i64 : dtype::i32),
      b_(std::move(name)),
      i_(spec.rank),
      kept_dims_(spec.rank - spec.reduced),
      loads_(spec.loads.size()) {
    b_.set_kernel(spec, map_.layout.pointers);
}

loops::kernel kernel_builder::take(unsigned threads, unsigned blocks_per_sm) {
    loops::kernel k;
    k.threads = threads;
    k.blocks_per_sm = blocks_per_sm;
    k.addresses.assign(map_.layout.size, false);
    k.addresses[0] = k.addresses[1] = true;
    for (std::uint32_t p = 0; p < spec_.pointers; ++p) k.addresses[map_.layout.pointers + p] = true;
    for (const reduction_spec& r : spec_.reductions) k.rules.push_back(&rule_of(r));
    for (const column_sum& c : spec_.columns) k.rules.push_back(&rule_of(op::sum, c.type));
    for (const instruction& i : spec_.body) {
        if (is_cumulative(i.code)) k.rules.push_back(&running_rule(i.code, i.type));
        if (!is_associative(i, spec_)) continue;
        k.own_rules.push_back(std::make_shared<const reduction_rule>(rule_of_operation(spec_.loops[i.b].operation.front())));
        k.rules.push_back(k.own_rules.back().get());
    }
    k.entry = b_.take();
    return k;
}

value kernel_builder::extents(unsigned first, unsigned last) {
    value product = b_.constant(1, linear_);
    for (unsigned d = first; d < last; ++d) product = product * extent(d);
    return product;
}

void kernel_builder::decode(unsigned first, unsigned last, value rest) {
    for (unsigned d = last - 1; d > first; --d) {
        set_index(d, rest % extent(d));
        rest = b_.let("rest", rest / extent(d));
    }
    set_index(first, rest);
}
std::vector<cell> kernel_builder::decode_variables(unsigned first, unsigned last, value rest, const char* prefix) {
    std::vector<cell> indices(last - first);
    for (unsigned d = last - 1; d > first; --d) {
        indices[d - first] = b_.declare(name(prefix, d), offset(rest % extent(d)));
        rest = b_.let("rest", rest / extent(d));
    }
    indices[0] = b_.declare(name(prefix, first), offset(rest));
    return indices;
}
void kernel_builder::carry(const std::vector<cell>& indices, unsigned first, unsigned by) {
    const std::size_t last = indices.size() - 1;
    const auto from = [&](auto&& self, std::size_t d) -> void {
        b_.set(indices[d], indices[d] + (d == last ? by : 1));
        if (d == 0) return;
        b_.when(indices[d] == offset(extent(first + static_cast<unsigned>(d))), [&] {
            b_.set(indices[d], b_.constant(0));
            self(self, d - 1);
        });
    };
    from(from, last);
}

value kernel_builder::clamped(const dim_words& w, value index) {
    return b_.clamped(moved(w, index), step_word(w.lo), step_word(w.hi));
}
value kernel_builder::sum_of(const access& a, const std::vector<dim_words>& words, bool clamps) {
    value sum = b_.constant(0, offset_);
    for (std::size_t d = 0; d < a.dims.size(); ++d) {
        const access_dim& dim = a.dims[d];
        if (dim.stride == stride_class::zero && !(clamps && dim.clamped)) continue;
        value index = i_[d];
        if (dim.clamped) index = clamps ? clamped(words[d], index) : moved(words[d], index);
        sum = sum + (dim.stride == stride_class::runtime ? step_word(words[d].stride) * index : index);
    }
    return sum;
}
value kernel_builder::place(const access& a, const std::vector<dim_words>& words) { return sum_of(a, words, true); }
value kernel_builder::affine_place(const access& a, const std::vector<dim_words>& words) { return sum_of(a, words, false); }
value kernel_builder::affine_stride(const access& a, const std::vector<dim_words>& words, std::size_t d) {
    const access_dim& dim = a.dims[d];
    const value stride = dim.stride == stride_class::runtime ? step_word(words[d].stride)
                                                             : b_.constant(dim.stride == stride_class::one, offset_);
    return dim.clamped ? stride * step_word(words[d].step) : stride;
}

value kernel_builder::is_unclamped_run(std::size_t load, unsigned count) {
    const dim_words& w = map_.loads[load][0];
    const value first = moved(w, i_[0]);
    return first >= step_word(w.lo) && first + (count - 1) <= step_word(w.hi);
}
value kernel_builder::is_one_element(std::size_t load, unsigned count) {
    const dim_words& w = map_.loads[load][0];
    const value first = moved(w, i_[0]);
    return first >= step_word(w.hi) || first + (count - 1) <= step_word(w.lo);
}

unsigned kernel_builder::width_of(const access& a, unsigned most) const {
    const access_dim& last = a.dims.back();
    if (last.stride != stride_class::one || last.clamped) return 1;
    return std::min({unsigned{spec_.vector_width}, most, static_cast<unsigned>(16 / size_of(a.type))});
}
std::vector<array> kernel_builder::declare_results(unsigned count) {
    std::vector<array> results;
    for (std::size_t s = 0; s < spec_.stores.size(); ++s)
        results.push_back(b_.declare(name("r", s), loops::number_of(spec_.stores[s].to.type), count));
    return results;
}

value kernel_builder::coordinate(std::size_t k) {
    const fusion::coordinate& c = spec_.coords[k];
    return c.clamped ? clamped(map_.coords[k], i_[c.dim]) : moved(map_.coords[k], i_[c.dim]);
}
value kernel_builder::once(const instruction& i) {
    if (i.code == op::scalar) return scalar(i.a);
    return i.code == op::coord ? b_.number(i.type, coordinate(i.a)) : loads_[i.a].one;
}
value kernel_builder::affine_coordinate(std::size_t k) {
    if (spec_.coords[k].like > 0) k = spec_.coords[k].like - 1U;
    return moved(map_.coords[k], i_[spec_.coords[k].dim]);
}

value kernel_builder::lifted(std::size_t r, const std::vector<value>& body) {
    const reduction_spec& red = spec_.reductions[r];
    const value element = hides_products(red, spec_.body) ? b_.pinned(body[red.value]) : body[red.value];
    if (!has_second(red)) return b_.accumulate(loops::code::lifted, loops::accumulator_of(r), {element});
    if (!has_third(red)) return b_.accumulate(loops::code::lifted, loops::accumulator_of(r), {element, body[red.second]});
    return b_.accumulate(loops::code::lifted, loops::accumulator_of(r), {element, body[red.second], body[red.third]});
}
value kernel_builder::total(std::size_t r, value accumulator) {
    const reduction_rule& rule = rule_of(spec_.reductions[r]);
    return b_.accumulate(loops::code::part, loops::number_of(rule.types[rule.result]), {accumulator}, rule.result);
}
value kernel_builder::partials(std::size_t r, value count) {
    std::int64_t words = 0;
    for (std::size_t before = 0; before < r; ++before) words += rule_of(spec_.reductions[before]).parts;
    const value begin = b_.word(1, loops::address_of(dtype::u8, false)) + static_cast<std::int64_t>(ticket_bytes);
    const value bytes = b_.to(dtype::u64, count) * (8 * words);
    return b_.retyped(words > 0 ? begin + bytes : begin, loops::address_of_accumulators(r));
}

numbers kernel_builder::all(const std::vector<instruction>& code) const {
    numbers list(code.size());
    for (std::size_t k = 0; k < code.size(); ++k) list[k] = static_cast<std::uint16_t>(k);
    return list;
}

}  // namespace frit::v0::fusion::gpu
