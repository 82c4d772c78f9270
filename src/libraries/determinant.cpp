// Determinants, of LU factors: the product of U's diagonal, and a sign for the rows that were exchanged, in double whatever
// the dtype. On the CPU the product is kept as a number near 1 and a power of 2, so that nothing overflows on the way; on a
// GPU it is a formula, of logarithms.
#include <array>
#include <cmath>

#include "frit/detail/attributes.hpp"
#include "src/libraries/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t value = 0, sign = 1, logarithm = 2;  // the results, as the rows of ops.def number them

const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& a = *operands[0];
    return a.rank() >= 2 && a[-1] == a[-2] ? shape_behind_batch(a, {}, made) : nullptr;
}

template <class T>
struct factor_scratch {
    T* factors;
    int* pivots;
    factor_scratch(memory_parts& from, std::int64_t n) : factors(from.take<T>(n * n)), pivots(from.take<int>(n)) {}
};
template <class T>
std::size_t bytes_of_a_task(std::int64_t n) {
    memory_parts parts(nullptr);
    (void)factor_scratch<T>(parts, n);
    return parts.used();
}

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    const matrix_operand a(c.operands[0]);
    return with_lapack_type(
        a.type, [&]<class T>(T) { return batch_workspace(batch_size(a.of->extents), bytes_of_a_task<T>(a.rows)); });
}

double scaled(double x, int by) { return std::ldexp(x, by); }
std::complex<double> scaled(std::complex<double> x, int by) { return {std::ldexp(x.real(), by), std::ldexp(x.imag(), by)}; }
double size_of_number(double x) { return std::fabs(x); }
double size_of_number(std::complex<double> x) { return std::fmax(std::fabs(x.real()), std::fabs(x.imag())); }

/// mantissa * 2^exponent.
template <class Wide>
struct scaled_product {
    Wide mantissa = 1;
    std::int64_t exponent = 0;

    void multiply(Wide by) {
        take_out(by);
        mantissa *= by;
        take_out(mantissa);
    }
    Wide whole() const {
        constexpr std::int64_t most = 4000;  // beyond every exponent
        return scaled(mantissa, static_cast<int>(std::clamp(exponent, -most, most)));
    }
    Wide sign() const {
        const double length = std::abs(mantissa);
        return length == 0 ? Wide(0) : mantissa / length;
    }
    double logarithm() const {
        return std::log(std::abs(mantissa)) + static_cast<double>(exponent) * 0.69314718055994530942;
    }

private:
    void take_out(Wide& x) {
        int power = 0;
        const double size = size_of_number(x);
        if (size == 0 || !std::isfinite(size)) return;
        std::frexp(size, &power);
        x = scaled(x, -power);
        exponent += power;
    }
};

template <class T>
auto product_of(const factor_scratch<T>& s, std::int64_t n) {
    using wide = std::conditional_t<std::is_same_v<T, real_of<T>>, double, std::complex<double>>;
    scaled_product<wide> p;
    for (std::int64_t k = 0; k < n; ++k) {
        p.multiply(wide(s.factors[k * n + k]));
        if (s.pivots[k] != k + 1) p.mantissa = -p.mantissa;
    }
    return p;
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const matrix_operand a(c.operands[0]);
    const std::int64_t n = a.rows;
    const double cost = matrix_cost(a.type, static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 3);
    with_lapack_type(a.type, [&]<class T>(T) {
        const lapack<T>& by = the_lapack(c.of->name).of<T>();
        for_each_matrix(c, batch_size(a.of->extents), bytes_of_a_task<T>(n), cost, at.workspace, "has no determinant",
                        [&](std::int64_t i, std::byte* scratch) {
                            memory_parts parts(scratch);
                            const factor_scratch<T> s(parts, n);
                            copy_matrix(a, static_cast<const T*>(at.operands[0]) + a.offset(i), s.factors);
                            if (n > 0) by.getrf(static_cast<int>(n), static_cast<int>(n), s.factors, s.pivots);
                            const auto p = product_of(s, n);
                            if (at.results[value]) static_cast<T*>(at.results[value])[i] = T(p.whole());
                            if (at.results[sign]) static_cast<T*>(at.results[sign])[i] = T(p.sign());
                            if (at.results[logarithm])
                                static_cast<real_of<T>*>(at.results[logarithm])[i] = real_of<T>(p.logarithm());
                            return true;
                        });
    });
}

