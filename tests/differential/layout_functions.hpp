// Every public function as a table, over operands of one shape: what it gives for strided memory must be what it gives for a
// row-major copy, errors included. Elementwise ops, reductions and library ops come from ops.def; views, formulas and
// updates are listed here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/differential/library_cases.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test {

/// A pending result, or why there is none.
struct made {
    std::string name;
    frit::detail::handle_ref node;
    std::string refusal;
    bool rounds = false;  ///< floating sums whose order may follow from the strides: equal but for rounding
};

template <class T>
struct layout_operands {
    frit::array<T> x, y, z;
    frit::array<bool> mask;
};

class function_table {
public:
    /// What `f` gives, an array or a recipe, or its error.
    template <class F>
    void add(const std::string& name, F&& f, bool rounds = false) {
        made m{name, {}, {}, rounds};
        try {
            m.node = hold(frit::op::leaf, f()).node;
        } catch (const frit::error& e) {
            m.refusal = e.what();
        }
        all.push_back(std::move(m));
    }
    std::vector<made> all;
};

template <class T>
void add_elementwise(function_table& t, const layout_operands<T>& o) {
    const array_or_number x{o.x.handle()}, y{o.y.handle()}, z{o.z.handle()}, two{{}, 2};
    for (const op_case& c : apply_all_with_numbers(frit::dtype_of<T>, x, y, z, o.mask.handle()))
        t.all.push_back({c.name, c.node, {}});
    for (const op_case& c : apply_all_with_numbers(frit::dtype_of<T>, x, two, y, o.mask.handle()))
        t.all.push_back({c.name + " with a number", c.node, {}});
    t.add("cast to its own dtype", [&] { return frit::cast<T>(o.x).reshape(frit::int_list(o.x.shape())); });
    t.add("cast to float64", [&] { return frit::cast<double>(o.x); });
    t.add("cast to int8", [&] { return frit::cast<std::int8_t>(o.x); });
    t.add("cast to bool", [&] { return frit::cast<bool>(o.x); });
    t.add("comparison with itself", [&] { return o.x == o.x; });
    t.add("a formula", [&] { return (o.x + o.y) * o.z - frit::where(o.mask, o.x, o.z); });
}

template <class T>
void add_normalizations(function_table& t, const frit::array<T>& x) {
    for (int axis = 0; axis < x.rank(); ++axis) {
        const std::string over = " over axis " + std::to_string(axis);
        t.add(
            "softmax" + over, [&] { return frit::softmax(x, axis); }, true);
        t.add(
            "log_softmax" + over, [&] { return frit::log_softmax(x, axis); }, true);
        t.add(
            "layer_norm" + over, [&] { return frit::layer_norm(x, axis); }, true);
        t.add(
            "rms_norm" + over, [&] { return frit::rms_norm(x, axis); }, true);
    }
}

