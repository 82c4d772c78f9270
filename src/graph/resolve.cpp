// See resolve.hpp. What was worked out for a formula and the dtypes of its operands is kept for ever: there is as much as a
// program's source has formulas, times the dtypes that it brings to them.
#include "src/graph/resolve.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "src/base/errors.hpp"
#include "src/base/grow_only_set.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {
namespace {

/// Whether it is a part of a 16-bit formula that is kept in float32.
bool is_part(const node_head& n) { return n.type != n.meant; }

/// What decides a dynamic program: the dtypes of its leaves, and which of them are parts of formulas in float32, then those
/// that its conversions name, each with its rule.
struct deciding {
    std::array<std::uint8_t, 2 * max_program_length> types;
    std::size_t count = 0;
    void add(const node_head& leaf) {
        constexpr int part = 0x80;  // no value's dtype has the bit
        types[count++] = static_cast<std::uint8_t>(static_cast<int>(leaf.meant) | (is_part(leaf) ? part : 0));
    }
    void add_conversion(std::uint64_t asked) {
        types[count++] = static_cast<std::uint8_t>(asked & 0xff);
        types[count++] = static_cast<std::uint8_t>(asked >> 8);
    }
    std::span<const std::uint8_t> all() const { return {types.data(), count}; }
};

struct made_program {
    // the key
    std::vector<instruction> source;
    std::vector<std::uint8_t> types;
    // what was made of it
    struct parameter {
        std::uint16_t from;  ///< its number among the source's scalars
        dtype raw;           ///< weak: what it is there
        dtype type;
        op user;  ///< whom an error names
        bool weak;
    };
    std::vector<parameter> scalars;
    const known_program* code = nullptr;
    const made_program* next = nullptr;

    bool made_of(const program& p, std::span<const std::uint8_t> t) const {
        return std::equal(types.begin(), types.end(), t.begin(), t.end()) &&
               std::equal(source.begin(), source.end(), p.code, p.code + p.length);
    }
};

/// Of a C++ number its kind: its type is not known any more.
std::string text_of(const argument& x) {
    if (!x.weak) return std::string(name_of(x.type));
    switch (kind_of(x.type)) {
        case dtype_kind::boolean: return "a bool";
        case dtype_kind::floating: return "a floating number";
        case dtype_kind::complex: return "a complex number";
        default: return "an integer";
    }
}

[[noreturn]] void refuse(conversion rule, const argument& from, dtype to, const statement& s) {
    const std::array types{from.type, to};
    const std::string text = rule == conversion::written ? " is not written into " : " does not convert to ";
    throw_dtype_error(s.who                         ? s.who
                      : rule == conversion::written ? "assign"
                                                    : "array",
                      text_of(from) + text + std::string(name_of(to)) + " without a cast",
                      std::span(types).subspan(from.weak ? 1 : 0), s.where);
}

/// Walks a dynamic program with a stack of dtypes.
class resolver {
public:
    resolver(const statement& s, made_program& to) : s_(s), to_(to) {}

    void run() {
        const program& p = *s_.code;
        for (std::uint16_t k = 0; k < p.length; ++k) step(p.code[k]);
        to_.code = &program_of(steps_);
    }

private:
    static constexpr std::uint16_t not_weak = 0xffff;
    struct operand {
        argument is;
        std::uint16_t scalar = not_weak;  ///< of a weak one: its parameter, of a complex one the first of two
        std::uint16_t at = 0;             ///< and its instruction, of a complex one the first of three
        bool is_index = false;            ///< of the gather that follows
    };

    void emit(op code, dtype type) { steps_.push_back({code, type}); }
    void push(dtype type) { stack_.push_back({{false, type}}); }

