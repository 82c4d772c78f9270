// Equations and inverses by LU factors: LAPACK's getrf, of the column-major matrix that a row-major one is, its transpose.
// So b and x, row-major, are solved in the place of x: a^T = P L U gives x^T = b^T U^-1 L^-1 P^T. On a GPU up to 32 rows are
// a kernel's of our own, of the matrix itself, so that it may find another pivot to be 0. A matrix with NaN or infinity is
// kept from them all: whether elimination ends with numbers, with NaN or without a pivot is then a matter of its order.
#include <array>

#include "src/libraries/matrices.hpp"
#include "src/libraries/small_matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view problem = "is singular";
constexpr std::size_t solution = 0, status = 1;  // the results of solve_ex

const shape* shape_of_ex(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape* const x = shape_of_solution(0, operands, made);
    return !x || static_cast<std::size_t>(result) == solution ? x : shape_behind_batch(*operands[0], {}, made);
}

constexpr int not_finite = -1;  // in the place of what getrf says

/// Scratch memory of one task: the factors of a matrix, the rows that were exchanged, and what getrf said.
template <class T>
struct solve_scratch {
    T* factors;
    int *pivots, *info;
    solve_scratch(memory_parts& from, std::int64_t n)
        : factors(from.take<T>(n * n)), pivots(from.take<int>(n)), info(from.take<int>(1)) {}
};

template <class T>
std::size_t bytes_of_a_task(std::int64_t n) {
    memory_parts parts(nullptr);
    (void)solve_scratch<T>(parts, n);
    return parts.used();
}

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return with_lapack_type(
        a.type, [&]<class T>(T) { return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(a.rows)); });
}

/// x (n x k, row-major), which is b, becomes the solution.
template <class T>
void solve_in_place(const lapack<T>& by, const solve_scratch<T>& a, std::int64_t n, std::int64_t k, T* x) {
    const int columns = static_cast<int>(k), rows = static_cast<int>(n);
    if (n * k == 0) return;  // beside a status; BLAS calls 0 an illegal leading dimension
    if (k == 1) return by.getrs_transposed(rows, columns, a.factors, a.pivots, x);  // which lies as LAPACK has it
    by.trsm_right('U', 'N', 'N', columns, rows, a.factors, rows, x);
    by.trsm_right('L', 'N', 'U', columns, rows, a.factors, rows, x);
    for (std::int64_t i = n; i-- > 0;)
        if (const std::int64_t other = a.pivots[i] - 1; other != i)
            std::swap_ranges(x + i * k, x + (i + 1) * k, x + other * k);
}

template <bool ex>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    const std::int64_t n = a.rows, k = b.columns;
    const double cost =
        matrix_cost(a.type, static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n + 3 * k) / 3);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(n), cost, at.workspace, problem,
                        [&](std::int64_t i, std::byte* scratch, bool is_first) {
                            memory_parts parts(scratch);
                            const solve_scratch<T> s(parts, n);
                            const T* const matrix = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            if (is_first || !a.is_repeated(i)) {
                                copy_matrix(a, matrix, s.factors);
                                const int side = static_cast<int>(n);
                                *s.info = n == 0                         ? 0
                                          : !is_finite_matrix(a, matrix) ? not_finite
                                                                         : by.getrf(side, side, s.factors, s.pivots);
                            }
                            if (ex && at.results[status])
                                static_cast<std::int64_t*>(at.results[status])[i] = std::max(*s.info, 0);
                            if (ex && !at.results[solution]) return true;
                            T* const x = static_cast<T*>(at.results[solution]) + i * n * k;
                            if (*s.info != 0) {
                                std::fill_n(x, n * k, not_a_number<T>());
                                return ex || *s.info == not_finite;
                            }
                            copy_matrix(b, static_cast<const T*>(at.operands[1]) + b.offset(i), x);
                            solve_in_place(by, s, n, k, x);
                            return true;
                        });
    });
}

// --- equations on a GPU ---

bool is_small(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return cuda::solves_small(a.rows);
}
cuda::small_kernel kernel_of(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    return cuda::small_solve(a.type, a.rows, b.columns);
}

void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (is_small(c))
        require_small(on, kernel_of(c));
    else
        require_solver(on, c);
}

/// What a call takes of its workspace: the factors of one matrix, and its right sides column after column.
struct gpu_memory {
    int *info, *others;
    std::int64_t* pivots;
    void *factors, *sides;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::int64_t k, std::size_t bytes)
        : info(from.take<int>(batch_size(a.of->extents))),
          others(from.take<int>(1)),
          pivots(from.take<std::int64_t>(a.rows)),
          factors(from.take(a.type, a.rows * a.rows)),
          sides(from.take(a.type, a.rows * k)),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t solver_bytes(cuda::libraries& on, const matrix_operand& a) {
    return a.rows == 0 ? 0 : on.factors.getrf_bytes(a.type, a.rows, a.rows);  // without rows there still is a status
}

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (is_small(c)) return sizeof(std::uint64_t);  // the first matrix that is singular
    if (!cuda::solver::found()) return 0;
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, b.columns, solver_bytes(on, a));
    return parts.used();
}

