// iterate: its step is recorded with states that have no values, and the loop over the operands that this leaves.
#include "frit/iterate.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "frit/device.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/steps.hpp"

namespace frit::inline v0::detail {
namespace {

/// How many rounds, as an int32: more than it holds nobody waits for.
value rounds(const user_ref& count, source_line where) {
    const dtype type = count->meant;
    if (!is_integer(type)) throw_dtype_error("iterate", "counts rounds by integers", {&type, 1}, where);
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    if (size_of(type) <= sizeof most && type != dtype::u32) return shared(cast<std::int32_t>(value(count)), where);
    return shared(cast<std::int32_t>(clip(value(count), 0, most)), where);
}

/// So many rounds of a step without loops of its own take no time that somebody would not wait for.
constexpr std::uint64_t few_rounds = 1 << 16;

}  // namespace

std::vector<user_ref> iterate_of(const user_ref& count, std::span<const user_ref> initial, const step_caller& step,
                                 source_line where) {
    const std::optional<std::uint64_t> known = number_in(count);
    return loop_of(count, initial, step, !known || *known > few_rounds, where);
}

std::vector<user_ref> loop_of(const user_ref& count, std::span<const user_ref> initial, const step_caller& step,
                              bool interruptible, source_line where) {
    const auto device = on_device_of(initial);
    std::vector<user_ref> operands{rounds(count, where).node()};
    for (const user_ref& s : initial) operands.push_back(shared_node(s, where));
    std::vector<user_ref> before{initial.begin(), initial.end()};
    const recorded_step r = record_step("iterate", before, broadcast_of("iterate", operands, shape(), where), step, where);
    if (r.until && r.until->type != dtype::bool_)
        throw_dtype_error("iterate", "ends where a bool says so", {&r.until->type, 1}, where);
    for (std::size_t k = initial.size(); k < before.size(); ++k) operands.push_back(before[k]);
    const traced t = trace("iterate", r.states, r.next, r.until, most_loop_operands - 1, interruptible, where);
    for (const user_ref& c : t.captured) operands.push_back(shared_node(c, where));
    check_room("iterate", operands.size() - 1, most_loop_operands - 1, where);
    std::vector<user_ref> all = operands;
    all.insert(all.end(), r.next.begin(), r.next.end());
    if (r.until) all.push_back(r.until);
    const shape domain = broadcast_of("iterate", all, shape(), where);
    std::vector<user_ref> after;
    for (std::size_t k = 0; k < before.size(); ++k)
        after.push_back(record_loop(t.step, static_cast<std::uint16_t>(k), operands, domain, where));
    return told(r, std::move(after), where);
}

}  // namespace frit::v0::detail
