// From packed statements to SSA: walks the pending component below the roots (iteratively), and decides what a plan may
// depend on: which arrays are to be stored, and whose memory nobody else can see any more once this evaluation is over. What
// was found so may have a plan already; else every statement's postfix program is run against the graph builder.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <unordered_set>
#include <utility>

#include "src/base/errors.hpp"
#include "src/complex/ops.hpp"
#include "src/graph/eval.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t most_keyed = 10'000;  // statements: more do not come again

/// Pending nodes below the roots in recording order, which has operands first and keeps together what was written together:
/// where the planner must cut, it cuts between statements of the program.
std::vector<node*> collect(context& home, std::span<node* const> roots) {
    const std::uint64_t visit = ++home.visits;
    std::vector<node*> order;
    const auto meet = [&](node* n) {
        if (n->visit == visit) return;
        n->visit = visit;
        n->value = n->number = fusion::no_value;
        n->output = false;
        if (!n->stored()) order.push_back(n);
    };
    for (node* root : roots) meet(root);
    for (std::size_t k = 0; k < order.size(); ++k)
        for (std::uint16_t j = 0; j < order[k]->code->leaves; ++j) meet(order[k]->leaves[j]);
    std::sort(order.begin(), order.end(), [](const node* a, const node* b) { return a->recorded < b->recorded; });
    return order;
}

/// Which nodes nobody can reach any more afterwards: a node is dying if it is an output (its operands go) or if it is unheld
/// and all its users are dying nodes of this component. Counts, in `uses`, the references that dying nodes hold.
void find_dying(const std::vector<node*>& order) {
    for (node* n : order) {
        n->uses = 0;
        for (std::uint16_t j = 0; j < n->code->leaves; ++j) n->leaves[j]->uses = 0;
    }
    for (std::size_t k = order.size(); k-- > 0;) {
        node* n = order[k];
        n->dying = n->output || (!n->held() && n->users() == n->uses);
        if (!n->dying) continue;
        for (std::uint16_t j = 0; j < n->code->leaves; ++j) ++n->leaves[j]->uses;
    }
}

/// Whether n is an update of so small a region that writing it alone is worth something.
bool writes_little(const node& n) {
    return is_update(n) && 2 * n.attributes[n.code->attributes - 1]->result.size() <= n.extents->size();
}

/// The first state of an array that n updates, through updates of updates.
const node& before_updates(const node& n) {
    const node* base = &n;
    while (!base->stored() && is_update(*base)) base = base->leaves[0];
    return *base;
}

/// States of arrays that nobody holds any more, since they have been overwritten, and that statements beyond `order` read:
/// what stands in the way of updates in place.
std::vector<const node_head*> wanted_elsewhere(const std::vector<node*>& order) {
    std::vector<node*> states;
    for (node* n : order) {
        if (!n->dying && !n->held()) states.push_back(n);
        if (writes_little(*n) && n->leaves[0]->stored() && !n->leaves[0]->held()) states.push_back(n->leaves[0]);
    }
    for (node* n : states) n->number = 0;
    for (const node* n : order)
        for (std::uint16_t j = 0; j < n->code->leaves; ++j)
            if (n->leaves[j]->number != fusion::no_value) ++n->leaves[j]->number;
    std::vector<const node_head*> wanted;
    for (node* n : states)
        if (n->users() > std::exchange(n->number, fusion::no_value)) wanted.push_back(n);
    return wanted;
}

/// Constants, ranges and the like, which cost less to make than to read: they are never stored unasked.
bool is_cheap_generator(const node& n) {
    constexpr int cheap = 16;  // operations
    if (n.code->leaves > 0) return false;
    int operations = 0;
    for (std::uint16_t k = 0; k < n.code->length; ++k)
        if (is_elementwise(n.code->code[k].code)) operations += info(n.code->code[k].code).cost;
    return operations <= cheap;
}

