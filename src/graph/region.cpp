// See region.hpp.
#include "src/graph/region.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "src/base/errors.hpp"
#include "src/base/grow_only_set.hpp"
#include "src/graph/context.hpp"
#include "src/graph/node.hpp"
#include "src/graph/programs.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

thread_local tracing* recorded_now = nullptr;

struct known_region {
    region content;
    const known_region* next = nullptr;
};
constinit grow_only_set<known_region, 256> regions;

std::uint64_t hash_of(const region& r) {
    std::uint64_t h = r.inputs.size();
    const auto add = [&](std::uint64_t n) { h = h * 31 + n; };
    for (const region::statement& s : r.statements) {
        add(detail::hash_of(std::span(s.code)));
        for (const region::reference o : s.operands) add(o);
    }
    for (const region::constant& c : r.constants) add(c.bits);
    for (const region::reference n : r.next) add(n);
    add(r.until);
    return h;
}

/// The one region with this content.
const region& known(region r) {
    const auto is_it = [&](const known_region& k) { return k.content == r; };
    return regions.find_or_add(hash_of(r), is_it, [&] { return std::make_unique<known_region>(known_region{std::move(r)}); })
        .content;
}

/// Whether a view is its operand, as an operand that several statements read may be recorded.
bool shows_all(const attribute& a) {
    if (a.what != attribute::kind::affine || a.source != a.result) return false;
    for (int k = 0; k < a.source.rank(); ++k) {
        const axis_map& m = a.maps[static_cast<std::size_t>(k)];
        if (m.axis != k || m.offset != 0 || m.step != 1 || m.clamped) return false;
    }
    return true;
}

attribute_ref loop_attribute(const region* step, int state, std::size_t operands, const shape& domain,
                             const axis_map* along = nullptr) {
    auto* a = new attribute;
    attribute_ref ref(a);
    a->what = attribute::kind::iterate;
    a->source = a->result = domain;
    a->maps = {{.axis = state,
                .offset = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(step)),
                .step = static_cast<std::int64_t>(operands)}};
    if (along) a->maps.push_back(*along);
    return ref;
}

statement statement_of(std::span<const instruction> steps, std::span<node_head* const> leaves, const scalar_bits* scalars,
                       const attribute_ref* attributes, source_line where) {
    const known_program& p = program_of(steps);
    return {&p.code, &p.slot, leaves.data(), scalars, attributes, where};
}
user_ref recorded(std::span<const instruction> steps, std::span<node_head* const> leaves, const attribute_ref* attributes,
                  source_line where) {
    return user_ref(record(statement_of(steps, leaves, nullptr, attributes, where)));
}

/// The bits of a node that is a real number.
std::optional<std::uint64_t> number_in(const node& n) {
    const bool is_number =
        !n.stored() && n.code->length == 1 && n.code->code[0].code == op::scalar && n.scalars[0].high == 0;
    return is_number && n.meant == register_dtype(real_dtype(n.meant)) ? std::optional(n.scalars[0].low) : std::nullopt;
}

/// Takes what a step recorded apart.
class tracer {
public:
    /// @param numbers  how many of the numbers may be inputs
    /// @param inside  formulas that do not depend on the states are computed in the loop, too: their operands are fewer
    tracer(std::string_view who, std::span<const user_ref> states, std::size_t numbers, bool inside, source_line where)
        : who_(who), where_(where), most_numbers_(numbers), inside_(inside) {
        for (const user_ref& s : states) {
            values_[as_node(s.get())] = static_cast<region::reference>(made_.inputs.size());
            made_.inputs.push_back({s->meant, false});
        }
        made_.states = static_cast<std::uint16_t>(states.size());
        first_ = as_node(states[0].get())->recorded;
    }

    void take_apart(std::span<const user_ref> next, const user_ref& until) {
        std::vector<node*>& roots = roots_;
        for (const user_ref& n : next) roots.push_back(as_node(n.get()));
        if (until) roots.push_back(as_node(until.get()));
        // What is captured stands in front of the statements' results, so it is found first.
        for (node* n : in_order(roots))
            if (is_inside(*n))
                add_statement(n, taken_inside(*n));
            else if (depends(*n) && !values_.contains(n))
                add_statement(n, taken_apart(*n));
        for (node* n : roots)
            if (!depends(*n) && !is_inside(*n)) capture(n);
    }
    std::size_t inputs() const { return made_.inputs.size(); }
    /// How many of them are numbers.
    std::size_t numbers() const { return numbers_; }

