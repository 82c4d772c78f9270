// A statement that is put together step by step: of a formula whose number of operands only running shows. Who writes one
// knows that it fits: an access has an array for each axis, a choice eight parts.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "src/formulas/values.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {

class postfix {
public:
    static constexpr std::size_t most_leaves = max_rank + 2, most_attributes = 32;

    void add(op code, dtype type) {
        assert(length_ < max_program_length);
        steps_[length_++] = {code, type};
    }
    void add(op code, dtype type, const attribute_ref& map) {
        assert(attribute_count_ < most_attributes);
        add(code, type);
        attributes_[attribute_count_++] = map;
    }
    void leaf(const user_ref& x) {
        assert(leaf_count_ < most_leaves);
        add(op::leaf, x->meant);
        kept_[leaf_count_] = x;
        leaves_[leaf_count_++] = x.get();
    }
    void leaf(const user_ref& x, const attribute_ref& view) {
        leaf(x);
        add(op::view, x->meant, view);
    }
    /// As record_result, and record_part.
    user_ref result(source_line where) const { return record_result(made(where)); }
    user_ref part(source_line where) const { return record_part(made(where)); }

private:
    statement made(source_line where) const {
        const known_program& p = program_of({steps_.data(), length_});
        return {&p.code, &p.slot, leaves_.data(), nullptr, attributes_.data(), where};
    }
    std::array<instruction, max_program_length> steps_;
    std::array<node_head*, most_leaves> leaves_;
    std::array<user_ref, most_leaves> kept_;
    std::array<attribute_ref, most_attributes> attributes_;
    std::size_t length_ = 0, leaf_count_ = 0, attribute_count_ = 0;
};

}  // namespace frit::v0::detail
