// From packed statements to SSA: every statement's postfix program is run against the graph builder, in recording order.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "frit/detail/attributes.hpp"
#include "frit/detail/short_rules.hpp"
#include "fusion/passes/passes.hpp"
#include "src/base/errors.hpp"
#include "src/complex/ops.hpp"
#include "src/graph/call.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/region.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

struct loop_expansion;
/// One for all states of a loop: of loops in loops each would else be made for each state of those around it.
using loop_expansions = std::map<const region*, loop_expansion>;
/// What a step of a loop is to the planner: made anew for each graph, since it depends on the device.
struct loop_expansion {
    loop_expansion(context& home, const region& step, loop_expansions&);
    std::shared_ptr<const fusion::loop_spec> spec;
    std::vector<std::pair<dtype, std::uint64_t>> constants;  ///< its last inputs: numbers of formulas that stand for an op

private:
    void add_operation(context& home, const region& step, const std::vector<std::size_t>& first_of, fusion::loop_spec& made,
                       loop_expansions&);
};

class expander {
public:
    expander(context& home, expansion& e, loop_expansions& loops) : home_(home), e_(e), loops_(loops) {}

    /// The values of a step's constants and statements, one after the other, behind those of its inputs.
    void run(const region& step, std::vector<expanded>& values) {
        for (const region::constant& c : step.constants)
            values.push_back({e_.graph.constant_of(register_dtype(c.type), c.bits), c.type});
        for (const region::statement& s : step.statements) {
            const fusion::value_id v = value_of({s.code, s.type}, region_operands{s, values});
            values.push_back({v, s.meant});
        }
    }
    /// Of a state, what it is from round to round: rounded, and in its register dtype.
    expanded kept(const expanded& x, dtype type) {
        if (is_complex(type)) return {complex_.real(x).value, type, complex_.imag(x).value};
        return {in_register(rounded(x.value, type).value), type};
    }

    void run() {
        for (node* n : e_.order) {
            e_.graph.statement_starts.push_back(static_cast<fusion::value_id>(e_.graph.values.size()));
            n->value = statement_value(*n);
        }
        for (node* n : e_.outputs) e_.graph.outputs.push_back(n->value);
    }

private:
    fusion::value_id leaf(node& n) {
        if (n.value == fusion::no_value) n.value = e_.graph.add_leaf(n.type, *n.extents, std::move(e_.leaves[n.number]));
        return n.value;
    }

    /// A library's result, or the formula that stands in where this machine's library has no such call.
    fusion::value_id library_value(op code, std::span<const fusion::value_id> operands) {
        const library_routine& routine = routine_of(code);
        if (routine.formula)
            if (const fusion::value_id v = routine.formula(e_.graph, code, operands, home_.engine.target());
                v != fusion::no_value)
                return v;
        return e_.graph.add_library(code, routine, operands);
    }

    /// What stands on the stack while a statement's program runs. A 16-bit dtype is computed in float32 and rounded where
    /// the statement ends, at casts, and in results of reductions and libraries: until then `type` says what it will be.
    using item = expanded;

    item cast(const item& x, dtype to) {
        if (is_complex(x.type) || is_complex(to)) {
            if (is_complex(x.type) && !is_complex(to) && to != dtype::bool_) return cast(complex_.real(x), to);
            return complex_.cast(is_complex(x.type) ? x : item{in_register(x.value), register_dtype(x.type)}, to);
        }
        return {e_.graph.add_cast(is_short(to) ? x.value : in_register(x.value), to), to};
    }

    /// Of a 16-bit float, the bits that it is stored with.
    item bit_cast(const item& x, dtype to) { return {e_.graph.add_bit_cast(rounded(x.value, x.type).value, to), to}; }

    fusion::value_id in_register(fusion::value_id v) {
        return e_.graph.add_cast(v, register_dtype(e_.graph.values[v].type));
    }
    item rounded(fusion::value_id v, dtype type) { return {is_short(type) ? e_.graph.add_cast(v, type) : v, type}; }

