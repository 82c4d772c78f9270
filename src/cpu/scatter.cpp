// See scatter.hpp. Where elements are many, every thread has a range of them and goes through all values, which pays as long
// as finding an element in memory takes longer than passing a value by; where values are many and elements few, every share
// of the values has elements of its own, which are combined at the end. Otherwise one thread does it.
#include "src/cpu/scatter.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <type_traits>

#include "fusion/machine/cost_model.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::int64_t shares = 16;

/// What values are combined in: the next wider floating dtype.
template <class T>
struct wider {
    using type = T;
};
template <>
struct wider<float> {
    using type = double;
};
template <>
struct wider<std::complex<float>> {
    using type = std::complex<double>;
};

constexpr bool adds_up(op code) { return code == op::scatter_add || code == op::scatter_mul; }
template <op Code, class T>
using sum_of = std::conditional_t<adds_up(Code), typename wider<T>::type, T>;

/// Without a branch: values come in any order.
template <op Code, class T>
T combined(T a, T b) {
    if constexpr (Code == op::scatter_set) {
        return b;
    } else if constexpr (std::is_same_v<T, bool>) {
        return Code == op::scatter_add || Code == op::scatter_max ? a | b : a & b;
    } else if constexpr (adds_up(Code)) {
        if constexpr (std::is_integral_v<T>) {  // wraps
            using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
            return static_cast<T>(Code == op::scatter_add ? U(a) + U(b) : U(a) * U(b));
        } else {
            return Code == op::scatter_add ? a + b : a * b;
        }
    } else {
        constexpr bool largest = Code == op::scatter_max;
        bool second = largest ? b > a : b < a;
        if constexpr (std::is_floating_point_v<T>)  // NaN stays, and +0 is above -0: so the order does not matter
            second |= ((b != b) & (a == a)) | ((a == b) & (std::signbit(b) != largest));
        return second ? b : a;
    }
}

/// What changes nothing where it is combined with; of an extremum any element that is combined anyway.
template <op Code, class W>
W neutral(W element) {
    if constexpr (Code != op::scatter_add || std::is_same_v<W, bool>)
        return Code == op::scatter_add ? W(false) : element;
    else if constexpr (std::is_integral_v<W>)
        return 0;
    else if constexpr (std::is_floating_point_v<W>)
        return -W(0);
    else
        return W(-typename W::value_type(0), -typename W::value_type(0));
}

/// Index is int32 where that is enough.
template <class T, class Index>
struct job {
    const Index* at;
    const T* values;
    std::int64_t step;  ///< from value to value: 0 or 1
    T* to;
    void* room;
    std::int64_t count, size;
};

/// Calls f with how far apart a job's values lie, as a constant.
template <class T, class Index, class F>
void with_step(const job<T, Index>& j, const F& f) {
    j.step == 0 ? f(std::integral_constant<std::int64_t, 0>()) : f(std::integral_constant<std::int64_t, 1>());
}

/// Combines elements of `sums` with the values of [begin, end).
template <op Code, class W, class T, class Index>
void combine_all(const job<T, Index>& j, std::int64_t begin, std::int64_t end, W* sums) {
    with_step(j, [&](auto step) {
        for (std::int64_t k = begin; k < end; ++k) {
            W& x = sums[j.at[k]];
            x = combined<Code>(x, W(j.values[k * step]));
        }
    });
}
/// The same of shares [first, first + Side), whose elements lie one behind the other in `sums`: values of one share side by
/// side with those of others, since an element that comes again at once has to be waited for.
template <op Code, std::int64_t Side, class W, class T, class Index>
void combine_shares(const job<T, Index>& j, std::int64_t first, W* sums) {
    const auto begin = [&](std::int64_t share) { return (first + share) * j.count / shares; };
    std::int64_t at[Side];
    for (std::int64_t s = 0; s < Side; ++s) at[s] = begin(s);
    const std::int64_t n = j.count / shares;  // some have one more
    with_step(j, [&](auto step) {
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t s = 0; s < Side; ++s) {
                W& x = sums[s * j.size + j.at[at[s] + k]];
                x = combined<Code>(x, W(j.values[(at[s] + k) * step]));
            }
    });
    for (std::int64_t s = 0; s < Side; ++s) combine_all<Code>(j, at[s] + n, begin(s + 1), sums + s * j.size);
}
/// The same of elements [first, last); what belongs elsewhere goes to one of a few others, so that nothing is guessed.
template <op Code, class W, class T, class Index>
void combine_range(const job<T, Index>& j, std::int64_t first, std::int64_t last, W* sums) {
    constexpr std::size_t most = 16;
    W others[most] = {};
    const auto address = [](W* x) { return reinterpret_cast<std::uintptr_t>(x); };
    for (std::int64_t k = 0; k < j.count; ++k) {
        const std::int64_t at = j.at[k];
        const auto mine = -static_cast<std::uintptr_t>((at >= first) & (at < last));  // a select that stays one
        W* const x = reinterpret_cast<W*>((address(sums + at) & mine) |
                                          (address(others + static_cast<std::size_t>(k) % most) & ~mine));
        *x = combined<Code>(*x, W(j.values[k * j.step]));
    }
}

