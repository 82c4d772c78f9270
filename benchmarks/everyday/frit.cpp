// The everyday programs written with frit, statement by statement as in everyday.py.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "everyday.hpp"

namespace {

using everyday::checksum, everyday::evals, everyday::sequence;
using frit::all, frit::array, frit::newaxis, frit::none, frit::slice;

const slice inner(1, -1), before(0, -2), after(2, none);

array<double> numbers(const frit::shape& extents, double low = -2, double high = 2, double step = 0.6180339887498949) {
    return frit::from_host(sequence<double>(static_cast<std::size_t>(extents.size()), low, high, step), extents);
}

/// The lid-driven cavity of L. A. Barba and G. F. Forsyth, "CFD Python", step 11: flow in a box whose lid moves.
struct cavity {
    static constexpr int points = 41, pressure_rounds = 50;
    std::size_t steps;
    evals when;
    array<double> u{}, v{}, p{};

    void pressure(const array<double>& b, double d2) {
        p(inner, inner) =
            ((p(inner, after) + p(inner, before)) * d2 + (p(after, inner) + p(before, inner)) * d2) / (4 * d2) -
            d2 * d2 / (4 * d2) * b(inner, inner);
        p(all, -1) = p(all, -2);
        p(0, all) = p(1, all);
        p(all, 0) = p(all, 1);
        p(-1, all) = 0.0;
    }
    void call() {
        const double dt = 0.001, d = 2.0 / (points - 1), d2 = d * d, nu = 0.1;
        u = v = p = frit::zeros<double>({points, points});
        array<double> b = frit::zeros<double>({points, points});
        for (std::size_t k = 0; k < steps; ++k) {
            b(inner, inner) =
                1 / dt * ((u(inner, after) - u(inner, before)) / (2 * d) + (v(after, inner) - v(before, inner)) / (2 * d)) -
                square((u(inner, after) - u(inner, before)) / (2 * d)) -
                2 * ((u(after, inner) - u(before, inner)) / (2 * d) * (v(inner, after) - v(inner, before)) / (2 * d)) -
                square((v(after, inner) - v(before, inner)) / (2 * d));
            for (int round = 0; round < pressure_rounds; ++round) pressure(b, d2);
            const array<double> un = u, vn = v;
            const auto flow = [&](const array<double>& f) {
                return f(inner, inner) - un(inner, inner) * dt / d * (f(inner, inner) - f(inner, before)) -
                       vn(inner, inner) * dt / d * (f(inner, inner) - f(before, inner)) +
                       nu * (dt / d2 * (f(inner, after) - 2 * f(inner, inner) + f(inner, before)) +
                             dt / d2 * (f(after, inner) - 2 * f(inner, inner) + f(before, inner)));
            };
            u(inner, inner) = flow(un) - dt / (2 * d) * (p(inner, after) - p(inner, before));
            v(inner, inner) = flow(vn) - dt / (2 * d) * (p(after, inner) - p(before, inner));
            u(0, all) = 0.0;
            u(all, 0) = 0.0;
            u(all, -1) = 0.0;
            u(-1, all) = 1.0;
            v(0, all) = 0.0;
            v(-1, all) = 0.0;
            v(all, 0) = 0.0;
            v(all, -1) = 0.0;
            if (when == evals::step) frit::eval(u, v, p);
        }
        frit::eval(u, v, p);
    }
    array<double> result() const { return u + 2 * v + p; }
};

struct stencil {
    std::int64_t side;
    std::size_t steps;
    evals when;
    array<double> start = numbers({side, side}), u{};

    void recorded() const {
        if (when == evals::statement) u.eval();
    }
    void call() {
        u = start;
        for (std::size_t k = 0; k < steps; ++k) {
            u(inner, inner) = 0.25 * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after));
            recorded();
            u(0, all) = u(1, all);
            recorded();
            u(-1, all) = u(-2, all);
            recorded();
            u(all, 0) = u(all, 1);
            recorded();
            u(all, -1) = u(all, -2);
            recorded();
            if (when == evals::step) u.eval();
        }
        u.eval();
    }
    array<double> result() const { return u; }
};

struct row_write {
    array<float> u = frit::from_host(sequence<float>(1'000'000), {1000, 1000});
    void call() {
        u(6) = u(5) * 2;
        u.eval();
    }
    array<float> result() const { return u; }
};

struct element_write {
    array<float> u = frit::from_host(sequence<float>(1'000'000), {1000, 1000});
    void call() {
        u(0, 0) = u(999, 999);
        u.eval();
    }
    array<float> result() const { return u; }
};

struct recurrence {
    std::int64_t steps;
    evals when;
    array<double> x = numbers({steps + 1, 4096}), y{};
    void call() {
        y = frit::zeros<double>({steps + 1, 4096});
        for (std::int64_t k = 1; k <= steps; ++k) {
            y(k) = 0.9 * y(k - 1) + x(k);
            if (when == evals::statement) y.eval();
        }
        y.eval();
    }
    array<double> result() const { return y; }
};

