// The schedules of a GPU, one a file: what gpu.cpp lists.
#pragma once

#include "fusion/schedules/gpu/gpu.hpp"

namespace frit::inline v0::fusion::gpu {

extern const gpu_schedule flat_schedule;               ///< pointwise.cpp: rank 1
extern const gpu_schedule strided_schedule;            ///< pointwise.cpp: any rank
extern const gpu_schedule patches_schedule;            ///< patches.cpp: stencils
extern const gpu_schedule transposes_schedule;         ///< transposes.cpp: tiles of two dimensions
extern const gpu_schedule tallies_schedule;            ///< tallies.cpp: integers added up in few elements
extern const gpu_schedule totals_schedule;             ///< totals.cpp: reductions of all
extern const gpu_schedule running_schedule;            ///< running.cpp: rows with running sums and their like
extern const gpu_schedule recurrences_schedule;        ///< recurrences.cpp: rows with recurrences
extern const gpu_schedule recurrences_along_schedule;  ///< recurrences_along.cpp: the same where they lie along memory
extern const gpu_schedule rows_schedule;        ///< rows.cpp: reductions of rows, and what goes over rows several times
extern const gpu_schedule short_rows_schedule;  ///< short_rows.cpp: the same of rows of few elements
extern const gpu_schedule rows_once_schedule;   ///< rows_once.cpp: rows that are added up too, once read
extern const gpu_schedule row_tiles_schedule;   ///< row_tiles.cpp: pairwise formulas

}  // namespace frit::v0::fusion::gpu
