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
        : kernel_builder(s, name), block_rows_(rows), kept_dims_(s.rank - s.reduced), loads_(s.loads.size()) {}

    /// Of an element, and of the steps that it takes, in operations.
    static unsigned weight_of_element(const kernel_spec&);
    bool moving(std::size_t load) const { return moves_in(spec_.loads[load], kept_dims_, spec_.rank); }
    /// The thread's row; what it has once, and the states before its first element.
    void start_row();
    void move_to(value at) { i_[kept_dims_] = b_.let("i" + std::to_string(kept_dims_), offset(at)); }
    /// What the body makes of the element at i_, of which totals take in theirs.
    std::vector<value> element(const leaf_value&);
    /// A scalar, a row value, a coordinate or a load that does not move.
    value once(const instruction&);
    /// Behind the row's last element: the row code, and what it stores.
    void finish_row();
    /// An element, of which a warp has neighbours: a piece, whose next one is read soon. Where nothing is stored for each
    /// element, what was read need not make room for that.
    void read_piece(const array& to, value lane, value from) {
        if (spec_.stores.empty()) return b_.put(to, lane, b_.read(from));
        b_.copy_in(to.at(lane), from, {.policy = loops::cache::pieces});
    }
    static launch_shape shape(const kernel_spec&, const std::uint64_t* extents, unsigned rows);

    const unsigned block_rows_, kept_dims_;
    std::vector<operand_lanes> loads_;
    value real_{}, n_{};  ///< whether there is such a row; the length of a row

private:
    void begin();
    void row_code(const std::vector<std::uint16_t>&);

    const row_passes passes_{spec_};  ///< one
    std::vector<value> of_row_;
    std::vector<cell> totals_;
};

}  // namespace frit::v0::fusion::gpu