    item reduced(op code, const item& x, const attribute* over) {
        if (reduction(code).result == op_result::BOOL && is_complex(x.type))
            return reduced(code, complex_.cast(x, dtype::bool_), over);
        if (is_complex(x.type) && takes_places(code)) return place(code, x, over);
        const auto both = [&](op of_real, op of_imag) -> item {
            const item whole = fusion::takes_thirds(of_real) && !over ? as_vector(x) : x;
            const fusion::value_id re = complex_.real(whole).value, im = complex_.imag(whole).value;
            return {e_.graph.add_reduction(of_real, re, over, im), x.type, e_.graph.add_reduction(of_imag, re, over, im)};
        };
        if (is_complex(x.type) && code == op::prod) return both(op::prod_real, op::prod_imag);
        if (is_complex(x.type) && code == op::max) return both(op::max_real, op::max_imag);
        if (is_complex(x.type) && code == op::min) return both(op::min_real, op::min_imag);
        if (is_complex(x.type))
            return complex_.each_part(x, [&](fusion::value_id part) { return e_.graph.add_reduction(code, part, over); });
        return rounded(e_.graph.add_reduction(code, in_register(x.value), over), reduction_dtype(code, x.type));
    }

    /// What lies in memory in order, as a vector: places in it are one coordinate, and the loop over it is one loop.
    item as_vector(const item& x) {
        const fusion::value& v = e_.graph.values[x.value];
        if (x.imag != fusion::no_value || v.code != op::leaf || !e_.graph.leaves[v.index].strides.empty()) return x;
        if (v.extents->rank() < 2) return x;
        return {e_.graph.add_view(x.value, reshape_attribute(*v.extents, {-1}, unknown_line)), x.type};
    }

    /// argmin, argmax of complex numbers: the first that equals the row's best, or the first NaN, which nothing equals.
    item place(op code, const item& x, const attribute* over) {
        const shape& source = *e_.graph.values[x.value].extents;
        auto* kept = new attribute;
        const attribute_ref kept_ref(kept);
        kept->what = attribute::kind::reduce;
        kept->source = kept->result = source;
        kept->maps.resize(static_cast<std::size_t>(source.rank()));
        for (int k = 0; k < source.rank(); ++k)
            if (!over || over->maps[static_cast<std::size_t>(k)].axis < 0)
                kept->result.set(k, 1, unknown_line);
            else
                kept->maps[static_cast<std::size_t>(k)] = {.axis = k, .step = 1};
        const item best = reduced(code == op::argmax ? op::max : op::min, x, kept);
        const fusion::value_id is_best = complex_.applied(op::eq, std::array{x, best}).value;
        const fusion::value_id is_nan = complex_.applied(op::isnan, std::array{x}).value;
        const fusion::value_id candidates = e_.graph.add_op(op::bit_or, std::array{is_best, is_nan});
        return {e_.graph.add_reduction(op::argmax, candidates, over), dtype::i64};
    }

    /// A library's. Where it takes 16-bit floats as they are, it is given them as they are, unless one has more digits
    /// still: what the same statement computes is float32 until it ends.
    item library_item(op code, std::span<const item> operands) {
        const std::span<const item> alike = operands.first(library(code).promoted);
        dtype promoted = operands[0].type;
        for (const item& x : alike) promoted = promote(promoted, x.type);
        const auto takes_short = routine_of(code).takes_short;
        const bool as_it_is = is_short(promoted) && takes_short && takes_short(home_.engine.target()) &&
                              std::all_of(alike.begin(), alike.end(), [&](const item& x) {
                                  return promote(e_.graph.values[x.value].type, promoted) == promoted;
                              });
        in_.clear();
        for (const item& x : operands)
            in_.push_back(is_complex(x.type) ? complex_.whole(complex_.cast(x, promoted))
                          : as_it_is         ? x.value
                                             : in_register(x.value));
        return rounded(library_value(code, in_), library_dtypes_of(code, promoted).result);
    }

