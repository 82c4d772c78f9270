// What collapse_dims decides once dimensions are collapsed, a file for each question: along what lanes run
// (direction.cpp), how a GPU's threads read (gpu_accesses.cpp, patches.cpp), and what stands in the run-time words
// (words.cpp). `accesses` are the launch's loads, then stores, then row stores, `coords` its coordinates, over the collapsed
// `extents`.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/execution_plan.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// reduce_inner, reduce_outer or reduce_tile, of a kernel over rows.
/// @param reduced     axes of the launch's domain
/// @param neighbours  rows side by side: the last extent before the reduced ones
schedule_kind direction_of(const launch&, std::uint32_t reduced, std::int64_t neighbours, const target&);
/// Whether the rows of a reduce_inner are short_rows.
bool has_short_rows(const launch&, std::uint32_t reduced);

/// How a dimension of an access enters the spec.
access_dim class_of(const axis_term&);
/// Whether the domain, an offset in it or a coordinate's value needs more than 31 bits.
bool needs_index64(const std::vector<std::int64_t>& extents, const std::vector<strided>& accesses,
                   const std::vector<strided>& coords);
/// Extents, strides and clamps into the launch's words.
void write_words(launch&, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                 const std::vector<std::int64_t>& extents);

/// On a GPU: the class of the row length, tiles, patches, and how wide an access may be.
/// @param reduced  axes of the launch's domain
void choose_gpu_accesses(launch&, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                         const std::vector<std::int64_t>& extents, const std::vector<std::uint32_t>& alignments,
                         std::uint32_t reduced, const target&);

/// Where a GPU's thread may compute a patch of neighbouring rows and columns at once: sets spec.patch_rows, vector_width,
/// and what accesses promise then.
void find_patches(launch&, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                  const std::vector<std::int64_t>& extents, const std::vector<std::uint32_t>& alignments, const target&);

}  // namespace frit::v0::fusion
