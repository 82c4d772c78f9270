// iterate: its step is recorded with states that have no values, and the loop over the operands that this leaves.
#include "frit/iterate.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "frit/device.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/graph/region.hpp"

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

/// What a step gives for a state, in its dtype.
user_ref written(const user_ref& next, dtype state, source_line where) {
    const dtype given = next->meant;
    if (given == state) return next;
    if (!may_write({false, given}, state))
        throw_dtype_error("iterate", "the step gives a state what its dtype does not take without a cast",
                          std::array{state, given}, where);
    return recorded(cast(value(next), state), where).node();
}

shape broadcast(std::span<const user_ref> nodes, source_line where) {
    shape all = *nodes[0]->extents;
    for (const user_ref& n : nodes.subspan(1)) {
        const shape& other = *n->extents;
        const int rank = std::max(all.rank(), other.rank());
        std::vector<std::int64_t> extents(static_cast<std::size_t>(rank));
        for (int k = 1; k <= rank; ++k) {
            const std::int64_t a = k <= all.rank() ? all[-k] : 1, b = k <= other.rank() ? other[-k] : 1;
            if (a != b && a != 1 && b != 1)
                throw_shape_error("iterate", "states could not be broadcast together", std::array{all, other}, where);
            extents[static_cast<std::size_t>(rank - k)] = a == 1 ? b : a;
        }
        all = shape(extents, where);
    }
    return all;
}

struct step_results {
    std::vector<user_ref> states, next;
    user_ref until;
};
step_results recorded_step(std::span<const user_ref> initial, const shape& domain, const step_caller& step,
                           source_line where) {
    step_results r;
    const tracing recording;
    for (const user_ref& s : initial) r.states.push_back(parameter_of(s->meant, domain, where));
    step.call(step.step, r.states, r.next, r.until, where);
    for (std::size_t k = 0; k < r.next.size(); ++k) r.next[k] = written(r.next[k], r.states[k]->type, where);
    if (r.until && r.until->type != dtype::bool_)
        throw_dtype_error("iterate", "ends where a bool says so", {&r.until->type, 1}, where);
    return r;
}

}  // namespace

std::vector<user_ref> iterate_of(const user_ref& count, std::span<const user_ref> initial, const step_caller& step,
                                 source_line where) {
    const auto device = on_device_of(initial);
    std::vector<user_ref> operands{rounds(count, where).node()};
    for (const user_ref& s : initial) operands.push_back(shared_value(value(s), where).node());
    const step_results r = recorded_step(initial, broadcast(operands, where), step, where);
    const traced t = trace(r.states, r.next, r.until, where);
    for (const user_ref& c : t.captured) operands.push_back(shared_value(value(c), where).node());
    if (operands.size() >= max_program_length)
        throw error("iterate: states and arrays that the step reads are more than " +
                    std::to_string(max_program_length - 2) + place(where));
    std::vector<user_ref> all = operands;
    all.insert(all.end(), r.next.begin(), r.next.end());
    if (r.until) all.push_back(r.until);
    const shape domain = broadcast(all, where);
    std::vector<user_ref> after;
    for (std::size_t k = 0; k < initial.size(); ++k)
        after.push_back(record_loop(*t.step, static_cast<std::uint16_t>(k), operands, domain, where));
    return after;
}

}  // namespace frit::v0::detail
