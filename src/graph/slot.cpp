// When a statement may use the plan of one before it. What differs from one round of a loop to the next is often an offset
// alone: y(k) = v, x(k) * 2. A plan depends on the offsets of views and regions in many ways (what overlaps, what is read
// twice, what can be clamped). But where one view of an array, or the region written in place, is all that the statement has
// to do with that array's memory, its strides and extents decide everything else, and the offset ends up in one pointer.
#include "src/graph/slot.hpp"

#include <algorithm>
#include <utility>

#include "src/base/log.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t max_remembered = 50'000;

/// An operand as the slot sees it; false where it is not plain memory of its own, or is to be overwritten while others wait
/// to read it, who may have to be evaluated together.
bool describe(const node& n, std::uint16_t k, const context& home, slot_entry::operand& o) {
    const node& x = *n.leaves[k];
    if (!x.stored() || x.lost || x.strides || x.offset != 0 || reinterpret_cast<std::uintptr_t>(x.memory->data) % 64 != 0)
        return false;
    std::uint16_t same = 0;
    std::uint32_t uses = 0;
    while (n.leaves[same]->memory.get() != x.memory.get()) ++same;
    for (std::uint16_t j = 0; j < n.code->leaves; ++j) uses += n.leaves[j] == &x;
    if (k == 0 && is_update(n) && !x.held() && x.users() > uses && home.pending_updates() > 1) return false;
    o.type = x.type;
    o.same_memory = static_cast<std::uint8_t>(same);
    o.donatable = may_donate(x, uses, home);
    return true;
}

/// The offset of a view's first element in its row-major source, in elements.
std::int64_t offset_of(const attribute& a) {
    std::int64_t offset = 0, stride = 1;
    for (int k = a.source.rank(); k-- > 0; stride *= a.source[k])
        offset += a.maps[static_cast<std::size_t>(k)].offset * stride;
    return offset;
}

bool same_but_for_offsets(const attribute& a, const attribute& b) {
    const auto same_map = [](const axis_map& x, const axis_map& y) {
        return x.axis == y.axis && x.step == y.step && !x.clamped && !y.clamped;
    };
    return a.what == b.what && a.source == b.source && a.result == b.result &&
           std::equal(a.maps.begin(), a.maps.end(), b.maps.begin(), b.maps.end(), same_map);
}

/// The pointer through which the only kernel reads an operand, or writes a region of it in place, where it touches that
/// operand's memory nowhere else, and where this attribute alone says at which element the pointer begins.
std::int32_t only_pointer(const prepared_plan& p, std::int32_t leaf, const attribute& a, std::int64_t width) {
    const fusion::launch& l = p.plan.launches[0];
    const bool region = a.what == attribute::kind::update;
    std::int32_t found = -1;
    for (std::size_t k = 0; k < l.pointers.size(); ++k) {
        const auto& [memory, byte_offset] = l.pointers[k];
        const auto index = static_cast<std::int32_t>(memory.index);
        if ((memory.is_leaf ? index : p.plan.storages[memory.index].donor_leaf) != leaf) continue;
        if (found >= 0 || memory.is_leaf == region || byte_offset != offset_of(a) * width) return -1;
        found = static_cast<std::int32_t>(k);
    }
    const auto taken = [&](const fusion::storage& s) { return s.donor_leaf == leaf; };
    return region || std::none_of(p.plan.storages.begin(), p.plan.storages.end(), taken) ? found : -1;
}

