// Matrix products: OpenBLAS on the CPU, cuBLAS on a GPU, which takes 16-bit floats too; of integers and bools, which BLAS
// has not, loops of our own on the CPU and a formula on a GPU; of complex numbers and real ones, two real products. Products
// with vectors, and batches of small matrices, are formulas too where kernels are as fast as the library, since formulas
// fuse. A matrix may be transposed or a part of a larger one, as long as one of its strides is 1. The axes before a matrix's
// two are a batch's: an operand that lacks one, or has one element there, is the same for all of it, and is not repeated in
// memory. BLAS's alpha and beta are calls of their own, one for each form of the sum (fusion/ir/epilogue.hpp): on the CPU a
// tile of the product is ended by the loops that a kernel would have run, with their bits; on a GPU by cuBLAS. A bias is
// cuBLASLt's there, and a kernel's on the CPU.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "src/cpu/blas.hpp"
#include "src/cpu/integer_product.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/matrices.hpp"
#include "src/libraries/products.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::graph;
using fusion::value_id;

// --- what the planner asks ---

std::int64_t inner(const shape& b) { return b[std::max(b.rank() - 2, 0)]; }

/// An operand's own axis for one of a batch of `rank` axes; below 0: it has none.
int own_axis(const shape& x, int axis, int rank) { return axis - rank + batch_rank(x); }
std::int64_t own_extent(const shape& x, int axis, int rank) {
    const int own = own_axis(x, axis, rank);
    return own < 0 ? 1 : x[own];
}
/// An axis of the batch that two operands broadcast to.
std::int64_t batch_extent(const shape& a, const shape& b, int axis) {
    const int rank = std::max(batch_rank(a), batch_rank(b));
    const std::int64_t extent = own_extent(a, axis, rank);
    return extent == 1 ? own_extent(b, axis, rank) : extent;
}

/// Vectors, matrices and batches of them, as NumPy multiplies them.
const shape* shape_of(int /*result*/, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape &a = *operands[0], &b = *operands[1];
    if (a.rank() < 1 || b.rank() < 1 || a[a.rank() - 1] != inner(b)) return nullptr;
    std::int64_t extents[max_rank];
    std::size_t rank = 0;
    const int batch = std::max(batch_rank(a), batch_rank(b));
    for (int axis = 0; axis < batch; ++axis) {
        const std::int64_t ea = own_extent(a, axis, batch), eb = own_extent(b, axis, batch);
        if (ea != eb && ea != 1 && eb != 1) return nullptr;
        extents[rank++] = ea == 1 ? eb : ea;
    }
    if (a.rank() >= 2) extents[rank++] = a[a.rank() - 2];
    if (b.rank() >= 2) extents[rank++] = b[b.rank() - 1];
    for (const shape* const x : operands)  // of square matrices: recording takes no table then
        if (std::equal(x->begin(), x->end(), extents, extents + rank)) return x;
    return made.intern_possible({extents, rank});
}

std::string_view misfit(std::span<const shape> given) {
    const shape &a = given[0], &b = given[1];
    if (a.rank() < 1 || b.rank() < 1) return "takes vectors, matrices and batches of them (* multiplies by a scalar)";
    if (a[a.rank() - 1] != inner(b)) return "takes operands with equal inner extents, (..., m, k) by (..., k, n)";
    const int batch = std::max(batch_rank(a), batch_rank(b));
    for (int axis = 0; axis < batch; ++axis) {
        const std::int64_t ea = own_extent(a, axis, batch), eb = own_extent(b, axis, batch);
        if (ea != eb && ea != 1 && eb != 1) return "the axes before the last two do not broadcast";
    }
    return {};
}

/// Operands of calls with an end, too: the array that is added is row-major.
using strides = std::vector<std::int64_t>;

/// A vector on the left is one row, on the right one column.
std::optional<strides> reads(int k, const shape& extents, const fusion::strided& at) {
    if (k == 2) return fusion::reads_row_major(k, extents, at);
    if (extents.rank() >= 2) return reads_matrices(k, extents, at);
    const std::int64_t stride = extents[0] == 1 ? 1 : at.axes[0].stride;
    const auto both =
        k == 0 ? strides_of_matrix(1, extents[0], extents[0], stride) : strides_of_matrix(extents[0], 1, stride, 1);
    return both ? std::optional(strides{(*both)[k == 0 ? 1 : 0]}) : std::nullopt;
}