/// What a later sum would contract: stored unasked, it would be rounded there and not elsewhere, and values shall not depend
/// on who else is evaluated. An update of all elements is what it writes.
bool is_product(const node& n) {
    const auto is_transparent = [&](op code) {
        return code == op::view || code == op::cast ||
               (code == op::update && n.attributes[n.code->attributes - 1]->result.size() == n.extents->size());
    };
    std::uint16_t last = n.code->length;
    while (last-- > 0 && is_transparent(n.code->code[last].code)) {
    }
    return n.code->code[last].code == op::mul && (is_complex(n.type) || (is_float(n.type) && !is_short(n.type)));
}

/// Whether the memory that n updates, through updates of updates, is its own if it is stored: nobody else wants it then. Or
/// is made here, where others wait for it (`together`).
bool is_in_place(const node& n, const context& home, bool together) {
    for (const node* update = &n;;) {
        const node& base = *update->leaves[0];  // the program of an update begins with what it updates
        if (base.stored()) return may_donate(base, base.uses, home);
        if (base.held() || !base.dying) return false;
        if (!is_update(base)) return together;
        update = &base;
    }
}

/// Numbers the arrays that the statements read, in the order in which they meet them.
void find_leaves(const context& home, expansion& e) {
    std::uint32_t buffers = 0;
    const std::uint64_t visit = home.visits;
    for (const node* reader : e.order)
        for (std::uint16_t j = 0; j < reader->code->leaves; ++j) {
            node& n = *reader->leaves[j];
            if (!n.stored() || n.number != fusion::no_value) continue;
            if (n.lost)
                throw error("the memory of an operand, " + std::string(name_of(n.type)) + " " + to_string(*n.extents) +
                            ", was taken over by an evaluation that then failed" + place(reader->where));
            buffer& memory = *n.memory.get();
            if (memory.visit != visit) {
                memory.visit = visit;
                memory.number = buffers++;
            }
            const auto address = reinterpret_cast<std::uintptr_t>(n.data());
            n.number = static_cast<std::uint32_t>(e.leaf_nodes.size());
            e.leaf_nodes.push_back(&n);
            e.leaves.push_back({.strides = n.strides ? *n.strides : std::vector<std::int64_t>(),
                                .offset = n.offset,
                                .buffer = memory.number,
                                .alignment = address == 0 ? 256 : 1u << std::min(std::countr_zero(address), 8),
                                .donatable = may_donate(n, n.uses, home)});
        }
}

/// Everything that a graph is made from, and who plans it, as bytes: equal keys, equal plans.
class survey_key {
public:
    std::string of(const context& home, const expansion& e) {
        key_.reserve(64 * (e.order.size() + e.leaves.size()));
        put(e.order.size() | e.outputs.size() << 32);
        put(e.leaves.size());
        put(std::uint64_t{home.engine.variant()} << 1 | std::uint64_t{fusion_on()});
        for (std::size_t k = 0; k < e.leaves.size(); ++k) leaf(e.leaves[k], *e.leaf_nodes[k]);
        for (const node* n : e.order) statement(*n);
        for (const node* n : e.outputs) put(std::uint64_t{n->number});
        return std::move(key_);
    }

private:
    void put(std::uint64_t x) { key_.append(reinterpret_cast<const char*>(&x), sizeof x); }
    void put(std::int64_t x) { put(static_cast<std::uint64_t>(x)); }
    void extents(const shape& s) {
        put(std::int64_t{s.rank()});
        for (const std::int64_t e : s) put(e);
    }
    void leaf(const fusion::leaf_info& l, const node& n) {
        put(std::uint64_t{l.buffer} << 32 | std::uint64_t{std::min(l.alignment, 64U)} << 16 |
            std::uint64_t{l.donatable} << 8 | static_cast<std::uint64_t>(n.type));
        put(l.offset);
        extents(*n.extents);
        put(l.strides.size());
        for (const std::int64_t s : l.strides) put(s);
    }
    void statement(const node& n) {
        const program& p = *n.code;
        static_assert(sizeof(instruction) == 2, "no bytes between or behind its members");
        put(p.length | std::uint64_t{p.leaves} << 16 | std::uint64_t{p.attributes} << 32);
        key_.append(reinterpret_cast<const char*>(p.code), p.length * sizeof(instruction));
        for (std::uint16_t k = 0; k < p.leaves; ++k) put(n.leaves[k]->number | std::uint64_t{n.leaves[k]->stored()} << 32);
        for (std::uint16_t k = 0; k < p.attributes; ++k) map(*n.attributes[k]);
    }
    void map(const attribute& a) {
        put(static_cast<std::uint64_t>(a.what) | std::uint64_t{a.maps.size()} << 8);
        extents(a.source);
        extents(a.result);
        for (const axis_map& m : a.maps) {
            put(static_cast<std::uint64_t>(m.axis + 1) | std::uint64_t{m.clamped} << 8);
            put(m.offset);
            put(m.step);
            if (!m.clamped) continue;
            put(m.lo);
            put(m.hi);
        }
    }
    std::string key_;
};