// The factors are those of the transpose, as it lies there.
gpu_memory solve_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    const std::int64_t n = a.rows, k = b.columns;
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, a, k, solver_bytes(on, a));
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        if (a.is_repeated(i)) {
            copy_status(on, m.info + i - 1, m.info + i);
        } else if (n == 0) {
            fill_bytes(on, m.info + i, 0, sizeof(int));
        } else {
            place_matrix(on, a, behind(at.operands[0], a.type, a.offset(i)), m.factors);
            on.factors.getrf(a.type, n, n, m.factors, m.pivots, m.work, m.info + i);
        }
        if (!at.results[solution] || n * k == 0) continue;
        place_matrix(on, b.transposed(), behind(at.operands[1], a.type, b.offset(i)), m.sides);
        on.factors.getrs_transposed(a.type, n, k, m.factors, m.pivots, m.sides, m.others);
        on.products.copy_matrix(a.type, k, n, m.sides, n, cuda::blas::turn::transposed,
                                behind(at.results[solution], a.type, i * n * k));
    }
    return m;
}
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    if (!is_small(c)) return watch_matrices(on, c, at, solve_on_gpu(on, c, at).info, problem);
    auto* const first = static_cast<std::uint64_t*>(at.workspace);
    fill_bytes(on, first, 0xff, sizeof *first);
    solve_small(on, kernel_of(c), c, at, {at.results[solution], nullptr, first});
    watch_first_matrix(on, c, at, first, problem);
}
void run_on_gpu_with_status(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    if (is_small(c))
        solve_small(on, kernel_of(c), c, at,
                    {at.results[solution], static_cast<std::int64_t*>(at.results[status]), nullptr});
    else
        store_status(on, solve_on_gpu(on, c, at).info, batch_size(c.operands[0].extents), at.results[status]);
}

// --- inverses ---

template <class T>
struct inverse_scratch {
    int* pivots;
    lapack_scratch<T> work;
    inverse_scratch(memory_parts& from, std::int64_t n, const lapack_scratch_sizes& sizes)
        : pivots(from.take<int>(n)), work(from.take<T>(sizes)) {}
};
template <class T>
std::size_t bytes_of_an_inverse(std::int64_t n, const lapack_scratch_sizes& sizes) {
    memory_parts parts(nullptr);
    (void)inverse_scratch<T>(parts, n, sizes);
    return parts.used();
}

std::size_t workspace_of_inverse(const fusion::library_call& c) {
    const lapack_library* const library = find_lapack();
    const matrix_operand a(c.operands[0]);
    if (!library || !lapack_counts(c, false) || a.rows == 0) return 0;
    return with_lapack_type(a.type, [&]<class T>(T) {
        const lapack_scratch_sizes sizes = library->of<T>().getri_sizes(static_cast<int>(a.rows));
        return batch_workspace(batch_size(a.of->extents), bytes_of_an_inverse<T>(a.rows, sizes));
    });
}

void run_inverse(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const double n = static_cast<double>(a.rows);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        const int rows = static_cast<int>(a.rows);
        const lapack_scratch_sizes sizes = by.getri_sizes(rows);
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_an_inverse<T>(a.rows, sizes), matrix_cost(a.type, n * n * n),
                        at.workspace, problem, [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const inverse_scratch<T> s(parts, a.rows, sizes);
                            const T* const matrix = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            T* const to = static_cast<T*>(at.results[0]) + i * a.rows * a.rows;
                            if (!is_finite_matrix(a, matrix)) {
                                std::fill_n(to, a.rows * a.rows, not_a_number<T>());
                                return true;
                            }
                            copy_matrix(a, matrix, to);
                            return by.getrf(rows, rows, to, s.pivots) == 0 && by.getri(rows, to, s.pivots, s.work) == 0;
                        });
    });
}

/// On a GPU, where no kernel of our own solves it. One matrix for a batch of right sides stays one.
fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target& t) {
    const std::int64_t n = g.extents(operands[0])[-1];
    if (t.device != fusion::target::kind::cuda || n == 0 || cuda::solves_small(n)) return fusion::no_value;
    const fusion::value_id matrices = shown_matrices(g, operands[0]);
    const fusion::value_id chosen = identity_unless(g, are_finite(g, matrices, 2), matrices);
    const std::array given{g.broadcast(chosen, g.values[operands[0]].extents), operands[1]};
    const fusion::value_id result = g.add_library(code, routine_of(code), given);
    if (code == op::solve_status) return result;
    const int axes_behind = g.extents(operands[1]).rank() == 1 ? 1 : 2;  // of a vector for all of them
    return nan_unless(g, are_finite(g, matrices, axes_behind), result);
}

/// On a GPU: what solves a x = 1.
fusion::value_id solution_for_identity(fusion::graph& g, op, std::span<const fusion::value_id> operands,
                                       const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    const std::array equation{operands[0], identity_like(g, operands[0])};
    const fusion::value_id x = formula(g, op::solve, equation, t);
    return x != fusion::no_value ? x : g.add_library(op::solve, routine_of(op::solve), equation);
}

}  // namespace

namespace libraries {
extern const library_routine solve, solve_ex, inverse;
const library_routine solve{
    {.name = "solve", .results = 1, .shape_of = shape_of_solution, .misfit = needs_an_equation, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_on_cpu<false>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
// Where the status is not 0, nothing is specified on a GPU.
const library_routine solve_ex{
    {.name = "solve_ex", .results = 2, .shape_of = shape_of_ex, .misfit = needs_an_equation, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_on_cpu<true>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu_with_status},
};
const library_routine inverse{
    {.name = "inv", .results = 1, .shape_of = shape_of_square, .misfit = needs_square_matrices, .reads = reads_matrices},
    solution_for_identity,
    nullptr,
    {.require = require_lapack, .workspace = workspace_of_inverse, .run = run_inverse},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