    /// A statement's program, and the dtype that it is rounded to where it ends.
    struct program_text {
        std::span<const instruction> code;
        dtype type;
        source_line where{};
    };

    /// The 16-bit dtype that instruction k's result, of `arity` operands, is rounded to by its only reader: a cast, an
    /// update or the statement's end.
    std::optional<dtype> rounded_next(const program_text& n, std::uint16_t k, std::size_t arity) const {
        const auto code = [&] { return n.code[k].code; };
        do ++k;
        while (k < n.code.size() && code() == op::view);
        dtype to = n.type;
        if (k < n.code.size() && code() == op::cast)
            to = n.code[k].type;
        else if (k < n.code.size() && code() == op::update)
            to = stack_[stack_.size() - arity - 1].type;
        else if (k < n.code.size())
            return std::nullopt;
        return is_short(to) ? std::optional(to) : std::nullopt;
    }

    /// Whether instruction k's result, of `arity` operands, may have fewer digits.
    bool may_be_short(const program_text& n, std::uint16_t k, std::size_t arity) const {
        return ends_short(
            n.code, n.type, k, stack_.size() - arity, [&](std::size_t at) { return stack_[at].type; },
            [&](std::size_t at) { return e_.graph.values[stack_[at].value].code == op::scalar; });
    }

    /// `where` of numbers that are stored in 16 bits, which moves their bits: of values and parameters of that dtype, or of
    /// anything where it is rounded to it next. Else none.
    fusion::value_id selected(std::span<const item> operands, std::optional<dtype> next) {
        const fusion::graph& g = e_.graph;
        const dtype type = promote(operands[1].type, operands[2].type);
        const auto is_stored = [&](const item& x) { return g.values[x.value].type == type; };
        const auto is_moved = [&](const item& x) {
            return is_stored(x) || (x.type == type && g.values[x.value].code == op::scalar);
        };
        const item &a = operands[1], &b = operands[2];
        if (!is_short(type) || !(is_stored(a) || is_stored(b))) return fusion::no_value;
        if (next != type && !(is_moved(a) && is_moved(b))) return fusion::no_value;
        in_ = {in_register(operands[0].value), e_.graph.add_cast(a.value, type), e_.graph.add_cast(b.value, type)};
        return e_.graph.add_op(op::where, in_);
    }

