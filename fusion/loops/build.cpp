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
    const type& of = in->f_.variables[variable].is;
    const type t = of.rule > 0 ? address_of_accumulators(of.rule - 1U) : address_of(of.of, false);
    return in->make({.what = code::place, .is = t, .in = {index.id}, .n = variable});
}

namespace {

template <class Values>
std::vector<expression_id> ids_of(const Values& values) {
    std::vector<expression_id> ids;
    for (const value v : values) ids.push_back(v.id);
    return ids;
}

// Backwards: what reads a value stands behind it.
class unread_values {
public:
    explicit unread_values(function& f) : f_(f), read_(f.variables.size()), seen_(f.expressions.size()) {}
    void drop() {
        from(f_.body);
        while (drop_arrays(f_.body)) {
            read_.assign(read_.size(), false);
            seen_.assign(seen_.size(), false);
            from(f_.body);
        }
    }

private:
    /// A thread's own, that something is put into and nobody looks at. @return whether there was one
    bool drop_arrays(block& all) {
        bool any = false;
        for (std::size_t k = all.size(); k-- > 0;) {
            statement& s = all[k];
            const bool of_array = s.what == act::put || (s.what == act::declare && f_.variables[s.n].count > 0);
            if (of_array && f_.variables[s.n].in != storage::shared && !read_[s.n]) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
                any = true;
                continue;
            }
            any = drop_arrays(s.body) || any;
            any = drop_arrays(s.otherwise) || any;
        }
        return any;
    }
    void from(block& all) {
        for (std::size_t k = all.size(); k-- > 0;) {
            statement& s = all[k];
            if (s.what == act::let && !read_[s.n] && !is_met(s.in[0])) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
                continue;
            }
            from(s.otherwise);
            from(s.body);
            for (const expression_id a : s.in) {
                visit(a);
                if (s.what == act::put && is_met(a)) read_[s.n] = true;  // to stay
            }
        }
    }
    bool is_met(expression_id id) const {
        const expression& e = f_.expressions[id];
        return is_met_by_all(e.what) || std::any_of(e.in.begin(), e.in.end(), [this](auto a) { return is_met(a); });
    }
    void visit(expression_id id) {
        if (seen_[id]) return;
        seen_[id] = true;
        const expression& e = f_.expressions[id];
        if (e.what == code::variable || e.what == code::element || e.what == code::place)
            read_[static_cast<std::size_t>(e.n)] = true;
        for (const expression_id a : e.in) visit(a);
    }

    function& f_;
    std::vector<bool> read_, seen_;  // variables, expressions
};

}  // namespace

function builder::take() {
    unread_values(f_).drop();
    return std::move(f_);
}

