// The formulas of the GPU benchmark over the rows of matrices: reductions along axes, what is scaled by them, stencils, all
// pairs, and a loop of stencils.
#include <cmath>

#include "gpu_cases.hpp"

namespace {

using value = frit::array<float>;
using frit::all, frit::newaxis;

value bias_gelu(const operands& in) {
    const value x = in[0] + in[1];
    return 0.5 * x * (1.0 + frit::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);

value heat2d(const operands& in) {
    const value& u = in[0];
    return u(inner, inner) +
           0.1 * (u(after, inner) + u(before, inner) + u(inner, after) + u(inner, before) - 4.0 * u(inner, inner));
}

arrays nbody(const arrays& in) {
    const auto at = [&](std::size_t i) { return in[i].as<float>(); };
    const auto difference = [](const value& p) -> value { return p(newaxis, all) - p(all, newaxis); };
    const value dx = difference(at(0)), dy = difference(at(1)), dz = difference(at(2));
    const value near = frit::rsqrt(dx * dx + dy * dy + dz * dz + 1e-3);
    const value pull = at(3)(newaxis, all) * near * near * near;
    value ax = frit::sum(pull * dx, 1), ay = frit::sum(pull * dy, 1), az = frit::sum(pull * dz, 1);
    frit::eval(ax, ay, az);
    return {ax, ay, az};
}

constexpr int iterations = 100, residual_every = 10;

/// Steps in place with a fixed boundary; the residual, a sum over the plate, is read on the host every 10 iterations.
arrays jacobi(const arrays& in) {
    value u = in[0].as<float>(), last, residual;
    const value f = in[1].as<float>();
    for (int k = 1; k <= iterations; ++k) {
        last = u;
        u(inner, inner) = 0.25 * (u(after, inner) + u(before, inner) + u(inner, after) + u(inner, before) + f(inner, inner));
        if (k % residual_every == 0) {
            residual = frit::sum(frit::square(u - last));
            frit::eval(u, residual);
            if (residual.item() < 1e-20) break;
        } else {
            u.eval();
        }
    }
    return {u, last, residual};
}

std::vector<double> row_of(const checker& c, std::size_t which, std::size_t r, std::size_t columns) {
    std::vector<double> row(columns);
    for (std::size_t j = 0; j < columns; ++j) row[j] = c.in(which, r * columns + j);
    return row;
}
double sum_of(const std::vector<double>& row, double (*term)(double)) {
    double sum = 0;
    for (const double v : row) sum += term(v);
    return sum;
}
double identity(double v) { return v; }

/// Both ends and 12 elements in between of [0, n).
std::vector<std::size_t> few(checker& c, std::size_t n) {
    std::vector<std::size_t> which{0, n - 1};
    for (int k = 0; k < 12; ++k) which.push_back(c.any(n));
    return which;
}

/// The check of a formula of rows: `expected` makes a row's result, of one element or as many as the row has, of the row.
template <class Expected>
std::function<void(checker&)> rows_check(const input& matrix, const Expected& expected) {
    return [matrix, expected](checker& c) {
        for (const std::size_t r : few(c, matrix.rows)) {
            const std::vector<double> out = expected(row_of(c, 0, r, matrix.columns), c);
            for (std::size_t j = 0; j < out.size(); ++j) c.compare(0, r * out.size() + j, out[j]);
        }
    };
}

std::vector<double> expected_softmax(std::vector<double> row, checker&) {
    const double largest = *std::max_element(row.begin(), row.end());
    for (double& v : row) v = std::exp(v - largest);
    const double sum = sum_of(row, identity);
    for (double& v : row) v /= sum;
    return row;
}
std::vector<double> expected_logsumexp(const std::vector<double>& row, checker&) {
    return {std::log(sum_of(row, [](double v) { return std::exp(v); }))};
}
std::vector<double> expected_layer_norm(std::vector<double> row, checker& c) {
    const auto n = static_cast<double>(row.size());
    const double mean = sum_of(row, identity) / n;
    for (double& v : row) v -= mean;
    const double scale = 1 / std::sqrt(sum_of(row, [](double v) { return v * v; }) / n + 1e-5);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = row[j] * scale * c.in(1, j) + c.in(2, j);
    return row;
}
std::vector<double> expected_gelu(std::vector<double> row, checker& c) {
    for (std::size_t j = 0; j < row.size(); ++j) {
        const double x = row[j] + c.in(1, j);
        row[j] = 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    }
    return row;
}

void check_var(checker& c, std::size_t n) {
    const double mean = parallel_sum(n, [&](std::size_t i) { return c.in(0, i); }) / static_cast<double>(n);
    const double squares = parallel_sum(n, [&](std::size_t i) { return std::pow(c.in(0, i) - mean, 2); });
    c.compare(0, 0, squares / static_cast<double>(n));
}

void check_heat(checker& c, std::size_t n) {
    for (const std::size_t r : few(c, n - 2)) {  // row r of the result is row r + 1 of the plate
        const std::vector<double> up = row_of(c, 0, r, n), u = row_of(c, 0, r + 1, n), down = row_of(c, 0, r + 2, n);
        for (std::size_t j = 1; j + 1 < n; ++j)
            c.compare(0, r * (n - 2) + j - 1, u[j] + 0.1 * (up[j] + down[j] + u[j - 1] + u[j + 1] - 4 * u[j]));
    }
}

void check_nbody(checker& c, std::size_t n) {
    const std::vector<double> x = row_of(c, 0, 0, n), y = row_of(c, 1, 0, n), z = row_of(c, 2, 0, n), m = row_of(c, 3, 0, n);
    for (const std::size_t i : few(c, n)) {
        double ax = 0, ay = 0, az = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const double pull = m[j] * std::pow(dx * dx + dy * dy + dz * dz + 1e-3, -1.5);
            ax += pull * dx, ay += pull * dy, az += pull * dz;
        }
        c.compare(0, i, ax), c.compare(1, i, ay), c.compare(2, i, az);
    }
}

/// A hundred iterations see a hundred cells far: exact inside a window, computed with so wide a frame around it. The
/// residual is that of the last two plates.
void check_jacobi(checker& c, std::size_t n) {
    const std::size_t w = std::min<std::size_t>(n, 48), frame = iterations;
    const std::size_t corners[][2] = {{0, 0}, {n / 2, 0}, {n - w, n - w}, {n / 3, n / 2}};
    for (const auto& [row, column] : corners) {
        const std::size_t r0 = row > frame ? row - frame : 0, c0 = column > frame ? column - frame : 0;
        const std::size_t rows = std::min(n, row + w + frame) - r0, columns = std::min(n, column + w + frame) - c0;
        std::vector<double> u(rows * columns), f(rows * columns), last;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                u[i * columns + j] = c.in(0, (r0 + i) * n + c0 + j);
                f[i * columns + j] = c.in(1, (r0 + i) * n + c0 + j);
            }
        for (int k = 0; k < iterations; ++k) {
            last = u;
            for (std::size_t i = 1; i + 1 < rows; ++i)
                for (std::size_t at = i * columns + 1; at + 1 < (i + 1) * columns; ++at)
                    u[at] = 0.25 * (last[at - columns] + last[at + columns] + last[at - 1] + last[at + 1] + f[at]);
        }
        for (std::size_t i = row; i < std::min(n, row + w); ++i)
            for (std::size_t j = column; j < std::min(n, column + w); ++j) {
                const std::size_t at = (i - r0) * columns + j - c0;
                c.compare(0, i * n + j, u[at]), c.compare(1, i * n + j, last[at]);
            }
    }
    c.compare(2, 0, parallel_sum(n * n, [&](std::size_t i) { return std::pow(c.out(0, i) - c.out(1, i), 2); }));
}

}  // namespace

