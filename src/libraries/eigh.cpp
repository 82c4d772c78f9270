// Eigenvalues of symmetric (Hermitian) matrices, and vectors where they are asked for: LAPACK's syevd and heevd, of the
// column-major matrix that a row-major one is, its conjugate. They leave the vectors as columns, which are turned into rows
// in place.
#include "src/libraries/matrices.hpp"
#include "src/libraries/small_matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t values = 0, vectors = 1, status = 2;  // the results, as the rows of ops.def number them
constexpr std::string_view problem = "has no eigenvalues that were found: the iteration does not converge";

const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2 || a[-1] != a[-2]) return nullptr;
    switch (static_cast<std::size_t>(result)) {
        case values: return shape_behind_batch(a, {a[-1]}, made);
        case vectors: return &a;
        default: return shape_behind_batch(a, {}, made);
    }
}

lapack_job job_of(const fusion::library_call& c) {
    return c.results[vectors].asked ? lapack_job::vectors : lapack_job::none;
}

template <class T>
struct eigh_scratch {
    T* matrix = nullptr;
    real_of<T>* w = nullptr;
    lapack_scratch<T> work;
    eigh_scratch(memory_parts& from, const fusion::library_call& c, std::int64_t n, const lapack_scratch_sizes& sizes)
        : work(from.take<T>(sizes)) {
        if (!c.results[vectors].asked) matrix = from.take<T>(n * n);
        if (!c.results[values].asked) w = from.take<real_of<T>>(n);
    }
};
template <class T>
std::size_t bytes_of_a_task(const fusion::library_call& c, std::int64_t n, const lapack_scratch_sizes& sizes) {
    memory_parts parts(nullptr);
    (void)eigh_scratch<T>(parts, c, n, sizes);
    return parts.used();
}

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const lapack_library* const library = find_lapack();
    const matrix_operand a(c.operands[0]);
    if (!library || !lapack_counts(c, true) || a.rows == 0) return 0;
    return with_lapack_type(a.type, [&]<class T>(T) {
        const lapack_scratch_sizes sizes = library->of<T>().heevd_sizes(job_of(c), static_cast<int>(a.rows));
        return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(c, a.rows, sizes));
    });
}

template <class T>
bool is_finite_below(std::int64_t n, const T* a) {
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
            if (!is_finite_number(a[i * n + j])) return false;
    return true;
}

template <class T>
T conjugate(const T& x) {
    if constexpr (std::is_same_v<T, real_of<T>>)
        return x;
    else
        return std::conj(x);
}
template <class T>
void conjugate_and_transpose(std::int64_t n, T* a) {
    for_each_of_triangle(n, false, [&](std::int64_t i, std::int64_t j) {
        const T other = conjugate(a[j * n + i]);
        a[j * n + i] = conjugate(a[i * n + j]);
        a[i * n + j] = other;
    });
}

/// The matrix becomes its eigenvectors where `job` says so. @returns what LAPACK says: 0 where it has found them
template <class T>
int decompose(const lapack<T>& by, lapack_job job, std::int64_t n, T* matrix, real_of<T>* w, const lapack_scratch<T>& work) {
    if (!is_finite_below(n, matrix)) {
        std::fill_n(matrix, n * n, not_a_number<T>());
        std::fill_n(w, n, std::real(not_a_number<T>()));
        return 0;
    }
    const int info = by.heevd_upper(job, static_cast<int>(n), matrix, w, work);
    if (info == 0 && job == lapack_job::vectors) conjugate_and_transpose(n, matrix);
    return info;
}