    void step(instruction i) {
        switch (i.code) {
            case op::leaf: {
                const node_head& n = *s_.leaves[leaf_++];
                emit(op::leaf, n.meant);
                leaf_is_part_ = is_part(n);
                return push(n.meant);
            }
            case op::scalar: return scalar(i, false);
            case op::weak: return scalar(i, true);
            case op::cast: return convert(i.type, conversion::cast);
            case op::bit_cast: return bits(i.type);
            case op::convert: {
                const std::uint64_t asked = s_.scalars[scalar_++].low;
                const auto to = static_cast<dtype>(asked & 0xff);
                const auto rule = static_cast<conversion>(asked >> 8);
                return rule == conversion::bits ? bits(to) : convert(to, rule);
            }
            case op::coord: emit(i.code, i.type); return push(i.type);
            case op::axes: return emit(i.code, i.type);  // its dtype is the reduction's, which follows
            case op::view: return emit(i.code, stack_.back().is.type);
            case op::update: stack_.pop_back(); return emit(i.code, stack_.back().is.type);
            case op::index: stack_.back().is_index = true; return emit(i.code, i.type);
            case op::gather:
                while (stack_.back().is_index) stack_.pop_back();
                return emit(i.code, stack_.back().is.type);
            default: break;
        }
        if (is_scatter(i.code)) {
            stack_.pop_back();
            while (stack_.back().is_index) stack_.pop_back();
            return emit(i.code, stack_.back().is.type);
        }
        if (is_reduction(i.code)) {
            stack_.back().is.type = reduction_dtype(i.code, stack_.back().is.type);
            if (!steps_.empty() && steps_.back().code == op::axes) steps_.back().type = stack_.back().is.type;
            return emit(i.code, stack_.back().is.type);
        }
        called(i.code);
    }

    void scalar(instruction i, bool weak) {
        const auto number = static_cast<std::uint16_t>(to_.scalars.size());
        to_.scalars.push_back({scalar_++, i.type, i.type, op::scalar, weak});
        stack_.push_back({{weak, i.type}, weak ? number : not_weak, static_cast<std::uint16_t>(steps_.size())});
        emit(op::scalar, i.type);
    }

    /// A weak scalar gets the dtype of what it stands beside.
    void settle(operand& x, dtype type, op user) {
        if (x.scalar == not_weak) return;
        const int parts = is_complex(x.is.type) ? 2 : 1;
        type = parts == 2 ? complex_dtype(type) : real_dtype(type);  // a real one stays real beside complex numbers
        for (int k = 0; k < parts; ++k) {
            made_program::parameter& p = to_.scalars[x.scalar + static_cast<std::size_t>(k)];
            p.type = real_dtype(type);
            p.user = user;
            steps_[x.at + static_cast<std::size_t>(k)].type = real_dtype(type);
        }
        if (parts == 2) steps_[x.at + 2U].type = type;
        x = {{false, type}};
    }

    void check_dtype(std::string_view name, dtype to) const {
        if (!is_supported(to))
            throw dtype_error(std::string(name) + ": arrays have no dtype of the number " +
                              std::to_string(static_cast<int>(to)) + place(s_.where));
    }

    void convert(dtype to, conversion rule) {
        check_dtype("cast", to);
        operand& x = stack_.back();
        const dtype from = x.is.type;
        if (rule == conversion::written && !may_write(x.is, to)) refuse(rule, x.is, to, s_);
        if (rule == conversion::lossless && promote(from, to) != to) refuse(rule, x.is, to, s_);
        // A formula of a 16-bit dtype is float32 until a cast rounds it; an array is rounded.
        const bool is_array = !steps_.empty() && steps_.back().code == op::leaf && !leaf_is_part_;
        const bool rounds = rule == conversion::cast && is_short(to) && !x.is.weak && !is_array;
        settle(x, to, op::update);
        if (x.is.type == to && !rounds) return;
        x.is.type = to;
        emit(op::cast, to);
    }

    void bits(dtype to) {
        check_dtype("bit_cast", to);
        const dtype from = stack_.back().is.type;
        if (!shares_bits(from, to))
            throw_dtype_error("bit_cast", "is between numbers of one size, not complex and not bool", std::array{from, to},
                              s_.where);
        if (from == to) return convert(to, conversion::cast);
        stack_.back().is.type = to;
        emit(op::bit_cast, to);
    }

    /// A C++ complex number.
    bool is_number(op code, std::span<const operand> in) const {
        return code == op::complex && in[0].scalar != not_weak && in[1].scalar != not_weak;
    }