class expander {
public:
    expander(context& home, expansion& e) : home_(home), e_(e) {}

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
            if (const fusion::value_id v = routine.formula(e_.graph, operands, home_.engine.target()); v != fusion::no_value)
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

    fusion::value_id in_register(fusion::value_id v) {
        return e_.graph.add_cast(v, register_dtype(e_.graph.values[v].type));
    }
    item rounded(fusion::value_id v, dtype type) { return {is_short(type) ? e_.graph.add_cast(v, type) : v, type}; }

    item reduced(op code, const item& x, const attribute* over) {
        if (reduction(code).result == op_result::BOOL && is_complex(x.type))
            return reduced(code, complex_.cast(x, dtype::bool_), over);
        if (is_complex(x.type) && takes_places(code)) return place(code, x, over);
        const auto both = [&](op of_real, op of_imag) -> item {
            const fusion::value_id re = complex_.real(x).value, im = complex_.imag(x).value;
            return {e_.graph.add_reduction(of_real, re, over, im), x.type, e_.graph.add_reduction(of_imag, re, over, im)};
        };
        if (is_complex(x.type) && code == op::prod) return both(op::prod_real, op::prod_imag);
        if (is_complex(x.type) && code == op::max) return both(op::max_real, op::max_imag);
        if (is_complex(x.type) && code == op::min) return both(op::min_real, op::min_imag);
        if (is_complex(x.type))
            return complex_.each_part(x, [&](fusion::value_id part) { return e_.graph.add_reduction(code, part, over); });
        return rounded(e_.graph.add_reduction(code, in_register(x.value), over), reduction_dtype(code, x.type));
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
        dtype promoted = operands[0].type;
        for (const item& x : operands) promoted = promote(promoted, x.type);
        const auto takes_short = routine_of(code).takes_short;
        const bool as_it_is = is_short(promoted) && takes_short && takes_short(home_.engine.target()) &&
                              std::all_of(operands.begin(), operands.end(), [&](const item& x) {
                                  return promote(e_.graph.values[x.value].type, promoted) == promoted;
                              });
        in_.clear();
        for (const item& x : operands)
            in_.push_back(is_complex(x.type) ? complex_.whole(complex_.cast(x, promoted))
                          : as_it_is         ? x.value
                                             : in_register(x.value));
        return rounded(library_value(code, in_), library_dtypes_of(code, promoted).result);
    }

    /// The 16-bit dtype that instruction k's result, of `arity` operands, is rounded to by its only reader: a cast, an
    /// update or the statement's end.
    std::optional<dtype> rounded_next(const node& n, std::uint16_t k, std::size_t arity) const {
        const auto code = [&] { return n.code->code[k].code; };
        do ++k;
        while (k < n.code->length && code() == op::view);
        dtype to = n.type;
        if (k < n.code->length && code() == op::cast)
            to = n.code->code[k].type;
        else if (k < n.code->length && code() == op::update)
            to = stack_[stack_.size() - arity - 1].type;
        else if (k < n.code->length)
            return std::nullopt;
        return is_short(to) ? std::optional(to) : std::nullopt;
    }