/// Of calls that add a row.
std::optional<strides> reads_with_row(int k, const shape& extents, const fusion::strided& at) {
    return k == 2 ? fusion::reads_one_row(extents, at) : reads(k, extents, at);
}

bool is_of_blas(dtype t) { return kind_of(t) >= dtype_kind::floating; }

value_id formula(graph&, op code, std::span<const value_id> operands, const fusion::target&);

/// One operand is complex: a product of each of its parts, half of what a complex product would have to do.
value_id product_of_parts(graph& g, op code, value_id a, value_id b, dtype type, const fusion::target& t) {
    const auto product = [&](op part) {
        const auto operand = [&](value_id x) {
            const dtype own = g.values[x].type;
            return g.add_cast(is_complex(own) ? g.add_raw(part, real_dtype(own), std::array{x}) : x, real_dtype(type));
        };
        const std::array both{operand(a), operand(b)};
        const value_id as_formula = formula(g, code, both, t);
        return as_formula != fusion::no_value ? as_formula : g.add_library(code, routine_of(code), both);
    };
    return g.add_op(op::complex, std::array{product(op::real), product(op::imag)});
}

/// sum(a(..., i, k) * b(..., k, j)), whose terms nobody stores. The domain is the batch and (m, k, n), without the axes that
/// vectors lack; the planner turns it as the strides ask. Terms are of `type`; of integers they wrap there, their sum in 64
/// bits, and what is left of that in the dtype is the same.
value_id product_as_sum(graph& g, value_id a, value_id b, dtype type) {
    const shape left = g.extents(a), right = g.extents(b);
    const int batch = std::max(batch_rank(left), batch_rank(right)), summed = batch + (left.rank() >= 2 ? 1 : 0);
    attribute over;
    over.what = attribute::kind::reduce;
    const auto keep = [&](std::int64_t extent) { over.source.push_back(extent), over.result.push_back(extent); };
    for (int axis = 0; axis < batch; ++axis) keep(batch_extent(left, right, axis));
    if (left.rank() >= 2) keep(left[left.rank() - 2]);
    over.source.push_back(inner(right));
    if (right.rank() >= 2) keep(right[right.rank() - 1]);
    over.maps.resize(static_cast<std::size_t>(over.source.rank()));
    for (int k = 0, kept = 0; k < over.source.rank(); ++k)
        if (k != summed) over.maps[static_cast<std::size_t>(k)] = {.axis = kept++, .step = 1};
    const auto spread = [&](value_id x, int first) {  // its axes among those of the domain, a matrix's from `first` on
        auto* view = new attribute;
        const attribute_ref ref(view);
        view->source = g.extents(x);
        view->result = over.source;
        const int own_batch = batch_rank(view->source);
        for (int k = 0; k < view->source.rank(); ++k) {
            const int axis = k < own_batch ? k + batch - own_batch : first + k - own_batch;
            view->maps.push_back({});
            if (view->source[k] == over.source[axis]) view->maps.back() = {.axis = axis, .step = 1};
        }
        return g.add_view(g.add_cast(x, type), ref);
    };
    const op times = type == dtype::bool_ ? op::bit_and : op::mul;
    const value_id products = g.add_op(times, std::array{spread(a, batch), spread(b, summed)});
    return g.add_cast(g.add_reduction(type == dtype::bool_ ? op::any : op::sum, products, &over), type);
}

/// A part of a complex value, below views, and whether it is its negative.
struct part_below {
    std::vector<std::uint32_t> views;  ///< attributes, from the outermost on
    bool negative = false;
    fusion::value part{};
    part_below(const graph& g, value_id x) {
        for (; g.values[x].code == op::view || g.values[x].code == op::neg; x = g.values[x].in[0])
            if (g.values[x].code == op::view)
                views.push_back(g.values[x].index);
            else
                negative = !negative;
        part = g.values[x];
    }
};

