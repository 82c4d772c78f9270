// See matrices.hpp.
#include "src/libraries/matrices.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "frit/detail/attributes.hpp"
#include "frit/error.hpp"
#include "fusion/machine/cost_model.hpp"
#include "src/base/errors.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::int64_t longest_ld = std::numeric_limits<std::int32_t>::max();  // BLAS counts in 32 bits

// Their square, five times, is the longest scratch memory that LAPACK can count.
constexpr std::int64_t longest_side_of_spectrum = 20000;

}  // namespace

int batch_rank(const shape& x) { return std::max(x.rank() - 2, 0); }

std::int64_t batch_size(const shape& x) {
    std::int64_t count = 1;
    for (int axis = 0; axis < batch_rank(x); ++axis) count *= x[axis];
    return count;
}

const shape* shape_behind_batch(const shape& of, std::initializer_list<std::int64_t> axes, fusion::shape_set& made) {
    std::vector<std::int64_t> extents(of.begin(), of.begin() + batch_rank(of));
    extents.insert(extents.end(), axes);
    return made.intern_possible(extents);
}

const shape* shape_of_square(int, std::span<const shape* const> operands, fusion::shape_set&) {
    const shape& a = *operands[0];
    return a.rank() >= 2 && a[-1] == a[-2] ? &a : nullptr;
}

std::string_view needs_square_matrices(std::span<const shape> given) {
    if (given[0].rank() < 2 || given[0][-1] != given[0][-2]) return "takes square matrices, (..., n, n)";
    return {};
}
std::string_view needs_matrices(std::span<const shape> given) {
    if (given[0].rank() < 2) return "takes matrices, (..., m, n)";
    return {};
}

const shape* shape_of_solution(int, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape &a = *operands[0], &b = *operands[1];
    if (a.rank() < 2 || a[-1] != a[-2]) return nullptr;
    if (b.rank() == 1) return b[0] == a[-1] ? shape_behind_batch(a, {b[0]}, made) : nullptr;
    if (b.rank() != a.rank() || b[-2] != a[-1]) return nullptr;
    return std::equal(a.begin(), a.end() - 2, b.begin()) ? &b : nullptr;
}
std::string_view needs_an_equation(std::span<const shape>) { return "takes (..., n, n) and (..., n, k) or (n,)"; }

std::optional<std::array<std::int64_t, 2>> strides_of_matrix(std::int64_t rows, std::int64_t columns,
                                                             std::int64_t row_stride, std::int64_t column_stride) {
    using both = std::array<std::int64_t, 2>;
    if (rows == 1) row_stride = std::max<std::int64_t>(columns, 1);
    if (columns == 1) column_stride = 1;
    if (column_stride == 1 && row_stride >= columns && row_stride <= longest_ld)
        return both{std::max<std::int64_t>(row_stride, 1), 1};
    if (rows == 1) row_stride = 1;
    if (columns == 1) column_stride = std::max<std::int64_t>(rows, 1);
    if (row_stride == 1 && column_stride >= rows && column_stride <= longest_ld)
        return both{1, std::max<std::int64_t>(column_stride, 1)};
    return {};
}

std::optional<std::vector<std::int64_t>> reads_matrices(int k, const shape& of, const fusion::strided& at) {
    if (of.rank() < 2) return fusion::reads_row_major(k, of, at);
    const auto stride = [&](int axis) { return of[axis] == 1 ? 1 : at.axes[static_cast<std::size_t>(axis)].stride; };
    const int batch = batch_rank(of);
    const auto both = strides_of_matrix(of[batch], of[batch + 1], stride(batch), stride(batch + 1));
    if (!both) return {};
    std::vector<std::int64_t> all;
    for (int axis = 0; axis < batch; ++axis) {
        all.push_back(of[axis] == 1 ? 0 : stride(axis));
        if (all.back() < 0) return {};
    }
    all.insert(all.end(), both->begin(), both->end());
    return all;
}

namespace {

/// The number of an element's row or column, axis -2 or -1.
fusion::value_id index_along(fusion::graph& g, const shape& of, int axis) {
    return g.add_coord(dtype::i64, coord_attribute(of, of.rank() + axis));
}
/// A number as any of the dtypes that LAPACK computes with.
fusion::value_id constant_of_type(fusion::graph& g, dtype type, double x) {
    const auto part = [&](double v) { return g.add_cast(g.add_constant(dtype::f64, v), real_dtype(type)); };
    if (!is_complex(type)) return part(x);
    return g.add_op(op::complex, std::array{part(x), part(0)});
}
fusion::value_id selected(fusion::graph& g, fusion::value_id mask, fusion::value_id a, fusion::value_id b) {
    const shape* const extents = g.values[mask].extents;
    return g.add_selection(mask, g.broadcast(a, extents), g.broadcast(b, extents));
}

}  // namespace

