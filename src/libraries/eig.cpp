// Eigenvalues of any square matrices, with vectors (eig) or alone (eigvals): LAPACK's geev, of a copy that lies column after
// column. Both are complex whatever the matrix is; of a real one LAPACK gives their parts. On a GPU cuSOLVER's geev leaves
// vectors as LAPACK does, and formulas take them apart. geev finds the values in another order where it is asked for no
// vectors, so eig asks for them even where its values alone are wanted: v's columns may be computed later.
#include <type_traits>

#include "frit/index.hpp"
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t values = 0, vectors = 1;  // the results, as the rows of ops.def number them
constexpr std::string_view problem = "has no eigenvalues that were found: the iteration does not converge";

bool has_vectors(const fusion::library_call& c) { return c.of->results > 1; }

const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2 || a[-1] != a[-2]) return nullptr;
    return static_cast<std::size_t>(result) == vectors ? &a : shape_behind_batch(a, {a[-1]}, made);
}

// Packed, as geev leaves them: of vectors a column is a row, between two rows of zeros, so that each has a neighbour on both
// sides; of a real matrix they are real, and those of a conjugate pair are the real parts and the imaginary ones.
constexpr std::int64_t rows_around = 2;

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
        const lapack_scratch_sizes sizes = library->of<T>().geev_sizes(has_vectors(c), static_cast<int>(a.rows));
        return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(has_vectors(c), a.rows, sizes));
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

template <class T>
void write_packed(const eig_scratch<T>& s, std::int64_t n, T* to) {
    std::fill_n(to, n, T());
    std::copy_n(s.right, n * n, to + n);
    std::fill_n(to + n + n * n, n, T());
}

template <bool packed>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows;
    const double cubed = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    with_lapack_type(a.type, [&]<class T>(T) {
        using result = std::complex<real_of<T>>;
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        using element = std::conditional_t<packed, T, result>;
        auto* const w = static_cast<result*>(at.results[values]);
        const bool with_vectors = has_vectors(c);
        auto* const v = with_vectors ? static_cast<element*>(at.results[vectors]) : nullptr;
        const std::int64_t size = (packed ? n + rows_around : n) * n;
        const lapack_scratch_sizes sizes = by.geev_sizes(with_vectors, static_cast<int>(n));
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(with_vectors, n, sizes),
                        matrix_cost(a.type, (with_vectors ? 13 : 5) * cubed), at.workspace, problem,
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const eig_scratch<T> s(parts, with_vectors, n, sizes);
                            const T* const matrix = static_cast<const T*>(at.operands[0]) + a.offset(i);
                            if (!is_finite_matrix(a, matrix)) {
                                if (w) std::fill_n(w + i * n, n, not_a_number<result>());
                                if (v) std::fill_n(v + i * size, size, not_a_number<element>());
                                return true;
                            }
                            copy_matrix(a.transposed(), matrix, s.matrix);
                            if (by.geev(static_cast<int>(n), s.matrix, s.w, s.w_imag, s.right, s.work) != 0) return false;
                            if (w) write_values(s, n, w + i * n);
                            if constexpr (packed) {
                                if (v) write_packed(s, n, v + i * size);
                            } else {
                                if (v) write_vectors(s, n, v + i * size);
                            }
                            return true;
                        });
    });
}

// --- on a GPU ---

/// What a call takes of its workspace.
struct gpu_memory {
    int* info;
    void *matrix, *w, *v;  ///< v: null where there are none, or those that are asked for
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const fusion::library_call& c, const matrix_operand& a, std::size_t bytes)
        : info(from.take<int>(batch_size(a.of->extents))),
          matrix(from.take(a.type, a.rows * a.rows)),
          w(from.take(complex_dtype(a.type), a.rows)),
          v(has_vectors(c) && !c.results[vectors].asked ? from.take(a.type, a.rows * a.rows) : nullptr),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    on.factors.require_geev(c.of->name);
    on.products.require();
}

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    if (a.rows == 0 || !cuda::solver::has_geev()) return 0;
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, c, a, on.factors.geev_bytes(a.type, has_vectors(c), a.rows));
    return parts.used();
}

