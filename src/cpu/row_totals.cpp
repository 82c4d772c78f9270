// The documented order, once: accumulators are filled here and folded here, for all kernels that the interpreter runs.
#include "src/cpu/row_totals.hpp"

#include <algorithm>
#include <type_traits>

namespace frit::inline v0::detail {
namespace {

// From rows one after the other to elements one after the other. Compilers have shuffles for lengths that they know.
template <class T, class Length>
void transpose(T* to, const T* from, std::int64_t rows, Length length) {
    for (std::int64_t i = 0; i < length; ++i)
        for (std::int64_t r = 0; r < rows; ++r) to[i * rows + r] = from[r * length + i];
}
template <class T>
void transpose(std::byte* to, const void* from, std::int64_t rows, std::int64_t length) {
    T* const out = reinterpret_cast<T*>(to);
    const T* const in = static_cast<const T*>(from);
    switch (length) {
        case 2: return transpose(out, in, rows, std::integral_constant<int, 2>());
        case 3: return transpose(out, in, rows, std::integral_constant<int, 3>());
        case 4: return transpose(out, in, rows, std::integral_constant<int, 4>());
        default: return transpose(out, in, rows, length);
    }
}
void transpose(std::byte* to, const void* from, std::size_t size, std::int64_t rows, std::int64_t length) {
    switch (size) {
        case 1: return transpose<std::uint8_t>(to, from, rows, length);
        case 2: return transpose<std::uint16_t>(to, from, rows, length);
        case 4: return transpose<std::uint32_t>(to, from, rows, length);
        default: return transpose<std::uint64_t>(to, from, rows, length);
    }
}

}  // namespace

using fusion::reduce_block;
using fusion::reduce_lanes;
using fusion::reduce_run;

constexpr std::int64_t many_lanes = 16;  // of a row

void row_totals::place(bump_allocator& c, std::int64_t elements, std::int64_t width) {
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

void row_totals::add(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const void* seconds) {
    const auto* const p = static_cast<const std::byte*>(seconds);
    order_ == reduction_order::lanes ? add_lanes(i, n, end, x, p) : add_runs(i, n, end, x, p);
}

void row_totals::add_lanes(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const std::byte* seconds) {
    const std::int64_t begin = i / reduce_block * reduce_block;
    const std::int64_t used = std::min<std::int64_t>(reduce_lanes, end - begin);
    const bool ends = (i + n) % reduce_block == 0 || i + n == end, alone = width_ == 1;
    if (alone && i == begin && ends && combine_->reduces_rows(n)) {  // the whole block at once
        combine_->reduce_rows(accumulators_, x, 1, n);
        return tree_.push(accumulators_);
    }
    if (i == begin) combine_->set_identity(accumulators_, used * width_);
    if (alone) {
        combine_->accumulate(accumulators_, x, seconds, n, i - begin);
    } else {
        const auto* const values = static_cast<const std::byte*>(x.values);
        const std::int64_t value_step = width_ * combine_->value_size(), second_step = width_ * combine_->second_size();
        const auto* const thirds = static_cast<const std::byte*>(x.others);
        const std::int64_t third_step = width_ * combine_->third_size();
        for (std::int64_t done = 0; done < n;) {
            const std::int64_t lane = (i + done) % reduce_lanes, m = std::min(n - done, reduce_lanes - lane);
            combine_->add(combine_->shifted(accumulators_, lane * width_), values + done * value_step,
                          seconds + done * second_step, thirds + done * third_step, m * width_, 1,
                          (i + done - begin) / reduce_lanes);
            done += m;
        }
    }
    if (!ends) return;
    if (alone && combine_->rule().is_plain()) {  // accumulators have met the identity: it may come again
        combine_->reduce_rows(accumulators_, {accumulators_.of[0]}, 1, used);
        return tree_.push(accumulators_);
    }
    combine_->set_met_of_lanes(accumulators_, i + n - begin, width_);
    fold(used);
}

void row_totals::reduce_row(std::int64_t length, const summands& x, const void* seconds, const part_arrays& to) {
    if (combine_->reduces_rows(length)) return combine_->reduce_rows(to, x, 1, length);
    begin(1);
    if (length > 0) add(0, length, length, x, seconds);
    finish(to);
}

void row_totals::reduce_rows(std::int64_t rows, std::int64_t length, const summands& x, const void* seconds,
                             const part_arrays& to, std::byte* room) {
    // Few elements are lanes side by side: one row after the other they would pay for all accumulators.
    if (length >= many_lanes && combine_->reduces_rows(length)) return combine_->reduce_rows(to, {x.values}, rows, length);
    begin(rows);
    std::byte* const transposed_seconds = room + rows * length * static_cast<std::int64_t>(slot_bytes);
    std::byte* const transposed_thirds = transposed_seconds + rows * length * static_cast<std::int64_t>(slot_bytes);
    transpose(room, x.values, static_cast<std::size_t>(combine_->value_size()), rows, length);
    if (combine_->takes_pairs())
        transpose(transposed_seconds, seconds, static_cast<std::size_t>(combine_->second_size()), rows, length);
    if (combine_->third_size() > 0)
        transpose(transposed_thirds, x.others, static_cast<std::size_t>(combine_->third_size()), rows, length);
    if (length > 0) add(0, length, length, {room, transposed_thirds}, transposed_seconds);
    finish(to);
}

// The tree over the lanes of a block, of which the first `used` have met an element: identities, which would change
// nothing, are left out.
void row_totals::fold(std::int64_t used) {
    const auto lane = [this](std::int64_t k) { return combine_->shifted(accumulators_, k * width_); };
    for (std::int64_t h = reduce_lanes / 2; h > 0; h /= 2) {
        if (used <= h) continue;
        combine_->combine(accumulators_, lane(h), (used - h) * width_);
        used = h;
    }
    tree_.push(accumulators_);
}

void row_totals::add_runs(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const std::byte* seconds) {
    const auto* const values = static_cast<const std::byte*>(x.values);
    const auto* const thirds = static_cast<const std::byte*>(x.others);
    const std::int64_t value_step = width_ * combine_->value_size(), second_step = width_ * combine_->second_size(),
                       third_step = width_ * combine_->third_size();
    for (std::int64_t k = 0, m; k < n; k += m) {
        const std::int64_t met = (i + k) % reduce_run;
        m = std::min(n - k, reduce_run - met);
        if (met == 0) combine_->set_identity(accumulators_, width_);
        if (x.loops)
            x.loops->add(accumulators_.of[0], x.values, x.others, nullptr, width_);
        else
            combine_->add(accumulators_, values + k * value_step, seconds + k * second_step, thirds + k * third_step, width_,
                          m, met);
        if (met + m < reduce_run && i + k + m < end) continue;
        combine_->set_met(accumulators_, width_, met + m);
        tree_.push(accumulators_);
    }
}

}  // namespace frit::v0::detail