/// The z of a conj(z), or of views of one, seen through them.
value_id conjugated_by(graph& g, value_id x) {
    std::vector<std::uint32_t> views;
    for (; g.values[x].code == op::view; x = g.values[x].in[0]) views.push_back(g.values[x].index);
    if (g.values[x].code != op::complex) return fusion::no_value;
    const part_below re(g, g.values[x].in[0]), im(g, g.values[x].in[1]);
    if (re.part.code != op::real || im.part.code != op::imag || re.part.in != im.part.in || re.views != im.views ||
        re.negative || !im.negative)
        return fusion::no_value;
    views.insert(views.end(), re.views.begin(), re.views.end());
    value_id z = re.part.in[0];
    for (; !views.empty(); views.pop_back()) z = g.add_view(z, attribute_ref(g.attributes[views.back()]));
    return z;
}

/// Whether x is transposed matrices of what lies in rows.
bool is_transposed(const graph& g, value_id x) {
    const fusion::value& v = g.values[x];
    if (v.code != op::view || g.values[v.in[0]].code == op::view) return false;
    if (const fusion::value& below = g.values[v.in[0]]; below.code == op::leaf && !g.leaves[below.index].strides.empty())
        return false;
    const attribute& a = *g.attributes[v.index];
    const int rank = a.source.rank();
    if (a.what != attribute::kind::affine || a.result.rank() != rank || a.source.size() != a.result.size()) return false;
    for (int k = 0; k < rank; ++k) {
        const axis_map& m = a.maps[static_cast<std::size_t>(k)];
        if (m.axis != (k < rank - 2 ? k : 2 * rank - 3 - k) || m.step != 1 || m.offset != 0 || m.clamped) return false;
    }
    return true;
}

extern const std::array<library_routine, 3> with_conjugates;

/// Conjugates are not computed: BLAS conjugates what it multiplies. cuBLAS only what it transposes too; a vector, never.
value_id product_of_conjugates(graph& g, op code, std::span<const value_id> operands, const fusion::target& t) {
    std::array<value_id, 2> of{operands[0], operands[1]};
    std::size_t which = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        const shape& extents = g.extents(of[k]);
        if (extents.rank() < 2 || extents[-1] == 1 || extents[-2] == 1) continue;
        const value_id z = conjugated_by(g, of[k]);
        if (z == fusion::no_value || (t.device == fusion::target::kind::cuda && !is_transposed(g, z))) continue;
        of[k] = z;
        which |= std::size_t{1} << k;
    }
    return which == 0 ? fusion::no_value : g.add_library(code, with_conjugates[which - 1], of);
}

/// The multiplications that a product is. Nothing where no array has as many elements, or as many axes.
std::optional<std::int64_t> terms_of(const shape& left, const shape& right) {
    const int batch = std::max(batch_rank(left), batch_rank(right));
    int rank = batch + 1;
    std::int64_t terms = inner(right);
    bool fits = true;
    const auto times = [&](std::int64_t extent) { fits = !__builtin_mul_overflow(terms, extent, &terms) && fits; };
    for (int axis = 0; axis < batch; ++axis) times(batch_extent(left, right, axis));
    if (left.rank() >= 2) times(left[-2]), ++rank;
    if (right.rank() >= 2) times(right[-1]), ++rank;
    return fits && rank <= max_rank ? std::optional(terms) : std::nullopt;
}

/// Whether each element of an operand is multiplied once, as a matrix's by a vector: then a product takes as long as reading
/// that operand does. @returns false also where the sum's domain has more axes than a shape
bool is_read_once(const shape& left, const shape& right) {
    const std::optional<std::int64_t> terms = terms_of(left, right);
    return terms && *terms <= std::max(left.size(), right.size());
}

/// Whether the matrices of a batch are so small that the library takes its time for each of them, and not for what they
/// hold. Where all share the right one they are one taller matrix to it.
bool is_of_small(const shape& left, const shape& right, const fusion::prices& cost) {
    if (left.rank() < 2 || right.rank() < 2) return false;
    if (std::all_of(right.begin(), right.end() - 2, [](std::int64_t extent) { return extent == 1; })) return false;
    return std::max(left[-2], right[-1]) <= cost.small_sides && left[-1] <= cost.small_inner && terms_of(left, right);
}