fusion::value_id triangle_of(fusion::graph& g, fusion::value_id x, linalg::triangle which) {
    const shape of = g.extents(x);
    const fusion::value_id i = index_along(g, of, -2), j = index_along(g, of, -1);
    const fusion::value_id inside = g.add_op(which == linalg::lower ? op::ge : op::le, std::array{i, j});
    return selected(g, inside, x, constant_of_type(g, g.values[x].type, 0));
}

fusion::value_id zero_unless(fusion::graph& g, fusion::value_id mask, fusion::value_id x) {
    return selected(g, g.broadcast(mask, g.values[x].extents), x, constant_of_type(g, g.values[x].type, 0));
}

fusion::value_id nan_unless(fusion::graph& g, fusion::value_id mask, fusion::value_id x) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return selected(g, g.broadcast(mask, g.values[x].extents), x, constant_of_type(g, g.values[x].type, nan));
}

namespace {
/// For each matrix whether all elements have what this op, of one real number, asks.
template <class F>
fusion::value_id all_of(fusion::graph& g, fusion::value_id x, int axes_behind, bool lower, F has) {
    const shape of = g.extents(x);
    const dtype type = g.values[x].type;
    const auto part = [&](op which) {
        return has(is_complex(type) ? g.add_raw(which, real_dtype(type), std::array{x}) : x);
    };
    fusion::value_id each = part(op::real);
    if (is_complex(type)) each = g.add_op(op::bit_and, std::array{each, part(op::imag)});
    if (lower) {
        const fusion::value_id above = g.add_op(op::lt, std::array{index_along(g, of, -2), index_along(g, of, -1)});
        each = g.add_op(op::bit_or, std::array{each, above});
    }
    const axes last_two{-2, -1}, last(-1);
    const attribute_ref over =
        reduce_attribute("all", of, {.which = &last_two, .where = unknown_line, .keepdims = axes_behind == 2});
    const fusion::value_id all = g.add_reduction(op::all, each, over.get());
    return axes_behind == 1 ? g.add_view(all, expand_dims_attribute(g.extents(all), last, unknown_line)) : all;
}
}  // namespace

fusion::value_id are_finite(fusion::graph& g, fusion::value_id x, int axes_behind, bool lower) {
    return all_of(g, x, axes_behind, lower, [&](fusion::value_id v) { return g.add_op(op::isfinite, std::array{v}); });
}
fusion::value_id are_numbers(fusion::graph& g, fusion::value_id x, int axes_behind) {
    return all_of(g, x, axes_behind, false, [&](fusion::value_id v) {
        return g.add_op(op::logical_not, std::array{g.add_op(op::isnan, std::array{v})});
    });
}

fusion::value_id shown_matrices(const fusion::graph& g, fusion::value_id x) {
    const fusion::value& v = g.values[x];
    if (v.code != op::view) return x;
    const attribute& map = *g.attributes[v.index];
    const int rank = map.source.rank(), before = map.result.rank() - rank;
    if (map.what != attribute::kind::affine || rank < 2 || before < 0) return x;
    for (int k = 0; k < rank; ++k) {
        const axis_map& m = map.maps[static_cast<std::size_t>(k)];
        if (k < rank - 2 && map.source[k] == 1) continue;
        const bool same = m.axis == k + before && m.step == 1 && m.offset == 0 && !m.clamped;
        if (!same || map.source[k] != map.result[k + before]) return x;
    }
    return v.in[0];
}

fusion::value_id with_axes_swapped(fusion::graph& g, fusion::value_id x) {
    return g.add_view(x, swapaxes_attribute(g.extents(x), -2, -1, unknown_line));
}

fusion::value_id unit_lower_of(fusion::graph& g, fusion::value_id x) {
    const shape of = g.extents(x);
    const fusion::value_id below = g.add_op(op::gt, std::array{index_along(g, of, -2), index_along(g, of, -1)});
    return selected(g, below, x, identity_like(g, x));
}

fusion::value_id identity_of(fusion::graph& g, const shape& of, dtype type) {
    const fusion::value_id on = g.add_op(op::eq, std::array{index_along(g, of, -2), index_along(g, of, -1)});
    return selected(g, on, constant_of_type(g, type, 1), constant_of_type(g, type, 0));
}
fusion::value_id identity_like(fusion::graph& g, fusion::value_id x) {
    return identity_of(g, shape(g.extents(x)), g.values[x].type);
}
fusion::value_id identity_unless(fusion::graph& g, fusion::value_id mask, fusion::value_id x) {
    return selected(g, g.broadcast(mask, g.values[x].extents), x, identity_like(g, x));
}

matrix_operand::matrix_operand(const fusion::call_operand& x)
    : type(x.type), rows(x.extents[0]), columns(1), row_stride(x.strides[0]), column_stride(1), of(&x) {
    if (x.extents.rank() < 2) return;
    rows = x.extents[-2];
    columns = x.extents[-1];
    row_stride = x.strides[x.strides.size() - 2];
    column_stride = x.strides[x.strides.size() - 1];
}