struct scalar_writes {
    std::int64_t writes;
    evals when;
    array<double> y = frit::zeros<double>({100, 100});
    void call() {
        for (std::int64_t k = 0; k < writes; ++k) {
            y(k / 100 % 100, k % 100) = static_cast<double>(k);
            if (when == evals::statement) y.eval();
        }
        y.eval();
    }
    array<double> result() const { return y; }
};

struct generator {
    double n, sum = 0;
    void call() {
        array<double> a = frit::arange<double>(n);
        sum = frit::sum(a * a).item();
    }
    array<double> result() const { return frit::scalar(sum); }
};

struct generator_temporary {
    double n, sum = 0;
    void call() { sum = frit::sum(frit::square(frit::arange<double>(n))).item(); }
    array<double> result() const { return frit::scalar(sum); }
};

/// One statement, evaluated.
template <class T, class F>
struct statement {
    array<T> x;
    F formula;
    std::invoke_result_t<F, array<T>&> y{};
    void call() {
        y = formula(x);
        y.eval();
    }
    auto result() const { return y; }
};

struct middle_of_sorted {
    std::int64_t n;
    array<double> x = numbers({n});
    double middle = 0;
    void call() { middle = frit::sort(x)(n / 2).item(); }
    array<double> result() const { return frit::scalar(middle); }
};

/// Accelerations of bodies: every pair's difference is an element.
struct nbody {
    std::int64_t n;
    array<double> p = numbers({n, 3}), mass = numbers({n}, 0.1, 1, 0.2360679774997896), pull{};
    void call() {
        array<double> d = p(newaxis, all, all) - p(all, newaxis, all);
        array<double> near = 1 / sqrt(frit::sum(d * d, 2) + 1e-3);
        array<double> weight = mass * near * near * near;
        pull = frit::sum(d * weight(all, all, newaxis), 1);
        pull.eval();
    }
    array<double> result() const { return pull; }
};

struct nbody_apart {
    std::int64_t n;
    array<double> p = numbers({n, 3}), mass = numbers({n}, 0.1, 1, 0.2360679774997896);
    array<double> x = array<double>(p(all, 0)).eval(), y = array<double>(p(all, 1)).eval(),
                  z = array<double>(p(all, 2)).eval();
    array<double> ax{}, ay{}, az{};
    void call() {
        array<double> dx = x - x(all, newaxis), dy = y - y(all, newaxis), dz = z - z(all, newaxis);
        array<double> near = 1 / sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
        array<double> weight = mass * near * near * near;
        ax = frit::sum(dx * weight, 1), ay = frit::sum(dy * weight, 1), az = frit::sum(dz * weight, 1);
        frit::eval(ax, ay, az);
    }
    array<double> result() const { return ax + 2 * ay + 3 * az; }
};

struct heat {
    std::int64_t side;
    array<double> u = numbers({side, side});
    void call() {
        u(inner, inner) = u(inner, inner) + 0.1 * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) -
                                                   4 * u(inner, inner));
        u.eval();
    }
    array<double> result() const { return u; }
};

struct matrices {
    std::int64_t count;
    array<double> a = numbers({count, 3, 3}), b = numbers({count, 3, 3}, -2, 2, 0.4142135623730950), c{};
    void call() {
        c = frit::sum(a(all, all, all, newaxis) * b(all, newaxis, all, all), 2);
        c.eval();
    }
    array<double> result() const { return c; }
};

/// The Lorenz system by the classical Runge-Kutta method, its three numbers three 0-d arrays.
struct lorenz {
    std::size_t steps;
    evals when;
    struct state {
        array<double> x, y, z;
    };
    state s{};
    static state slope(const state& s) {
        array<double> x = 10.0 * (s.y - s.x), y = s.x * (28.0 - s.z) - s.y, z = s.x * s.y - 8.0 / 3.0 * s.z;
        return {x, y, z};
    }
    static state moved(const state& s, double h, const state& k) {
        array<double> x = s.x + h * k.x, y = s.y + h * k.y, z = s.z + h * k.z;
        return {x, y, z};
    }
    void call() {
        const double h = 0.001;
        s = {frit::scalar(1.0), frit::scalar(1.0), frit::scalar(20.0)};
        for (std::size_t n = 0; n < steps; ++n) {
            const state a = slope(s), b = slope(moved(s, h / 2, a)), c = slope(moved(s, h / 2, b)),
                        d = slope(moved(s, h, c));
            s.x = s.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
            s.y = s.y + h / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
            s.z = s.z + h / 6 * (a.z + 2 * b.z + 2 * c.z + d.z);
            if (when == evals::step) frit::eval(s.x, s.y, s.z);
        }
        frit::eval(s.x, s.y, s.z);
    }
    array<double> result() const { return s.x + 2 * s.y + 3 * s.z; }
};

