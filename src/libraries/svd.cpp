// Singular values, and vectors where they are asked for: LAPACK's gesdd, of the column-major matrix that a row-major one is,
// its transpose. a^T = U S V^H is a = (V^H)^T S U^T, so u and vh change places, and lie row-major as they come.
#include "src/libraries/matrices.hpp"
#include "src/libraries/small_matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t left = 0, values = 1, right = 2, status = 3;  // the results, as the rows of ops.def number them
constexpr std::string_view problem = "has no singular values that were found: the iteration does not converge";

template <bool Full>
const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    if (a.rank() < 2) return nullptr;
    const std::int64_t m = a[-2], n = a[-1], k = std::min(m, n);
    switch (static_cast<std::size_t>(result)) {
        case left: return shape_behind_batch(a, {m, Full ? m : k}, made);
        case values: return shape_behind_batch(a, {k}, made);
        case right: return shape_behind_batch(a, {Full ? n : k, n}, made);
        default: return shape_behind_batch(a, {}, made);
    }
}

/// What a call computes.
struct decomposition {
    matrix_operand a;
    lapack_job job;
    std::int64_t columns_of_u, rows_of_vh;
    bool asked[3];

    decomposition(const fusion::library_call& c, bool full) : a(c.operands[0]) {
        for (std::size_t k = 0; k < 3; ++k) asked[k] = c.results[k].asked;
        job = !asked[left] && !asked[right] ? lapack_job::none : full ? lapack_job::all : lapack_job::some;
        columns_of_u = full ? a.rows : shorter();
        rows_of_vh = full ? a.columns : shorter();
    }
    std::int64_t shorter() const { return std::min(a.rows, a.columns); }
    bool vectors() const { return job != lapack_job::none; }
    template <class T>
    lapack_scratch_sizes sizes(const lapack<T>& by) const {
        return by.gesdd_sizes(job, static_cast<int>(a.columns), static_cast<int>(a.rows));
    }
};

/// What is not asked for goes to scratch memory where LAPACK computes it all the same.
template <class T>
struct svd_scratch {
    T *matrix, *u = nullptr, *vh = nullptr;
    real_of<T>* s = nullptr;
    lapack_scratch<T> work;
    svd_scratch(memory_parts& from, const decomposition& d, const lapack_scratch_sizes& sizes)
        : matrix(from.take<T>(d.a.rows * d.a.columns)), work(from.take<T>(sizes)) {
        if (!d.asked[values]) s = from.take<real_of<T>>(d.shorter());
        if (d.vectors() && !d.asked[left]) u = from.take<T>(d.a.rows * d.columns_of_u);
        if (d.vectors() && !d.asked[right]) vh = from.take<T>(d.rows_of_vh * d.a.columns);
    }
};
template <class T>
std::size_t bytes_of_a_task(const decomposition& d, const lapack_scratch_sizes& sizes) {
    memory_parts parts(nullptr);
    (void)svd_scratch<T>(parts, d, sizes);
    return parts.used();
}

template <bool Full>
std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const lapack_library* const library = find_lapack();
    const decomposition d(c, Full);
    if (!library || !lapack_counts(c, true) || d.shorter() == 0) return 0;
    return with_lapack_type(d.a.type, [&]<class T>(T) {
        return batch_workspace(batch_size(d.a.of->extents), bytes_of_a_task<T>(d, d.sizes(library->of<T>())));
    });
}

/// The results of one matrix.
template <class T>
struct svd_results {
    T* u;
    real_of<T>* s;
    T* vh;
};

/// @returns what LAPACK says: 0 where it has found them
template <class T>
int decompose(const lapack<T>& by, const decomposition& d, const T* from, const svd_scratch<T>& scratch,
              const svd_results<T>& to) {
    if (!is_finite_matrix(d.a, from)) {
        const T nan = not_a_number<T>();
        if (to.u) std::fill_n(to.u, d.a.rows * d.columns_of_u, nan);
        if (to.s) std::fill_n(to.s, d.shorter(), std::real(nan));
        if (to.vh) std::fill_n(to.vh, d.rows_of_vh * d.a.columns, nan);
        return 0;
    }
    copy_matrix(d.a, from, scratch.matrix);
    return by.gesdd(d.job, static_cast<int>(d.a.columns), static_cast<int>(d.a.rows), scratch.matrix,
                    to.s ? to.s : scratch.s, to.vh ? to.vh : scratch.vh, to.u ? to.u : scratch.u,
                    static_cast<int>(d.columns_of_u), scratch.work);
}

