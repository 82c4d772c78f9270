// What each op of the table is in LLVM's instructions: the prelude, and the spellings of ops.def over it, run over symbols
// that print themselves. One function for each op and dtype.
#include <array>
#include <stdexcept>

#include "fusion/codegen/lanes_of_ops.hpp"
#include "fusion/codegen/llvm_lanes.hpp"

namespace frit::inline v0::fusion::llvm {
namespace {

#define FRIT_SYMBOLS
#define FRIT_VECTOR_BYTES (1 << 20)
// Each stands on those before it.
// clang-format off
#include "fusion/codegen/host_prelude_types.hpp"
#include "fusion/codegen/host_prelude_symbols.hpp"
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_division.hpp"
#include "fusion/codegen/host_prelude_math.hpp"
#include "fusion/codegen/host_prelude_half.hpp"
#include "fusion/codegen/host_prelude_complex.hpp"
// clang-format on

constexpr int N = 8;  // of symbols: any

// What the prelude lacks comes from the vector math table: a function that any of the prelude's is more special than.
namespace fn {
#define FRIT_TABLE_1(name)                                                     \
    template <class V>                                                         \
    V name(V a) {                                                              \
        return {decltype(a.v)(now->table_call(frit::op::name, {a.v.number}))}; \
    }
#define FRIT_TABLE_2(name)                                                                 \
    template <class V, class W>                                                            \
    V name(V a, W b) {                                                                     \
        return {decltype(a.v)(now->table_call(frit::op::name, {a.v.number, b.v.number}))}; \
    }
#define FRIT_TABLE_3(name)
#define FRIT_OP(name, arity, ...) FRIT_TABLE_##arity(name)
#include "frit/ops.def"
}  // namespace fn

template <class T>
struct lanes_for {
    typedef fn::vec<T, N> type;
};
template <>
struct lanes_for<bool> {
    typedef fn::mask<fn::i8, N> type;
};
template <class T>
using lanes_of = typename lanes_for<T>::type;

template <class T, int M>
fn::vec<T, M> read(const lanes_value& v, fn::vec<T, M>*) {
    return {decltype(fn::vec<T, M>::v)(v.first)};
}
template <class T, int M>
fn::vec<fn::complex_number<T>, M> read(const lanes_value& v, fn::vec<fn::complex_number<T>, M>*) {
    return {fn::symbol<T, M>(v.first), fn::symbol<T, M>(v.second)};
}
fn::mask<fn::i8, N> read(const lanes_value& v, fn::mask<fn::i8, N>*) {
    return {fn::symbol<fn::i8, N>(fn::now->as_mask(v.first, element::i8))};
}
template <class T>
lanes_of<T> read(const lanes_value& v) {
    return read(v, static_cast<lanes_of<T>*>(nullptr));
}
template <class T, int M>
lanes_value written(fn::vec<T, M> a) {
    return {a.v.number, 0};
}
template <class T, int M>
lanes_value written(fn::vec<fn::complex_number<T>, M> a) {
    return {a.low.number, a.high.number};
}
template <class I, int M>
lanes_value written(fn::mask<I, M> a) {
    return {a.v.number, 0};
}

#define FN(f) fn::f
#define K(x) fn::constant<decltype(a)>(x)
#define FRIT_OP(name, arity_, form, token, types, on_bool, result_, algebra, cost, spelling, ...) \
    struct op_##name {                                                                            \
        static constexpr op code = op::name;                                                      \
        static constexpr int arity = arity_;                                                      \
        static constexpr op_result result = op_result::result_;                                   \
        template <class A, class B, class C>                                                      \
        static auto apply([[maybe_unused]] A a, [[maybe_unused]] B b, [[maybe_unused]] C c) {     \
            return spelling;                                                                      \
        }                                                                                         \
    };
#include "frit/ops.def"

using writer_of_op = lanes_value (*)(const std::vector<lanes_value>&);

template <class Op, class T>
lanes_value write_op(const std::vector<lanes_value>& in) {
    if constexpr (Op::result == op_result::SELECT)
        return written(Op::apply(read<bool>(in[0]), read<T>(in[1]), read<T>(in[2])));
    else if constexpr (Op::arity == 3)
        return written(Op::apply(read<T>(in[0]), read<T>(in[1]), read<T>(in[2])));
    else if constexpr (Op::arity == 2)
        return written(Op::apply(read<T>(in[0]), read<T>(in[1]), 0));
    else
        return written(Op::apply(read<T>(in[0]), 0, 0));
}
lanes_value next_short(const std::vector<lanes_value>& in, dtype t) {
    if (t == dtype::f16) return written(fn::next_short(read<fn::f16>(in[0]), read<fn::f16>(in[1])));
    return written(fn::next_short(read<fn::bf16>(in[0]), read<fn::bf16>(in[1])));
}

using row = std::array<writer_of_op, 16>;
template <class Op>
constexpr row row_of() {
    row r{};
#define FRIT_X(name, type) \
    if constexpr (has_lanes(Op::code, dtype::name)) r[static_cast<std::size_t>(dtype::name)] = write_op<Op, type>;
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
    return r;
}
constexpr row rows[] = {
#define FRIT_OP(name, ...) row_of<op_##name>(),
#include "frit/ops.def"
};

template <class T>
lanes_value complex_op(op code, const std::vector<lanes_value>& in) {
    typedef fn::complex_number<T> C;
    switch (code) {
        case op::complex: return written(fn::complex(read<T>(in[0]), read<T>(in[1])));
        case op::real: return written(fn::real(read<C>(in[0])));
        case op::imag: return written(fn::imag(read<C>(in[0])));
        case op::complex_product: return written(fn::complex_product(read<C>(in[0]), read<C>(in[1])));
        default: throw std::logic_error("llvm: an op that no complex numbers have");
    }
}

template <class From>
lanes_value cast_from(const lanes_value& v, dtype to) {
    switch (to) {
#define FRIT_X(name, type) \
    case dtype::name: return written(fn::to<type>(read<From>(v)));
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        case dtype::f16: return written(fn::narrow<fn::f16>(read<From>(v)));
        case dtype::bf16: return written(fn::narrow<fn::bf16>(read<From>(v)));
        default: throw std::logic_error("llvm: no such cast");
    }
}

}  // namespace

lanes_value computed(lane_writer& to, op code, dtype by, const std::vector<lanes_value>& in) {
    fn::now = &to;
    if (code == op::complex || is_complex(by))
        return real_dtype(by) == dtype::f32 ? complex_op<float>(code, in) : complex_op<double>(code, in);
    if (is_short(by) && code == op::nextafter) return next_short(in, by);
    if (is_short(by)) by = dtype::u16;  // selected, as bits
    const writer_of_op write = rows[static_cast<std::size_t>(code)][static_cast<std::size_t>(by)];
    if (!write) throw std::logic_error("llvm: an op of a dtype that it is not computed in");
    return write(in);
}

lanes_value cast(lane_writer& w, const lanes_value& v, dtype from, dtype to) {
    fn::now = &w;
    if (from == to && (is_short(to) || is_complex(to))) return v;
    switch (from) {
#define FRIT_X(name, type) \
    case dtype::name: return cast_from<type>(v, to);
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        case dtype::f16: return cast_from<float>(written(fn::widen(read<fn::f16>(v))), to);
        case dtype::bf16: return cast_from<float>(written(fn::widen(read<fn::bf16>(v))), to);
        default: throw std::logic_error("llvm: no such cast");
    }
}

}  // namespace frit::v0::fusion::llvm
