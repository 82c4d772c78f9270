// The draws of random.hpp as formulas: the number of each element, Philox of it (a row of ops.def, inside the kernel), and
// what a distribution makes of those words (draw.hpp). Key, draw and parameters that are numbers are scalars of the program.
// Words that several steps read are nodes of their own (`kept`): copies of a formula with numbers in it are no equal values
// to the planner, and would be computed twice.
#include "src/formulas/draw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace frit::inline v0::detail {
namespace {

/// The largest number of a dtype below hi, or lo where that is hi.
double below(double hi, double lo, dtype type) {
    const auto number = [&](auto t) {
        using T = decltype(t);
        return static_cast<double>(std::nextafter(static_cast<T>(hi), static_cast<T>(lo)));
    };
    if (type == dtype::f64) return number(0.0);
    if (type == dtype::f32) return number(0.0F);
    const auto next = [&]<class H>(H) {
        const float high{H(static_cast<float>(hi))}, low{H(static_cast<float>(lo))};
        if (high <= low) return static_cast<double>(high);
        const std::uint16_t bits = H(high).bits();
        const auto towards = [&](int by) {
            return static_cast<double>(float{H::from_bits(static_cast<std::uint16_t>(bits + by))});
        };
        if (high == 0) return -static_cast<double>(float{H::from_bits(1)});
        return towards(high > 0 ? -1 : 1);
    };
    return type == dtype::f16 ? next(half()) : next(bfloat16());
}

}  // namespace

std::uint64_t philox_of(std::uint64_t block, bool upper_half, const random_stream& s) noexcept {
    const auto lower = [](std::uint64_t w) { return static_cast<std::uint32_t>(w); };
    const auto upper = [](std::uint64_t w) { return static_cast<std::uint32_t>(w >> 32); };
    std::uint32_t x0 = lower(block), x1 = upper(block), x2 = lower(s.number), x3 = upper(s.number);
    std::uint32_t k0 = lower(s.key), k1 = upper(s.key);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p = std::uint64_t{0xD2511F53U} * x0, q = std::uint64_t{0xCD9E8D57U} * x2;
        x0 = upper(q) ^ x1 ^ k0;
        x2 = upper(p) ^ x3 ^ k1;
        x1 = lower(q);
        x3 = lower(p);
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return upper_half ? std::uint64_t{x3} << 32 | x2 : std::uint64_t{x1} << 32 | x0;
}

/// Of many more, two would have one seed.
constexpr std::int64_t most_generators = std::int64_t{1} << 28;

std::vector<random_stream> split_of(random_stream from, std::int64_t n, source_line where) {
    if (n < 0) refuse("split", "the number " + std::to_string(n) + " is negative", where);
    if (n > most_generators) refuse("split", "the number " + std::to_string(n) + " is above 2^28", where);
    std::vector<random_stream> all;
    all.reserve(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) all.push_back({philox_of(static_cast<std::uint64_t>(k / 2), k % 2 == 1, from), 0});
    return all;
}

