// Random numbers: frit::random::generator, whose draws are formulas. Element i of a draw is a function of the seed, of the
// draw's number and of i alone, by a generator that counts (Philox), so a draw takes no memory and no order: it is computed
// inside the kernels that read it, and a slice, a fused reader, another number of threads or another engine see the same
// numbers. The formulas stand in src/formulas/random.cpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/create.hpp"
#include "frit/detail/formulas.hpp"
#include "frit/gather.hpp"
#include "frit/solve.hpp"

namespace frit::inline v0 {

namespace detail {

/// Whose numbers they are: what Philox is called with beside an element's number.
struct random_stream {
    std::uint64_t key, number;
    friend bool operator==(const random_stream&, const random_stream&) = default;
};

/// A parameter of a distribution: a number, or an array that broadcasts to the draw's shape.
struct random_parameter {
    user_ref node;      ///< null: a number
    double number = 0;  ///< as a double
    whole_number whole;
    bool integral = false;  ///< of an integer type
    template <operand X>
    random_parameter(const X& x, source_line where = {}) : node(node_of(x, where)), whole(0) {}
    template <cpp_number S>
    random_parameter(S x) : number(static_cast<double>(x)), whole(0), integral(std::is_integral_v<S>) {
        if constexpr (std::is_integral_v<S>) whole = whole_number(x);
    }
};

/// Words 0 and 1, or 2 and 3, the lower one first, of a block of a stream.
FRIT_API std::uint64_t philox_of(std::uint64_t block, bool upper, const random_stream&) noexcept;

FRIT_API user_ref bits_of(random_stream, dtype, const shape&, source_line);
FRIT_API user_ref uniform_of(random_stream, dtype, const shape&, const random_parameter& lo, const random_parameter& hi,
                             source_line);
FRIT_API user_ref integers_of(random_stream, dtype, const shape&, const random_parameter& lo, const random_parameter& hi,
                              source_line);
FRIT_API user_ref normal_of(random_stream, dtype, const shape&, const random_parameter& mean,
                            const random_parameter& deviation, source_line);
FRIT_API user_ref exponential_of(random_stream, dtype, const shape&, const random_parameter& scale, source_line);
FRIT_API user_ref gamma_of(random_stream, dtype, const shape&, const random_parameter& form, const random_parameter& scale,
                           source_line);
FRIT_API user_ref beta_of(random_stream, dtype, const shape&, const random_parameter& a, const random_parameter& b,
                          source_line);
FRIT_API user_ref bernoulli_of(random_stream, const shape&, const random_parameter& p, source_line);
FRIT_API user_ref poisson_of(random_stream, const shape&, const random_parameter& rate, source_line);
FRIT_API user_ref binomial_of(random_stream, const shape&, const random_parameter& n, const random_parameter& p,
                              source_line);
FRIT_API user_ref permutation_of(random_stream, std::int64_t n, source_line);
/// Which of n are chosen; weights are null where all have the same.
FRIT_API user_ref chosen_of(random_stream, std::int64_t n, const shape&, const user_ref& weights, bool replace, source_line);
/// How many elements choice and permutation have to do with. @throws shape_error for an operand without axes
FRIT_API std::int64_t first_extent(const char* who, const shape&, source_line);
FRIT_API user_ref multivariate_normal_of(random_stream, const user_ref& mean, const user_ref& cov, const shape&,
                                         source_line);
/// How many draws one of these takes.
inline constexpr std::uint64_t draws_of_integers = 2, draws_of_gamma = 27, draws_of_beta = 2 * draws_of_gamma;
FRIT_API std::vector<random_stream> split_of(random_stream, std::int64_t n, source_line);

template <element T>
inline constexpr bool is_random_float = is_float(dtype_of<T>) || is_short(dtype_of<T>);

}  // namespace detail

namespace random {

/// A source of random numbers: a seed, and how many draws it has made. Each call draws an array, a formula like others:
/// nothing is stored unless it is asked for, and what reads it computes it. The same seed and the same calls give the same
/// numbers everywhere. A copy goes on as the original does; split gives generators that are independent.
///
/// ```cpp
/// frit::random::generator g(42);
/// const frit::array<float> x = g.uniform<float>({1 << 20}), y = g.uniform<float>({1 << 20});
/// const double inside = sum(where(x * x + y * y <= 1, 1, 0)).item();  // one kernel; x and y are never in memory
/// std::cout << std::abs(4 * inside / (1 << 20) - 3.1416) << "\n";
/// ```
/// ```text
/// 0.00...
/// ```
///
/// Numbers are Philox 4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1,
/// 2, 3", 2011): of a draw, word w of 32 bits is word w % 4 of the block whose counter is (w / 4, number of the draw), each
/// 64 bits, lower half first, under the seed as the key. Element i of float32 takes word i, of float64 words 2i and 2i + 1.
/// A draw has 2^66 words of its own, so draws never overlap.
///
/// Shapes are as everywhere; parameters are numbers or arrays that broadcast to the shape, and where they are numbers they
/// are words that a run fills in: another seed, draw or parameter compiles nothing. Each function comes in two forms, with
/// the type named, g.normal<float>({3}), and with a dtype at run time, g.normal(frit::dtype::f32, {3}), which gives an
/// any_array. @throws shape_error where a parameter does not broadcast to the shape, dtype_error for a dtype that the
/// distribution does not have, error for numbers that are no parameters of it.
class generator {
public:
    /// The first draw of a seed comes next.
    explicit generator(std::uint64_t seed = 0) noexcept : now_{seed, 0} {}

