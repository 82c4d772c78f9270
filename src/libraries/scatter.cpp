// Values put at, or combined with, elements of an array: `base` with value k at element number k, in the order of the
// values, so that the bits depend on the indices alone. On the CPU every task has a range of the elements and goes through
// all values; float32 numbers are added up and multiplied in double, so that many small ones on one element are not lost. On
// a GPU by the plugin (src/cuda/cub).
#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/with_type.hpp"
#include "src/cuda/cub.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t base = 0, elements = 1, values = 2;  // the operands

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
template <class T>
using sum_of = typename wider<T>::type;
template <class T>
constexpr bool widens = !std::is_same_v<sum_of<T>, T>;

template <op Code, class T>
T combined(T a, T b) {
    if constexpr (Code == op::scatter_set) {
        return b;
    } else if constexpr (std::is_same_v<T, bool>) {
        return Code == op::scatter_add || Code == op::scatter_max ? a || b : a && b;
    } else if constexpr (Code == op::scatter_add || Code == op::scatter_mul) {
        if constexpr (std::is_integral_v<T>) {  // wraps
            using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
            return static_cast<T>(Code == op::scatter_add ? U(a) + U(b) : U(a) * U(b));
        } else {
            return Code == op::scatter_add ? a + b : a * b;
        }
    } else {
        // NaN stays, and +0 is above -0: so the order does not matter
        if constexpr (std::is_floating_point_v<T>)
            if (a == b) return (Code == op::scatter_max) == std::signbit(a) ? b : a;
        const bool first = Code == op::scatter_max ? a > b : a < b;
        return first || a != a ? a : b;
    }
}

/// Index is int32 where that is enough.
template <class Index>
struct job {
    const Index* at;
    const void* values;
    void* to;
    void* sums;  ///< of elements in the wider dtype; null: there are none
    std::int64_t count, size;
};

template <op Code, class T, class Index>
void put(const job<Index>& j, std::int64_t first, std::int64_t last) {
    const T* const from = static_cast<const T*>(j.values);
    T* const to = static_cast<T*>(j.to);
    for (std::int64_t k = 0; k < j.count; ++k)
        if (const std::int64_t at = j.at[k]; at >= first && at < last) to[at] = combined<Code>(to[at], from[k]);
}
/// The same by way of the wider dtype.
template <op Code, class T, class Index>
void put_wide(const job<Index>& j, std::int64_t first, std::int64_t last) {
    using W = sum_of<T>;
    const T* const from = static_cast<const T*>(j.values);
    T* const to = static_cast<T*>(j.to);
    W* const sums = static_cast<W*>(j.sums);
    const bool few =
        j.count < (last - first) / 8;  // then only the elements that are named, and again for each of its values
    const auto each_named = [&](const auto& f) {
        for (std::int64_t k = 0; k < j.count; ++k)
            if (const std::int64_t at = j.at[k]; at >= first && at < last) f(at, k);
    };
    const auto each = [&](const auto& f) {
        if (few) return each_named(f);
        for (std::int64_t k = first; k < last; ++k) f(k, k);
    };
    each([&](std::int64_t at, std::int64_t) { sums[at] = W(to[at]); });
    each_named([&](std::int64_t at, std::int64_t k) { sums[at] = combined<Code>(sums[at], W(from[k])); });
    each([&](std::int64_t at, std::int64_t) { to[at] = T(sums[at]); });
}

template <op Code, class T, class Index>
void run(const job<Index>& j) {
    constexpr double put_nanoseconds = 1;  // an estimate, of a value
    const bool share = worth_threads(put_nanoseconds * static_cast<double>(j.count));
    const std::int64_t tasks = share ? std::min<std::int64_t>(thread_pool::instance().size(), j.size) : 1;
    parallel(tasks, share, [&](std::int64_t k) {
        const std::int64_t first = k * j.size / tasks, last = (k + 1) * j.size / tasks;
        if constexpr (widens<T> && (Code == op::scatter_add || Code == op::scatter_mul))
            put_wide<Code, T>(j, first, last);
        else
            put<Code, T>(j, first, last);
    });
}

template <op Code, class Index>
void run(dtype type, const job<Index>& j) {
    if (!is_complex(type)) return with_type(type, [&]<class T>() { run<Code, T>(j); });
    if constexpr (Code == op::scatter_set || Code == op::scatter_add || Code == op::scatter_mul)
        type == dtype::c64 ? run<Code, std::complex<float>>(j) : run<Code, std::complex<double>>(j);
}

bool adds_up(op code) { return code == op::scatter_add || code == op::scatter_mul; }

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const dtype type = c.operands[base].type;
    const bool wide = adds_up(c.code) && (type == dtype::f32 || type == dtype::c64);
    return wide ? 2 * size_of(type) * static_cast<std::size_t>(c.operands[base].extents.size()) : 0;
}

template <class Index>
void run(const fusion::library_call& c, const call_memory& at) {
    const job<Index> j{static_cast<const Index*>(at.operands[elements]),
                       at.operands[values],
                       at.results[0],
                       at.workspace,
                       c.operands[elements].extents.size(),
                       c.operands[base].extents.size()};
    const dtype type = c.operands[base].type;
    switch (c.code) {
        case op::scatter_set: return run<op::scatter_set>(type, j);
        case op::scatter_add: return run<op::scatter_add>(type, j);
        case op::scatter_mul: return run<op::scatter_mul>(type, j);
        case op::scatter_min: return run<op::scatter_min>(type, j);
        default: return run<op::scatter_max>(type, j);
    }
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const fusion::call_operand& from = c.operands[base];
    if (at.results[0] != at.operands[base])
        copy_in_parallel(at.results[0], at.operands[base],
                         static_cast<std::size_t>(from.extents.size()) * size_of(from.type));
    c.operands[elements].type == dtype::i32 ? run<std::int32_t>(c, at) : run<std::int64_t>(c, at);
}

/// That of the base; the statement has been checked where it was recorded.
const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set&) { return operands[base]; }
std::string_view misfit(std::span<const shape>) { return {}; }

// --- the plugin ---

cuda::scatter_call plugin_call(const fusion::library_call& c) {
    const auto operation = [&] {
        switch (c.code) {
            case op::scatter_set: return FRIT_CUB_SCATTER_SET;
            case op::scatter_add: return FRIT_CUB_SCATTER_ADD;
            case op::scatter_mul: return FRIT_CUB_SCATTER_MUL;
            case op::scatter_min: return FRIT_CUB_SCATTER_MIN;
            default: return FRIT_CUB_SCATTER_MAX;
        }
    };
    return {c.code,
            operation(),
            c.operands[base].type,
            c.operands[base].extents.size(),
            c.operands[elements].extents.size(),
            size_of(c.operands[elements].type) == 4};
}
void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) { cuda::require_cub(on.device, c.code); }
std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    return cuda::cub_workspace(on.device, plugin_call(c));
}
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    cuda::call_cub(on.device, plugin_call(c), at);
}

}  // namespace

namespace libraries {
extern const library_routine scatter;
const library_routine scatter{
    {.name = "scatter",
     .results = 1,
     .shape_of = shape_of,
     .misfit = misfit,
     .reads = fusion::reads_row_major,
     .overwrites = base},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