void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows, size = (n + rows_around) * n, count = batch_size(a.of->extents);
    if (n == 0 || count == 0) return;
    const dtype value_type = complex_dtype(a.type);
    void* const v = has_vectors(c) ? at.results[vectors] : nullptr;
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, c, a, on.factors.geev_bytes(a.type, has_vectors(c), n));
    if (v) fill_bytes(on, v, 0, count * size * static_cast<std::int64_t>(size_of(a.type)));
    for (std::int64_t i = 0; i < count; ++i) {
        place_matrix(on, a.transposed(), behind(at.operands[0], a.type, a.offset(i)), m.matrix);
        void* const w = at.results[values] ? behind(at.results[values], value_type, i * n) : m.w;
        on.factors.geev(a.type, n, m.matrix, w, v ? behind(v, a.type, i * size + n) : m.v, m.work, m.info + i);
    }
    watch_matrices(on, c, at, m.info, problem);
}

// Column after column; of vectors see rows_around. Reached by formulas alone, which know the shapes and dtypes of results.
const library_routine eig_packed{
    {.name = "eig", .results = 2, .shape_of = nullptr, .misfit = nullptr, .reads = reads_matrices},
    nullptr,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu<true>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};

using fusion::graph;
using fusion::value_id;

value_id part_of(graph& g, op which, value_id x) { return g.add_raw(which, real_dtype(g.values[x].type), std::array{x}); }

/// As many rows of packed vectors as there are vectors, from this one on.
value_id rows_of(graph& g, value_id packed, std::int64_t from, std::int64_t n) {
    const index part[] = {frit::ellipsis, slice(from, from + n), all};
    return g.add_view(packed, index_attribute(g.extents(packed), part, unknown_line));
}

/// Packed vectors as complex ones, still as rows, of a real matrix with these eigenvalues' imaginary parts: of a pair the
/// first one has the positive part, and the vectors' real and imaginary parts lie one after the other.
value_id made_of_pairs(graph& g, value_id packed, value_id imaginary, std::int64_t n) {
    const value_id own = rows_of(g, packed, 1, n), above = rows_of(g, packed, 0, n), below = rows_of(g, packed, 2, n);
    const shape* const extents = g.values[own].extents;
    const axes one(-1);
    const value_id column = g.add_view(imaginary, expand_dims_attribute(g.extents(imaginary), one, unknown_line));
    const value_id zero = g.broadcast(g.add_cast(g.add_constant(dtype::f64, 0), g.values[own].type), extents);
    const value_id sign = g.broadcast(column, extents);
    const value_id first = g.add_op(op::gt, std::array{sign, zero}), second = g.add_op(op::lt, std::array{sign, zero});
    const value_id minus_own = g.add_op(op::neg, std::array{own});
    return g.add_op(op::complex, std::array{g.add_selection(second, above, own),
                                            g.add_selection(first, below, g.add_selection(second, minus_own, zero))});
}

/// On a GPU a matrix with NaN or infinity is kept from cuSOLVER, which does not say what it does with one.
value_id formula(graph& g, op code, std::span<const value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    const value_id a = operands[0];
    const shape of = g.extents(a);
    const dtype type = g.values[a].type;
    const std::int64_t n = of[-1];
    const shape* const rows = shape_behind_batch(of, {n + rows_around, n}, *g.shapes);
    if (!rows) return fusion::no_value;
    const value_id given[] = {zero_unless(g, are_finite(g, a, 2), a)};
    const value_id w = code == op::eigvals ? g.add_library(code, routine_of(code), given)
                                           : g.add_call({&eig_packed, values}, complex_dtype(type),
                                                        *shape_behind_batch(of, {n}, *g.shapes), given);
    if (code != op::eig_vectors) return nan_unless(g, are_finite(g, a, 1), w);
    const value_id packed = g.add_call({&eig_packed, vectors}, type, *rows, given);
    const value_id v = is_complex(type) ? rows_of(g, packed, 1, n) : made_of_pairs(g, packed, part_of(g, op::imag, w), n);
    return with_axes_swapped(g, nan_unless(g, are_finite(g, a, 2), v));
}

}  // namespace

namespace libraries {
extern const library_routine eig, eigvals;
const library_routine eigvals{
    {.name = "eigvals", .results = 1, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu<false>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
const library_routine eig{
    {.name = "eig", .results = 2, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu<false>},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
