// The instructions that move values: see llvm_moves.hpp.
#include "fusion/codegen/llvm_moves.hpp"

namespace frit::inline v0::fusion::llvm {

std::string move_writer::element_type(dtype t) {
    const std::string part(llvm::name_of(element_of(t)));
    return is_complex(t) ? "{ " + part + ", " + part + " }" : part;
}

// --- neighbours in memory ---

lanes_value move_writer::loaded(const std::string& name, dtype t) {
    if (t != dtype::bool_) return {named(name, element_of(t))};
    return {named(result("icmp ne " + lanes_type(t) + " " + name + ", zeroinitializer"), element::i8, true)};
}
lanes_value move_writer::load(const std::string& from, dtype t) {
    const std::string v = lanes_type(t);
    lanes_value r = loaded(result("load " + v + ", ptr " + from + aligned(t)), t);
    if (is_complex(t)) r.second = named(result("load " + v + ", ptr " + second_half(from, t) + aligned(t)), element_of(t));
    return r;
}
// Truths as bytes.
std::string move_writer::stored(id lanes, dtype t) {
    if (t != dtype::bool_) return value(lanes);
    return result("zext " + truths_type() + " " + truth(lanes) + " to " + lanes_type(t));
}
void move_writer::store(const std::string& to, const lanes_value& v, dtype t) {
    line("store " + lanes_type(t) + " " + stored(v.first, t) + ", ptr " + to + aligned(t));
    if (is_complex(t)) line("store " + lanes_type(t) + " " + value(v.second) + ", ptr " + second_half(to, t) + aligned(t));
}
void move_writer::copy(const std::string& to, const std::string& from, const std::string& elements, dtype t) {
    const std::string bytes = result("mul i64 " + elements + ", " + n(size(t)));
    line(call("void", "@llvm.memcpy.p0.p0.i64", {{"ptr", to}, {"ptr", from}, {"i64", bytes}, {"i1", "false"}}));
}
// Whether the machine has instructions that touch some lanes alone.
bool move_writer::has_part_moves(dtype t) const {
    if (is_complex(t) || vector_bytes_ < 32) return false;
    return vector_bytes_ == 64 || size(t) >= 4;
}
// Compared as numbers of the moved lanes' width, so that no mask is narrowed: counts are at most `lanes()`.
std::string move_writer::first_lanes(const std::string& elements, element of) {
    const element e = bytes_of(of) == 8 ? element::i64 : element::i32;
    const std::string t(llvm::name_of(e)), v = vector(e, lanes());
    const std::string all = whole_of(v, t, e == element::i64 ? elements : result("trunc i64 " + elements + " to i32"));
    std::string iota;
    for (int k = 0; k < lanes(); ++k) iota += (k ? ", " : "") + t + " " + n(k);
    return result("icmp slt " + v + " <" + iota + ">, " + all);
}
std::string move_writer::ones(dtype t) {
    const element e = element_of(t);
    if (e == element::f64) return value(constant(e, 0x3ff0000000000000U));
    return value(constant(e, e == element::f32 ? 0x3f800000U : 1U));
}
std::string move_writer::masked(const char* move, dtype t) const {
    const element e = element_of(t);
    return std::string("@llvm.masked.") + move + ".v" + count() + (is_float(e) ? "f" : "i") + n(8 * bytes_of(e)) + ".p0";
}
lanes_value move_writer::load_part(const std::string& from, const std::string& elements, dtype t) {
    if (!has_part_moves(t)) {
        const std::string at = scratch(t);
        line("store " + lanes_type(t) + " " + ones(t) + ", ptr " + at);
        if (is_complex(t)) line("store " + lanes_type(t) + " " + ones(t) + ", ptr " + second_half(at, t));
        copy(at, from, elements, t);
        return load(at, t);
    }
    const std::string v = lanes_type(t), which = first_lanes(elements, element_of(t));
    return loaded(
        result(call(v, masked("load", t), {{"ptr", from}, {"i32", n(size(t))}, {truths_type(), which}, {v, ones(t)}})), t);
}
void move_writer::store_part(const std::string& to, const lanes_value& v, const std::string& elements, dtype t) {
    either(
        result("icmp sge i64 " + elements + ", " + count()), [&] { store(to, v, t); },
        [&] { store_some(to, v, elements, t); });
}
void move_writer::store_some(const std::string& to, const lanes_value& lanes, const std::string& elements, dtype t) {
    if (!has_part_moves(t)) {
        const std::string at = scratch(t);
        store(at, lanes, t);
        return copy(to, at, elements, t);
    }
    const std::string x = stored(lanes.first, t), which = first_lanes(elements, element_of(t));
    line(call("void", masked("store", t), {{lanes_type(t), x}, {"ptr", to}, {"i32", n(size(t))}, {truths_type(), which}}));
}
void move_writer::store_first(const std::string& to, const lanes_value& v, dtype t) {
    const std::string e(llvm::name_of(element_of(t)));
    const auto part = [&](int k, const std::string& where) {
        line("store " + e + " " + result("extractelement " + lanes_type(t) + " " + stored(v.first, t) + ", i32 " + n(k)) +
             ", ptr " + where + aligned(t));
    };
    part(0, to);
    if (is_complex(t)) part(1, result("getelementptr " + e + ", ptr " + to + ", i64 1"));
}
void move_writer::stream(const std::string& to, const lanes_value& v, const std::string& far, dtype t) {
    const std::string first = stored(v.first, t), other = is_complex(t) ? value(v.second) : "";
    const auto all = [&](const std::string& how) {
        line("store " + lanes_type(t) + " " + first + ", ptr " + to + how);
        if (is_complex(t)) line("store " + lanes_type(t) + " " + other + ", ptr " + second_half(to, t) + how);
    };
    streams_ = true;
    either(
        far, [&] { all(", align " + n(lanes() * bytes_of(element_of(t))) + ", !nontemporal !0"); },
        [&] { all(aligned(t)); });
}

// --- others ---

move_writer::ends move_writer::either(const std::string& condition, const std::function<void()>& one,
                                      const std::function<void()>& other) {
    const std::string yes = label(), no = label(), end = label();
    ends at;
    branch(condition, yes, no);
    start_block(yes);
    one();
    at.one = here();
    go(end);
    start_block(no);
    other();
    at.other = here();
    go(end);
    start_block(end);
    return at;
}
// Neighbours are one access, as in the prelude.
std::string move_writer::are_neighbours(const std::string& stride) { return result("icmp eq i64 " + stride + ", 1"); }
lanes_value move_writer::gather(const std::string& from, const std::string& stride, dtype t) {
    const std::string at = scratch(t), e = element_type(t);
    either(
        are_neighbours(stride), [&] { store(at, load(from, t), t); },
        [&] {
            for (int k = 0; k < lanes(); ++k) {
                const std::string x = result("load " + e + ", ptr " +
                                             forward(from, t, result("mul i64 " + stride + ", " + n(k))) + aligned(t));
                line("store " + e + " " + x + ", ptr " + forward(at, t, n(k)) + aligned(t));
            }
        });
    return load(at, t);
}
lanes_value move_writer::gather_at(const std::string& from, const lanes_value& at, const std::string& elements, dtype t) {
    const std::string places = value(at.first), e = element_type(t), v = lanes_type(t);
    const std::string to = is_complex(t) ? scratch(t) : "";
    std::string lanes_read = "undef";
    for (int k = 0; k < lanes(); ++k) {
        std::string place = result("extractelement " + lanes_type(dtype::i64) + " " + places + ", i32 " + n(k));
        if (elements != n(lanes())) {
            const std::string exists = result("icmp slt i64 " + n(k) + ", " + elements);
            place = result("select i1 " + exists + ", i64 " + place + ", i64 0");
        }
        const std::string x = result("load " + e + ", ptr " + forward(from, t, place) + aligned(t));
        if (is_complex(t))
            line("store " + e + " " + x + ", ptr " + forward(to, t, n(k)) + aligned(t));
        else
            lanes_read = result("insertelement " + v + " " + lanes_read + ", " + e + " " + x + ", i32 " + n(k));
    }
    return is_complex(t) ? load(to, t) : loaded(lanes_read, t);
}
// The number of steps is a run-time value, so they are taken out of line.
lanes_value move_writer::search(bool through, const std::string& from, const lanes_value& v, const lanes_value& elements,
                                dtype t) {
    const std::string at = scratch(t), extents = scratch(dtype::i64), to = scratch(dtype::i64);
    store(at, v, t);
    store(extents, elements, dtype::i64);
    const std::string symbol = (through ? "@frit_search_right_" : "@frit_search_left_") + std::string(frit::name_of(t));
    line(call("void", symbol, {{"ptr", from}, {"ptr", at}, {"ptr", extents}, {"ptr", to}, {"i64", count()}}));
    return load(to, dtype::i64);
}
// All lanes are looked at, also those beyond `elements`; a fault is looked into out of line.
lanes_value move_writer::checked(const lanes_value& at, const lanes_value& extents, const std::string& fault,
                                 const std::string& elements) {
    const std::string v = lanes_type(dtype::i64), bits = "i" + count();
    const id zero = lane_writer::constant(element::i64, 0);
    const id places = select(compare("icmp slt", at.first, zero), binary("add", at.first, extents.first), at.first);
    const std::string wrong =
        result("bitcast " + truths_type() + " " + truth(compare("icmp uge", places, extents.first)) + " to " + bits);
    const std::string yes = label(), end = label(), from = here();
    const std::string counted = value(places), given = value(at.first), counts = value(extents.first);
    branch(result("icmp eq " + bits + " " + wrong + ", 0"), end, yes);
    start_block(yes);
    const std::string mended = scratch(dtype::i64), extent = scratch(dtype::i64);
    line("store " + v + " " + given + ", ptr " + mended + aligned(dtype::i64));
    line("store " + v + " " + counts + ", ptr " + extent + aligned(dtype::i64));
    line(call("void", "@frit_checked",
              {{"ptr", mended}, {"ptr", extent}, {"i64", count()}, {"ptr", fault}, {"i64", elements}}));
    const std::string found = result("load " + v + ", ptr " + mended + aligned(dtype::i64));
    go(end);
    start_block(end);
    return {
        named(result("phi " + v + " [ " + counted + ", %" + from + " ], [ " + found + ", %" + yes + " ]"), element::i64)};
}
void move_writer::scatter(const std::string& to, const std::string& stride, const lanes_value& v, dtype t) {
    const std::string at = scratch(t), e = element_type(t);
    either(
        are_neighbours(stride), [&] { store(to, v, t); },
        [&] {
            store(at, v, t);
            for (int k = 0; k < lanes(); ++k) {
                const std::string x = result("load " + e + ", ptr " + forward(at, t, n(k)) + aligned(t));
                line("store " + e + " " + x + ", ptr " + forward(to, t, result("mul i64 " + stride + ", " + n(k))) +
                     aligned(t));
            }
        });
}
void move_writer::fill(const std::string& to, const std::string& width, const row_part& p, std::int64_t clamp, dtype t) {
    std::vector<operand> in{{"ptr", to},       {"i64", width},   {"ptr", p.row},
                            {"i64", p.stride}, {"i64", p.index}, {"i64", p.elements}};
    if (clamp) in.push_back({"ptr", word_at(clamp)});
    line(call("void", (clamp ? "@frit_fill_clamped_" : "@frit_fill_") + std::string(frit::name_of(t)), in));
}
void move_writer::spill(const row_part& p, const std::string& from, dtype t) {
    line(call("void", "@frit_spill_" + std::string(frit::name_of(t)),
              {{"ptr", p.row}, {"i64", p.stride}, {"i64", p.index}, {"i64", p.elements}, {"ptr", from}}));
}
lanes_value move_writer::collect(const row_part& p, std::int64_t clamp, dtype t) {
    const std::string at = scratch(t);
    fill(at, count(), p, clamp, t);
    return load(at, t);
}
void move_writer::spread(const row_part& p, const lanes_value& v, dtype t) {
    const std::string at = scratch(t);
    store(at, v, t);
    spill(p, at, t);
}
// Words are as many elements apart as a word has.
void move_writer::store_words(const std::string& to, const lanes_value& v, const std::string& elements, dtype t) {
    if (elements == "1") return store_first(to, v, t);
    spread({to, n(8 / size(t)), "0", elements}, v, t);
}

// --- lanes of numbers and of other lanes ---

std::string move_writer::whole_of(const std::string& v, const std::string& number_type, const std::string& number) {
    const std::string one = result("insertelement " + v + " undef, " + number_type + " " + number + ", i32 0");
    return result("shufflevector " + v + " " + one + ", " + v + " undef, <" + count() + " x i32> zeroinitializer");
}
lanes_value move_writer::splat(const std::string& number, dtype t) {
    if (is_complex(t)) return splat_complex(number, t);
    return loaded(whole_of(lanes_type(t), element_type(t), number), t);
}
lanes_value move_writer::splat_complex(const std::string& number, dtype t) {
    const std::string e = element_type(t), part(llvm::name_of(element_of(t))), v = lanes_type(t);
    const std::string re = result("extractvalue " + e + " " + number + ", 0"),
                      im = result("extractvalue " + e + " " + number + ", 1");
    const std::string one = result("insertelement " + v + " undef, " + part + " " + re + ", i32 0"),
                      two = result("insertelement " + v + " " + one + ", " + part + " " + im + ", i32 1");
    const id both = reordered({named(two, element_of(t))}, [](int k) { return k % 2; }).first;
    return {both, both};
}
std::string move_writer::number_of_index(const std::string& index, dtype t) {
    const element e = element_of(t);
    if (e == element::i64) return index;
    return result((is_float(e) ? "sitofp i64 " : "trunc i64 ") + index + " to " + std::string(llvm::name_of(e)));
}
lanes_value move_writer::along(const std::string& start, const std::string& step, dtype t) {
    const std::string first = number_of_index(start, t), by = number_of_index(step, t);
    return {steps(first, by, t)};
}
lanes_value move_writer::along(const std::string& start, const std::string& step, const std::string& low,
                               const std::string& high, dtype t) {
    const id i = steps(start, step, dtype::i64), least = splat(low, dtype::i64).first, most = splat(high, dtype::i64).first;
    const id raised = select(compare("icmp sgt", i, least), i, least),
             both = select(compare("icmp slt", raised, most), raised, most);
    const element to = element_of(t);
    if (to == element::i64) return {both};
    return {converted(is_float(to) ? "sitofp" : "trunc", both, to)};
}
id move_writer::steps(const std::string& start, const std::string& step, dtype t) {
    const element e = element_of(t);
    std::string iota;
    for (int k = 0; k < lanes(); ++k)
        iota += (k ? ", " : "") + std::string(llvm::name_of(e)) + " " + n(k) + (is_float(e) ? ".0" : "");
    const std::string v = lanes_type(t), by = value(splat(step, t).first), from = value(splat(start, t).first);
    const std::string product = result((is_float(e) ? "fmul " : "mul ") + v + " " + by + ", <" + iota + ">");
    return named(result((is_float(e) ? "fadd " : "add ") + v + " " + from + ", " + product), e);
}
id move_writer::reordered_by(id a, const std::string& list) {
    const bool truths = is_truth(a);
    const std::string t = type(a), x = truths ? truth(a) : value(a);
    return named(result("shufflevector " + t + " " + x + ", " + t + " undef, <" + count() + " x i32> <" + list + ">"), of(a),
                 truths);
}

}  // namespace frit::v0::fusion::llvm
