// The documented order, once: accumulators are filled here and folded here, for all kernels that the interpreter runs.
#include "src/cpu/row_totals.hpp"

#include <algorithm>

namespace frit::inline v0::detail {

using fusion::reduce_block;
using fusion::reduce_lanes;
using fusion::reduce_run;

void row_totals::place(carver& c, std::int64_t elements, std::int64_t width) {
    const std::int64_t unit = order_ == reduction_order::lanes ? reduce_block : reduce_run;
    const std::int64_t accumulators = order_ == reduction_order::lanes ? reduce_lanes : 1;
    const std::int64_t levels = pairwise_tree::levels((elements + unit - 1) / unit);
    for (int p = 0; p < combine_->parts(); ++p) {
        accumulators_.of[p] = c.take<std::byte>(static_cast<std::size_t>(accumulators * width) * combine_->size(p));
        levels_.of[p] = c.take<std::byte>(static_cast<std::size_t>(levels * width) * combine_->size(p));
    }
}

void row_totals::begin(std::int64_t width) {
    width_ = width;
    tree_ = pairwise_tree(*combine_, levels_, width);
}

void row_totals::add(std::int64_t i, std::int64_t n, std::int64_t end, const void* values, const void* places) {
    const auto* const v = static_cast<const std::byte*>(values);
    const auto* const p = static_cast<const std::byte*>(places);
    order_ == reduction_order::lanes ? add_lanes(i, n, end, v, p) : add_runs(i, n, end, v, p);
}

void row_totals::add_lanes(std::int64_t i, std::int64_t n, std::int64_t end, const std::byte* values,
                           const std::byte* places) {
    const std::int64_t begin = i / reduce_block * reduce_block;
    const std::int64_t used = std::min<std::int64_t>(reduce_lanes, end - begin);
    if (i == begin) combine_->set_identity(accumulators_, used * width_);
    if (width_ == 1) {
        combine_->accumulate(accumulators_, values, places, n, i % reduce_lanes);
    } else {
        const std::int64_t value_step = width_ * combine_->value_size(),
                           place_step = width_ * static_cast<std::int64_t>(sizeof(std::int64_t));
        for (std::int64_t done = 0; done < n;) {
            const std::int64_t lane = (i + done) % reduce_lanes, m = std::min(n - done, reduce_lanes - lane);
            combine_->add(combine_->shifted(accumulators_, lane * width_), values + done * value_step,
                          places + done * place_step, m * width_);
            done += m;
        }
    }
    if ((i + n) % reduce_block == 0 || i + n == end) fold(used);
}

// The tree over the lanes of a block, of which the first `used` have met an element: where the identity changes nothing,
// the others are left out.
void row_totals::fold(std::int64_t used) {
    const auto lane = [this](std::int64_t k) { return combine_->shifted(accumulators_, k * width_); };
    constexpr std::int64_t half = reduce_lanes / 2;
    if (!combine_->identity_is_neutral() && used < reduce_lanes) {
        const std::int64_t lacking = std::min(used, reduce_lanes - used);  // lanes whose partner has met none
        combine_->set_identity(lane(reduce_lanes - lacking), lacking * width_);
        if (used > half) {
            used = reduce_lanes;
        } else {  // once is enough: it changes nothing a second time
            combine_->combine(accumulators_, lane(reduce_lanes - lacking), lacking * width_);
        }
    }
    for (std::int64_t h = half; h > 0; h /= 2) {
        if (used <= h) continue;
        combine_->combine(accumulators_, lane(h), (used - h) * width_);
        used = h;
    }
    tree_.push(accumulators_);
}

void row_totals::add_runs(std::int64_t i, std::int64_t n, std::int64_t end, const std::byte* values,
                          const std::byte* places) {
    const std::int64_t value_step = width_ * combine_->value_size(),
                       place_step = width_ * static_cast<std::int64_t>(sizeof(std::int64_t));
    for (std::int64_t k = 0; k < n; ++k) {
        if ((i + k) % reduce_run == 0) combine_->set_identity(accumulators_, width_);
        combine_->add(accumulators_, values + k * value_step, places + k * place_step, width_);
        if ((i + k + 1) % reduce_run == 0 || i + k + 1 == end) tree_.push(accumulators_);
    }
}

}  // namespace frit::v0::detail
