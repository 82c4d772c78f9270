// Much of what users write, instantiated: warnings.sh compiles it with the warnings that careful projects turn on, since
// whoever includes frit with -I sees them as his own. It is compiled, never run.
#include <frit/aot.hpp>
#include <frit/frit.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {
using frit::array;

template <class T, class S>
void operators_with(array<T>& a, S s) {
    (void)(a < s), (void)(s < a), (void)(a == s), (void)(s != a), (void)(a >= s);
    (void)frit::where(a != s, a, s);
    if constexpr (!std::is_same_v<T, bool> || !std::is_same_v<S, bool>) {
        (void)(a + s), (void)(s - a), (void)(a * s), (void)(s / a), (void)(a % s);
        (void)frit::maximum(a, s), (void)frit::minimum(s, a), (void)frit::clip(a, s, s), (void)frit::pow(a, s);
        (void)frit::remainder(a, s), (void)frit::ieee_remainder(a, s), (void)frit::floor_divide(s, a);
    }
    if constexpr (std::is_integral_v<T> && std::is_integral_v<S> && !std::is_same_v<T, bool> && !std::is_same_v<S, bool>) {
        (void)(a & s), (void)(s | a), (void)(a ^ s), (void)(a << s), (void)(a >> s);
        a %= s, a &= s, a <<= s;
    }
    if constexpr (frit::detail::may_write({true, frit::detail::default_dtype<S>()}, frit::dtype_of<T>)) {
        a(frit::all) = s;
        a(a == a) = s;
        if constexpr (!std::is_same_v<T, bool>) {
            a += s, a -= s, a *= s, a /= s;
            a(frit::slice(0, 1)) += s;
            a(a == a) *= s;
        }
    }
    const array<T> filled = frit::full_like(a, static_cast<T>(s)), braces{static_cast<T>(s), T{}};
    (void)filled, (void)braces;
}

template <class T>
void scalars(array<T>& a) {
    operators_with(a, true);
    operators_with(a, static_cast<signed char>(1));
    operators_with(a, static_cast<unsigned char>(1));
    operators_with(a, static_cast<short>(1));
    operators_with(a, static_cast<unsigned short>(1));
    operators_with(a, 1);
    operators_with(a, 1U);
    operators_with(a, 1L);
    operators_with(a, 1UL);
    operators_with(a, 1LL);
    operators_with(a, 1ULL);
    operators_with(a, 1.F);
    operators_with(a, 1.);
    operators_with(a, 1.L);
}

template <class I>
void indices(array<float>& a, I i) {
    (void)a(i), (void)a(i, frit::all), (void)a(frit::slice(i, frit::none)), (void)a(frit::ellipsis, i, frit::newaxis);
    (void)a(frit::slice(i, i, i));
    a(frit::slice(i, i)) = 1.F;
    a(i, i) = a(i, frit::slice(i, frit::none));
    (void)a.reshape({i, i}), (void)a.reshape(i), (void)frit::transpose(a, {i, I{0}}), (void)frit::flip(a, i);
    (void)frit::squeeze(a, i), (void)frit::expand_dims(a, {i}), (void)frit::broadcast_to(a, {i, i});
    (void)frit::pad(a, {{i, i}}), (void)frit::sum(a, i), (void)frit::sum(a, {i, I{0}}, frit::keepdims);
    (void)frit::zeros<float>(i), (void)frit::ones<int>({i, i}), (void)frit::full({i}, 1.);
    (void)frit::arange(i), (void)frit::arange<double>(i, i, i);
    (void)frit::var(a, i, frit::ddof(i)), (void)frit::shape(std::vector<I>{i}).size();
}

