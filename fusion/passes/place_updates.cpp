// u(s) = v without a copy. An update may write the region alone, into the memory of its base, where nobody can see the
// difference: the base is an array that dies here, an intermediate, or an update that was placed so itself, and whoever else
// reads it reads other elements, or has read before. Before: what flows into the new value and nowhere else. New values that
// read the base at other elements of the region are staged, computed first and copied then; so are those that a loop makes
// which somebody may interrupt, for what it has written over would be lost. Otherwise the update is
// arithmetic over the base's domain, which fuses with everything around it. Each form is priced in bytes and launches.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {
namespace {

bool is_affine(const detail::attribute& a) { return a.what != detail::attribute::kind::reshape; }

bool same_elements(const detail::attribute& a, const detail::attribute& b) {
    auto equal = [](const detail::axis_map& x, const detail::axis_map& y) {
        return x.axis == y.axis && x.offset == y.offset && (x.axis < 0 || x.step == y.step) && !x.clamped && !y.clamped;
    };
    return is_affine(a) && is_affine(b) && a.result == b.result &&
           std::equal(a.maps.begin(), a.maps.end(), b.maps.begin(), b.maps.end(), equal);
}

/// The indices of one axis of the base that a view or region touches: first, first + step, ..., last.
struct range {
    std::int64_t first, last, step;
};
range range_of(const detail::attribute& a, std::size_t axis) {
    const detail::axis_map& m = a.maps[axis];
    const std::int64_t far = m.axis < 0 ? m.offset : m.offset + m.step * (a.result[m.axis] - 1);
    const range r{std::min(m.offset, far), std::max(m.offset, far),
                  m.axis < 0 ? 1 : std::max<std::int64_t>(std::abs(m.step), 1)};
    return m.clamped ? range{std::clamp(r.first, m.lo, m.hi), std::clamp(r.last, m.lo, m.hi), 1} : r;
}

/// Whether no element of the base is in both: some axis tells them apart, by their ends or by their steps.
bool are_disjoint(const detail::attribute& a, const detail::attribute& b) {
    if (!is_affine(a) || !is_affine(b)) return false;
    if (a.result.size() == 0 || b.result.size() == 0) return true;
    for (std::size_t k = 0; k < a.maps.size(); ++k) {
        const range x = range_of(a, k), y = range_of(b, k);
        if (x.last < y.first || y.last < x.first || (x.first - y.first) % std::gcd(x.step, y.step) != 0) return true;
    }
    return false;
}

enum class form : std::uint8_t {
    arithmetic,  ///< where(inside, value, base)
    in_place,
    staged,  ///< in place, of a value that was stored first
    copied,  ///< in place, into a copy of the base: what no arithmetic without a division can say
};

class placer {
public:
    placer(graph& g, const target& t) : g_(g), t_(t), n_(static_cast<value_id>(g.values.size())) {}

    void run() {
        find_readers();
        find_interruptible();
        visited_.assign(n_, 0);
        known_.assign(n_, 0);
        for (int round = 0; round == 0 || (round < most_rounds && paid_too_much()); ++round) {
            forms_.assign(n_, form::arithmetic);
            memory_.assign(n_, no_memory);
            kept_.assign(n_, 0);
            chained_.assign(n_, 0);
            memories_.clear();
            order_.clear();
            priced_.clear();
            for (value_id u = 0; u < n_; ++u)
                if (is_tally(g_.values[u]))
                    forms_[u] = form::in_place;  // into a copy of its own
                else if (g_.values[u].code == op::update && live_[u])
                    place(u);
        }
        rewrite();
    }

private:
    static constexpr std::uint32_t no_memory = ~std::uint32_t{0};
    static constexpr std::size_t most_loose = 32;           // reads of one chain at times unknown: more are not kept apart
    static constexpr std::uint32_t longest_arithmetic = 8;  // updates in a row that every element goes through
    static constexpr std::size_t longest_flow = 64;         // values between a read of the base and the update
    static constexpr int most_rounds = 3;                   // of placing all of them

    /// Memory that updates write into, one after the other, and the views of parts of it that may be read at any time.
    struct memory {
        bool input;
        std::vector<value_id> loose{};
    };

