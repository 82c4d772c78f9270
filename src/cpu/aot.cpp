// The library's loops one by one, for formulas that programs have compiled in (include/frit/detail/aot_loops.hpp).
#include "src/cpu/aot.hpp"

#include <utility>

#include "frit/detail/aot_loops.hpp"
#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {
namespace {

template <class A, class B>
void compare(op code, int splats, bool* d, const A* a, const B* b, std::int64_t n) {
    const auto each = [&](auto holds) {
        for (std::int64_t i = 0; i < n; ++i) d[i] = holds(a[splats & 1 ? 0 : i], b[splats & 2 ? 0 : i]);
    };
    switch (code) {
        case op::lt: return each([](A x, B y) { return std::cmp_less(x, y); });
        case op::le: return each([](A x, B y) { return std::cmp_less_equal(x, y); });
        case op::gt: return each([](A x, B y) { return std::cmp_greater(x, y); });
        case op::ge: return each([](A x, B y) { return std::cmp_greater_equal(x, y); });
        case op::eq: return each([](A x, B y) { return std::cmp_equal(x, y); });
        default: return each([](A x, B y) { return std::cmp_not_equal(x, y); });
    }
}

}  // namespace

void run_block(op code, dtype operand, int splats, void* d, const void* a, const void* b, const void* c,
               std::int64_t n) noexcept {
    process_table().elementwise[static_cast<int>(code)][index_of(operand)][splats](d, a, b, c, n);
}

void run_mixed_comparison(op code, bool signed_first, int splats, void* d, const void* a, const void* b,
                          std::int64_t n) noexcept {
    const auto go = [&]<class A, class B>(A, B) {
        compare(code, splats, static_cast<bool*>(d), static_cast<const A*>(a), static_cast<const B*>(b), n);
    };
    signed_first ? go(std::int64_t{}, std::uint64_t{}) : go(std::uint64_t{}, std::int64_t{});
}

void run_reduction(op code, dtype type, void* totals, const void* values, std::int64_t rows, std::int64_t length) {
    const reduce_rows_loop reduce = process_table().reduce_rows[static_cast<int>(code) - count_ops][index_of(type)];
    reduce(totals, values, nullptr, rows, length, fusion::rule_of(code, type).identity);
}

void run_block_cast(dtype from, dtype to, bool splat, void* d, const void* a, std::int64_t n) noexcept {
    const isa_table& t = process_table();
    const loop convert = from == to ? t.copy[index_of(to)][0] : t.cast[index_of(from)][index_of(to)];
    convert(d, a, nullptr, nullptr, splat ? 1 : n);
    if (splat) t.copy[index_of(to)][1](d, d, nullptr, nullptr, n);
}

}  // namespace frit::v0::detail
