// What both halves of the random program need: element types at run time, texts, and the members that are templates.
#pragma once

#include <cstdio>
#include <utility>

#include "tests/differential/random_program.hpp"
#include "tests/support/recorder.hpp"

namespace frit_test {

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

template <class T>
void random_program::add(const frit::array<T>& lazy, ref::array plain, const std::string& what) {
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