    /// An op of the table or of a library, on the last of the stack.
    /// @param next  see rounded_next;  short_enough: see may_be_short
    item applied(op code, std::span<const item> operands, std::optional<dtype> next, bool short_enough) {
        if (is_library(code)) return library_item(code, operands);
        const auto is_complex_item = [](const item& x) { return is_complex(x.type); };
        if (info(code).result == op_result::COMPLEX || std::any_of(operands.begin(), operands.end(), is_complex_item))
            return complex_.applied(code, operands);
        if (is_short(operands[0].type) && (code == op::pos || code == op::real || code == op::conj)) return operands[0];
        if (code == op::where)
            if (const fusion::value_id v = selected(operands, next); v != fusion::no_value)
                return {v, e_.graph.values[v].type};
        const std::size_t skipped = info(code).result == op_result::SELECT ? 1 : 0;
        dtype promoted = operands[skipped].type;
        in_.clear();
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (k > skipped) promoted = promote(promoted, operands[k].type);
            in_.push_back(in_register(operands[k].value));
        }
        if (code == op::nextafter && is_short(promoted))  // the neighbour in its own dtype: no function of the float32
            for (std::size_t k = 0; k < operands.size(); ++k) in_[k] = e_.graph.add_cast(operands[k].value, promoted);
        const fusion::value_id v = e_.graph.add_op(is_short(promoted) && short_enough ? short_form(code) : code, in_);
        const dtype type = resolve(code, promoted).result;
        return {v, is_short(type) ? type : e_.graph.values[v].type};
    }

    /// The base and its indices, on top of the stack, become the elements.
    void gather(const attribute& a) {
        const std::size_t first = stack_.size() - index_operands(a);
        in_.clear();
        for (std::size_t k = first; k < stack_.size(); ++k) in_.push_back(stack_[k].value);
        stack_.resize(first);
        item& base = stack_.back();
        base = {e_.graph.add_gather(complex_.whole(base), in_, a), base.type};
    }

    /// The operands of a loop or a recurrence, on top of the stack, become one of its states.
    void iterate(const attribute& a) {
        const std::size_t first = stack_.size() - static_cast<std::size_t>(a.maps[0].step);
        const item result = state_of(a, std::span(stack_).subspan(first));
        stack_.resize(first);
        stack_.push_back(result);
    }
    item state_of(const attribute& a, std::span<const item> operands) {
        const region& step = region_of(a);
        const auto state = static_cast<std::size_t>(a.maps[0].axis);
        const bool is_recurrence = a.maps.size() > 1;
        auto made = loops_.find(&step);
        if (made == loops_.end()) made = loops_.emplace(&step, loop_expansion(home_, step, loops_)).first;
        const loop_expansion& loop = made->second;
        in_.clear();
        if (!is_recurrence) in_.push_back(operands[0].value);
        std::size_t first = 0;  // of the state's parts
        for (std::size_t k = 0; k < step.inputs.size(); ++k) {
            if (k < state) first += is_complex(step.inputs[k].type) ? 2 : 1;
            const item& x = operands[is_recurrence ? k : k + 1];
            if (!is_complex(x.type)) {
                in_.push_back(in_register(x.value));
                continue;
            }
            in_.push_back(complex_.real(x).value);
            in_.push_back(complex_.imag(x).value);
        }
        for (const auto& [type, bits] : loop.constants) in_.push_back(e_.graph.constant_of(type, bits));
        // A step may read nothing of what it runs along.
        if (is_recurrence) in_[0] = e_.graph.broadcast(in_[0], e_.graph.intern(a.result));
        const auto result = [&](std::size_t part) {
            const auto number = static_cast<std::uint16_t>(part);
            return is_recurrence ? e_.graph.add_recurrence(loop.spec, number, in_, a.maps[1].axis, a.maps[1].step < 0)
                                 : e_.graph.add_iterate(loop.spec, number, in_);
        };
        const dtype type = step.inputs[state].type;
        const fusion::value_id value = result(first);
        if (!is_complex(type)) return {value, type};
        return {value, type, result(first + 1)};
    }

    /// A call's operands, or its first result, on top of the stack become one of its results.
    void call(const attribute& a, dtype type) {
        const std::size_t first = stack_.size() - static_cast<std::size_t>(a.maps[0].step);
        const auto number = static_cast<std::uint16_t>(a.maps[0].axis);
        in_.clear();
        if (number > 0) {
            const fusion::operand_list& of_call = e_.graph.values[stack_.back().value].in;
            in_.assign(of_call.begin(), of_call.end());
        }
        for (std::size_t k = first; number == 0 && k < stack_.size(); ++k)
            in_.push_back(e_.graph.values[stack_[k].value].code == op::scalar
                              ? stack_[k].value
                              : rounded(complex_.whole(stack_[k]), stack_[k].type).value);
        stack_.resize(first);
        stack_.push_back({e_.graph.add_call({&routine_of(a), number}, type, a.result, in_), type});
    }

    /// The base, indices and values on top of the stack become the base with the values. 16-bit ones are combined in
    /// float32, and rounded behind the last.
    void scatter(op code, const attribute& a) {
        const item value = stack_.back();
        stack_.pop_back();
        const std::size_t first = stack_.size() - index_operands(a);
        in_.clear();
        for (std::size_t k = first; k < stack_.size(); ++k) in_.push_back(stack_[k].value);
        stack_.resize(first);
        item& base = stack_.back();
        const auto whole = [&](const item& x) { return is_complex(x.type) ? complex_.whole(x) : in_register(x.value); };
        const library_routine& routine = lie_in_memory(in_, a) ? checking_scatter() : routine_of(code);
        const fusion::value_id result = e_.graph.add_scatter(code, routine, whole(base), in_, whole(value), a);
        base = rounded(result, base.type);
    }
    /// Whether a scatter's indices are those of a vector's elements, and stored, as the libraries take them: what a kernel
    /// would make of them is written and read once more.
    bool lie_in_memory(std::span<const fusion::value_id> indices, const attribute& a) const {
        if (a.source.rank() != 1 || indices.size() != 1) return false;
        const fusion::value& v = e_.graph.values[indices[0]];
        const fusion::value_id below = v.code == op::view ? v.in[0] : indices[0];
        if (e_.graph.values[below].code != op::leaf || *v.extents != a.result) return false;
        const bool few = a.source.size() <= std::numeric_limits<std::int32_t>::max();  // an int32 counts them from the end
        if (v.type != dtype::i64 && !(v.type == dtype::i32 && few)) return false;
        const auto at = fusion::access_of(e_.graph, indices[0], below);
        return at && fusion::reads_row_major(0, *v.extents, *at);
    }

    /// The operands of a node's statement.
    struct node_operands {
        expander& in;
        const node& of;
        std::uint16_t at = 0;
        item leaf() {
            node& operand = *of.leaves[at++];
            return {operand.stored() ? in.leaf(operand) : operand.value, operand.meant};
        }
        item scalar(dtype type) { return {in.e_.graph.add_scalar(register_dtype(type)), type}; }
        const attribute_ref& attribute(std::uint16_t k) { return of.attributes[k]; }
    };

    struct region_operands {
        const region::statement& of;
        const std::vector<item>& values;
        std::size_t at = 0;
        item leaf() { return values[of.operands[at++]]; }
        item scalar(dtype) { return leaf(); }
        const attribute_ref& attribute(std::uint16_t k) { return of.loops[k]; }
    };

    fusion::value_id statement_value(const node& n) {
        return value_of({{n.code->code, n.code->length}, n.type, n.where}, node_operands{*this, n});
    }

    template <class Operands>
    fusion::value_id value_of(const program_text& n, Operands operands) {
        fusion::graph& g = e_.graph;
        stack_.clear();
        std::uint16_t attribute_index = 0;
        const attribute* over = nullptr;
        for (std::uint16_t k = 0; k < n.code.size(); ++k) {
            const instruction i = n.code[k];
            const auto next = [&]() -> const attribute_ref& { return operands.attribute(attribute_index++); };
            switch (i.code) {
                case op::leaf: stack_.push_back(operands.leaf()); break;
                case op::scalar: stack_.push_back(operands.scalar(i.type)); break;
                case op::cast: stack_.back() = cast(stack_.back(), i.type); break;
                case op::bit_cast: stack_.back() = bit_cast(stack_.back(), i.type); break;
                case op::coord: stack_.push_back({g.add_coord(i.type, next()), i.type}); break;
                case op::view: {
                    const attribute_ref& map = next();
                    for (fusion::value_id* part : {&stack_.back().value, &stack_.back().imag})
                        if (*part != fusion::no_value) *part = g.add_view(*part, map);
                    break;
                }
                case op::axes: over = next().get(); break;
                case op::index: break;
                case op::gather: gather(*next()); break;
                case op::iterate:
                case op::scan_along: iterate(*next()); break;
                case op::call: call(*next(), i.type); break;
                case op::parameter:
                    throw error(
                        "iterate, scan_along: a state has a value inside its step alone, and there no number to be read" +
                        detail::place(n.where));
                case op::update: {
                    const fusion::value_id value = complex_.whole(stack_.back());
                    stack_.pop_back();
                    stack_.back() = {g.add_update(complex_.whole(stack_.back()), value, next()), stack_.back().type};
                    break;
                }
                default:
                    if (is_scatter(i.code)) {
                        scatter(i.code, *next());
                    } else if (is_reduction(i.code)) {
                        stack_.back() = reduced(i.code, stack_.back(), std::exchange(over, nullptr));
                    } else {
                        const std::size_t arity = arity_of(i.code);
                        const std::size_t first = stack_.size() - arity;
                        const bool has_short_form = is_elementwise(i.code) && short_form(i.code) != i.code;
                        const item result = applied(i.code, {stack_.data() + first, arity}, rounded_next(n, k, arity),
                                                    has_short_form && may_be_short(n, k, arity));
                        stack_.resize(first);
                        stack_.push_back(result);
                    }
            }
        }
        return rounded(complex_.whole(stack_.back()), n.type).value;
    }

    context& home_;
    expansion& e_;
    loop_expansions& loops_;
    const complex_ops complex_{e_.graph};
    std::vector<item> stack_;
    std::vector<fusion::value_id> in_;  ///< operands of the op at hand
};

