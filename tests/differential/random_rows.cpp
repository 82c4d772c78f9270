// The reductions of the random program, over all elements and along axes, inside statements and by themselves; and formulas
// that reduce rows, broadcast the result back to them, and reduce again: softmax and what is built like it.
#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/differential/random_program_parts.hpp"

namespace frit_test {
namespace {
using frit::array;
using frit::dtype;
using frit::op;

/// Some of the axes, at least one; `one`: exactly one.
std::vector<int> pick_axes(generator& random, int rank, bool one) {
    std::vector<int> all(static_cast<std::size_t>(rank)), some;
    std::iota(all.begin(), all.end(), 0);
    if (!one)
        for (int axis : all)
            if (random.chance(0.5)) some.push_back(axis);
    if (some.empty()) some.push_back(static_cast<int>(random.below(rank)));
    return some;
}

bool has_rows(const ref::array& x, const std::vector<int>& axes) {
    return std::none_of(axes.begin(), axes.end(), [&](int k) { return x.extents[static_cast<std::size_t>(k)] == 0; });
}

/// What the reference says of frit's formulas, for x of float32 or float64.
struct plain_rows {
    ref::array x;
    std::vector<int> axes;

    ref::array reduce(op o, const ref::array& of) const { return ref::reduce(o, of, axes, true); }
    ref::array apply(op o, const ref::array& a, const ref::array& b) const { return ref::elementwise(o, {a, b}); }
    ref::array apply(op o, const ref::array& a) const { return ref::elementwise(o, {a}); }
    ref::array number(double v) const { return x.type == dtype::f32 ? constant(static_cast<float>(v)) : constant(v); }
    ref::array count() const {
        long double n = 1;
        for (int axis : axes) n *= static_cast<long double>(x.extents[static_cast<std::size_t>(axis)]);
        return ref::cast(constant(static_cast<double>(n)), x.type);
    }
    ref::array mean(const ref::array& of) const { return apply(op::div, reduce(op::sum, of), count()); }
    ref::array var() const { return apply(op::div, reduce(op::square_deviations, x), count()); }
    ref::array shifted() const { return apply(op::sub, x, reduce(op::max, x)); }
    ref::array softmax() const {
        const ref::array e = apply(op::exp, shifted());
        return apply(op::div, e, reduce(op::sum, e));
    }
    ref::array log_softmax() const {
        return apply(op::sub, shifted(), apply(op::log, reduce(op::sum, apply(op::exp, shifted()))));
    }
    ref::array layer_norm() const {
        return apply(op::mul, apply(op::sub, x, mean(x)), apply(op::rsqrt, apply(op::add, var(), number(1e-5))));
    }
    ref::array rms_norm() const {
        return apply(op::mul, x, apply(op::rsqrt, apply(op::add, mean(apply(op::square, x)), number(1e-5))));
    }
    ref::array logsumexp() const {
        const ref::array sum = reduce(op::sum, apply(op::exp, shifted()));
        return apply(op::add, apply(op::log, sum), reduce(op::max, x));
    }
};

}  // namespace

term random_program::reduced(recorder& to, const term& x, bool keepdims) {
    const auto code = static_cast<op>(frit::detail::count_ops + random_.below(frit::detail::count_reductions));
    const frit::reduction_info& row = frit::reduction(code);
    const bool places = row.kind == frit::reduction_kind::INDEX;
    const int rank = x.plain.rank();
    std::vector<int> axes(x.plain.extents.size());
    std::iota(axes.begin(), axes.end(), 0);
    const bool whole = places ? rank == 1 && random_.chance(0.3) : rank == 0 || random_.chance(0.3);
    if (!whole && rank > 0) axes = pick_axes(random_, rank, places);
    if ((places && rank == 0) || ((places || code == op::min || code == op::max) && !has_rows(x.plain, axes))) return x;
    if (row.kind == frit::reduction_kind::PAIR) return x;  // of complex numbers
    if (row.kind == frit::reduction_kind::LAST) return x;  // of recurrences
    if (row.kind == frit::reduction_kind::DEVIATIONS && !frit::is_float(x.plain.type)) return x;
    if (!takes(code, x.plain.type)) return x;

    const dtype type = frit::reduction_dtype(code, x.plain.type);
    std::string text = std::string(name_of(code)) + "(" + x.text;
    if (!whole) {
        const frit::shape of(x.plain.extents);
        const frit::axes which(axes);
        to.axes(type, frit::detail::reduce_attribute(name_of(code), of, {.which = &which, .keepdims = keepdims}));
        text += ", " + text_of(axes) + (keepdims ? ", keepdims" : "");
    }
    to.apply(code, type);
    return {ref::reduce(code, x.plain, axes, !whole && keepdims), text + ")"};
}

void random_program::reduction() {
    const variable v = pick();
    recorder to;
    std::visit([&](const auto& a) { to.leaf(a.handle()); }, v.lazy);
    const term r = reduced(to, {v.plain, v.name}, random_.chance(0.4));
    if (to.length() > 1) add(to, r);
}

// Within [-20, 20], where exp is accurate.
void random_program::rows() {
    const variable v = pick();
    const int rank = v.plain.rank();
    if (rank == 0 || !frit::is_float(v.plain.type)) return;
    const std::vector<int> axes = pick_axes(random_, rank, random_.chance(0.5));
    if (!has_rows(v.plain, axes)) return;
    by_type(v.plain.type, [&]<class T>(T) {
        if constexpr (is_float<T>) {
            // of 16-bit floats in float32, rounded once
            const dtype computed = frit::register_dtype(v.plain.type);
            const ref::array clipped = ref::elementwise(op::clip, {v.plain, constant(T(-20)), constant(T(20))});
            const plain_rows plain{ref::cast(clipped, computed), axes};
            const auto x = clip(std::get<array<T>>(v.lazy), T(-20), T(20));
            const std::string of = "(clip(" + v.name + ", -20, 20), " + text_of(axes) + ")";
            const auto give = [&](const auto& formula, const ref::array& want, const char* name) {
                add(array<T>(formula), ref::cast(want, v.plain.type), name + of);
            };
            switch (random_.below(6)) {
                case 0: return give(softmax(x, axes), plain.softmax(), "softmax");
                case 1: return give(log_softmax(x, axes), plain.log_softmax(), "log_softmax");
                case 2: return give(layer_norm(x, axes), plain.layer_norm(), "layer_norm");
                case 3: return give(rms_norm(x, axes), plain.rms_norm(), "rms_norm");
                case 4: return give(logsumexp(x, axes, frit::keepdims), plain.logsumexp(), "logsumexp");
                default: return give(var(x, axes, frit::keepdims), plain.var(), "var");
            }
        }
    });
}

}  // namespace frit_test
