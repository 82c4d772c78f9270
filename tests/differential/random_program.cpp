// The generator: which statement comes next, leaves, formulas with reductions in them, evaluation in the middle. Reductions
// are in random_rows.cpp, views and updates in random_views.cpp, library ops in random_library.cpp, arrays of indices and
// masks in random_indices.cpp, what is written at them in random_scatters.cpp, joined and moved elements in
// random_movement.cpp.
#include "tests/differential/random_program_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/differential/op_cases.hpp"
#include "tests/support/from_values.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::dtype;
using frit::op;

void evaluate(std::initializer_list<const variable*> these) {
    std::vector<frit::detail::node_head*> nodes;
    for (const variable* v : these) std::visit([&](const auto& a) { nodes.push_back(a.handle().get()); }, v->lazy);
    frit::detail::eval(nodes, {});
}

/// Any of the dtypes, floats more often.
dtype pick_dtype(generator& random) {
    constexpr dtype list[] = {
#define FRIT_X(name, type) dtype::name,
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
            dtype::f32,
        dtype::f64, dtype::f64};
    return list[random.below(std::ssize(list))];
}
dtype pick_integer(generator& random) {
    for (;;)
        if (const dtype t = pick_dtype(random); frit::is_integer(t)) return t;
}

bool broadcasts_to(const ref::position& from, const ref::position& to) {
    if (from.size() > to.size()) return false;
    for (std::size_t k = 1; k <= from.size(); ++k)
        if (from[from.size() - k] != 1 && from[from.size() - k] != to[to.size() - k]) return false;
    return true;
}

}  // namespace

random_program::random_program(std::uint64_t seed, int steps, std::set<int> skipped)
    : seed_(seed), random_(seed), steps_(steps), skipped_(std::move(skipped)) {}

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
    static const std::vector<ref::position> shapes = {
        {},       {1},       {7},       {64},      {100}, {257},  {1, 7}, {7, 1},   {7, 7}, {5, 7},  {10, 10},
        {31, 33}, {2, 3, 4}, {4, 1, 5}, {3, 5, 7}, {0},   {1000}, {3, 0}, {33, 31}, {1, 1}, {5, 65}, {3, 70}};
    ref::position extents = shapes[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(shapes.size())))];
    if (!held_.empty() && random_.chance(0.6)) extents = pick().plain.extents;
    const dtype kind = pick_dtype(random_);
    by_type(kind, [&]<class T>(T) {
        const int how = static_cast<int>(random_.below(6));
        if (how == 0) {
            const T v = ordinary<T>(random_);
            add<T>(frit::full(frit::shape(extents), v), ref::broadcast_to(constant(v), extents),
                   "full(" + text_of(extents) + ", " + number_text(v) + ")");
            return;
        }
        std::vector<T> values;
        for (std::int64_t k = count(extents); k > 0; --k) values.push_back(ordinary<T>(random_));
        std::size_t next = 0;
        ref::array plain = ref::generate(
            kind, extents, [&](const auto&) { return ref::exactly(to_element<ref::value>(T(values[next++]))); });
        add<T>(from_values(values, frit::shape(extents)), std::move(plain), "random" + text_of(extents));
        if (how == 1) {
            say(held_.back().name + ".eval();");
            std::get<array<T>>(held_.back().lazy).eval();
        }
    });
}

void random_program::add(const frit::any_array& lazy, ref::array plain, const std::string& what) {
    by_type(plain.type, [&]<class T>(T) { add(lazy.as<T>(), std::move(plain), what); });
}

void random_program::add(const recorder& statement, const term& made) {
    by_type(made.plain.type, [&]<class T>(T) { add(array<T>(statement.record()), ref::stored(made.plain), made.text); });
}

/// A variable, elements of one, or a number.
term random_program::operand(recorder& to, const ref::position& extents) {
    if (random_.chance(0.1))
        if (const std::optional<ingredient> x = elsewhere(extents)) {
            to.leaf(x->lazy.node());
            return {x->plain, x->text};
        }
    const variable* v = random_.chance(0.25) ? nullptr : pick_for(extents);
    if (v) {
        std::visit([&](const auto& a) { to.leaf(a.handle()); }, v->lazy);
        return {v->plain, v->name};
    }
    const dtype t = pick_dtype(random_);
    return by_type(t, [&]<class T>(T) -> term {
        const T value = ordinary<T>(random_);
        to.scalar(t, to_element<ref::value>(value));
        return {constant(value), std::string(name_of(t)) + "(" + number_text(value) + ")"};
    });
}

