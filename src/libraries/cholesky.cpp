// Cholesky factors: LAPACK's potrf. A row-major matrix is a column-major one's transpose, so the lower triangle is LAPACK's
// upper one, and a = L L^H is found in the place of the result, without a copy.
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view problem = "is not positive definite";

/// The lower triangle of a, and zeros.
template <class T>
void copy_lower(const matrix_operand& a, const T* from, T* to) {
    const std::int64_t n = a.rows;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j <= i; ++j) to[i * n + j] = from[i * a.row_stride + j * a.column_stride];
        std::fill(to + i * n + i + 1, to + (i + 1) * n, T());
    }
}

template <class T>
bool factor_in_place(const lapack<T>& by, int n, T* a) {
    bool finite = true;
    for (std::int64_t k = 0; k < std::int64_t{n} * n; ++k) finite = finite && is_finite_number(a[k]);
    if (finite) return by.potrf_upper(n, a) == 0;
    for (std::int64_t i = 0; i < n; ++i) std::fill_n(a + i * n, i + 1, not_a_number<T>());
    return true;
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const double n = static_cast<double>(a.rows);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(c.operands[0].extents), 0, matrix_cost(a.type, n * n * n / 6), nullptr, problem,
                        [&](std::int64_t i, std::byte*) {
                            T* const to = static_cast<T*>(at.results[0]) + i * a.rows * a.columns;
                            copy_lower(a, static_cast<const T*>(at.operands[0]) + a.offset(i), to);
                            return factor_in_place(by, static_cast<int>(a.rows), to);
                        });
    });
}

// --- on a GPU ---

/// What a call takes of its workspace.
struct gpu_memory {
    int* info;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::size_t bytes)
        : info(from.take<int>(batch_size(a.of->extents))),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (!cuda::solver::found()) return 0;
    const matrix_operand a(c.operands[0]);
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, on.factors.potrf_bytes(a.type, a.rows));
    return parts.used();
}

void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, a, on.factors.potrf_bytes(a.type, a.rows));
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        void* const to = behind(at.results[0], a.type, i * a.rows * a.rows);
        place_matrix(on, a, behind(at.operands[0], a.type, a.offset(i)), to);
        on.factors.potrf_upper(a.type, a.rows, to, m.work, m.info + i);
    }
    watch_matrices(on, c, at, m.info, problem);
}

/// On a GPU what is above the diagonal is cleared by whoever reads it.
fusion::value_id formula(fusion::graph& g, op, std::span<const fusion::value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    return triangle_of(g, g.add_library(op::cholesky_packed, routine_of(op::cholesky_packed), operands), linalg::lower);
}

}  // namespace

namespace libraries {
extern const library_routine cholesky, cholesky_packed;
const library_routine cholesky{
    {.name = "cholesky",
     .results = 1,
     .shape_of = shape_of_square,
     .misfit = needs_square_matrices,
     .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
// What is above the diagonal is not specified.
const library_routine cholesky_packed{
    {.name = "cholesky",
     .results = 1,
     .shape_of = shape_of_square,
     .misfit = needs_square_matrices,
     .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu},
    {.require = require_solver, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
