// Eigenvalues of any square matrices, and vectors where they are asked for: LAPACK's geev, of a copy that lies column after
// column. Both are complex whatever the matrix is; of a real one LAPACK gives their parts.
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t values = 0, vectors = 1;  // the results, as the rows of ops.def number them
constexpr std::string_view problem = "has no eigenvalues that were found: the iteration does not converge";

const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2 || a[-1] != a[-2]) return nullptr;
    return static_cast<std::size_t>(result) == vectors ? &a : shape_behind_batch(a, {a[-1]}, made);
}

template <class T>
struct eig_scratch {
    T *matrix, *w, *w_imag, *right = nullptr;
    lapack_scratch<T> work;
    eig_scratch(memory_parts& from, bool with_vectors, std::int64_t n, const lapack_scratch_sizes& sizes)
        : matrix(from.take<T>(n * n)), w(from.take<T>(n)), w_imag(from.take<T>(n)), work(from.take<T>(sizes)) {
        if (with_vectors) right = from.take<T>(n * n);
    }
};
template <class T>
std::size_t bytes_of_a_task(bool with_vectors, std::int64_t n, const lapack_scratch_sizes& sizes) {
    memory_parts parts(nullptr);
    (void)eig_scratch<T>(parts, with_vectors, n, sizes);
    return parts.used();
}

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const lapack_library* const library = find_lapack();
    const matrix_operand a(c.operands[0]);
    if (!library || !lapack_counts(c, true) || a.rows == 0) return 0;
    return with_lapack_type(a.type, [&]<class T>(T) {
        const bool asked = c.results[vectors].asked;
        const lapack_scratch_sizes sizes = library->of<T>().geev_sizes(asked, static_cast<int>(a.rows));
        return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(asked, a.rows, sizes));
    });
}

template <class T>
void write_values(const eig_scratch<T>& s, std::int64_t n, std::complex<real_of<T>>* to) {
    for (std::int64_t k = 0; k < n; ++k)
        if constexpr (std::is_same_v<T, real_of<T>>)
            to[k] = {s.w[k], s.w_imag[k]};
        else
            to[k] = s.w[k];
}

template <class T>
void write_vectors(const eig_scratch<T>& s, std::int64_t n, std::complex<real_of<T>>* to) {
    for (std::int64_t k = 0; k < n; ++k) {
        const T* const column = s.right + k * n;
        if constexpr (std::is_same_v<T, real_of<T>>) {
            const bool pair = s.w_imag[k] != 0 && k + 1 < n;  // of conjugate ones: real parts, then imaginary ones
            for (std::int64_t i = 0; i < n; ++i) {
                to[i * n + k] = {column[i], pair ? column[n + i] : T()};
                if (pair) to[i * n + k + 1] = {column[i], -column[n + i]};
            }
            if (pair) ++k;
        } else {
            for (std::int64_t i = 0; i < n; ++i) to[i * n + k] = column[i];
        }
    }
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows;
    const double cubed = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    with_lapack_type(a.type, [&]<class T>(T) {
        using result = std::complex<real_of<T>>;
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        auto *const w = static_cast<result*>(at.results[values]), *const v = static_cast<result*>(at.results[vectors]);
        const lapack_scratch_sizes sizes = by.geev_sizes(v, static_cast<int>(n));
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(v, n, sizes),
                        matrix_cost(a.type, (v ? 13 : 5) * cubed), at.workspace, problem,
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const eig_scratch<T> s(parts, v, n, sizes);
                            const T* const matrix = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            if (!is_finite_matrix(a, matrix)) {
                                if (w) std::fill_n(w + i * n, n, not_a_number<result>());
                                if (v) std::fill_n(v + i * n * n, n * n, not_a_number<result>());
                                return true;
                            }
                            copy_matrix(a.transposed(), matrix, s.matrix);
                            if (by.geev(static_cast<int>(n), s.matrix, s.w, s.w_imag, s.right, s.work) != 0) return false;
                            if (w) write_values(s, n, w + i * n);
                            if (v) write_vectors(s, n, v + i * n * n);
                            return true;
                        });
    });
}

}  // namespace

namespace libraries {
extern const library_routine eig;
const library_routine eig{
    {.name = "eig", .results = 2, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