    /// Whether instruction k's result, of `arity` operands, goes into a 16-bit result as it is, or by products and
    /// quotients, which keep relative errors, and sums with numbers. (A short form is next to 1 and -1 as exact as float32's
    /// function; what two arrays' difference leaves of it need not be.)
    bool ends_short(const node& n, std::uint16_t k, std::size_t arity) const {
        std::vector<bool> above;  // what is on the stack above the value: whether it is a number
        std::size_t below = stack_.size() - arity;
        while (++k < n.code->length) {
            const instruction& i = n.code->code[k];
            if (i.code == op::index) {
                if (above.empty()) return false;
            } else if (i.code == op::leaf || i.code == op::coord || i.code == op::scalar) {
                above.push_back(i.code == op::scalar);
            } else if (i.code == op::cast && above.empty()) {
                return is_short(i.type);
            } else if (i.code == op::update && above.empty()) {
                return is_short(stack_[below - 1].type);
            } else if (is_elementwise(i.code)) {
                const std::size_t operands = info(i.code).arity;
                if (above.size() < operands) {
                    const bool second = above.empty() && operands > 1;
                    const bool number = second ? e_.graph.values[stack_[below - 1].value].code == op::scalar
                                               : !above.empty() && above.back();
                    const bool keeps = i.code == op::mul || i.code == op::div || i.code == op::neg;
                    if (!keeps && !(number && (i.code == op::add || i.code == op::sub))) return false;
                    if (second) --below;
                    above.clear();
                } else {
                    above.resize(above.size() - operands);
                    above.push_back(false);
                }
            } else if (i.code != op::view && i.code != op::cast) {
                return false;
            }
        }
        return is_short(n.type);
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
    /// @param next  see rounded_next;  short_enough: see ends_short
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
        const fusion::value_id result = e_.graph.add_scatter(code, routine_of(code), whole(base), in_, whole(value), a);
        base = rounded(result, base.type);
    }

    item leaf_item(const node& n, std::uint16_t k) {
        node& operand = *n.leaves[k];
        return {operand.stored() ? leaf(operand) : operand.value, operand.meant};
    }

    fusion::value_id statement_value(const node& n) {
        fusion::graph& g = e_.graph;
        stack_.clear();
        std::uint16_t leaf_index = 0, attribute_index = 0;
        const attribute* over = nullptr;
        for (std::uint16_t k = 0; k < n.code->length; ++k) {
            const instruction i = n.code->code[k];
            const auto next = [&]() -> const attribute_ref& { return n.attributes[attribute_index++]; };
            switch (i.code) {
                case op::leaf: stack_.push_back(leaf_item(n, leaf_index++)); break;
                case op::scalar: stack_.push_back({g.add_scalar(register_dtype(i.type)), i.type}); break;
                case op::cast: stack_.back() = cast(stack_.back(), i.type); break;
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
                        const std::size_t arity = is_library(i.code) ? library(i.code).arity : info(i.code).arity;
                        const std::size_t first = stack_.size() - arity;
                        const bool has_short_form = is_elementwise(i.code) && short_form(i.code) != i.code;
                        const item result = applied(i.code, {stack_.data() + first, arity}, rounded_next(n, k, arity),
                                                    has_short_form && ends_short(n, k, arity));
                        stack_.resize(first);
                        stack_.push_back(result);
                    }
            }
        }
        return rounded(complex_.whole(stack_.back()), n.type).value;
    }

    context& home_;
    expansion& e_;
    const complex_ops complex_{e_.graph};
    std::vector<item> stack_;
    std::vector<fusion::value_id> in_;  ///< operands of the op at hand
};

