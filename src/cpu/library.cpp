// Library ops on the CPU: products through OpenBLAS (blas.cpp), of integers by loops of our own (integer_product.cpp),
// sorts likewise (sort.cpp), running totals with the standard library's algorithms. Rows are shared out among frit's
// threads; within a row the order is fixed, so the bits do not depend on them.
#include <algorithm>
#include <concepts>
#include <numeric>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/blas.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/integer_product.hpp"
#include "src/cpu/sort.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void refuse(const fusion::library_call& c) {
    throw dtype_error("cpu: " + std::string(name_of(c.code)) + " does not take " + std::string(name_of(c.type)));
}

/// Calls f(first element of row, index of row) for every row; f must not throw.
template <class F>
void for_each_row(const fusion::library_call& c, F f) {
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

}  // namespace

void require_library(const fusion::library_call& c) {
    if (library(c.code).kind == library_kind::MATMUL && is_float(c.type)) require_blas(c);
}

std::size_t library_workspace(const fusion::library_call& c) {
    const library_kind kind = library(c.code).kind;
    return kind == library_kind::SORT || kind == library_kind::ARGSORT ? sort_workspace(c) : 0;
}

void call_library(const fusion::library_call& c, std::span<const void* const> operands, void* result, void* workspace,
                  const isa_table& table) {
    switch (library(c.code).kind) {
        case library_kind::MATMUL:
            if (!is_float(c.type)) return integer_matmul(c, operands[0], operands[1], result, table);
            return blas_matmul(c, operands[0], operands[1], result);
        case library_kind::SCAN: return scan(c, operands[0], result);
        case library_kind::SORT:
        case library_kind::ARGSORT:
            if (index_of(c.type) < 0) refuse(c);
            return sort_rows(c, operands[0], result, workspace);
    }
}

}  // namespace frit::v0::detail
