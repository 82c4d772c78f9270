// The loop IR's codes, one by one: see llvm_expressions.hpp.
#include "fusion/codegen/llvm_expressions.hpp"

#include <stdexcept>

namespace frit::inline v0::fusion::llvm {

using loops::code;
using loops::expression;
using loops::kind;

namespace {

// Of two scalars; null: another code.
const char* instruction_of(code c) {
    switch (c) {
        case code::add: return "add";
        case code::sub: return "sub";
        case code::mul: return "mul";
        case code::div: return "sdiv";
        case code::rem: return "srem";
        case code::lt: return "icmp slt";
        case code::le: return "icmp sle";
        case code::eq: return "icmp eq";
        case code::ne: return "icmp ne";
        case code::both: return "and";
        case code::either: return "or";
        default: return nullptr;
    }
}

}  // namespace

std::string expression_writer::type_name(const loops::type& t) {
    switch (t.what) {
        case kind::index: return "i64";
        case kind::truth: return "i1";
        case kind::address: return "ptr";
        case kind::number: return element_type(t.of);
        case kind::lanes:
        case kind::accumulator: break;
    }
    throw std::logic_error("llvm: lanes have no type of their own, and CPUs no accumulators");
}
std::string expression_writer::slot_type(const loops::type& t) const {
    if (t.what != kind::lanes) return type_name(t);
    return is_complex(t.of) ? vector(element_of(t.of), 2 * lanes()) : lanes_type(t.of);
}

std::optional<std::int64_t> expression_writer::constant_of(loops::expression_id id) const {
    const expression& e = at(id);
    if (e.is.what != kind::index) return std::nullopt;
    if (e.what == code::constant) return e.n;
    if (e.what == code::variable) return variable_at(e.n).known;
    if (e.what != code::add && e.what != code::sub && e.what != code::mul) return std::nullopt;
    const auto a = constant_of(e.in[0]);
    const auto b = a ? constant_of(e.in[1]) : std::nullopt;
    if (!b) return std::nullopt;
    return e.what == code::add ? *a + *b : e.what == code::sub ? *a - *b : *a * *b;
}

std::string expression_writer::scalar(loops::expression_id id) {
    if (const auto known = constant_of(id)) return n(*known);
    const expression& e = at(id);
    if (const char* const instruction = instruction_of(e.what)) {
        const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
        return result(std::string(instruction) + " " + type_name(at(e.in[0]).is) + " " + a + ", " + b);
    }
    switch (e.what) {
        case code::constant: return constant(e);
        case code::word: return word(e);
        case code::variable: return variable(e);
        case code::element: return result("load " + type_name(type_of(e.n)) + ", ptr " + place(e.n, e.in[0]));
        case code::place: return place(e.n, e.in[0]);
        case code::popcount: return result(call("i64", "@llvm.ctpop.i64", {{"i64", scalar(e.in[0])}}));
        case code::least: return one_of("slt", e);
        case code::most: return one_of("sgt", e);
        case code::negated: return result("xor i1 " + scalar(e.in[0]) + ", true");
        case code::choice: return choice(e);
        case code::some: {
            const std::string bits = "i" + count();
            return result("icmp ne " + bits + " " +
                          result("bitcast " + truths_type() + " " + truth(lanes_of(e.in[0]).first) + " to " + bits) + ", 0");
        }
        case code::interrupted: {
            const std::string words = scalar(e.in[0]);
            const std::string state =
                result("load atomic i64, ptr " + result("load ptr, ptr " + words) + " monotonic, align 8");
            const std::string before = result("load i64, ptr " + forward(words, dtype::u64, "1"));
            return result("icmp ne i64 " + result("lshr i64 " + state + ", 32") + ", " + before);
        }
        case code::forward: {
            const std::string from = scalar(e.in[0]), by = scalar(e.in[1]);
            return forward(from, e.is.of, by);
        }
        case code::bytes: return result("ptrtoint ptr " + scalar(e.in[0]) + " to i64");
        case code::pinned: return scalar(e.in[0]);
        case code::read: return result("load " + element_type(e.is.of) + ", ptr " + scalar(e.in[0]) + aligned(e.is.of));
        case code::cast: return number_of_index(scalar(e.in[0]), e.is.of);
        default: throw std::logic_error("llvm: no such scalar");  // a GPU's
    }
}

/// Lanes from an address.
lanes_value expression_writer::lanes_read(const expression& e) {
    const auto in = [&](std::size_t k) { return scalar(e.in[k]); };
    const std::string from = in(0);
    const dtype t = e.is.of;
    switch (e.what) {
        case code::load_part: return load_part(from, in(1), t);
        case code::gather: return gather(from, in(1), t);
        case code::look_up: {
            const lanes_value places = lanes_of(e.in[1]);
            return gather_at(from, places, e.in.size() > 2 ? in(2) : n(lanes()), t);
        }
        case code::search: {
            const lanes_value values = lanes_of(e.in[1]), elements = lanes_of(e.in[2]);
            return search(e.n != 0, from, values, elements, e.from);
        }
        default: return load(from, t);
    }
}

lanes_value expression_writer::lanes_of(loops::expression_id id) {
    const expression& e = at(id);
    const auto in = [&](std::size_t k) { return scalar(e.in[k]); };
    const dtype t = e.is.of;
    switch (e.what) {
        case code::constant: return lanes_constant(e);
        case code::variable: {
            const variable_name& v = variable_at(e.n);
            return v.memory ? load(v.scalar, t) : v.lanes;
        }
        case code::element: return load(place(e.n, e.in[0]), type_of(e.n).of);
        case code::choice: return lanes_choice(e);
        case code::pinned: return lanes_of(e.in[0]);
        case code::load:
        case code::load_part:
        case code::gather:
        case code::look_up:
        case code::search: return lanes_read(e);
        case code::checked: {
            const lanes_value places = lanes_of(e.in[0]), extents = lanes_of(e.in[1]);
            const std::string fault = in(2);
            return checked(places, extents, fault, e.in.size() > 3 ? in(3) : n(lanes()));
        }
        case code::collect: return collect(row_part_of(e.in, 0), e.n, t);
        case code::splat: return splat(in(0), t);
        case code::along: {
            const std::string start = in(0), step = in(1);
            if (e.in.size() == 2) return along(start, step, t);
            const std::string low = in(2), high = in(3);
            return along(start, step, low, high, t);
        }
        case code::compute: {
            std::vector<lanes_value> operands;
            for (const auto a : e.in) operands.push_back(lanes_of(a));
            return computed(*this, e.op, e.from, operands);
        }
        case code::cast: return cast(*this, lanes_of(e.in[0]), e.from, t);
        case code::bit_cast: return {bitcast(lanes_of(e.in[0]).first, element_of(t))};
        case code::rotated:
            return reordered(lanes_of(e.in[0]), [&](int k) { return (k + static_cast<int>(e.n)) % lanes(); });
        case code::kept: {
            const lanes_value fresh = lanes_of(e.in[0]), old = lanes_of(e.in[1]);
            return kept(fresh, old, in(2));
        }
        case code::everywhere: return reordered(lanes_of(e.in[0]), [](int) { return 0; });
        default: throw std::logic_error("llvm: no such lanes");
    }
}

move_writer::row_part expression_writer::row_part_of(const std::vector<loops::expression_id>& in, std::size_t first) {
    row_part p;
    for (std::string* const part : {&p.row, &p.stride, &p.index, &p.elements}) *part = scalar(in[first++]);
    return p;
}

std::string expression_writer::constant(const expression& e) {
    if (e.is.what == kind::truth) return e.n ? "true" : "false";
    if (is_complex(e.is.of)) {
        const std::string t(llvm::name_of(element_of(e.is.of)));
        return "{ " + t + " " + n(e.n) + ".0, " + t + " 0.0 }";
    }
    return is_float(element_of(e.is.of)) ? n(e.n) + ".0" : n(e.n);
}
lanes_value expression_writer::lanes_constant(const expression& e) {
    if (e.is.of == dtype::bool_) return {truth_constant(e.n & 1)};
    return {lane_writer::constant(element_of(e.is.of), static_cast<std::uint64_t>(e.n))};
}
std::string expression_writer::word(const expression& e) {
    const std::string t = type_name(e.is);
    return result("load " + t + ", ptr " + word_at(e.n));
}
std::string expression_writer::variable(const expression& e) {
    const variable_name& v = variable_at(e.n);
    return v.memory ? result("load " + type_name(type_of(e.n)) + ", ptr " + v.scalar) : v.scalar;
}
std::string expression_writer::one_of(const char* predicate, const expression& e) {
    const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
    return result("select i1 " + result(std::string("icmp ") + predicate + " i64 " + a + ", " + b) + ", i64 " + a +
                  ", i64 " + b);
}

// --- choices: only what is taken is evaluated ---

std::string expression_writer::phi(const std::string& type, const std::string& a, const std::string& b, const ends& of) {
    return result("phi " + type + " [ " + a + ", %" + of.one + " ], [ " + b + ", %" + of.other + " ]");
}
std::string expression_writer::choice(const expression& e) {
    std::string a, b;
    const ends at = either(
        scalar(e.in[0]), [&] { a = scalar(e.in[1]); }, [&] { b = scalar(e.in[2]); });
    return phi(type_name(e.is), a, b, at);
}
lanes_value expression_writer::lanes_choice(const expression& e) {
    const bool truths = e.is.of == dtype::bool_, pairs = is_complex(e.is.of);
    const element of = element_of(e.is.of);
    std::string first[2], second[2];
    const auto way = [&](std::size_t k) {
        return [&, k] {
            const lanes_value v = lanes_of(e.in[1 + k]);
            first[k] = truths ? truth(v.first) : value(v.first);
            if (pairs) second[k] = value(v.second);
        };
    };
    const ends at = either(scalar(e.in[0]), way(0), way(1));
    const std::string t = truths ? truths_type() : lanes_type(e.is.of);
    lanes_value r{named(phi(t, first[0], first[1], at), of, truths)};
    if (pairs) r.second = named(phi(t, second[0], second[1], at), of);
    return r;
}

}  // namespace frit::v0::fusion::llvm
