// The views and updates of the random program: slices with steps of both signs, transposes, broadcasts, reshapes; writes
// into slices, also of the array that is read, and masked and compound writes.
#include <algorithm>
#include <numeric>

#include "tests/differential/random_program_parts.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::op;

/// Calls f with as many indices as the array has axes.
template <class F>
void with_indices(const std::vector<frit::index>& i, F&& f) {
    if (i.size() == 1) f(i[0]);
    if (i.size() == 2) f(i[0], i[1]);
    if (i.size() == 3) f(i[0], i[1], i[2]);
}

std::vector<frit::index> indices(const std::vector<ref::range>& ranges) {
    std::vector<frit::index> r;
    for (const ref::range& one : ranges) r.push_back(to_slice(one));
    return r;
}

ref::position counts(const std::vector<ref::range>& ranges) {
    ref::position r;
    for (const ref::range& one : ranges) r.push_back(one.count);
    return r;
}

std::string text_of(const std::vector<ref::range>& ranges) {
    std::string s;
    for (const ref::range& r : ranges) s += (s.empty() ? "" : ", ") + frit_test::text_of(r);
    return s;
}

}  // namespace

std::vector<ref::range> random_program::random_ranges(const ref::position& extents) {
    std::vector<ref::range> r;
    for (std::int64_t e : extents) {
        const std::int64_t step = random_.chance(0.4) ? 1 : random_.between(1, 3) * (random_.chance(0.5) ? 1 : -1);
        const bool whole = random_.chance(0.3);
        const std::int64_t a = whole ? ref::none : random_.between(-1, e),
                           b = whole ? ref::none : random_.between(-1, e + 1);
        const ref::range one = ref::slice_of(e, a, b, step);
        r.push_back(one.count == 0 && random_.chance(0.9) ? ref::range{0, e, 1} : one);
    }
    return r;
}

// Another region of the same counts, so that it can be read into the first.
std::vector<ref::range> random_program::shifted(const ref::position& extents, const std::vector<ref::range>& of) {
    std::vector<ref::range> r;
    for (std::size_t k = 0; k < of.size(); ++k) {
        const std::int64_t room = extents[k] - of[k].count, start = room > 0 ? random_.between(0, room) : 0;
        const bool backwards = random_.chance(0.3) && of[k].count > 0;
        r.push_back(backwards ? ref::range{start + of[k].count - 1, of[k].count, -1} : ref::range{start, of[k].count, 1});
    }
    return r;
}

void random_program::view() {
    const variable v = pick();
    const ref::array& x = v.plain;
    std::visit(
        [&](const auto& a) {
            switch (random_.below(8)) {
                case 0:
                case 1: {
                    if (!can_be_indexed(x)) return;
                    const std::vector<ref::range> ranges = random_ranges(x.extents);
                    with_indices(indices(ranges), [&](const auto&... i) {
                        add(frit::array(a(i...)), ref::slice(x, ranges), v.name + "(" + text_of(ranges) + ")");
                    });
                    return;
                }
                case 7: {  // an integer drops an axis, newaxis makes one
                    if (!can_be_indexed(x) || x.data.empty()) return;
                    if (x.rank() < 3 && random_.chance(0.5)) {
                        ref::position to = x.extents;
                        to.insert(to.begin(), 1);
                        return add(frit::array(a(frit::newaxis, frit::ellipsis)), ref::reshape(x, to),
                                   v.name + "(newaxis, ellipsis)");
                    }
                    const auto axis = static_cast<std::size_t>(random_.below(x.rank()));
                    std::vector<ref::range> ranges = random_ranges(x.extents);
                    ranges[axis] = {random_.below(x.extents[axis]), 1, 1};
                    std::vector<frit::index> picked = indices(ranges);
                    picked[axis] = ranges[axis].start - (random_.chance(0.5) ? x.extents[axis] : 0);
                    ref::array plain = ref::slice(x, ranges);
                    plain.extents.erase(plain.extents.begin() + static_cast<std::ptrdiff_t>(axis));
                    with_indices(picked, [&](const auto&... i) {
                        add(frit::array(a(i...)), std::move(plain),
                            v.name + "(" + text_of(ranges) + "), axis " + std::to_string(axis) + " dropped");
                    });
                    return;
                }
                case 2: {
                    std::vector<int> order(x.extents.size());
                    std::iota(order.begin(), order.end(), 0);
                    for (std::size_t k = order.size(); k > 1; --k)
                        std::swap(order[k - 1],
                                  order[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(k)))]);
                    if (order.empty()) return;
                    return add(frit::array(frit::transpose(a, order)), ref::transpose(x, order),
                               "transpose(" + v.name + ", " + frit_test::text_of(order) + ")");
                }
                case 3: {
                    if (x.extents.empty()) return;
                    const int axis = static_cast<int>(random_.below(x.rank()));
                    return add(frit::array(frit::flip(a, axis)), ref::flip(x, axis),
                               "flip(" + v.name + ", " + std::to_string(axis) + ")");
                }
                case 4: {  // a new shape for the same elements: split or join axes
                    ref::position to;
                    std::int64_t rest = x.size();
                    for (std::int64_t factor : {2, 3, 5, 7})
                        if (rest > 0 && rest % factor == 0 && to.size() < 2 && random_.chance(0.5))
                            to.push_back(factor), rest /= factor;
                    to.insert(random_.chance(0.5) ? to.begin() : to.end(), rest);
                    return add(frit::array(a.reshape(to)), ref::reshape(x, to),
                               v.name + ".reshape(" + frit_test::text_of(to) + ")");
                }
                case 5: {
                    ref::position to = x.extents;
                    for (std::int64_t& e : to)
                        if (e == 1 && random_.chance(0.7)) e = random_.between(1, 6);
                    if (to.size() < 3 && random_.chance(0.5)) to.insert(to.begin(), random_.between(1, 5));
                    if (count(to) > largest) return;
                    return add(frit::array(frit::broadcast_to(a, to)), ref::broadcast_to(x, to),
                               "broadcast_to(" + v.name + ", " + frit_test::text_of(to) + ")");
                }
                default: return pad(v);
            }
        },
        v.lazy);
}