/// a b of complex matrices, from products of their parts. Those with a conjugate's imaginary part have the other sign.
value_id product_as_sums(graph& g, value_id a, value_id b, dtype type) {
    struct factor {
        value_id z;
        bool conjugated;
        factor(graph& g, value_id x, dtype type) : z(conjugated_by(g, x)), conjugated(z != fusion::no_value) {
            z = g.add_cast(conjugated ? z : x, type);
        }
    };
    const factor x(g, a, type), y(g, b, type);
    const auto product = [&](op of_x, op of_y) {
        const value_id sum =
            product_as_sum(g, g.add_op(of_x, std::array{x.z}), g.add_op(of_y, std::array{y.z}), real_dtype(type));
        const bool negative = (x.conjugated && of_x == op::imag) != (y.conjugated && of_y == op::imag);
        return negative ? g.add_op(op::neg, std::array{sum}) : sum;
    };
    const value_id re = g.add_op(op::sub, std::array{product(op::real, op::real), product(op::imag, op::imag)});
    const value_id im = g.add_op(op::add, std::array{product(op::real, op::imag), product(op::imag, op::real)});
    return g.add_op(op::complex, std::array{re, im});
}

value_id formula(graph& g, op code, std::span<const value_id> operands, const fusion::target& t) {
    const value_id a = operands[0], b = operands[1];
    const dtype type = promote(g.values[a].type, g.values[b].type);
    if (is_complex(g.values[a].type) != is_complex(g.values[b].type)) return product_of_parts(g, code, a, b, type, t);
    const bool as_sum = is_kernel(g.extents(a), g.extents(b), type, t);
    if (is_complex(type)) return as_sum ? product_as_sums(g, a, b, type) : product_of_conjugates(g, code, operands, t);
    return as_sum ? product_as_sum(g, a, b, register_dtype(type)) : fusion::no_value;
}

/// cuBLAS does, and adds up in float32. OpenBLAS as Debian builds it has no such product.
bool takes_short(const fusion::target& t) { return t.device == fusion::target::kind::cuda; }

// --- what the engines run ---

/// A vector's own stride comes back as the one that strides_of_matrix left beside it.
matrix_layout layout_of(const fusion::call_operand& x, int k) {
    if (x.extents.rank() >= 2) {
        const auto row = static_cast<std::size_t>(batch_rank(x.extents)), column = row + 1;
        return x.strides[column] == 1 ? matrix_layout{x.strides[row], false} : matrix_layout{x.strides[column], true};
    }
    const std::int64_t length = x.extents[0], stride = x.strides[0];
    if (k == 0) return stride == 1 ? matrix_layout{std::max<std::int64_t>(length, 1), false} : matrix_layout{stride, true};
    return {stride, false};
}

precision digits_of(op code) {
    return static_cast<precision>(std::find(products.begin(), products.end(), code) - products.begin());
}

matrix_product product_of(const fusion::library_call& c) {
    const shape &a = c.operands[0].extents, &b = c.operands[1].extents;
    matrix_product p{.type = c.operands[0].type,
                     .digits = digits_of(c.code),
                     .m = a.rank() >= 2 ? a[a.rank() - 2] : 1,
                     .n = b.rank() >= 2 ? b[b.rank() - 1] : 1,
                     .k = inner(b),
                     .a = layout_of(c.operands[0], 0),
                     .b = layout_of(c.operands[1], 1)};
    p.a.conjugated = c.of->takes_conjugate(0);
    p.b.conjugated = c.of->takes_conjugate(1);
    if (!c.writes()) return p;
    const int rank = std::max(batch_rank(a), batch_rank(b));
    for (int axis = 0; axis < rank; ++axis) {
        const auto stride = [&](const fusion::call_operand& x) -> std::int64_t {
            const int own = own_axis(x.extents, axis, rank);
            return own < 0 || x.extents[own] == 1 ? 0 : x.strides[static_cast<std::size_t>(own)];
        };
        p.add_axis(
            {std::max(own_extent(a, axis, rank), own_extent(b, axis, rank)), stride(c.operands[0]), stride(c.operands[1])});
    }
    return p;
}

