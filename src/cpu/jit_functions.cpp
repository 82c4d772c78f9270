// The prelude's out-of-line functions, compiled once for the code of the engine jit; and what LLVM makes calls of where an
// instruction set lacks an instruction.
#include "src/cpu/jit_functions.hpp"

#include <cmath>
#include <cstring>

#include "frit/dtype.hpp"
#include "frit/half.hpp"

namespace frit::inline v0::detail {
namespace {

#define FRIT_VECTOR_BYTES 16
// Each stands on those before it.
// clang-format off
#include "fusion/codegen/host_prelude_types.hpp"
#include "fusion/codegen/host_prelude_vectors.hpp"
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_kernel.hpp"
#include "fusion/codegen/host_prelude_complex.hpp"
// clang-format on
#undef FRIT_VECTOR_BYTES

using fn::i64;

template <class T>
void fill(T* to, i64 lanes, const T* row, i64 stride, i64 at, i64 count) {
    fn::fill(to, lanes, row, stride, at, count);
}
template <class T>
void fill_clamped(T* to, i64 lanes, const T* row, i64 stride, i64 at, i64 count, const fn::u64* words) {
    fn::fill(to, lanes, row, stride, fn::clamp(words), at, count);
}
template <class T>
void spill(T* row, i64 stride, i64 at, i64 count, const T* from) {
    fn::spill(row, stride, at, count, from);
}
template <class T>
void fill_rows(T* to, i64 lanes, const T* row, i64 pitch, i64 stride, i64 rows, i64 count) {
    fn::fill_rows(to, lanes, row, pitch, stride, rows, count);
}
template <class T>
void spill_rows(T* row, i64 pitch, i64 stride, i64 rows, i64 count, const T* from, i64 lanes) {
    fn::spill_rows(row, pitch, stride, rows, count, from, lanes);
}
template <bool Through, class T>
void search(const T* from, const T* values, const i64* elements, i64* to, i64 lanes) {
    fn::search<Through>(from, values, *elements, to, lanes);
}
void checked(i64* at, const i64* extents, i64 lanes, fn::u64* fault, i64 count) {
    for (i64 k = 0; k < lanes; ++k) at[k] = k < count ? fn::checked(at[k], extents[k], fault) : 0;
}
void narrow(const fn::u64* words, i64* inside) { fn::narrow(words, inside); }
void stretch(const fn::u64* words, i64 first, i64* last) { fn::stretch(words, first, last); }
void order_loads(const i64* starts, i64 count, i64* order) { fn::order_loads(starts, count, order); }

struct named_function {
    const char* name;
    void* address;
};
template <class F>
void* address_of(F* f) {
    return reinterpret_cast<void*>(f);
}

}  // namespace

void* jit_function(std::string_view symbol) noexcept {
    typedef double of_double(double);
    typedef float of_float(float);
    static const named_function all[] = {
        {"frit_narrow", address_of(narrow)},
        {"frit_stretch", address_of(stretch)},
        {"frit_checked", address_of(checked)},
        {"frit_order_loads", address_of(order_loads)},
        {"memcpy", address_of(std::memcpy)},
        {"memset", address_of(std::memset)},
        {"fmod", address_of(static_cast<double (*)(double, double)>(std::fmod))},
        {"fmodf", address_of(static_cast<float (*)(float, float)>(std::fmod))},
        {"fma", address_of(static_cast<double (*)(double, double, double)>(std::fma))},
        {"fmaf", address_of(static_cast<float (*)(float, float, float)>(std::fma))},
        {"floor", address_of(static_cast<of_double*>(std::floor))},
        {"floorf", address_of(static_cast<of_float*>(std::floor))},
        {"ceil", address_of(static_cast<of_double*>(std::ceil))},
        {"ceilf", address_of(static_cast<of_float*>(std::ceil))},
        {"trunc", address_of(static_cast<of_double*>(std::trunc))},
        {"truncf", address_of(static_cast<of_float*>(std::trunc))},
        {"rint", address_of(static_cast<of_double*>(std::rint))},
        {"rintf", address_of(static_cast<of_float*>(std::rint))},
    };
    for (const named_function& f : all)
        if (symbol == f.name) return f.address;
    const auto of = [symbol](std::string_view prefix, dtype t) {
        return symbol.starts_with(prefix) && symbol.substr(prefix.size()) == name_of(t);
    };
#define FRIT_X(name, type)                                                            \
    if (of("frit_fill_", dtype::name)) return address_of(fill<type>);                 \
    if (of("frit_fill_clamped_", dtype::name)) return address_of(fill_clamped<type>); \
    if (of("frit_spill_", dtype::name)) return address_of(spill<type>);               \
    if (of("frit_fill_rows_", dtype::name)) return address_of(fill_rows<type>);       \
    if (of("frit_spill_rows_", dtype::name)) return address_of(spill_rows<type>);
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
#define FRIT_X(name, type)                                                            \
    if (of("frit_search_left_", dtype::name)) return address_of(search<false, type>); \
    if (of("frit_search_right_", dtype::name)) return address_of(search<true, type>);
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
    return nullptr;
}

}  // namespace frit::v0::detail