template <class T>
void reductions(const array<T>& a, const array<bool>& m) {
    (void)frit::sum(a), (void)frit::prod(a, 0), (void)frit::min(a), (void)frit::max(a, -1, frit::keepdims);
    (void)frit::any(a), (void)frit::all(a, 0), (void)frit::argmin(a), (void)frit::argmax(a, 0, frit::where(m));
    (void)frit::sum(a, frit::where(m)), (void)frit::mean(a), (void)frit::mean(a, 0, frit::where(m), frit::keepdims);
    (void)frit::var(a, {0, 1}, frit::ddof(1)), (void)frit::stddev(a, frit::where(m)), (void)frit::logsumexp(a, 0);
    (void)frit::count_nonzero(a), (void)frit::linalg::norm(a), (void)frit::cumsum(a, 0), (void)frit::cumprod(a);
    (void)frit::cummax(a, 0), (void)frit::cummin(a), (void)frit::sort(a), (void)frit::argsort(a, 0);
    (void)frit::matmul(a, a), (void)frit::dot(a, a);
    (void)frit::softmax(a, 0), (void)frit::isclose(a, a), (void)frit::allclose(a, 1), (void)frit::array_equal(a, a);
    (void)a.item(), (void)a.to_vector(), (void)(a == a).to_vector(), (void)frit::explain(a);
    (void)frit::cast<float>(a), (void)frit::cast<std::int8_t>(a), (void)frit::cast<bool>(a), (void)frit::cast<double>(a);
}

template <class T>
void complex_numbers() {
    const array<T> pairs{{1, 2}, {3, 4}}, several{1, 2U, 3L, 4UL, 5.F, 6., true, static_cast<short>(7), T(8, 9)};
    (void)frit::zeros<T>({2}), (void)frit::ones<T>({2}), (void)frit::full({2}, T(1, 2)), (void)frit::zeros_like(pairs);
    (void)(pairs * 2 + 1U - 3L), (void)(several / 2.F), (void)frit::sum(pairs), (void)frit::max(several);
    array<T> a = pairs;
    a(0) = 1, a(frit::all, 1) += 2, a(a == a) = 3UL, a(array<int>{0, 1}) -= 1;
}

void views(array<float>& a, const array<double>& b) {
    (void)a.T(), (void)frit::diagonal(a), (void)frit::squeeze(a), (void)frit::pad(a, {{1, 2}}, frit::pad_mode::edge);
    std::vector<float> host(6);
    (void)frit::from_host(host), (void)frit::from_host(host.data(), {2, 3}), (void)frit::borrow(host);
    frit::eval_into(frit::out(host.data(), {2, 3}), a);
    const auto recipe = frit::sin(a) * 2 + frit::exp(-b * b);
    const array<double> c = recipe;
    const array<float> nested{{1, 2}, {3, 4}};
    frit::eval(a, c);
    const auto both = frit::eval(recipe, nested);
    (void)std::get<0>(both), (void)frit::make_plan(c).kernels().size(), (void)frit::eye<double>(3),
        (void)frit::linspace(0, 1, 5);
    const array<bool> mask = a > 0;
    a(mask) = 1.F;
    a(mask) = nested(0);
    a(mask) -= b(0);
    a(mask) = a(mask);
    a(mask, 0) = 2;
    a(frit::all, mask) += nested;
    (void)a(mask, frit::slice(0, 2));
    frit::diagonal(a) = 1.F;
    frit::diag(a, 1) *= 2;
    frit::linalg::diagonal(a) -= b(0);
    (void)frit::zeros_like(a), (void)frit::empty<int>({2, 3}), (void)frit::empty_like(a);
    for (float x : a.span()) (void)x;
}
}  // namespace

template <class... T>
void use(array<T>&... a) {
    (scalars(a), ...);
    (reductions(a, array<bool>(a == a)), ...);
}

// Not called, but compiled whole.
void everything();
template <class T>
void compiled_in(const array<T>& a, const array<double>& d, const array<bool>& m) {
    (void)frit::aot(a);
    (void)frit::aot(a.T() * a(frit::slice(0, 1)) + d);
    (void)frit::aot(where(m, sqrt(a) - d * d, 1) / (a + 2));
    (void)frit::aot(cast<int>(a) < a && !m);
}
void everything() {
    array<bool> b;
    array<std::int8_t> i8;
    array<std::uint8_t> u8;
    array<int> i;
    array<std::uint32_t> u;
    array<std::int64_t> l;
    array<std::uint64_t> ul;
    array<float> f;
    array<double> d;
    use(b, i8, u8, i, u, l, ul, f, d);
    indices(f, 1);
    indices(f, 1U);
    indices(f, 1L);
    indices(f, std::size_t{1});
    indices(f, std::int8_t{1});
    views(f, d);
    compiled_in(i8, d, b);
    compiled_in(ul, d, b);
    compiled_in(f, d, b);
    complex_numbers<std::complex<float>>();
    complex_numbers<std::complex<double>>();
}