std::vector<workload> make_rows(bool tiny) {
    const auto matrix = [=](std::size_t rows, std::size_t columns, const column& c = {}) {
        return tiny ? input{c, std::max<std::size_t>(24, rows >> 10), std::max<std::size_t>(40, columns >> 5)}
                    : input{c, rows, columns};
    };
    const auto square = [=](std::size_t n, const column& c = {}) { return tiny ? input{c, 96, 96} : input{c, n, n}; };
    const auto vector = [](const input& m, const column& c = {}) { return input{c, 1, m.columns}; };
    const auto floats = [](std::size_t n) { return 4.0 * static_cast<double>(n); };
    std::vector<workload> list;

    const input line{{0.5, 0.5}, 1, tiny ? std::size_t{100'000} : std::size_t{1} << 28};
    list.push_back({.name = "var",
                    .inputs = {line},
                    .written = 4,
                    .run = evaluated([](const operands& in) -> value { return frit::var(in[0]); }),
                    .check = [line](checker& c) { check_var(c, line.columns); },
                    .bar = 1.0});

    const input plate = square(16384);
    const std::size_t n = plate.rows;
    list.push_back({.name = "rowsum",
                    .inputs = {plate},
                    .written = floats(n),
                    .run = evaluated([](const operands& in) -> value { return frit::sum(in[0], 1); }),
                    .check = rows_check(plate, [](const auto& row, checker&) { return std::vector{sum_of(row, identity)}; }),
                    .tolerance = 1e-4,  // sums near 0
                    .bar = 1.05});
    list.push_back({.name = "rownorm",
                    .inputs = {plate},
                    .written = floats(n),
                    .run = evaluated([](const operands& in) -> value { return frit::sqrt(frit::sum(in[0] * in[0], 1)); }),
                    .check = rows_check(plate,
                                        [](const auto& row, checker&) {
                                            return std::vector{std::sqrt(sum_of(row, [](double v) { return v * v; }))};
                                        }),
                    .bar = 1.05});
    list.push_back({.name = "colsum",
                    .inputs = {plate},
                    .written = floats(n),
                    .run = evaluated([](const operands& in) -> value { return frit::sum(in[0], 0); }),
                    .check =
                        [n](checker& c) {
                            for (const std::size_t j : few(c, n)) {
                                double sum = 0;
                                for (std::size_t i = 0; i < n; ++i) sum += c.in(0, i * n + j);
                                c.compare(0, j, sum);
                            }
                        },
                    .tolerance = 1e-4,
                    .bar = 1.03});
    // Many short rows, of lengths that vector accesses divide and of others.
    for (const std::size_t length : {3, 7, 16, 33}) {
        const std::size_t all = tiny ? 4096 : std::size_t{1} << 28;
        const input m{{}, all / length, length};
        list.push_back({.name = "rows_of_" + std::to_string(length),
                        .inputs = {m},
                        .written = floats(m.rows),
                        .run = evaluated([](const operands& in) -> value { return frit::sum(in[0], 1); }),
                        .check = rows_check(m, [](const auto& row, checker&) { return std::vector{sum_of(row, identity)}; }),
                        .tolerance = 1e-4});
    }
    const input narrow{{}, tiny ? std::size_t{128} : std::size_t{1} << 23, 33};
    list.push_back({.name = "softmax_33",
                    .inputs = {narrow},
                    .written = narrow.bytes(),
                    .run = evaluated([](const operands& in) -> value { return frit::softmax(in[0], -1); }),
                    .check = rows_check(narrow, expected_softmax)});
    for (const auto& [name, m, bar] :
         {std::tuple{"softmax_4096", matrix(16384, 4096), 0.95}, {"softmax_1024", matrix(65536, 1024), 0.97}})
        list.push_back({.name = name,
                        .inputs = {m},
                        .written = m.bytes(),
                        .run = evaluated([](const operands& in) -> value { return frit::softmax(in[0], -1); }),
                        .check = rows_check(m, expected_softmax),
                        .bar = bar});
    const input wide = matrix(32768, 4096);
    list.push_back(
        {.name = "layernorm",
         .inputs = {wide, vector(wide), vector(wide)},
         .written = wide.bytes(),
         .run = evaluated([](const operands& in) -> value { return frit::layer_norm(in[0], -1) * in[1] + in[2]; }),
         .check = rows_check(wide, expected_layer_norm),
         .bar = 1.0});
    for (const auto& [type, name] : {std::pair{frit::dtype::f16, "_f16"}, std::pair{frit::dtype::bf16, "_bf16"}}) {
        const auto of_type = [t = type](input i) {
            i.elements.type = t;
            return i;
        };
        const input m = of_type(matrix(32768, 4096)), weights = of_type(vector(wide));
        list.push_back({.name = std::string("softmax_4096") + name,
                        .inputs = {m},
                        .written = m.bytes(),
                        .run = [](const arrays& in) -> arrays { return {softmax(in[0], -1).eval()}; },
                        .check = rows_check(m, expected_softmax),
                        .tolerance = 1e-2,
                        .bar = 0.95});
        list.push_back({.name = std::string("layernorm") + name,
                        .inputs = {m, weights, weights},
                        .written = m.bytes(),
                        .run = [](const arrays& in) -> arrays { return {(layer_norm(in[0], -1) * in[1] + in[2]).eval()}; },
                        .check = rows_check(m, expected_layer_norm),
                        .tolerance = 1e-2,
                        .bar = 0.95});
    }
    const input tall = matrix(65536, 4096);
    list.push_back({.name = "logsumexp",
                    .inputs = {tall},
                    .written = floats(tall.rows),
                    .run = evaluated([](const operands& in) -> value { return frit::logsumexp(in[0], -1); }),
                    .check = rows_check(tall, expected_logsumexp),
                    .bar = 1.0});
    list.push_back({.name = "bias_gelu",
                    .inputs = {wide, vector(wide)},
                    .written = wide.bytes(),
                    .run = evaluated(bias_gelu),
                    .check = rows_check(wide, expected_gelu),
                    .bar = 0.99});
    list.push_back({.name = "transpose_add",
                    .inputs = {plate, plate},
                    .written = plate.bytes(),
                    .run = evaluated([](const operands& in) -> value { return in[0] + in[1].T(); }),
                    .check =
                        [n](checker& c) {
                            for (const std::size_t at : sample(c, n * n))
                                c.compare(0, at, c.in(0, at) + c.in(1, at % n * n + at / n));
                        },
                    .bar = 1.0});
    list.push_back({.name = "heat2d",
                    .inputs = {plate},
                    .written = floats((n - 2) * (n - 2)),
                    .run = evaluated(heat2d),
                    .check = [n](checker& c) { check_heat(c, n); },
                    .bar = 0.85});

    const input points = vector(plate);
    const double pairs = static_cast<double>(n) * static_cast<double>(n);
    list.push_back({.name = "pairwise",
                    .inputs = {points, points},
                    .written = floats(n),
                    .run = evaluated([](const operands& in) -> value {
                        return frit::sum(frit::abs(in[0](all, newaxis) - in[1](newaxis, all)), 1);
                    }),
                    .check =
                        [n](checker& c) {
                            const std::vector<double> y = row_of(c, 1, 0, n);
                            for (const std::size_t i : few(c, n)) {
                                double sum = 0;
                                for (const double v : y) sum += std::abs(c.in(0, i) - v);
                                c.compare(0, i, sum);
                            }
                        },
                    .operations = 3 * pairs,
                    .bar = 15});
    list.push_back({.name = "nbody",
                    .inputs = {points, points, points, vector(plate, {0.1, 1})},
                    .written = 3 * floats(n),
                    .run = nbody,
                    .check = [n](checker& c) { check_nbody(c, n); },
                    .operations = 20 * pairs,
                    .tolerance = 1e-3,
                    .bar = 27});
    const input field = square(8192), source = square(8192, {0, 1e-2});
    list.push_back({.name = "jacobi",
                    .inputs = {field, source},
                    .written = field.bytes(),
                    .run = jacobi,
                    .check = [m = field.rows](checker& c) { check_jacobi(c, m); },
                    .passes = iterations,
                    .bar = 0.85});
    return list;
}
