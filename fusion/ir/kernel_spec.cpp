// The canonical bytes of a kernel spec, the layout of its run-time words, and its readable form. All three walk the same
// few lists in the same order, which is why they stand together.
#include "fusion/ir/kernel_spec.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {
namespace {

// Appends fields with fixed widths and every list with its length in front, so that no two specs share their bytes.
class key_writer {
public:
    template <class T>
    void number(T value) {
        auto bits = static_cast<std::uint64_t>(value);
        for (std::size_t k = 0; k < sizeof(T); ++k) bytes_.push_back(static_cast<char>(bits >> (8 * k)));
    }
    void length(std::size_t n) { number(static_cast<std::uint32_t>(n)); }
    void add(const access& a) {
        number(a.type);
        number(a.pointer);
        number(a.alignment);
        length(a.dims.size());
        for (const access_dim& d : a.dims) {
            number(static_cast<std::uint8_t>(static_cast<std::uint8_t>(d.stride) | (d.clamped ? 4 : 0)));
            number(d.shift);
        }
        number(a.window);
    }
    void add(const instruction& i) {
        number(i.code);
        number(i.type);
        number(i.a);
        number(i.b);
        number(i.c);
    }
    void add(const store& s) {
        add(s.to);
        number(s.value);
    }
    void add(const tally_spec& t) {
        number(t.type);
        number(t.pointer);
        number(t.place);
        number(t.amount);
        number(t.count);
    }
    void add(const coordinate& c) {
        number(c.dim);
        number(static_cast<std::uint8_t>(c.clamped));
        number(c.like);
        number(static_cast<std::uint8_t>(c.plain));
    }
    void add(const column_sum& c) {
        number(c.type);
        number(c.pointer);
        number(c.value);
    }
    void add(const reduction_spec& r) {
        number(r.code);
        number(r.type);
        number(r.value);
        number(r.second);
        number(r.third);
        number(static_cast<std::uint8_t>(r.fused));
    }
    void add(dtype t) { number(t); }
    void add(std::uint16_t n) { number(n); }
    void add(const loop_spec& l) {
        list(l.inputs);
        list(l.code);
        list(l.next);
        number(l.until);
        list(l.loops);
        list(l.operation);
        list(l.operands);
        number(static_cast<std::uint8_t>(l.interruptible));
    }
    template <class T>
    void list(const std::vector<T>& items) {
        length(items.size());
        for (const T& item : items) add(item);
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

std::string text_of(const access& a) {
    std::string out = std::string(name_of(a.type)) + " p" + std::to_string(a.pointer) + "[";
    for (std::size_t k = 0; k < a.dims.size(); ++k) {
        const access_dim& d = a.dims[k];
        if (k) out += ", ";
        out += d.stride == stride_class::zero ? "0" : d.stride == stride_class::one ? "1" : "s";
        if (d.clamped) out += " clamped";
        if (d.shift) out += (d.shift > 0 ? " +" : " ") + std::to_string(d.shift);
    }
    out += "]";
    if (a.window) out += " window " + std::to_string(a.window - 1);
    if (a.alignment > 1) out += " align " + std::to_string(a.alignment);
    return out;
}

std::string text_of(const kernel_spec& spec, const std::vector<instruction>& code, char name);

std::string text_of(const loop_spec& loop) {
    kernel_spec inner;
    for (const dtype t : loop.inputs)
        inner.loads.push_back({.type = t, .pointer = static_cast<std::uint16_t>(inner.loads.size()), .dims = {}});
    std::string out = text_of(inner, loop.code, 'l');
    if (loop.until != loop_spec::never) out += "  until l" + std::to_string(loop.until) + "\n";
    if (loop.interruptible) out += "  interruptible\n";
    for (std::size_t k = 0; k < loop.next.size(); ++k)
        out += "  state " + std::to_string(k) + " = l" + std::to_string(loop.next[k]) + "\n";
    for (std::size_t k = 0; k < loop.loops.size(); ++k)
        out += "loop " + std::to_string(k) + " inside\n" + text_of(loop.loops[k]);
    if (loop.operation.empty()) return out;
    out += "  by the operation of";
    for (const std::uint16_t input : loop.operands) out += " p" + std::to_string(input);
    out += "\n" + text_of(loop.operation[0]);
    return out;
}

std::string text_of(const kernel_spec& spec, const std::vector<instruction>& code, char name) {
    std::string out;
    for (std::size_t k = 0; k < code.size(); ++k) {
        const instruction& i = code[k];
        const auto operand = [&](std::uint16_t index) { return name + std::to_string(index); };
        out += std::string("  ") + name + std::to_string(k) + " = ";
        switch (i.code) {
            case op::load: out += "load " + text_of(spec.loads[i.a]); break;
            case op::scalar: out += "scalar " + std::to_string(i.a); break;
            case op::coord: {
                const coordinate& c = spec.coords[i.a];
                out += "coord " + std::to_string(i.a) + " of dim " + std::to_string(c.dim) + (c.clamped ? " clamped" : "") +
                       (c.like ? " like " + std::to_string(c.like - 1) : "") + (c.plain ? " plain" : "");
                break;
            }
            case op::total: out += "total " + std::to_string(i.a); break;
            case op::row: out += "e" + std::to_string(i.a); break;
            case op::cast:
            case op::bit_cast: out += std::string(name_of(i.code)) + " " + operand(i.a); break;
            case op::index: out += "index " + operand(i.a) + " of " + operand(i.b); break;
            case op::gather: out += "gather " + operand(i.a) + " of pointer " + std::to_string(i.b); break;
            case op::search_left:
            case op::search_right:
                out += std::string(name_of(i.code)) + " of " + operand(i.a) + " in " + operand(i.b) + " of pointer " +
                       std::to_string(i.c);
                break;
            case op::feed: out += "feed " + operand(i.a) + (i.a == i.b ? "" : " after " + operand(i.b)); break;
            case op::iterate:
            case op::scan_along:
                out += std::string(name_of(i.code)) + " loop " + std::to_string(i.b) + " of " + operand(i.a);
                break;
            case op::state: out += "state " + std::to_string(i.b) + " of " + operand(i.a); break;
            default: {
                out += std::string(name_of(i.code)) + " " + operand(i.a);
                if (operands_of(i) > 1) out += ", " + operand(i.b);
                if (operands_of(i) > 2) out += ", " + operand(i.c);
            }
        }
        out += " : " + std::string(name_of(i.type)) + "\n";
    }
    return out;
}

}  // namespace

std::string kernel_spec::key() const {
    key_writer w;
    w.number(schedule);
    w.number(rank);
    w.number(reduced);
    w.number(static_cast<std::uint8_t>(index64));
    w.number(vector_width);
    w.number(row_class);
    w.number(tile);
    w.number(patch_rows);
    w.number(pointers);
    w.list(loads);
    w.list(coords);
    w.list(scalars);
    w.list(body);
    w.list(stores);
    w.list(tallies);
    w.list(reductions);
    w.list(columns);
    w.list(row);
    w.list(row_stores);
    w.list(loops);
    return w.take();
}

std::uint32_t words_of(const access& a) {
    std::uint32_t n = 0;
    for (const access_dim& d : a.dims) n += (d.stride == stride_class::runtime ? 1 : 0) + (d.clamped ? 4 : 0);
    return n;
}

std::uint32_t words_of(const coordinate& c) { return c.clamped ? 4 : 2; }

namespace {
template <class F>
bool any_instruction(const kernel_spec& spec, F f) {
    bool any = false;
    each_instruction(spec, [&](const instruction& i) { any = any || f(i); });
    return any;
}
bool any_ends_early(const std::vector<loop_spec>& loops) {
    return std::any_of(loops.begin(), loops.end(),
                       [](const loop_spec& l) { return l.until != loop_spec::never || any_ends_early(l.loops); });
}
bool any_interruptible(const std::vector<loop_spec>& loops) {
    return std::any_of(loops.begin(), loops.end(),
                       [](const loop_spec& l) { return l.interruptible || any_interruptible(l.loops); });
}
}  // namespace

std::vector<std::uint16_t> feeds_of(const instruction& loop, const std::vector<instruction>& code) {
    std::vector<std::uint16_t> feeds{loop.a};
    for (std::uint16_t k = loop.a; code[k].a != code[k].b; k = code[k].b) feeds.push_back(code[k].b);
    std::reverse(feeds.begin(), feeds.end());
    return feeds;
}

std::vector<std::uint16_t> states_before(const instruction& recurrence, const kernel_spec& spec) {
    std::vector<std::uint16_t> before = feeds_of(recurrence, spec.body);
    before.resize(spec.loops[recurrence.b].next.size());
    for (std::uint16_t& feed : before) feed = spec.body[feed].a;
    return before;
}

std::vector<std::uint16_t> made_of(std::uint16_t result, const std::vector<instruction>& code) {
    std::vector<bool> is(result + 1U, false);
    is[result] = true;
    for (std::size_t k = is.size(); k-- > 0;)
        for (int o = 0; is[k] && o < operands_of(code[k]); ++o) is[operand(code[k], o)] = true;
    std::vector<std::uint16_t> list;
    for (std::uint16_t k = 0; k < is.size(); ++k)
        if (is[k]) list.push_back(k);
    return list;
}

bool has_short_floats(const kernel_spec& spec) {
    return any_instruction(spec, [](const instruction& i) { return is_short(i.type); });
}

bool has_random_words(const kernel_spec& spec) {
    return any_instruction(spec, [](const instruction& i) { return i.code == op::philox32 || i.code == op::philox64; });
}
bool ends_early(const kernel_spec& spec) { return any_ends_early(spec.loops); }
bool is_interruptible(const kernel_spec& spec) { return any_interruptible(spec.loops); }
bool has_indices(const kernel_spec& spec) {
    return any_instruction(spec, [](const instruction& i) { return i.code == op::index; });
}

bool has_running(const kernel_spec& spec) {
    return any_instruction(spec, [](const instruction& i) { return is_running(i.code); });
}

bool is_associative(const instruction& i, const kernel_spec& spec) {
    return i.code == op::scan_along && !spec.loops[i.b].operation.empty();
}

std::vector<std::uint16_t> operands_of_operation(const instruction& recurrence, const kernel_spec& spec) {
    const std::vector<std::uint16_t> feeds = feeds_of(recurrence, spec.body);
    std::vector<std::uint16_t> operands;
    for (const std::uint16_t input : spec.loops[recurrence.b].operands) operands.push_back(spec.body[feeds[input]].a);
    return operands;
}

bool has_recurrences(const kernel_spec& spec) {
    return any_instruction(spec, [&](const instruction& i) { return i.code == op::scan_along && !is_associative(i, spec); });
}

bool has_cumulative(const kernel_spec& spec) {
    return any_instruction(spec, [](const instruction& i) { return is_cumulative(i.code); });
}

bool has_complex_numbers(const kernel_spec& spec) {
    return any_instruction(
        spec, [](const instruction& i) { return is_complex(i.type) || i.code == op::real || i.code == op::imag; });
}

bool has_unclamped_words(const kernel_spec& spec) {
    const auto clamped = [](const access& a) {
        return std::any_of(a.dims.begin(), a.dims.end(), [](const access_dim& d) { return d.clamped; });
    };
    return spec.patch_rows > 0 &&
           (std::any_of(spec.loads.begin(), spec.loads.end(), clamped) ||
            std::any_of(spec.coords.begin(), spec.coords.end(), [](const coordinate& c) { return c.clamped; }));
}

word_layout::word_layout(const kernel_spec& spec) {
    pointers = extents + spec.rank;
    accesses = pointers + spec.pointers;
    coords = accesses;
    for (const access& a : spec.loads) coords += words_of(a);
    for (const store& s : spec.stores) coords += words_of(s.to);
    for (const store& s : spec.row_stores) coords += words_of(s.to);
    unclamped = coords;
    for (const coordinate& c : spec.coords) unclamped += words_of(c);
    scalars = unclamped + (has_unclamped_words(spec) ? 2U * spec.rank : 0U);
    size = scalars + static_cast<std::uint32_t>(spec.scalars.size());
}

std::string_view name_of(schedule_kind k) {
    constexpr std::string_view names[] = {"pointwise", "reduce_all", "reduce_inner", "reduce_outer", "reduce_tile"};
    return names[static_cast<int>(k)];
}

std::string to_string(const kernel_spec& spec) {
    std::string out(name_of(spec.schedule));
    out += " rank " + std::to_string(spec.rank);
    if (spec.reduced > 0 && spec.reduced < spec.rank) out += " reduced " + std::to_string(spec.reduced);
    if (spec.row_class > 0) out += " row class " + std::to_string(spec.row_class);
    if (spec.tile > 0) out += " tiles along d" + std::to_string(spec.tile - 1);
    if (spec.index64) out += " index64";
    if (spec.patch_rows > 0) out += " patch rows " + std::to_string(spec.patch_rows);
    if (spec.vector_width > 1) out += " vector " + std::to_string(spec.vector_width);
    out += " pointers " + std::to_string(spec.pointers) + " scalars (";
    for (std::size_t k = 0; k < spec.scalars.size(); ++k) out += (k ? ", " : "") + std::string(name_of(spec.scalars[k]));
    out += ")\n" + text_of(spec, spec.body, 't');
    for (const store& s : spec.stores) out += "  store " + text_of(s.to) + " = t" + std::to_string(s.value) + "\n";
    for (const tally_spec& t : spec.tallies)
        out += "  tally " + std::string(name_of(t.type)) + " p" + std::to_string(t.pointer) + "[t" +
               std::to_string(t.place) + " of t" + std::to_string(t.count) + "] += t" + std::to_string(t.amount) + "\n";
    for (std::size_t k = 0; k < spec.reductions.size(); ++k) {
        const reduction_spec& r = spec.reductions[k];
        out += "  total " + std::to_string(k) + " = " + std::string(name_of(r.code)) + " t" + std::to_string(r.value) +
               (has_second(r) ? " at t" + std::to_string(r.second) : "") +
               (has_third(r) ? " at t" + std::to_string(r.third) : "") + " : " + std::string(name_of(r.type)) + "\n";
    }
    for (const column_sum& c : spec.columns)
        out += "  columns " + std::string(name_of(c.type)) + " p" + std::to_string(c.pointer) + " += t" +
               std::to_string(c.value) + "\n";
    if (!spec.row.empty()) out += "row\n" + text_of(spec, spec.row, 'e');
    for (const store& s : spec.row_stores) out += "  store " + text_of(s.to) + " = e" + std::to_string(s.value) + "\n";
    for (std::size_t k = 0; k < spec.loops.size(); ++k) out += "loop " + std::to_string(k) + "\n" + text_of(spec.loops[k]);
    return out;
}

}  // namespace frit::v0::fusion
