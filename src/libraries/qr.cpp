// QR factors: LAPACK's geqrf and orgqr, of a copy that lies in columns. (gelqf and orglq would find them in a row-major
// matrix as it lies, and took a third longer for 512 x 512 float64.) As GPUs have them (qr_packed, and qr_complete, with a
// square q), r is not cleared below its diagonal.
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t orthogonal = 0, triangular = 1;  // the results, as the rows of ops.def number them

template <bool complete>
const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2) return nullptr;
    const std::int64_t m = a[-2], n = a[-1], k = complete ? m : std::min(m, n);
    return static_cast<std::size_t>(result) == orthogonal ? shape_behind_batch(a, {m, k}, made)
                                                          : shape_behind_batch(a, {k, n}, made);
}

template <class T>
struct qr_scratch {
    T *factors, *tau;
    lapack_scratch<T> work;
    qr_scratch(memory_parts& from, const matrix_operand& a, std::int64_t columns, const lapack_scratch_sizes& sizes)
        : factors(from.take<T>(a.rows * std::max(a.columns, columns))),
          tau(from.take<T>(std::min(a.rows, a.columns))),
          work(from.take<T>(sizes)) {}
};
template <class T>
std::size_t bytes_of_a_task(const matrix_operand& a, std::int64_t columns, const lapack_scratch_sizes& sizes) {
    memory_parts parts(nullptr);
    (void)qr_scratch<T>(parts, a, columns, sizes);
    return parts.used();
}
template <bool complete>
std::int64_t columns_of_q(const matrix_operand& a) {
    return complete ? a.rows : std::min(a.rows, a.columns);
}
template <class T>
lapack_scratch_sizes sizes_of(const lapack<T>& by, const matrix_operand& a, std::int64_t columns) {
    return by.qr_sizes(static_cast<int>(a.rows), static_cast<int>(a.columns), static_cast<int>(columns));
}

template <bool complete>
std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const lapack_library* const library = find_lapack();
    const matrix_operand a(c.operands[0]);
    if (!library || !lapack_counts(c, false) || a.rows == 0 || a.columns == 0) return 0;
    const std::int64_t columns = columns_of_q<complete>(a);
    return with_lapack_type(a.type, [&]<class T>(T) {
        return batch_workspace(batch_size(a.of->extents),
                               bytes_of_a_task<T>(a, columns, sizes_of(library->of<T>(), a, columns)));
    });
}

/// @param q, r  of `columns` columns and rows; null where not asked for
template <class T>
void factor(const lapack<T>& by, const matrix_operand& a, const T* from, const qr_scratch<T>& s, std::int64_t columns, T* q,
            T* r) {
    const std::int64_t m = a.rows, n = a.columns, k = std::min(m, n);
    copy_matrix(a.transposed(), from, s.factors);
    by.geqrf(static_cast<int>(m), static_cast<int>(n), s.factors, s.tau, s.work);
    if (r) {
        for_each_in_tiles(k, n, [&](std::int64_t i, std::int64_t j) { r[i * n + j] = j < i ? T() : s.factors[j * m + i]; });
        std::fill_n(r + k * n, (columns - k) * n, T());
    }
    if (!q) return;
    by.orgqr(static_cast<int>(m), static_cast<int>(columns), static_cast<int>(k), s.factors, s.tau, s.work);
    for_each_in_tiles(m, columns, [&](std::int64_t i, std::int64_t j) { q[i * columns + j] = s.factors[j * m + i]; });
}

template <bool complete>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t m = a.rows, n = a.columns, k = columns_of_q<complete>(a);
    if (k == 0) return;
    const double cost = 2 * static_cast<double>(m) * static_cast<double>(std::max(n, k)) * static_cast<double>(k);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        const lapack_scratch_sizes sizes = sizes_of(by, a, k);
        auto *const q = static_cast<T*>(at.results[orthogonal]), *const r = static_cast<T*>(at.results[triangular]);
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(a, k, sizes), matrix_cost(a.type, cost),
                        at.workspace, "has no factors", [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const qr_scratch<T> s(parts, a, k, sizes);
                            factor(by, a, static_cast<const T*>(at.operands[0]) + a.offset(i), s, k,
                                   q ? q + i * m * k : nullptr, r ? r + i * k * n : nullptr);
                            return true;
                        });
    });
}

// --- on a GPU ---

/// What a call takes of its workspace: one matrix, column after column, which becomes its factors.
struct gpu_memory {
    int* info;
    void *factors, *tau;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::int64_t k, std::size_t bytes)
        : info(from.take<int>(1)),
          factors(from.take(a.type, a.rows * std::max(a.columns, k))),
          tau(from.take(a.type, std::min(a.rows, a.columns))),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t solver_bytes(cuda::libraries& on, const matrix_operand& a, std::int64_t k) {
    return std::max(on.factors.geqrf_bytes(a.type, a.rows, a.columns),
                    on.factors.orgqr_bytes(a.type, a.rows, k, std::min(a.rows, a.columns)));
}

template <bool complete>
std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    if (!cuda::solver::found() || a.rows == 0 || a.columns == 0) return 0;
    const std::int64_t k = complete ? a.rows : std::min(a.rows, a.columns);
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, k, solver_bytes(on, a, k));
    return parts.used();
}

template <bool complete>
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t m = a.rows, n = a.columns, k = complete ? m : std::min(m, n);
    if (k == 0) return;
    memory_parts parts(at.workspace);
    const gpu_memory own(parts, a, k, solver_bytes(on, a, k));
    const auto write = [&](std::int64_t rows, std::int64_t columns, void* to) {  // of what lies there, row after row
        on.products.copy_matrix(a.type, columns, rows, own.factors, m, cuda::blas::turn::transposed, to);
    };
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        place_matrix(on, a.transposed(), behind(at.operands[0], a.type, a.offset(i)), own.factors);
        on.factors.geqrf(a.type, m, n, own.factors, own.tau, own.work, own.info);
        if (at.results[triangular]) write(k, n, behind(at.results[triangular], a.type, i * k * n));
        if (!at.results[orthogonal]) continue;
        on.factors.orgqr(a.type, m, k, std::min(m, n), own.factors, own.tau, own.work, own.info);
        write(m, k, behind(at.results[orthogonal], a.type, i * m * k));
    }
}

/// On a GPU what is below r's diagonal is cleared by whoever reads it.
fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    const library_routine& packed = routine_of(op::qr_packed_q);
    if (code == op::qr_q) return g.add_library(op::qr_packed_q, packed, operands);
    return triangle_of(g, g.add_library(op::qr_packed_r, packed, operands), linalg::upper);
}

}  // namespace

namespace libraries {
extern const library_routine qr, qr_packed, qr_complete;
const library_routine qr{
    {.name = "qr", .results = 2, .shape_of = shape_of<false>, .misfit = needs_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu<false>, .run = run_on_cpu<false>},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
const library_routine qr_packed{
    {.name = "qr", .results = 2, .shape_of = shape_of<false>, .misfit = needs_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu<false>, .run = run_on_cpu<false>},
    {.require = require_solver, .workspace = workspace_on_gpu<false>, .run = run_on_gpu<false>},
};
const library_routine qr_complete{
    {.name = "qr", .results = 2, .shape_of = shape_of<true>, .misfit = needs_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu<true>, .run = run_on_cpu<true>},
    {.require = require_solver, .workspace = workspace_on_gpu<true>, .run = run_on_gpu<true>},
};
}  // namespace libraries

}  // namespace frit::v0::detail
