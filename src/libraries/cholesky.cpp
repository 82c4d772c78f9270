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

}  // namespace

namespace libraries {
extern const library_routine cholesky, cholesky_packed;
const library_routine cholesky{
    {.name = "cholesky",
     .results = 1,
     .shape_of = shape_of_square,
     .misfit = needs_square_matrices,
     .reads = reads_matrices},
    nullptr,
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
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