    const detail::attribute& region(value_id v) const { return *g_.attributes[g_.values[v].index]; }
    std::int64_t bytes(const shape& s, value_id of) const {
        return s.size() * static_cast<std::int64_t>(size_of(g_.values[of].type));
    }

    /// The live values that name each value as an operand.
    void find_readers() {
        live_.assign(n_, 0);
        output_.assign(n_, 0);
        first_.assign(n_ + 1, 0);
        for (value_id v : g_.outputs) live_[v] = output_[v] = 1;
        const auto each_operand = [&](value_id v, auto&& f) {
            for (const value_id x : g_.values[v].in) f(x);
        };
        for (value_id v = n_; v-- > 0;)
            if (live_[v]) each_operand(v, [&](value_id x) { live_[x] = 1, ++first_[x + 1]; });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        readers_.resize(first_[n_]);
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (value_id v = 0; v < n_; ++v)
            if (live_[v]) each_operand(v, [&](value_id x) { readers_[next[x]++] = v; });
        std::vector<std::uint32_t> leaves_over(g_.leaves.size(), 0);
        for (const leaf_info& l : g_.leaves) ++leaves_over[l.buffer];
        shared_.resize(g_.leaves.size());
        for (std::size_t k = 0; k < shared_.size(); ++k) shared_[k] = leaves_over[g_.leaves[k].buffer] > 1;
    }
    bool is_interruptible_loop(value_id v) const {
        const value& x = g_.values[v];
        return (x.code == op::iterate || x.code == op::scan_along) && g_.loops[x.index].loop->interruptible;
    }
    void find_interruptible() {
        interruptible_.assign(n_, 0);
        for (value_id v = 0; v < n_ && !g_.loops.empty(); ++v) {
            interruptible_[v] = is_interruptible_loop(v);
            interruptible_loops_ += live_[v] && interruptible_[v];
            for (const value_id operand : g_.values[v].in) interruptible_[v] |= interruptible_[operand];
        }
    }
    std::span<const value_id> readers(value_id v) const { return {readers_.data() + first_[v], first_[v + 1] - first_[v]}; }

    /// The memory of a base that an update may write into.
    std::uint32_t memory_of(value_id base) {
        if (output_[base]) return no_memory;
        if (memory_[base] != no_memory) return memory_[base];
        const value& b = g_.values[base];
        const bool own = b.code == op::leaf ? g_.leaves[b.index].donatable && !shared_[b.index]
                                            : is_elementwise(b.code) || is_conversion(b.code) || b.code == op::update;
        if (!own) return no_memory;
        memories_.push_back({b.code == op::leaf});
        return memory_[base] = static_cast<std::uint32_t>(memories_.size() - 1);
    }
    /// Whether it would overwrite an input that is wanted again when a loop has been interrupted: unless its new value,
    /// which is stored first, is computed from all such loops, one may run later, in whatever order statements were
    /// recorded.
    bool may_lose(value_id u, const memory& m) {
        if (!m.input || interruptible_loops_ == 0) return false;
        const value_id staged = g_.values[u].in[1];
        if (!interruptible_[staged]) return true;
        ++visit_;
        std::vector<value_id> todo{staged};
        visited_[staged] = visit_;
        std::size_t behind = 0;
        for (std::size_t k = 0; k < todo.size(); ++k) {
            behind += is_interruptible_loop(todo[k]);
            for (const value_id operand : g_.values[todo[k]].in)
                if (interruptible_[operand] && visited_[operand] != visit_) {
                    visited_[operand] = visit_;
                    todo.push_back(operand);
                }
        }
        return behind < interruptible_loops_;
    }

