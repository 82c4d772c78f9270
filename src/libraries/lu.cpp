// LU factors, a = P L U: LAPACK's getrf, of a copy that lies column after column. Taken apart into three results, or packed
// as LAPACK leaves them, which is what formulas of GPUs take apart; the order of rows that its exchanges make is a call
// there.
#include <numeric>

#include "frit/index.hpp"
#include "src/libraries/matrices.hpp"
#include "src/libraries/small_matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t permutation = 0, lower = 1, upper = 2;  // the results, as the rows of ops.def number them
constexpr std::size_t packed = 0, pivots = 1;

const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2) return nullptr;
    const std::int64_t m = a[-2], n = a[-1], k = std::min(m, n);
    switch (static_cast<std::size_t>(result)) {
        case permutation: return shape_behind_batch(a, {m, m}, made);
        case lower: return shape_behind_batch(a, {m, k}, made);
        default: return shape_behind_batch(a, {k, n}, made);
    }
}

/// Column after column, so the transpose of the packed factors; the rows that were exchanged, from 1 on.
const shape* shape_of_packed(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2) return nullptr;
    if (static_cast<std::size_t>(result) == packed) return shape_behind_batch(a, {a[-1], a[-2]}, made);
    return shape_behind_batch(a, {std::min(a[-1], a[-2])}, made);
}

template <class T>
struct factor_scratch {
    T* factors;
    int* pivots;
    std::int64_t* rows;  ///< row i of L U is this one of a
    factor_scratch(memory_parts& from, std::int64_t m, std::int64_t n)
        : factors(from.take<T>(m * n)), pivots(from.take<int>(std::min(m, n))), rows(from.take<std::int64_t>(m)) {}
};
template <class T>
std::size_t bytes_of_a_task(const matrix_operand& a) {
    memory_parts parts(nullptr);
    (void)factor_scratch<T>(parts, a.rows, a.columns);
    return parts.used();
}

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return with_lapack_type(a.type,
                            [&]<class T>(T) { return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(a)); });
}

template <class T>
void factor(const lapack<T>& by, const matrix_operand& a, const T* from, T* factors, int* exchanged) {
    copy_matrix(a.transposed(), from, factors);
    if (a.rows > 0 && a.columns > 0) by.getrf(static_cast<int>(a.rows), static_cast<int>(a.columns), factors, exchanged);
}

/// What exchanges, numbered from 1 on, make of the order of rows.
template <class I>
void order(const I* exchanged, std::int64_t k, std::int64_t* rows, std::int64_t m) {
    std::iota(rows, rows + m, 0);
    for (std::int64_t i = 0; i < k; ++i) std::swap(rows[i], rows[exchanged[i] - 1]);
}

template <class T>
void write_permutation(const factor_scratch<T>& s, std::int64_t m, std::int64_t k, real_of<T>* to) {
    order(s.pivots, k, s.rows, m);
    std::fill_n(to, m * m, real_of<T>());
    for (std::int64_t i = 0; i < m; ++i) to[s.rows[i] * m + i] = 1;
}

template <class T>
void write_triangles(const T* factors, std::int64_t m, std::int64_t n, T* to_lower, T* to_upper) {
    const std::int64_t k = std::min(m, n);
    if (to_lower)
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < k; ++j) to_lower[i * k + j] = i > j ? factors[i + j * m] : T(i == j ? 1 : 0);
    if (to_upper)
        for (std::int64_t i = 0; i < k; ++i)
            for (std::int64_t j = 0; j < n; ++j) to_upper[i * n + j] = i <= j ? factors[i + j * m] : T();
}

double cost_of(const matrix_operand& a) {
    const double m = static_cast<double>(a.rows), n = static_cast<double>(a.columns), k = std::min(m, n);
    return matrix_cost(a.type, m * n * k - (m + n) * k * k / 2 + k * k * k / 3);
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t m = a.rows, n = a.columns, k = std::min(m, n);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        const auto result = [&](std::size_t which, std::int64_t offset) {
            return at.results[which] ? static_cast<T*>(at.results[which]) + offset : nullptr;
        };
        auto* const p = static_cast<real_of<T>*>(at.results[permutation]);
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(a), cost_of(a), at.workspace, "has no factors",
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const factor_scratch<T> s(parts, m, n);
                            factor(by, a, static_cast<const T*>(at.operands[0]) + a.offset(i), s.factors, s.pivots);
                            write_triangles(s.factors, m, n, result(lower, i * m * k), result(upper, i * k * n));
                            if (p) write_permutation(s, m, k, p + i * m * m);
                            return true;
                        });
    });
}

void run_packed(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t m = a.rows, n = a.columns, k = std::min(m, n);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(a), cost_of(a), at.workspace, "has no factors",
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const factor_scratch<T> s(parts, m, n);
                            factor(by, a, static_cast<const T*>(at.operands[0]) + a.offset(i), s.factors, s.pivots);
                            if (at.results[packed])
                                std::copy_n(s.factors, m * n, static_cast<T*>(at.results[packed]) + i * m * n);
                            if (at.results[pivots])
                                std::copy_n(s.pivots, k, static_cast<std::int64_t*>(at.results[pivots]) + i * k);
                            return true;
                        });
    });
}

