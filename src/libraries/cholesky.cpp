// Cholesky factors: LAPACK's potrf. A row-major matrix is a column-major one's transpose, so the lower triangle is LAPACK's
// upper one, and a = L L^H is found in the place of the result, without a copy. OpenBLAS takes longer for the upper one of a
// matrix that is not large (float64: 15 us and 10 of 64 x 64, 2.0 ms and 1.5 of 512 x 512, the same of 1024 x 1024); such
// matrices are turned round before and after, and so they are on a GPU, where cuSOLVER takes nearly three times as long
// (4096 float32 on an H200: 4.24 ms, 1.52 for the lower), with a status as without, so that a factor's bits do not depend on
// that.
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view problem = "is not positive definite";

bool is_quicker_by_columns(std::int64_t n) { return n <= 512; }

/// The lower triangle of a, in rows or in columns; what is above it stays as it is.
template <class T>
void copy_lower(const matrix_operand& a, const T* from, bool by_columns, T* to) {
    const std::int64_t n = a.rows;
    if (by_columns)
        for_each_of_triangle(
            n, true, [&](std::int64_t j, std::int64_t i) { to[i + j * n] = from[i * a.row_stride + j * a.column_stride]; });
    else
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j) to[i * n + j] = from[i * a.row_stride + j * a.column_stride];
}
/// Columns of the lower triangle become rows.
template <class T>
void turn_lower(std::int64_t n, T* a) {
    for_each_of_triangle(n, false, [&](std::int64_t i, std::int64_t j) { a[i * n + j] = a[j * n + i]; });
}
template <class T>
void clear_above_diagonal(std::int64_t n, T* a) {
    for (std::int64_t i = 0; i < n; ++i) std::fill(a + i * n + i + 1, a + (i + 1) * n, T());
}

/// Of a matrix that is not positive definite, the number of its first rows and columns that are not; else 0. One with NaN or
/// infinity is found by what is left of it: none in its triangle leaves the diagonal finite, or its root positive.
template <class T>
int factor_in_place(const lapack<T>& by, const matrix_operand& a, const T* from, bool by_columns, T* to) {
    const std::int64_t n = a.rows;
    copy_lower(a, from, by_columns, to);
    const int info = n == 0 ? 0 : by.potrf(by_columns ? 'L' : 'U', static_cast<int>(n), to);
    bool finite = info == 0;
    for (std::int64_t i = 0; finite && i < n; ++i) finite = is_finite_number(to[i * n + i]);
    if (finite) return info;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
            if (!is_finite_number(from[i * a.row_stride + j * a.column_stride])) {
                std::fill_n(to, n * n, not_a_number<T>());
                return 0;
            }
    return info;
}

constexpr std::size_t factor = 0, status = 1;  // the results of cholesky_ex

const shape* shape_of_ex(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    if (!shape_of_square(0, operands, made)) return nullptr;
    return static_cast<std::size_t>(result) == factor ? operands[0] : shape_behind_batch(*operands[0], {}, made);
}

/// The factors of a task's matrix, where they are no result.
std::size_t bytes_beside_status(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return c.results[factor].asked ? 0 : static_cast<std::size_t>(a.rows * a.rows) * size_of(a.type);
}
std::size_t workspace_of_ex(const fusion::library_call& c) {
    return batch_workspace(batch_size(c.operands[0].extents), bytes_beside_status(c));
}

/// @tparam by_rows  the factors lie in rows, else in columns
template <bool ex, bool by_rows = true>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t size = a.rows * a.rows;
    const double n = static_cast<double>(a.rows);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(a.of->extents), ex ? bytes_beside_status(c) : 0, matrix_cost(a.type, n * n * n / 6),
                        at.workspace, problem, [&](std::int64_t i, std::byte* scratch) {
                            T* const to = at.results[factor] ? static_cast<T*>(at.results[factor]) + i * size
                                                             : reinterpret_cast<T*>(scratch);
                            const bool by_columns = !by_rows || is_quicker_by_columns(a.rows);
                            const auto* const from = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            const int info = factor_in_place(by, a, from, by_columns, to);
                            if (by_rows && by_columns) turn_lower(a.rows, to);
                            if (by_rows) clear_above_diagonal(a.rows, to);
                            if (!ex) return info == 0;
                            if (at.results[status]) static_cast<std::int64_t*>(at.results[status])[i] = info;
                            return true;
                        });
    });
}