    /// How what a reader of an update's base computes goes on.
    struct flow {
        bool ends = true;          ///< only into the update's value, and into what is stored before
        bool reaches = false;      ///< the update's value
        bool at_own_index = true;  ///< and that element by element
        std::vector<value_id> stored{};
    };
    /// @param store  results of statements may be stored for it
    flow follow(value_id reader, value_id u, bool store) {
        flow f;
        ++visit_;
        const value_id recorded = first_of_statement(u);
        std::vector<value_id> todo{reader};
        visited_[reader] = visit_;
        for (std::size_t k = 0; k < todo.size(); ++k) {
            const value_id v = todo[k];
            const value& x = g_.values[v];
            const bool before = v < recorded;  // and so not computed from the update
            if (before && (is_stored(v) || (store && leaves_its_statement(v)))) {
                f.stored.push_back(v);
                continue;
            }
            if (output_[v] || todo.size() > longest_flow || readers(v).size() > longest_flow) return {.ends = false};
            f.at_own_index = f.at_own_index && (k == 0 || is_elementwise(x.code) || is_conversion(x.code));
            for (value_id c : readers(v)) {
                if (c == u && g_.values[u].in[0] == v) return {.ends = false};
                f.reaches = f.reaches || c == u;
                if (c == u || visited_[c] == visit_) continue;
                visited_[c] = visit_;
                todo.push_back(c);
            }
        }
        return f;
    }
    value_id first_of_statement(value_id v) const {
        const auto after = std::upper_bound(g_.statement_starts.begin(), g_.statement_starts.end(), v);
        return after == g_.statement_starts.begin() ? 0 : after[-1];
    }
    bool leaves_its_statement(value_id v) const {
        const auto after = std::upper_bound(g_.statement_starts.begin(), g_.statement_starts.end(), v);
        const auto inside = [&](value_id c) { return after == g_.statement_starts.end() || c < *after; };
        return g_.values[v].code != op::view && !std::all_of(readers(v).begin(), readers(v).end(), inside);
    }
    /// Whether a value will be in memory of its own, whatever the planner does. A view that is wanted may share its base's.
    bool is_stored(value_id v) const {
        const op code = g_.values[v].code;
        return (output_[v] && code != op::view) || kept_[v] || (code == op::update && forms_[v] != form::arithmetic);
    }

    /// What is known of the reads of a base when one of its updates is to be placed.
    struct reading {
        bool allowed = true;                       ///< each one reads other elements, or before
        bool staged = false;                       ///< before only if the new value is stored first, or it has to be
        bool any = false;                          ///< the new value reads the base
        std::int64_t extra = 0;                    ///< bytes that are stored for it
        std::vector<value_id> loose{}, earlier{};  ///< views that are read at any time; what is stored earlier
    };
    void note(value_id reader, value_id u, reading& r) {
        const detail::attribute& written = region(u);
        const bool part = g_.values[reader].code == op::view;
        const bool apart = part && are_disjoint(region(reader), written);
        flow f = follow(reader, u, false);
        if (apart) {
            r.any = r.any || f.reaches;
            if (!f.ends || !f.stored.empty()) r.loose.push_back(reader);
            return;
        }
        if (!f.ends) f = follow(reader, u, true);
        r.allowed = r.allowed && f.ends;
        r.any = r.any || f.reaches;
        if (f.reaches && (!part || !f.at_own_index || !same_elements(region(reader), written))) r.staged = true;
        for (value_id v : f.stored) {
            r.earlier.push_back(v);
            if (is_stored(v) || known_[v]) continue;
            priced_.push_back(v);
            r.extra += 2 * bytes(*g_.values[v].extents, v);
        }
    }
    reading reads_of(value_id base, const memory& m, value_id u) {
        reading r;
        r.allowed = g_.values[u].in[1] != base;
        r.staged = interruptible_[g_.values[u].in[1]];
        for (value_id c : readers(base))
            if (c != u && r.allowed) note(c, u, r);
        for (value_id c : m.loose)
            if (r.allowed) note(c, u, r);
        r.allowed = r.allowed && r.loose.size() <= most_loose;
        return r;
    }

    void place(value_id u) {
        const value_id base = g_.values[u].in[0];
        const detail::attribute& written = region(u);
        const bool dense = std::all_of(written.maps.begin(), written.maps.end(),
                                       [](const detail::axis_map& m) { return m.axis < 0 || m.step == 1 || m.step == -1; });
        forms_[u] = dense ? form::arithmetic : form::copied;
        const bool on_arithmetic = g_.values[base].code == op::update && forms_[base] == form::arithmetic;
        chained_[u] = on_arithmetic ? chained_[base] + 1 : 1;
        const std::uint32_t at = memory_of(base);
        if (at != no_memory && !may_lose(u, memories_[at])) {
            reading r = reads_of(base, memories_[at], u);
            if (r.allowed && pays(u, r, dense)) {
                forms_[u] = r.staged ? form::staged : form::in_place;
                memories_[at].loose = std::move(r.loose);
                memory_[u] = at;
                for (value_id v : r.earlier) {
                    if (!is_stored(v)) kept_[v] = 1;
                    order_.emplace_back(v, u);
                }
                return;
            }
        }
        if (!dense) {
            memories_.push_back({false});
            memory_[u] = static_cast<std::uint32_t>(memories_.size() - 1);
        }
    }

    /// Whether writing the region alone costs less than one more pass over the whole base. An array that lies there whole
    /// costs nothing to write into; an intermediate would have to be stored first.
    bool pays(value_id u, const reading& r, bool dense) const {
        const value_id base = g_.values[u].in[0];
        const bool stored = g_.values[base].code == op::leaf;
        if (stored && !r.staged && r.extra == 0) return true;
        const bool computed = !stored && (g_.values[base].code != op::update || forms_[base] == form::arithmetic);
        const bool many = g_.values[base].code == op::update && chained_[base] >= longest_arithmetic;
        if (computed && !many && !r.any && dense && readers(base).size() == 1)
            return false;  // it fuses with what computes the base
        return pays_to_write_region(t_.cost, r.staged ? 2 : 1, bytes(region(u).result, u),
                                    bytes(*g_.values[base].extents, base), r.extra);
    }

    /// Whether storing a value was priced that a later update has stored in any case, to write into it: known from then on.
    bool paid_too_much() {
        std::vector<char> base(n_, 0);
        for (value_id u = 0; u < n_; ++u)
            if (g_.values[u].code == op::update && live_[u] && forms_[u] != form::arithmetic) base[g_.values[u].in[0]] = 1;
        bool found = false;
        for (value_id v : priced_)
            if (base[v] && !std::exchange(known_[v], 1)) found = true;
        return found;
    }

    /// The list anew, each update in its form.
    void rewrite() {
        const std::vector<value> old = g_.take_values();
        std::vector<value_id> now(n_);
        auto start = g_.statement_starts.begin();
        for (value_id v = 0; v < n_; ++v) {
            for (; start != g_.statement_starts.end() && *start == v; ++start)
                *start = static_cast<value_id>(g_.values.size());
            value x = old[v];
            for (value_id& operand : x.in) operand = now[operand];
            now[v] = x.code == op::update ? written(x, forms_[v]) : g_.put_back(x);
            if (kept_[v]) g_.values[now[v]].stored = true;
        }
        for (; start != g_.statement_starts.end(); ++start) *start = static_cast<value_id>(g_.values.size());
        for (value_id& v : g_.outputs) v = now[v];
        for (const auto& [first, then] : order_) g_.order.emplace_back(now[first], now[then]);
        std::sort(g_.order.begin(), g_.order.end(), by_update());
    }

    value_id written(value x, form as) {
        if (as == form::arithmetic) return g_.add_arithmetic_update(x.in[0], x.in[1], *g_.attributes[x.index]);
        if (as == form::copied) x.in[0] = g_.add_copy(x.in[0]);
        if (as == form::staged) x.in[1] = g_.add_copy(x.in[1]);
        value& base = g_.values[x.in[0]];
        if (base.code != op::leaf && base.code != op::update) base.stored = true;
        x.in_place = true;
        return g_.put_back(x);
    }

    graph& g_;
    const target& t_;
    const value_id n_;
    std::vector<char> live_, output_, shared_;  ///< shared_: by leaf, its buffer has other leaves too
    std::vector<char> interruptible_;           ///< a loop that may be is in what it is computed from
    std::size_t interruptible_loops_ = 0;       ///< that are wanted
    std::vector<std::uint32_t> first_;          ///< of each value's readers
    std::vector<value_id> readers_;
    std::vector<form> forms_;
    std::vector<std::uint32_t> memory_, visited_, chained_;  ///< by value
    std::vector<memory> memories_;
    std::vector<char> kept_;   ///< stored so that it is computed before some update
    std::vector<char> known_;  ///< stored in any case, as an earlier round has found
    std::vector<value_id> priced_;
    std::vector<std::pair<value_id, value_id>> order_;
    std::uint32_t visit_ = 0;
};

}  // namespace

void place_updates(graph& g, const target& t) {
    const auto is_update = [](const value& v) { return v.code == op::update; };
    if (std::any_of(g.values.begin(), g.values.end(), is_update)) placer(g, t).run();
}

}  // namespace frit::v0::fusion
