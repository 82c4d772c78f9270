// What ops over batches of matrices share, of linear algebra: an operand's last two axes are a matrix, those in front a
// batch; results are dense. On the CPU each matrix is one thread's, whatever the batch, so its bits depend on nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frit/solve.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/lapack.hpp"
#include "src/cpu/tiles.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {

// --- what the planner asks ---

/// The axes in front of a matrix's two.
int batch_rank(const shape&);
/// How many matrices they make.
std::int64_t batch_size(const shape&);

/// The operand's batch with these axes behind it.
const shape* shape_behind_batch(const shape& of, std::initializer_list<std::int64_t> axes, fusion::shape_set& made);
const shape* shape_of_square(int result, std::span<const shape* const> operands, fusion::shape_set&);
std::string_view needs_square_matrices(std::span<const shape>);
std::string_view needs_matrices(std::span<const shape>);

/// Of an equation (..., n, n) and (n,), one vector for all matrices, or (..., n, k), with the same batch.
const shape* shape_of_solution(int result, std::span<const shape* const> operands, fusion::shape_set& made);
std::string_view needs_an_equation(std::span<const shape>);

/// A rows x columns matrix whose element (i, j) is at i * row_stride + j * column_stride, as BLAS sees it: one of its
/// strides is 1, the other one at least as long as what it strides over.
std::optional<std::array<std::int64_t, 2>> strides_of_matrix(std::int64_t rows, std::int64_t columns,
                                                             std::int64_t row_stride, std::int64_t column_stride);
/// The matrices of a batch may be any distance apart, and overlap; only backwards no library goes.
std::optional<std::vector<std::int64_t>> reads_matrices(int k, const shape&, const fusion::strided& at);

// --- formulas in the place of calls ---

/// A matrix's triangle, and zeros.
fusion::value_id triangle_of(fusion::graph&, fusion::value_id, linalg::triangle);
/// Every matrix of a value transposed: a view.
fusion::value_id with_axes_swapped(fusion::graph&, fusion::value_id);
/// What is below its diagonal, ones there, and zeros.
fusion::value_id unit_lower_of(fusion::graph&, fusion::value_id);
/// x, and ones on the diagonal, else zeros, where a mask that broadcasts to it is not true.
fusion::value_id identity_unless(fusion::graph&, fusion::value_id mask, fusion::value_id x);
/// x, and zeros where a mask that broadcasts to it is not true.
fusion::value_id zero_unless(fusion::graph&, fusion::value_id mask, fusion::value_id x);
/// Which matrices have numbers only, no NaN and no infinity: one truth for each, with so many axes of one element behind it
/// (0, 1 or 2). @param lower  of what is not above the diagonal
fusion::value_id are_finite(fusion::graph&, fusion::value_id, int axes_behind, bool lower = false);
/// The same of those without NaN.
fusion::value_id are_numbers(fusion::graph&, fusion::value_id, int axes_behind);
/// The matrices that x shows, some of them for many of its batch, or x.
fusion::value_id shown_matrices(const fusion::graph&, fusion::value_id x);
/// x, and NaN where a mask that broadcasts to it is not true.
fusion::value_id nan_unless(fusion::graph&, fusion::value_id mask, fusion::value_id x);
/// Identity matrices: of a shape and a dtype, and of a value's.
fusion::value_id identity_of(fusion::graph&, const shape&, dtype);
fusion::value_id identity_like(fusion::graph&, fusion::value_id);

// --- what the engines run ---

/// An operand's matrices: element (i, j) of one is at i * row_stride + j * column_stride. A vector is one column.
struct matrix_operand {
    dtype type;
    std::int64_t rows, columns, row_stride, column_stride;
    const fusion::call_operand* of;

    explicit matrix_operand(const fusion::call_operand&);
    /// From the operand's first element to matrix i of the batch.
    std::int64_t offset(std::int64_t i) const;
    /// Whether it is the matrix before, of a batch that is broadcast.
    bool is_repeated(std::int64_t i) const { return i > 0 && offset(i) == offset(i - 1); }
    matrix_operand transposed() const {
        matrix_operand t = *this;
        std::swap(t.rows, t.columns);
        std::swap(t.row_stride, t.column_stride);
        return t;
    }
};