user_ref bits_of(random_stream s, dtype type, const shape& extents, source_line where) try {
    const draw d{"bits", s, extents, where};
    if (type == dtype::u64) return result(d.long_words(), type, where);
    return result(d.words(), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("bits", where);
}

user_ref uniform_of(random_stream s, dtype type, const shape& extents, const random_parameter& lo,
                    const random_parameter& hi, source_line where) try {
    const draw d{"uniform", s, extents, where};
    d.check_floating(type);
    const dtype computed = register_dtype(type);
    const value u = d.unit(computed);
    if (lo.node || hi.node) {
        const value first = d.spread(lo, computed), last = d.spread(hi, computed);
        const auto most = cast(nextafter(cast(last, type), cast(first, type)), computed);
        return result(minimum(fma(u, last - first, first), most), type, where);
    }
    const double a = lo.number, b = hi.number;
    const double width = computed == dtype::f32 ? static_cast<double>(static_cast<float>(b - a)) : b - a;
    if (!(a <= b) || !std::isfinite(width)) refuse("uniform", "there are no numbers from lo up to hi, or too many", where);
    if (a == 0 && b == 1 && !is_short(type)) return result(u, type, where);
    return result(minimum(fma(u, width, a), below(b, a, type)), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("uniform", where);
}

user_ref normal_of(random_stream s, dtype type, const shape& extents, const random_parameter& mean,
                   const random_parameter& deviation, source_line where) try {
    const draw d{"normal", s, extents, where};
    d.check_floating(type);
    if (!deviation.node && !(deviation.number >= 0)) refuse("normal", "the deviation is negative or no number", where);
    const dtype computed = register_dtype(type);
    const value z = d.standard_normal(computed);
    const bool numbers = !mean.node && !deviation.node;
    if (numbers && mean.number == 0 && deviation.number == 1) return result(z, type, where);
    if (numbers) return result(fma(z, deviation.number, mean.number), type, where);
    return result(fma(z, d.spread(deviation, computed), d.spread(mean, computed)), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("normal", where);
}

user_ref exponential_of(random_stream s, dtype type, const shape& extents, const random_parameter& scale,
                        source_line where) try {
    const draw d{"exponential", s, extents, where};
    d.check_floating(type);
    if (!scale.node && !(scale.number >= 0)) refuse("exponential", "the scale is negative or no number", where);
    const dtype computed = register_dtype(type);
    const value e = recorded(0 - log(d.probability(d.signed_words(computed), computed, 0)), where);
    if (scale.node) return result(e * d.spread(scale, computed), type, where);
    return scale.number == 1 ? result(e, type, where) : result(e * scale.number, type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("exponential", where);
}

namespace {

constexpr int most_refused = 13;
static_assert(draws_of_gamma == 2 * most_refused + 1);

/// A number of a gamma distribution: of one whose form is at least 1, and the logarithm of what makes the wanted one of it.
struct gamma_number {
    value size, log_factor;
};
/// From the last candidate to the first, each in place of the one behind it where it is not refused.
gamma_number gamma_number_of(const draw& d, const value& form) {
    const auto at = [&](std::uint64_t number) {
        return draw{d.who, {d.from.key, d.from.number + number}, d.extents, d.where};
    };
    const auto positive = [&](const draw& of) {
        return of.probability(value(kept<dtype::i64>(cast<std::int64_t>(of.long_words()), d.where).node()), dtype::f64, 0);
    };
    const value middle = kept<run_time>(frit::where(form < 1.0, form + 1.0, form) - 1 / 3.0, d.where);
    const value step = kept<run_time>(1 / (3.0 * sqrt(middle)), d.where);
    std::optional<value> cube;
    for (std::uint64_t k = most_refused; k-- > 0;) {
        const value x = kept<run_time>(at(2 * k).standard_normal(dtype::f64), d.where);
        const value t = kept<run_time>(fma(x, step, 1.0), d.where), v = kept<run_time>(t * t * t, d.where);
        const auto taken = log(positive(at(2 * k + 1))) < 0.5 * square(x) + middle * (1.0 - v + log(v));
        cube = cube ? kept<run_time>(frit::where(taken, v, *cube), d.where) : v;
    }
    const auto factor = frit::where(form < 1.0, log(positive(at(draws_of_gamma - 1))) / form, 0.0);
    return {recorded(middle * *cube, d.where), recorded(factor, d.where)};
}
value form_of(const draw& d, const random_parameter& p) {
    if (!p.node && !(p.number > 0 && std::isfinite(p.number))) refuse(d.who, "the form is not positive and finite", d.where);
    const value form = d.spread(p, dtype::f64);
    if (!p.node) return kept<run_time>(form, d.where);
    return kept<run_time>(frit::where(form > 0.0, form, std::numeric_limits<double>::quiet_NaN()), d.where);
}

}  // namespace

user_ref gamma_of(random_stream s, dtype type, const shape& extents, const random_parameter& form,
                  const random_parameter& scale, source_line where) try {
    const draw d{"gamma", s, extents, where};
    d.check_floating(type);
    if (!scale.node && !(scale.number >= 0)) refuse("gamma", "the scale is negative or no number", where);
    const gamma_number g = gamma_number_of(d, form_of(d, form));
    return result(g.size * exp(g.log_factor) * d.spread(scale, dtype::f64), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("gamma", where);
}

user_ref beta_of(random_stream s, dtype type, const shape& extents, const random_parameter& a, const random_parameter& b,
                 source_line where) try {
    const draw d{"beta", s, extents, where};
    d.check_floating(type);
    const gamma_number x = gamma_number_of(d, form_of(d, a));
    const draw behind{"beta", {s.key, s.number + draws_of_gamma}, extents, where};
    const gamma_number y = gamma_number_of(behind, form_of(behind, b));
    // By logarithms: of small forms both numbers may be too small for a double.
    const value lead = recorded((log(y.size) + y.log_factor) - (log(x.size) + x.log_factor), where);
    return result(1.0 / (1.0 + exp(lead)), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("beta", where);
}

user_ref bernoulli_of(random_stream s, const shape& extents, const random_parameter& p, source_line where) try {
    const draw d{"bernoulli", s, extents, where};
    if (!p.node && !(p.number >= 0 && p.number <= 1)) refuse("bernoulli", "p is no probability", where);
    const value u = d.unit(dtype::f64);
    return p.node ? result(u < d.spread(p, dtype::f64), where) : result(u < p.number, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("bernoulli", where);
}

namespace {

bool in_front(const whole_number& a, const whole_number& b) {
    return a.negative != b.negative ? a.negative : a.bits < b.bits;
}
int digits_of(dtype type) { return static_cast<int>(8 * size_of(type)) - (kind_of(type) == dtype_kind::integer ? 1 : 0); }
/// Whether a dtype has this integer.
bool holds(dtype type, const whole_number& n) {
    const int digits = digits_of(type);
    if (n.negative) return kind_of(type) == dtype_kind::integer && (~n.bits >> digits) == 0;
    return digits == 64 || n.bits >> digits == 0;
}
/// Whether it has all integers of another one.
bool holds_all(dtype type, dtype of) {
    return digits_of(of) <= digits_of(type) && (kind_of(of) != dtype_kind::integer || kind_of(type) == dtype_kind::integer);
}

/// A bound of integers as it is: of uint64 where int64 may not hold it, else of that.
struct integer_bound {
    integer_bound(const draw& d, const random_parameter& p)
        : given(p.node ? p.node->meant : dtype::bool_),
          is_long(p.node ? given == dtype::u64 : !holds(dtype::i64, p.whole)),
          number(kept<run_time>(spread(d, p), d.where)),
          word(kept<dtype::u64>(cast<std::uint64_t>(number), d.where)) {}
    /// Where a dtype has not what an array has, or not the number below it, as of what is behind the last one.
    std::optional<mask_value> outside(dtype type, bool behind, source_line where) const {
        if (holds_all(type, given) || (behind && digits_of(type) == 64)) return std::nullopt;
        const std::uint64_t most = (UINT64_MAX >> (64 - digits_of(type))) + (behind ? 1 : 0);
        if (is_long) return mask_value(recorded(number > most, where).node());
        const std::int64_t least = kind_of(type) == dtype_kind::integer ? -1 - (INT64_MAX >> (63 - digits_of(type))) : 0;
        const auto last = static_cast<std::int64_t>(std::min(most, std::uint64_t{INT64_MAX}));
        if (behind) return mask_value(recorded(number > last, where).node());
        return mask_value(recorded((number < least) | (number > last), where).node());
    }

    dtype given;  ///< of an array; a number has been checked, and is within all
    bool is_long;
    value number;
    word_value word;  ///< modulo 2^64

private:
    value spread(const draw& d, const random_parameter& p) const {
        const dtype type = is_long ? dtype::u64 : dtype::i64;
        if (!p.node) {
            const weak_number n = is_long ? weak_number(p.whole.bits) : weak_number(static_cast<std::int64_t>(p.whole.bits));
            return filled(value(constant_of(n, type, d.where)), d.extents, d.where);
        }
        if (!is_integer(given)) throw_dtype_error(d.who, "takes bounds that are integers", {&given, 1}, d.where);
        return d.spread(p, type);
    }
};
void check_bounds(const draw& d, dtype type, const random_parameter& lo, const random_parameter& hi) {
    for (const random_parameter* p : {&lo, &hi})
        if (!p->node && !p->integral) {
            const dtype given = dtype::f64;
            throw_dtype_error(d.who, "takes bounds that are integers", {&given, 1}, d.where);
        }
    if (!is_integer(type)) throw_dtype_error(d.who, "makes integers", {&type, 1}, d.where);
    if (!lo.node && !holds(type, lo.whole)) throw_dtype_error(d.who, "the dtype does not hold lo", {&type, 1}, d.where);
    const whole_number last(hi.whole.bits - 1);  // of [lo, hi)
    const bool wraps = !hi.node && hi.whole.bits == 0;
    if (!hi.node && !hi.whole.negative && !wraps && !holds(type, last))
        throw_dtype_error(d.who, "the dtype does not hold hi - 1", {&type, 1}, d.where);
    if (!lo.node && !hi.node && !in_front(lo.whole, hi.whole))
        refuse(d.who, "there are no integers from lo up to hi", d.where);
}
/// The upper of the two words of r, a random number of 128 bits.
word_value upper_words(const draw& d) {
    return draw{d.who, {d.from.key, d.from.number + 1}, d.extents, d.where}.long_words();
}
/// The upper word of r n / 2^64.
word_value below_number(const draw& d, const word_value& high, const word_value& n) {
    const word_value low = d.long_words();
    const word_value product = kept<dtype::u64>(high * n, d.where);
    const word_value carry(recorded(make<op::mul_high>(low, n), d.where).node());
    return word_value(
        recorded(make<op::mul_high>(high, n) + cast<std::uint64_t>(product + carry < product), d.where).node());
}
/// Of bounds in arrays, of which one may be a number.
user_ref integers_between(const draw& d, dtype type, const integer_bound& lo, const integer_bound& hi) {
    const source_line where = d.where;
    const word_value n = kept<dtype::u64>(hi.word - lo.word, where), high = upper_words(d);
    const word_value some = kept<dtype::u64>(frit::where(n == 0U, high, below_number(d, high, n)), where);  // 0 is 2^64
    const value drawn = recorded(lo.word + frit::where(hi.number <= lo.number, std::uint64_t{0}, some), where);
    std::optional<mask_value> wrong = lo.outside(type, false, where);
    if (const auto other = hi.outside(type, true, where))
        wrong = wrong ? mask_value(recorded(*wrong | *other, where).node()) : *other;
    if (!wrong) return result(drawn, type, where);
    const mask_value fine = checked(*wrong, index_of(data_fault::integer_bounds), d.who, where);
    return result(frit::where(fine, drawn, 0), type, where);
}

}  // namespace

user_ref integers_of(random_stream s, dtype type, const shape& extents, const random_parameter& lo,
                     const random_parameter& hi, source_line where) try {
    const draw d{"integers", s, extents, where};
    check_bounds(d, type, lo, hi);
    if (lo.node || hi.node) return integers_between(d, type, integer_bound(d, lo), integer_bound(d, hi));
    const std::uint64_t count = hi.whole.bits - lo.whole.bits;
    if (count == 0) return result(upper_words(d) + lo.whole.bits, type, where);  // all 2^64 of them
    const word_value n(filled(value(constant_of(count, where)), extents, where).node());
    return result(below_number(d, upper_words(d), n) + lo.whole.bits, type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("integers", where);
}

namespace {

/// A distribution over integers: of the first one and those that follow, how probable they and those before are.
struct table {
    std::int64_t first;
    std::vector<double> up_to;
};
/// From the most probable number to both sides, until what is left has no effect: next(k) is how much more probable k + 1 is
/// than k.
table table_of(std::int64_t mode, std::int64_t last, const std::function<long double(std::int64_t)>& next) {
    constexpr long double least = 0x1p-80L;
    std::vector<long double> left, right{1};
    for (std::int64_t k = mode; k > 0 && (left.empty() || left.back() > least); --k)
        left.push_back((left.empty() ? 1 : left.back()) / next(k - 1));
    for (std::int64_t k = mode; k < last && right.back() > least; ++k) right.push_back(right.back() * next(k));
    std::reverse(left.begin(), left.end());
    left.insert(left.end(), right.begin(), right.end());
    long double total = 0, so_far = 0;
    for (const long double p : left) total += p;
    table t{mode - static_cast<std::int64_t>(left.size() - right.size()), {}};
    for (const long double p : left) t.up_to.push_back(static_cast<double>((so_far += p) / total));
    t.up_to.back() = 1;
    return t;
}
user_ref inverted(const draw& d, const table& t) {
    const array<double> up_to = from_host(t.up_to, shape(t.up_to.size(), d.where), d.where);
    const value u(kept<run_time>(d.unit(dtype::f64), d.where));
    const user_ref at = searchsorted_of(user_ref(up_to.handle().get()), u.node(), side::right, d.where);
    return result(place_value(at) + t.first, d.where);
}
void check_trials(const random_parameter& n, source_line where) {
    const dtype given = n.node ? n.node->meant : dtype::f64;
    if (n.node ? !is_integer(given) : !n.integral)
        throw_dtype_error("binomial", "takes whole numbers n", {&given, 1}, where);
    if (!n.node && !(n.number >= 0 && n.number <= most_events)) refuse("binomial", "n is not between 0 and 1e9", where);
}

}  // namespace

user_ref poisson_of(random_stream s, const shape& extents, const random_parameter& expected, source_line where) try {
    const draw d{"poisson", s, extents, where};
    if (expected.node) return poisson_of_each(d, expected);
    const double rate = expected.number;
    if (!(rate >= 0 && rate <= most_events)) refuse("poisson", "the rate is not between 0 and 1e9", where);
    const auto next = [rate](std::int64_t k) { return static_cast<long double>(rate) / static_cast<long double>(k + 1); };
    return inverted(d, table_of(static_cast<std::int64_t>(rate), rate == 0 ? 0 : INT64_MAX, next));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("poisson", where);
}

user_ref binomial_of(random_stream s, const shape& extents, const random_parameter& trials,
                     const random_parameter& probability, source_line where) try {
    const draw d{"binomial", s, extents, where};
    check_trials(trials, where);
    const double p = probability.number;
    if (!probability.node && !(p >= 0 && p <= 1)) refuse("binomial", "p is no probability", where);
    if (trials.node || probability.node) return binomial_of_each(d, trials, probability);
    const auto n = static_cast<std::int64_t>(trials.whole.bits);
    if (p == 1) return inverted(d, {n, {1}});
    const long double odds = static_cast<long double>(p) / (1 - static_cast<long double>(p));
    const auto next = [odds, n](std::int64_t k) {
        return odds * static_cast<long double>(n - k) / static_cast<long double>(k + 1);
    };
    const auto mode = std::min(n, static_cast<std::int64_t>(static_cast<double>(n + 1) * p));
    return inverted(d, table_of(mode, p == 0 ? 0 : n, next));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("binomial", where);
}

std::int64_t first_extent(const char* who, const shape& of, source_line where) {
    if (of.rank() == 0) throw_shape_error(who, "takes an array with axes", {&of, 1}, where);
    return of[0];
}

user_ref permutation_of(random_stream s, std::int64_t n, source_line where) try {
    if (n < 0) refuse("permutation", "the number " + std::to_string(n) + " is negative", where);
    const shape extents(n, where);
    return result(argsort(draw{"permutation", s, extents, where}.long_words(), 0, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("permutation", where);
}

namespace {

/// The weights of choices, of which none is negative or NaN, the largest is finite, and not 0.
struct choice_weights {
    choice_weights(const user_ref& given, source_line where)
        : numbers(in_dtype(value(given), dtype::f64, where)), largest(largest_of(numbers, where)) {}
    /// By a power of two, so that their sum does not leave the range; what is lost is nothing beside the largest.
    value scaled(source_line where) const {
        return recorded(numbers * frit::where(largest < 1.0, 0x1p900, 0x1p-100), where);
    }
    /// What was chosen by them, which is an error where they are none.
    user_ref chosen(const user_ref& places, source_line where) const {
        const mask_value wrong(recorded(!((largest > 0.0) & isfinite(largest)), where).node());
        const mask_value fine = checked(wrong, index_of(data_fault::weights), "choice", where);
        return result(frit::where(fine, value(places), std::int64_t{0}), where);
    }

    value numbers;

private:
    static value largest_of(const value& w, source_line where) {
        const value valid = recorded(frit::where(w >= 0.0, w, std::numeric_limits<double>::quiet_NaN()), where);
        return kept<run_time>(max(valid), where);
    }
    value largest;
};

/// Each at most once: the k with the largest keys, words or, with weights, log(u) / weight, whose order that of
/// log(weight / -log(u)) is, in which weights of any size have room.
user_ref chosen_once(random_stream s, std::int64_t n, const shape& extents, const choice_weights* weights,
                     source_line where) {
    const std::int64_t k = extents.size();
    if (k > n)
        refuse("choice", std::to_string(k) + " of " + std::to_string(n) + " elements, each once, are too many", where);
    const shape all(n, where);
    const draw d{"choice", s, all, where};
    value keys(d.long_words().node());
    if (weights) {
        const auto exponent =
            log(d.probability(value(kept<dtype::i64>(cast<std::int64_t>(keys), where).node()), dtype::f64, 0));
        const value w = kept<run_time>(weights->numbers, where);
        keys = recorded(frit::where(w > 0.0, log(w) - log(-exponent), -std::numeric_limits<double>::infinity()), where);
    }
    const value places(topk_of(keys.node(), k, 0, where).second);
    const value chosen =
        recorded(make_view(places, reshape_attribute(*places.node()->extents, int_list(extents), where)), where);
    return weights ? weights->chosen(chosen.node(), where) : result(chosen, where);
}

}  // namespace

user_ref chosen_of(random_stream s, std::int64_t n, const shape& extents, const user_ref& weights, bool replace,
                   source_line where) try {
    if (n == 0 && extents.size() > 0) refuse("choice", "there is nothing to choose from", where);
    std::optional<choice_weights> w;
    if (weights) {
        check_vector("choice", "weights", *weights->extents, where);
        check_real("choice", weights->meant, where);
        const shape both[] = {*weights->extents, shape(n, where)};
        if (both[0] != both[1]) throw_shape_error("choice", "there must be a weight for each element", both, where);
        if (n > 0) w.emplace(weights, where);
    }
    if (!replace) return chosen_once(s, n, extents, w ? &*w : nullptr, where);
    if (n == 0) return filled(value(constant_of(std::int64_t{0}, where)), extents, where).node();
    if (!w) return integers_of(s, dtype::i64, extents, std::int64_t{0}, n, where);
    const draw d{"choice", s, extents, where};
    const value up_to = shared_value(recorded(cumsum(w->scaled(where), 0, where), where), where);
    const value total = element_at(up_to, n - 1, extents, where);
    const value u = kept<run_time>(minimum(d.unit(dtype::f64) * total, nextafter(total, 0.0)), where);
    return w->chosen(searchsorted_of(up_to.node(), u.node(), side::right, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("choice", where);
}

}  // namespace frit::v0::detail
