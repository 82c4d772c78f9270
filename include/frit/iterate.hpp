// Loops inside kernels: a state for each element, replaced round after round, until a number of rounds has passed or the
// element says that it is done. The step is an ordinary function of arrays, called once, when the loop is recorded: what it
// does with its states becomes the body of a loop in the kernel, and what does not depend on them is computed before it.
// The loop fuses with what stands around it, on every engine, and nothing is unrolled.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/create.hpp"
#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

/// @cond
namespace detail {

/// Calls a step with states that have no values, and its condition, which may be null.
struct step_caller {
    const void* step;
    void (*call)(const void* step, std::span<const user_ref> states, std::vector<user_ref>& next, user_ref& until,
                 source_line);
};
/// The states after the loop. @param count  a number of rounds for each element, of any integer dtype
FRIT_API std::vector<user_ref> iterate_of(const user_ref& count, std::span<const user_ref> initial, const step_caller&,
                                          source_line);

/// The loop goes through all its rounds.
struct all_rounds {
    template <class... S>
    bool operator()(const S&...) const = delete;
};

/// A state as its step sees it: an array, of a C++ number's type where it begins as one.
template <class S>
struct loop_state {
    using type = array<S>;
};
template <operand S>
struct loop_state<S> {
    using type = holder_t<S>;
};
template <class S>
using loop_state_t = typename loop_state<std::remove_cvref_t<S>>::type;

template <operand_or_scalar S>
user_ref state_node(const S& x, source_line where) {
    if constexpr (operand<S>)
        return node_of(x, where);
    else
        return node_of(frit::scalar(x, where), where);
}
/// What a step gives for a state: a number in the state's dtype.
template <operand_or_scalar E>
user_ref next_node(const E& x, dtype state, source_line where) {
    if constexpr (operand<E>)
        return node_of(x, where);
    else
        return constant_of(weak_number(x), state, where);
}

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};

template <class States, class Step, class Until>
struct traced_step;
template <class... S, class Step, class Until>
struct traced_step<std::tuple<S...>, Step, Until> {
    const Step& step;
    const Until& until;

    static void call(const void* self, std::span<const user_ref> states, std::vector<user_ref>& next, user_ref& until,
                     source_line where) {
        static_cast<const traced_step*>(self)->run(states, next, until, where, std::index_sequence_for<S...>{});
    }

private:
    template <std::size_t... K>
    void run(std::span<const user_ref> states, std::vector<user_ref>& next, user_ref& done, source_line where,
             std::index_sequence<K...>) const {
        const std::tuple<loop_state_t<S>...> parts(loop_state_t<S>(handle_ref(states[K].get()))...);
        const auto results = [&] {
            using result = decltype(std::apply(step, parts));
            if constexpr (is_tuple<result>::value)
                return std::apply(step, parts);
            else
                return std::tuple<result>(std::apply(step, parts));
        }();
        static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(results)>> == sizeof...(S),
                      "frit: a step of iterate or scan_along gives as many values as it has states");
        (next.push_back(next_node(std::get<K>(results), states[K]->type, where)), ...);
        if constexpr (!std::same_as<Until, all_rounds>) done = node_of(std::apply(until, parts), where);
    }
};

template <class C>
concept round_count = std::integral<C> || operand<C>;

/// More than an int32 holds nobody waits for.
template <std::integral C>
constexpr std::int32_t rounds_of(C count) {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    if (count < C{1}) return 0;
    return static_cast<std::uint64_t>(count) > std::uint64_t{most} ? most : static_cast<std::int32_t>(count);
}

template <round_count C>
user_ref count_node(const C& count, source_line where) {
    if constexpr (operand<C>)
        return node_of(count, where);
    else
        return constant_of(weak_number(rounds_of(count)), dtype::i32, where);
}

}  // namespace detail
/// @endcond

/// While `until` of its states is false, and for at most `count` rounds, each element's states become `step` of them.
///
/// The states are arrays (or recipes, or C++ numbers) that broadcast together; each keeps its dtype, into which what the
/// step gives for it is written as into an array. `step` takes as many arrays as there are states, and returns a std::tuple
/// of as many; `until` takes the same and returns one bool for each element. Both may use other arrays, which broadcast with
/// the states, and may do with the states what is done element by element: operators, functions, comparisons, `where`,
/// casts. Numbers in them, and `count`, may differ from call to call without anything being compiled anew. (Of an array of
/// counts, and of one above 65,536, the kernel on a CPU is another: interrupt() ends it.)
/// @param count  an integer, or an array of integers: rounds for each element; less than 1 is none
/// @param states  before the first round
/// @param step  the states before a round -> those behind it
/// @param until  the states -> whether an element is done; without it all rounds are gone through
/// @param where  of the call, for errors
/// @returns a std::tuple of the states after the last round
/// @throws error for a step that reads its states as a whole, dtype_error for a count that is no integer, a condition that
/// is no bool and a state that does not hold what the step gives, shape_error where shapes do not broadcast
///
/// ```cpp
/// const frit::array<double> re{0, 1, -0.5}, im{0, 1, 0.5};
/// const auto step = [&](const auto& x, const auto& y, const auto& n) {
///     return std::tuple(x * x - y * y + re, 2.0 * x * y + im, n + 1);
/// };
/// const auto far = [](const auto& x, const auto& y, const auto&) { return x * x + y * y > 4.0; };
/// const auto [x, y, n] = frit::iterate(100, std::tuple(0.0, 0.0, 0), step, far);
/// std::cout << n << '\n';
/// ```
/// ```text
/// [100   2 100]
/// ```
template <detail::round_count C, class... S, class Step, class Until = detail::all_rounds>
requires(detail::operand_or_scalar<S>&&...) &&
    (sizeof...(S) > 0) auto iterate(const C& count, const std::tuple<S...>& states, const Step& step,
                                    const Until& until = {}, source_line where = {}) {
    const std::vector<detail::user_ref> initial =
        std::apply([&](const auto&... s) { return std::vector{detail::state_node(s, where)...}; }, states);
    const detail::traced_step<std::tuple<S...>, Step, Until> traced{step, until};
    const auto after = detail::iterate_of(detail::count_node(count, where), initial, {&traced, traced.call}, where);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple(detail::loop_state_t<S>(detail::handle_ref(after[K].get()))...);
    }
    (std::index_sequence_for<S...>{});
}

/// The same of one state: `step` returns its next value, and the result is no tuple.
///
/// ```cpp
/// const frit::array<double> a{2, 9, 100};
/// const auto root = frit::iterate(50, a, [&](const auto& x) { return (x + a / x) / 2; },
///                                 [&](const auto& x) { return abs(x * x - a) < 1e-12 * a; });
/// std::cout << root << '\n';
/// ```
/// ```text
/// [ 1.41421356  3.         10.        ]
/// ```
template <detail::round_count C, detail::operand S, class Step, class Until = detail::all_rounds>
auto iterate(const C& count, const S& state, const Step& step, const Until& until = {}, source_line where = {}) {
    const detail::user_ref initial = detail::state_node(state, where);
    const detail::traced_step<std::tuple<S>, Step, Until> traced{step, until};
    const auto after = detail::iterate_of(detail::count_node(count, where), {&initial, 1}, {&traced, traced.call}, where);
    return composed<detail::operand_t<S>::type>(after[0]);
}

}  // namespace frit::v0
