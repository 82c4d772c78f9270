// Which loops of a text surely end within the rounds that a loop can have: nothing need be checked behind those. A loop
// surely ends if its condition asks of a counter, a whole number, whether it is still on one side of a bound, and each round
// takes the counter one constant step that way, from a known start. What is known of a value is the range of its type, or
// less: so the bound may change from round to round, but a counter that might step over the end of its type may not come so
// far.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "src/functions/conversions.hpp"

namespace frit::inline v0::detail {
namespace {

using kind = expression::kind;
using act = text_statement::kind;
using list = std::vector<text_statement>;

/// Values, both ends included; of those that are huge nothing is known, so sums of others are exact.
struct range {
    std::int64_t from, to;
    bool holds(const range& other) const { return from <= other.from && other.to <= to; }
};
constexpr std::int64_t huge = std::int64_t{1} << 61;

bool is_whole(dtype t) { return kind_of(t) < dtype_kind::floating && t != dtype::bool_; }

/// What fits into a type, and is not huge.
range capacity(dtype t) {
    const bool has_sign = kind_of(t) == dtype_kind::integer;
    const auto bits = static_cast<int>(8 * size_of(t)) - (has_sign ? 1 : 0);
    const std::int64_t end = bits > 61 ? huge : (std::int64_t{1} << bits) - 1;
    return {has_sign ? -end - 1 : 0, end};
}
/// What a value of a type may be.
std::optional<range> any(dtype t) { return is_whole(t) && size_of(t) < 8 ? std::optional(capacity(t)) : std::nullopt; }

std::optional<range> range_of(const expression& e) {
    if (!is_whole(e.result)) return std::nullopt;
    if (e.what == kind::number) {
        const std::int64_t x = whole_of(e);
        return capacity(e.result).holds({x, x}) ? std::optional(range{x, x}) : std::nullopt;
    }
    std::optional<range> known;
    if (e.what == kind::convert) known = range_of(e.operands[0]);
    if (e.what == kind::apply && e.code == op::neg) {
        known = range_of(e.operands[0]);
        if (known) known = range{-known->to, -known->from};
    }
    return known && capacity(e.result).holds(*known) ? known : any(e.result);
}

/// A variable as an expression reads it, and the values of it that come through its conversions as they are.
struct reading {
    std::uint32_t variable;
    range kept;
};
range common_part(const range& a, const range& b) { return {std::max(a.from, b.from), std::min(a.to, b.to)}; }
std::optional<reading> read(const expression& e) {
    if (!is_whole(e.result)) return std::nullopt;
    if (e.what == kind::variable) return reading{e.variable, capacity(e.result)};
    if (e.what != kind::convert) return std::nullopt;
    std::optional<reading> r = read(e.operands[0]);
    if (r) r->kept = common_part(r->kept, capacity(e.result));
    return r;
}

/// What a statement adds to a variable, and between which values it does.
struct stepping {
    std::int64_t by;
    range kept;
};
std::optional<stepping> step_of(const expression& e, std::uint32_t variable) {
    if (!is_whole(e.result)) return std::nullopt;
    std::optional<stepping> s;
    if (e.what == kind::convert) s = step_of(e.operands[0], variable);
    if (e.what == kind::apply && (e.code == op::add || e.code == op::sub)) {
        for (const std::size_t k : {0, 1}) {
            const auto r = read(e.operands[k]);
            const auto by = range_of(e.operands[1 - k]);
            if (!r || r->variable != variable || !by || by->from != by->to || (k == 1 && e.code == op::sub)) continue;
            s = stepping{e.code == op::add ? by->from : -by->from, r->kept};
        }
    }
    if (s) s->kept = common_part(s->kept, capacity(e.result));
    return s;
}

int times_set(const text_statement& s, std::uint32_t variable) {
    int n = s.what == act::set && s.variable == variable ? 1 : 0;
    for (const list* part : {&s.body, &s.otherwise, &s.step})
        for (const text_statement& inner : *part) n += times_set(inner, variable);
    return n;
}
bool has_continue(const list& all) {
    return std::any_of(all.begin(), all.end(), [](const text_statement& s) {
        return s.what == act::next || (s.what != act::loop && (has_continue(s.body) || has_continue(s.otherwise)));
    });
}
/// The step that every round takes which does not leave the loop.
std::optional<stepping> step_of_round(const text_statement& loop, std::uint32_t variable) {
    if (times_set(loop, variable) != 1) return std::nullopt;
    for (const list* part : {&loop.step, &loop.body}) {
        if (part == &loop.body && has_continue(loop.body)) break;
        for (const text_statement& s : *part)
            if (s.what == act::set && s.variable == variable) return step_of(s.value, variable);
    }
    return std::nullopt;
}
/// What a variable is in front of statement k of a list.
std::optional<range> start_of(const list& all, std::size_t k, std::uint32_t variable, dtype type) {
    while (k-- > 0) {
        const text_statement& s = all[k];
        if (s.what == act::set && s.variable == variable) return range_of(s.value);
        if (times_set(s, variable) > 0) break;
    }
    return any(type);
}

/// Whether a counter that begins in `start` and takes steps is beyond the bound within the rounds that a loop can have.
/// @param bound  the last values that are in the loop
/// @param first  there is a round before it is asked for the first time
bool comes_to_its_end(range start, range bound, stepping step, bool first) {
    if (step.by < 0) {
        start = {-start.to, -start.from}, bound = {-bound.to, -bound.from};
        step = {-step.by, {-step.kept.to, -step.kept.from}};
    }
    if (step.by > huge) return false;
    if (first) start.from += step.by, start.to += step.by;
    const std::int64_t last = bound.to;
    const range met{start.from, std::max(start.to, last + step.by)};
    const std::int64_t rounds = (last - start.from) / step.by + (first ? 2 : 1);
    return step.kept.holds(met) && rounds <= std::numeric_limits<std::int32_t>::max();
}

struct place_in_list {
    const list* all;
    std::size_t at;
};
/// @param counter, bound  as the condition compares them: `code` of these two
bool counts(op code, const expression& counter, const expression& bound, const place_in_list& p,
            const std::vector<dtype>& types) {
    const text_statement& loop = (*p.all)[p.at];
    const std::optional<reading> r = read(counter);
    std::optional<range> to = range_of(bound);
    if (!r || !to) return false;
    std::optional<stepping> step = step_of_round(loop, r->variable);
    const std::optional<range> start = start_of(*p.all, p.at, r->variable, types[r->variable]);
    if (!step || step->by == 0 || !start) return false;
    step->kept = common_part(step->kept, r->kept);
    const bool up = step->by > 0;
    if (code == op::ne) {  // a bound that it surely meets
        const bool meets = std::abs(step->by) == 1 && to->from == to->to && !loop.first &&
                           (up ? start->to <= to->from : to->from <= start->from);
        if (!meets) return false;
        code = up ? op::lt : op::gt;
    }
    if (up ? code == op::lt : code == op::gt)
        (up ? to->to : to->from) -= up ? 1 : -1;
    else if (up ? code != op::le : code != op::ge)
        return false;
    return comes_to_its_end(*start, *to, *step, loop.first);
}
std::optional<op> turned_round(op code) {
    switch (code) {
        case op::lt: return op::gt;
        case op::gt: return op::lt;
        case op::le: return op::ge;
        case op::ge: return op::le;
        case op::ne: return op::ne;
        default: return std::nullopt;
    }
}
bool surely_ends(const expression& condition, const place_in_list& p, const std::vector<dtype>& types) {
    if (condition.what == kind::number) return condition.bits.low == 0;
    if (condition.what != kind::apply) return false;
    if (condition.code == op::logical_and)
        return surely_ends(condition.operands[0], p, types) || surely_ends(condition.operands[1], p, types);
    const std::optional<op> turned = turned_round(condition.code);
    if (!turned) return false;
    const expression &a = condition.operands[0], &b = condition.operands[1];
    return counts(condition.code, a, b, p, types) || counts(*turned, b, a, p, types);
}

looping in_expression(const expression& e) {
    looping most = e.what == kind::call ? e.callee->loops : looping::none;
    for (const expression& x : e.operands) most = std::max(most, in_expression(x));
    return most;
}
looping in_list(list& all, const std::vector<dtype>& types) {
    looping most = looping::none;
    for (std::size_t k = 0; k < all.size(); ++k) {
        text_statement& s = all[k];
        const looping called = s.inside = in_expression(s.value);
        for (list* part : {&s.body, &s.otherwise, &s.step}) s.inside = std::max(s.inside, in_list(*part, types));
        if (s.what == act::loop)  // a condition that does not end ends no loop
            s.itself = std::max(surely_ends(s.value, {&all, k}, types) ? looping::ends : looping::may_not_end, called);
        most = std::max({most, s.inside, s.itself});
    }
    return most;
}

}  // namespace

void find_endings(text_function& f) { f.loops = in_list(f.body, f.variables); }

}  // namespace frit::inline v0::detail
