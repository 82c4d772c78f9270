// The generator: which statement comes next, leaves, elementwise statements, reductions, evaluation in the middle. Views and
// updates are in random_views.cpp.
#include "tests/differential/random_program_parts.hpp"

#include <algorithm>
#include <cmath>

#include "tests/differential/op_cases.hpp"
#include "tests/support/from_values.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::dtype;
using frit::op;

std::int64_t count(const ref::position& extents) {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    return n;
}

void evaluate(std::initializer_list<const variable*> these) {
    std::vector<frit::detail::node_head*> nodes;
    for (const variable* v : these) std::visit([&](const auto& a) { nodes.push_back(a.handle().get()); }, v->lazy);
    frit::detail::eval(nodes, {});
}

bool broadcasts_to(const ref::position& from, const ref::position& to) {
    if (from.size() > to.size()) return false;
    for (std::size_t k = 1; k <= from.size(); ++k)
        if (from[from.size() - k] != 1 && from[from.size() - k] != to[to.size() - k]) return false;
    return true;
}

}  // namespace

random_program::random_program(std::uint64_t seed, int steps) : random_(seed), steps_(steps) {}

void random_program::say(const std::string& line) {
    text_ += "  " + line + "\n";
    if (echo) std::fprintf(stderr, "  %s\n", line.c_str());
}

variable& random_program::pick() {
    return held_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(held_.size())))];
}

const variable* random_program::pick_for(const ref::position& extents) {
    std::vector<const variable*> fitting;
    for (const variable& v : held_)
        if (broadcasts_to(v.plain.extents, extents)) fitting.push_back(&v);
    if (fitting.empty()) return nullptr;
    return fitting[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(fitting.size())))];
}

void random_program::leaf() {
    static const std::vector<ref::position> shapes = {{},        {1},    {7},    {64},     {100},    {257},     {1, 7},
                                                      {7, 1},    {7, 7}, {5, 7}, {10, 10}, {31, 33}, {2, 3, 4}, {4, 1, 5},
                                                      {3, 5, 7}, {0},    {1000}, {3, 0},   {33, 31}, {1, 1}};
    ref::position extents = shapes[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(shapes.size())))];
    if (!held_.empty() && random_.chance(0.6)) extents = pick().plain.extents;
    const auto kind = static_cast<dtype>(std::vector<dtype>{
#define FRIT_X(name, type) dtype::name,
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
            dtype::f32,
        dtype::f64}[static_cast<std::size_t>(random_.below(7))]);
    by_type(kind, [&]<class T>(T) {
        const int how = static_cast<int>(random_.below(6));
        if (how == 0) {
            const T v = ordinary<T>(random_);
            add<T>(frit::full(frit::shape(extents), v),
                   ref::broadcast_to(constant(static_cast<long double>(v), kind), extents),
                   "full(" + text_of(extents) + ", " + number_text(static_cast<long double>(v)) + ")");
            return;
        }
        std::vector<T> values;
        for (std::int64_t k = count(extents); k > 0; --k) values.push_back(ordinary<T>(random_));
        std::size_t next = 0;
        ref::array plain = ref::generate(kind, extents, [&](const auto&) {
            return ref::number{static_cast<long double>(values[next++]), 0, 0};
        });
        add<T>(from_values(values, frit::shape(extents)), std::move(plain), "random" + text_of(extents));
        if (how == 1) {
            say(held_.back().name + ".eval();");
            std::get<array<T>>(held_.back().lazy).eval();
        }
    });
}

