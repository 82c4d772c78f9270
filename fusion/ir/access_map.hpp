// Views as access maps: how the elements of a value are reached from the indices of a kernel's domain. Slices, transposes,
// broadcasts, flips and edge pads compose into one axis map per source axis; a reshape stays a segment of its own until a
// leaf's strides decide whether it is legal. Nothing here launches or copies anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frit/detail/axis_map.hpp"

namespace frit::inline v0::fusion {

/// index = clamp(offset + step * i, lo, hi) where clamped; exact for every i of the axis's extent.
detail::axis_map compose(const detail::axis_map& inner, const detail::axis_map& outer);

/// What one axis adds to an address: stride * i, or stride * clamp(step * i + shift, lo, hi).
struct axis_term {
    std::int64_t stride = 0;
    bool clamped = false;
    std::int64_t step = 1, shift = 0, lo = 0, hi = 0;
    friend auto operator<=>(const axis_term&, const axis_term&) = default;
};

/// An address (or a coordinate's value) as a function of the axes of some shape.
struct strided {
    std::int64_t offset = 0;
    std::vector<axis_term> axes;
    friend auto operator<=>(const strided&, const strided&) = default;
};

/// Whether a view shows every element where it is.
bool is_identity(const detail::attribute&);

/// Whether a view of a view shows what the latter has below it, every element where it is: a transpose of a transpose.
bool undoes(const detail::attribute& outer, const detail::attribute& inner);

/// A path from a kernel's domain down to a value: view attributes, the one nearest to the domain first. Neighbouring
/// affine segments are merged, so a path without reshape has at most one segment.
using view_path = std::vector<detail::attribute_ref>;

/// The numbered paths of one plan: equal paths have equal numbers; 0 is the identity.
class path_table {
public:
    path_table() : paths_(1) {}
    /// As `resolve` below, of that path.
    std::optional<strided> resolve(strided base, const shape& extents, std::uint32_t id) const;
    /// The path that first follows `id` and then, nearer to the value, `view`.
    std::uint32_t append(std::uint32_t id, const detail::attribute_ref& view);

private:
    std::uint32_t content_of(const detail::attribute_ref&);
    std::uint32_t extend(std::uint32_t id, const detail::attribute_ref& segment);

    /// A path is another one and one segment more, so that a long one costs no more to go on from than a short one.
    struct path {
        std::uint32_t before;
        detail::attribute_ref segment;
    };
    std::vector<path> paths_;
    std::vector<detail::attribute_ref> kept_;  ///< so that no address in by_address_ is another's later
    std::unordered_map<const detail::attribute*, std::uint32_t> by_address_;  ///< content numbers
    std::unordered_map<std::string, std::uint32_t> by_content_;               ///< the same
    std::unordered_map<std::uint64_t, std::uint32_t> known_;                  ///< by path and content of what is appended
    std::unordered_map<std::uint64_t, std::uint32_t> extended_;               ///< by path and content of the segment
};

/// Applies a path to a value that lies in memory as `base` over `extents`. Null where no strided access exists: a reshape
/// across a broadcast, permuted or padded axis, or two axes moving with one padded axis.
std::optional<strided> resolve(strided base, const shape& extents, const view_path&);

/// Strides of a row-major array.
std::vector<std::int64_t> row_major(const shape&);

}  // namespace frit::v0::fusion
