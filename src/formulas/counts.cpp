// Poisson's and binomial numbers whose parameters are arrays: loops in the kernel, a state for each element. Few events are
// counted by inversion, one uniform number u: the probabilities of 0, 1, ... are taken off u until it is less than the next.
// Many come from W. Hoermann's transformed rejection (1993): PTRS, "The transformed rejection method for generating Poisson
// random variables", and BTRS, "The generation of binomial random variates". Each candidate takes a block of words, and
// element i has those from 40 i on, so a number depends on its parameters and place alone.
#include <cstdint>
#include <limits>
#include <tuple>

#include "src/formulas/draw.hpp"

namespace frit::inline v0::detail {
namespace {

using real = composed<dtype::f64>;
using truth = composed<dtype::bool_>;

constexpr double few = 10;              // events below which they are counted one by one
constexpr std::int32_t most_few = 128;  // of them: more have a probability below 2^-200
constexpr std::int32_t most_candidates = 40;

/// What is computed once, however often it is read.
struct in_draw {
    const draw& d;
    const word_value words = kept<dtype::u64>(d.numbers() * std::uint64_t{2 * most_candidates}, d.where);  // of philox64

    template <operand E>
    real once(const E& e) const {
        return kept<dtype::f64>(e, d.where);
    }
    template <operand E>
    truth test(const E& e) const {
        return kept<dtype::bool_>(e, d.where);
    }
    real parameter(const random_parameter& p) const { return once(real(d.spread(p, dtype::f64).node())); }

    template <operand Word>
    real uniform(const Word& word) const {
        return once(cast<double>(cast<std::int64_t>(d.words_at<op::philox64>(word) >> 11)) * 0x1p-53);
    }

    /// @param p0  the probability of none
    /// @param ratio  how much more probable k + 1 is than k
    template <class Ratio>
    real one_by_one(const truth& here, const real& p0, const Ratio& ratio) const {
        const real u = uniform(words);
        const auto step = [&](const auto& left, const auto& p, const auto& k) {
            return std::tuple(left - p, p * ratio(k), k + 1.0);
        };
        // Where rounding leaves something behind the last probability, that is the end.
        const auto found = [](const auto& left, const auto& p, const auto&) { return left < p || p < 0x1p-64; };
        const auto rounds = kept<dtype::i32>(frit::where(here, most_few, 0), d.where);
        const auto after = frit::iterate(rounds, std::tuple(u, p0, 0.0), step, found, d.where);
        return real(node_of(std::get<2>(after), d.where));
    }

    /// A hat over a density: Hoermann's names.
    struct hat {
        real a, b, centre, squeeze, scale;
        double cut;  ///< a tail that is refused at once
    };
    /// @param density  the logarithm of a number's, up to the factor in the hat's scale
    template <class Density>
    real by_rejection(const truth& here, const hat& h, const real& last, const Density& density) const {
        const auto step = [&](const auto& word, const auto&, const auto&) {
            const real u = once(uniform(word) - 0.5), v = uniform(word + 1), us = once(0.5 - abs(u));
            const real k = once(floor((2.0 * h.a / us + h.b) * u + h.centre));
            const truth taken = test(us >= 0.07 && v <= h.squeeze);
            const truth outside = test(k < 0.0 || k > last || (us < h.cut && v > us));
            const truth below = test(log(v * h.scale / (h.a / (us * us) + h.b)) <= density(k));
            return std::tuple(word + 2, k, taken || (!outside && below));
        };
        const auto done = [](const auto&, const auto&, const auto& taken) { return taken; };
        const auto rounds = kept<dtype::i32>(frit::where(here, most_candidates, 0), d.where);
        const auto after = frit::iterate(rounds, std::tuple(words, 0.0, false), step, done, d.where);
        return real(node_of(std::get<1>(after), d.where));
    }

    user_ref chosen(const truth& valid, const real& count) const {
        return result(frit::where(valid, cast<std::int64_t>(count), std::int64_t{-1}), d.where);
    }
};

}  // namespace

user_ref poisson_of_each(const draw& d, const random_parameter& rate) {
    const in_draw in{d};
    const real given = in.parameter(rate);
    const truth valid = in.test(given >= 0.0 && given <= most_events);
    const real mean = in.once(frit::where(valid, given, 0.0));
    const truth is_few = in.test(mean < few);
    const real counted = in.one_by_one(is_few, in.once(exp(-mean)), [&](const auto& k) { return mean / (k + 1.0); });
    const real b = in.once(0.931 + 2.53 * sqrt(mean)), log_mean = in.once(log(mean));
    const in_draw::hat h{.a = in.once(-0.059 + 0.02483 * b),
                         .b = b,
                         .centre = in.once(mean + 0.43),
                         .squeeze = in.once(0.9277 - 3.6224 / (b - 2.0)),
                         .scale = in.once(1.1239 + 1.1328 / (b - 3.4)),
                         .cut = 0.013};
    const real last =
        in.once(filled(value(constant_of(std::numeric_limits<double>::infinity(), d.where)), d.extents, d.where));
    const real many =
        in.by_rejection(in.test(!is_few), h, last, [&](const auto& k) { return k * log_mean - mean - lgamma(k + 1.0); });
    return in.chosen(valid, in.once(frit::where(is_few, counted, maximum(many, 0.0))));
}

user_ref binomial_of_each(const draw& d, const random_parameter& trials, const random_parameter& probability) {
    const in_draw in{d};
    const real given_n = in.parameter(trials), given_p = in.parameter(probability);
    const truth valid = in.test(given_n >= 0.0 && given_n <= most_events && given_p >= 0.0 && given_p <= 1.0);
    const real n = in.once(frit::where(valid, given_n, 0.0));
    const truth of_failures = in.test(given_p > 0.5);  // they are the few, and counted
    const real p = in.once(frit::where(valid, frit::where(of_failures, 1.0 - given_p, given_p), 0.0));
    const truth is_few = in.test(n * p < few);
    const real odds = in.once(p / (1.0 - p));
    const real counted =
        in.one_by_one(is_few, in.once(exp(n * log1p(-p))), [&](const auto& k) { return odds * ((n - k) / (k + 1.0)); });
    const real spread = in.once(sqrt(n * p * (1.0 - p))), b = in.once(1.15 + 2.53 * spread);
    const in_draw::hat h{.a = in.once(-0.0873 + 0.0248 * b + 0.01 * p),
                         .b = b,
                         .centre = in.once(n * p + 0.5),
                         .squeeze = in.once(0.92 - 4.2 / b),
                         .scale = in.once((2.83 + 5.1 / b) * spread),
                         .cut = 0};
    const real log_odds = in.once(log(odds)), mode = in.once(floor((n + 1.0) * p));
    const real at_mode = in.once(lgamma(mode + 1.0) + lgamma(n - mode + 1.0));
    const real many = in.by_rejection(in.test(!is_few), h, n, [&](const auto& k) {
        return at_mode - lgamma(k + 1.0) - lgamma(n - k + 1.0) + (k - mode) * log_odds;
    });
    const real count = in.once(minimum(frit::where(is_few, counted, maximum(many, 0.0)), n));
    return in.chosen(valid, in.once(frit::where(of_failures, n - count, count)));
}

}  // namespace frit::v0::detail
