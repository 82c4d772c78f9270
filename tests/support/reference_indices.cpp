// Gathers and scatters of the reference. Both begin with the numbers of the elements that indices name, in the shape of the
// result; NumPy's rules for that stand here once more, as its documentation has them.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/support/reference.hpp"

namespace ref {
namespace {

using kind = subscript::kind;

std::int64_t counted_from_the_end(std::int64_t i, std::int64_t n) { return i < 0 ? i + n : i; }

/// The index that an array of them has at a place of the shape that it broadcasts to.
std::int64_t index_at(const array& indices, const position& place) {
    position own;
    for (std::size_t k = 0; k < indices.extents.size(); ++k)
        own.push_back(indices.extents[k] == 1 ? 0 : place[place.size() - indices.extents.size() + k]);
    return static_cast<std::int64_t>(indices.at(own).v);
}

/// Of the subscripts those that are arrays or, beside an array, integers: whether nothing stands between them.
bool stand_together(const std::vector<subscript>& all) {
    const auto advanced = [](const subscript& s) { return s.what == kind::indices || s.what == kind::integer; };
    const auto first = std::find_if(all.begin(), all.end(), advanced);
    const auto last = std::find_if(all.rbegin(), all.rend(), advanced).base();
    return std::all_of(first, last, advanced);
}

/// What one element of the base makes of the values that come to it, the base's own first.
number combined(op o, dtype type, const std::vector<number>& values) {
    if (values.size() == 1) return values[0];
    if (o == op::scatter_set) return values.back();
    const bool logical = type == dtype::bool_;
    const op how = o == op::scatter_add   ? (logical ? op::any : op::sum)
                   : o == op::scatter_mul ? (logical ? op::all : op::prod)
                   : o == op::scatter_min ? op::min
                                          : op::max;
    number r = cast(reduce(how, {type, {static_cast<std::int64_t>(values.size())}, values, false}), type).data[0];
    if (r.v == 0 && (how == op::min || how == op::max)) {  // +0 is above -0
        const bool negative = std::any_of(values.begin(), values.end(),
                                          [](const number&x) { return x.v == 0 && std::signbit(x.v); }),
                   positive = std::any_of(values.begin(), values.end(),
                                          [](const number&x) { return x.v == 0 && !std::signbit(x.v); });
        r.v = (how == op::max ? positive : !negative) ? 0.0L : -0.0L;
    }
    return r;
}

}  // namespace

selection select(const position& of, const std::vector<subscript>& given) {
    std::vector<subscript> all = given;
    std::size_t axes = 0;
    for (const subscript& s : given) axes += s.what != kind::newaxis;
    for (; axes < of.size(); ++axes) all.push_back({kind::slice, {0, of[axes], 1}, {}});

    position indices, others;
    for (const subscript& s : all) {
        if (s.what == kind::indices) indices = broadcast(indices, s.indices.extents);
        if (s.what == kind::slice) others.push_back(s.along.count);
        if (s.what == kind::newaxis) others.push_back(1);
    }
    std::size_t first = 0;  // axis of the result where the arrays' axes begin
    if (stand_together(all))
        for (const subscript& s : all) {
            if (s.what == kind::indices || s.what == kind::integer) break;
            ++first;
        }
    selection r{others, {}};
    r.extents.insert(r.extents.begin() + static_cast<std::ptrdiff_t>(first), indices.begin(), indices.end());
    for_each_index(r.extents, [&](const position& i) {
        const auto begin = i.begin() + static_cast<std::ptrdiff_t>(first),
                   end = begin + static_cast<std::ptrdiff_t>(indices.size());
        const position place(begin, end);
        position rest(i.begin(), begin);
        rest.insert(rest.end(), end, i.end());
        std::int64_t element = 0;
        std::size_t axis = 0, other = 0;
        for (const subscript& s : all) {
            if (s.what == kind::newaxis) {
                ++other;
                continue;
            }
            const std::int64_t n = of[axis++];
            const std::int64_t at = s.what == kind::slice     ? s.along.start + s.along.step * rest[other++]
                                    : s.what == kind::integer ? s.along.start
                                                              : index_at(s.indices, place);
            element = element * n + counted_from_the_end(at, n);
        }
        r.elements.push_back(element);
    });
    return r;
}

selection select_along(const position& of, const array& indices, int axis) {
    const auto along = static_cast<std::size_t>(axis);
    position own = of;
    own[along] = 1;
    selection r{broadcast(own, indices.extents), {}};
    for_each_index(r.extents, [&](const position& i) {
        std::int64_t element = 0;
        for (std::size_t k = 0; k < of.size(); ++k) {
            const std::int64_t at = k == along ? counted_from_the_end(index_at(indices, i), of[k]) : of[k] == 1 ? 0 : i[k];
            element = element * of[k] + at;
        }
        r.elements.push_back(element);
    });
    return r;
}

array gather(const array& x, const selection& where) {
    array r{x.type, where.extents, {}, x.inexact_reduction};
    for (const std::int64_t e : where.elements) r.data.push_back(x.data.at(static_cast<std::size_t>(e)));
    return r;
}

array scatter(op o, const array& base, const selection& where, const array& values) {
    if (values.type != base.type) throw std::logic_error("reference: values of a scatter have another dtype");
    const array put = broadcast_to(values, where.extents);
    std::vector<std::vector<number>> meet;  // at each element
    for (const number& e : base.data) meet.push_back({e});
    for (std::size_t k = 0; k < put.data.size(); ++k)
        meet.at(static_cast<std::size_t>(where.elements[k])).push_back(put.data[k]);
    array r = base;
    r.inexact_reduction = base.inexact_reduction || values.inexact_reduction;
    for (std::size_t k = 0; k < meet.size(); ++k) r.data[k] = combined(o, base.type, meet[k]);
    return r;
}

}  // namespace ref