std::uint16_t appended(std::vector<fusion::instruction>& code, const fusion::instruction& i) {
    const auto known = std::find(code.begin(), code.end(), i);
    if (known != code.end()) return static_cast<std::uint16_t>(known - code.begin());
    code.push_back(i);
    return static_cast<std::uint16_t>(code.size() - 1);
}
/// A loop inside a step, which all its states share. @returns the instruction that is this state
std::uint16_t state_inside(fusion::loop_spec& to, const fusion::loop_result& result, const fusion::operand_list& operands,
                           const std::vector<std::uint16_t>& place, const fusion::graph& g) {
    std::uint16_t last = place[operands[0]];
    for (int k = 0; k < operands.size(); ++k) {
        const std::uint16_t operand = place[operands[k]];
        last = appended(to.code, {op::feed, g.values[operands[k]].type, operand, k == 0 ? operand : last});
    }
    const auto known = std::find(to.loops.begin(), to.loops.end(), *result.loop);
    const auto number = static_cast<std::uint16_t>(known - to.loops.begin());
    if (known == to.loops.end()) to.loops.push_back(*result.loop);
    const std::uint16_t loop = appended(to.code, {op::iterate, dtype::i32, last, number});
    return appended(to.code, {op::state, result.loop->inputs[result.state], loop, result.state});
}