/// Of matrices without elements: any orthonormal vectors.
template <class T>
void write_identities(std::int64_t count, std::int64_t n, T* to) {
    std::fill_n(to, count * n * n, T());
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t k = 0; k < n; ++k) to[(i * n + k) * n + k] = T(1);
}

template <bool Full, bool ex>
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const decomposition d(c, Full);
    const std::int64_t m = d.a.rows, n = d.a.columns, count = batch_size(d.a.of->extents);
    const double products = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(d.shorter());
    with_lapack_type(d.a.type, [&]<class T>(T) {
        using real = real_of<T>;
        auto *const u = static_cast<T*>(at.results[left]), *const vh = static_cast<T*>(at.results[right]);
        auto* const s = static_cast<real*>(at.results[values]);
        auto* const said = ex ? static_cast<std::int64_t*>(at.results[status]) : nullptr;
        if (d.shorter() == 0) {
            if (u) write_identities(count, d.columns_of_u, u);
            if (vh) write_identities(count, d.rows_of_vh, vh);
            if (said) std::fill_n(said, count, 0);
            return;
        }
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        const lapack_scratch_sizes sizes = d.sizes(by);
        for_each_matrix(c, count, bytes_of_a_task<T>(d, sizes), matrix_cost(d.a.type, (d.vectors() ? 12 : 3) * products),
                        at.workspace, problem, [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const svd_scratch<T> own(parts, d, sizes);
                            const svd_results<T> to{u ? u + i * m * d.columns_of_u : nullptr,
                                                    s ? s + i * d.shorter() : nullptr,
                                                    vh ? vh + i * d.rows_of_vh * n : nullptr};
                            const T* const from = static_cast<const T*>(at.operands[0]) + d.a.offset(i);
                            const int info = decompose(by, d, from, own, to);
                            if (said) said[i] = info;
                            return ex || info == 0;
                        });
    });
}

// --- on a GPU ---

bool is_small(const decomposition& d) { return cuda::decomposes_small(d.a.type, std::max(d.a.rows, d.a.columns)); }
template <bool Full>
cuda::small_kernel kernel_of(const decomposition& d) {
    return cuda::small_svd(d.a.type, d.a.rows, d.a.columns, d.vectors(), Full);
}

// gesvd takes matrices that are not wider than high. A wide one's transpose is high, and lies there; a high one is put there
// column after column, and u and vh are turned back.

/// What a call takes of its workspace.
struct gpu_memory {
    int* info;
    void *matrix, *s, *u, *vt;
    cuda::solver_work work;
    gpu_memory(memory_parts& from, const decomposition& d, std::size_t bytes)
        : info(from.take<int>(batch_size(d.a.of->extents))),
          matrix(from.take(d.a.type, d.a.rows * d.a.columns)),
          s(from.take(real_dtype(d.a.type), d.shorter())),
          u(d.vectors() ? from.take(d.a.type, d.a.rows * d.columns_of_u) : nullptr),
          vt(d.vectors() ? from.take(d.a.type, d.rows_of_vh * d.a.columns) : nullptr),
          work{from.take<std::byte>(static_cast<std::int64_t>(bytes)), bytes} {}
};

cuda::svd_job job_of(const decomposition& d) { return static_cast<cuda::svd_job>(d.job); }
std::size_t solver_bytes(cuda::libraries& on, const decomposition& d) {
    return on.factors.gesvd_bytes(d.a.type, job_of(d), std::max(d.a.rows, d.a.columns), d.shorter());
}

template <bool Full>
std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const decomposition d(c, Full);
    if (d.shorter() == 0 || is_small(d) || !cuda::solver::found()) return 0;
    memory_parts parts(nullptr);
    (void)gpu_memory(parts, d, solver_bytes(on, d));
    return parts.used();
}

template <bool Full>
void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    const decomposition d(c, Full);
    if (d.shorter() > 0 && is_small(d))
        require_small(on, kernel_of<Full>(d));
    else
        require_solver(on, c);
}

void decompose_on_gpu(cuda::libraries& on, const decomposition& d, const void* from, const gpu_memory& m, int* info,
                      const svd_results<std::byte>& to) {
    const bool wide = d.a.rows < d.a.columns;
    void* const s = to.s ? to.s : m.s;
    place_matrix(on, wide ? d.a : d.a.transposed(), from, m.matrix);
    if (wide) {
        on.factors.gesvd(d.a.type, job_of(d), d.a.columns, d.a.rows, m.matrix, s, to.vh ? to.vh : m.vt, to.u ? to.u : m.u,
                         m.work, info);
        return;
    }
    on.factors.gesvd(d.a.type, job_of(d), d.a.rows, d.a.columns, m.matrix, s, m.u, m.vt, m.work, info);
    const auto turn = cuda::blas::turn::transposed;
    if (to.u) on.products.copy_matrix(d.a.type, d.columns_of_u, d.a.rows, m.u, d.a.rows, turn, to.u);
    if (to.vh) on.products.copy_matrix(d.a.type, d.a.columns, d.rows_of_vh, m.vt, d.a.columns, turn, to.vh);
}

