// The rules' instructions become calls of table loops, in pieces whose temporaries fit the stack and the L1 cache.
#include "src/cpu/combine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace frit::inline v0::detail {
namespace {

using fusion::instruction;
using fusion::part_source;
using fusion::reduction_rule;

constexpr std::int64_t stack_bytes = 16 << 10;  // of temporaries
constexpr std::int64_t piece_elements = 256;    // at once
constexpr std::size_t most_instructions = 32;

int operands_of(const instruction& i) { return is_elementwise(i.code) ? info(i.code).arity : 0; }
std::uint16_t operand(const instruction& i, int k) { return k == 0 ? i.a : k == 1 ? i.b : i.c; }

}  // namespace

combiner::combiner(const fusion::reduction_spec& r, const isa_table& table)
    : rule_(&fusion::rule_of(r)), table_(&table), value_size_(static_cast<std::int64_t>(size_of(r.type))) {
    one_ = fusion::rule_of(op::prod, r.type).identity[0];
    // The update of a variance multiplies by the right side's zero count, which is not neutral where products overflow.
    neutral_ = reduction(r.code).kind != reduction_kind::DEVIATIONS;
    if (rule_->is_plain()) accumulate_ = table.accumulate[static_cast<int>(r.code) - count_ops][index_of(r.type)];
    partials_ = compile(false);
    elements_ = compile(true);
}

combiner::code combiner::compile(bool lifted) const {
    const reduction_rule& rule = *rule_;
    const auto count = rule.combine.size();
    code c;
    c.offsets.assign(count, 0);
    c.overwrites.assign(count, -1);
    std::vector<bool> constant(count, false);
    std::vector<std::size_t> last_read_of_left(static_cast<std::size_t>(rule.parts), 0);
    for (std::size_t k = 0; k < count; ++k) {
        const instruction& i = rule.combine[k];
        if (i.code == op::scalar) constant[k] = true;
        if (i.code == op::load && lifted && i.a >= rule.parts) {
            const part_source from = rule.lift[i.a - rule.parts];
            constant[k] = from == part_source::one || from == part_source::zero;
        }
        if (operands_of(i) == 0) continue;
        constant[k] = true;
        for (int n = 0; n < operands_of(i); ++n) {
            const instruction& from = rule.combine[operand(i, n)];
            constant[k] = constant[k] && constant[operand(i, n)];
            if (from.code == op::load && from.a < rule.parts) last_read_of_left[from.a] = k;
        }
    }
    for (int p = 0; p < rule.parts; ++p) {
        const std::uint16_t made = rule.combined[p];
        c.copied[p] = made < last_read_of_left[static_cast<std::size_t>(p)] || operands_of(rule.combine[made]) == 0;
        if (!c.copied[p]) c.overwrites[made] = p;
    }
    for (std::uint16_t k = 0; k < count; ++k) {
        const instruction& i = rule.combine[k];
        if (operands_of(i) == 0) continue;
        int splats = 0;
        if (!constant[k])
            for (int n = 0; n < operands_of(i); ++n) splats |= constant[operand(i, n)] ? 1 << n : 0;
        const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
        c.steps.push_back({table_->elementwise[static_cast<int>(i.code)][index_of(rule.combine[typed].type)][splats], k, i.a,
                           i.b, i.c, constant[k]});
        if (c.overwrites[k] < 0) {
            c.offsets[k] = c.bytes;
            c.bytes += static_cast<std::int64_t>(size_of(i.type));
        }
    }
    return c;
}