template <bool ex>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows;
    auto* const said = ex ? static_cast<std::int64_t*>(at.results[status]) : nullptr;
    if (n == 0) {  // which still has a status
        if (said) std::fill_n(said, batch_size(a.of->extents), 0);
        return;
    }
    const lapack_job job = job_of(c);
    const double cubed = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        const lapack_scratch_sizes sizes = by.heevd_sizes(job, static_cast<int>(n));
        auto* const v = static_cast<T*>(at.results[vectors]);
        auto* const w = static_cast<real_of<T>*>(at.results[values]);
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(c, n, sizes),
                        matrix_cost(a.type, (v ? 5 : 1) * cubed), at.workspace, problem,
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const eigh_scratch<T> s(parts, c, n, sizes);
                            T* const matrix = v ? v + i * n * n : s.matrix;
                            copy_matrix(a, static_cast<const T*>(at.operands[0]) + a.offset(i), matrix);
                            const int info = decompose(by, job, n, matrix, w ? w + i * n : s.w, s.work);
                            if (said) said[i] = info;
                            return ex || info == 0;
                        });
    });
}

// --- on a GPU ---

bool is_small(const matrix_operand& a) { return a.rows > 0 && cuda::decomposes_small(a.type, a.rows); }
cuda::small_kernel kernel_of(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return cuda::small_eigh(a.type, a.rows, c.results[vectors].asked);
}

void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (is_small(matrix_operand(c.operands[0])))
        require_small(on, kernel_of(c));
    else
        require_solver(on, c);
}

/// What a call takes of its workspace: one matrix, which becomes its vectors.
struct gpu_memory {
    int* info;
    void *matrix, *w;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const matrix_operand& a, std::size_t bytes)
        : info(from.take<int>(batch_size(a.of->extents))),
          matrix(from.take(a.type, a.rows * a.rows)),
          w(from.take(real_dtype(a.type), a.rows)),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    if (a.rows == 0 || is_small(a) || !cuda::solver::found()) return 0;
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, a, on.factors.syevd_bytes(a.type, c.results[vectors].asked, a.rows));
    return parts.used();
}

template <bool ex>
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows;
    if (n == 0 || is_small(a)) {
        if (ex) store_no_fault(on, batch_size(a.of->extents), at.results[status]);
        if (n == 0) return;
        const small_result to[] = {{at.results[values], real_dtype(a.type), n}, {at.results[vectors], a.type, n * n}};
        return decompose_small(on, kernel_of(c), c, at, to);
    }
    const bool with_vectors = at.results[vectors];
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, a, on.factors.syevd_bytes(a.type, with_vectors, n));
    const auto turn = is_complex(a.type) ? cuda::blas::turn::adjoint : cuda::blas::turn::transposed;
    for (std::int64_t i = 0; i < batch_size(a.of->extents); ++i) {
        place_matrix(on, a, behind(at.operands[0], a.type, a.offset(i)), m.matrix);
        void* const w = at.results[values] ? behind(at.results[values], real_dtype(a.type), i * n) : m.w;
        on.factors.syevd_upper(a.type, with_vectors, n, m.matrix, w, m.work, m.info + i);
        if (with_vectors)
            on.products.copy_matrix(a.type, n, n, m.matrix, n, turn, behind(at.results[vectors], a.type, i * n * n));
    }
    if (ex)
        store_status(on, m.info, batch_size(a.of->extents), at.results[status]);
    else
        watch_matrices(on, c, at, m.info, problem);
}

/// A matrix with NaN or infinity is kept from cuSOLVER, which does not say what it does with one.
fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target& t) {
    const fusion::value_id a = operands[0];
    const std::int64_t n = g.extents(a)[-1];
    if (t.device != fusion::target::kind::cuda || n == 0 || cuda::decomposes_small(g.values[a].type, n))
        return fusion::no_value;
    const std::array given{zero_unless(g, are_finite(g, a, 2, true), a)};
    const fusion::value_id result = g.add_library(code, routine_of(code), given);
    const auto which = static_cast<std::size_t>(library(code).result);
    return which == status ? result : nan_unless(g, are_finite(g, a, which == values ? 1 : 2, true), result);
}

}  // namespace

namespace libraries {
extern const library_routine eigh, eigh_ex;
const library_routine eigh{
    {.name = "eigh", .results = 2, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu<false>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu<false>},
};
// Where the status is not 0, nothing is specified.
const library_routine eigh_ex{
    {.name = "eigh_ex", .results = 3, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu, .run = run_on_cpu<true>},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu<true>},
};
}  // namespace libraries

}  // namespace frit::v0::detail
