// What an evaluation is about, before there is a graph of it: walks the pending component below the roots (iteratively), and
// decides what a plan may depend on: which arrays are to be stored, and whose memory nobody else can see any more once this
// evaluation is over. What was found so may have a plan already; else expand.cpp makes a graph of it.
#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

#include "src/base/errors.hpp"
#include "src/graph/eval.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t most_keyed = 10'000;  // statements: more do not come again

/// Pending nodes below the roots, and the other results of their calls, in recording order, which has operands first and
/// keeps together what was written together: where the planner must cut, it cuts between statements of the program.
/// @param others  keeps those results
std::vector<node*> collect(context& home, std::span<node* const> roots, std::vector<handle_ref>& others) {
    const std::uint64_t visit = ++home.visits;
    std::vector<node*> order;
    order.reserve(8);
    const auto meet = [&](node* n) {
        if (n->visit == visit) return;
        n->visit = visit;
        n->value = n->number = fusion::no_value;
        n->output = false;
        if (!n->stored()) order.push_back(n);
    };
    for (node* root : roots) meet(root);
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (std::uint16_t j = 0; j < order[k]->code->leaves; ++j) meet(order[k]->leaves[j]);
        if (!is_call(*order[k])) continue;
        for (handle_ref& other : home.siblings_of(*order[k])) {
            if (as_node(other.get())->visit == visit) continue;
            meet(as_node(other.get()));
            others.push_back(std::move(other));
        }
    }
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

constexpr int cheap = 16, cheap_at_random = 512;  // operations

/// What it takes to make a value of nothing. Found out until it is too much, as it is where memory is read.
struct making {
    const context* home;
    int operations = 0;
    bool random = false;
    void add(const node& n) {
        ++operations;
        if (n.home != home || n.stored()) {
            operations = cheap_at_random + 1;
            return;
        }
        for (std::uint16_t k = 0; k < n.code->length && operations <= cheap_at_random; ++k) {
            const op code = n.code->code[k].code;
            if (is_elementwise(code)) operations += info(code).cost;
            random |= code == op::philox32 || code == op::philox64;
        }
        for (std::uint16_t k = 0; k < n.code->leaves && operations <= cheap_at_random; ++k) add(*as_node(n.leaves[k]));
    }
};
/// Constants, ranges and the like, which cost less to make than to read, and random numbers of few words: they are never
/// stored unasked.
bool is_cheap_generator(const node& n) {
    making m{n.home};
    m.add(n);
    return m.random ? m.operations <= cheap_at_random : n.code->leaves == 0 && m.operations <= cheap + 1;
}

/// Other strides over what it reads, and nothing else.
bool is_view(const node& n) {
    const auto is_affine = [](const attribute_ref& a) {
        return a->what == attribute::kind::affine &&
               std::none_of(a->maps.begin(), a->maps.end(), [](const axis_map& m) { return m.clamped; });
    };
    return std::all_of(n.code->code + 1, n.code->code + n.code->length,
                       [](const instruction& i) { return i.code == op::view; }) &&
           n.code->code[0].code == op::leaf && n.type == n.leaves[0]->type &&
           std::all_of(n.attributes, n.attributes + n.code->attributes, is_affine);
}

/// A view of an array that lies there for somebody else as well, and is not much larger: there is nothing to compute again,
/// and to store it would be a copy.
bool is_view_of_held(const node& n) {
    const node* base = &n;
    while (!base->stored() && is_view(*base)) base = base->leaves[0];
    return base->stored() && base->held() && 2 * n.bytes() >= base->bytes();
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
    e.leaf_nodes.reserve(8);
    e.leaves.reserve(8);
    for (const node* reader : e.order)
        for (std::uint16_t j = 0; j < reader->code->leaves; ++j) {
            node& n = *reader->leaves[j];
            if (!n.stored() || n.number != fusion::no_value) continue;
            if (n.lost) std::rethrow_exception(n.lost);  // what has failed fails again
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
        if (!n->dying && !is_cheap_generator(*n) && !is_view_of_held(*n)) {
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

/// What a program's own code has made is stored when it has run, so that it runs once: what lives on, and all results of a
/// call of several.
void store_calls(expansion& e) {
    const std::size_t before = e.outputs.size();
    for (node* n : e.order)
        if (is_call(*n) && !n->output && (n->sibling || !n->dying)) {
            n->output = true;
            e.outputs.push_back(n);
        }
    if (e.outputs.size() > before) find_dying(e.order);
}

/// e.order anew, below `ends`.
void walk_from(context& home, std::span<node* const> ends, expansion& e) {
    e.order = collect(home, ends, e.others);
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
    e.order = collect(home, roots, e.others);
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
    find_dying(e.order);
    store_calls(e);
    e.asked = e.outputs.size();
    const bool together = !alone && add_updates_of_others(home, roots, e);
    if (together) store_calls(e);
    if (!alone) {
        store_in_place(home, e, together);
        store_what_was_learnt(home, e);
    }
    if (together) {  // less what is not stored after all
        walk_from(home, e.outputs, e);
        std::erase_if(e.passed, [&](const auto& p) { return p.first->visit != home.visits; });
    }
    std::size_t scalars = 0;
    for (const node* n : e.order) scalars += n->code->scalars;
    e.scalars.reserve(scalars);
    for (std::size_t k = 0; k < e.order.size(); ++k) {
        node& n = *e.order[k];
        n.number = static_cast<std::uint32_t>(k);
        e.scalars.insert(e.scalars.end(), n.scalars, n.scalars + n.code->scalars);
    }
    find_leaves(home, e);
    if (e.order.size() <= most_keyed) e.key = survey_key().of(home, e);
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
