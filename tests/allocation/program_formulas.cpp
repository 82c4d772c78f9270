// What is computed: formulas over many dtypes, reductions, rows, products, scans, sorts, plans and what explains them.
#include <cmath>
#include <numeric>

#include "tests/allocation/program.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::none;
using frit::slice;

template <class T>
void arithmetic_of(ledger& l) {
    array<T> x = frit_call([] { return frit::arange<T>(1, 40); });
    array<T> y = frit_call([&] { return array<T>((x + T(3)) * x - x / T(2)); });
    l.note(frit_call([&] { return y.to_vector(); }));
    const array<T> z = frit_call([&] { return frit::where(x > T(7), y, frit::minimum(x, y) + T(1)).eval(); });
    l.note(frit_call([&] { return z.to_vector(); }));
    l.note(std::to_string(static_cast<double>(frit_call([&] { return frit::sum(z).item(); }))));
    l.note(frit_call([&] { return (z == y || z < T(5)).to_vector(); }));
}

void arithmetic(ledger& l) {
    arithmetic_of<std::int8_t>(l);
    arithmetic_of<std::int32_t>(l);
    arithmetic_of<std::uint64_t>(l);
    arithmetic_of<float>(l);
    arithmetic_of<double>(l);
    l.note(frit_call([] { return frit::cast<int>(frit::linspace(0.0, 9.5, 12)).to_vector(); }));
}

void functions(ledger& l) {
    const array<double> x = frit_call([] { return frit::linspace(0.1, 3.0, 50).eval(); });
    const array<double> a = frit_call([&] { return sin(x) * exp(-x * x) + log(x) / sqrt(x); });
    const array<double> b = frit_call([&] { return pow(a, 2.0) + tanh(x) - erf(x) * 3.0; });
    frit_call([&] { frit::eval(a, b); });
    l.note(frit_call([&] { return b.to_vector(); }));
    l.note(frit_call([&] { return (a * b + frit::sum(a)).to_vector(); }));
}

void views(ledger& l) {
    array<float> x = frit_call([] { return frit::arange<float>(0, 60).reshape({6, 10}); });
    const array<float> t = frit_call([&] { return x.T()(slice(none, none, -1)) + 1.0F; });
    l.note(frit_call([&] { return t.to_vector(); }));
    l.note(frit_call([&] { return frit::pad(x, {{1, 2}, {0, 1}}, frit::pad_mode::edge).to_vector(); }));
    l.note(frit_call([&] { return frit::pad(x, {{1, 2}, {0, 1}}).to_vector(); }));
    l.note(frit_call([&] { return frit::diagonal(x, 1).to_vector(); }));
    l.note(frit_call([&] { return frit::flip(x, 1)(2, frit::all).to_vector(); }));
    l.note(frit_call([&] { return frit::squeeze(frit::expand_dims(x, 0)).to_vector(); }));
    l.note(frit_call([&] { return frit::broadcast_to(x(0, frit::all), {3, 10}).to_vector(); }));
    l.note(frit_call([&] { return frit::transpose(x.reshape({2, 3, 10}), {2, 0, 1}).to_vector(); }));
    l.note(frit_call([&] { return frit::concatenate(0, x, x + 1.0F).to_vector(); }));
    const std::vector<array<float>> ten(10, x);  // the program's own memory
    l.note(frit_call([&] { return frit::stack(1, ten).to_vector(); }));
    const array<float> rows = frit_call([] { return frit::arange<float>(0, 300); });  // each of them, twice: from columns
    for (int again = 0; again < 2; ++again) l.note(frit_call([&] { return frit::stack(1, rows, rows * 2.0F).to_vector(); }));
    l.note(frit_call([&] { return frit::roll(x, {1, 2}, {0, 1}).to_vector(); }));
    l.note(frit_call([&] { return frit::pad(x, {{1, 40}, {2, 2}}, frit::pad_mode::reflect).to_vector(); }));
    l.note(frit_call([&] { return frit::split(x, {2, 5}, -1)[1].to_vector(); }));
    l.note(frit_call([&] { return frit::tile(frit::rot90(x), {2, 1}).to_vector(); }));
}