    traced made(bool has_until) {
        const std::size_t before = inputs() + made_.constants.size();
        if (before + statements_.size() + made_.constants.size() >= region::never)
            throw error(std::string(who_) + ": the step is too long" + place(where_));
        for (std::size_t k = 0; k < statements_.size(); ++k)
            values_[statements_[k]] = static_cast<region::reference>(before + k);
        for (std::size_t k = 0; k < statements_.size(); ++k) made_.statements.push_back(statement_of(k));
        for (node* n : roots_) made_.next.push_back(final(values_.at(n)));
        if (has_until) made_.until = made_.next.back(), made_.next.pop_back();
        return {&known(std::move(made_)), std::move(captured_)};
    }

private:
    /// A part of a statement's program, [from, to) with its operands: one that does not depend on states, or the whole of
    /// what has been met of one that does.
    struct part {
        bool moves;
        std::size_t from, to, leaf, leaf_end, scalar, scalar_end, attribute, attribute_end;
        std::vector<instruction> code{};
        std::vector<node*> nodes{};  ///< of a moving one: its operands, null where the number below is one
        std::vector<region::reference> inputs{};
        std::vector<attribute_ref> loops{};
    };

    /// What was recorded since the step began, and leads to the roots.
    std::vector<node*> in_order(const std::vector<node*>& roots) {
        std::vector<node*> stack = roots, all;
        std::map<node*, bool> met;
        while (!stack.empty()) {
            node* const n = stack.back();
            stack.pop_back();
            if (n->stored() || n->recorded < first_ || std::exchange(met[n], true)) continue;
            all.push_back(n);
            stack.insert(stack.end(), n->leaves, n->leaves + n->code->leaves);
        }
        std::sort(all.begin(), all.end(), [](const node* a, const node* b) { return a->recorded < b->recorded; });
        for (node* n : all)
            depends_[n] = values_.contains(n) ||
                          std::any_of(n->leaves, n->leaves + n->code->leaves, [this](const node* x) { return depends(*x); });
        return all;
    }
    bool depends(const node& n) const {
        const auto it = depends_.find(&n);
        return it != depends_.end() && it->second;
    }

    void add_statement(node* n, part p) {
        statements_.push_back(n);
        fragments_.push_back(std::move(p));
    }

    region::reference capture(node* n, bool is_number = false) {
        const auto [it, fresh] = values_.try_emplace(n, static_cast<region::reference>(made_.inputs.size()));
        if (!fresh) return it->second;
        const std::optional<std::uint64_t> bits = number_in(*n);
        if (bits && numbers_ == most_numbers_) {
            it->second = static_cast<region::reference>(region::never - 1 - made_.constants.size());
            made_.constants.push_back({n->meant, *bits});
            kept_.emplace_back(n);
        } else {
            if (bits) ++numbers_;
            made_.inputs.push_back({n->meant, is_number});
            captured_.emplace_back(n);
        }
        return it->second;
    }
    /// Constants are counted from the end until it is known how many inputs are in front of them.
    static std::size_t number_of_constant(region::reference x) { return region::never - 1U - x; }
    region::reference final(region::reference x) const {
        const std::size_t k = number_of_constant(x);
        return k < made_.constants.size() ? static_cast<region::reference>(inputs() + k) : x;
    }
    /// What does not depend on the states: computed once, outside the loop. Of a 16-bit dtype it is not rounded, as it would
    /// not be inside the statement.
    region::reference capture(const node& n, const part& p) {
        const instruction* const code = n.code->code;
        if (p.to - p.from == 1 && code[p.from].code == op::leaf) return capture(n.leaves[p.leaf]);
        std::vector<node_head*> leaves(n.leaves + p.leaf, n.leaves + p.leaf_end);
        const user_ref value = record_part(detail::statement_of({code + p.from, p.to - p.from}, leaves, n.scalars + p.scalar,
                                                                n.attributes + p.attribute, where_));
        return capture(as_node(value.get()), p.to - p.from == 1 && code[p.from].code == op::scalar);
    }