/// Held arrays whose updates, in place, cost the regions; not to store them would take a copy of the base. One's base may be
/// read by another's update: all of them at first, less those that are not in place then. They are outputs now.
std::vector<node*> find_in_place(const context& home, const expansion& e, bool together) {
    std::vector<node*> updates;
    for (node* n : e.order)
        if (!n->dying && n->held() && is_update(*n) && !is_product(*n)) updates.push_back(n);
    while (!updates.empty()) {
        for (node* n : updates) n->output = true;
        find_dying(e.order);
        const auto stays = std::stable_partition(updates.begin(), updates.end(),
                                                 [&](const node* n) { return is_in_place(*n, home, together); });
        if (stays == updates.end()) break;
        for (auto n = stays; n != updates.end(); ++n) (*n)->output = false;
        updates.erase(stays, updates.end());
        if (updates.empty()) find_dying(e.order);
    }
    return updates;
}

/// What find_in_place() finds is stored. New arrays with it, unless `together` says so already, where more of what is asked
/// for is updated in place then: they would be computed again, from what it is to overwrite.
void store_in_place(const context& home, expansion& e, bool together) {
    const auto asked_in_place = [&] {
        return std::count_if(e.outputs.begin(), e.outputs.end(),
                             [&](const node* n) { return is_update(*n) && is_in_place(*n, home, true); });
    };
    const auto asked = std::count_if(e.outputs.begin(), e.outputs.end(), [](const node* n) { return is_update(*n); });
    std::vector<node*> updates = find_in_place(home, e, together);
    if (const auto before = asked_in_place(); !together && before < asked) {
        const auto undo = [&] {
            for (node* n : updates) n->output = false;
            find_dying(e.order);
        };
        undo();
        updates = find_in_place(home, e, true);
        if (asked_in_place() == before) {
            undo();
            updates = find_in_place(home, e, false);
        }
    }
    for (node* n : updates) {
        e.outputs.push_back(n);
        e.passed.emplace_back(n, nullptr);
    }
}

/// What outlives this evaluation without being asked for is stored when it is passed the second time, held or not: a loop
/// that evaluates something beside its state would otherwise begin at the beginning in every round. And it is stored when it
/// is passed first, where that has been learnt. From the last statement back: what only led to one that is stored is not
/// wanted any more.
void store_what_was_learnt(context& home, expansion& e) {
    std::unordered_set<const lesson*> taught;  // by this evaluation
    for (const node* n : e.order)
        if (const lesson* const passed = n->watched.load(std::memory_order_relaxed);
            passed && !n->dying && !passed->in_vain())
            taught.insert(passed);
    const auto first = static_cast<std::ptrdiff_t>(e.outputs.size());
    for (std::size_t k = e.order.size(); k-- > 0;) {
        node* n = e.order[k];
        if (n->dying) continue;
        n->dying = !n->held() && n->users() == n->uses;
        if (!n->dying && !is_cheap_generator(*n)) {
            const lesson* const passed = n->watched.load(std::memory_order_relaxed);
            lesson& about = home.learnt.of(*e.outputs[0], *n);
            n->dying = passed || (!is_product(*n) && (about.store() || taught.contains(&about)));
            if (n->dying) {
                n->output = true;
                e.outputs.push_back(n);
            }
            e.passed.emplace_back(n, passed ? nullptr : &about);
        }
        if (!n->dying) continue;
        for (std::uint16_t j = 0; j < n->code->leaves; ++j) ++n->leaves[j]->uses;
    }
    std::reverse(e.outputs.begin() + first, e.outputs.end());
}

/// e.order anew, below `ends`.
void walk_from(context& home, std::span<node* const> ends, expansion& e) {
    e.order = collect(home, ends);
    for (node* n : e.outputs) n->output = true;
    find_dying(e.order);
}