void reductions(ledger& l) {
    const array<float> x = frit_call([] { return (frit::arange<float>(0, 600) * 0.5F - 20.0F).reshape({20, 30}); });
    l.note(frit_call([&] { return frit::sum(x, 1).to_vector(); }));
    l.note(frit_call([&] { return frit::max(x, 0).to_vector(); }));
    l.note(frit_call([&] { return frit::mean(x, {0, 1}, frit::keepdims).to_vector(); }));
    l.note(frit_call([&] { return frit::var(x, -1, frit::ddof(1)).to_vector(); }));
    l.note(frit_call([&] { return frit::argmin(abs(x), 1).to_vector(); }));
    l.note(frit_call([&] { return frit::any(x > 100.0F, 0).to_vector(); }));
    l.note(frit_call([&] { return frit::sum(x, 1, frit::where(x > 3.0F)).to_vector(); }));
    l.note(frit_call([&] { return frit::logsumexp(x, 1).to_vector(); }));
    l.note(frit_call([&] { return frit::nanvar(sqrt(x), 1).to_vector(); }));
    l.note(frit_call([&] { return frit::average(x, 1, x(0)).to_vector(); }));
    l.note(frit_call([&] { return frit::gradient(x, frit::arange<float>(0, 30)).to_vector(); }));
    l.note(frit_call([&] { return frit::trapezoid(frit::diff(x, 2), 0.5).to_vector(); }));
    l.note(frit_call([&] { return frit::kron(x(slice(0, 2), 0), x(0)).to_vector(); }));
    l.note(frit_call([&] { return frit::convolve(x, x(slice(0, 3), slice(0, 3))).to_vector(); }));
    l.note(frit_call([&] { return frit::ndimage::gaussian_filter(x / 2, 0.5).to_vector(); }));
    l.note(frit_call([&] { return frit::ndimage::median_filter(x, 3).to_vector(); }));
    l.note(frit_call([&] { return frit::ndimage::zoom(x(0), 1.5).to_vector(); }));
    l.note(frit_call([&] { return std::get<1>(frit::signal::istft(std::get<2>(frit::signal::stft(x(0))))).to_vector(); }));
    l.note(frit_call([&] { return frit::cov(x(slice(0, 3)), frit::fweights(frit::arange<int>(0, 30))).to_vector(); }));
    l.note(frit_call([&] { return std::get<0>(frit::histogram2d(x, x, {3, 0, 9}, {2, 0, 9})).to_vector(); }));
    l.note(std::to_string(frit_call([&] { return frit::linalg::norm(x).item(); })));
}

void rows(ledger& l) {
    const array<float> x = frit_call([] { return sin(frit::arange<float>(0, 1200)).reshape({12, 100}); });
    const array<float> s = frit_call([&] { return frit::softmax(x, -1); });
    l.note(frit_call([&] { return s.to_vector(); }));
    l.note(frit_call([&] { return frit::layer_norm(x + s, -1).to_vector(); }));
    l.note(frit_call([&] { return (x - frit::mean(x, 0, frit::keepdims)).to_vector(); }));
}