/// What these values are made of, with them.
std::vector<bool> needed_for(const std::vector<fusion::value_id>& results, const fusion::graph& g) {
    std::vector<bool> needed(g.values.size(), false);
    for (const fusion::value_id v : results) needed[v] = true;
    for (std::size_t v = g.values.size(); v-- > 0;)
        for (const fusion::value_id operand : g.values[v].in)
            if (needed[v]) needed[operand] = true;
    return needed;
}

/// What a loop ends by. Behind its next values there is the condition, where it has one.
void set_ends(const context& home, const region& step, fusion::loop_spec& made) {
    if (step.until != region::never) made.until = made.next.back(), made.next.pop_back();
    made.interruptible = step.interruptible && home.engine.target().device == fusion::target::kind::cpu;
}

/// The step's graph, contracted as any other, becomes the instructions of a loop.
loop_expansion::loop_expansion(context& home, const region& step, loop_expansions& loops) {
    expansion inner;
    fusion::graph& g = inner.graph;
    auto made = std::make_shared<fusion::loop_spec>();
    std::map<fusion::value_id, std::uint16_t> inputs;
    std::vector<std::size_t> first_of;  // by input of the step
    const auto input = [&](dtype type, bool is_number) {
        const fusion::value_id v = is_number ? g.add_scalar(type) : g.add_leaf(type, shape{}, {});
        inputs[v] = static_cast<std::uint16_t>(made->inputs.size());
        made->inputs.push_back(type);
        return v;
    };
    std::vector<expanded> values;
    for (const region::input& in : step.inputs) {
        const dtype part = register_dtype(real_dtype(in.type));
        first_of.push_back(made->inputs.size());
        const fusion::value_id first = input(part, in.is_number);
        values.push_back({first, in.type, is_complex(in.type) ? input(part, in.is_number) : fusion::no_value});
    }
    expander in_step(home, inner, loops);
    in_step.run(step, values);
    std::vector<fusion::value_id> results;
    for (std::size_t k = 0; k < step.next.size(); ++k) {
        const expanded next = in_step.kept(values[step.next[k]], step.inputs[k].type);
        results.push_back(next.value);
        if (next.imag != fusion::no_value) results.push_back(next.imag);
    }
    if (step.until != region::never) results.push_back(values[step.until].value);
    fusion::contract(g, home.engine.target());

    const std::vector<bool> needed = needed_for(results, g);
    std::vector<std::uint16_t> place(g.values.size());
    for (fusion::value_id v = 0; v < g.values.size(); ++v) {
        if (!needed[v]) continue;
        const fusion::value& x = g.values[v];
        fusion::instruction i{x.code, x.type};
        if (x.code == op::scalar && x.index >= fusion::constant_scalar && !inputs.contains(v)) {
            inputs[v] = static_cast<std::uint16_t>(made->inputs.size());
            made->inputs.push_back(x.type);
            constants.emplace_back(x.type, g.constants[x.index - fusion::constant_scalar]);
        }
        if (x.code == op::iterate) {
            place[v] = state_inside(*made, g.loops[x.index], x.in, place, g);
            continue;
        }
        if (const auto known = inputs.find(v); known != inputs.end()) {
            i = {op::load, x.type, known->second};
        } else {
            std::uint16_t* const operands[] = {&i.a, &i.b, &i.c};
            for (int k = 0; k < x.in.size(); ++k) *operands[k] = place[x.in[k]];
        }
        place[v] = static_cast<std::uint16_t>(made->code.size());
        made->code.push_back(i);
    }
    if (made->code.size() > UINT16_MAX) throw error("iterate: the step is too long");
    for (const fusion::value_id v : results) made->next.push_back(place[v]);
    set_ends(home, step, *made);
    if (step.operation) add_operation(home, step, first_of, *made, loops);
    spec = std::move(made);
}

