// LU factors, a = P L U: LAPACK's getrf, of a copy that lies column after column. Taken apart into three results, or packed
// as LAPACK leaves them, which is what formulas of GPUs take apart.
#include <numeric>

#include "src/libraries/matrices.hpp"

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

template <class T>
void write_permutation(const factor_scratch<T>& s, std::int64_t m, std::int64_t k, real_of<T>* to) {
    std::iota(s.rows, s.rows + m, 0);
    for (std::int64_t i = 0; i < k; ++i) std::swap(s.rows[i], s.rows[s.pivots[i] - 1]);
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
        const auto result = [&]<class U>(std::size_t which, std::int64_t offset, U*) {
            return at.results[which] ? static_cast<U*>(at.results[which]) + offset : nullptr;
        };
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(a), cost_of(a), at.workspace, "has no factors",
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const factor_scratch<T> s(parts, m, n);
                            factor(by, a, static_cast<const T*>(at.operands[0]) + a.offset(i), s.factors, s.pivots);
                            T* const none = nullptr;
                            write_triangles(s.factors, m, n, result(lower, i * m * k, none), result(upper, i * k * n, none));
                            real_of<T>* const no_real = nullptr;
                            if (auto* const to = result(permutation, i * m * m, no_real)) write_permutation(s, m, k, to);
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

}  // namespace

namespace libraries {
extern const library_routine lu, lu_packed;
const library_routine lu{
    {.name = "lu", .results = 3, .shape_of = shape_of, .misfit = needs_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
const library_routine lu_packed{
    {.name = "lu", .results = 2, .shape_of = shape_of_packed, .misfit = needs_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_packed},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