// --- on a GPU ---

/// What a call takes of its workspace.
struct gpu_memory {
    int* info;
    void* factor;  ///< of one matrix, where that is no result
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::size_t bytes)
        : info(from.take<int>(batch_size(a.of->extents))),
          factor(from.take(a.type, a.rows * a.rows)),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t solver_bytes(cuda::libraries& on, const matrix_operand& a) {
    return a.rows == 0 ? 0 : on.factors.potrf_bytes(a.type, a.rows);  // without rows there still is a status
}

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (!cuda::solver::found()) return 0;
    const matrix_operand a(c.operands[0]);
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, solver_bytes(on, a));
    return parts.used();
}

/// The factor lies in columns.
gpu_memory factor_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, a, solver_bytes(on, a));
    fill_bytes(on, m.info, 0, batch_size(a.of->extents) * static_cast<std::int64_t>(sizeof(int)));
    for (std::int64_t i = 0; i < batch_size(a.of->extents) && a.rows > 0; ++i) {
        void* const to = at.results[factor] ? behind(at.results[factor], a.type, i * a.rows * a.rows) : m.factor;
        place_matrix(on, a.transposed(), behind(at.operands[0], a.type, a.offset(i)), to);
        on.factors.potrf_lower(a.type, a.rows, to, m.work, m.info + i);
    }
    return m;
}
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    watch_matrices(on, c, at, factor_on_gpu(on, c, at).info, problem);
}
void run_on_gpu_with_status(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    store_status(on, factor_on_gpu(on, c, at).info, batch_size(c.operands[0].extents), at.results[status]);
}

/// On a GPU the factor is turned round, and what is above the diagonal cleared, by whoever reads it.
fusion::value_id formula(fusion::graph& g, op, std::span<const fusion::value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    // One with NaN or infinity might be called not positive definite.
    const fusion::value_id finite = are_finite(g, operands[0], 2, true);
    const fusion::value_id packed = g.add_library(op::cholesky_packed, routine_of(op::cholesky_packed),
                                                  std::array{identity_unless(g, finite, operands[0])});
    return triangle_of(g, nan_unless(g, finite, with_axes_swapped(g, packed)), linalg::lower);
}

// Column after column. Reached by formulas alone, which know the shapes and dtypes of results.
const library_routine cholesky_ex_packed{
    {.name = "cholesky_ex", .results = 2, .shape_of = nullptr, .misfit = nullptr, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_of_ex, .run = run_on_cpu<true, false>},
    {.require = require_solver, .workspace = workspace_on_gpu, .run = run_on_gpu_with_status},
};
fusion::value_id formula_of_ex(fusion::graph& g, op code, std::span<const fusion::value_id> operands,
                               const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    const shape of = g.extents(operands[0]);
    const fusion::value_id finite = are_finite(g, operands[0], 2, true);
    const std::array given{identity_unless(g, finite, operands[0])};
    if (code == op::cholesky_status)
        return g.add_call({&cholesky_ex_packed, status}, dtype::i64, *shape_behind_batch(of, {}, *g.shapes), given);
    const fusion::value_id packed = g.add_call({&cholesky_ex_packed, factor}, g.values[operands[0]].type, of, given);
    return nan_unless(g, finite, with_axes_swapped(g, packed));
}

}  // namespace

namespace libraries {
extern const library_routine cholesky, cholesky_packed, cholesky_ex;
const library_routine cholesky{
    {.name = "cholesky",
     .results = 1,
     .shape_of = shape_of_square,
     .misfit = needs_square_matrices,
     .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu<false>},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
// Column after column; what is above the diagonal is not specified.
const library_routine cholesky_packed{
    {.name = "cholesky",
     .results = 1,
     .shape_of = shape_of_square,
     .misfit = needs_square_matrices,
     .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu<false, false>},
    {.require = require_solver, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
// What is above the diagonal is not specified on a GPU, and nothing where the status is not 0.
const library_routine cholesky_ex{
    {.name = "cholesky_ex", .results = 2, .shape_of = shape_of_ex, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula_of_ex,
    nullptr,
    {.require = require_lapack, .workspace = workspace_of_ex, .run = run_on_cpu<true>},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