template <class T>
void add_reductions(function_table& t, const layout_operands<T>& o) {
    const auto& [x, y, z, m] = o;
    const auto over_axes = [&](const std::string& name, const auto& reduce, bool rounds) {
        t.add(
            name, [&] { return reduce(x); }, rounds);
        t.add(
            name + " of a formula", [&] { return reduce(x + y); }, rounds);
        t.add(
            name + ", keepdims", [&] { return reduce(x, frit::keepdims); }, rounds);
        t.add(
            name + ", where", [&] { return reduce(x, frit::where(m)); }, rounds);
        for (int axis = 0; axis < x.rank(); ++axis) {
            const std::string over = name + " over axis " + std::to_string(axis);
            t.add(
                over, [&] { return reduce(x, axis); }, rounds);
            t.add(
                over + ", keepdims, where", [&] { return reduce(x, axis, frit::keepdims, frit::where(m)); }, rounds);
        }
    };
#define FRIT_TEST_REDUCTION(name, rounds) \
    over_axes(                            \
        #name, [](const auto&... a) { return frit::name(a...); }, rounds);
#define FRIT_KIND_PLAIN(name) \
    if constexpr (frit::takes(frit::op::name, frit::dtype_of<T>)) FRIT_TEST_REDUCTION(name, false)
#define FRIT_KIND_INDEX(name) FRIT_KIND_PLAIN(name)
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
    FRIT_TEST_REDUCTION(count_nonzero, false)
    FRIT_TEST_REDUCTION(mean, false)
    FRIT_TEST_REDUCTION(var, true)
    FRIT_TEST_REDUCTION(stddev, true)
    FRIT_TEST_REDUCTION(linalg::norm, true)
    if constexpr (!frit::is_complex(frit::dtype_of<T>)) FRIT_TEST_REDUCTION(logsumexp, true)
#undef FRIT_TEST_REDUCTION
    t.add(
        "var, ddof", [&] { return frit::var(x, frit::ddof(1)); }, true);
    t.add("x - mean", [&] { return x - frit::mean(x, -1, frit::keepdims); });
    t.add("dot", [&] { return frit::dot(x, y); });
    t.add("dot of flat ones", [&] { return frit::dot(x.reshape({-1}), y.reshape({-1})); });
    if constexpr (!frit::is_complex(frit::dtype_of<T>)) add_normalizations(t, x);
}
template <class T>
void add_library(function_table& t, const layout_operands<T>& o) {
    for_each_axis_op<T>([&](auto code) {
        if (!missing_library(decltype(code)::value).empty()) return;
        const std::string name(name_of(decltype(code)::value));
        t.add(name, [&] { return along_axis<decltype(code)::value>(o.x, -1); });
        t.add(name + " of a view", [&] { return along_axis<decltype(code)::value>(o.x.T(), -1); });
        t.add(name + " along axis 0", [&] { return along_axis<decltype(code)::value>(o.x, 0); });
    });
#define FRIT_SCAN(name, ...)                                      \
    if constexpr (frit::takes(frit::op::name, frit::dtype_of<T>)) \
        if (missing_library(frit::op::name).empty()) t.add("flat " #name, [&] { return frit::name(o.x); });
#include "frit/ops.def"
    if constexpr (frit::is_float(frit::dtype_of<T>) || frit::is_complex(frit::dtype_of<T>)) {
        if (!missing_library(frit::op::matmul).empty()) return;
        t.add("matmul with the transpose", [&] { return frit::matmul(o.x, o.y.T()); });
        t.add("matmul of the transpose", [&] { return frit::matmul(o.x.T(), o.y); });
        t.add("matmul of a formula", [&] { return frit::matmul(o.x + o.y, o.z.T()) * T(2); });
        t.add("matmul with a vector", [&] { return frit::matmul(o.x, o.y(0)); });
        t.add("matmul of reversed rows", [&] { return frit::matmul(frit::flip(o.x, 0), o.y.T()); });
    }
}

template <class T>
void add_views(function_table& t, const layout_operands<T>& o) {
    using frit::all, frit::ellipsis, frit::newaxis, frit::none, frit::slice;
    const frit::array<T>&x = o.x, &y = o.y;
    const auto both = [&](const std::string& name, const auto& view) {
        t.add(name, [&] { return view(x); });
        t.add(name + ", computed with", [&] { return view(x) + view(y); });
        t.add(name + " of a formula", [&] { return view(x - y); });
    };
    both("T", [](const auto& a) { return a.T(); });
    both("T twice", [](const auto& a) { return a.T().T(); });
    both("flat", [](const auto& a) { return a.reshape({-1}); });
    both("reshape to its own shape", [](const auto& a) { return a.reshape(frit::int_list(a.shape())); });
    both("reshape after T", [](const auto& a) { return a.T().reshape({-1}); });
    both("reshape to columns", [](const auto& a) { return a.reshape({-1, 1, a.rank() == 2 ? 2 : 1}); });
    both("broadcast to its own shape", [](const auto& a) { return frit::broadcast_to(a, a.shape()); });
    both("broadcast", [](const auto& a) {
        frit::shape more = a.rank() == 3 ? frit::shape{2} : frit::shape{3, 2};
        for (std::int64_t e : a.shape()) more.push_back(e);
        return frit::broadcast_to(a, more);
    });
    both("squeeze", [](const auto& a) { return frit::squeeze(a); });
    both("expand_dims", [](const auto& a) { return frit::expand_dims(a, {0, -1}); });
    both("flip", [](const auto& a) { return frit::flip(a); });
    both("flip of the last axis", [](const auto& a) { return frit::flip(a, -1); });
    both("flip twice", [](const auto& a) { return frit::flip(frit::flip(a)); });
    both("diagonal", [](const auto& a) { return frit::diagonal(a); });
    both("diagonal beside", [](const auto& a) { return frit::diagonal(a, -1, 1, 0); });
    both("row 0", [](const auto& a) { return a(0); });
    both("last element", [](const auto& a) { return a(ellipsis, -1); });
    both("whole", [](const auto& a) { return a(ellipsis); });
    both("whole slice", [](const auto& a) { return a(slice(none, none)); });
    both("every second", [](const auto& a) { return a(slice(none, none, 2)); });
    both("backwards", [](const auto& a) { return a(ellipsis, slice(none, none, -1)); });
    both("every second backwards", [](const auto& a) { return a(ellipsis, slice(-2, none, -2)); });
    both("inside", [](const auto& a) { return a(slice(1, -1), slice(1, -1)); });
    both("nothing", [](const auto& a) { return a(slice(0, 0)); });
    both("newaxis", [](const auto& a) { return a(newaxis, ellipsis, newaxis); });
    both("pad with a constant", [](const auto& a) { return frit::pad(a, {{1, 2}}, frit::pad_mode::constant, T(1)); });
    both("pad with edges", [](const auto& a) { return frit::pad(a, {{2, 0}}, frit::pad_mode::edge); });
    t.add("itself plus a row of it", [&] { return x + y(0); });
    t.add("itself plus its flip", [&] { return x + frit::flip(x); });
    t.add("full_like", [&] { return frit::full_like(x, T(2)); });
    t.add("through the CPU", [&] { return x.to(frit::device::cpu()) * T(2); });
    t.add("array_equal", [&] { return frit::scalar(frit::array_equal(x, x) && !frit::array_equal(x, x.T()(0))); });
}

/// One region under every assignment, with every kind of value.
template <class T, class Region, class Value>
void add_update(function_table& t, const std::string& name, const frit::array<T>& base, const Region& region,
                const Value& value) {
#define FRIT_TEST_UPDATE(assignment)                \
    t.add(name + " " #assignment, [&] {             \
        frit::array<T> u = base;                    \
        region(u) assignment value(base);           \
        return u;                                   \
    });                                             \
    t.add(name + " " #assignment " of a sum", [&] { \
        frit::array<T> u = base + base;             \
        region(u) assignment value(base);           \
        return u;                                   \
    });
    FRIT_TEST_UPDATE(=)
    FRIT_TEST_UPDATE(+=)
    FRIT_TEST_UPDATE(-=)
    FRIT_TEST_UPDATE(*=)
    FRIT_TEST_UPDATE(/=)
#undef FRIT_TEST_UPDATE
}

