// scan_along: its step is recorded with states that have no values, and the recurrence over the operands that this leaves.
#include "frit/scan_along.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/steps.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// A state before the first element, seen along the axis, which is so many from the last.
value along_axis(const value& x, int from_last, source_line where) {
    const int rank = x.node()->extents->rank();
    return rank < from_last ? x : recorded(expand_dims(x, rank - from_last), where);
}

bool fits(const shape& x, const shape& to) {
    if (x.rank() > to.rank()) return false;
    return std::equal(x.begin(), x.end(), to.end() - x.rank(),
                      [](std::int64_t a, std::int64_t b) { return a == b || a == 1; });
}

/// @throws shape_error unless all broadcast to this shape
void check_fit(std::string_view who, std::span<const user_ref> operands, const shape& to, std::string_view wrong,
               source_line where) {
    for (const user_ref& x : operands) {
        if (fits(*x->extents, to)) continue;
        broadcast_of(who, {&x, 1}, to, where);  // with its own error, where they do not broadcast at all
        throw_shape_error(who, wrong, std::array{*x->extents, to}, where);
    }
}
}  // namespace

std::vector<user_ref> scan_along_of(const swept_axis& along, std::span<const user_ref> before,
                                    std::span<const user_ref> over, const step_caller& step) {
    return recurrence_of(along, before, over, step, nullptr);
}

std::vector<user_ref> recurrence_of(const swept_axis& along, std::span<const user_ref> before,
                                    std::span<const user_ref> over, const step_caller& step, const traced* operation) {
    const source_line where = along.where;
    const std::string_view who = along.who;
    const auto device = on_device_of(over);
    const shape domain = broadcast_of(who, over, shape(), where);
    const int axis = checked_axis(who, along.axis, domain.rank(), domain, where);
    check_fit(who, before, with_axis(domain, axis, {}, where), "the state before is larger than what lies across the axis",
              where);
    std::vector<user_ref> operands;
    for (const user_ref& s : before)
        operands.push_back(along_axis(value(shared_node(s, where)), domain.rank() - 1 - axis, where).node());
    std::vector<user_ref> initial(before.begin(), before.end());
    const recorded_step r = record_step(who, initial, domain, step, where);
    for (std::size_t k = before.size(); k < initial.size(); ++k) operands.push_back(initial[k]);
    traced t = trace(who, r.states, r.next, r.until, most_loop_operands, false, where);
    if (operation && r.limit == 0) t = with_operation(t, over, *operation);  // a state more is not the operation's
    for (const user_ref& c : t.captured) operands.push_back(shared_node(c, where));
    check_room(who, operands.size(), most_loop_operands, where);
    constexpr std::string_view larger = "what the step reads is larger than what it runs along";
    check_fit(who, operands, domain, larger, where);
    check_fit(who, r.next, domain, larger, where);
    std::vector<user_ref> behind;
    for (std::size_t k = 0; k < initial.size(); ++k)
        behind.push_back(
            record_recurrence(t.step, static_cast<std::uint16_t>(k), operands, domain, axis, along.backward, where));
    return told(r, std::move(behind), where);
}

}  // namespace frit::v0::detail