template <class T>
void random_program::apply(op code, const variable& first) {
    const variable a = as<T>(first);
    const frit::op_info& row = info(code);
    // Transcendental functions are asked only where the table promises accuracy.
    const bool bounded = row.ulp > 0;
    using F = frit::cpp_type<resolve(op::exp, frit::dtype_of<T>).operand>;
    const auto lo = static_cast<F>(row.lo), hi = static_cast<F>(row.hi);
    const auto tame = [&](const variable& v) {
        if (!bounded) return v;
        variable r = as<F>(v);
        r.lazy = array<F>(frit::clip(std::get<array<F>>(r.lazy), lo, hi));
        r.plain = ref::elementwise(op::clip, {r.plain, constant(static_cast<long double>(lo), frit::dtype_of<F>),
                                              constant(static_cast<long double>(hi), frit::dtype_of<F>)});
        r.name = "clip(" + r.name + ", " + number_text(static_cast<long double>(lo)) + ", " +
                 number_text(static_cast<long double>(hi)) + ")";
        return r;
    };
    const auto operand = [&](double scalar_share) -> std::pair<variable, bool> {
        const variable* other = random_.chance(scalar_share) ? nullptr : pick_for(a.plain.extents);
        if (other) return {tame(as<T>(*other)), false};
        const T s = ordinary<T>(random_);
        variable v{number_text(static_cast<long double>(s)), array<T>(),
                   constant(static_cast<long double>(s), frit::dtype_of<T>)};
        if (bounded) {
            v.lazy = array<T>(frit::full({}, s));
            return {tame(v), false};
        }
        v.lazy = array<T>(frit::full({}, s));
        return {v, true};
    };
    const variable x = tame(a);
    const auto [y, y_is_number] = operand(0.4);
    const auto [z, z_is_number] = operand(0.4);
    const variable* condition = pick_for(a.plain.extents);
    const variable m = as<bool>(condition ? *condition : a);
    std::vector<ref::array> plain = {code == op::where ? m.plain : x.plain};
    if (row.arity > 1) plain.push_back(y.plain);
    if (row.arity > 2) plain.push_back(z.plain);
    const ref::array want = ref::elementwise(code, plain);
    std::string text = std::string(row.token) + "(" + (code == op::where ? m.name : x.name);
    if (row.arity > 1) text += ", " + y.name;
    if (row.arity > 2) text += ", " + z.name;
    text += ")";

    const auto compute = [&]<class U>(U, const auto& b, const auto& c) {
        const auto& lx = std::get<array<U>>(x.lazy);
        const auto& lm = std::get<array<bool>>(m.lazy);
        switch (code) {
#define FRIT_OP(name, arity, form, token, ...)                                   \
    case op::name:                                                               \
        if constexpr (takes<U>(op::name)) {                                      \
            const auto& x = lx;                                                  \
            const auto& y = b;                                                   \
            const auto& z = c;                                                   \
            const auto& m = lm;                                                  \
            const frit::array formula_of_##name(FRIT_TEST_##form(arity, token)); \
            (void)y, (void)z, (void)m;                                           \
            add(formula_of_##name, want, text);                                  \
        }                                                                        \
        break;
#include "frit/ops.def"
            default: break;
        }
    };
    const auto number = [](const variable& v) { return static_cast<T>(v.plain.data[0].v); };
    if (bounded) {
        if constexpr (std::is_same_v<F, T>) compute(F{}, std::get<array<F>>(y.lazy), std::get<array<F>>(z.lazy));
    } else if (y_is_number && z_is_number) {
        compute(T{}, number(y), number(z));
    } else if (y_is_number) {
        compute(T{}, number(y), std::get<array<T>>(z.lazy));
    } else {
        compute(T{}, std::get<array<T>>(y.lazy), std::get<array<T>>(z.lazy));
    }
}

void random_program::elementwise() {
    const auto code = static_cast<op>(random_.below(frit::detail::count_ops));
    const variable x = pick();
    if (info(code).form == frit::op_form::HIDDEN || !frit::resolve(code, x.plain.type).valid) return;
    if (info(code).ulp > 0 && !frit::is_float(x.plain.type)) {
        by_type(frit::to_floating(x.plain.type), [&]<class T>(T) {
            if constexpr (std::is_floating_point_v<T>) apply<T>(code, x);
        });
        return;
    }
    by_type(x.plain.type, [&]<class T>(T) { apply<T>(code, x); });
}

// Statements of several ops, as people write them.
void random_program::formula() {
    const variable first = pick();
    const variable* second = pick_for(first.plain.extents);
    const variable* third = pick_for(first.plain.extents);
    if (!second || !third) return;
    by_type(first.plain.type, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            const variable vb = as<T>(*second), vc = as<T>(*third);
            const auto &a = std::get<array<T>>(first.lazy), &b = std::get<array<T>>(vb.lazy),
                       &c = std::get<array<T>>(vc.lazy);
            const ref::array &x = first.plain, &y = vb.plain, &z = vc.plain;
            const T s = ordinary<T>(random_);
            const ref::array t = constant(static_cast<long double>(s), frit::dtype_of<T>);
            const std::string &na = first.name, &nb = vb.name, &nc = vc.name, ns = number_text(static_cast<long double>(s));
            const auto two = [](op o, const ref::array& p, const ref::array& q) { return ref::elementwise(o, {p, q}); };
            switch (random_.below(5)) {
                case 0: return add<T>(a * b + c, two(op::add, two(op::mul, x, y), z), na + " * " + nb + " + " + nc);
                case 1: return add<T>(a - b * s, two(op::sub, x, two(op::mul, y, t)), na + " - " + nb + " * " + ns);
                case 2:
                    return add<T>((a + b) * (a - c), two(op::mul, two(op::add, x, y), two(op::sub, x, z)),
                                  "(" + na + " + " + nb + ") * (" + na + " - " + nc + ")");
                case 3:
                    return add<T>(frit::where(a < b, a * s, c),
                                  ref::elementwise(op::where, {two(op::lt, x, y), two(op::mul, x, t), z}),
                                  "where(" + na + " < " + nb + ", " + na + " * " + ns + ", " + nc + ")");
                default:
                    return add<T>(frit::maximum(frit::minimum(a, b), c - a),
                                  two(op::maximum, two(op::minimum, x, y), two(op::sub, z, x)),
                                  "maximum(minimum(" + na + ", " + nb + "), " + nc + " - " + na + ")");
            }
        }
    });
}

