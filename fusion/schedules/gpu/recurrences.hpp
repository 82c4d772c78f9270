// What kernels of recurrences share, wherever their rows lie: a thread walks a row.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/row_passes.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/kernel.hpp"

namespace frit::inline v0::fusion::gpu {

class recurrence_builder : protected kernel_builder {
protected:
    /// @param rows  of a block
    recurrence_builder(const kernel_spec& s, const std::string& name, unsigned rows)
        : kernel_builder(s, name), block_rows_(rows) {}

    /// Of an element, and of the steps that it takes, in operations.
    static unsigned weight_of_element(const kernel_spec&);
    /// The thread's row; what it has once, and the states before its first element.
    void start_row();
    void move_to(value at) { set_index(kept_dims_, at); }
    /// What the body makes of the element at i_, of which totals take in theirs.
    std::vector<value> element(const leaf_value&);
    /// Or a row value.
    value once(const instruction& i) { return i.code == op::row ? of_row_[i.a] : kernel_builder::once(i); }
    /// Behind the row's last element: the row code, and what it stores.
    void finish_row();
    /// An element, of which a warp has neighbours: a piece, whose next one is read soon. Where nothing is stored for each
    /// element, what was read need not make room for that.
    void read_piece(const array& to, value lane, value from) {
        if (spec_.stores.empty()) return b_.put(to, lane, b_.read(from));
        b_.copy_in(to.at(lane), from, {.policy = loops::cache::pieces});
    }
    static launch_shape shape(const kernel_spec&, const std::uint64_t* extents, unsigned rows);

    const unsigned block_rows_;
    value real_{}, n_{};  ///< whether there is such a row; the length of a row

private:
    void begin();
    void row_code(const numbers&);

    const row_passes passes_{spec_};  ///< one
    std::vector<value> of_row_;
    std::vector<cell> totals_;
};

}  // namespace frit::v0::fusion::gpu
