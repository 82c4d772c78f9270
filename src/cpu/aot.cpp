// The library's loops one by one, for formulas that programs have compiled in (include/frit/detail/aot_loops.hpp).
#include "frit/detail/aot_loops.hpp"

#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {
namespace {

void spread(const isa_table& t, dtype type, void* d, std::int64_t n) {
    t.copy[index_of(type)][1](d, d, nullptr, nullptr, n);
}

}  // namespace

void run_block(op code, dtype operand, int splats, void* d, const void* a, const void* b, const void* c,
               std::int64_t n) noexcept {
    const isa_table& t = process_table();
    const auto& loops = t.elementwise[static_cast<int>(code)][index_of(operand)];
    if (splats + 1 < 1 << info(code).arity) return loops[splats](d, a, b, c, n);
    loops[splats - 1](d, a, b, c, 1);  // numbers alone
    spread(t, info(code).result == op_result::BOOL ? dtype::bool_ : operand, d, n);
}

void run_block_cast(dtype from, dtype to, bool splat, void* d, const void* a, std::int64_t n) noexcept {
    const isa_table& t = process_table();
    t.cast[index_of(from)][index_of(to)](d, a, nullptr, nullptr, splat ? 1 : n);
    if (splat) spread(t, to, d, n);
}

}  // namespace frit::v0::detail
