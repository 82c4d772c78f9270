// The chain along a row is bound by the latency of its op: there is nothing that an instruction set would make faster.
#include "src/cpu/running.hpp"

#include <cstring>
#include <type_traits>

#include "fusion/ir/reduction_rule.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

/// Integers wrap.
template <class T>
using arithmetic = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, std::make_unsigned<T>,
                                               std::type_identity<T>>::type;

template <class T, class Combine, bool exclusive>
void chain(void* d, const void* a, void* state, std::int64_t n) {
    T* const to = static_cast<T*>(d);
    const T* const from = static_cast<const T*>(a);
    T before = *static_cast<const T*>(state);
    for (std::int64_t k = 0; k < n; ++k) {
        const T now = Combine()(before, from[k]);
        to[k] = exclusive ? before : now;
        before = now;
    }
    *static_cast<T*>(state) = before;
}

struct add {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_same_v<T, bool>)
            return a || b;
        else
            return static_cast<T>(arithmetic<T>(a) + arithmetic<T>(b));
    }
};
struct multiply {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_same_v<T, bool>)
            return a && b;
        else
            return static_cast<T>(arithmetic<T>(a) * arithmetic<T>(b));
    }
};
// A NaN stays, as in the table's maximum and minimum: a's by the test, b's because no comparison with it holds.
struct maximum {
    template <class T>
    T operator()(T a, T b) const {
        return a > b || a != a ? a : b;
    }
};
struct minimum {
    template <class T>
    T operator()(T a, T b) const {
        return a < b || a != a ? a : b;
    }
};

template <class T, class Combine>
running_loops::chain_loop chain_of(bool exclusive) {
    return exclusive ? chain<T, Combine, true> : chain<T, Combine, false>;
}

}  // namespace

running_loops::running_loops(op running, dtype type, const isa_table& table)
    : chain(nullptr), exclusive(scan_of(running).exclusive), size(size_of(type)) {
    const op of = scan_of(running).running;
    with_type(type, [&]<class T>() {
        switch (of) {
            case op::sum: chain = chain_of<T, add>(exclusive); break;
            case op::prod: chain = chain_of<T, multiply>(exclusive); break;
            case op::max: chain = chain_of<T, maximum>(exclusive); break;
            default: chain = chain_of<T, minimum>(exclusive); break;
        }
    });
    const fusion::reduction_rule& rule = fusion::running_rule(running, type);
    combine = table.elementwise[static_cast<int>(rule.combine.steps.back().code)][index_of(type)][0];
    copy = table.copy[index_of(type)][0];
    start = rule.identity[0];
}

void running_loops::begin(std::byte* states, std::int64_t n) const {
    for (std::int64_t k = 0; k < n; ++k) std::memcpy(states + static_cast<std::size_t>(k) * size, &start, size);
}

void running_loops::across(std::byte* d, const std::byte* a, std::byte* states, std::int64_t lanes, std::int64_t n) const {
    const std::size_t line = static_cast<std::size_t>(lanes) * size;
    const std::byte* before = states;
    for (std::int64_t k = 0; k < n; k += lanes, d += line, a += line) {
        if (exclusive) {  // d may be a
            combine(states + line, states, a, nullptr, lanes);
            copy(d, states, nullptr, nullptr, lanes);
            copy(states, states + line, nullptr, nullptr, lanes);
        } else {
            combine(d, before, a, nullptr, lanes);
            before = d;
        }
    }
    if (before != states) copy(states, before, nullptr, nullptr, lanes);
}

}  // namespace frit::v0::detail
