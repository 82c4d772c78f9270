// See region.hpp.
#include "src/graph/region.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "frit/expr.hpp"
#include "src/base/errors.hpp"
#include "src/base/recently_used.hpp"
#include "src/graph/context.hpp"
#include "src/graph/node.hpp"
#include "src/graph/programs.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

thread_local tracing* recorded_now = nullptr;

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
    add(r.interruptible);
    return h;
}

/// Those used last. A program's loops come again, with the plans that are known by their numbers; one with other constants
/// each time (numbers for which a loop has no room) does not grow for ever.
struct region_list {
    struct key {
        std::uint64_t hash = 0;
        const region* content = nullptr;  ///< lives as long as the entry
        bool operator==(const key& o) const { return hash == o.hash && *content == *o.content; }
    };
    static constexpr std::size_t most = 1024;
    std::mutex lock;
    std::uint64_t count = 0;
    recently_used<key, const known_region> all{most, SIZE_MAX};
};
region_list& regions() {
    static auto* const list = new region_list;  // never destroyed, as all singletons
    return *list;
}

/// The region with this content: of equal ones used lately the same.
region_ref known(region r) {
    region_list& list = regions();
    const std::lock_guard guard(list.lock);
    const std::uint64_t hash = hash_of(r);
    const region_ref fresh = std::make_shared<const known_region>(std::move(r), ++list.count);
    return list.all.get(
        {hash, fresh.get()}, [&] { return fresh; }, [](const known_region&) { return std::size_t{0}; });
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

void let_go_of_region(const void* kept) noexcept { delete static_cast<const region_ref*>(kept); }
const region_ref& kept_by(const attribute& a) { return *static_cast<const region_ref*>(a.keeps); }

/// @param step  null: of a state in its step
attribute_ref loop_attribute(const region_ref& step, int state, std::size_t operands, const shape& domain,
                             const axis_map* along = nullptr) {
    auto* a = new attribute;
    attribute_ref ref(a);
    a->what = attribute::kind::iterate;
    a->source = a->result = domain;
    a->maps = {{.axis = state,
                .offset = step ? static_cast<std::int64_t>(step->number) : 0,
                .step = static_cast<std::int64_t>(operands)}};
    if (along) a->maps.push_back(*along);
    if (!step) return ref;
    a->keeps = new region_ref(step);
    a->let_go = let_go_of_region;
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

/// The bits of a node that is a real number, as a launch has them: of a 16-bit float those of a float32.
std::optional<std::uint64_t> number_in(const node& n) {
    const bool is_number = !n.stored() && n.code->length == 1 && n.code->code[0].code == op::scalar &&
                           n.scalars[0].high == 0 && !is_complex(n.meant);
    return is_number ? std::optional(n.scalars[0].low) : std::nullopt;
}

/// Takes what a step recorded apart. A step is recorded at every call, so this is a part of what a warm loop or recurrence
/// costs: what most of them have is found without the heap.
class tracer {
public:
    /// @param numbers  how many of the numbers may be inputs
    /// @param inside  formulas that do not depend on the states are computed in the loop, too: their operands are fewer
    tracer(std::string_view who, std::span<const user_ref> states, std::size_t numbers, bool inside, source_line where)
        : who_(who), where_(where), most_numbers_(numbers), inside_(inside) {
        made_.inputs.reserve(most_of_few);
        captured_.reserve(most_of_few);
        for (const user_ref& s : states) {
            facts_[as_node(s.get())].value = {kind::input, made_.inputs.size()};
            made_.inputs.push_back({s->meant, false});
        }
        made_.states = static_cast<std::uint16_t>(states.size());
        first_ = as_node(states[0].get())->recorded;
    }

    void take_apart(std::span<const user_ref> next, const user_ref& until) {
        std::vector<node*>& roots = roots_;
        roots.reserve(next.size() + 1);
        for (const user_ref& n : next) roots.push_back(as_node(n.get()));
        if (until) roots.push_back(as_node(until.get()));
        const std::vector<node*> nodes = in_order(roots);
        fragments_.reserve(nodes.size());
        // What is captured stands in front of the statements' results, so it is found first.
        for (node* n : nodes)
            if (const fact& known = facts_.at(n); known.depends && !known.value) {
                fragment f = taken_apart(*n);
                facts_.at(n).value = {kind::statement, fragments_.size()};
                fragments_.push_back(std::move(f));
            }
        for (node* n : roots)
            if (!depends(*n) && !is_inside(*n)) capture(n);
        take_inside();
    }
    std::size_t inputs() const { return made_.inputs.size(); }
    /// How many of them are numbers.
    std::size_t numbers() const { return numbers_; }

    traced made(bool has_until, bool interruptible) {
        if (inputs() + fragments_.size() + 2 * made_.constants.size() >= region::never)
            throw error(std::string(who_) + ": the step is too long" + place(where_));
        made_.interruptible = interruptible;
        made_.statements.reserve(fragments_.size());
        for (fragment& f : fragments_) {
            for (const attribute_ref& inside : f.loops)
                made_.interruptible = made_.interruptible || region_of(*inside).interruptible;
            region::statement& s = made_.statements.emplace_back(
                region::statement{std::move(f.code), {}, f.of->type, f.of->meant, std::move(f.loops)});
            s.operands.reserve(f.operands.size());
            for (const reference o : f.operands) s.operands.push_back(final(o));
        }
        made_.next.reserve(roots_.size());
        for (node* n : roots_) made_.next.push_back(final(*facts_.at(n).value));
        if (has_until) made_.until = made_.next.back(), made_.next.pop_back();
        return {known(std::move(made_)), std::move(captured_)};
    }

private:
    static constexpr std::size_t most_of_few = 8;  // room that lists begin with
    enum class kind : std::uint8_t { input, constant, statement };
    /// A value of the region by its number among those of its kind, until it is known how many there are of each.
    struct reference {
        kind what;
        std::size_t number;
    };
    region::reference final(reference x) const {
        const std::size_t before = x.what == kind::input      ? 0
                                   : x.what == kind::constant ? inputs()
                                                              : inputs() + made_.constants.size();
        const bool moved = x.what == kind::statement && !places_.empty();
        return static_cast<region::reference>(before + (moved ? places_[x.number] : x.number));
    }
    /// What is known of a node.
    struct fact {
        bool met = false, depends = false;  ///< of one that the step recorded: on its states
        std::optional<reference> value;
    };
    /// A part of a statement's program, [from, to) with its operands: one that does not depend on states, or the whole of
    /// what has been met of one that does. What stands there of it in the region begins at these places of the fragment.
    struct part {
        bool moves;
        std::size_t from, to, leaf, leaf_end, scalar, scalar_end, attribute, attribute_end;
        std::size_t code_place, operand_place;
    };
    /// What a statement becomes.
    struct fragment {
        const node* of;
        std::vector<instruction> code{};
        std::vector<reference> operands{};
        std::vector<attribute_ref> loops{};
        explicit fragment(const node& n) : of(&n) {
            code.reserve(n.code->length);
            operands.reserve(std::size_t{n.code->leaves} + n.code->scalars);
        }
        void add(instruction i, reference operand) {
            code.push_back(i);
            operands.push_back(operand);
        }
    };

    /// What was recorded since the step began, and leads to the roots.
    std::vector<node*> in_order(const std::vector<node*>& roots) {
        std::vector<node*> stack, all;
        stack.reserve(most_of_few);
        all.reserve(most_of_few);
        stack.insert(stack.end(), roots.begin(), roots.end());
        while (!stack.empty()) {
            node* const n = stack.back();
            stack.pop_back();
            if (n->stored() || n->recorded < first_ || std::exchange(facts_[n].met, true)) continue;
            all.push_back(n);
            stack.insert(stack.end(), n->leaves, n->leaves + n->code->leaves);
        }
        std::sort(all.begin(), all.end(), [](const node* a, const node* b) { return a->recorded < b->recorded; });
        for (node* n : all) {
            fact& known = facts_.at(n);
            known.depends = known.value || std::any_of(n->leaves, n->leaves + n->code->leaves,
                                                       [this](const node* x) { return depends(*x); });
        }
        return all;
    }
    bool depends(const node& n) const {
        const auto it = facts_.find(&n);
        return it != facts_.end() && it->second.depends;
    }

    reference capture(node* n, bool is_number = false) {
        std::optional<reference>& value = facts_[n].value;
        if (value) return *value;
        const std::optional<std::uint64_t> bits = number_in(*n);
        if (bits && numbers_ == most_numbers_) {
            value = {kind::constant, made_.constants.size()};
            made_.constants.push_back({n->meant, *bits});
            kept_.emplace_back(n);
        } else {
            if (bits) ++numbers_;
            value = {kind::input, made_.inputs.size()};
            made_.inputs.push_back({n->meant, is_number});
            captured_.emplace_back(n);
        }
        return *value;
    }
    /// What does not depend on the states: computed once, outside the loop. Of a 16-bit dtype it is not rounded, as it would
    /// not be inside the statement.
    reference capture(const node& n, const part& p) {
        const instruction* const code = n.code->code;
        if (p.to - p.from == 1 && code[p.from].code == op::leaf) return capture(n.leaves[p.leaf]);
        std::array<node_head*, max_program_length> leaves;
        std::copy(n.leaves + p.leaf, n.leaves + p.leaf_end, leaves.begin());
        const user_ref value = record_part(statement_of({code + p.from, p.to - p.from}, {leaves.data(), p.leaf_end - p.leaf},
                                                        n.scalars + p.scalar, n.attributes + p.attribute, where_));
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
    static part all_of(const node& n) { return {false, 0, n.code->length, 0, n.code->leaves, 0, 0, 0, 0, 0, 0}; }
    void add_captured(fragment& f, reference x) const {
        const region::input in =
            x.what == kind::input ? made_.inputs[x.number] : region::input{made_.constants[x.number].type, true};
        f.add({in.is_number ? op::scalar : op::leaf, in.type}, x);
    }
    /// What does not depend on the states becomes an operand, or is computed inside.
    void take(const node& n, const part& p, fragment& f) {
        if (!inside_ || !is_formula(n, p)) return add_captured(f, capture(n, p));
        std::size_t leaf = p.leaf, scalar = p.scalar;
        for (std::size_t k = p.from; k < p.to; ++k) {
            const instruction& i = n.code->code[k];
            if (i.code == op::leaf) {
                take(n.leaves[leaf++], f);
            } else if (i.code == op::scalar) {
                add_captured(f,
                             capture(n, {false, k, k + 1, leaf, leaf, scalar, scalar + 1, p.attribute, p.attribute, 0, 0}));
                ++scalar;
            } else if (i.code != op::view) {
                f.code.push_back(i);
            }
        }
    }
    void take(node* n, fragment& f) {
        if (!is_inside(*n)) return add_captured(f, capture(n));
        f.add({op::leaf, n->meant}, inside_statement(n));
    }
    /// Whether it is one of the loop's statements without depending on the states.
    bool is_inside(const node& n) const {
        return inside_ && !n.stored() && n.recorded >= first_ && !depends(n) && n.code->length > 1 &&
               is_formula(n, all_of(n));
    }
    fragment taken_inside(const node& n) {
        fragment whole(n);
        take(n, all_of(n), whole);
        return whole;
    }
    /// A formula inside as the statement that it becomes.
    reference inside_statement(node* n) {
        std::optional<reference>& value = facts_[n].value;
        if (!value) {
            value = {kind::statement, fragments_.size()};
            fragments_.emplace_back(*n);
            asked_.push_back(n);
        }
        return *value;
    }
    /// The formulas inside that the loop's statements read, and what those read: not what only captured values are computed
    /// from. Then all stand in the order in which they were recorded.
    void take_inside() {
        for (node* n : roots_)
            if (is_inside(*n)) (void)inside_statement(n);
        for (std::size_t k = 0; k < asked_.size(); ++k) {
            fragment whole = taken_inside(*asked_[k]);
            fragments_[facts_.at(asked_[k]).value->number] = std::move(whole);
        }
        if (asked_.empty()) return;
        std::vector<std::size_t> order(fragments_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [this](std::size_t a, std::size_t b) { return fragments_[a].of->recorded < fragments_[b].of->recorded; });
        std::vector<fragment> sorted;
        places_.resize(order.size());
        for (const std::size_t k : order) {
            places_[k] = sorted.size();
            sorted.push_back(std::move(fragments_[k]));
        }
        fragments_ = std::move(sorted);
    }

    /// A statement with what it captures.
    fragment taken_apart(const node& n) {
        fragment f(n);
        std::array<part, max_program_length> stack;
        std::size_t top = 0, leaf = 0, scalar = 0, attribute = 0;
        for (std::size_t k = 0; k < n.code->length; ++k) {
            const instruction& i = n.code->code[k];
            part here{false, k, k + 1, leaf, leaf, scalar, scalar, attribute, attribute, f.code.size(), f.operands.size()};
            if (i.code == op::leaf) {
                const node& from = *n.leaves[leaf++];
                here.moves = depends(from);
                if (here.moves) f.add({op::leaf, i.type}, *facts_.at(&from).value);
            }
            const std::size_t arity = arity_in(n, k, attribute);
            if (i.code == op::scalar) ++scalar;
            if (has_attribute(i.code)) ++attribute;
            here.leaf_end = leaf, here.scalar_end = scalar, here.attribute_end = attribute;
            top -= arity;
            stack[top] = arity > 0 ? combined(n, i, {&stack[top], arity}, here, f) : here;
            ++top;
        }
        return f;
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
    part combined(const node& n, const instruction& i, std::span<const part> operands, part here, fragment& f) {
        here.from = operands[0].from, here.leaf = operands[0].leaf;
        here.scalar = operands[0].scalar, here.attribute = operands[0].attribute;
        here.code_place = operands[0].code_place, here.operand_place = operands[0].operand_place;
        here.moves = std::any_of(operands.begin(), operands.end(), [](const part& p) { return p.moves; });
        if (!here.moves || (i.code == op::view && shows_all(*n.attributes[here.attribute_end - 1]))) return here;
        if (!is_computed(i.code) && i.code != op::iterate)
            throw error(std::string(who_) +
                        ": a step computes element by element, and what it has of its states goes into " +
                        std::string(i.code == op::view   ? "a view"
                                    : i.code == op::axes ? "a reduction"
                                                         : name_of(i.code)) +
                        place(n.where));
        take_between(n, operands, f);
        if (i.code == op::iterate) {
            const attribute& a = *n.attributes[here.attribute_end - 1];
            f.loops.push_back(loop_attribute(kept_by(a), a.maps[0].axis, operands.size(), shape{}));
        }
        f.code.push_back(i);
        return here;
    }
    /// Those operands of an instruction that do not move, each put where it belongs among those that do.
    void take_between(const node& n, std::span<const part> operands, fragment& f) {
        const std::size_t codes = f.code.size(), references = f.operands.size();
        const auto put = [](auto& list, std::size_t place, std::size_t end) {
            using distance = std::ptrdiff_t;
            std::rotate(list.begin() + static_cast<distance>(place), list.begin() + static_cast<distance>(end), list.end());
        };
        for (const part& p : operands) {
            if (p.moves) continue;
            const std::size_t code = f.code.size(), reference = f.operands.size();
            take(n, p, f);
            put(f.code, p.code_place + code - codes, code);
            put(f.operands, p.operand_place + reference - references, reference);
        }
    }

    const std::string_view who_;
    const source_line where_;
    region made_;
    std::uint64_t first_ = 0;
    std::array<std::byte, 1024> room_;  ///< of the first entries
    std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
    std::pmr::unordered_map<const node*, fact> facts_{&memory_};
    std::vector<fragment> fragments_;
    std::vector<node*> asked_;               ///< formulas inside that are statements
    std::vector<std::size_t> places_;        ///< where fragments have gone to, where some are inside
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

std::atomic<std::size_t> known_region::alive{0};
const region& region_of(const attribute& a) { return *kept_by(a); }

void lock_regions_for_fork() { regions().lock.lock(); }
void unlock_regions_after_fork() { regions().lock.unlock(); }

std::optional<std::uint64_t> number_in(const user_ref& x) { return number_in(*as_node(x.get())); }

tracing::tracing() noexcept : around_(std::exchange(recorded_now, this)) {}
tracing::tracing(const shape& domain, source_line where) noexcept
    : domain_(&domain), where_(where), around_(std::exchange(recorded_now, this)) {}
tracing::~tracing() { recorded_now = around_; }
tracing* tracing::innermost() noexcept { return recorded_now; }
user_ref& tracing::met() {
    if (!met_ && domain_) met_ = parameter_of(dtype::bool_, *domain_, where_);
    return met_;
}

user_ref parameter_of(dtype type, const shape& extents, source_line where) {
    const instruction step{op::parameter, type};
    const attribute_ref a = loop_attribute(nullptr, 0, 0, extents);
    return recorded({&step, 1}, {}, &a, where);
}

traced trace(std::string_view who, std::span<const user_ref> states, std::span<const user_ref> next, const user_ref& until,
             std::size_t room, bool interruptible, source_line where) {
    std::optional<tracer> t;
    for (const bool inside : {false, true}) {
        constexpr std::size_t all = SIZE_MAX;
        t.emplace(who, states, all, inside, where).take_apart(next, until);
        if (t->inputs() <= room) break;
        const std::size_t numbers = t->numbers(), too_many = std::min(numbers, t->inputs() - room);
        t.emplace(who, states, numbers - too_many, inside, where).take_apart(next, until);
        if (t->inputs() <= room) break;
    }
    return t->made(static_cast<bool>(until), interruptible);
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
    return {known(std::move(r)), std::move(captured)};
}

namespace {
user_ref over_operands(op code, const region_ref& step, std::uint16_t state, std::span<const user_ref> operands,
                       const attribute_ref& a, source_line where) {
    std::array<instruction, max_program_length> steps;
    std::array<node_head*, max_program_length> leaves;
    std::size_t count = 0;
    for (const user_ref& o : operands) {
        steps[count] = {op::leaf, o->meant};
        leaves[count++] = o.get();
    }
    steps[count] = {code, step->inputs[state].type};
    return recorded({steps.data(), count + 1}, {leaves.data(), count}, &a, where);
}
}  // namespace

user_ref record_loop(const region_ref& step, std::uint16_t state, std::span<const user_ref> operands, const shape& domain,
                     source_line where) {
    return over_operands(op::iterate, step, state, operands, loop_attribute(step, state, operands.size(), domain), where);
}

user_ref record_recurrence(const region_ref& step, std::uint16_t state, std::span<const user_ref> operands,
                           const shape& domain, int axis, bool backward, source_line where) {
    const axis_map along{.axis = axis, .step = backward ? -1 : 1};
    return over_operands(op::scan_along, step, state, operands, loop_attribute(step, state, operands.size(), domain, &along),
                         where);
}

}  // namespace frit::v0::detail
