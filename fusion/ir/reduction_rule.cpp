// The kinds of reduction of ops.def, each as a short program, and what is known of a kind without one. Made once per op and
// dtype.
#include "fusion/ir/reduction_rule.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>

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
    writer(reduction_rule& r, rule_code& to) : r_(r), to_(to) {}
    std::uint16_t left(int part) { return leaf(part, part); }
    std::uint16_t right(int part) { return leaf(part, r_.parts + part); }
    std::uint16_t one(dtype t) { return add({.code = op::scalar, .type = t}); }
    std::uint16_t operator()(op code, std::uint16_t a, std::uint16_t b = 0, std::uint16_t c = 0) {
        const bool select = info(code).result == op_result::SELECT;
        const op_dtypes rule = resolve(code, to_.steps[select ? b : a].type);
        return add({.code = rule.code, .type = rule.result, .a = a, .b = b, .c = c});
    }

private:
    std::uint16_t leaf(int part, int operand) {
        return add({.code = op::load, .type = r_.types[part], .a = static_cast<std::uint16_t>(operand)});
    }
    std::uint16_t add(const instruction& i) {
        to_.steps.push_back(i);
        return static_cast<std::uint16_t>(to_.steps.size() - 1);
    }
    const reduction_rule& r_;
    rule_code& to_;
};

void plain(reduction_rule& r, const reduction_info& row, dtype type, bool /*fused*/) {
    r.types[0] = type;
    r.identity[0] = identity_word(row.identity, type);
    writer w(r, r.combine);
    const std::uint16_t a = w.left(0), b = w.right(0);
    r.combine.result[0] = w(row.combine, a, b);
    r.take = r.combine;
}

/// The right one is taken if it is better, or as good and earlier in the row; NaN is better than any number.
void index(reduction_rule& r, const reduction_info& row, dtype type, bool /*fused*/) {
    r.parts = 2;
    r.types[0] = type;
    r.types[1] = dtype::i64;
    r.lift[1] = part_source::second;
    r.identity[0] = identity_word(row.identity, type);
    r.identity[1] = identity_word(reduction_identity::HIGHEST, dtype::i64);
    r.result = 1;
    writer w(r, r.combine);
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
    r.combine.result[0] = w(op::where, take, b, a);
    r.combine.result[1] = w(op::where, take, j, i);
    r.take = r.combine;
}

/// What has the larger place. The one before a row's first element is the least.
void last(reduction_rule& r, const reduction_info& row, dtype type, bool /*fused*/) {
    r.parts = 2;
    r.types[0] = type;
    r.types[1] = dtype::i64;
    r.lift[1] = part_source::second;
    r.identity[0] = identity_word(row.identity, type);
    r.identity[1] = identity_word(reduction_identity::LOWEST, dtype::i64);
    writer w(r, r.combine);
    const std::uint16_t a = w.left(0), i = w.left(1), b = w.right(0), j = w.right(1);
    const std::uint16_t later = w(row.combine, j, i);
    r.combine.result[0] = w(op::where, later, b, a);
    r.combine.result[1] = w(op::where, later, j, i);
    r.take = r.combine;
}

/// n = n0 + n1, d = mean1 - mean0, mean = mean0 + d n1 / n, M2 = M2_0 + M2_1 + d^2 n0 n1 / n. A mean is an element, the
/// origin, minus its lead over the mean: what is rounded are differences of elements, whatever the size of the mean. The
/// origin of what takes in an element is that one, which is best where the first elements lie far off; it also leaves least
/// to do: d = (x - origin) + lead, lead = d n0 / n, M2 = M2 + lead d. What combines keeps the left side's, for the right
/// side may have none: then n1 = 0 and nothing changes. Two empty sides have n = 0, hence the division by at least one.
void deviations_of(writer w, rule_code& to, dtype type, bool takes, bool fused) {
    const std::uint16_t n0 = w.left(0), origin0 = w.left(1), lead0 = w.left(2), m0 = w.left(3);
    const std::uint16_t n1 = w.right(0), origin1 = w.right(1), lead1 = w.right(2), m1 = w.right(3);
    const std::uint16_t n = w(op::add, n0, n1), both = w(op::add, m0, m1);
    const std::uint16_t d = w(op::sub, w(op::sub, origin1, origin0), w(op::sub, lead1, lead0));
    const std::uint16_t share = w(op::div, takes ? n0 : n1, w(op::fmax, n, w.one(type)));
    const std::uint16_t step = w(op::mul, d, share), weighted = w(op::mul, step, takes ? n1 : n0);
    to.result[0] = n;
    to.result[1] = takes ? origin1 : origin0;
    to.result[2] = takes ? w(op::add, lead1, step) : w(op::sub, lead0, step);
    to.result[3] = fused ? w(op::fma, weighted, d, both) : w(op::add, both, w(op::mul, weighted, d));
}
void deviations(reduction_rule& r, const reduction_info& /*row*/, dtype type, bool fused) {
    r.parts = 4;
    r.result = 3;
    constexpr part_source lift[] = {part_source::one, part_source::value, part_source::minus_zero, part_source::minus_zero};
    for (int k = 0; k < 4; ++k) {
        r.types[k] = type;
        r.lift[k] = lift[k];
        r.identity[k] = identity_word(reduction_identity::ZERO, type);
    }
    deviations_of(writer(r, r.combine), r.combine, type, false, fused);
    deviations_of(writer(r, r.take), r.take, type, true, fused);
}

