// softmax, log_softmax, layer_norm and rms_norm: rows brought to a scale.
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {
namespace {

/// x in the dtype that statistics are computed in, and its rows.
struct rows {
    dtype type;  ///< of the result
    value values;
    attribute_ref over;
    rows(const user_ref& x, const reduced_axes& axes, std::string_view who)
        : type(dtype_for_statistics(value(x))),
          values(in_dtype(value(x), register_dtype(type), axes.where)),
          over(reduce_attribute(who, *x->extents, {.which = &axes.which, .where = axes.where, .keepdims = true})) {}
    double count() const { return static_cast<double>(reduced_count(*over)); }
    /// Complex numbers: from the largest real part, which is what exp may overflow with.
    auto from_largest(source_line where) const { return values - reduce_along<op::max>(real_part(values, where), over); }
    /// x divided by the root of the mean of |x|^2 along the axes, and of epsilon beside it.
    user_ref scaled(const auto& x, double epsilon, source_line where) const {
        const auto over_mean = [&](const auto& squares) {
            return result(x * rsqrt(reduce_along<op::sum>(squares, over) / count() + epsilon), type, where);
        };
        return is_complex(type) ? over_mean(squared_modulus(recorded(x, where), where)) : over_mean(square(x));
    }
};

}  // namespace

user_ref softmax_of(const user_ref& x, const reduced_axes& over) {
    const rows r(x, over, "softmax");
    check_rows("softmax", *r.over, over.where);
    const auto e = exp(r.from_largest(over.where));
    const auto total = reduce_along<op::sum>(e, r.over);
    // 16 bits do not show the last bit of a quotient, and on a GPU divisions would take longer than all else.
    if (is_short(r.type)) return result(e * (1.0 / total), r.type, over.where);
    return result(e / total, r.type, over.where);
}

user_ref log_softmax_of(const user_ref& x, const reduced_axes& over) {
    const rows r(x, over, "log_softmax");
    check_rows("log_softmax", *r.over, over.where);
    const auto shifted = r.from_largest(over.where);
    return result(shifted - log(reduce_along<op::sum>(exp(shifted), r.over)), r.type, over.where);
}

/// The deviations are needed anyway: the variance is the mean of their squares.
user_ref layer_norm_of(const user_ref& x, const reduced_axes& over, double epsilon) {
    const rows r(x, over, "layer_norm");
    const auto mean = reduce_along<op::sum>(r.values, r.over) / r.count();
    return r.scaled(r.values - mean, epsilon, over.where);
}

user_ref rms_norm_of(const user_ref& x, const reduced_axes& over, double epsilon) {
    const rows r(x, over, "rms_norm");
    return r.scaled(r.values, epsilon, over.where);
}

}  // namespace frit::v0::detail