    static bool is_computed(op code) { return is_elementwise(code) || is_conversion(code); }
    /// Whether nothing but elements is computed there, and they are. (A view of all is what its operand is.)
    static bool is_formula(const node& n, const part& p) {
        std::size_t attribute = p.attribute;
        const auto takes = [&](const instruction& i) {
            if (i.code == op::view) return shows_all(*n.attributes[attribute++]);
            return i.code == op::leaf || i.code == op::scalar || is_computed(i.code);
        };
        return std::all_of(n.code->code + p.from, n.code->code + p.to, takes);
    }
    static part all_of(const node& n) { return {false, 0, n.code->length, 0, n.code->leaves, 0, 0, 0, 0}; }
    void add_captured(part& p, region::reference input) const {
        const region::input in =
            input < inputs() ? made_.inputs[input] : region::input{made_.constants[number_of_constant(input)].type, true};
        p.code.push_back({in.is_number ? op::scalar : op::leaf, in.type});
        p.nodes.push_back(nullptr);
        p.inputs.push_back(input);
    }
    /// What does not depend on the states becomes an operand, or is computed inside.
    void take(const node& n, part& p) {
        if (!inside_ || !is_formula(n, p)) return add_captured(p, capture(n, p));
        std::size_t leaf = p.leaf, scalar = p.scalar;
        for (std::size_t k = p.from; k < p.to; ++k) {
            const instruction& i = n.code->code[k];
            if (i.code == op::leaf) {
                take(n.leaves[leaf++], p);
            } else if (i.code == op::scalar) {
                add_captured(p, capture(n, {false, k, k + 1, leaf, leaf, scalar, scalar + 1, p.attribute, p.attribute}));
                ++scalar;
            } else if (i.code != op::view) {
                p.code.push_back(i);
            }
        }
    }
    void take(node* n, part& p) {
        if (!is_inside(*n)) return add_captured(p, capture(n));
        p.code.push_back({op::leaf, n->meant});
        p.nodes.push_back(n);
        p.inputs.push_back(0);
    }
    /// Whether it is one of the loop's statements without depending on the states.
    bool is_inside(const node& n) const {
        return inside_ && !n.stored() && n.recorded >= first_ && !depends(n) && n.code->length > 1 &&
               is_formula(n, all_of(n));
    }
    part taken_inside(const node& n) {
        part whole = all_of(n);
        take(n, whole);
        return whole;
    }

    /// A statement with what it captures.
    part taken_apart(const node& n) {
        std::vector<part> stack;
        std::size_t leaf = 0, scalar = 0, attribute = 0;
        for (std::size_t k = 0; k < n.code->length; ++k) {
            const instruction& i = n.code->code[k];
            part here{false, k, k + 1, leaf, leaf, scalar, scalar, attribute, attribute};
            if (i.code == op::leaf) {
                node* const from = n.leaves[leaf++];
                here.moves = depends(*from);
                if (here.moves) here.code = {{op::leaf, i.type}}, here.nodes = {from}, here.inputs = {0};
            }
            const std::size_t arity = arity_in(n, k, attribute);
            if (i.code == op::scalar) ++scalar;
            if (has_attribute(i.code)) ++attribute;
            here.leaf_end = leaf, here.scalar_end = scalar, here.attribute_end = attribute;
            if (arity > 0) here = combined(n, i, std::span(stack).last(arity), here);
            stack.resize(stack.size() - arity);
            stack.push_back(std::move(here));
        }
        return std::move(stack.back());
    }
    /// How many values on the stack instruction k replaces by its own.
    static std::size_t arity_in(const node& n, std::size_t k, std::size_t attribute) {
        const op code = n.code->code[k].code;
        switch (code) {
            case op::leaf:
            case op::scalar:
            case op::coord:
            case op::parameter: return 0;
            case op::cast:
            case op::bit_cast:
            case op::view:
            case op::axes:
            case op::index: return 1;
            case op::update: return 2;
            case op::gather: return 1 + index_operands(*n.attributes[attribute]);
            case op::call:
            case op::iterate:
            case op::scan_along: return static_cast<std::size_t>(n.attributes[attribute]->maps[0].step);
            default: break;
        }
        if (is_scatter(code)) return 2 + index_operands(*n.attributes[attribute]);
        return is_reduction(code) ? 1 : arity_of(code);
    }
    part combined(const node& n, const instruction& i, std::span<part> operands, part here) {
        here.from = operands[0].from, here.leaf = operands[0].leaf;
        here.scalar = operands[0].scalar, here.attribute = operands[0].attribute;
        here.moves = std::any_of(operands.begin(), operands.end(), [](const part& p) { return p.moves; });
        if (!here.moves) return here;
        if (i.code == op::view && shows_all(*n.attributes[here.attribute_end - 1])) {
            here.code = std::move(operands[0].code), here.nodes = std::move(operands[0].nodes);
            here.inputs = std::move(operands[0].inputs), here.loops = std::move(operands[0].loops);
            return here;
        }
        if (!is_computed(i.code) && i.code != op::iterate)
            throw error(std::string(who_) +
                        ": a step computes element by element, and what it has of its states goes into " +
                        std::string(i.code == op::view   ? "a view"
                                    : i.code == op::axes ? "a reduction"
                                                         : name_of(i.code)) +
                        place(n.where));
        for (part& p : operands) {
            if (!p.moves) take(n, p);
            here.code.insert(here.code.end(), p.code.begin(), p.code.end());
            here.nodes.insert(here.nodes.end(), p.nodes.begin(), p.nodes.end());
            here.inputs.insert(here.inputs.end(), p.inputs.begin(), p.inputs.end());
            here.loops.insert(here.loops.end(), p.loops.begin(), p.loops.end());
        }
        if (i.code == op::iterate) {
            const attribute& a = *n.attributes[here.attribute_end - 1];
            here.loops.push_back(loop_attribute(&region_of(a), a.maps[0].axis, operands.size(), shape{}));
        }
        here.code.push_back(i);
        return here;
    }
    region::statement statement_of(std::size_t k) const {
        const part& p = fragments_[k];
        region::statement s{p.code, {}, statements_[k]->type, statements_[k]->meant, p.loops};
        for (std::size_t j = 0; j < p.nodes.size(); ++j)
            s.operands.push_back(final(p.nodes[j] ? values_.at(p.nodes[j]) : p.inputs[j]));
        return s;
    }