template <bool Full, bool ex>
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const decomposition d(c, Full);
    const dtype type = d.a.type;
    if (d.shorter() == 0 || is_small(d)) {
        if (ex) store_no_fault(on, batch_size(d.a.of->extents), at.results[status]);
        if (d.shorter() == 0) return;
        const small_result to[] = {{at.results[left], type, d.a.rows * d.columns_of_u},
                                   {at.results[values], real_dtype(type), d.shorter()},
                                   {at.results[right], type, d.rows_of_vh * d.a.columns}};
        return decompose_small(on, kernel_of<Full>(d), c, at, to);
    }
    memory_parts parts(at.workspace);
    const gpu_memory m(parts, d, solver_bytes(on, d));
    const auto result = [&](std::size_t k, dtype t, std::int64_t offset) {
        return at.results[k] ? static_cast<std::byte*>(behind(at.results[k], t, offset)) : nullptr;
    };
    for (std::int64_t i = 0; i < batch_size(d.a.of->extents); ++i)
        decompose_on_gpu(
            on, d, behind(at.operands[0], type, d.a.offset(i)), m, m.info + i,
            {result(left, type, i * d.a.rows * d.columns_of_u), result(values, real_dtype(type), i * d.shorter()),
             result(right, type, i * d.rows_of_vh * d.a.columns)});
    if (ex)
        store_status(on, m.info, batch_size(d.a.of->extents), at.results[status]);
    else
        watch_matrices(on, c, at, m.info, problem);
}

/// On a GPU a matrix with NaN or infinity is kept from cuSOLVER, which does not say what it does with one; and the vectors
/// of matrices without elements are no call's.
template <bool Full>
fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    const fusion::value_id a = operands[0];
    const shape of = g.extents(a);
    const dtype type = g.values[a].type;
    const auto result = static_cast<std::size_t>(library(code).result);
    if (std::min(of[-1], of[-2]) == 0) {
        if (!Full || result == values || result == status) return fusion::no_value;
        return identity_of(g, *shape_of<true>(static_cast<int>(result), std::array{&of}, *g.shapes), type);
    }
    if (cuda::decomposes_small(type, std::max(of[-1], of[-2]))) return fusion::no_value;
    const std::array given{zero_unless(g, are_finite(g, a, 2), a)};
    const fusion::value_id found = g.add_library(code, routine_of(code), given);
    return result == status ? found : nan_unless(g, are_finite(g, a, result == values ? 1 : 2), found);
}

}  // namespace

namespace libraries {
extern const library_routine svd, svd_full, svd_ex, svd_full_ex;
const library_routine svd{
    {.name = "svd", .results = 3, .shape_of = shape_of<false>, .misfit = needs_matrices, .reads = reads_matrices},
    formula<false>,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu<false>, .run = run_on_cpu<false, false>},
    {.require = require_on_gpu<false>, .workspace = workspace_on_gpu<false>, .run = run_on_gpu<false, false>},
};
const library_routine svd_full{
    {.name = "svd", .results = 3, .shape_of = shape_of<true>, .misfit = needs_matrices, .reads = reads_matrices},
    formula<true>,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu<true>, .run = run_on_cpu<true, false>},
    {.require = require_on_gpu<true>, .workspace = workspace_on_gpu<true>, .run = run_on_gpu<true, false>},
};
// Where the status is not 0, nothing is specified.
const library_routine svd_ex{
    {.name = "svd_ex", .results = 4, .shape_of = shape_of<false>, .misfit = needs_matrices, .reads = reads_matrices},
    formula<false>,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu<false>, .run = run_on_cpu<false, true>},
    {.require = require_on_gpu<false>, .workspace = workspace_on_gpu<false>, .run = run_on_gpu<false, true>},
};
const library_routine svd_full_ex{
    {.name = "svd_ex", .results = 4, .shape_of = shape_of<true>, .misfit = needs_matrices, .reads = reads_matrices},
    formula<true>,
    nullptr,
    {.require = require_lapack_for_spectrum, .workspace = workspace_on_cpu<true>, .run = run_on_cpu<true, true>},
    {.require = require_on_gpu<true>, .workspace = workspace_on_gpu<true>, .run = run_on_gpu<true, true>},
};
}  // namespace libraries

}  // namespace frit::v0::detail
