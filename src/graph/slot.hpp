// What an expression type's slot remembers: the plan of a statement, and what the next one must look like to use it again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/graph/eval.hpp"

namespace frit::inline v0::detail {

/// Immutable. None is ever freed, as another thread may be reading it: at most `max_generation` per expression type are
/// made, and a limited number in all, as a library that is loaded anew has new slots.
struct slot_entry {
    struct operand {
        dtype type;
        std::uint8_t same_memory;  ///< the first operand over the same buffer
        bool donatable;
        friend bool operator==(const operand&, const operand&) = default;
    };
    /// What an attribute's offsets decide, where that is nothing but a pointer of the only kernel.
    struct moving {
        std::int32_t pointer = -1;  ///< by its place in the launch; -1: the attribute must be equal
        std::int64_t width = 0;     ///< of an element, in bytes
    };
    static constexpr std::size_t max_operands = 12;
    static constexpr int max_generation = 32;

    /// The pointers that another statement's offsets move.
    class shifts_by {
    public:
        bool add(const pointer_shift& s) {
            if (count_ == list_.size()) return false;
            list_[count_++] = s;
            return true;
        }
        std::span<const pointer_shift> all() const { return {list_.data(), count_}; }

    private:
        std::array<pointer_shift, max_operands> list_;
        std::size_t count_ = 0;
    };

    const context* home;
    std::uint32_t variant;
    bool fuse;
    int generation;
    std::vector<operand> operands;
    std::vector<shape> extents;  ///< of the operands
    std::vector<attribute_ref> attributes;
    std::vector<moving> moves;               ///< of the attributes
    std::vector<std::uint8_t> leaf_operand;  ///< graph leaf number -> operand
    std::shared_ptr<const prepared_plan> plan;
};

/// The entry whose plan computes this pending statement, its pointers shifted; null where there is none. Under the context's
/// lock.
const slot_entry* matching_entry(const node&, const context&, slot_entry::shifts_by&);

/// Keeps the plan of a statement that was expanded alone.
void remember(node&, context&, const expansion&, std::shared_ptr<const prepared_plan>);

}  // namespace frit::v0::detail
