// See inlining.hpp.
#include "src/graph/inlining.hpp"

#include <algorithm>
#include <mutex>

#include "fusion/machine/cost_model.hpp"
#include "src/graph/context.hpp"
#include "src/graph/node.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {
namespace {

/// Pending, and nobody's but of formulas that read it.
bool is_inlinable(const node_head* n) noexcept { return n && n->inlinable && !as_node(n)->stored() && !as_node(n)->held(); }

/// What is read twice stays a node: the program would hold it twice. An update's base is its first leaf.
bool may_inline(const statement& s, std::uint16_t leaf, const context& home) {
    const node& n = *as_node(s.leaves[leaf]);
    const bool is_base = leaf == 0 && s.code->code[s.code->length - 1].code == op::update;
    return is_inlinable(&n) && n.home == &home && !n.assigns && !is_base &&
           std::count(s.leaves, s.leaves + s.code->leaves, s.leaves[leaf]) == 1;
}

/// Whether the node's value is rounded to 16 bits when it is stored, and by nothing in its program.
bool rounds_at_end(const node& n) {
    const std::span<const instruction> steps(n.code->code, n.code->length);
    const auto computes = [](const instruction& i) {
        return i.code != op::leaf && i.code != op::scalar && i.code != op::view && i.code != op::index;
    };
    return is_short(n.type) && steps.back().code != op::cast && std::any_of(steps.begin(), steps.end(), computes);
}

/// Whether a pending statement is elementwise over operands of one shape, and cheap.
bool is_cheap(const node& n, std::uint32_t most_operations) {
    std::uint32_t operations = 0;
    for (const instruction& i : std::span(n.code->code, n.code->length)) {
        if (i.code == op::leaf || i.code == op::scalar) continue;
        if (!is_elementwise(i.code) && !is_conversion(i.code)) return false;
        operations += fusion::cost_of(i.code);
    }
    const auto fits = [&](const node* leaf) { return *leaf->extents == *n.extents; };
    return operations <= most_operations && std::all_of(n.leaves, n.leaves + n.code->leaves, fits);
}

}  // namespace

bool reads_inlinable(const statement& s) noexcept { return std::any_of(s.leaves, s.leaves + s.code->leaves, is_inlinable); }

inlined::inlined(const statement& s) : s_(s) {
    node_head* const* const part = std::find_if(s.leaves, s.leaves + s.code->leaves, is_inlinable);
    if (part == s.leaves + s.code->leaves || s.code->length > max_program_length) return;  // evaluated in between
    context& home = *as_node(*part)->home;
    // Operands of a pending node go when it lands, which is under this lock; who plans may hold it for long.
    const std::unique_lock guard(home.lock, std::try_to_lock);
    if (guard) inline_leaves(s, home);
}

void inlined::inline_leaves(const statement& s, const context& home) {
    std::array<instruction, max_program_length> steps;
    std::size_t length = 0;
    std::size_t total = s.code->length;
    bool changed = false;
    std::uint16_t leaf = 0, scalar = 0, attribute = 0;
    std::size_t attributes = s.code->attributes;
    for (std::uint16_t k = 0; k < s.code->leaves; ++k)
        if (is_inlinable(s.leaves[k]) && as_node(s.leaves[k])->home == &home)
            attributes += as_node(s.leaves[k])->code->attributes;
    attributes_.reserve(attributes);
    for (std::uint16_t k = 0; k < s.code->length; ++k) {
        const instruction i = s.code->code[k];
        if (i.code == op::leaf) {
            const std::uint16_t at = leaf++;
            const node& n = *as_node(s.leaves[at]);
            const bool may = may_inline(s, at, home), rounds = may && rounds_at_end(n);
            if (may && total + n.code->length - 1 + rounds <= steps.size()) {
                const std::size_t added = n.code->length - (n.meant != n.type ? 1U : 0U);  // without the cast to float32
                total += added - 1 + rounds;
                std::copy_n(n.code->code, added, &steps[length]);
                length += added;
                if (rounds) steps[length++] = {op::cast, n.type};
                changed = true;
                for (std::uint16_t j = 0; j < n.code->leaves; ++j) leaves_.add(n.leaves[j]);
                std::copy_n(n.scalars, n.code->scalars, &scalars_[scalar_count_]);
                scalar_count_ = static_cast<std::uint16_t>(scalar_count_ + n.code->scalars);
                attributes_.insert(attributes_.end(), n.attributes, n.attributes + n.code->attributes);
                continue;
            }
            leaves_.add(s.leaves[at]);
        }
        if (i.code == op::scalar) scalars_[scalar_count_++] = s.scalars[scalar++];
        if (has_attribute(i.code)) attributes_.push_back(s.attributes[attribute++]);
        steps[length++] = i;
    }
    if (!changed) return;
    const known_program& p = program_of({steps.data(), length});
    s_ = {&p.code, &p.slot, leaves_.nodes.data(), scalars_.data(), attributes_.data(), s.where, s.who};
}

copied_formula::copied_formula(const user_ref& of, std::uint32_t most_operations) {
    if (!is_inlinable(of.get())) return;
    const node& n = *as_node(of.get());
    // As above: while another thread plans, there is no copy, and the planner decides: other kernels, the same bits.
    const std::unique_lock guard(n.home->lock, std::try_to_lock);
    if (!guard || n.stored() || !is_cheap(n, most_operations)) return;
    for (std::uint16_t k = 0; k < n.code->leaves; ++k) operands_.emplace_back(n.leaves[k]);
    scalars_.assign(n.scalars, n.scalars + n.code->scalars);
    slot_ = n.slot;
    code_ = n.code;
}

user_ref copied_formula::seen(const attribute_ref& view, source_line where) const {
    std::vector<user_ref> views;
    std::vector<node_head*> leaves;
    for (const user_ref& operand : operands_) {
        const known_program& p =
            program_of(std::array{instruction{op::leaf, operand->type}, instruction{op::view, operand->type}});
        node_head* const leaf = operand.get();
        views.push_back(record_result({&p.code, &p.slot, &leaf, nullptr, &view, where}));
        leaves.push_back(views.back().get());
    }
    return record_result({code_, slot_, leaves.data(), scalars_.data(), nullptr, where});
}

}  // namespace frit::v0::detail