/// A matrix of it, row after row, into dense memory. (Of transposed(): column after column.)
template <class T>
void copy_matrix(const matrix_operand& from, const T* a, T* to) {
    if (from.column_stride == 1)
        for (std::int64_t i = 0; i < from.rows; ++i)
            std::copy_n(a + i * from.row_stride, from.columns, to + i * from.columns);
    else
        for_each_in_tiles(from.rows, from.columns, [&](std::int64_t i, std::int64_t j) {
            to[i * from.columns + j] = a[i * from.row_stride + j * from.column_stride];
        });
}

template <class T>
bool is_finite_number(const T& x) {
    return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}
/// Numbers side by side: all are looked at, which takes less time than to ask each whether to go on.
template <class T>
bool are_finite_numbers(const T* x, std::int64_t count) {
    using real = real_of<T>;
    using bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
    constexpr bits exponent = std::bit_cast<bits>(std::numeric_limits<real>::infinity()),
                   lowest = exponent & (~exponent + 1);
    const auto* const parts = reinterpret_cast<const real*>(x);
    bits sum = 0;  // an exponent of ones alone carries into the sign
    for (std::int64_t k = 0; k < count * static_cast<std::int64_t>(sizeof(T) / sizeof(real)); ++k)
        sum |= (std::bit_cast<bits>(parts[k]) & exponent) + lowest;
    return sum <= std::numeric_limits<bits>::max() / 2;
}
template <class T>
bool is_finite_matrix(const matrix_operand& of, const T* a) {
    if (of.column_stride != 1) return is_finite_matrix(of.transposed(), a);  // one of the strides is 1
    for (std::int64_t i = 0; i < of.rows; ++i)
        if (!are_finite_numbers(a + i * of.row_stride, of.columns)) return false;
    return true;
}
template <class T>
T not_a_number() {
    return T(std::numeric_limits<real_of<T>>::quiet_NaN());
}

/// Memory handed out in parts that begin where a GPU's libraries want them to.
class memory_parts {
public:
    explicit memory_parts(void* memory) : at_(static_cast<std::byte*>(memory)) {}
    template <class T>
    T* take(std::int64_t count) {
        T* const part = reinterpret_cast<T*>(at_ + used_);
        used_ += (static_cast<std::size_t>(std::max<std::int64_t>(count, 0)) * sizeof(T) + 255) / 256 * 256;
        return part;
    }
    /// Elements of a dtype known at run time.
    void* take(dtype type, std::int64_t count) { return take<std::byte>(count * static_cast<std::int64_t>(size_of(type))); }
    /// LAPACK's.
    template <class T>
    lapack_scratch<T> take(const lapack_scratch_sizes& s) {
        T* const work = take<T>(s.work);
        auto* const real_work = take<real_of<T>>(s.real_work);
        int* const int_work = take<int>(s.int_work);
        return {work,     static_cast<int>(s.work),    real_work, static_cast<int>(s.real_work),
                int_work, static_cast<int>(s.int_work)};
    }
    /// Bytes handed out. From null on nothing is touched: so a size is found by the code that takes the parts.
    std::size_t used() const { return used_; }

private:
    std::byte* at_;
    std::size_t used_ = 0;
};

/// Scratch memory for the tasks that a batch of `count` is cut into, `bytes` each. Depends on the call alone.
std::size_t batch_workspace(std::int64_t count, std::size_t bytes);

/// @throws linalg_error: of the call's matrices the first that `problem` is true of
[[noreturn]] void throw_unsolvable(const fusion::library_call&, std::int64_t matrix, std::string_view problem);