void require_on_cpu(const fusion::library_call& c) {
    if (is_of_blas(c.operands[0].type)) require_blas(product_of(c));
}

/// alpha and beta of a call with an end.
struct factors_of_call {
    double alpha = 1, beta = 1;
    factors_of_call(const fusion::library_call& c, std::span<const std::uint64_t> numbers) {
        const fusion::epilogue& end = c.of->after;
        const auto value = [&](fusion::factor f) {
            const double sign = f == fusion::factor::minus_one || f == fusion::factor::minus_number ? -1 : 1;
            if (!fusion::is_number(f)) return sign;
            const std::uint64_t bits = numbers.front();
            numbers = numbers.subspan(1);
            if (c.operands[0].type == dtype::f64) return sign * std::bit_cast<double>(bits);
            return sign * static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        };
        alpha = value(end.alpha);
        beta = value(end.beta);
    }
};

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table& loops) {
    const matrix_product p = product_of(c);
    if (c.of->after.what != fusion::epilogue::form::none) {
        const factors_of_call f(c, at.numbers);
        const void* addend = c.of->after.has_addend() ? at.operands[2] : nullptr;
        std::vector<std::byte> elsewhere;
        if (addend == at.results[0]) {  // a GPU's call, on a host that stands in for one
            const auto* const from = static_cast<const std::byte*>(addend);
            elsewhere.assign(from, from + static_cast<std::size_t>(c.results[0].extents.size()) * size_of(p.type));
            addend = elsewhere.data();
        }
        blas_matmul(p, at.operands[0], at.operands[1], at.results[0], {&loops, c.of->after.what, f.alpha, f.beta, addend});
    } else if (is_of_blas(p.type))
        blas_matmul(p, at.operands[0], at.operands[1], at.results[0], {});
    else
        integer_matmul(p, at.operands[0], at.operands[1], at.results[0], loops);
}

void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (c.of->after.what == fusion::epilogue::form::none) return on.products.require(product_of(c));
    on.products.require();
    if (c.of->after.row) on.products.require_ends();
}

void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    if (c.of->after.what == fusion::epilogue::form::none)
        return on.products.matmul(product_of(c), at.operands[0], at.operands[1], at.results[0], {});
    if (c.of->after.row)
        return on.products.matmul(product_of(c), at.operands[0], at.operands[1], at.results[0], {.row = at.operands[2]});
    const factors_of_call f(c, at.numbers);
    const void* const addend = c.of->after.has_addend() ? at.operands[2] : nullptr;
    on.products.matmul(product_of(c), at.operands[0], at.operands[1], at.results[0], {f.alpha, addend ? f.beta : 0, addend});
}

// --- calls with an end ---

constexpr std::size_t factors = 4, ends = 5 * factors * factors;
constexpr std::size_t number_of(const fusion::epilogue& e) {
    return (static_cast<std::size_t>(e.what) * factors + static_cast<std::size_t>(e.alpha)) * factors +
           static_cast<std::size_t>(e.beta);
}

constexpr int addend[] = {2};  // behind its own operands

constexpr library_routine routine_with(const fusion::epilogue& end, bool on_gpu, std::span<const int> conjugates = {}) {
    // cuBLAS adds to what is in the result's memory; on the CPU the addend is read when the product is there already
    const bool in_place = on_gpu && end.has_addend() && !end.row;
    return {
        {.name = "matmul",
         .results = 1,
         .shape_of = shape_of,
         .misfit = misfit,
         .reads = end.row ? reads_with_row : reads,
         .overwrites = in_place ? std::span<const int>(addend) : std::span<const int>(),
         .conjugates = conjugates,
         .after = end},
        nullptr,
        nullptr,
        {.require = require_on_cpu, .workspace = nullptr, .run = run_on_cpu},
        {.require = require_on_gpu, .workspace = nullptr, .run = run_on_gpu},
    };
}
constexpr auto all_ends(bool on_gpu) {
    std::array<library_routine, ends> all{};
    for (std::size_t k = 0; k < ends; ++k)
        all[k] = routine_with({static_cast<fusion::epilogue::form>(k / factors / factors),
                               static_cast<fusion::factor>(k / factors % factors), static_cast<fusion::factor>(k % factors)},
                              on_gpu);
    return all;
}
/// Of the conjugate of the left operand, of the right one, of both.
constexpr int of_left[] = {0}, of_right[] = {1}, of_both[] = {0, 1};
const std::array<library_routine, 3> with_conjugates{routine_with({}, false, of_left), routine_with({}, false, of_right),
                                                     routine_with({}, false, of_both)};