std::int64_t matrix_operand::offset(std::int64_t i) const {
    std::int64_t at = 0;
    for (int axis = batch_rank(of->extents); axis-- > 0;) {
        at += i % of->extents[axis] * of->strides[static_cast<std::size_t>(axis)];
        i /= of->extents[axis];
    }
    return at;
}

std::size_t batch_workspace(std::int64_t count, std::size_t bytes) {
    constexpr std::size_t most_tasks = 64, most_bytes = std::size_t{256} << 20;
    const std::size_t each = (bytes + 63) / 64 * 64;
    if (each == 0 || count == 0) return 0;
    const std::size_t tasks = std::clamp<std::size_t>(most_bytes / each, 1, most_tasks);
    return std::min(tasks, static_cast<std::size_t>(count)) * each;
}

void throw_unsolvable(const fusion::library_call& c, std::int64_t matrix, std::string_view problem) {
    throw linalg_error(matrix_fault(c.of->name, matrix, problem, c.operands[0].extents, c.operands[0].type));
}

double matrix_cost(dtype type, double multiplications) {
    return fusion::lapack_call + (is_complex(type) ? 4 : 1) * fusion::multiplication * multiplications;
}

bool lapack_counts(const fusion::library_call& c, bool spectrum) {
    for (const fusion::call_operand& x : c.operands) {
        const matrix_operand a(x);
        if (std::max(a.rows, a.columns) > longest_ld) return false;
        if (spectrum && std::min(a.rows, a.columns) > longest_side_of_spectrum) return false;
    }
    return true;
}

static void require(const fusion::library_call& c, bool spectrum) {
    the_lapack(c.of->name);
    if (lapack_counts(c, spectrum)) return;
    throw shape_error(std::string(c.of->name) + ": OpenBLAS takes matrices of up to " +
                      std::to_string(spectrum ? longest_side_of_spectrum : longest_ld) + " rows or columns, not " +
                      to_string(c.operands[0].extents));
}
void require_lapack(const fusion::library_call& c) { require(c, false); }
void require_lapack_for_spectrum(const fusion::library_call& c) { require(c, true); }

void place_matrix(cuda::libraries& on, const matrix_operand& a, const void* from, void* to) {
    const bool by_rows = a.column_stride == 1;
    std::int64_t ld = by_rows ? a.row_stride : a.column_stride;
    if (by_rows && a.rows == 1) ld = a.columns;  // there is no second row: any distance would do
    on.products.copy_matrix(a.type, a.columns, a.rows, from, ld,
                            by_rows ? cuda::blas::turn::none : cuda::blas::turn::transposed, to);
}

void fill_bytes(cuda::libraries& on, void* memory, unsigned char value, std::int64_t bytes) {
    const cuda::current_context here(on.device);
    cuda::check(on.device.api.set_bytes(reinterpret_cast<cuda::device_pointer>(memory), value,
                                        static_cast<std::size_t>(bytes), on.device.work),
                on.device.label, "clearing what its solver says");
}

static cuda::matrix_faults::watched watched_by(const fusion::library_call& c, const call_memory& at,
                                               std::string_view problem) {
    const fusion::call_operand& a = c.operands[0];
    return {std::string(c.of->name), std::string(problem), a.extents, a.type, std::string(at.formula)};
}
void watch_matrices(cuda::libraries& on, const fusion::library_call& c, const call_memory& at, const int* info,
                    std::string_view problem) {
    on.faults.watch(watched_by(c, at, problem), info, batch_size(c.operands[0].extents));
}
void watch_first_matrix(cuda::libraries& on, const fusion::library_call& c, const call_memory& at,
                        const std::uint64_t* first, std::string_view problem) {
    on.faults.watch_first(watched_by(c, at, problem), first);
}

void copy_status(cuda::libraries& on, const int* from, void* to) {
    const cuda::current_context here(on.device);
    cuda::check(on.device.api.copy_on_device(reinterpret_cast<cuda::device_pointer>(to),
                                             reinterpret_cast<cuda::device_pointer>(from), sizeof(int), on.device.work),
                on.device.label, "copying what its solver says");
}
void store_no_fault(cuda::libraries& on, std::int64_t count, void* to) {
    if (to) fill_bytes(on, to, 0, count * static_cast<std::int64_t>(sizeof(std::int64_t)));
}
void store_status(cuda::libraries& on, const int* info, std::int64_t count, void* to) {
    if (!to) return;
    store_no_fault(on, count, to);
    for (std::int64_t i = 0; i < count; ++i) copy_status(on, info + i, behind(to, dtype::i64, i));  // the lower half
}

void require_solver(cuda::libraries& on, const fusion::library_call& c) {
    on.factors.require(c.of->name);
    on.products.require();
}

void refuse_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    throw device_error(on.device.label + ": frit has no " + std::string(c.of->name) +
                       " for GPUs: x.to(frit::device::cpu()) takes a matrix to where there is one");
}
void never_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory&) { refuse_on_gpu(on, c); }

}  // namespace frit::v0::detail
