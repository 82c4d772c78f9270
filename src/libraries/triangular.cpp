// Equations with triangular matrices: BLAS's trsm, in the place of the result. Row-major matrices are column-major ones'
// transposes: a x = b is x^T a^T = b^T, where lower is upper.
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view problem = "is singular: there is a 0 on its diagonal";

bool is_lower(op code) { return code == op::solve_lower || code == op::solve_lower_unchecked; }

template <class T>
bool has_zero_on_diagonal(const matrix_operand& a, const T* at) {
    for (std::int64_t k = 0; k < a.rows; ++k)
        if (at[k * (a.row_stride + a.column_stride)] == T()) return true;
    return false;
}

template <bool checked>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    const bool by_rows = a.column_stride == 1, lower = is_lower(c.code);
    const double n = static_cast<double>(b.rows), k = static_cast<double>(b.columns);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(a.of->extents), 0, matrix_cost(a.type, n * n * k / 2), nullptr, problem,
                        [&](std::int64_t i, std::byte*) {
                            const T* const matrix = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            T* const to = static_cast<T*>(at.results[0]) + i * b.rows * b.columns;
                            if (checked && has_zero_on_diagonal(a, matrix)) return false;
                            copy_matrix(b, static_cast<const T*>(at.operands[1]) + b.offset(i), to);
                            const std::int64_t ld = std::max<std::int64_t>(by_rows ? a.row_stride : a.column_stride, a.rows);
                            by.trsm_right(lower == by_rows ? 'U' : 'L', by_rows ? 'N' : 'T', 'N',
                                          static_cast<int>(b.columns), static_cast<int>(b.rows), matrix,
                                          static_cast<int>(ld), to);
                            return true;
                        });
    });
}

void require_on_gpu(cuda::libraries& on, const fusion::library_call&) { on.products.require(); }

/// Nobody looks at the diagonal there: a 0 gives infinities and NaN.
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]), b(c.operands[1]);
    const bool by_rows = a.column_stride == 1, lower = is_lower(c.code);
    const std::int64_t ld = std::max<std::int64_t>(by_rows ? a.row_stride : a.column_stride, a.rows);
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        void* const x = behind(at.results[0], a.type, i * b.rows * b.columns);
        place_matrix(on, b, behind(at.operands[1], b.type, b.offset(i)), x);
        on.products.solve_triangle(a.type, lower == by_rows, by_rows ? cuda::blas::turn::none : cuda::blas::turn::transposed,
                                   b.columns, b.rows, behind(at.operands[0], a.type, a.offset(i)), ld, x);
    }
}

}  // namespace

namespace libraries {
extern const library_routine triangular, triangular_unchecked;
const library_routine triangular{
    {.name = "solve_triangular",
     .results = 1,
     .shape_of = shape_of_solution,
     .misfit = needs_an_equation,
     .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu<true>},
    {.require = require_on_gpu, .workspace = nullptr, .run = run_on_gpu},
};
// A 0 on a diagonal gives infinities and NaN.
const library_routine triangular_unchecked{
    {.name = "solve_triangular_ex",
     .results = 1,
     .shape_of = shape_of_solution,
     .misfit = needs_an_equation,
     .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack, .workspace = nullptr, .run = run_on_cpu<false>},
    {.require = require_on_gpu, .workspace = nullptr, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