template <op Code, class T, class Index>
void by_range(const job<T, Index>& j, std::int64_t first, std::int64_t last) {
    using W = sum_of<Code, T>;
    const bool whole = first == 0 && last == j.size;
    const auto combine = [&](auto* sums) {
        whole ? combine_all<Code>(j, 0, j.count, sums) : combine_range<Code>(j, first, last, sums);
    };
    if constexpr (std::is_same_v<W, T>) {
        combine(j.to);
    } else {
        W* const sums = static_cast<W*>(j.room);
        if (j.count < (last - first) / 8) {  // only the elements that are named, and again for each of its values
            const auto each = [&](const auto& f) {
                for (std::int64_t k = 0; k < j.count; ++k)
                    if (const std::int64_t at = j.at[k]; at >= first && at < last) f(at);
            };
            each([&](std::int64_t at) { sums[at] = W(j.to[at]); });
            combine(sums);
            return each([&](std::int64_t at) { j.to[at] = T(sums[at]); });
        }
        for (std::int64_t k = first; k < last; ++k) sums[k] = W(j.to[k]);
        combine(sums);
        for (std::int64_t k = first; k < last; ++k) j.to[k] = T(sums[k]);
    }
}

template <op Code, class T, class Index>
void by_share(const job<T, Index>& j, bool threads) {
    using W = sum_of<Code, T>;
    W* const room = static_cast<W*>(j.room);
    const auto share_out = [&](auto side) {
        parallel(shares / side, threads, [&](std::int64_t task) {
            W* const sums = room + task * side * j.size;
            for (std::int64_t s = 0; s < side; ++s)
                for (std::int64_t k = 0; k < j.size; ++k) sums[s * j.size + k] = neutral<Code>(W(j.to[k]));
            combine_shares<Code, side>(j, task * side, sums);
        });
    };
    constexpr std::int64_t together = 4;  // of runs on one element a third of the time, of others the same
    if (threads && thread_pool::instance().size() > 2 * shares / together)
        share_out(std::integral_constant<std::int64_t, 1>());
    else
        share_out(std::integral_constant<std::int64_t, together>());
    for (std::int64_t k = 0; k < j.size; ++k) {
        W all(j.to[k]);
        for (std::int64_t share = 0; share < shares; ++share) all = combined<Code>(all, room[share * j.size + k]);
        j.to[k] = T(all);
    }
}

bool in_shares(const cpu_scatter& s) {
    const bool any_order = s.code != op::scatter_set && s.code != op::scatter_mul;
    return any_order && s.count >= std::int64_t{1} << 16 && s.size <= s.count / (8 * shares);
}