/// Arrays that updates have coupled: those of the others are evaluated together with what is asked for, since the states
/// between would have to be kept for them, and those that these are coupled with. @returns whether there are any
bool add_updates_of_others(context& home, std::span<node* const> roots, expansion& e) {
    constexpr int most_rounds = 8;
    const auto updates = std::count_if(e.order.begin(), e.order.end(), [](const node* n) { return is_update(*n); });
    if (home.pending_updates() == updates) return false;
    std::vector<node*> ends(roots.begin(), roots.end());
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<const node_head*> wanted = wanted_elsewhere(e.order);
        if (wanted.empty()) break;
        const std::vector<node_head*> heads(ends.begin(), ends.end());
        const std::vector<handle_ref> others = home.held_with(heads, wanted);
        const std::size_t before = ends.size();
        const auto largest = std::max_element(wanted.begin(), wanted.end(), [](const node_head* a, const node_head* b) {
            return as_node(a)->bytes() < as_node(b)->bytes();
        });
        const std::size_t most = as_node(*largest)->bytes();  // of a new array: more than a copy of the state is no gain
        for (const handle_ref& other : others)
            if (node* n = as_node(other.get()); n->visit != home.visits && !n->stored() && is_update(*n) && !is_product(*n))
                if (n->bytes() <= most || before_updates(*n).stored()) ends.push_back(n);
        if (ends.size() == before) break;
        e.others.insert(e.others.end(), others.begin(), others.end());
        walk_from(home, ends, e);
        if (std::any_of(e.order.begin(), e.order.end(),
                        [](const node* n) { return n->now.load(std::memory_order_acquire) == node::state::in_flight; })) {
            walk_from(home, roots, e);
            return false;
        }
    }
    return ends.size() > roots.size();
}

}  // namespace

expansion survey(context& home, std::span<node* const> roots, bool store_held, bool alone) {
    expansion e;
    e.order = collect(home, roots);
    for (const node* n : e.order) e.blocked = e.blocked || n->now.load(std::memory_order_acquire) == node::state::in_flight;
    if (e.blocked) return e;
    const auto store = [&](node* n) {
        if (!std::exchange(n->output, true)) e.outputs.push_back(n);
    };
    for (node* n : roots)
        if (!n->stored()) store(n);
    if (store_held)
        for (node* n : e.order)
            if (n->held()) store(n);
    e.asked = e.outputs.size();
    find_dying(e.order);
    const bool together = !alone && add_updates_of_others(home, roots, e);
    if (!alone) {
        store_in_place(home, e, together);
        store_what_was_learnt(home, e);
    }
    if (together) {  // less what is not stored after all
        walk_from(home, e.outputs, e);
        std::erase_if(e.passed, [&](const auto& p) { return p.first->visit != home.visits; });
    }
    for (std::size_t k = 0; k < e.order.size(); ++k) {
        node& n = *e.order[k];
        n.number = static_cast<std::uint32_t>(k);
        e.scalars.insert(e.scalars.end(), n.scalars, n.scalars + n.code->scalars);
    }
    find_leaves(home, e);
    if (e.order.size() <= most_keyed) e.key = survey_key().of(home, e);
    return e;
}

void build_graph(context& home, expansion& e) {
    if (e.graph.outputs.empty()) expander(home, e).run();
}

expansion expand(context& home, std::span<node* const> roots, bool store_held) {
    expansion e = survey(home, roots, store_held);
    if (!e.blocked) build_graph(home, e);
    return e;
}

void learn(const expansion& e) noexcept {
    for (const std::vector<node*>* nodes : {&e.order, &e.leaf_nodes})
        for (node* n : *nodes) was_read(*n);
    for (const auto& [n, about] : e.passed) n->watched.store(about, std::memory_order_relaxed);
}

void was_read(node& n) noexcept {
    lesson* const l = n.watched.load(std::memory_order_relaxed);
    if (!l) return;
    n.watched.store(nullptr, std::memory_order_relaxed);
    n.stored() ? l->was_read() : l->was_wanted();
}

}  // namespace frit::v0::detail