cell builder::variable(loops::variable v) {
    const auto number = static_cast<variable_id>(f_.variables.size());
    const value reads = make({.what = code::variable, .is = v.is, .n = number});
    f_.variables.push_back(std::move(v));
    return {reads, number};
}
cell builder::named(act what, loops::variable v, std::vector<expression_id> first) {
    const cell c = variable(std::move(v));
    add({.what = what, .n = c.variable, .in = std::move(first)});
    return c;
}
cell builder::parameter(const std::string& name, type t) {
    ++f_.parameters;
    return variable({name, t});
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
value builder::to(dtype t, value index) {
    if (index.is().of == t) return index;
    if (const auto known = constant_of(index)) return constant(*known, t);
    return make({.what = code::cast, .is = index_type(t), .from = index.is().of, .in = {index.id}});
}
value builder::choice(value condition, value yes, value no) {
    if (const auto known = constant_of(condition)) return *known ? yes : no;
    if (yes.is().what == kind::index) meet(yes, no);
    return make({.what = code::choice, .is = yes.is(), .in = {condition.id, yes.id, no.id}});
}
value builder::compute(op o, dtype result, dtype by, std::initializer_list<value> operands) {
    return make(
        {.what = code::compute, .is = {operands.begin()->is().what, result}, .op = o, .from = by, .in = ids_of(operands)});
}
void builder::compute(const std::vector<instruction>& code, const std::vector<std::uint16_t>& which,
                      const std::string& prefix, std::vector<value>& done, const leaf_value& leaf, value exists) {
    done.resize(code.size());
    for (const std::uint16_t k : which) {
        const instruction& i = code[k];
        done[k] = let(prefix + std::to_string(k), operands_of(i) > 0 ? computed(i, code, done, exists) : leaf(i));
    }
}
value builder::computed(const instruction& i, const std::vector<instruction>& code, const std::vector<value>& done,
                        value exists) {
    if (i.code == op::cast) return cast(done[i.a], i.type);
    if (i.code == op::bit_cast) return cast(done[i.a], i.type, loops::code::bit_cast);
    if (i.code == op::feed) return done[i.a];
    if (i.code == op::iterate) return written_loop(i, code, done, exists);
    if (i.code == op::scan_along) return written_step(i, code, done);
    if (i.code == op::state) return states_.at(code[i.a].a)[i.b];
    if (i.code == op::index || i.code == op::gather) {
        const type t{done[i.a].is().what, i.type};
        expression e = i.code == op::index
                           ? expression{.what = code::checked,
                                        .is = t,
                                        .in = {done[i.a].id, done[i.b].id, word(0, address_of(dtype::u64, false)).id}}
                           : expression{.what = code::look_up,
                                        .is = t,
                                        .in = {word(pointers_ + i.b, address_of(i.type, true)).id, done[i.a].id}};
        // One lane is fewer than all; one of a thread is the truth.
        const bool all = exists && exists.is().what == kind::truth && constant_of(exists) == 1;
        if (exists && !all) e.in.push_back(exists.id);
        return make(std::move(e));
    }
    if (is_search(i.code)) {
        const dtype of = code[i.a].type;
        return make({.what = code::search,
                     .is = {done[i.a].is().what, i.type},
                     .from = of,
                     .in = {word(pointers_ + i.c, address_of(of, true)).id, done[i.a].id, done[i.b].id},
                     .n = i.code == op::search_right});
    }
    const op_info& row = info(i.code);
    const dtype by = code[row.result == op_result::SELECT ? i.b : i.a].type;
    const bool scalars = row.arity == 3 && code[i.b].code == op::scalar && code[i.c].code == op::scalar;
    if (scalars && is_of_neighbours(i, code))
        return make({.what = loops::code::drawn,
                     .is = number_of(i.type),
                     .op = i.code,
                     .from = by,
                     .in = {neighbours_.first.id, neighbours_.k.id, done[i.b].id, done[i.c].id}});
    expression e{.what = loops::code::compute, .is = {done[i.a].is().what, i.type}, .op = i.code, .from = by, .n = scalars};
    for (int k = 0; k < row.arity; ++k) e.in.push_back(done[operand(i, k)].id);
    return make(std::move(e));
}
bool builder::is_of_neighbours(const instruction& i, const std::vector<instruction>& code) const {
    const unsigned of_a_block = i.code == op::philox32 ? 4 : i.code == op::philox64 ? 2 : 0;
    if (of_a_block == 0 || neighbours_.count % of_a_block != 0) return false;
    const instruction* number = &code[i.a];
    while (number->code == op::cast && size_of(number->type) == 8) number = &code[number->a];
    return number->code == op::coord && (*coords_)[number->a].plain;
}

value builder::accumulate(code what, type is, const std::vector<value>& operands, std::int64_t n) {
    return make({.what = what, .is = is, .in = ids_of(operands), .n = n});
}
value builder::forward(value address, value by) {
    if (constant_of(by) == 0) return address;
    return make({.what = code::forward, .is = address.is(), .in = {address.id, by.id}});
}

cell builder::let(const std::string& name, value v) { return named(act::let, {name, v.is()}, {v.id}); }
cell builder::declare(const std::string& name, value v) { return named(act::declare, {name, v.is()}, {v.id}); }
cell builder::declare(const std::string& name, type t) { return named(act::declare, {name, t}, {}); }
array builder::declare(const std::string& name, type t, std::int64_t count, storage in, std::uint32_t aligned) {
    return {this, named(act::declare, {name, t, count, in, aligned}, {}).variable};
}
array builder::declare_zeros(const std::string& name, type t, std::int64_t count, storage in) {
    const value zero = whole_number(t.of, 0);
    return {this, named(act::declare, {name, t, count, in}, {zero.id}).variable};
}
void builder::set(const cell& c, value v) {
    if (v.is().what == kind::index) v = to(c.is().of, v);
    add({.what = act::set, .n = c.variable, .in = {v.id}});
}
void builder::put(const array& a, value index, value v) {
    const type& t = f_.variables[a.variable].is;
    if (t.what == kind::index) v = to(t.of, v);
    add({.what = act::put, .n = a.variable, .in = {index.id, v.id}});
}
void builder::run(routine r, std::initializer_list<value> operands, std::uint32_t n) {
    add({.what = act::run, .n = n, .in = ids_of(operands), .runs = r});
}

// As in C, but for constants: both become the wider one's type, of two as wide the unsigned one's. A constant takes the
// other's.
void builder::meet(value& a, value& b) {
    const dtype x = a.is().of, y = b.is().of;
    if (x == y) return;
    const bool wider = size_of(x) > size_of(y) || (size_of(x) == size_of(y) && kind_of(x) == dtype_kind::unsigned_integer);
    const dtype both = constant_of(b) ? x : constant_of(a) ? y : wider ? x : y;
    a = to(both, a);
    b = to(both, b);
}

template <class F>
value builder::of_indices(code what, value a, value b, F known) {
    const auto x = constant_of(a), y = constant_of(b);
    meet(a, b);
    if (x && y) return constant(known(*x, *y), a.is().of);
    return make({.what = what, .is = a.is(), .in = {a.id, b.id}});
}
template <class F>
value builder::truth_of(code what, value a, value b, F known) {
    const auto x = constant_of(a), y = constant_of(b);
    if (x && y) return truth(known(*x, *y));
    if (a.is().what == kind::index) meet(a, b);
    return make({.what = what, .is = truth_type(), .in = {a.id, b.id}});
}

namespace {

bool is(value v, std::int64_t n) { return v.in->constant_of(v) == n; }

}  // namespace

value operator+(value a, value b) {
    if (a.is().what == kind::address) return a.in->forward(a, b);
    if (is(a, 0)) return b;
    if (is(b, 0)) return a;
    return a.in->of_indices(code::add, a, b, [](auto x, auto y) { return x + y; });
}
value operator-(value a, value b) {
    if (is(b, 0)) return a;
    return a.in->of_indices(code::sub, a, b, [](auto x, auto y) { return x - y; });
}
value operator*(value a, value b) {
    if (is(a, 0) || is(b, 1)) return a;
    if (is(b, 0) || is(a, 1)) return b;
    return a.in->of_indices(code::mul, a, b, [](auto x, auto y) { return x * y; });
}
value operator/(value a, value b) {
    if (is(b, 1)) return a;
    return a.in->of_indices(code::div, a, b, [](auto x, auto y) { return x / y; });
}
#define FRIT_OF_INDICES(function, makes, code_of, result)                               \
    value function(value a, value b) {                                                  \
        return a.in->makes(code::code_of, a, b, [](auto x, auto y) { return result; }); \
    }
FRIT_OF_INDICES(operator%, of_indices, rem, x % y)
FRIT_OF_INDICES(bit_and, of_indices, bit_and, x& y)
FRIT_OF_INDICES(bit_xor, of_indices, bit_xor, x ^ y)
FRIT_OF_INDICES(least, of_indices, least, std::min(x, y))
FRIT_OF_INDICES(most, of_indices, most, std::max(x, y))
FRIT_OF_INDICES(operator<, truth_of, lt, x < y)
FRIT_OF_INDICES(operator<=, truth_of, le, x <= y)
FRIT_OF_INDICES(operator==, truth_of, eq, x == y)
FRIT_OF_INDICES(operator!=, truth_of, ne, x != y)
#undef FRIT_OF_INDICES
value operator&&(value a, value b) {
    if (is(a, 1) || is(b, 0)) return b;
    if (is(b, 1) || is(a, 0)) return a;
    return a.in->truth_of(code::both, a, b, [](auto x, auto y) { return x && y; });
}
value operator||(value a, value b) {
    if (is(a, 0) || is(b, 1)) return b;
    if (is(b, 0) || is(a, 1)) return a;
    return a.in->truth_of(code::either, a, b, [](auto x, auto y) { return x || y; });
}
value operator!(value a) {
    if (const auto x = a.in->constant_of(a)) return a.in->truth(!*x);
    return a.in->make({.what = code::negated, .is = truth_type(), .in = {a.id}});
}

}  // namespace frit::v0::fusion::loops
