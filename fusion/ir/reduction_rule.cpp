// The three kinds of reduction of ops.def, each as a short program. Made once per op and dtype.
#include "fusion/ir/reduction_rule.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

#include "frit/error.hpp"

namespace frit::inline v0::fusion {
namespace {

template <class F>
void with_type(dtype type, F f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw error("no reduction of " + std::string(name_of(type)));
    }
}

std::uint64_t identity_word(reduction_identity identity, dtype type) {
    std::uint64_t word = 0;
    with_type(type, [&]<class T>() {
        using limits = std::numeric_limits<T>;
        T x{};
        switch (identity) {
            case reduction_identity::ZERO: x = T(0); break;
            case reduction_identity::ONE: x = T(1); break;
            case reduction_identity::LOWEST:
                x = limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
                break;
            case reduction_identity::HIGHEST: x = limits::has_infinity ? limits::infinity() : limits::max(); break;
        }
        std::memcpy(&word, &x, sizeof x);
    });
    return word;
}

class writer {
public:
    explicit writer(reduction_rule& r) : r_(r) {}
    std::uint16_t left(int part) { return leaf(part, part); }
    std::uint16_t right(int part) { return leaf(part, r_.parts + part); }
    std::uint16_t one(dtype t) { return add({.code = op::scalar, .type = t}); }
    std::uint16_t operator()(op code, std::uint16_t a, std::uint16_t b = 0, std::uint16_t c = 0) {
        const bool select = info(code).result == op_result::SELECT;
        const op_dtypes rule = resolve(code, r_.combine[select ? b : a].type);
        return add({.code = rule.code, .type = rule.result, .a = a, .b = b, .c = c});
    }

private:
    std::uint16_t leaf(int part, int operand) {
        return add({.code = op::load, .type = r_.types[part], .a = static_cast<std::uint16_t>(operand)});
    }
    std::uint16_t add(const instruction& i) {
        r_.combine.push_back(i);
        return static_cast<std::uint16_t>(r_.combine.size() - 1);
    }
    reduction_rule& r_;
};

void plain(reduction_rule& r, const reduction_info& row, dtype type) {
    r.types[0] = type;
    r.identity[0] = identity_word(row.identity, type);
    writer w(r);
    const std::uint16_t a = w.left(0), b = w.right(0);
    r.combined[0] = w(row.combine, a, b);
}

/// The right one is taken if it is better, or as good and earlier in the row; NaN is better than any number.
void index(reduction_rule& r, const reduction_info& row, dtype type) {
    r.parts = 2;
    r.types[0] = type;
    r.types[1] = dtype::i64;
    r.lift[1] = part_source::index;
    r.identity[0] = identity_word(row.identity, type);
    r.identity[1] = identity_word(reduction_identity::HIGHEST, dtype::i64);
    r.result = 1;
    writer w(r);
    const std::uint16_t a = w.left(0), i = w.left(1), b = w.right(0), j = w.right(1);
    std::uint16_t better, equal;
    if (type == dtype::bool_) {
        const std::uint16_t differ = w(op::bit_xor, a, b);
        equal = w(op::logical_not, differ);
        better = w(op::bit_and, row.combine == op::gt ? b : a, differ);
    } else {
        better = w(row.combine, b, a);
        equal = w(op::eq, a, b);
    }
    if (is_float(type)) {
        const std::uint16_t a_nan = w(op::ne, a, a), b_nan = w(op::ne, b, b);
        better = w(op::bit_or, better, w(op::bit_and, b_nan, w(op::eq, a, a)));
        equal = w(op::bit_or, equal, w(op::bit_and, a_nan, b_nan));
    }
    const std::uint16_t take = w(op::bit_or, better, w(op::bit_and, equal, w(op::lt, j, i)));
    r.combined[0] = w(op::where, take, b, a);
    r.combined[1] = w(op::where, take, j, i);
}

/// n = n0 + n1, d = mean1 - mean0, mean = mean0 + d n1 / n, M2 = M2_0 + M2_1 + d^2 n0 n1 / n. Two empty sides have n = 0,
/// hence the division by at least one; d n0 first, so that an empty left side never meets an overflowing square.
void deviations(reduction_rule& r, const reduction_info&, dtype type) {
    r.parts = 3;
    r.result = 2;
    constexpr part_source lift[] = {part_source::one, part_source::value, part_source::zero};
    for (int k = 0; k < 3; ++k) {
        r.types[k] = type;
        r.lift[k] = lift[k];
        r.identity[k] = identity_word(reduction_identity::ZERO, type);
    }
    writer w(r);
    const std::uint16_t n0 = w.left(0), mean0 = w.left(1), m0 = w.left(2);
    const std::uint16_t n1 = w.right(0), mean1 = w.right(1), m1 = w.right(2);
    const std::uint16_t n = w(op::add, n0, n1);
    const std::uint16_t share = w(op::div, n1, w(op::maximum, n, w.one(type)));
    const std::uint16_t d = w(op::sub, mean1, mean0), step = w(op::mul, d, share);
    r.combined[0] = n;
    r.combined[1] = w(op::add, mean0, step);
    r.combined[2] = w(op::add, w(op::add, m0, m1), w(op::mul, w(op::mul, d, n0), step));
}

}  // namespace

const reduction_rule& rule_of(op code, dtype type) {
    constexpr std::size_t types = 32;
    static std::array<std::array<reduction_rule*, types>, detail::count_reductions> made{};
    static std::mutex making;
    const std::lock_guard guard(making);
    reduction_rule*& known =
        made[static_cast<std::size_t>(static_cast<int>(code) - detail::count_ops)][static_cast<std::size_t>(type)];
    if (!known) {
        auto r = std::make_unique<reduction_rule>();
        const reduction_info& row = reduction(code);
        switch (row.kind) {
            case reduction_kind::PLAIN: plain(*r, row, type); break;
            case reduction_kind::INDEX: index(*r, row, type); break;
            case reduction_kind::DEVIATIONS: deviations(*r, row, type); break;
        }
        known = r.release();
    }
    return *known;
}

int parts_of(const kernel_spec& spec) {
    int parts = 0;
    for (const reduction_spec& r : spec.reductions) parts += rule_of(r).parts;
    return parts;
}

}  // namespace frit::v0::fusion