    const std::string_view who_;
    const source_line where_;
    region made_;
    std::uint64_t first_ = 0;
    std::unordered_map<const node*, bool> depends_;
    std::unordered_map<const node*, region::reference> values_;
    std::vector<node*> statements_;
    std::vector<part> fragments_;
    std::vector<user_ref> captured_, kept_;  ///< kept: numbers that are constants, by whose addresses they are known
    std::vector<node*> roots_;
    const std::size_t most_numbers_;
    const bool inside_;
    std::size_t numbers_ = 0;
};

}  // namespace

bool operator==(const region::statement& a, const region::statement& b) {
    const auto same = [](const attribute_ref& x, const attribute_ref& y) { return fusion::same(*x, *y); };
    return a.code == b.code && a.operands == b.operands && a.type == b.type && a.meant == b.meant &&
           std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(), same);
}

const region& region_of(const attribute& a) {
    return *reinterpret_cast<const region*>(static_cast<std::intptr_t>(a.maps[0].offset));
}

tracing::tracing() noexcept : around_(std::exchange(recorded_now, this)) {}
tracing::~tracing() { recorded_now = around_; }
tracing* tracing::innermost() noexcept { return recorded_now; }

user_ref parameter_of(dtype type, const shape& extents, source_line where) {
    const instruction step{op::parameter, type};
    const attribute_ref a = loop_attribute(nullptr, 0, 0, extents);
    return recorded({&step, 1}, {}, &a, where);
}

traced trace(std::string_view who, std::span<const user_ref> states, std::span<const user_ref> next, const user_ref& until,
             std::size_t room, source_line where) {
    std::optional<tracer> t;
    for (const bool inside : {false, true}) {
        constexpr std::size_t all = SIZE_MAX;
        t.emplace(who, states, all, inside, where).take_apart(next, until);
        if (t->inputs() <= room) break;
        const std::size_t numbers = t->numbers(), too_many = std::min(numbers, t->inputs() - room);
        t.emplace(who, states, numbers - too_many, inside, where).take_apart(next, until);
        if (t->inputs() <= room) break;
    }
    return t->made(static_cast<bool>(until));
}

traced with_operation(const traced& step, std::span<const user_ref> elements, const traced& operation) {
    region r = *step.step;
    std::vector<user_ref> captured = step.captured;
    const std::size_t before = r.inputs.size();
    for (const user_ref& x : elements) r.inputs.push_back({x->meant, false});
    captured.insert(captured.end(), elements.begin(), elements.end());
    const std::vector<region::input>& given = operation.step->inputs;
    r.inputs.insert(r.inputs.end(), given.begin() + operation.step->states, given.end());
    captured.insert(captured.end(), operation.captured.begin(), operation.captured.end());
    r.operation = operation.step;
    const auto moved = [&](region::reference& x) {  // results of statements stand behind the inputs
        if (x >= before) x = static_cast<region::reference>(x + (r.inputs.size() - before));
    };
    for (region::statement& s : r.statements)
        for (region::reference& x : s.operands) moved(x);
    for (region::reference& x : r.next) moved(x);
    return {&known(std::move(r)), std::move(captured)};
}

namespace {
user_ref over_operands(op code, const region& step, std::uint16_t state, std::span<const user_ref> operands,
                       const attribute_ref& a, source_line where) {
    std::vector<instruction> steps;
    std::vector<node_head*> leaves;
    for (const user_ref& o : operands) {
        steps.push_back({op::leaf, o->meant});
        leaves.push_back(o.get());
    }
    steps.push_back({code, step.inputs[state].type});
    return recorded(steps, leaves, &a, where);
}
}  // namespace

user_ref record_loop(const region& step, std::uint16_t state, std::span<const user_ref> operands, const shape& domain,
                     source_line where) {
    return over_operands(op::iterate, step, state, operands, loop_attribute(&step, state, operands.size(), domain), where);
}

user_ref record_recurrence(const region& step, std::uint16_t state, std::span<const user_ref> operands, const shape& domain,
                           int axis, bool backward, source_line where) {
    const axis_map along{.axis = axis, .step = backward ? -1 : 1};
    return over_operands(op::scan_along, step, state, operands,
                         loop_attribute(&step, state, operands.size(), domain, &along), where);
}

}  // namespace frit::v0::detail
