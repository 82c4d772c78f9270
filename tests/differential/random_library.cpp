// The library ops of the random program: running totals and sorts along any axis, products of matrices and vectors, all of
// them between formulas that were not evaluated.
#include "tests/differential/library_cases.hpp"
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test {
namespace {
using frit::array;
using frit::op;
}  // namespace

void random_program::library() {
    const variable v = pick();
    const auto first = frit::detail::count_ops + frit::detail::count_reductions;
    const auto code = static_cast<op>(first + random_.below(frit::detail::count_library_ops));
    if (code == op::matmul) return product(v);
    if (!missing_library(code).empty()) return;
    if (v.plain.rank() == 0 || !takes(code, v.plain.type)) return;
    const int axis = static_cast<int>(random_.below(v.plain.rank()));
    const ref::array want = along_axis(code, v.plain, axis);
    const std::string text = std::string(name_of(code)) + "(" + v.name + ", " + std::to_string(axis) + ")";
    std::visit(
        [&](const auto& a) {
            using T = typename std::decay_t<decltype(a)>::value_type;
            for_each_axis_op<T>([&]<op O>(std::integral_constant<op, O>) {
                if (O == code) add(array(along_axis<O>(a, axis)), want, text);
            });
        },
        v.lazy);
}

void random_program::product(const variable& v) {
    const ref::array& x = v.plain;
    if (x.rank() < 1) return;
    if (!takes(op::matmul, x.type)) return;
    if (kind_of(x.type) >= frit::dtype_kind::floating && !missing_library(op::matmul).empty()) return;
    const auto fits = [&](const ref::array& y) {
        if (y.type != x.type || y.rank() < 1 ||
            y.extents[static_cast<std::size_t>(std::max(y.rank() - 2, 0))] != x.extents.back())
            return false;
        std::int64_t elements = (x.rank() > 1 ? x.extents[x.extents.size() - 2] : 1) * (y.rank() > 1 ? y.extents.back() : 1);
        for (std::size_t k = 3; k <= static_cast<std::size_t>(std::max(x.rank(), y.rank())); ++k) {  // from the end
            const std::int64_t ex = k <= x.extents.size() ? x.extents[x.extents.size() - k] : 1,
                               ey = k <= y.extents.size() ? y.extents[y.extents.size() - k] : 1;
            if (ex != ey && ex != 1 && ey != 1) return false;
            elements *= ex == 1 ? ey : ex;
        }
        return elements <= largest;
    };
    std::vector<const variable*> fitting;  // on the right, of the same dtype
    for (const variable& w : held_)
        if (fits(w.plain)) fitting.push_back(&w);
    by_type(x.type, [&]<class T>(T) {
        const auto& a = std::get<array<T>>(v.lazy);
        if (!fitting.empty() && random_.chance(0.6)) {
            const variable w = *fitting[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(fitting.size())))];
            return add(array<T>(frit::matmul(a, std::get<array<T>>(w.lazy))), ref::matmul(x, w.plain),
                       "matmul(" + v.name + ", " + w.name + ")");
        }
        std::vector<int> order;  // each matrix transposed; of a vector nothing
        for (int k = 0; k < x.rank(); ++k) order.push_back(k);
        if (x.rank() > 1) std::swap(order[order.size() - 1], order[order.size() - 2]);
        const ref::array turned = ref::transpose(x, order);
        if (!fits(turned)) return;
        add(array<T>(frit::matmul(a, frit::transpose(a, order))), ref::matmul(x, turned),
            "matmul(" + v.name + ", transpose(" + v.name + ", " + text_of(order) + "))");
    });
}

}  // namespace frit_test
