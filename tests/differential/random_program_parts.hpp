// What the parts of the random program share: element types at run time, slices, texts, and the members that are templates.
#pragma once

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "tests/differential/random_program.hpp"
#include "tests/support/recorder.hpp"

namespace frit_test {

constexpr std::int64_t largest = 1500;  // elements of one array

inline std::int64_t count(const ref::position& extents) {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    return n;
}

inline frit::slice to_slice(const ref::range& r) {
    if (r.count == 0) return {0, 0};
    const std::int64_t stop = r.start + r.step * r.count;
    if (stop < 0) return {r.start, frit::none, r.step};
    return {r.start, stop, r.step};
}

inline bool can_be_indexed(const ref::array& x) { return x.rank() >= 1 && x.rank() <= 3; }

inline std::string text_of(const ref::range& r) {
    const frit::slice t = to_slice(r);
    return "slice(" + std::to_string(t.start.value) + ", " + (t.stop.given ? std::to_string(t.stop.value) : "none") + ", " +
           std::to_string(t.step.given ? t.step.value : 1) + ")";
}
inline std::string text_of(const ref::position& p) {
    std::string s = "{";
    for (std::int64_t e : p) s += (s.size() > 1 ? ", " : "") + std::to_string(e);
    return s + "}";
}
inline std::string text_of(const std::vector<int>& p) { return text_of(ref::position(p.begin(), p.end())); }

template <class T>
std::string number_text(const T& v) {
    const auto x = to_element<ref::value>(v);
    char buffer[96];
    if (is_complex<T>)
        std::snprintf(buffer, sizeof buffer, "{%.9Lg, %.9Lg}", x.real(), x.imag());
    else
        std::snprintf(buffer, sizeof buffer, "%.9Lg", x.real());
    return buffer;
}

/// A number of C++, as an array of rank 0.
template <class T>
ref::array constant(const T& v) {
    return {frit::dtype_of<T>, {}, {ref::exactly(to_element<ref::value>(v))}, false};
}

/// The elements where a mask is not zero, in row-major order.
inline ref::array places_of(const ref::array& mask) {
    ref::array r{frit::dtype::i64, {0}, {}, false};
    for (std::size_t k = 0; k < mask.data.size(); ++k)
        if (mask.data[k].v != 0) r.data.push_back({static_cast<long double>(k), 0, 0});
    r.extents = {r.size()};
    return r;
}

/// Whether every element is known exactly: as an index must be, or what a mask is made of.
inline bool is_exact(const ref::array& x) {
    return std::all_of(x.data.begin(), x.data.end(), [](const ref::number& e) { return e.err == 0; });
}

inline ingredient ingredient_of(const variable& v) {
    return std::visit(
        [&](const auto& a) -> ingredient {
            return {frit::composed<frit::detail::run_time>(frit::detail::user_ref(a.handle().get())), v.plain, v.name};
        },
        v.lazy);
}
/// A formula, recorded: nothing holds it.
template <class E>
frit::composed<frit::detail::run_time> recorded(const E& formula) {
    return frit::composed<frit::detail::run_time>(frit::detail::node_of(formula, frit::detail::unknown_line));
}

/// Calls f with each of the things that stand between the parentheses.
template <class F>
void with_subscripts(const subscripts& at, F&& f) {
    const auto& i = at.items;
    if (i.size() == 1) std::visit(f, i[0].lazy);
    if (i.size() == 2) std::visit(f, i[0].lazy, i[1].lazy);
    if (i.size() == 3) std::visit(f, i[0].lazy, i[1].lazy, i[2].lazy);
}

template <class T>
void random_program::add(const frit::array<T>& lazy, ref::array plain, const std::string& what) {
    if (lazy.shape() != frit::shape(plain.extents)) throw std::logic_error("the shape is wrong: " + what);
    const std::string name = "v" + std::to_string(made_++);
    say("array<" + std::string(name_of(frit::dtype_of<T>)) + "> " + name + " = " + what + ";  // " + text_of(plain.extents));
    held_.push_back({name, lazy, std::move(plain)});
}

template <class T>
variable random_program::as(const variable& x) {
    if (x.plain.type == frit::dtype_of<T>) return x;
    return std::visit(
        [&](const auto& lazy) -> variable {
            const std::string name = "cast<" + std::string(name_of(frit::dtype_of<T>)) + ">(" + x.name + ")";
            return {name, frit::array<T>(frit::cast<T>(lazy)), ref::cast(x.plain, frit::dtype_of<T>)};
        },
        x.lazy);
}

}  // namespace frit_test