/// The step's operation, with the inputs of the step that it reads, and numbers of its own.
void loop_expansion::add_operation(context& home, const region& step, const std::vector<std::size_t>& first_of,
                                   fusion::loop_spec& made, loop_expansions& loops) {
    const region* const combines = step.operation.get();
    auto known = loops.find(combines);
    if (known == loops.end()) known = loops.emplace(combines, loop_expansion(home, *combines, loops)).first;
    const loop_expansion& operation = known->second;
    for (std::size_t k = step.inputs.size() + step.states - step.operation->inputs.size(); k < step.inputs.size(); ++k)
        for (std::size_t part = 0; part < (is_complex(step.inputs[k].type) ? 2U : 1U); ++part)
            made.operands.push_back(static_cast<std::uint16_t>(first_of[k] + part));
    for (const auto& number : operation.constants) {
        made.operands.push_back(static_cast<std::uint16_t>(made.inputs.size()));
        made.inputs.push_back(number.first);
        constants.push_back(number);
    }
    made.operation.push_back(*operation.spec);
}

}  // namespace

void build_graph(context& home, expansion& e) {
    loop_expansions loops;
    if (e.graph.outputs.empty()) expander(home, e, loops).run();
}

expansion expand(context& home, std::span<node* const> roots, bool store_held) {
    expansion e = survey(home, roots, store_held);
    if (!e.blocked) build_graph(home, e);
    return e;
}

}  // namespace frit::v0::detail
