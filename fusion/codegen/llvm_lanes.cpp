// LLVM's text, one instruction at a time: see llvm_lanes.hpp.
#include "fusion/codegen/llvm_lanes.hpp"

#include <cstdio>
#include <stdexcept>

#include "fusion/codegen/host_c.hpp"

namespace frit::inline v0::fusion::llvm {

std::string_view name_of(element e) {
    constexpr std::string_view names[] = {"i8", "i16", "i32", "i64", "float", "double"};
    return names[static_cast<int>(e)];
}
element element_of(dtype t) {
    if (is_complex(t)) t = real_dtype(t);
    if (is_short(t)) return element::i16;
    if (frit::is_float(t)) return t == dtype::f32 ? element::f32 : element::f64;
    switch (size_of(t)) {
        case 1: return element::i8;
        case 2: return element::i16;
        case 4: return element::i32;
        default: return element::i64;
    }
}
std::string name_of(const table_function& f) {
    return host_math_variable(f.function, f.of == element::f64 ? dtype::f64 : dtype::f32);
}

namespace {

// Floats are written by their bits; a float's are those of the double of equal value.
std::string literal(element e, std::uint64_t bits) {
    char text[32];
    if (e == element::f64) {
        std::snprintf(text, sizeof text, "0x%016llX", static_cast<unsigned long long>(bits));
        return text;
    }
    if (e == element::f32) {
        const auto b = static_cast<std::uint32_t>(bits);
        if ((b & 0x7f800000U) == 0x7f800000U && (b & 0x7fffffU) != 0) {  // NaN: a conversion would make it quiet
            const std::uint64_t wide =
                (std::uint64_t{b >> 31} << 63) | (std::uint64_t{0x7ff} << 52) | (std::uint64_t{b & 0x7fffffU} << 29);
            return literal(element::f64, wide);
        }
        float narrow = 0;
        static_assert(sizeof narrow == sizeof b);
        __builtin_memcpy(&narrow, &b, sizeof b);
        const double value = narrow;
        std::uint64_t wide = 0;
        __builtin_memcpy(&wide, &value, sizeof wide);
        return literal(element::f64, wide);
    }
    const int width = 8 * bytes_of(e);
    const auto number = static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
    return std::to_string(number);
}

}  // namespace

std::string lane_writer::vector(element e, int lanes) const {
    return "<" + std::to_string(lanes) + " x " + std::string(name_of(e)) + ">";
}
std::string lane_writer::type(id a) const { return entries_[a].truth ? truths_type() : vector(entries_[a].of, lanes_); }

std::string lane_writer::splat_of(const std::string& scalar, const std::string& constant, const std::string& key) {
    auto [at, fresh_one] = constants_.try_emplace(key);
    if (fresh_one) {
        at->second = "%c" + std::to_string(constants_.size());
        entry_ += "  " + at->second + " = shufflevector <1 x " + scalar + "> <" + scalar + " " + constant + ">, <1 x " +
                  scalar + "> undef, <" + std::to_string(lanes_) + " x i32> zeroinitializer\n";
    }
    return at->second;
}
id lane_writer::constant(element e, std::uint64_t bits) {
    const std::string scalar(name_of(e)), value = literal(e, bits);
    return add(splat_of(scalar, value, scalar + value), e);
}
id lane_writer::truth_constant(bool x) {
    return add(splat_of("i1", x ? "true" : "false", x ? "true" : "false"), element::i8, true);
}
id lane_writer::named(std::string name, element e, bool truth) { return add(std::move(name), e, truth); }

std::string lane_writer::value(id a) {
    const entry e = entries_[a];
    if (!e.truth) return e.name;
    return result("sext " + truths_type() + " " + e.name + " to " + vector(e.of, lanes_));
}
std::string lane_writer::truth(id a) {
    const entry e = entries_[a];
    if (e.truth) return e.name;
    return result("trunc " + type(a) + " " + e.name + " to " + truths_type());
}

id lane_writer::binary(std::string_view instruction, id a, id b) {
    const bool truths =
        entries_[a].truth && entries_[b].truth && (instruction == "and" || instruction == "or" || instruction == "xor");
    const element e = entries_[a].of;
    const std::string x = truths ? truth(a) : value(a), y = truths ? truth(b) : value(b);
    const std::string t = truths ? truths_type() : vector(e, lanes_);
    return add(result(std::string(instruction) + " " + t + " " + x + ", " + y), e, truths);
}
id lane_writer::negated(id a) {
    const element e = entries_[a].of;
    return add(result("fneg " + type(a) + " " + value(a)), e);
}
id lane_writer::compare(std::string_view predicate, id a, id b) {
    const element e = entries_[a].of;
    constexpr element wide[] = {element::i8, element::i16, element::i32, element::i64, element::i32, element::i64};
    const std::string x = value(a), y = value(b);
    return add(result(std::string(predicate) + " " + vector(e, lanes_) + " " + x + ", " + y), wide[static_cast<int>(e)],
               true);
}
id lane_writer::select(id mask, id a, id b) {
    const std::string m = truth(mask);
    const bool truths = entries_[a].truth && entries_[b].truth;
    const element e = entries_[a].of;
    const std::string x = truths ? truth(a) : value(a), y = truths ? truth(b) : value(b);
    const std::string t = truths ? truths_type() : vector(e, lanes_);
    return add(result("select " + truths_type() + " " + m + ", " + t + " " + x + ", " + t + " " + y), e, truths);
}
id lane_writer::converted(std::string_view instruction, id a, element to) {
    const element from = entries_[a].of;
    const std::string x = value(a);
    return add(result(std::string(instruction) + " " + vector(from, lanes_) + " " + x + " to " + vector(to, lanes_)), to);
}
id lane_writer::as_mask(id mask, element wide) {
    const entry e = entries_[mask];
    if (e.truth) return add(e.name, wide, true);
    if (e.of == wide) return mask;
    return converted(bytes_of(e.of) < bytes_of(wide) ? "sext" : "trunc", mask, wide);
}
id lane_writer::bitcast(id a, element to) {
    const element from = entries_[a].of;
    const std::string x = value(a);
    if (from == to) return add(x, to);
    return add(result("bitcast " + vector(from, lanes_) + " " + x + " to " + vector(to, lanes_)), to);
}
std::string lane_writer::call(const std::string& returns, const std::string& symbol, const std::vector<operand>& in) {
    std::string types, list;
    for (const operand& o : in) {
        const char* const comma = list.empty() ? "" : ", ";
        types += comma + o.type;
        list += comma + o.type + " " + o.value;
    }
    declared_.insert("declare " + returns + " " + symbol + "(" + types + ")");
    return "call " + returns + " " + symbol + "(" + list + ")";
}
id lane_writer::intrinsic(const std::string& name, std::initializer_list<id> operands) {
    const element e = entries_[*operands.begin()].of;
    const std::string t = vector(e, lanes_),
                      symbol = "@llvm." + name + ".v" + std::to_string(lanes_) + (e == element::f64 ? "f64" : "f32");
    std::vector<operand> in;
    for (const id a : operands) in.push_back({t, value(a)});
    return add(result(call(t, symbol, in)), e);
}
id lane_writer::halves_as_floats(id a) {
    const std::string lanes = "<" + std::to_string(lanes_) + " x ";
    const std::string half = result("bitcast " + lanes + "i16> " + value(a) + " to " + lanes + "half>");
    return add(result("fpext " + lanes + "half> " + half + " to " + lanes + "float>"), element::f32);
}
id lane_writer::floats_as_halves(id a) {
    const std::string lanes = "<" + std::to_string(lanes_) + " x ";
    const std::string half = result("fptrunc " + lanes + "float> " + value(a) + " to " + lanes + "half>");
    return add(result("bitcast " + lanes + "half> " + half + " to " + lanes + "i16>"), element::i16);
}
id lane_writer::shuffled(id a, id b, const std::vector<int>& from) {
    const element e = entries_[a].of;
    const std::string t = vector(e, lanes_), x = value(a), y = value(b);
    std::string list;
    for (const int k : from) list += (list.empty() ? "i32 " : ", i32 ") + std::to_string(k);
    return add(result("shufflevector " + t + " " + x + ", " + t + " " + y + ", <" + std::to_string(from.size()) +
                      " x i32> <" + list + ">"),
               e);
}

// On whole registers: lanes that are missing are 1, which no function finds hard.
std::string lane_writer::on_registers(std::initializer_list<id> operands, const std::string& function,
                                      const std::string& more) {
    const element e = entries_[*operands.begin()].of;
    const int whole = vector_bytes_ / bytes_of(e);
    const std::string full = vector(e, whole), part = vector(e, lanes_);
    const auto list_of = [](int count, int limit) {
        std::string list;
        for (int k = 0; k < count; ++k) list += (k ? ", i32 " : "i32 ") + std::to_string(k < limit ? k : limit);
        return "<" + std::to_string(count) + " x i32> <" + list + ">";
    };
    std::string list;
    const std::string one = e == element::f64 ? literal(e, 0x3ff0000000000000U) : literal(e, 0x3f800000U);
    for (const id a : operands) {
        std::string x = value(a);
        if (whole > lanes_) {
            const std::string ones = splat_of(std::string(name_of(e)), one, std::string(name_of(e)) + one);
            x = result("shufflevector " + part + " " + x + ", " + part + " " + ones + ", " + list_of(whole, lanes_));
        }
        list += (list.empty() ? "" : ", ") + full + " " + x;
    }
    std::string r = result("call " + full + " " + function + "(" + list + more + ")");
    if (whole > lanes_) r = result("shufflevector " + full + " " + r + ", " + full + " undef, " + list_of(lanes_, whole));
    return r;
}
id lane_writer::table_call(op function, std::initializer_list<id> operands) {
    const table_function f{function, entries_[*operands.begin()].of};
    tables_.insert(f);
    const std::string pointer = result("load ptr, ptr @" + name_of(f));
    return add(on_registers(operands, pointer, ""), f.of);
}
id lane_writer::scalef(id a, id n) {
    const element e = entries_[a].of;
    const bool wide = e == element::f64;
    const std::string t = vector(e, vector_bytes_ / bytes_of(e)), mask = wide ? "i8" : "i16";
    const std::string symbol = std::string("@llvm.x86.avx512.mask.scalef.") + (wide ? "pd" : "ps") + ".512";
    declared_.insert("declare " + t + " " + symbol + "(" + t + ", " + t + ", " + t + ", " + mask + ", i32)");
    // Every lane, rounded as all else is.
    return add(on_registers({a, n}, symbol, ", " + t + " zeroinitializer, " + mask + " -1, i32 4"), e);
}

}  // namespace frit::v0::fusion::llvm