// --- on a GPU: a formula over packed factors ---

using fusion::graph;
using fusion::value_id;

/// A factor of the determinant: its modulus, and what is left of it without that, whose imaginary part may be none.
struct polar {
    value_id modulus, re, im;
};

value_id op_of(graph& g, op code, value_id a, value_id b) { return g.add_op(code, std::array{a, b}); }
value_id number(graph& g, double x, value_id like) {
    return g.broadcast(g.add_constant(dtype::f64, x), g.values[like].extents);
}

/// The diagonal of U, in double; negative where a row was exchanged.
polar factors_of(graph& g, value_id packed, value_id exchanged) {
    const shape of = g.extents(packed);
    const value_id diagonal = g.add_view(packed, diagonal_attribute(of, 0, -2, -1, unknown_line));
    const shape& along = g.extents(diagonal);
    const value_id place = g.add_coord(dtype::i64, coord_attribute(along, along.rank() - 1));
    const value_id stays = op_of(g, op::eq, exchanged, op_of(g, op::add, place, g.add_whole_constant(1)));
    const value_id one = number(g, 1, diagonal), zero = number(g, 0, diagonal);
    const value_id sign = g.add_selection(stays, one, number(g, -1, diagonal));
    const auto part = [&](op which) {
        const dtype type = g.values[diagonal].type;
        const value_id x = is_complex(type) ? g.add_raw(which, real_dtype(type), std::array{diagonal}) : diagonal;
        return op_of(g, op::mul, g.add_cast(x, dtype::f64), sign);
    };
    const value_id re = part(op::real);
    if (!is_complex(g.values[diagonal].type)) {
        const value_id modulus = g.add_op(op::abs, std::array{re});
        return {modulus, g.add_op(op::sign, std::array{re}), fusion::no_value};
    }
    const value_id im = part(op::imag), modulus = op_of(g, op::hypot, re, im);
    const value_id is_zero = op_of(g, op::eq, modulus, zero);
    const auto unit = [&](value_id x) { return g.add_selection(is_zero, zero, op_of(g, op::div, x, modulus)); };
    return {modulus, unit(re), unit(im)};
}

value_id from_factors(graph& g, op code, std::span<const value_id> operands) {
    const library_routine& lu = routine_of(op::lu_packed);
    const dtype type = g.values[operands[0]].type;
    const polar p = factors_of(g, g.add_library(op::lu_packed, lu, operands), g.add_library(op::lu_pivots, lu, operands));
    const axes last(-1);
    const attribute_ref over = reduce_attribute("det", g.extents(p.modulus), {.which = &last, .where = unknown_line});
    const value_id logarithm = g.add_reduction(op::sum, g.add_op(op::log, std::array{p.modulus}), over.get());
    if (code == op::log_determinant) return g.add_cast(logarithm, real_dtype(type));
    const auto scaled = [&](value_id x) {
        if (code == op::determinant) x = op_of(g, op::mul, x, g.add_op(op::exp, std::array{logarithm}));
        return g.add_cast(x, real_dtype(type));
    };
    if (!is_complex(type)) return scaled(g.add_reduction(op::prod, p.re, over.get()));
    const value_id re = g.add_reduction(op::prod_real, p.re, over.get(), p.im);
    const value_id im = g.add_reduction(op::prod_imag, p.re, over.get(), p.im);
    return g.add_op(op::complex, std::array{scaled(re), scaled(im)});
}
/// cuSOLVER makes numbers of NaN.
value_id formula(graph& g, op code, std::span<const value_id> operands, const fusion::target& t) {
    if (t.device != fusion::target::kind::cuda) return fusion::no_value;
    return nan_unless(g, are_numbers(g, operands[0], 0), from_factors(g, code, operands));
}

}  // namespace

namespace libraries {
extern const library_routine determinant;
const library_routine determinant{
    {.name = "det", .results = 3, .shape_of = shape_of, .misfit = needs_square_matrices, .reads = reads_matrices},
    formula,
    nullptr,
    {.require = require_lapack, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = refuse_on_gpu, .workspace = nullptr, .run = never_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
