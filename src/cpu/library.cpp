// Library ops on the CPU: products through OpenBLAS (blas.cpp), of integers by loops of our own (integer_product.cpp),
// running totals and sorts with the standard library's algorithms. Rows are shared out among frit's threads; within a row
// the order is fixed, so the bits do not depend on them.
#include <algorithm>
#include <concepts>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "frit/error.hpp"
#include "src/cpu/blas.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/integer_product.hpp"
#include "src/cpu/threads.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void refuse(const fusion::library_call& c) {
    throw dtype_error("cpu: " + std::string(name_of(c.code)) + " does not take " + std::string(name_of(c.type)));
}

/// Calls f(first element of row, index of row) for every row; f must not throw.
template <class F>
void for_each_row(const fusion::library_call& c, F f) {
    constexpr std::int64_t worth_threads = std::int64_t{1} << 15;  // elements
    struct job {
        F& f;
        std::int64_t rows, length, step;
    };
    thread_pool& pool = thread_pool::instance();
    const bool share = c.rows > 1 && c.rows * c.length >= worth_threads;
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
void scan(const fusion::library_call& c, const void* from, void* to, Combine combine) {
    for_each_row(c, [=](std::int64_t first) {
        const T* x = static_cast<const T*>(from) + first;
        std::partial_sum(x, x + c.length, static_cast<T*>(to) + first, combine);  // its order is guaranteed
    });
}

/// Integers wrap.
template <class T>
using arithmetic = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T>
void scan_arithmetic(const fusion::library_call& c, const void* from, void* to) {
    using A = arithmetic<T>;
    switch (library(c.code).running) {
        case op::sum: return scan<T>(c, from, to, [](T a, T b) { return static_cast<T>(A(a) + A(b)); });
        case op::prod: return scan<T>(c, from, to, [](T a, T b) { return static_cast<T>(A(a) * A(b)); });
        default: refuse(c);
    }
}

void scan(const fusion::library_call& c, const void* from, void* to) {
    const op running = library(c.code).running;
    if (running == op::max || running == op::min)
        return with_type(c.type, [&]<class T>() {
            // A NaN stays, as in the table's maximum and minimum: a's by the test, b's because no comparison with it holds.
            if (running == op::max) return scan<T>(c, from, to, [](T a, T b) { return a > b || a != a ? a : b; });
            scan<T>(c, from, to, [](T a, T b) { return a < b || a != a ? a : b; });
        });
    switch (c.type) {
        case dtype::i64: return scan_arithmetic<std::int64_t>(c, from, to);
        case dtype::u64: return scan_arithmetic<std::uint64_t>(c, from, to);
        case dtype::f32: return scan_arithmetic<float>(c, from, to);
        case dtype::f64: return scan_arithmetic<double>(c, from, to);
        default: refuse(c);  // sum_dtype gives no other
    }
}

// --- sorts ---

template <class T>
bool is_nan(T x) {
    return x != x;
}

/// Numbers of a row: floats are sorted by their bits, read as an integer of the same order (-0 before +0).
template <class T>
void sort_numbers(T* first, T* last) {
    if constexpr (std::floating_point<T>) {
        using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        const auto flip = [](bits b) { return b < 0 ? static_cast<bits>(b ^ std::numeric_limits<bits>::max()) : b; };
        auto* const keys = reinterpret_cast<bits*>(first);
        auto* const end = reinterpret_cast<bits*>(last);
        for (bits* k = keys; k != end; ++k) {
            bits b;
            std::memcpy(&b, k, sizeof b);
            *k = flip(b);
        }
        std::sort(keys, end);
        for (bits* k = keys; k != end; ++k) {
            const bits b = flip(*k);
            std::memcpy(k, &b, sizeof b);
        }
    } else {
        std::sort(first, last);
    }
}

template <class T>
void sort(const fusion::library_call& c, const void* from, void* to) {
    for_each_row(c, [=](std::int64_t first) {
        const T* x = static_cast<const T*>(from) + first;
        T* y = static_cast<T*>(to) + first;
        if (x != y) std::memcpy(y, x, static_cast<std::size_t>(c.length) * sizeof(T));
        sort_numbers(y, std::partition(y, y + c.length, [](T v) { return !is_nan(v); }));
    });
}

template <class T>
void argsort(const fusion::library_call& c, const void* from, void* to) {
    for_each_row(c, [=](std::int64_t first) {
        const T* x = static_cast<const T*>(from) + first;
        std::int64_t* y = static_cast<std::int64_t*>(to) + first;
        std::iota(y, y + c.length, std::int64_t{0});
        std::stable_sort(y, y + c.length,
                         [x](std::int64_t i, std::int64_t j) { return x[i] < x[j] || (is_nan(x[j]) && !is_nan(x[i])); });
    });
}

}  // namespace

void require_library(const fusion::library_call& c) {
    if (library(c.code).kind == library_kind::MATMUL && is_float(c.type)) require_blas(c);
}

void call_library(const fusion::library_call& c, std::span<const void* const> operands, void* result,
                  const isa_table& table) {
    switch (library(c.code).kind) {
        case library_kind::MATMUL:
            if (!is_float(c.type)) return integer_matmul(c, operands[0], operands[1], result, table);
            return blas_matmul(c, operands[0], operands[1], result);
        case library_kind::SCAN: return scan(c, operands[0], result);
        default: break;
    }
    const bool values = library(c.code).kind == library_kind::SORT;
    switch (c.type) {
#define FRIT_X(name, T) \
    case dtype::name: return values ? sort<T>(c, operands[0], result) : argsort<T>(c, operands[0], result);
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: refuse(c);
    }
}

}  // namespace frit::v0::detail