/// An elementwise op on expressions that are cast to what it takes.
term random_program::applied(recorder& to, op code, int depth, const ref::position& extents) {
    const frit::op_info& row = info(code);
    const auto cast = [&](term x, dtype t) -> term {
        if (x.plain.type == t) return x;
        to.cast(t);
        return {ref::cast(x.plain, t), std::string(name_of(t)) + "(" + x.text + ")"};
    };
    std::vector<term> in;
    // Such an op of integers is exact; of one dtype, lest a float be what holds both.
    const bool as_integers = row.ulp > 0 && row.types == frit::op_types::NUM && random_.chance(0.5);
    for (int k = 0; k < row.arity; ++k) {
        term x = k == 0 || random_.chance(0.4) ? expression(to, depth - 1, extents) : operand(to, extents);
        const bool condition = code == op::where && k == 0;
        if (condition) x = cast(std::move(x), dtype::bool_);
        if (row.types == frit::op_types::INT && kind_of(x.plain.type) >= frit::dtype_kind::floating)
            x = cast(std::move(x), pick_integer(random_));
        if (!takes(code, x.plain.type)) x = cast(std::move(x), frit::real_dtype(x.plain.type));
        if (x.plain.type == dtype::bool_ && row.on_bool == frit::on_bool_rule::error)
            x = cast(std::move(x), pick_integer(random_));
        const std::size_t first = code == op::where ? 1 : 0;
        // Half of the time the dtypes are promoted; two integers that only a float holds are not for INT ops.
        if (in.size() > first) {
            const dtype with = in.back().plain.type;
            if (random_.chance(0.5) || !frit::resolve(code, frit::promote(with, x.plain.type)).valid)
                x = cast(std::move(x), with);
        }
        if (as_integers) {
            if (!frit::is_integer(x.plain.type)) x = cast(std::move(x), pick_integer(random_));
            if (!in.empty()) x = cast(std::move(x), in.back().plain.type);
        } else if (row.ulp > 0 && !frit::is_complex(x.plain.type)) {  // where the table promises no accuracy
            x = cast(std::move(x), frit::to_floating(x.plain.type));
            const dtype t = x.plain.type;
            by_type(t, [&]<class T>(T) {
                const auto lo = to_element<T>(row.lo), hi = to_element<T>(row.hi);
                to.scalar(t, to_element<ref::value>(lo));
                to.scalar(t, to_element<ref::value>(hi));
                to.apply(op::clip, t);
                if constexpr (!is_complex<T>)
                    x = {ref::elementwise(op::clip, {x.plain, constant(lo), constant(hi)}),
                         "clip(" + x.text + ", " + number_text(lo) + ", " + number_text(hi) + ")"};
            });
        }
        in.push_back(std::move(x));
    }
    std::vector<ref::array> plain;
    std::string text = row.arity == 1 || row.form == frit::op_form::CALL ? std::string(row.token) + "(" : "(";
    for (const term& x : in) {
        const bool infix = row.arity == 2 && row.form == frit::op_form::INFIX;
        if (!plain.empty()) text += infix ? " " + std::string(row.token) + " " : ", ";
        text += x.text;
        plain.push_back(x.plain);
    }
    term r{ref::elementwise(code, plain), text + ")"};
    to.apply(code, r.plain.type);
    return r;
}

term random_program::expression(recorder& to, int depth, const ref::position& extents) {
    if (depth <= 0 || to.length() > 30) return operand(to, extents);
    if (random_.chance(0.08)) return reduced(to, expression(to, depth - 1, extents), true);
    for (;;) {
        const auto code = static_cast<op>(random_.below(frit::detail::count_ops));
        if (info(code).form != frit::op_form::HIDDEN) return applied(to, code, depth, extents);
    }
}

// A statement of one op or of several, as people write them.
void random_program::formula() {
    const ref::position extents = pick().plain.extents;
    recorder to;
    const int depth = random_.chance(0.5) ? 1 : static_cast<int>(random_.between(2, 3));
    add(to, expression(to, depth, extents));
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
    if (kind < 0.40) return formula();
    if (kind < 0.44) return rows();
    if (kind < 0.52) return view();
    if (kind < 0.60) return update();
    if (kind < 0.63) return masked_update();
    if (kind < 0.66) return compound();
    if (kind < 0.69) return library();
    if (kind < 0.75) return gather();
    if (kind < 0.78) return pick_by_mask();
    if (kind < 0.84) return scatter();
    if (kind < 0.86) return scatter_function();
    if (kind < 0.88) return totals();
    if (kind < 0.89) return fill_bins();
    if (kind < 0.94) return move_elements();
    if (kind < 0.95) return make_mistake();
    reduction();
}

const std::vector<variable>& random_program::run() {
    for (int k = 0; k < steps_; ++k) {
        random_ = generator(seed_ * 1000 + static_cast<std::uint64_t>(k));
        if (!skipped_.contains(k)) step();
    }
    if (held_.size() > 2 && random_.chance(0.5)) {
        const variable &a = held_[0], &b = held_[held_.size() - 1], &c = held_[held_.size() / 2];
        say("eval(" + a.name + ", " + b.name + ", " + c.name + ");");
        evaluate({&a, &b, &c});
    }
    return held_;
}

std::vector<ref::value> read_variable(const variable& v) {
    return std::visit([](const auto& a) { return read_back(a.handle().get()); }, v.lazy);
}

}  // namespace frit_test