    /// What it is made of, to be kept and restored: the key and the number of draws.
    std::array<std::uint64_t, 2> save() const noexcept { return {now_.key, now_.number}; }
    /// The generator that save was called on, as it was then.
    static generator restore(const std::array<std::uint64_t, 2>& saved) noexcept {
        generator g(saved[0]);
        g.now_.number = saved[1];
        return g;
    }
    /// Goes on behind so many draws that it does not make; integers and choice count as two, gamma and beta as more.
    void jump(std::uint64_t draws) noexcept { now_.number += draws; }
    /// n generators, independent of each other and of this one, which goes on: their seeds are the words of a draw. (Two of
    /// n have one seed with a probability of n^2 / 2^65.) @throws error for a negative n, or one above 2^28
    std::vector<generator> split(detail::any_integer n, source_line where = {}) {
        return detail::or_out_of_memory("split", where, [&] {
            std::vector<generator> all;
            for (const detail::random_stream& s : detail::split_of(now_, n, where)) all.push_back(generator(s.key));
            ++now_.number;
            return all;
        });
    }
    /// Whether they go on alike.
    friend bool operator==(const generator&, const generator&) = default;

    /// Words as they are, for T uint32 or uint64.
    template <element T>
    array<T> bits(const shape& extents, source_line where = {}) {
        static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>,
                      "frit: bits makes std::uint32_t or std::uint64_t");
        return drawn<T>(where, [&](auto s) { return detail::bits_of(s, dtype_of<T>, extents, where); });
    }

    /// Numbers in [lo, hi), multiples of 2^-24 (float64: 2^-53) of that width above lo, rounded: never hi, which is the next
    /// number below where it would be rounded up to; lo where lo is hi. @throws error for numbers where hi < lo or hi - lo
    /// is not finite
    template <element T>
    array<T> uniform(const shape& extents, const detail::random_parameter& lo = 0, const detail::random_parameter& hi = 1,
                     source_line where = {}) {
        static_assert(detail::is_random_float<T>, "frit: uniform makes floating numbers: integers<T>(shape, lo, hi)");
        return drawn<T>(where, [&](auto s) { return detail::uniform_of(s, dtype_of<T>, extents, lo, hi, where); });
    }
    /// The same of a dtype at run time.
    any_array uniform(dtype type, const shape& extents, const detail::random_parameter& lo = 0,
                      const detail::random_parameter& hi = 1, source_line where = {}) {
        return drawn(where, [&](auto s) { return detail::uniform_of(s, type, extents, lo, hi, where); });
    }