    /// An elementwise op or a library's.
    void called(op code) {
        const std::size_t arity = arity_of(code);
        const std::span<operand> in(&stack_[stack_.size() - arity], arity);
        if (is_number(code, in)) {
            emit(code, dtype::c128);
            stack_.pop_back();
            stack_.back().is = {true, dtype::c128};
            return;
        }
        const bool select = is_elementwise(code) && info(code).result == op_result::SELECT;
        std::array<argument, 3> arguments{};
        std::size_t count = 0;
        const std::span<operand> alike = is_library(code) ? in.first(library(code).promoted) : in.subspan(select ? 1 : 0);
        for (const operand& x : alike) arguments[count++] = x.is;
        const dtype common = common_dtype(std::span<const argument>(arguments.data(), count));
        dtype result = common, operands = common;
        if (is_library(code)) {
            result = library_dtypes_of(code, common).result;
        } else {
            const op_dtypes rule = resolve(code, common);
            if (!rule.valid) refuse_operands(code, {arguments.data(), count}, s_.who, s_.where);
            operands = rule.operand;
            result = rule.result;
        }
        for (operand& x : in) settle(x, operands, code);
        stack_.resize(stack_.size() - arity);
        emit(code, result);
        push(result);
    }

    const statement& s_;
    made_program& to_;
    std::vector<instruction> steps_;
    std::vector<operand> stack_;
    std::uint16_t leaf_ = 0, scalar_ = 0;
    bool leaf_is_part_ = false;  ///< of the last leaf
};

constinit grow_only_set<made_program, 1024> known;

/// The program of a formula and these dtypes.
const made_program& find_or_make(const statement& s, const deciding& d) {
    std::uint64_t hash = s.code->hash;
    for (const std::uint8_t t : d.all()) hash = (hash ^ t) * 0x100000001b3;
    return known.find_or_add(
        hash, [&](const made_program& m) { return m.made_of(*s.code, d.all()); },
        [&] {
            auto fresh = std::make_unique<made_program>();
            fresh->source.assign(s.code->code, s.code->code + s.code->length);
            fresh->types.assign(d.all().begin(), d.all().end());
            resolver(s, *fresh).run();
            return fresh;
        });
}

/// A C++ number as a dtype, as the headers convert it.
template <class N>
scalar_bits bits_of(N value, const made_program::parameter& p) {
    switch (p.type) {
#define FRIT_X(name, type) \
    case dtype::name: return scalar_to_bits<dtype::name>(value, p.user);
        FRIT_COMPUTE_DTYPES(FRIT_X)
        FRIT_SHORT_FLOATS(FRIT_X)
#undef FRIT_X
        default: throw_dtype_error("convert", "no array has this dtype", {&p.type, 1}, unknown_line);
    }
}
scalar_bits converted(scalar_bits bits, const made_program::parameter& p) {
    switch (p.raw) {
        case dtype::bool_: return bits_of(bits.low != 0, p);
        case dtype::i64: return bits_of(static_cast<std::int64_t>(bits.low), p);
        case dtype::u64: return bits_of(bits.low, p);
        default: return bits_of(std::bit_cast<double>(bits.low), p);
    }
}

}  // namespace

void refuse_operands(op code, std::span<const argument> operands, const char* who, source_line where) {
    std::string list;
    for (const argument& x : operands) list += (list.empty() ? "" : ", ") + text_of(x);
    throw_dtype_error(who ? who : shown_name(code), "does not take these dtypes; " + list, {}, where);
}

resolved::resolved(const statement& s) : s_(s) {
    const program& p = *s.code;
    deciding d;
    for (std::uint16_t k = 0; k < p.leaves; ++k) {
        if (!s.leaves[k]) throw_empty(s.who ? s.who : shown_name(p.code[p.length - 1].code), run_time, s.where);
        d.add(*s.leaves[k]);
    }
    std::uint16_t scalar = 0;
    for (std::uint16_t k = 0; k < p.length; ++k) {
        if (p.code[k].code == op::convert) d.add_conversion(s.scalars[scalar].low);
        scalar += p.code[k].code == op::convert || p.code[k].code == op::scalar || p.code[k].code == op::weak;
    }
    const auto* made = static_cast<const made_program*>(s.slot->load(std::memory_order_acquire));
    if (!made || !made->made_of(p, d.all())) {
        made = &find_or_make(s, d);
        s.slot->store(made, std::memory_order_release);
    }
    for (std::size_t k = 0; k < made->scalars.size(); ++k) {
        const made_program::parameter& x = made->scalars[k];
        scalars_[k] = x.weak ? converted(s.scalars[x.from], x) : s.scalars[x.from];
        // Who is asked for here names itself; of others recording finds it, and names the operator.
        if (s.who && scalars_[k].high != 0 && is_integer(x.type)) throw_scalar_range(scalars_[k], x.type, s.where, s.who);
    }
    s_.code = &made->code->code;
    s_.slot = &made->code->slot;
    s_.scalars = scalars_.data();
}

}  // namespace frit::v0::detail