/// Which attributes' offsets move a pointer and do nothing else.
std::vector<slot_entry::moving> find_moving(const node& n, const slot_entry& e, const expansion& x) {
    std::vector<slot_entry::moving> moves(n.code->attributes);
    if (e.plan->plan.launches.size() != 1 || !e.plan->kernels[0]) return moves;
    const auto consider = [&](std::size_t attribute_index, std::size_t operand) {
        const attribute& a = *n.attributes[attribute_index];
        const bool maps = a.what == attribute::kind::affine || a.what == attribute::kind::update;
        const bool clamped = std::any_of(a.maps.begin(), a.maps.end(), [](const axis_map& m) { return m.clamped; });
        const auto shares = [&](std::size_t k) { return k != operand && e.operands[k].same_memory == operand; };
        bool alone = e.operands[operand].same_memory == operand;
        for (std::size_t k = 0; k < e.operands.size(); ++k) alone = alone && !shares(k);
        if (!maps || clamped || !alone || a.source != *n.leaves[operand]->extents) return;
        const auto leaf = std::find(x.leaf_nodes.begin(), x.leaf_nodes.end(), n.leaves[operand]) - x.leaf_nodes.begin();
        const auto width = static_cast<std::int64_t>(size_of(e.operands[operand].type));
        moves[attribute_index] = {only_pointer(*e.plan, static_cast<std::int32_t>(leaf), a, width), width};
    };
    std::size_t leaves = 0, attributes = 0;
    for (std::size_t k = 0; k < n.code->length; ++k) {
        const auto at = [&](std::size_t j, op code) { return j < n.code->length && n.code->code[j].code == code; };
        if (at(k, op::leaf)) ++leaves;
        if (at(k, op::view) && at(k - 1, op::leaf) && !at(k + 1, op::view)) consider(attributes, leaves - 1);
        if (at(k, op::update) && k + 1U == n.code->length && at(0, op::leaf)) consider(attributes, 0);
        attributes += has_attribute(n.code->code[k].code);
    }
    return moves;
}

/// GPU kernels are made for the alignment of what they read together; 256 bytes further it is the same.
bool keeps_alignment(const context& home, std::int64_t bytes) { return home.cuda_ordinal < 0 || bytes % 256 == 0; }

bool matches(const slot_entry& e, const node& n, const context& home, slot_entry::shifts_by& shifts) {
    if (e.home != &home || e.variant != home.engine.variant() || e.fuse != fusion_on() ||
        e.operands.size() != n.code->leaves)
        return false;
    for (std::uint16_t k = 0; k < n.code->leaves; ++k) {
        slot_entry::operand o;
        if (!describe(n, k, home, o) || o != e.operands[k] || *n.leaves[k]->extents != e.extents[k]) return false;
    }
    for (std::uint16_t k = 0; k < n.code->attributes; ++k) {
        const attribute &old = *e.attributes[k], &now = *n.attributes[k];
        const auto [pointer, width] = e.moves[k];
        if (pointer < 0 ? !fusion::same(old, now) : !same_but_for_offsets(old, now)) return false;
        const std::int64_t bytes = pointer < 0 ? 0 : (offset_of(now) - offset_of(old)) * width;
        if (bytes == 0) continue;
        // the log names elements: those of the statement that was planned
        if (!keeps_alignment(home, bytes) || log_enabled(log_channel::launch)) return false;
        if (!shifts.add({static_cast<std::uint32_t>(pointer), bytes})) return false;
    }
    return true;
}

}  // namespace

const slot_entry* matching_entry(const node& n, const context& home, slot_entry::shifts_by& shifts) {
    if (!n.slot) return nullptr;
    const auto* e = static_cast<const slot_entry*>(n.slot->load(std::memory_order_acquire));
    return e && matches(*e, n, home, shifts) ? e : nullptr;
}

void remember(node& n, context& home, const expansion& e, std::shared_ptr<const prepared_plan> plan) {
    if (!n.slot || n.code->leaves > slot_entry::max_operands || e.order.size() != 1 || e.outputs.size() != 1) return;
    const auto* old = static_cast<const slot_entry*>(n.slot->load(std::memory_order_acquire));
    const int generation = old ? old->generation + 1 : 0;
    if (generation == slot_entry::max_generation || home.remembered.size() == max_remembered) return;
    const auto entry = std::make_shared<slot_entry>();
    entry->operands.resize(n.code->leaves);
    for (std::uint16_t k = 0; k < n.code->leaves; ++k) {
        if (!describe(n, k, home, entry->operands[k])) return;
        entry->extents.push_back(*n.leaves[k]->extents);
    }
    entry->home = &home;
    entry->variant = home.engine.variant();
    entry->fuse = fusion_on();
    entry->generation = generation;
    entry->attributes.assign(n.attributes, n.attributes + n.code->attributes);
    for (const node* leaf : e.leaf_nodes) {
        std::uint8_t k = 0;
        while (n.leaves[k] != leaf) ++k;
        entry->leaf_operand.push_back(k);
    }
    entry->plan = std::move(plan);
    entry->moves = find_moving(n, *entry, e);
    home.remembered.push_back(entry);
    n.slot->store(entry.get(), std::memory_order_release);
}

}  // namespace frit::v0::detail