void random_program::update() {
    variable& u = pick();
    if (!can_be_indexed(u.plain)) return;
    const std::vector<ref::range> region = random_ranges(u.plain.extents);
    const ref::position extents = counts(region);
    const std::string target = u.name + "(" + text_of(region) + ")";
    const auto code =
        std::vector<op>{op::where, op::where, op::where, op::add, op::mul}[static_cast<std::size_t>(random_.below(5))];
    by_type(u.plain.type, [&]<class T>(T) {
        auto& a = std::get<array<T>>(u.lazy);
        // Writes `value` (an array, a view or a number) whose plain form is given.
        const auto write = [&](const auto& value, const ref::array& plain, const std::string& text) {
            const ref::array old = ref::slice(u.plain, region);
            with_indices(indices(region), [&](const auto&... i) {
                if (code == op::add)
                    a(i...) += value;
                else if (code == op::mul)
                    a(i...) *= value;
                else
                    a(i...) = value;
            });
            u.plain =
                ref::update(u.plain, region, code == op::where ? plain : ref::stored(ref::elementwise(code, {old, plain})));
            say(target + (code == op::add ? " += " : code == op::mul ? " *= " : " = ") + text + ";");
        };
        const int how = static_cast<int>(random_.below(4));
        if (how == 0) {
            const T s = ordinary<T>(random_);
            return write(s, constant(s), number_text(s));
        }
        if (how <= 2) {  // the array's own elements, from elsewhere
            const std::vector<ref::range> from = shifted(u.plain.extents, region);
            with_indices(indices(from), [&](const auto&... i) {
                const array<T> source = a;  // its own name for the view: `a(...)` must be evaluated before the write
                const auto value = source(i...);
                write(value, ref::slice(u.plain, from), u.name + "(" + text_of(from) + ")");
            });
            return;
        }
        const variable* other = pick_for(extents);
        if (!other) return;
        const variable v = as<T>(*other);
        write(std::get<array<T>>(v.lazy), v.plain, v.name);
    });
}

void random_program::masked_update() {
    if (random_.chance(0.3)) return put_where_true();
    variable& u = pick();
    const variable* other = pick_for(u.plain.extents);
    if (!other) return;
    by_type(u.plain.type, [&]<class T>(T) {
        auto& a = std::get<array<T>>(u.lazy);
        const variable v = as<T>(*other);
        using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
        const auto limit = ordinary<part>(random_);
        const T s = ordinary<T>(random_);
        const auto below = [&] {
            if constexpr (is_complex<T>)
                return array<bool>(imag(a) < limit);
            else
                return array<bool>(a < limit);
        };
        const ref::array of = is_complex<T> ? ref::elementwise(op::imag, {u.plain}) : u.plain;
        const ref::array mask = ref::elementwise(op::lt, {of, constant(limit)});
        const std::string text =
            u.name + "(" + (is_complex<T> ? "imag of " : "") + u.name + " < " + number_text(limit) + ") = ";
        if (random_.chance(0.5)) {
            a(below()) = s;
            u.plain = ref::elementwise(op::where, {mask, constant(s), u.plain});
            say(text + number_text(s) + ";");
        } else {
            // Of fewer axes it would be one value for each true element.
            a(below()) = frit::broadcast_to(std::get<array<T>>(v.lazy), a.shape());
            u.plain = ref::elementwise(op::where, {mask, v.plain, u.plain});
            say(text + v.name + ";");
        }
    });
}

void random_program::compound() {
    variable& u = pick();
    const variable* other = pick_for(u.plain.extents);
    if (!other) return;
    by_type(u.plain.type, [&]<class T>(T) {
        auto& a = std::get<array<T>>(u.lazy);
        const variable v = as<T>(*other);
        const auto& b = std::get<array<T>>(v.lazy);
        if (random_.chance(0.5)) {
            a += b;
            u.plain = ref::stored(ref::elementwise(op::add, {u.plain, v.plain}));
            say(u.name + " += " + v.name + ";");
        } else {
            a *= b;
            u.plain = ref::stored(ref::elementwise(op::mul, {u.plain, v.plain}));
            say(u.name + " *= " + v.name + ";");
        }
    });
}

}  // namespace frit_test
