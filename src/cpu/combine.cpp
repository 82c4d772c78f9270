// The rules' instructions become calls of table loops, in pieces whose temporaries fit the stack and the L1 cache.
#include "src/cpu/combine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::instruction;
using fusion::part_source;
using fusion::reduction_rule;

constexpr std::int64_t stack_bytes = 16 << 10;  // of temporaries
constexpr std::int64_t piece_elements = 256;    // at once
constexpr std::size_t most_instructions = 32;

}  // namespace

combiner::combiner(const fusion::reduction_spec& r, const isa_table& table)
    : rule_(&fusion::rule_of(r)), table_(&table), value_size_(static_cast<std::int64_t>(size_of(r.type))) {
    if (rule_->is_plain()) {
        const int row = static_cast<int>(r.code) - count_ops, column = index_of(r.type);
        accumulate_ = table.accumulate[row][column];
        reduce_rows_ = table.reduce_rows[row][column];
    }
    if (takes_places(r.code)) extremum_ = reduction(r.code).combine == op::lt ? op::min : op::max;
    for (int p = 0; p < parts(); ++p) {
        if (rule_->lift[p] == part_source::second) second_size_ = static_cast<std::int64_t>(size(p));
        if (rule_->lift[p] == part_source::third) third_size_ = static_cast<std::int64_t>(size(p));
    }
    if (fusion::has_fused_rule(r.code) && r.fused == table.has_fma) deviations_ = &table.deviations[r.type == dtype::f64];
    partials_ = compile(rule_->combine, false);
    elements_ = compile(rule_->take, true);
}

combiner::code combiner::compile(const fusion::rule_code& program, bool lifted) const {
    const reduction_rule& rule = *rule_;
    const std::vector<instruction>& steps = program.steps;
    const auto count = steps.size();
    code c;
    c.rule = &program;
    // Bits of the constants in the rule's type, which are there for ever.
    const void* const one = &fusion::rule_of(op::prod, rule.types[0]).identity[0];
    static constexpr double minus_zero = -0.0;
    static constexpr float minus_zero_f32 = -0.0F;
    std::vector<bool> constant(count, false);
    std::vector<std::size_t> last_read_of_left(static_cast<std::size_t>(rule.parts), 0);
    for (std::size_t k = 0; k < count; ++k) {
        const instruction& i = steps[k];
        value v{origin::temporary, 0, nullptr};
        if (i.code == op::scalar) v = {origin::constant, 0, one};
        if (i.code == op::load) {
            const bool left = i.a < rule.parts;
            v = {left ? origin::left : origin::right, left ? i.a : i.a - rule.parts, nullptr};
            const part_source from = left ? part_source::value : rule.lift[v.offset];
            if (lifted && from == part_source::one) v = {origin::constant, 0, one};
            if (lifted && from == part_source::minus_zero)
                v = {origin::constant, 0, i.type == dtype::f64 ? static_cast<const void*>(&minus_zero) : &minus_zero_f32};
        }
        c.values.push_back(v);
        constant[k] = v.from == origin::constant;
        if (operands_of(i) == 0) continue;
        constant[k] = true;
        for (int n = 0; n < operands_of(i); ++n) {
            const instruction& from = steps[operand(i, n)];
            constant[k] = constant[k] && constant[operand(i, n)];
            if (from.code == op::load && from.a < rule.parts) last_read_of_left[from.a] = k;
        }
    }
    for (int p = 0; p < rule.parts; ++p) {
        const std::uint16_t made = program.result[p];
        c.copied[p] = made < last_read_of_left[static_cast<std::size_t>(p)] || operands_of(steps[made]) == 0;
        if (!c.copied[p]) c.values[made] = {origin::left, p, nullptr};
    }
    for (std::uint16_t k = 0; k < count; ++k) {
        const instruction& i = steps[k];
        if (operands_of(i) == 0) continue;
        int splats = 0;
        if (!constant[k])
            for (int n = 0; n < operands_of(i); ++n) splats |= constant[operand(i, n)] ? 1 << n : 0;
        const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
        c.steps.push_back({table_->elementwise[static_cast<int>(i.code)][index_of(steps[typed].type)][splats], k, i.a, i.b,
                           i.c, constant[k]});
        if (c.values[k].from == origin::temporary) {
            c.values[k].offset = c.bytes;
            c.bytes += static_cast<std::int64_t>(size_of(i.type));
        }
    }
    return c;
}

// `right`: where a part is a constant, any place.
void combiner::run(const code& c, const part_arrays& left, const part_arrays& right, std::int64_t n) const {
    if (rule_->is_plain()) return c.steps[0].run(left.of[0], left.of[0], right.of[0], nullptr, n);
    alignas(64) std::byte temporaries[stack_bytes];
    const std::int64_t piece = std::min(piece_elements, stack_bytes / c.bytes / 64 * 64);
    const void* at[most_instructions] = {};
    for (std::int64_t done = 0; done < n; done += piece) {
        const std::int64_t m = std::min(piece, n - done);
        const part_arrays l = shifted(left, done), r = shifted(right, done);
        for (std::size_t k = 0; k < c.values.size(); ++k) {
            const value& v = c.values[k];
            switch (v.from) {
                case origin::temporary: at[k] = temporaries + v.offset * piece; break;
                case origin::left: at[k] = l.of[v.offset]; break;
                case origin::right: at[k] = r.of[v.offset]; break;
                case origin::constant: at[k] = v.constant; break;
            }
        }
        for (const step& s : c.steps) s.run(const_cast<void*>(at[s.d]), at[s.a], at[s.b], at[s.c], s.once ? 1 : m);
        for (int p = 0; p < parts(); ++p)
            if (c.copied[p] && at[c.rule->result[p]] != l.of[p])
                std::memcpy(l.of[p], at[c.rule->result[p]], static_cast<std::size_t>(m) * size(p));
    }
}