    /// Integers in [lo, hi), without hi; lo where an array has hi <= lo. Of 128 random bits r it is lo + r (hi - lo) /
    /// 2^128, rounded down: all have the same probability, exactly where their number is a power of 2, else up to 2^-64 (of
    /// half of all results together), which no number of draws can tell. (Rejection would be exact, and take a loop of
    /// unknown length.) Counts as two draws. @throws error for numbers where hi <= lo, dtype_error where they are no
    /// integers or T does not hold the results; at evaluation index_error where T does not hold the bounds of an array
    template <element T>
    array<T> integers(const shape& extents, const detail::random_parameter& lo, const detail::random_parameter& hi,
                      source_line where = {}) {
        static_assert(is_integer(dtype_of<T>), "frit: integers makes integers: uniform<T>(shape, lo, hi)");
        return drawn<T, detail::draws_of_integers>(
            where, [&](auto s) { return detail::integers_of(s, dtype_of<T>, extents, lo, hi, where); });
    }
    /// The same of a dtype at run time.
    any_array integers(dtype type, const shape& extents, const detail::random_parameter& lo,
                       const detail::random_parameter& hi, source_line where = {}) {
        return drawn<detail::draws_of_integers>(
            where, [&](auto s) { return detail::integers_of(s, type, extents, lo, hi, where); });
    }

    /// Normal numbers. Of an element's word the highest bit is the sign, the others, m, are the probability p =
    /// (m + 1/2) 2^-32 (float64: 2^-64), rounded to the dtype, that a number is further away from the mean: the inverse of
    /// the distribution function, within 2 units in the last place where mean is 0 and deviation 1. @throws error for a
    /// negative deviation
    template <element T>
    array<T> normal(const shape& extents, const detail::random_parameter& mean = 0,
                    const detail::random_parameter& deviation = 1, source_line where = {}) {
        static_assert(detail::is_random_float<T>, "frit: normal makes floating numbers");
        return drawn<T>(where, [&](auto s) { return detail::normal_of(s, dtype_of<T>, extents, mean, deviation, where); });
    }
    /// The same of a dtype at run time.
    any_array normal(dtype type, const shape& extents, const detail::random_parameter& mean = 0,
                     const detail::random_parameter& deviation = 1, source_line where = {}) {
        return drawn(where, [&](auto s) { return detail::normal_of(s, type, extents, mean, deviation, where); });
    }

    /// Normal vectors (..., n) of this mean (n,) and covariance (n, n), which must be symmetric and positive definite: mean
    /// + L z with the lower Cholesky factor L of the covariance, of which only the lower triangle is read, and standard
    /// normal numbers z. `extents` of the result's axes stand for the vectors, without them it is one. In the promoted dtype
    /// of both, integers as double. (As NumPy's with method='cholesky'.)
    /// ```cpp
    /// const frit::array<double> mean{1, -1}, cov{{4, 1}, {1, 2}};
    /// const frit::array<double> x = frit::random::generator(1).multivariate_normal(mean, cov, {100'000});
    /// std::cout << x.shape() << ' ' << frit::rint(frit::cov(x.T())) << '\n';
    /// ```
    /// ```text
    /// (100000, 2) [[4. 1.]
    ///  [1. 2.]]
    /// ```
    /// @throws shape_error where they do not fit, dtype_error for complex ones; at evaluation linalg_error where the
    /// covariance is not positive definite, device_error where the library is missing
    template <detail::operand M, detail::operand C>
    auto multivariate_normal(const M& mean, const C& cov, const shape& extents = {}, source_line where = {}) {
        auto made = detail::factor<detail::equation_dtype<M, C>>(
            detail::multivariate_normal_of(now_, detail::node_of(mean, where), detail::node_of(cov, where), extents, where));
        ++now_.number;
        return made;
    }