/// Indices as numbers of elements: themselves where none is negative, else in `room`, which has place for as many.
/// @param wrong  the first that is out of range, if any is
template <class Index>
const Index* numbers_of(const Index* at, std::int64_t count, std::int64_t size, Index* room,
                        std::optional<std::int64_t>& wrong) {
    const bool threads = worth_threads(fusion::scattered_element * static_cast<double>(count));
    const std::int64_t tasks = threads ? thread_pool::instance().size() : 1;
    std::atomic<bool> negative = false, outside = false;
    const auto each = [&](const auto& f) {
        parallel(tasks, threads, [&](std::int64_t k) { f(k * count / tasks, (k + 1) * count / tasks); });
    };
    each([&](std::int64_t begin, std::int64_t end) {
        Index least = 0, most = 0;
        for (std::int64_t k = begin; k < end; ++k) least = std::min(least, at[k]), most = std::max(most, at[k]);
        if (least < 0) negative = true;
        if (least < -size || most >= size) outside = true;
    });
    if (outside) {
        const Index* const first = std::find_if(at, at + count, [&](Index i) { return i < -size || i >= size; });
        // Memory that somebody changes meanwhile: whatever stands there now, nothing is written.
        wrong = first == at + count ? size : std::int64_t{*first};
        return at;
    }
    if (!negative) return at;
    each([&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) room[k] = static_cast<Index>(at[k] < 0 ? at[k] + size : at[k]);
    });
    return room;
}

template <op Code, class T, class Index>
void run(const cpu_scatter& s, const job<T, Index>& j) {
    constexpr std::int64_t near = std::int64_t{32} << 20;  // bytes
    if constexpr (Code != op::scatter_set && Code != op::scatter_mul)
        if (in_shares(s)) return by_share<Code>(j, worth_threads(fusion::scattered_element * static_cast<double>(j.count)));
    const int pool = thread_pool::instance().size();
    const bool threads = pool >= 4 && j.size * static_cast<std::int64_t>(sizeof(T)) > near &&
                         worth_threads(fusion::passed_element * static_cast<double>(j.count));
    const std::int64_t tasks = threads ? std::min<std::int64_t>(pool, j.size) : 1;
    parallel(tasks, threads, [&](std::int64_t k) { by_range<Code>(j, k * j.size / tasks, (k + 1) * j.size / tasks); });
}

template <op Code, class Index>
void run(const cpu_scatter& s, const Index* at, const void* values, void* to, void* room) {
    const auto of = [&]<class T>() {
        run<Code>(s, job<T, Index>{at, static_cast<const T*>(values), s.one_value ? 0 : 1, static_cast<T*>(to), room,
                                   s.count, s.size});
    };
    if (!is_complex(s.type)) return with_type(s.type, of);
    if constexpr (Code == op::scatter_set || adds_up(Code))
        s.type == dtype::c64 ? of.template operator()<std::complex<float>>()
                             : of.template operator()<std::complex<double>>();
}

/// Of the workspace, in front; a multiple of any number's size.
std::size_t bytes_of_sums(const cpu_scatter& s) {
    const bool wide = adds_up(s.code) && (s.type == dtype::f32 || s.type == dtype::c64);
    const std::size_t once = size_of(s.type) * (wide ? 2 : 1) * static_cast<std::size_t>(s.size);
    return in_shares(s) ? once * shares : wide ? once : 0;
}

}  // namespace

std::size_t cpu_scatter::workspace() const {
    return bytes_of_sums(*this) + (indices ? static_cast<std::size_t>(count) * (narrow ? 4 : 8) : 0);
}

std::optional<std::int64_t> cpu_scatter::run(const void* base, const void* at, const void* values, void* to,
                                             void* room) const {
    std::optional<std::int64_t> wrong;
    const auto of = [&]<op Code, class Index>(const Index* numbers) {
        if (indices) {
            auto* const behind = reinterpret_cast<Index*>(static_cast<std::byte*>(room) + bytes_of_sums(*this));
            numbers = numbers_of(numbers, count, size, behind, wrong);
        }
        if (wrong) return;
        if (to != base) copy_in_parallel(to, base, static_cast<std::size_t>(size) * size_of(type));
        detail::run<Code>(*this, numbers, values, to, room);
    };
    const auto of_code = [&]<op Code>() {
        narrow ? of.template operator()<Code>(static_cast<const std::int32_t*>(at))
               : of.template operator()<Code>(static_cast<const std::int64_t*>(at));
    };
    switch (code) {
        case op::scatter_set: of_code.template operator()<op::scatter_set>(); break;
        case op::scatter_add: of_code.template operator()<op::scatter_add>(); break;
        case op::scatter_mul: of_code.template operator()<op::scatter_mul>(); break;
        case op::scatter_min: of_code.template operator()<op::scatter_min>(); break;
        default: of_code.template operator()<op::scatter_max>();
    }
    return wrong;
}

}  // namespace frit::v0::detail