// Long enough that workers take part.
void many_elements(ledger& l) {
    const array<float> x = frit_call([] { return frit::linspace(0.0F, 1.0F, 200'000).eval(); });
    const array<float> y = frit_call([&] { return exp(sin(x)) * 2.0F + x; });
    l.note(std::to_string(frit_call([&] { return frit::sum(y).item(); })));
    l.note(frit_call([&] { return frit::sum(y.reshape({20, 10'000}), 1).to_vector(); }));
    l.note(frit_call([&] { return frit::max(y.reshape({10'000, 20}), 0).to_vector(); }));
    l.note(frit_call([&] { return frit::softmax(y.reshape({200, 1000}), 1)(slice(0, 3), slice(0, 4)).to_vector(); }));
}

void products(ledger& l) {
    const array<double> a = frit_call([] { return frit::arange<double>(0, 600).reshape({20, 30}); });
    const array<double> b = frit_call([&] { return frit::matmul(a, a.T() * 0.5) + 1.0; });
    l.note(frit_call([&] { return b.to_vector(); }));
    l.note(std::to_string(frit_call([&] { return frit::matmul(a(0, frit::all), a(1, frit::all)).item(); })));
    l.note(std::to_string(frit_call([&] { return frit::dot(a(0, frit::all), a(1, frit::all)).item(); })));
    l.note(frit_call([&] { return frit::einsum("ij,kj,kl->il", a, a, b).to_vector(); }));
    l.note(frit_call([&] { return frit::linalg::multi_dot(a, a.T(), b).to_vector(); }));
    l.note(frit_call([&] { return array<double>(2.0 * frit::matmul(a, a.T()) + b).to_vector(); }));
}

void scans_and_sorts(ledger& l) {
    const array<float> x = frit_call([] { return sin(frit::arange<float>(0, 300)).reshape({10, 30}); });
    l.note(frit_call([&] { return frit::cumsum(x, 0).to_vector(); }));
    l.note(frit_call([&] { return (frit::sort(x * 2.0F, 1) + 1.0F).to_vector(); }));
    l.note(frit_call([&] { return frit::argsort(x, 0).to_vector(); }));
}

void transforms(ledger& l) {
    const array<double> x = frit_call([] { return sin(frit::arange<double>(0, 120)).reshape({10, 12}); });
    l.note(frit_call([&] { return frit::fft::irfft2(frit::fft::rfft2(x) * 2.0).to_vector(); }));
    l.note(frit_call([&] { return abs(frit::fft::fftn(x, {6, 14}, {1, 0}, frit::fft::ortho)).to_vector(); }));
    l.note(frit_call([&] { return frit::fft::fftshift(frit::fft::fftfreq(9)).to_vector(); }));
}

void ranks_and_searches(ledger& l) {
    const array<double> x = frit_call([] { return sin(frit::arange<double>(0, 60)).reshape({6, 10}); });
    l.note(frit_call([&] { return frit::median(x, 0).to_vector(); }));
    l.note(frit_call([&] { return frit::quantile(x, {0.25, 0.5}, 1, frit::quantile_method::hazen).to_vector(); }));
    l.note(frit_call([&] { return std::get<1>(frit::topk(x, 3)).to_vector(); }));
    l.note(frit_call([&] { return frit::lexsort(x, frit::floor(x)).to_vector(); }));
    l.note(frit_call([&] { return frit::interp(x, frit::sort(x(0)), x(1)).to_vector(); }));
    l.note(frit_call([&] { return frit::sum(frit::sliding_window_view(x, {2, 3}), {2, 3}).to_vector(); }));
}

void picked_elements(ledger& l) {
    const array<int> x = frit_call([] { return (frit::arange<int>(0, 60) * 7 % 11).reshape({6, 10}).eval(); });
    l.note(frit_call([&] { return x(x > 5).to_vector(); }));
    l.note(frit_call([&] { return frit::argwhere(x == 3).to_vector(); }));
    l.note(frit_call([&] { return frit::nonzero(x == 3)[1].to_vector(); }));
    l.note(frit_call([&] { return frit::repeat(x(0), x(1)).to_vector(); }));
    const auto [values, indices, inverse, counts] = frit_call([&] { return frit::unique_all(x); });
    l.note(frit_call([&] { return inverse.to_vector(); }));
    l.note(frit_call([&] { return counts.to_vector(); }));
    const array<int> many =
        frit_call([] { return (frit::arange<int>(0, 4096) * 7 % 11).eval(); });  // as many as have a table
    const auto found = frit_call([&] { return frit::unique_all(many); });
    l.note(frit_call([&] { return std::get<0>(found).to_vector(); }));
    l.note(frit_call([&] { return std::get<1>(found).to_vector(); }));
    l.note(frit_call([&] { return std::get<3>(found).to_vector(); }));
}

void plans(ledger& l) {
    const array<float> x = frit_call([] { return frit::arange<float>(0, 64).reshape({8, 8}); });
    const array<float> y = frit_call([&] { return frit::sum(exp(x) * 2.0F, 1) + frit::max(x, 0); });
    const frit::plan p = frit_call([&] { return frit::make_plan(y); });
    l.note(std::to_string(p.kernels().size()) + p.to_dot());
    l.note(frit_call([&] { return frit::explain(y); }));
    l.note(frit_call([&] { return y.to_vector(); }));
}

// The same statement over and over: the slot's way.
void repeated(ledger& l) {
    array<double> u = frit_call([] { return frit::linspace(0.0, 1.0, 20).eval(); });
    std::vector<double> want(20);
    for (std::size_t k = 0; k < want.size(); ++k) want[k] = frit_call([&] { return u(static_cast<int>(k)).item(); });
    watched<double> w(l, u, want);
    for (int round = 0; round < 6; ++round) {
        frit_call([&] { u = u * 0.5 + 1.0; });
        for (double& v : want) v = v * 0.5 + 1.0;
        w.now(want);
        frit_call([&] { u.eval(); });
    }
    l.note(want);
}

void errors(ledger& l) {
    const array<float> x = frit_call([] { return frit::ones<float>({2, 3}); });
    const auto refused = [&](auto&& f) {
        try {
            frit_call(f);
            l.wrong("no error");
        } catch (const frit::out_of_memory&) {
            throw;
        } catch (const frit::error& e) {
            l.note(std::string(e.what()));
        }
    };
    refused([&] { return array<float>(x + frit::ones<float>({4})); });
    refused([&] { return x(7, frit::all).eval(); });
    refused([&] { return frit::sum(x, 5).eval(); });
    refused([&] { return x.reshape({5, 5}).eval(); });
    refused([&] { return array<float>().eval(); });
    refused([&] { return frit::shape({1, -2}); });
    refused([&] { return frit::matmul(x, x).eval(); });
    refused([&] { return frit::einsum("ij,ij->ik", x, x).eval(); });
}

}  // namespace

std::vector<step> formula_steps() {
    return {{"arithmetic", arithmetic},
            {"functions", functions},
            {"views", views},
            {"reductions", reductions},
            {"rows", rows},
            {"many elements", many_elements},
            {"products", products},
            {"scans", scans_and_sorts},
            {"transforms", transforms},
            {"ranks", ranks_and_searches},
            {"picked", picked_elements},
            {"plans", plans},
            {"repeated", repeated},
            {"errors", errors}};
}

}  // namespace frit_test
