// What all distributions are made of: the words of a draw by the number of each element, and the simplest numbers that are
// made of them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "frit/random.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {

using word_value = composed<dtype::u64>;

template <dtype D, operand E>
composed<D> kept(const E& e, source_line where) {
    return composed<D>(shared(e, where).node());
}

[[noreturn]] inline void refuse(std::string_view who, std::string_view text, source_line where) {
    throw error(std::string(who) + ": " + std::string(text) + place(where));
}

/// One draw.
struct draw {
    std::string_view who;
    random_stream from;
    const shape& extents;
    source_line where;

    /// The number of each element, in row-major order.
    word_value numbers() const {
        std::optional<place_value> sum;
        std::int64_t stride = 1;
        for (int axis = extents.rank() - 1; axis >= 0; stride *= extents[axis--]) {
            if (extents[axis] == 1) continue;
            const auto here = coordinate(extents, axis);
            if (sum)
                sum.emplace(recorded(here * stride + *sum, where).node());
            else  // the stride is 1
                sum.emplace(recorded(here, where).node());
        }
        if (!sum) sum.emplace(filled(value(constant_of(std::int64_t{0}, where)), extents, where).node());
        return kept<dtype::u64>(cast<std::uint64_t>(*sum), where);
    }
    /// A row of ops.def: random words by number.
    template <op Philox, operand A>
    auto words_at(const A& a) const {
        return make_as<Philox, dtype::u64, dtype::u64>(a, number_recipe(from.number), number_recipe(from.key));
    }
    /// One word for each element, and two.
    composed<dtype::u32> words() const {
        return kept<dtype::u32>(cast<std::uint32_t>(words_at<op::philox32>(numbers())), where);
    }
    word_value long_words() const { return kept<dtype::u64>(words_at<op::philox64>(numbers()), where); }

    /// A parameter as an array of the draw's shape.
    value spread(const random_parameter& p, dtype type) const {
        if (!p.node) return filled(value(constant_of(p.number, type, where)), extents, where);
        check_real(who, p.node->meant, where);
        return in_dtype(
            recorded(make_view(value(p.node), broadcast_attribute(*p.node->extents, extents, where, who)), where), type,
            where);
    }
    /// @throws dtype_error unless the type is one of floating numbers
    void check_floating(dtype type) const {
        if (!is_float(type) && !is_short(type)) throw_dtype_error(who, "makes floating numbers", {&type, 1}, where);
    }

    /// In [0, 1), of the upper 24 or 53 bits.
    value unit(dtype computed) const {
        if (computed == dtype::f32) return recorded(cast<float>(words() & 0xffffff00U) * 0x1p-32F, where);
        return recorded(cast<double>(cast<std::int64_t>(long_words() >> 11)) * 0x1p-53, where);
    }
    /// Words as signed integers: of 32 bits, or 64.
    value signed_words(dtype computed) const {
        return computed == dtype::f32 ? value(kept<dtype::i32>(cast<std::int32_t>(words()), where).node())
                                      : value(kept<dtype::i64>(cast<std::int64_t>(long_words()), where).node());
    }
    /// (m + 1/2) 2^-bits, m the lower 31 or 63 bits of a word. One rounding: m is rounded to the dtype's digits, or the sum.
    value probability(const value& word, dtype computed, int beyond) const {
        if (computed == dtype::f32)
            return recorded(
                fma(cast<float>(word & 0x7fffffff), std::ldexp(1.0F, -31 - beyond), std::ldexp(1.0F, -32 - beyond)), where);
        return recorded(fma(cast<double>(word & INT64_MAX), std::ldexp(1.0, -63 - beyond), std::ldexp(1.0, -64 - beyond)),
                        where);
    }
    /// The highest bit is the sign, the others say how far from the mean.
    value standard_normal(dtype computed) const {
        const value word = signed_words(computed);
        const value size = recorded(make<op::normal_isf>(probability(word, computed, 1)), where);
        const auto with_sign = [&]<class Integer>(Integer sign) {
            return recorded(frit::bit_cast(frit::bit_cast(size, dtype_of<Integer>) | (word & sign), computed), where);
        };
        return computed == dtype::f32 ? with_sign(INT32_MIN) : with_sign(INT64_MIN);
    }
};

/// How many events or trials there may be.
inline constexpr double most_events = 1e9;

/// Of parameters that are arrays: by loops in the kernel (counts.cpp).
user_ref poisson_of_each(const draw&, const random_parameter& rate);
user_ref binomial_of_each(const draw&, const random_parameter& n, const random_parameter& p);

}  // namespace frit::v0::detail