    /// Exponential numbers of this mean, -log(p) scale: not negative, and at most 22.2 (float64: 44.4) times the scale.
    /// @throws error for a negative scale
    template <element T>
    array<T> exponential(const shape& extents, const detail::random_parameter& scale = 1, source_line where = {}) {
        static_assert(detail::is_random_float<T>, "frit: exponential makes floating numbers");
        return drawn<T>(where, [&](auto s) { return detail::exponential_of(s, dtype_of<T>, extents, scale, where); });
    }
    /// The same of a dtype at run time.
    any_array exponential(dtype type, const shape& extents, const detail::random_parameter& scale = 1,
                          source_line where = {}) {
        return drawn(where, [&](auto s) { return detail::exponential_of(s, type, extents, scale, where); });
    }

    /// Numbers of the gamma distribution of this shape parameter, `form`, times the scale. By the method of G. Marsaglia, W.
    /// W. Tsang, "A simple method for generating gamma variables" (2000), which refuses at most every twentieth number: of
    /// 13 in a row the last is taken as it is, with a probability below 2^-56. Counts as 27 draws, and costs as much. In
    /// double whatever the dtype; NaN where an array's form is not positive. @throws error for a form that is not positive
    /// and finite, or a negative scale
    template <element T>
    array<T> gamma(const shape& extents, const detail::random_parameter& form, const detail::random_parameter& scale = 1,
                   source_line where = {}) {
        static_assert(detail::is_random_float<T>, "frit: gamma makes floating numbers");
        return drawn<T, detail::draws_of_gamma>(
            where, [&](auto s) { return detail::gamma_of(s, dtype_of<T>, extents, form, scale, where); });
    }
    /// The same of a dtype at run time.
    any_array gamma(dtype type, const shape& extents, const detail::random_parameter& form,
                    const detail::random_parameter& scale = 1, source_line where = {}) {
        return drawn<detail::draws_of_gamma>(where,
                                             [&](auto s) { return detail::gamma_of(s, type, extents, form, scale, where); });
    }
    /// Numbers of the beta distribution: x / (x + y) for x and y of gamma distributions of the forms a and b. Counts as 54
    /// draws. @throws error for an a or b that is not positive and finite
    template <element T>
    array<T> beta(const shape& extents, const detail::random_parameter& a, const detail::random_parameter& b,
                  source_line where = {}) {
        static_assert(detail::is_random_float<T>, "frit: beta makes floating numbers");
        return drawn<T, detail::draws_of_beta>(
            where, [&](auto s) { return detail::beta_of(s, dtype_of<T>, extents, a, b, where); });
    }
    /// The same of a dtype at run time.
    any_array beta(dtype type, const shape& extents, const detail::random_parameter& a, const detail::random_parameter& b,
                   source_line where = {}) {
        return drawn<detail::draws_of_beta>(where, [&](auto s) { return detail::beta_of(s, type, extents, a, b, where); });
    }

    /// True with probability p, up to 2^-53. @throws error for a number that is no probability
    array<bool> bernoulli(const shape& extents, const detail::random_parameter& p = 0.5, source_line where = {}) {
        return drawn<bool>(where, [&](auto s) { return detail::bernoulli_of(s, extents, p, where); });
    }