// `right`: of constants, any place.
void combiner::run(const code& c, const part_arrays& left, const part_arrays& right, std::int64_t n) const {
    if (rule_->is_plain()) return c.steps[0].run(left.of[0], left.of[0], right.of[0], nullptr, n);
    alignas(64) std::byte temporaries[stack_bytes];
    const std::int64_t piece = std::min(piece_elements, stack_bytes / c.bytes / 64 * 64);
    const void* at[most_instructions] = {};
    for (std::int64_t done = 0; done < n; done += piece) {
        const std::int64_t m = std::min(piece, n - done);
        const part_arrays l = shifted(left, done);
        for (std::size_t k = 0; k < rule_->combine.size(); ++k) {
            const instruction& i = rule_->combine[k];
            if (i.code == op::scalar) {
                at[k] = &one_;
            } else if (i.code != op::load) {
                at[k] = c.overwrites[k] >= 0 ? l.of[c.overwrites[k]] : temporaries + c.offsets[k] * piece;
            } else if (i.a < rule_->parts) {
                at[k] = l.of[i.a];
            } else {
                const int part = i.a - rule_->parts;
                const bool element = &c == &elements_;
                if (element && rule_->lift[part] == part_source::one)
                    at[k] = &one_;
                else if (element && rule_->lift[part] == part_source::zero)
                    at[k] = &zero_;
                else
                    at[k] = right.of[part] + done * static_cast<std::int64_t>(size(part));
            }
        }
        for (const step& s : c.steps) s.run(const_cast<void*>(at[s.d]), at[s.a], at[s.b], at[s.c], s.once ? 1 : m);
        for (int p = 0; p < parts(); ++p)
            if (c.copied[p]) std::memcpy(l.of[p], at[rule_->combined[p]], static_cast<std::size_t>(m) * size(p));
    }
}

void combiner::set_identity(const part_arrays& to, std::int64_t n) const {
    for (int p = 0; p < parts(); ++p)
        table_->copy[index_of(rule_->types[p])][1](to.of[p], &rule_->identity[p], nullptr, nullptr, n);
}

void combiner::add(const part_arrays& left, const void* values, const void* places, std::int64_t n) const {
    part_arrays right;
    for (int p = 0; p < parts(); ++p) {
        if (rule_->lift[p] == part_source::value) right.of[p] = static_cast<std::byte*>(const_cast<void*>(values));
        if (rule_->lift[p] == part_source::index) right.of[p] = static_cast<std::byte*>(const_cast<void*>(places));
    }
    run(elements_, left, right, n);
}

void combiner::accumulate(const part_arrays& lanes, const void* values, const void* places, std::int64_t n,
                          std::int64_t lane) const {
    if (accumulate_) return accumulate_(lanes.of[0], values, n, lane);
    for (std::int64_t done = 0; done < n;) {
        const std::int64_t m = std::min(n - done, fusion::reduce_lanes - lane);
        add(shifted(lanes, lane), static_cast<const std::byte*>(values) + done * value_size_,
            places ? static_cast<const std::int64_t*>(places) + done : nullptr, m);
        done += m;
        lane = 0;
    }
}

std::vector<combiner> combiners_of(const fusion::kernel_spec& spec, const isa_table& table) {
    std::vector<combiner> all;
    for (const fusion::reduction_spec& r : spec.reductions) all.emplace_back(r, table);
    return all;
}

int pairwise_tree::levels(std::int64_t count) { return std::bit_width(static_cast<std::uint64_t>(count)); }

void pairwise_tree::copy(const part_arrays& to, const part_arrays& from) const {
    for (int p = 0; p < combine_->parts(); ++p)
        std::memcpy(to.of[p], from.of[p], static_cast<std::size_t>(width_) * combine_->size(p));
}

void pairwise_tree::push(const part_arrays& next) {
    part_arrays item = next;
    int l = 0;
    for (; count_ >> l & 1; ++l) {
        combine_->combine(level(l), item, width_);
        item = level(l);
    }
    copy(level(l), item);
    ++count_;
}

void pairwise_tree::finish(const part_arrays& to) {
    if (count_ == 0) return combine_->set_identity(to, width_);
    int l = std::countr_zero(static_cast<std::uint64_t>(count_));
    part_arrays item = level(l);
    for (++l; count_ >> l; ++l) {
        if (!(count_ >> l & 1)) continue;
        combine_->combine(level(l), item, width_);
        item = level(l);
    }
    copy(to, item);
    count_ = 0;
}

}  // namespace frit::v0::detail