struct convolution {
    evals when;
    array<double> x = numbers({3, 66, 66}), weights = numbers({8, 3, 3, 3}, -1, 1, 0.4142135623730950), y{};
    void call() {
        y = frit::zeros<double>({8, 64, 64});
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    y = y + weights(all, c, i, j, newaxis, newaxis) * x(c, slice(i, i + 64), slice(j, j + 64));
                    if (when == evals::statement) y.eval();
                }
        y.eval();
    }
    array<double> result() const { return y; }
};

struct items {
    std::int64_t n;
    array<double> x = numbers({n});
    double sum = 0;
    void call() {
        sum = 0;
        for (std::int64_t k = 0; k < n; ++k) sum += x(k).item();
    }
    array<double> result() const { return frit::scalar(sum); }
};

struct distance {
    std::int64_t n;
    array<double> x = numbers({n}), y = numbers({n}, -2, 2, 0.4142135623730950);
    double sum = 0;
    void call() {
        array<double> d = x - y;
        sum = frit::sum(d * d).item();
    }
    array<double> result() const { return frit::scalar(sum); }
};

/// A step of an iteration that looks at how far it moved.
struct residual {
    std::int64_t n;
    array<double> u = numbers({n});
    double r = 0;
    void call() {
        array<double> v = 0.9 * u + 0.1;
        r = frit::linalg::norm(v - u).item();
        u = v;
    }
    array<double> result() const { return frit::scalar(r); }
};

double total(const std::string& what) {
    const frit::counters c = frit::stats();
    const std::uint64_t value = what == "kernels" ? c.kernels_launched + c.library_calls
                                : what == "read"  ? c.bytes_read
                                                  : c.bytes_written;
    return static_cast<double>(value);
}

template <class Program>
job make(Program program) {
    auto p = std::make_shared<Program>(std::move(program));
    frit::synchronize();
    return {[p] { p->call(); }, [p] { return checksum(p->result().to_vector()); }, total};
}

template <class T, class F>
job make_statement(const array<T>& x, F formula) {
    return make(statement<T, F>{x, formula});
}

}  // namespace

job everyday::frit_job(std::string_view program, std::size_t size, evals when) {
    const auto n = static_cast<std::int64_t>(size), side = static_cast<std::int64_t>(std::lround(std::sqrt(double(size))));
    if (program == "cavity") return make(cavity{size, when});
    if (program == "stencil_41") return make(stencil{41, size, when});
    if (program == "stencil_201") return make(stencil{201, size, when});
    if (program == "row_write") return make(row_write{});
    if (program == "element_write") return make(element_write{});
    if (program == "recurrence") return make(recurrence{n, when});
    if (program == "scalar_writes") return make(scalar_writes{n, when});
    if (program == "generator") return make(generator{static_cast<double>(n)});
    if (program == "generator_temporary") return make(generator_temporary{static_cast<double>(n)});
    if (program == "pow") return make_statement(numbers({n}), [](array<double>& y) { return array<double>(pow(y, 2)); });
    if (program == "product") return make_statement(numbers({n}), [](array<double>& y) { return array<double>(y * y); });
    if (program == "floor_divide")
        return make_statement(frit::from_host(sequence<int>(size, -1e6, 1e6)),
                              [](array<int>& k) { return array<int>(floor_divide(k, 7)); });
    if (program == "sort")
        return make_statement(numbers({n / 1000, 1000}), [](array<double>& x) { return array<double>(frit::sort(x)); });
    if (program == "argsort")
        return make_statement(numbers({n / 1000, 1000}),
                              [](array<double>& x) { return array<std::int64_t>(frit::argsort(x)); });
    if (program == "median") return make(middle_of_sorted{n});
    if (program == "nbody") return make(nbody{side});
    if (program == "nbody_apart") return make(nbody_apart{side});
    if (program == "rows_of_3")
        return make_statement(frit::from_host(sequence<float>(size / 3 * 3), {n / 3, 3}),
                              [](array<float>& x) { return array<float>(frit::sum(x, 1)); });
    if (program == "heat") return make(heat{side});
    if (program == "matrices") return make(matrices{n / 9});
    if (program == "lorenz") return make(lorenz{size, when});
    if (program == "convolution") return make(convolution{when});
    for (const std::int64_t taps : {5, 15, 101}) {
        const bool line = program == "convolve_" + std::to_string(taps);
        if (!line && program != "convolve2d_" + std::to_string(taps)) continue;
        return make_statement(line ? numbers({n}) : numbers({side, side}),
                              [k = line ? numbers({taps}) : numbers({taps, taps})](array<double>& x) {
                                  return array<double>(convolve(x, k));
                              });
    }
    if (program == "map") return make_statement(numbers({n}), [](array<double>& x) { return array<double>(x * 2 + 1); });
    if (program == "items") return make(items{n});
    if (program == "distance") return make(distance{n});
    if (program == "residual") return make(residual{n});
    throw std::runtime_error("no such program: " + std::string(program));
}