void random_program::reduction() {
    const variable v = pick();
    const auto code = static_cast<op>(frit::detail::count_ops + random_.below(frit::detail::count_reductions));
    if (v.plain.data.empty() && (code == op::min || code == op::max)) return;
    std::visit(
        [&](const auto& a) {
            switch (code) {
#define FRIT_REDUCTION(row, ...) \
    case op::row:                \
        return add(frit::array(frit::row(a)), ref::reduce(code, v.plain), #row "(" + v.name + ")");
#include "frit/ops.def"
                default: break;
            }
        },
        v.lazy);
}

void random_program::manage() {
    switch (random_.below(5)) {
        case 0: {
            variable& v = pick();
            say(v.name + ".eval();");
            evaluate({&v});
            return;
        }
        case 1: {
            const variable v = pick();
            std::visit([&](const auto& a) { add(a, v.plain, v.name); }, v.lazy);  // a second handle on the same value
            return;
        }
        case 2: {
            const variable a = pick(), b = pick();
            say("eval(" + a.name + ", " + b.name + ");");
            evaluate({&a, &b});
            return;
        }
        default:
            if (held_.size() < 3) return;
            const auto at = random_.below(static_cast<std::int64_t>(held_.size()));
            say(held_[static_cast<std::size_t>(at)].name + " = {};");
            held_.erase(held_.begin() + at);
    }
}

void random_program::step() {
    const double kind = random_.uniform(0, 1);
    if (held_.size() < 2 || kind < 0.08) return leaf();
    if (held_.size() > 10 || kind < 0.18) return manage();
    if (kind < 0.45) return elementwise();
    if (kind < 0.57) return formula();
    if (kind < 0.74) return view();
    if (kind < 0.84) return update();
    if (kind < 0.88) return masked_update();
    if (kind < 0.92) return compound();
    if (kind < 0.95) return library();
    reduction();
}

const std::vector<variable>& random_program::run() {
    for (int k = 0; k < steps_; ++k) step();
    if (held_.size() > 2 && random_.chance(0.5)) {
        const variable &a = held_[0], &b = held_[held_.size() - 1], &c = held_[held_.size() / 2];
        say("eval(" + a.name + ", " + b.name + ", " + c.name + ");");
        evaluate({&a, &b, &c});
    }
    return held_;
}

std::vector<long double> read_variable(const variable& v) {
    return std::visit([](const auto& a) { return read_back(a.handle().get()); }, v.lazy);
}

}  // namespace frit_test
