// What is known when the text is made is computed when it is written down: see build.hpp.
#include "fusion/loops/build.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace frit::inline v0::fusion::loops {

const type& value::is() const { return in->at(id).is; }

value array::operator[](value index) const {
    return in->make({.what = code::element, .is = in->f_.variables[variable].is, .in = {index.id}, .n = variable});
}
value array::operator[](std::int64_t index) const { return (*this)[in->constant(index)]; }
value array::at(value index) const {
    type t = address_of(in->f_.variables[variable].is.of, false);
    return in->make({.what = code::place, .is = t, .in = {index.id}, .n = variable});
}

cell builder::variable(const std::string& name, type t, std::int64_t count) {
    f_.variables.push_back({name, t, count});
    cell c;
    c.variable = static_cast<variable_id>(f_.variables.size() - 1);
    c.in = this;
    c.id = make({.what = code::variable, .is = t, .n = c.variable}).id;
    return c;
}
cell builder::parameter(const std::string& name, type t) {
    ++f_.parameters;
    return variable(name, t);
}

value builder::make(expression e) {
    f_.expressions.push_back(std::move(e));
    return {this, static_cast<expression_id>(f_.expressions.size() - 1)};
}
value builder::of(code what, value from, std::initializer_list<expression_id> more) {
    expression e{.what = what, .is = lanes_of(from.is().of), .in = {from.id}};
    e.in.insert(e.in.end(), more);
    return make(std::move(e));
}
std::optional<std::int64_t> builder::constant_of(value v) const {
    const expression& e = at(v.id);
    const bool known = e.what == code::constant && (e.is.what == kind::index || e.is.what == kind::truth);
    return known ? std::optional(e.n) : std::nullopt;
}

value builder::lanes_with(dtype t, double x) {
    std::uint64_t bits = 0;
    switch (t) {
#define FRIT_X(name, type)                          \
    case dtype::name: {                             \
        const type number = static_cast<type>(x);   \
        std::memcpy(&bits, &number, sizeof number); \
        break;                                      \
    }
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("loops: a number of a dtype that nothing is computed in");
    }
    return lanes(t, bits);
}
value builder::choice(value condition, value yes, value no) {
    if (const auto known = constant_of(condition)) return *known ? yes : no;
    return make({.what = code::choice, .is = yes.is(), .in = {condition.id, yes.id, no.id}});
}
value builder::compute(op o, dtype result, dtype by, std::initializer_list<value> operands) {
    expression e{.what = code::compute, .is = lanes_of(result), .op = o, .from = by};
    for (const value v : operands) e.in.push_back(v.id);
    return make(std::move(e));
}
value builder::forward(value address, value by) {
    if (constant_of(by) == 0) return address;
    return make({.what = code::forward, .is = address.is(), .in = {address.id, by.id}});
}

cell builder::let(const std::string& name, value v) {
    const cell c = variable(name, v.is());
    add({.what = act::let, .n = c.variable, .in = {v.id}});
    return c;
}
cell builder::declare(const std::string& name, value v) {
    const cell c = variable(name, v.is());
    add({.what = act::declare, .n = c.variable, .in = {v.id}});
    return c;
}
cell builder::declare(const std::string& name, type t) {
    const cell c = variable(name, t);
    add({.what = act::declare, .n = c.variable});
    return c;
}
array builder::declare(const std::string& name, type t, std::int64_t count) {
    const cell c = variable(name, t, count);
    add({.what = act::declare, .n = c.variable});
    return {this, c.variable};
}
void builder::set(const cell& c, value v) { add({.what = act::set, .n = c.variable, .in = {v.id}}); }
void builder::put(const array& a, value index, value v) { add({.what = act::put, .n = a.variable, .in = {index.id, v.id}}); }
void builder::run(routine r, std::initializer_list<value> operands, std::uint32_t n) {
    statement s{.what = act::run, .n = n, .runs = r};
    for (const value v : operands) s.in.push_back(v.id);
    add(std::move(s));
}

namespace {

template <class F>
value of_indices(code what, value a, value b, F known) {
    builder& in = *a.in;
    const auto x = in.constant_of(a), y = in.constant_of(b);
    if (x && y) return in.constant(known(*x, *y));
    return in.make({.what = what, .is = index_type(), .in = {a.id, b.id}});
}
template <class F>
value truth_of(code what, value a, value b, F known) {
    builder& in = *a.in;
    const auto x = in.constant_of(a), y = in.constant_of(b);
    if (x && y) return in.truth(known(*x, *y));
    return in.make({.what = what, .is = truth_type(), .in = {a.id, b.id}});
}
bool is(value v, std::int64_t n) { return v.in->constant_of(v) == n; }

}  // namespace

value operator+(value a, value b) {
    if (a.is().what == kind::address) return a.in->forward(a, b);
    if (is(a, 0)) return b;
    if (is(b, 0)) return a;
    return of_indices(code::add, a, b, [](auto x, auto y) { return x + y; });
}
value operator-(value a, value b) {
    if (is(b, 0)) return a;
    return of_indices(code::sub, a, b, [](auto x, auto y) { return x - y; });
}
value operator*(value a, value b) {
    if (is(a, 0) || is(b, 1)) return a;
    if (is(b, 0) || is(a, 1)) return b;
    return of_indices(code::mul, a, b, [](auto x, auto y) { return x * y; });
}
value operator/(value a, value b) {
    if (is(b, 1)) return a;
    return of_indices(code::div, a, b, [](auto x, auto y) { return x / y; });
}
value operator%(value a, value b) {
    return of_indices(code::rem, a, b, [](auto x, auto y) { return x % y; });
}
value least(value a, value b) {
    return of_indices(code::least, a, b, [](auto x, auto y) { return std::min(x, y); });
}
value most(value a, value b) {
    return of_indices(code::most, a, b, [](auto x, auto y) { return std::max(x, y); });
}
value operator<(value a, value b) {
    return truth_of(code::lt, a, b, [](auto x, auto y) { return x < y; });
}
value operator<=(value a, value b) {
    return truth_of(code::le, a, b, [](auto x, auto y) { return x <= y; });
}
value operator==(value a, value b) {
    return truth_of(code::eq, a, b, [](auto x, auto y) { return x == y; });
}
value operator!=(value a, value b) {
    return truth_of(code::ne, a, b, [](auto x, auto y) { return x != y; });
}
value operator&&(value a, value b) {
    if (is(a, 1) || is(b, 0)) return b;
    if (is(b, 1) || is(a, 0)) return a;
    return truth_of(code::both, a, b, [](auto x, auto y) { return x && y; });
}
value operator||(value a, value b) {
    if (is(a, 0) || is(b, 1)) return b;
    if (is(b, 0) || is(a, 1)) return a;
    return truth_of(code::either, a, b, [](auto x, auto y) { return x || y; });
}
value operator!(value a) {
    if (const auto x = a.in->constant_of(a)) return a.in->truth(!*x);
    return a.in->make({.what = code::negated, .is = truth_type(), .in = {a.id}});
}

}  // namespace frit::v0::fusion::loops