constexpr std::array<library_routine, ends> ends_on_cpu = all_ends(false), ends_on_gpu = all_ends(true);

/// What cuBLASLt ends a product of matrices with as a kernel would, bit by bit: the product, in float32, plus a row.
constexpr library_routine ends_by_cublaslt[] = {
    routine_with({.what = fusion::epilogue::form::rounded, .row = true}, true),
};

/// Rows are those of the last axis, which of a vector on the right is not the row of a matrix.
const library_routine* with_row(const fusion::epilogue& end, dtype type, const shape& a, const shape& b) {
    if (type != dtype::f32 || a.rank() < 2 || b.rank() < 2) return nullptr;
    const int batch = std::max(batch_rank(a), batch_rank(b));
    std::int64_t matrices = 1;
    for (int axis = 0; axis < batch; ++axis) matrices *= batch_extent(a, b, axis);
    const std::int64_t rows = matrices * a[-2];
    constexpr std::int64_t most_matrices = 65'535;  // versions of cuBLASLt before 13 know no more
    if (matrices > most_matrices || std::max({rows, a[-1], b[-1]}) > std::numeric_limits<std::int32_t>::max())
        return nullptr;
    const auto of = std::find_if(std::begin(ends_by_cublaslt), std::end(ends_by_cublaslt),
                                 [&](const library_routine& r) { return r.after == end; });
    return of != std::end(ends_by_cublaslt) && cuda::blas_lt::found() ? of : nullptr;
}

/// Where there are terms: of none, what is left is no product. 16-bit floats are rounded between the product and the sum.
const fusion::library_op* with_end(const fusion::ended_call& c, const fusion::target& t) {
    const fusion::epilogue& end = c.after;
    if (c.window || end.what == fusion::epilogue::form::magnitude) return nullptr;
    if ((c.type != dtype::f32 && c.type != dtype::f64) || inner(*c.operands[1]) == 0) return nullptr;
    const bool on_gpu = t.device == fusion::target::kind::cuda;
    if (end.row) return on_gpu ? with_row(end, c.type, *c.operands[0], *c.operands[1]) : nullptr;
    return on_gpu ? &ends_on_gpu[number_of(end)] : &ends_on_cpu[number_of(end)];
}
/// Of products that may be less exact: cuBLASLt is asked for float32 alone.
const fusion::library_op* with_end_but_no_row(const fusion::ended_call& c, const fusion::target& t) {
    return c.after.row ? nullptr : with_end(c, t);
}

}  // namespace

bool is_kernel(const shape& a, const shape& b, dtype type, const fusion::target& t) {
    if (!is_of_blas(type)) return t.device == fusion::target::kind::cuda;
    return is_of_small(a, b, t.cost) || (!is_complex(type) && t.cost.kernel_is_gemv && is_read_once(a, b));
}

namespace libraries {
extern const library_routine matmul, matmul_tf32, matmul_bf16x9;
constexpr library_routine routine_named(std::string_view name, decltype(fusion::library_op::with) with) {
    return {
        {.name = name, .results = 1, .shape_of = shape_of, .misfit = misfit, .reads = reads, .with = with},
        formula,
        takes_short,
        {.require = require_on_cpu, .workspace = nullptr, .run = run_on_cpu},
        {.require = require_on_gpu, .workspace = nullptr, .run = run_on_gpu},
    };
}
constexpr library_routine matmul = routine_named("matmul", with_end);
constexpr library_routine matmul_tf32 = routine_named("matmul_tf32", with_end_but_no_row);
constexpr library_routine matmul_bf16x9 = routine_named("matmul_bf16x9", with_end_but_no_row);
}  // namespace libraries

}  // namespace frit::v0::detail