/// (a + i b) (c + i d) = (a c - b d) + i (a d + b c). But one times anything is that, bit by bit: an identity must change
/// nothing, and 0 times an infinity would.
void product_of(reduction_rule& r, writer w, dtype type) {
    const std::uint16_t a = w.left(0), b = w.left(1), c = w.right(0), d = w.right(1), one = w.one(type);
    const auto is_one = [&](std::uint16_t re, std::uint16_t im) {
        return w(op::bit_and, w(op::eq, re, one),
                 w(op::bit_and, w(op::logical_not, im), w(op::logical_not, w(op::signbit, im))));
    };
    const std::uint16_t left = is_one(a, b), right = is_one(c, d);
    const std::uint16_t re = w(op::sub, w(op::mul, a, c), w(op::mul, b, d));
    const std::uint16_t im = w(op::add, w(op::mul, a, d), w(op::mul, b, c));
    r.combine.result[0] = w(op::where, right, a, w(op::where, left, c, re));
    r.combine.result[1] = w(op::where, right, b, w(op::where, left, d, im));
}
/// The left one stays if it beats the right one: by real parts, then by imaginary ones, then by its place. A number is NaN
/// if a part of it is, and beats all that are not.
void extremum_of(reduction_rule& r, writer w, bool largest) {
    r.parts = 3;
    r.types[2] = dtype::i64;
    r.lift[2] = part_source::third;
    r.identity[2] = identity_word(reduction_identity::HIGHEST, dtype::i64);
    const std::uint16_t a = w.left(0), b = w.left(1), i = w.left(2), c = w.right(0), d = w.right(1), j = w.right(2);
    const op beats = largest ? op::gt : op::lt;
    const std::uint16_t left_nan = w(op::bit_or, w(op::ne, a, a), w(op::ne, b, b));
    const std::uint16_t right_nan = w(op::bit_or, w(op::ne, c, c), w(op::ne, d, d));
    const std::uint16_t first = w(op::le, i, j), equal = w(op::bit_and, w(op::eq, b, d), first);
    const std::uint16_t by_imag = w(op::bit_and, w(op::eq, a, c), w(op::bit_or, w(beats, b, d), equal));
    const std::uint16_t larger = w(op::bit_or, left_nan, w(op::bit_or, w(beats, a, c), by_imag));
    const std::uint16_t of_nans = w(op::bit_and, right_nan, w(op::bit_and, left_nan, first));
    const std::uint16_t stays = w(op::bit_or, of_nans, w(op::bit_and, w(op::logical_not, right_nan), larger));
    r.combine.result[0] = w(op::where, stays, a, c);
    r.combine.result[1] = w(op::where, stays, b, d);
    r.combine.result[2] = w(op::where, stays, i, j);
}
void pair(reduction_rule& r, const reduction_info& row, dtype type, bool /*fused*/) {
    const bool multiplies = row.combine == op::mul;
    r.parts = 2;
    r.result = row.result == op_result::IMAG;
    for (int k = 0; k < 2; ++k) {
        r.types[k] = type;
        r.lift[k] = k == 0 ? part_source::value : part_source::second;
        r.identity[k] = identity_word(multiplies && k == 1 ? reduction_identity::ZERO : row.identity, type);
    }
    const writer w(r, r.combine);
    multiplies ? product_of(r, w, type) : extremum_of(r, w, row.combine == op::maximum);
    r.take = r.combine;
}