    /// How often something happens whose expected number is `rate`, as int64. Of a number by inversion: a search in the
    /// distribution function, about 20 sqrt(rate) numbers that the host computes at each call. Of an array by a loop in the
    /// kernel: inversion for rates below 10, others by the transformed rejection of W. Hoermann, "The transformed rejection
    /// method for generating Poisson random variables" (PTRS, 1993), which takes three of four candidates: of 40 in a row
    /// the last is taken as it is, with a probability below 2^-64. There element i has the words from 160 i on, and is -1
    /// where a rate is negative, above 1e9 or NaN. @throws error for a number that is
    array<std::int64_t> poisson(const shape& extents, const detail::random_parameter& rate = 1, source_line where = {}) {
        return drawn<std::int64_t>(where, [&](auto s) { return detail::poisson_of(s, extents, rate, where); });
    }
    /// How many of n independent trials succeed, each with probability p, as int64; as poisson: of numbers by inversion, of
    /// arrays by inversion where less than 10 successes, or failures, are expected, and else by W. Hoermann, "The generation
    /// of binomial random variates" (BTRS, 1993). @throws error for a number n that is negative or above 1e9, or a p that is
    /// no probability (-1 where an array has them), dtype_error where n is no integer
    array<std::int64_t> binomial(const shape& extents, const detail::random_parameter& n, const detail::random_parameter& p,
                                 source_line where = {}) {
        return drawn<std::int64_t>(where, [&](auto s) { return detail::binomial_of(s, extents, n, p, where); });
    }

    /// The numbers 0, 1, ..., n - 1 in random order: the order of n random words of 64 bits. (Two are equal, and then in the
    /// order of the numbers, with a probability of n^2 / 2^65.) @throws error for a negative n
    array<std::int64_t> permutation(detail::any_integer n, source_line where = {}) {
        return drawn<std::int64_t>(where, [&](auto s) { return detail::permutation_of(s, n, where); });
    }
    /// The elements of x along its first axis in random order. @throws shape_error where x has no axes
    template <detail::operand X>
    auto permutation(const X& x, source_line where = {}) {
        const std::int64_t n = detail::first_extent("permutation", x.shape(where), where);
        return take(x, permutation(n, where), 0, bounds::raise, where);
    }
    /// Brings the elements of x along its first axis in random order.
    template <class X>
    requires detail::is_array<X>::value void shuffle(X& x, source_line where = {}) {
        const std::int64_t n = detail::first_extent("shuffle", x.shape(where), where);
        x = X(take(x, permutation(n, where), 0, bounds::raise, where), where);
    }

    /// Elements of x along its first axis, which `extents` of the result's axes stand for: with replacement, or each at most
    /// once, in random order.
    /// @throws shape_error where x has no axes, error where more are chosen without replacement than there are, or from none
    template <detail::operand X>
    auto choice(const X& x, const shape& extents, bool replace = true, source_line where = {}) {
        return chosen(x, extents, {}, replace, where);
    }
    /// The same with probabilities in proportion to weights: a vector as long as x, not negative, finite, and not all 0.
    /// Without replacement they are drawn one after the other, in proportion to the weights of those that are left (P. S.
    /// Efraimidis, P. G. Spirakis, "Weighted random sampling with a reservoir", 2006); those of weight 0 come last.
    /// @throws shape_error where they are no vector as long as x; at evaluation index_error where they are no weights
    template <detail::operand X, detail::operand W>
    auto choice(const X& x, const shape& extents, const W& weights, bool replace = true, source_line where = {}) {
        return chosen(x, extents, detail::node_of(weights, where), replace, where);
    }

private:
    // A draw that is an error is none.
    template <element T, std::uint64_t Draws = 1, class Draw>
    array<T> drawn(source_line where, Draw draw) {
        array<T> made(composed<dtype_of<T>>(draw(now_)), where);
        now_.number += Draws;
        return made;
    }
    template <std::uint64_t Draws = 1, class Draw>
    any_array drawn(source_line where, Draw draw) {
        any_array made(composed<detail::run_time>(draw(now_)), where);
        now_.number += Draws;
        return made;
    }
    template <class X>
    auto chosen(const X& x, const shape& extents, const detail::user_ref& weights, bool replace, source_line where) {
        const std::int64_t n = detail::first_extent("choice", x.shape(where), where);
        const auto choose = [&](auto s) { return detail::chosen_of(s, n, extents, weights, replace, where); };
        return take(x, drawn<std::int64_t, detail::draws_of_integers>(where, choose), 0, bounds::raise, where);
    }

    detail::random_stream now_;
};

}  // namespace random
}  // namespace frit::v0