template <class T>
void add_updates(function_table& t, const layout_operands<T>& o) {
    using frit::all, frit::ellipsis, frit::none, frit::slice;
    const auto region = [&](const std::string& name, const auto& view) {
        add_update(t, name, o.x, view, [](const auto&) { return T(2); });
        add_update(t, name + ", a region's values", o.x, view, [&](const auto&) { return frit::array<T>(view(o.y)); });
        add_update(t, name + ", its own values", o.x, view, [&](auto base) { return frit::array<T>(view(base)) + T(1); });
    };
    region("update of nothing", [](auto& u) { return u(slice(0, 0)); });
    region("update of nothing at the end", [](auto& u) { return u(ellipsis, slice(3, 1)); });
    region("update of all", [](auto& u) { return u(ellipsis); });
    region("update of row 0", [](auto& u) { return u(0); });
    region("update of the last column", [](auto& u) { return u(ellipsis, -1); });
    region("update inside", [](auto& u) { return u(slice(1, -1), slice(1, -1)); });
    region("update of the diagonal", [](auto& u) { return frit::diagonal(u); });
    region("update beside the diagonal", [](auto& u) { return frit::diagonal(u, 1, -1, 0); });
    region("update of every second", [](auto& u) { return u(slice(none, none, 2)); });
    region("update backwards", [](auto& u) { return u(ellipsis, slice(none, none, -1)); });
    region("update of every second backwards", [](auto& u) { return u(ellipsis, slice(none, 0, -2)); });
    add_update(
        t, "masked update", o.x, [&](auto& u) { return u(o.mask); }, [](const auto&) { return T(2); });
    add_update(
        t, "masked update, an array", o.x, [&](auto& u) { return u(o.mask); }, [&](const auto&) { return o.y; });
    add_update(
        t, "mirrored", o.x, [](auto& u) { return u(ellipsis); }, [](auto b) { return frit::flip(b) + T(0); });
    t.add("update of nothing, twice", [&] {
        frit::array<T> u = o.x;
        u(slice(0, 0)) += T(1);
        u(slice(0, 0)) = T(1);
        return u;
    });
    t.add("reshape of an update of nothing", [&] {
        frit::array<T> u = o.x;
        u(slice(0, 0)) += T(1);
        return u.reshape({-1});
    });
    t.add("two updates", [&] {
        frit::array<T> u = o.x;
        u(slice(0, 1)) = T(3);
        u(ellipsis, slice(1, none)) *= T(2);
        return u;
    });
    t.add("whole compound", [&] {
        frit::array<T> u = o.x;
        u += o.y;
        u *= T(2);
        return u;
    });
}

/// All of it, recorded afresh.
template <class T>
std::vector<made> every_function(const layout_operands<T>& o) {
    function_table t;
    add_elementwise(t, o);
    add_reductions(t, o);
    add_library(t, o);
    add_views(t, o);
    add_updates(t, o);
    return std::move(t.all);
}

}  // namespace frit_test