// --- on a GPU ---

/// What a call takes of its workspace, and what is in the place of results that nobody asks for.
struct gpu_memory {
    int* info;
    void* packed;
    std::int64_t* pivots;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::size_t bytes)
        : info(from.take<int>(1)),
          packed(from.take(a.type, a.rows * a.columns)),
          pivots(from.take<std::int64_t>(std::min(a.rows, a.columns))),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    if (!cuda::solver::found() || a.rows == 0 || a.columns == 0) return 0;
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, on.factors.getrf_bytes(a.type, a.rows, a.columns));
    return parts.used();
}

/// A singular matrix has factors too, so nobody looks at what the routine says.
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t m = a.rows, n = a.columns;
    if (m == 0 || n == 0) return;
    memory_parts parts(at.workspace);
    const gpu_memory own(parts, a, on.factors.getrf_bytes(a.type, m, n));
    auto* const to_pivots = static_cast<std::int64_t*>(at.results[pivots]);
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        void* const to = at.results[packed] ? behind(at.results[packed], a.type, i * m * n) : own.packed;
        place_matrix(on, a.transposed(), behind(at.operands[0], a.type, a.offset(i)), to);
        on.factors.getrf(a.type, m, n, to, to_pivots ? to_pivots + i * std::min(m, n) : own.pivots, own.work, own.info);
    }
}

// --- the order of rows: of pivots (..., k) which row each of (..., m) was ---

void order_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const std::int64_t m = c.results[0].extents[-1], k = c.operands[0].extents[-1];
    if (m == 0) return;
    const auto* const exchanged = static_cast<const std::int64_t*>(at.operands[0]);
    auto* const rows = static_cast<std::int64_t*>(at.results[0]);
    for (std::int64_t i = 0; i < c.results[0].extents.size() / m; ++i) order(exchanged + i * k, k, rows + i * m, m);
}

void require_order(cuda::libraries& on, const fusion::library_call&) { require_small(on, cuda::row_order()); }
void order_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const std::int64_t m = c.results[0].extents[-1], size = c.results[0].extents.size();
    if (size == 0) return;
    order_rows(on, at, static_cast<const std::int64_t*>(at.operands[0]), static_cast<std::int64_t*>(at.results[0]), m,
               c.operands[0].extents[-1], size / m);
}

// Reached by formulas alone, which know the shape of the result.
const library_routine row_order{
    {.name = "lu", .results = 1, .shape_of = nullptr, .misfit = nullptr, .reads = fusion::reads_row_major},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = nullptr, .run = order_on_cpu},
    {.require = require_order, .workspace = nullptr, .run = order_on_gpu},
};

/// P has in each column the number 1 in the row that the order names.
fusion::value_id permutation_of(fusion::graph& g, fusion::value_id exchanged, const shape& of, dtype type) {
    const std::int64_t m = of[-2];
    const shape* const square = shape_behind_batch(of, {m, m}, *g.shapes);
    const fusion::value_id rows =
        g.add_call({&row_order, 0}, dtype::i64, *shape_behind_batch(of, {m}, *g.shapes), std::array{exchanged});
    const axes before_last(-2);
    const fusion::value_id beside = g.add_view(rows, expand_dims_attribute(g.extents(rows), before_last, unknown_line));
    const fusion::value_id row = g.add_coord(dtype::i64, coord_attribute(*square, square->rank() - 2));
    return g.add_cast(g.add_op(op::eq, std::array{row, g.broadcast(beside, square)}), real_dtype(type));
}

/// On a GPU the factors are taken out of the packed ones by whoever reads them. cuSOLVER makes numbers of NaN, so the upper
/// one of a matrix with it is NaN by the formula.
fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    if (code == op::lu_permutation)
        return permutation_of(g, g.add_library(op::lu_pivots, routine_of(op::lu_packed), operands), g.extents(operands[0]),
                              g.values[operands[0]].type);
    const fusion::value_id by_columns = g.add_library(op::lu_packed, routine_of(op::lu_packed), operands);
    const shape of = g.extents(by_columns);
    const fusion::value_id both = with_axes_swapped(g, by_columns);
    const std::int64_t k = std::min(of[-1], of[-2]);
    const index rows[] = {frit::ellipsis, slice(0, k), all}, columns[] = {frit::ellipsis, slice(0, k)};
    const std::span<const index> which = code == op::lu_upper ? std::span<const index>(rows) : columns;
    const fusion::value_id part = g.add_view(both, index_attribute(g.extents(both), which, unknown_line));
    if (code != op::lu_upper) return unit_lower_of(g, part);
    return triangle_of(g, nan_unless(g, are_numbers(g, operands[0], 2), part), linalg::upper);
}

}  // namespace

namespace libraries {
extern const library_routine lu, lu_packed;
const library_routine lu{
    {.name = "lu", .results = 3, .shape_of = shape_of, .misfit = needs_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
const library_routine lu_packed{
    {.name = "lu", .results = 2, .shape_of = shape_of_packed, .misfit = needs_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_packed},
    {.require = require_solver, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