/// A kind, by its name in the rows.
struct reduction_writer {
    void (*write)(reduction_rule&, const reduction_info&, dtype, bool fused);
    unsigned cost;  ///< 0: that of the op that combines
    bool fuses;
};
constexpr reduction_writer PLAIN{plain, 0, false}, INDEX{index, 8, false}, DEVIATIONS{deviations, 16, true},
    PAIR{pair, 20, false}, LAST{last, 3, false};
constexpr reduction_writer writers[] = {
#define FRIT_REDUCTION(name, kind, ...) kind,
#include "frit/ops.def"
};
const reduction_writer& writer_of(op code) { return writers[static_cast<int>(code) - detail::count_ops]; }

}  // namespace

bool has_fused_rule(op code) { return writer_of(code).fuses; }
unsigned cost_of_reduction(op code) {
    return writer_of(code).cost != 0 ? writer_of(code).cost : info(reduction(code).combine).cost;
}

const reduction_rule& rule_of(op code, dtype type, bool fused) {
    constexpr std::size_t types = 32;
    // Without a lock, which a forked child might find taken.
    static constinit std::atomic<const reduction_rule*> made[2][detail::count_reductions][types] = {};
    auto& known =
        made[fused][static_cast<std::size_t>(static_cast<int>(code) - detail::count_ops)][static_cast<std::size_t>(type)];
    if (const reduction_rule* r = known.load(std::memory_order_acquire)) return *r;
    auto r = std::make_unique<reduction_rule>();
    writer_of(code).write(*r, reduction(code), type, fused);
    const reduction_rule* first = nullptr;
    if (known.compare_exchange_strong(first, r.get(), std::memory_order_acq_rel)) return *r.release();
    return *first;
}

const reduction_rule& running_rule(op running, dtype type) {
    op code = scan_of(running).running;
    if (type == dtype::bool_) code = code == op::max ? op::any : op::all;
    const reduction_rule& rule = rule_of(code, type);
    if (code != op::sum || !is_float(type) || scan_of(running).exclusive) return rule;
    static const auto signed_zero = [](dtype t) {
        reduction_rule r = rule_of(op::sum, t);
        r.identity[0] = std::uint64_t{1} << (8 * size_of(t) - 1);
        return r;
    };
    static const reduction_rule f32 = signed_zero(dtype::f32), f64 = signed_zero(dtype::f64);
    return type == dtype::f32 ? f32 : f64;
}

reduction_rule rule_of_operation(const loop_spec& operation) {
    reduction_rule r;
    const int states = static_cast<int>(operation.next.size());
    r.parts = states + 1;
    for (int k = 0; k < states; ++k) {
        r.types[k] = operation.inputs[static_cast<std::size_t>(k)];
        r.lift[k] = part_source::own;
    }
    r.types[states] = dtype::bool_;
    r.lift[states] = part_source::one;
    r.given.assign(operation.inputs.begin() + 2 * states, operation.inputs.end());
    r.combine.steps = operation.code;
    for (instruction& i : r.combine.steps)  // each side has a part more here
        if (i.code == op::load) i.a = static_cast<std::uint16_t>(i.a + std::min(i.a / states, 2));
    writer w(r, r.combine);
    const std::uint16_t a = w.left(states), b = w.right(states);
    for (int k = 0; k < states; ++k) {
        const std::uint16_t both = operation.next[static_cast<std::size_t>(k)], left = w.left(k), right = w.right(k);
        r.combine.result[k] = w(op::where, b, w(op::where, a, both, right), left);
    }
    r.combine.result[states] = w(op::bit_or, a, b);
    r.take = r.combine;
    return r;
}

std::size_t offset_of_part(const reduction_rule& r, int part) {
    std::size_t at = 0, widest = 1;
    const auto aligned = [&](std::size_t to) { at = (at + to - 1) / to * to; };
    for (int k = 0; k < r.parts; ++k) {
        const std::size_t size = size_of(r.types[k]);
        aligned(size);
        if (k == part) return at;
        at += size;
        widest = std::max(widest, size);
    }
    aligned(widest);
    return at;
}

int parts_of(const kernel_spec& spec) {
    int parts = 0;
    for (const instruction& i : spec.body) parts += is_cumulative(i.code);
    for (const reduction_spec& r : spec.reductions) parts += rule_of(r).parts;
    return parts;
}

}  // namespace frit::v0::fusion
