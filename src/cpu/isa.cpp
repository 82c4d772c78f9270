// Chooses an instruction-set level at run time and resolves its vector math. libmvec is looked up by name instead of linked
// against, so that a frit built on one machine uses whatever functions the libmvec of another has.
#include "src/cpu/isa.hpp"

#include <dlfcn.h>

#include <mutex>
#include <string>

namespace frit::inline v0::detail {
namespace {

#if defined(__x86_64__)
// libmvec's function of the full width, _ZGV<ISA>N<lanes>v[v]_<name>[f], or null.
math_function find_in_libmvec(const op_info& row, isa_level level, int vector_bytes, bool f32) {
    static void* const libmvec = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!libmvec) return nullptr;
    const char isa[] = {'b', 'd', 'e'};
    std::string symbol =
        std::string("_ZGV") + isa[static_cast<int>(level)] + "N" + std::to_string(vector_bytes / (f32 ? 4 : 8));
    symbol += (row.arity == 2 ? "vv_" : "v_") + std::string(row.name) + (f32 ? "f" : "");
    return reinterpret_cast<math_function>(dlsym(libmvec, symbol.c_str()));
}
#else
math_function find_in_libmvec(const op_info&, isa_level, int, bool) { return nullptr; }
#endif

void resolve_math(const isa_table& table, isa_level level) {
    for (int k = 0; k < count_ops; ++k) {
        const op_info& row = info(static_cast<op>(k));
        for (int column = 0; column < 2; ++column) {
            if (!table.own_math[k][column]) continue;
            const math_function vector = find_in_libmvec(row, level, table.vector_bytes, column == 0);
            const bool behind_own = static_cast<op>(k) == op::pow;
            if (vector && behind_own) table.pow_of_library[column] = vector;
            table.math[k][column] = vector && !behind_own ? vector : table.own_math[k][column];
        }
    }
}

const isa_table& loops_of(isa_level level) {
#if defined(__x86_64__)
    if (level == isa_level::avx512) return avx512::loops();
    if (level == isa_level::avx2) return avx2::loops();
#endif
    static_cast<void>(level);
    return baseline::loops();
}

}  // namespace

isa_level machine_isa() noexcept {
#if defined(__x86_64__)
    static const isa_level level = [] {
        __builtin_cpu_init();
        const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                        __builtin_cpu_supports("bmi2");
        const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
        return v4 ? isa_level::avx512 : v3 ? isa_level::avx2 : isa_level::baseline;
    }();
    return level;
#else
    return isa_level::baseline;
#endif
}

const isa_table& table_of(isa_level level) {
    static std::once_flag resolved[isa_levels];
    const isa_table& table = loops_of(level);
    std::call_once(resolved[static_cast<int>(level)], resolve_math, table, level);
    return table;
}

}  // namespace frit::v0::detail
