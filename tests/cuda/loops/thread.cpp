// See thread.hpp.
#include "tests/cuda/loops/thread.hpp"

namespace frit_test {

using frit::dtype;
using loops::act;
using loops::code;
using loops::expression_id;
using loops::kind;
using loops::statement;

namespace {

template <class Code>
[[noreturn]] void unknown(const char* what, Code c) {
    throw mistake{std::string(what) + " number " + std::to_string(static_cast<int>(c)) + ", which no GPU's kernel has"};
}

}  // namespace

// What an expression is made of stands before it.
std::vector<node> nodes_of(const loops::function& f) {
    std::vector<node> all;
    for (const loops::expression& e : f.expressions) {
        const bool index = e.is.what == kind::index || e.is.what == kind::truth;
        const bool same = e.what == code::constant || e.what == code::word ||
                          (e.what >= code::add && e.what <= code::choice) ||
                          (e.what == code::launch && e.n >= static_cast<std::int64_t>(loops::launch_index::threads_x));
        node made{.what = e.what,
                  .op = e.op,
                  .from = e.from,
                  .meets = is_met_by_all(e.what),
                  .varies = !index || !same,
                  .operands = static_cast<std::uint8_t>(e.in.size()),
                  .is = e.is,
                  .n = e.n};
        if (e.in.size() > std::size(made.in)) throw mistake{"an expression of more operands than are interpreted"};
        for (std::size_t k = 0; k < e.in.size(); ++k) {
            made.in[k] = e.in.at(k);
            made.meets |= all[e.in[k]].meets;
            made.varies |= all[e.in[k]].varies;
        }
        all.push_back(made);
    }
    return all;
}

void loops_thread::start() {
    values_.resize(l_.f.variables.size());
    has_value_.assign(l_.f.variables.size(), 0);
    registers_.resize(l_.f.variables.size());
    stack_.clear();
    waits = met_ = none;
    enter(l_.f.body, nullptr);
}

void loops_thread::go_on() {
    while (!stack_.empty()) {
        frame& top = stack_.back();
        at = top.head;
        if (top.next == top.all->size()) {
            if (top.head && once_more(*top.head, false))
                top.next = 0;
            else
                stack_.pop_back();
            continue;
        }
        at = &(*top.all)[top.next];
        waits = next_meeting(*at);
        if (waits != none && met_ != none) throw mistake{"two meetings in one statement"};
        if (waits != none) return;
        ++top.next;
        execute(*at);
        met_ = none;
    }
}

// The first one, in the order in which the statement is evaluated, that was not held yet.
expression_id loops_thread::next_meeting(const statement& s) {
    if (s.what == act::barrier) return met_ == barrier ? none : barrier;
    for (const expression_id a : s.in)
        if (l_.nodes[a].meets)
            if (const expression_id here = next_meeting(a); here != none) return here;
    return none;
}
expression_id loops_thread::next_meeting(expression_id id) {
    const node& e = l_.nodes[id];
    if (!e.meets || id == met_) return none;
    if (is_met_by_all(e.what)) return id;
    for (std::size_t k = 0; k < e.operands; ++k) {
        if (k == 1 && (e.what == code::both || e.what == code::either) && truth(e.in[0]) == (e.what == code::either))
            return none;
        if (e.what == code::choice && k == (truth(e.in[0]) ? 2 : 1)) continue;
        if (const expression_id here = next_meeting(e.in[k]); here != none) return here;
    }
    return none;
}

// --- statements ---

bool loops_thread::once_more(const statement& head, bool first) {
    if (met_ != none) throw mistake{"a meeting in the head of a loop"};
    if (head.what == act::repeat) return truth(head.in[0]);
    const dtype t = l_.f.variables[head.n].is.of;
    if (first)
        set(head.n, head.in[0]);
    else
        values_[head.n].word[0] = of_indices(code::add, t, values_[head.n].word[0], word(head.in[2]));
    return compared(code::lt, t, values_[head.n].word[0], word(head.in[1]));
}

void loops_thread::set(std::uint32_t variable, expression_id from) {
    const kind k = l_.f.variables[variable].is.what;
    if (k == kind::index || k == kind::truth)
        values_[variable].word[0] = word(from);
    else
        values_[variable] = value(from);
    has_value_[variable] = 1;
}

void loops_thread::declare(const statement& s) {
    if (l_.f.variables[s.n].count > 0) return l_.memory.declare(registers_, s.n, !s.in.empty());
    if (s.in.empty())
        has_value_[s.n] = 0;
    else
        set(s.n, s.in[0]);
}

void loops_thread::execute(const statement& s) {
    switch (s.what) {
        case act::let:
        case act::declare: return declare(s);
        case act::set: return set(s.n, s.in[0]);
        case act::put: {
            const loops::type& t = l_.f.variables[s.n].is;
            datum to = of_word(word(s.in[0]) * l_.memory.size_of(t));
            to.word[1] = s.n + 1U;
            return store(t, to, value(s.in[1]));
        }
        case act::loop:
        case act::repeat:
            if (once_more(s, true)) enter(s.body, &s);
            return;
        case act::when: return enter(truth(s.in[0]) ? s.body : s.otherwise, nullptr);
        case act::leave: return stack_.clear();
        case act::end_loop:
            while (!stack_.back().head) stack_.pop_back();
            return stack_.pop_back();
        case act::write: return store(type_of(s.in[0]), value(s.in[0]), value(s.in[1]));
        case act::add_at: {
            const loops::type& t = type_of(s.in[0]);
            l_.memory.add(number, value(s.in[0]), l_.memory.size_of(t), value(s.in[1]).word[0]);
            return;
        }
        case act::copy_in: return copy(value(s.in[1]), type_of(s.in[0]), value(s.in[0]), s.how, true);
        case act::copy_out: return copy(value(s.in[0]), type_of(s.in[0]), value(s.in[1]), s.how, false);
        case act::prefetch: return l_.memory.prefetch(value(s.in[0]), s.n * l_.memory.size_of(type_of(s.in[0])));
        case act::barrier: return;  // was met
        default: unknown("statement", s.what);
    }
}

void loops_thread::copy(const datum& memory, const loops::type& t, datum registers, const loops::transfer& how, bool in) {
    const std::size_t size = l_.memory.size_of(t), width = how.width * size;
    if (!l_.memory.in_memory(memory) || registers.word[1] == 0) throw mistake{"a copy between the wrong places"};
    unsigned char together[16];
    if (width > sizeof together) throw mistake{"an access of " + std::to_string(width) + " bytes"};
    for (std::size_t first = 0; first < how.count; first += how.width) {
        datum there = memory;
        there.word[0] += first * size;
        if (in) l_.memory.read(number, registers_, there, width, together);
        for (std::size_t k = 0; k < how.width; ++k, registers.word[0] += how.step * size) {
            if (in)
                l_.memory.write(number, registers_, registers, size, together + k * size);
            else
                l_.memory.read(number, registers_, registers, size, together + k * size);
        }
        if (!in) l_.memory.write(number, registers_, there, width, together);
    }
}

// An accumulator part by part: together they are wider than any access.
datum loops_thread::load(const loops::type& t, const datum& address) {
    datum d, from = address;
    const std::size_t parts = t.rule > 0 ? static_cast<std::size_t>(rule_of(t).parts) : 1;
    for (std::size_t k = 0; k < parts; ++k, from.word[0] += 8)
        l_.memory.read(number, registers_, from, t.rule > 0 ? 8 : frit::size_of(t.of), &d.word[k]);
    if (t.what == kind::index) d.word[0] = wrapped(t.of, d.word[0]);
    return d;
}
void loops_thread::store(const loops::type& t, const datum& address, const datum& d) {
    datum to = address;
    const std::size_t parts = t.rule > 0 ? static_cast<std::size_t>(rule_of(t).parts) : 1;
    for (std::size_t k = 0; k < parts; ++k, to.word[0] += 8)
        l_.memory.write(number, registers_, to, t.rule > 0 ? 8 : frit::size_of(t.of), &d.word[k]);
}

// --- expressions ---

datum loops_thread::value(expression_id id) {
    const node& e = l_.nodes[id];
    if (e.is.what == kind::index || e.is.what == kind::truth) return of_word(word(id));
    switch (e.what) {
        case code::constant: return constant(e);
        case code::word: return of_words(e);
        case code::variable: return variable(e);
        case code::element: return load(e.is, address_of(e));
        case code::place:
        case code::forward: return address_of(e);
        case code::choice: return value(e.in[truth(e.in[0]) ? 1 : 2]);
        case code::pinned:
        case code::retyped: return value(e.in[0]);
        case code::read: return load(e.is, value(e.in[0]));
        case code::look_up: return look_up(e);
        case code::search: return search(e);
        case code::checked: return checked(e);
        case code::compute: return compute(e);
        case code::drawn:
            return computed(e.op, e.from, of_word(word(e.in[0]) + word(e.in[1])), value(e.in[2]), value(e.in[3]));
        case code::cast: return converted(value(e.in[0]), e.from, e.is.of);
        case code::bit_cast: return value(e.in[0]);
        default: return accumulated(e);
    }
}

std::uint64_t loops_thread::word(const node& e) {
    switch (e.what) {
        case code::constant: return e.is.what == kind::truth ? static_cast<std::uint64_t>(e.n) : constant(e).word[0];
        case code::launch: return launch_index(e);
        case code::word: return of_words(e).word[0];
        case code::element: return load(e.is, address_of(e)).word[0];
        case code::add:
        case code::sub:
        case code::mul:
        case code::div:
        case code::rem:
        case code::bit_and:
        case code::bit_xor:
        case code::least:
        case code::most: return of_indices(e.what, e.is.of, word(e.in[0]), word(e.in[1]));
        case code::clamped: return clamped(e);
        case code::lt:
        case code::le:
        case code::eq:
        case code::ne: return compared(e.what, type_of(e.in[0]).of, word(e.in[0]), word(e.in[1]));
        case code::both: return truth(e.in[0]) && truth(e.in[1]);
        case code::either: return truth(e.in[0]) || truth(e.in[1]);
        case code::negated: return !truth(e.in[0]);
        case code::choice: return word(e.in[truth(e.in[0]) ? 1 : 2]);
        case code::cast: return index_of(e);
        case code::arrival: {
            l_.memory.watch.fence(number);
            const std::uint64_t before = l_.memory.add(number, value(e.in[0]), sizeof(std::uint32_t), 1);
            l_.memory.watch.fence(number);
            return before;
        }
        default:
            if (e.what != code::last_block && e.what != code::turn && e.what != code::from_lane)
                unknown("expression", e.what);
            return result_.word[0];
    }
}

datum loops_thread::constant(const node& e) {
    const auto n = static_cast<std::uint64_t>(e.n);
    if (e.is.what == kind::index) return of_word(wrapped(e.is.of, n));
    return e.n == 0 ? of_word(n) : converted(of_word(n), dtype::i64, e.is.of);
}

std::uint64_t loops_thread::launch_index(const node& e) const {
    const auto& [grid, threads] = l_.shape;
    const std::uint64_t all[] = {x, y, l_.block[0], l_.block[1], l_.block[2], threads[0], threads[1], grid[0], grid[1]};
    return all[e.n];
}

datum loops_thread::of_words(const node& e) const {
    const std::uint64_t w = l_.words[static_cast<std::size_t>(e.n)];
    if (e.is.what == kind::address) return of_word(w);
    if (e.is.what == kind::index) {
        if (wrapped(e.is.of, w) != w) throw mistake{"word " + std::to_string(e.n) + " is no index of that type"};
        return of_word(w);
    }
    if (e.is.of == dtype::bool_) return of_word((w & 255) != 0);
    return of_word(frit::size_of(e.is.of) == 8 ? w : w & ((std::uint64_t{1} << 8 * frit::size_of(e.is.of)) - 1));
}

datum loops_thread::address_of(const node& e) {
    datum d;
    if (e.what == code::forward) {
        d = value(e.in[0]);
        d.word[0] += word(e.in[1]) * l_.memory.size_of(e.is);
    } else {
        d.word[0] = word(e.in[0]) * l_.memory.size_of(l_.f.variables[static_cast<std::size_t>(e.n)].is);
        d.word[1] = static_cast<std::uint64_t>(e.n) + 1;
    }
    return d;
}

datum loops_thread::look_up(const node& e) {
    datum from = value(e.in[0]);
    if (e.operands < 3 || truth(e.in[2])) from.word[0] += value(e.in[1]).word[0] * l_.memory.size_of(e.is);
    return load(e.is, from);
}
// One after the other.
datum loops_thread::search(const node& e) {
    const datum v = value(e.in[1]);
    const auto n = static_cast<std::int64_t>(value(e.in[2]).word[0]);
    const auto is = [&](frit::op o, const datum& a, const datum& b) { return computed(o, e.from, a, b, {}).word[0] != 0; };
    datum at = value(e.in[0]);
    std::int64_t count = 0;
    for (; count < n; ++count, at.word[0] += size_of(e.from)) {
        const datum element = load({kind::number, e.from}, at);
        const bool before =
            e.n ? is(frit::op::le, element, v) || is(frit::op::ne, v, v)
                : is(frit::op::lt, element, v) || (is(frit::op::ne, v, v) && is(frit::op::eq, element, element));
        if (!before) break;
    }
    return of_word(static_cast<std::uint64_t>(count));
}
// The record is the launch's own: who is first is not asked.
datum loops_thread::checked(const node& e) {
    const auto i = static_cast<std::int64_t>(value(e.in[0]).word[0]), n = static_cast<std::int64_t>(value(e.in[1]).word[0]);
    const std::int64_t at = i < 0 ? i + n : i;
    if (at >= 0 && at < n) return of_word(static_cast<std::uint64_t>(at));
    if (e.operands < 4 || truth(e.in[3])) {
        auto* const fault = reinterpret_cast<std::uint64_t*>(value(e.in[2]).word[0]);
        fault[0] = 1;
        fault[1] = static_cast<std::uint64_t>(i);
        fault[2] = static_cast<std::uint64_t>(n);
    }
    return of_word(0);
}

std::uint64_t loops_thread::clamped(const node& e) {
    const std::uint64_t x = word(e.in[0]), low = word(e.in[1]), high = word(e.in[2]);
    return compared(code::lt, e.is.of, x, low) ? low : compared(code::lt, e.is.of, high, x) ? high : x;
}

datum loops_thread::compute(const node& e) {
    datum operands[3];
    for (std::size_t k = 0; k < e.operands; ++k) operands[k] = value(e.in[k]);
    return computed(e.op, e.from, operands[0], operands[1], operands[2]);
}

std::uint64_t loops_thread::index_of(const node& e) {
    const bool index = type_of(e.in[0]).what == kind::index;
    return wrapped(e.is.of, index ? word(e.in[0]) : converted(value(e.in[0]), e.from, e.is.of).word[0]);
}

// --- accumulators ---

datum loops_thread::accumulated(const node& e) {
    if (is_met_by_all(e.what)) return result_;
    switch (e.what) {
        case code::identity: return identity_of(rule_of(e.is));
        case code::lifted: {
            if (e.operands > 1) return lifted(rule_of(e.is), operands(e, 0));
            const datum alone = value(e.in[0]);
            return lifted(rule_of(e.is), {&alone, 1});
        }
        case code::taken: return taken(e);
        case code::part: return of_word(value(e.in[0]).word[e.n]);
        case code::tree: return tree(e.is, value(e.in[0]), e.n);
        case code::tree_part: {
            const auto count = static_cast<std::int64_t>(word(e.in[2]));
            if (count > e.n) throw mistake{"a tree of more than there are"};
            const datum a = value(e.in[0]);
            return count <= 0 ? a : combined(rule_of(e.is), rule_of(e.is).take, a, tree(e.is, value(e.in[1]), count));
        }
        default: unknown("expression", e.what);
    }
}

datum loops_thread::taken(const node& e) {
    const auto& rule = rule_of(e.is);
    return combined(rule, rule.take, value(e.in[0]), value(e.in[1]), e.operands > 2 ? operands(e, 2) : std::vector<datum>());
}

std::vector<datum> loops_thread::operands(const node& e, std::size_t first) {
    std::vector<datum> all;
    for (std::size_t k = first; k < e.operands; ++k) all.push_back(value(e.in[k]));
    return all;
}

datum loops_thread::tree(const loops::type& t, datum address, std::int64_t count) {
    std::vector<datum> all;
    for (std::int64_t k = 0; k < count; ++k, address.word[0] += l_.memory.size_of(t)) all.push_back(load(t, address));
    for (std::size_t by = 1; by < all.size(); by *= 2)
        for (std::size_t k = 0; k + by < all.size(); k += 2 * by)
            all[k] = combined(rule_of(t), rule_of(t).combine, all[k], all[k + by]);
    return all[0];
}

}  // namespace frit_test
