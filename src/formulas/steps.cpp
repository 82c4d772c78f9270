// See steps.hpp.
#include "src/formulas/steps.hpp"

#include <algorithm>
#include <array>

#include "frit/device.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

user_ref written(std::string_view who, std::string_view wrong, const user_ref& x, dtype state, source_line where) {
    const dtype given = x->meant;
    if (given == state) return x;
    if (!may_write({false, given}, state)) throw_dtype_error(who, wrong, std::array{state, given}, where);
    return recorded(cast(value(x), state), where).node();
}

void check_room(std::string_view who, std::size_t given, std::size_t room, source_line where) {
    if (given <= room) return;
    throw too_many_operands(std::string(who) + ": states and arrays that the step reads are " + std::to_string(given) +
                            ", and there is room for " + std::to_string(room) + place(where));
}

user_ref zero_of(dtype type, source_line where) {
    return constant_of(type == dtype::bool_ ? weak_number(false) : weak_number(0), type, where);
}

shape broadcast_of(std::string_view who, std::span<const user_ref> nodes, const shape& with, source_line where) {
    shape all = with;
    for (const user_ref& n : nodes) {
        const shape& other = *n->extents;
        if (other == all || other.rank() == 0) continue;
        const int rank = std::max(all.rank(), other.rank());
        std::vector<std::int64_t> extents(static_cast<std::size_t>(rank));
        for (int k = 1; k <= rank; ++k) {
            const std::int64_t a = k <= all.rank() ? all[-k] : 1, b = k <= other.rank() ? other[-k] : 1;
            if (a != b && a != 1 && b != 1)
                throw_shape_error(who, "operands could not be broadcast together", std::array{all, other}, where);
            extents[static_cast<std::size_t>(rank - k)] = a == 1 ? b : a;
        }
        all = shape(extents, where);
    }
    return all;
}

shape with_axis(const shape& of, int axis, std::initializer_list<std::int64_t> instead, source_line where) {
    shape to;
    for (int k = 0; k < of.rank(); ++k)
        if (k != axis)
            to.push_back(of[k], where);
        else
            for (const std::int64_t n : instead) to.push_back(n, where);
    return to;
}

recorded_step record_step(std::string_view who, std::vector<user_ref>& initial, const shape& domain, const step_caller& step,
                          source_line where) {
    recorded_step r;
    tracing* const around = tracing::innermost();
    tracing recording(domain, where);
    for (const user_ref& s : initial) r.states.push_back(parameter_of(s->meant, domain, where));
    step.call(step.step, r.states, r.next, r.until, where);
    constexpr std::string_view wrong = "the step gives a state what its dtype does not take without a cast";
    for (std::size_t k = 0; k < r.next.size(); ++k) r.next[k] = written(who, wrong, r.next[k], r.states[k]->type, where);
    if (recording.endless.empty()) return r;
    user_ref met = recording.met();
    for (const met_limit& m : recording.endless) {
        met = recorded(mask_value(met) || mask_value(m.elements), where).node();
        if (m.rounds > r.limit) r.limit = m.rounds, r.function = m.function;
    }
    const user_ref before = around ? around->met() : user_ref();
    initial.push_back(before ? before : zero_of(dtype::bool_, where));
    r.states.push_back(recording.met());
    r.next.push_back(met);
    return r;
}

void tell(const met_limit& met, std::vector<user_ref>& results, source_line where) {
    if (!met.elements) return;
    if (tracing* const step = tracing::innermost()) return step->endless.push_back(met);
    const mask_value fine =
        checked(mask_value(met.elements), index_of_endless(met.function, met.rounds), met.function, where);
    for (user_ref& r : results) {
        const value zero(zero_of(r->meant, where));
        r = result(frit::where(fine, value(r), zero), where);
    }
}

std::vector<user_ref> told(const recorded_step& r, std::vector<user_ref> after, source_line where) {
    if (r.limit == 0) return after;
    const met_limit met{after.back(), r.function, r.limit};
    after.pop_back();
    tell(met, after, where);
    return after;
}

}  // namespace frit::v0::detail