void combiner::set_identity(const part_arrays& to, std::int64_t n) const {
    for (int p = 0; p < parts(); ++p)
        table_->copy[index_of(rule_->types[p])][1](to.of[p], &rule_->identity[p], nullptr, nullptr, n);
}

void combiner::add(const part_arrays& left, const void* values, const void* seconds, const void* thirds, std::int64_t n,
                   std::int64_t times, std::int64_t met) const {
    if (deviations_) return deviations_->accumulate(left.of, values, n, times, met);
    const auto at = [](const void* p, std::int64_t bytes) {
        return const_cast<std::byte*>(static_cast<const std::byte*>(p) + bytes);
    };
    for (std::int64_t k = 0; k < times; ++k) {
        part_arrays right;
        for (int p = 0; p < parts(); ++p) switch (rule_->lift[p]) {
                case part_source::second: right.of[p] = at(seconds, k * n * second_size_); break;
                case part_source::third: right.of[p] = at(thirds, k * n * third_size_); break;
                default: right.of[p] = at(values, k * n * value_size_);
            }
        run(elements_, left, right, n);
    }
}

// The rule's own steps count; the loops of an instruction set do not.
void combiner::set_met(const part_arrays& left, std::int64_t n, std::int64_t met) const {
    if (!deviations_) return;
    const bool single = rule_->types[0] == dtype::f32;
    const auto f32 = static_cast<float>(met);
    const auto f64 = static_cast<double>(met);
    table_->copy[static_cast<int>(single ? compute_type::f32 : compute_type::f64)][1](
        left.of[0], single ? static_cast<const void*>(&f32) : &f64, nullptr, nullptr, n);
}

void combiner::accumulate(const part_arrays& lanes, const summands& x, const void* seconds, std::int64_t n,
                          std::int64_t i) const {
    const void* const values = x.values;
    if (accumulate_)
        return (x.loops ? x.loops->accumulate : accumulate_)(lanes.of[0], values, x.others, n, i % fusion::reduce_lanes);
    if (extremum_ != op::leaf) return accumulate_extremum(lanes, values, static_cast<const std::int64_t*>(seconds), n);
    for (std::int64_t done = 0; done < n;) {
        const std::int64_t lane = (i + done) % fusion::reduce_lanes, left = n - done;
        const std::int64_t m = std::min(left, fusion::reduce_lanes - lane),
                           groups = lane == 0 ? left / fusion::reduce_lanes : 0;
        const std::int64_t times = std::max<std::int64_t>(1, groups);
        add(shifted(lanes, lane), static_cast<const std::byte*>(values) + done * value_size_,
            static_cast<const std::byte*>(seconds) + done * second_size_,
            static_cast<const std::byte*>(x.others) + done * third_size_, m, times, (i + done) / fusion::reduce_lanes);
        done += m * times;
    }
}

void combiner::set_met_of_lanes(const part_arrays& lanes, std::int64_t elements, std::int64_t width) const {
    const std::int64_t met = elements / fusion::reduce_lanes, more = elements % fusion::reduce_lanes;
    set_met(lanes, more * width, met + 1);
    if (met > 0) set_met(shifted(lanes, more * width), (fusion::reduce_lanes - more) * width, met);
}

// The best one of some elements and its place do not depend on the order in which they meet, so one accumulator does: the
// extremum first, then, if it beats or equals what is there, where it stands.
void combiner::accumulate_extremum(const part_arrays& lanes, const void* values, const std::int64_t* places,
                                   std::int64_t n) const {
    const dtype type = rule_->types[0];
    const int row = static_cast<int>(extremum_) - count_ops, column = index_of(type);
    alignas(64) std::byte best_of_lanes[fusion::reduce_lanes * sizeof(std::uint64_t)];
    std::uint64_t word = 0;
    const void* const identity = &rule_->identity[0];
    table_->copy[column][1](best_of_lanes, identity, nullptr, nullptr, fusion::reduce_lanes);
    table_->accumulate[row][column](best_of_lanes, values, nullptr, n, 0);
    table_->reduce_rows[row][column](&word, best_of_lanes, nullptr, 1, fusion::reduce_lanes, identity);
    with_type(type, [&]<class T>() {
        T best, before;
        std::memcpy(&best, &word, sizeof best);
        std::memcpy(&before, lanes.of[0], sizeof before);
        const bool nan = best != best;
        if (!nan && (before != before || (extremum_ == op::min ? before < best : before > best))) return;
        const T* const x = static_cast<const T*>(values);
        std::int64_t place = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t i = 0; i < n; ++i) {
            const bool here = nan ? x[i] != x[i] : x[i] == best;
            place = here && places[i] < place ? places[i] : place;
        }
        add(lanes, &best, &place, nullptr, 1, 1, 0);
    });
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