/// Calls solve(i, scratch) for every matrix of the batch, shared out among the pool; false: it has no result. A third
/// argument is true where nothing of the batch has used this scratch memory yet: else it is as solve(i - 1, ...) left it.
/// @param bytes  of scratch memory that one call wants, of `workspace`, which is batch_workspace(count, bytes) long
/// @param nanoseconds  of one matrix on one thread
/// @throws linalg_error that says `problem` of the first matrix without a result
template <class F>
void for_each_matrix(const fusion::library_call& c, std::int64_t count, std::size_t bytes, double nanoseconds,
                     void* workspace, std::string_view problem, F solve) {
    const openblas_use one_thread_each(the_lapack(c.of->name).threads);
    const bool share = count > 1 && worth_threads(nanoseconds * static_cast<double>(count));
    const std::size_t each = (bytes + 63) / 64 * 64;
    const std::int64_t tasks = share ? static_cast<std::int64_t>(each == 0 ? std::min<std::int64_t>(count, 64)
                                                                           : batch_workspace(count, bytes) / each)
                                     : 1;
    std::atomic<std::int64_t> failed{count};
    parallel(tasks, share, [&](std::int64_t task) {
        std::byte* const scratch = static_cast<std::byte*>(workspace) + static_cast<std::size_t>(task) * each;
        const std::int64_t begin = task * count / tasks;
        for (std::int64_t i = begin; i < (task + 1) * count / tasks; ++i) {
            bool solved = false;
            if constexpr (std::is_invocable_v<F, std::int64_t, std::byte*, bool>)
                solved = solve(i, scratch, i == begin);
            else
                solved = solve(i, scratch);
            if (solved) continue;
            std::int64_t first = failed.load(std::memory_order_relaxed);
            while (i < first && !failed.compare_exchange_weak(first, i, std::memory_order_relaxed)) {
            }
        }
    });
    if (failed.load() < count) throw_unsolvable(c, failed.load(), problem);
}

/// Nanoseconds of so many multiplications of a dtype, by the library's blocked loops.
double matrix_cost(dtype, double multiplications);

/// Loads LAPACK, and sees that it can count the elements. @throws device_error, shape_error
void require_lapack(const fusion::library_call&);
/// The same for what takes scratch memory in proportion to the square of the shorter side.
void require_lapack_for_spectrum(const fusion::library_call&);
/// Whether such a call may be asked for its scratch memory.
bool lapack_counts(const fusion::library_call&, bool spectrum);

// On a GPU matrices are computed one after the other; what a routine says of each (an int, 0 where all went well) is looked
// at when the host waits for the device anyway.

/// Queues a copy of a matrix, row after row, into dense memory. (Of transposed(): column after column.)
void place_matrix(cuda::libraries&, const matrix_operand&, const void* from, void* to);
/// Queues bytes of this value.
void fill_bytes(cuda::libraries&, void* memory, unsigned char value, std::int64_t bytes);
/// Queues a look at what was said of every matrix of the batch. The error comes at a later synchronisation.
void watch_matrices(cuda::libraries&, const fusion::library_call&, const call_memory&, const int* info,
                    std::string_view problem);
/// The same of one number, which a kernel has written: that of the first matrix without a result, or all bits set.
void watch_first_matrix(cuda::libraries&, const fusion::library_call&, const call_memory&, const std::uint64_t* first,
                        std::string_view problem);
/// Queues a copy of what was said of a matrix.
void copy_status(cuda::libraries&, const int* from, void* to);
/// Queues what was said of every matrix of the batch into int64 numbers; `to` may be null.
void store_status(cuda::libraries&, const int* info, std::int64_t count, void* to);
/// The same where nothing can go wrong.
void store_no_fault(cuda::libraries&, std::int64_t count, void* to);
/// The address so many elements behind it, of a dtype known at run time.
inline void* behind(void* p, dtype type, std::int64_t count) {
    return static_cast<std::byte*>(p) + count * static_cast<std::int64_t>(size_of(type));
}
inline const void* behind(const void* p, dtype type, std::int64_t count) {
    return static_cast<const std::byte*>(p) + count * static_cast<std::int64_t>(size_of(type));
}

/// Loads cuSOLVER and cuBLAS. @throws device_error, out_of_memory
void require_solver(cuda::libraries&, const fusion::library_call&);

/// In the place of `require` on a GPU. @throws device_error: always
void refuse_on_gpu(cuda::libraries&, const fusion::library_call&);
/// In the place of `run` behind it.
void never_on_gpu(cuda::libraries&, const fusion::library_call&, const call_memory&);

}  // namespace frit::v0::detail
