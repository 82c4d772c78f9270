// Running totals along rows: cumsum, cumprod, cummax, cummin. On the CPU with the standard library's algorithms, rows shared
// out among frit's threads; within a row the order is fixed, so the bits do not depend on them. On a GPU by the plugin
// (src/cuda/cub).
#include <algorithm>
#include <complex>
#include <concepts>
#include <numeric>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/with_type.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void refuse(const fusion::library_call& c) {
    throw dtype_error("cpu: " + std::string(name_of(c.code)) + " does not take " + std::string(name_of(c.operands[0].type)));
}

/// Calls f(first element of row, index of row) for every row; f must not throw.
template <class F>
void for_each_row(const dense_rows& c, F f) {
    struct job {
        F& f;
        std::int64_t rows, length, step;
    };
    thread_pool& pool = thread_pool::instance();
    const bool share = c.rows > 1 && worth_threads(fusion::scanned_element * static_cast<double>(c.rows * c.length));
    const std::int64_t tasks = share ? std::min<std::int64_t>(c.rows, std::int64_t{4} * pool.size()) : 1;
    job j{f, c.rows, c.length, (c.rows + tasks - 1) / tasks};
    pool.run(
        tasks,
        [](void* context, std::int64_t task) {
            job& all = *static_cast<job*>(context);
            const std::int64_t first = task * all.step, last = std::min(first + all.step, all.rows);
            for (std::int64_t row = first; row < last; ++row) all.f(row * all.length);
        },
        &j);
}

// --- running totals: from left to right, as NumPy's; `to` may be `from` ---

template <class T, class Combine>
void scan(const dense_rows& c, const void* from, void* to, Combine combine) {
    for_each_row(c, [=, length = c.length](std::int64_t first) {
        const T* x = static_cast<const T*>(from) + first;
        std::partial_sum(x, x + length, static_cast<T*>(to) + first, combine);  // its order is guaranteed
    });
}

/// By real parts, then by imaginary ones; false beside a NaN in either.
template <class T>
bool at_most(const std::complex<T>& a, const std::complex<T>& b) {
    return (a.real() < b.real() && a.imag() == a.imag() && b.imag() == b.imag()) ||
           (a.real() == b.real() && a.imag() <= b.imag());
}

/// As cumsum and cumprod of complex numbers are defined: no infinity is made of what an infinity and a NaN would be. Of
/// maxima and minima the first NaN stays, or the first of equal ones.
template <class T>
void scan_complex(const fusion::library_call& c, const void* from, void* to) {
    using C = std::complex<T>;
    const op running = library(c.code).running;
    if (running == op::sum) return scan<C>(rows_of(c), from, to, [](const C& a, const C& b) { return a + b; });
    if (running == op::max || running == op::min)
        return scan<C>(rows_of(c), from, to, [largest = running == op::max](const C& a, const C& b) {
            return a != a || (largest ? at_most(b, a) : at_most(a, b)) ? a : b;
        });
    scan<C>(rows_of(c), from, to, [](const C& a, const C& b) {
        return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    });
}

/// Integers wrap.
template <class T>
using arithmetic = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T>
void scan_arithmetic(const fusion::library_call& c, const void* from, void* to) {
    using A = arithmetic<T>;
    const dense_rows rows = rows_of(c);
    if (library(c.code).running == op::sum)
        return scan<T>(rows, from, to, [](T a, T b) { return static_cast<T>(A(a) + A(b)); });
    scan<T>(rows, from, to, [](T a, T b) { return static_cast<T>(A(a) * A(b)); });
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const void* const from = at.operands[0];
    void* const to = at.results[0];
    const dense_rows rows = rows_of(c);
    const op running = library(c.code).running;
    if ((running == op::max || running == op::min) && !is_complex(rows.type))
        return with_type(rows.type, [&]<class T>() {
            // A NaN stays, as in the table's maximum and minimum: a's by the test, b's because no comparison with it holds.
            if (running == op::max) return scan<T>(rows, from, to, [](T a, T b) { return a > b || a != a ? a : b; });
            scan<T>(rows, from, to, [](T a, T b) { return a < b || a != a ? a : b; });
        });
    switch (rows.type) {
        case dtype::i64: return scan_arithmetic<std::int64_t>(c, from, to);
        case dtype::u64: return scan_arithmetic<std::uint64_t>(c, from, to);
        case dtype::f32: return scan_arithmetic<float>(c, from, to);
        case dtype::f64: return scan_arithmetic<double>(c, from, to);
        case dtype::c64: return scan_complex<float>(c, from, to);
        case dtype::c128: return scan_complex<double>(c, from, to);
        default: refuse(c);  // sum_dtype gives no other
    }
}

// --- the plugin ---

cuda::cub_call plugin_call(const fusion::library_call& c) {
    const auto operation = [&] {
        switch (library(c.code).running) {
            case op::sum: return FRIT_CUB_CUMSUM;
            case op::prod: return FRIT_CUB_CUMPROD;
            case op::max: return FRIT_CUB_CUMMAX;
            default: return FRIT_CUB_CUMMIN;
        }
    };
    return {c.code, operation(), rows_of(c), 1};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine scan;
const library_routine scan{
    {.name = "scan", .results = 1, .shape_of = shape_along_axis, .misfit = needs_an_axis, .reads = fusion::reads_row_major},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = nullptr, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail
