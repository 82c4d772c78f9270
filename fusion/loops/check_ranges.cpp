// Elements of arrays in registers and shared memory: an index that is made of numbers and of the variables of loops with
// known bounds lies within its array. Nothing is said of others.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "fusion/loops/check_parts.hpp"

namespace frit::inline v0::fusion::loops {
namespace {

struct range {
    std::int64_t low, high;
};

class ranges {
public:
    explicit ranges(const function& f) : f_(f) {}

    std::string run() {
        from(f_.body);
        return wrong_;
    }

private:
    std::optional<range> of(expression_id id) const {
        const expression& e = f_.expressions[id];
        if (e.what == code::constant) return range{e.n, e.n};
        if (e.what == code::variable) {
            const auto known = known_.find(static_cast<variable_id>(e.n));
            return known == known_.end() ? std::nullopt : std::optional(known->second);
        }
        if (e.what == code::cast && e.is.what == kind::index) return of(e.in[0]);
        if (e.in.size() != 2 || e.is.what != kind::index) return std::nullopt;
        const auto a = of(e.in[0]), b = of(e.in[1]);
        if (!a || !b) return std::nullopt;
        switch (e.what) {
            case code::add: return range{a->low + b->low, a->high + b->high};
            case code::sub: return range{a->low - b->high, a->high - b->low};
            case code::mul:
                return a->low < 0 || b->low < 0 ? std::nullopt : std::optional(range{a->low * b->low, a->high * b->high});
            case code::div:
                return a->low < 0 || b->low <= 0 ? std::nullopt : std::optional(range{a->low / b->high, a->high / b->low});
            case code::rem:
                return a->low < 0 || b->low <= 0 ? std::nullopt : std::optional(range{0, std::min(a->high, b->high - 1)});
            default: return std::nullopt;
        }
    }
    void within(std::int64_t array, expression_id first, std::int64_t elements) {
        const variable& v = f_.variables[static_cast<std::size_t>(array)];
        const auto at = of(first);
        if (at && (at->low < 0 || at->high + elements > v.count)) wrong_ = "elements outside " + v.name;
    }
    void visit(expression_id id) {
        const expression& e = f_.expressions[id];
        if (e.what == code::element) within(e.n, e.in[0], 1);
        if (e.what == code::tree) from_place(e.in[0], e.n);
        if (e.what == code::tree_part) from_place(e.in[1], e.n);
        if (e.what == code::dealt_total) from_place(e.in[0], f_.expressions[e.in[1]].n);
        if (e.what == code::read) from_place(e.in[0], 1);
        for (const expression_id a : e.in) visit(a);
    }
    void from_place(expression_id place, std::int64_t elements) {
        const expression& e = f_.expressions[place];
        if (e.what == code::place) within(e.n, e.in[0], elements);
    }
    void copied(expression_id in_registers, const transfer& how) {
        from_place(in_registers, (std::int64_t{how.count} - 1) * how.step + 1);
    }
    void from(const block& all) {
        for (const statement& s : all) {
            for (const expression_id a : s.in) visit(a);
            if (s.what == act::put) within(s.n, s.in[0], 1);
            if (s.what == act::write || s.what == act::add_at) from_place(s.in[0], 1);
            if (s.what == act::copy_in) copied(s.in[0], s.how);
            if (s.what == act::copy_out) copied(s.in[1], s.how);
            if (s.what == act::let)
                if (const auto known = of(s.in[0])) known_[s.n] = *known;
            if (s.what == act::loop) bounds(s);
            from(s.body);
            from(s.otherwise);
        }
    }
    void bounds(const statement& s) {
        const auto first = of(s.in[0]), end = of(s.in[1]), step = of(s.in[2]);
        if (!first || !end || !step || end->high <= first->low) return;
        const std::int64_t last = first->low + (end->high - 1 - first->low) / step->low * step->low;
        known_[s.n] = {first->low, first->low == first->high ? last : end->high - 1};
    }

    const function& f_;
    std::map<variable_id, range> known_;
    std::string wrong_;
};

}  // namespace

std::string check_ranges(const function& f) { return ranges(f).run(); }

}  // namespace frit::v0::fusion::loops
