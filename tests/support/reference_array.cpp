// Array part of the reference: views and updates, each the textbook definition over an index vector.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/support/reference.hpp"
#include "tests/support/ulp.hpp"

namespace ref {
namespace {

std::size_t flat(const position& extents, const position& i) {
    std::int64_t n = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) n = n * extents[k] + i[k];
    return static_cast<std::size_t>(n);
}

std::int64_t count(const position& extents) {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    return n;
}

}  // namespace

const number& array::at(const position& i) const { return data.at(flat(extents, i)); }
number& array::at(const position& i) { return data.at(flat(extents, i)); }

void for_each_index(const position& extents, const std::function<void(const position&)>& f) {
    position i(extents.size(), 0);
    for (std::int64_t n = count(extents); n > 0; --n) {
        f(i);
        for (std::size_t k = extents.size(); k-- > 0;) {
            if (++i[k] < extents[k]) break;
            i[k] = 0;
        }
    }
}

array generate(dtype t, const position& extents, const std::function<number(const position&)>& f) {
    array r{t, extents, {}, false};
    r.data.reserve(static_cast<std::size_t>(count(extents)));
    for_each_index(extents, [&](const position& i) { r.data.push_back(f(i)); });
    return r;
}

position broadcast(const position& a, const position& b) {
    position r(std::max(a.size(), b.size()));
    for (std::size_t k = 0; k < r.size(); ++k) {  // k counts from the last axis
        const std::int64_t ea = k < a.size() ? a[a.size() - 1 - k] : 1, eb = k < b.size() ? b[b.size() - 1 - k] : 1;
        if (ea != eb && ea != 1 && eb != 1) throw std::logic_error("reference: shapes do not broadcast");
        r[r.size() - 1 - k] = ea == 1 ? eb : ea;
    }
    return r;
}

array rearranged(const array& x, const position& extents, const std::function<position(const position&)>& place) {
    array r = generate(x.type, extents, [&](const position& i) { return x.at(place(i)); });
    r.inexact_reduction = x.inexact_reduction;
    return r;
}

array broadcast_to(const array& x, const position& extents) {
    const std::size_t shift = extents.size() - x.extents.size();
    return rearranged(x, extents, [&](const position& i) {
        position from(x.extents.size());
        for (std::size_t k = 0; k < from.size(); ++k) from[k] = x.extents[k] == 1 ? 0 : i[k + shift];
        return from;
    });
}

array cast(const array& x, dtype to) {
    array r = x;
    r.type = to;
    for (number& e : r.data) e = convert(e, x.type, to);
    return r;
}

array stored(array x) { return frit::is_short(x.type) ? cast(x, x.type) : x; }

array elementwise(op o, const std::vector<array>& operands) {
    const std::size_t first = o == op::where ? 1 : 0;  // where's condition takes no part in the promotion
    dtype promoted = operands[first].type;
    position extents = operands[0].extents;
    for (std::size_t k = 1; k < operands.size(); ++k) {
        if (k > first) promoted = frit::promote(promoted, operands[k].type);
        extents = broadcast(extents, operands[k].extents);
    }
    const frit::op_dtypes rule = frit::resolve(o, promoted);
    if (!rule.valid) throw std::logic_error("reference: " + std::string(frit::name_of(o)) + " does not take the dtype");
    // Integers are compared as they are, whatever they promote to: in 128 bits.
    const frit::op_info& row = frit::info(o);
    const bool compares = row.on_bool == frit::on_bool_rule::widen && row.result == frit::op_result::BOOL;
    const bool exact = compares && frit::is_integer(operands[0].type) && frit::is_integer(operands[1].type);
    // A 16-bit float holds what promotes to it, and is not rounded here. A real operand stays one.
    const bool in_float32 = frit::is_short(rule.operand) && o != op::nextafter;
    std::array<bool, 2> real{};
    std::vector<array> in;
    bool inexact = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const dtype type = exact ? operands[k].type : k < first ? dtype::bool_ : rule.operand;
        const bool as_it_is = k >= first && in_float32;
        in.push_back(broadcast_to(as_it_is ? operands[k] : cast(operands[k], type), extents));
        inexact = inexact || operands[k].inexact_reduction;
        if (k < 2) real[k] = !frit::is_complex(operands[k].type);
    }
    array r{rule.result, extents, {}, inexact};
    for (std::size_t i = 0; i < in[0].data.size(); ++i) {
        const number &a = in[0].data[i], b = in.size() > 1 ? in[1].data[i] : number{},
                     c = in.size() > 2 ? in[2].data[i] : number{};
        r.data.push_back(frit::is_complex(rule.operand) && o != op::where
                             ? apply_complex(rule.code, rule.operand, a, b, c, real)
                             : apply(rule.code, exact ? dtype::i64 : rule.operand, a, b, c));
    }
    return r;
}

range slice_of(std::int64_t extent, std::int64_t start, std::int64_t stop, std::int64_t step) {
    const std::int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? extent : extent - 1;
    const auto place = [&](std::int64_t x, std::int64_t missing) {
        if (x == none) return missing;
        return std::clamp(x < 0 ? x + extent : x, lowest, highest);
    };
    const std::int64_t from = place(start, step > 0 ? lowest : highest), to = place(stop, step > 0 ? highest : lowest);
    std::int64_t n = 0;
    for (std::int64_t k = from; step > 0 ? k < to : k > to; k += step) ++n;
    return {from, n, step};
}

array slice(const array& x, const std::vector<range>& axes) {
    position extents;
    for (const range& a : axes) extents.push_back(a.count);
    return rearranged(x, extents, [&](const position& i) {
        position from(i.size());
        for (std::size_t k = 0; k < i.size(); ++k) from[k] = axes[k].start + axes[k].step * i[k];
        return from;
    });
}

array transpose(const array& x, const std::vector<int>& axes) {
    position extents;
    for (int a : axes) extents.push_back(x.extents[static_cast<std::size_t>(a)]);
    return rearranged(x, extents, [&](const position& i) {
        position from(i.size());
        for (std::size_t k = 0; k < i.size(); ++k) from[static_cast<std::size_t>(axes[k])] = i[k];
        return from;
    });
}

array reshape(const array& x, const position& extents) {
    array r = x;
    r.extents = extents;
    return r;
}

array flip(const array& x, int axis) {
    std::vector<range> axes;
    for (int k = 0; k < x.rank(); ++k) {
        const std::int64_t e = x.extents[static_cast<std::size_t>(k)];
        axes.push_back(k == axis ? range{e - 1, e, -1} : range{0, e, 1});
    }
    return slice(x, axes);
}

array update(const array& base, const std::vector<range>& axes, const array& value) {
    position region;
    for (const range& a : axes) region.push_back(a.count);
    const array v = broadcast_to(cast(value, base.type), region);
    array r = base;
    r.inexact_reduction = base.inexact_reduction || value.inexact_reduction;
    for_each_index(region, [&](const position& i) {
        position to(i.size());
        for (std::size_t k = 0; k < i.size(); ++k) to[k] = axes[k].start + axes[k].step * i[k];
        r.at(to) = v.at(i);
    });
    return r;
}

}  // namespace ref
