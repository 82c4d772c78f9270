// See numbers.hpp.
#include "tests/cuda/loops/numbers.hpp"

#include <algorithm>
#include <vector>

#include "src/cpu/isa.hpp"
#include "src/engine/backend.hpp"

namespace frit_test {
namespace {

using frit::dtype;
using frit::op;
using frit::detail::isa_level;
using frit::fusion::instruction;
using frit::fusion::reduction_rule;
using loops::code;

// Of the level that the CPU's backend has.
const frit::detail::isa_table& table() {
    static const frit::detail::isa_table& chosen = []() -> const frit::detail::isa_table& {
        const int bytes = frit::detail::cpu_backend().target().vector_bytes;
        return frit::detail::table_of(bytes == 64 ? isa_level::avx512 : bytes == 32 ? isa_level::avx2 : isa_level::baseline);
    }();
    return chosen;
}

template <class T>
std::uint64_t of_indices(code c, T a, T b) {
    T r = 0;
    bool over = false;
    const bool negates = std::is_signed_v<T> && b == static_cast<T>(-1);
    if ((c == code::div || c == code::rem) && b == 0) throw mistake{"division by 0"};
    switch (c) {
        case code::add: over = __builtin_add_overflow(a, b, &r); break;
        case code::sub: over = __builtin_sub_overflow(a, b, &r); break;
        case code::mul: over = __builtin_mul_overflow(a, b, &r); break;
        case code::div: negates ? over = __builtin_sub_overflow(T{0}, a, &r) : r = a / b; break;
        case code::rem: r = negates ? 0 : a % b; break;
        case code::bit_and: r = a & b; break;
        case code::bit_xor: r = a ^ b; break;
        case code::least: r = std::min(a, b); break;
        default: r = std::max(a, b); break;
    }
    if (over && std::is_signed_v<T>) throw mistake{"signed overflow"};
    return static_cast<std::uint64_t>(r);
}

// The constant 1 of a dtype is what products start at.
datum one(dtype t) { return of_word(frit::fusion::rule_of(op::prod, t).identity[0]); }
datum minus_zero(dtype t) { return of_word(std::uint64_t{1} << (8 * size_of(t) - 1)); }

}  // namespace

std::uint64_t of_indices(code c, dtype t, std::uint64_t a, std::uint64_t b) {
    switch (t) {
        case dtype::u32: return of_indices(c, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
        case dtype::i32: return of_indices(c, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        case dtype::u64: return of_indices(c, a, b);
        default: return of_indices(c, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    }
}

datum computed(op o, dtype by, const datum& a, const datum& b, const datum& c) {
    const frit::detail::loop run = table().elementwise[static_cast<int>(o)][frit::detail::index_of(by)][0];
    if (!run) throw mistake{std::string(name_of(o)) + " of " + std::string(name_of(by)) + ", which there is not"};
    datum result;
    run(&result, &a, &b, &c, 1);
    return result;
}

datum converted(const datum& x, dtype from, dtype to) {
    const frit::detail::loop run = table().cast[frit::detail::index_of(from)][frit::detail::index_of(to)];
    if (!run) throw mistake{"a cast that there is not"};
    datum result;
    run(&result, &x, nullptr, nullptr, 1);
    return result;
}

datum identity_of(const reduction_rule& r) {
    datum d;
    std::copy_n(r.identity, r.parts, d.word);
    return d;
}

datum lifted(const reduction_rule& r, std::span<const datum> of) {
    datum d;
    for (int k = 0; k < r.parts; ++k) {
        switch (r.lift[k]) {
            case frit::fusion::part_source::value: d.word[k] = of[0].word[0]; break;
            case frit::fusion::part_source::second: d.word[k] = of[1].word[0]; break;
            case frit::fusion::part_source::third: d.word[k] = of[2].word[0]; break;
            case frit::fusion::part_source::own: d.word[k] = of[static_cast<std::size_t>(k)].word[0]; break;
            case frit::fusion::part_source::one: d.word[k] = one(r.types[k]).word[0]; break;
            case frit::fusion::part_source::minus_zero: d.word[k] = minus_zero(r.types[k]).word[0]; break;
        }
    }
    return d;
}

datum combined(const reduction_rule& r, const frit::fusion::rule_code& code, const datum& a, const datum& b,
               std::span<const datum> given) {
    static thread_local std::vector<datum> done;
    done.resize(std::max(done.size(), code.steps.size()));
    for (std::size_t k = 0; k < code.steps.size(); ++k) {
        const instruction& i = code.steps[k];
        if (i.code == op::scalar) {
            done[k] = one(i.type);
        } else if (i.code == op::load) {
            const auto g = static_cast<std::size_t>(i.a - std::min<int>(i.a, 2 * r.parts));
            done[k] = i.a >= 2 * r.parts ? given[g] : of_word(i.a < r.parts ? a.word[i.a] : b.word[i.a - r.parts]);
        } else if (i.code == op::cast) {
            done[k] = converted(done[i.a], code.steps[i.a].type, i.type);
        } else if (i.code == op::bit_cast) {
            done[k] = done[i.a];
        } else {
            const bool select = frit::info(i.code).result == frit::op_result::SELECT;
            done[k] = computed(i.code, code.steps[select ? i.b : i.a].type, done[i.a], done[i.b], done[i.c]);
        }
    }
    datum d;
    for (int k = 0; k < r.parts; ++k) d.word[k] = done[code.result[k]].word[0];
    return d;
}

}  // namespace frit_test
