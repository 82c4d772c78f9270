// The formulas that the library composes, each written once over run-time dtypes (src/formulas); nodes in, a node out. The
// typed functions of statistics.hpp, normalize.hpp, ... say which dtype that is. A mask is null where there is none.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frit/detail/attributes.hpp"
#include "frit/detail/composed.hpp"
#include "frit/reduction_options.hpp"

namespace frit::inline v0::detail {

// Statistics: in floating dtypes as they are, in double of bool and integers.
FRIT_API user_ref count_nonzero_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref mean_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref var_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref stddev_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref logsumexp_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref norm_of(const user_ref& x, const reduction_options&, const user_ref& mask);

// The same of what is no NaN.
FRIT_API user_ref nansum_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanprod_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanmin_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanmax_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanmean_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanvar_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref nanstddev_of(const user_ref& x, const reduction_options&, const user_ref& mask);
FRIT_API user_ref ptp_of(const user_ref& x, const reduction_options&, const user_ref& mask);
/// In the dtype of statistics of both.
FRIT_API user_ref average_of(const user_ref& x, const reduction_options&, const user_ref& weights);
/// What the tags of cov and corrcoef say; weights are null where there are none.
struct covariance_options {
    source_line where = unknown_line;
    std::int64_t ddof = 1;
    bool rowvar = true;
    user_ref fweights{}, aweights{};
};
/// In double, or complex double; y is null where there is none.
FRIT_API user_ref cov_of(const user_ref& x, const user_ref& y, const covariance_options&);
FRIT_API user_ref corrcoef_of(const user_ref& x, const user_ref& y, const covariance_options&);

/// An operand of isclose, or an end of diff: a C++ number is a node of rank 0, and weak.
struct compared {
    user_ref node;
    bool weak;
};

// Along an axis (series.hpp). What has two forms takes distances of `spacing` where there are no coordinates.
/// In the dtype of all three; what is put in front and behind is null where there is none.
FRIT_API user_ref diff_of(const user_ref& x, std::int64_t n, std::int64_t axis, const compared& prepend,
                          const compared& append, source_line);
FRIT_API user_ref gradient_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                              std::int64_t edge_order, source_line);
FRIT_API user_ref trapezoid_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                               source_line);
FRIT_API user_ref cumulative_trapezoid_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                                          source_line);
FRIT_API user_ref logspace_of(double start, double stop, std::int64_t count, double base, dtype, source_line);
FRIT_API user_ref geomspace_of(double start, double stop, std::int64_t count, dtype, source_line);

// Products (products.hpp): in the promoted dtype, vdot and trace in sum's.
FRIT_API user_ref outer_of(const user_ref& a, const user_ref& b, source_line);
FRIT_API user_ref inner_of(const user_ref& a, const user_ref& b, source_line);
FRIT_API user_ref vdot_of(const user_ref& a, const user_ref& b, source_line);
FRIT_API user_ref vecdot_of(const user_ref& a, const user_ref& b, std::int64_t axis, source_line);
FRIT_API attribute_ref matrix_transpose_attribute(const shape& of, source_line);
FRIT_API user_ref cross_of(const user_ref& a, const user_ref& b, std::int64_t axis, source_line);
FRIT_API user_ref kron_of(const user_ref& a, const user_ref& b, source_line);
FRIT_API user_ref trace_of(const user_ref& x, std::int64_t offset, std::int64_t axis1, std::int64_t axis2, source_line);

// Rows brought to a scale: likewise.
FRIT_API user_ref softmax_of(const user_ref& x, const reduced_axes&);
FRIT_API user_ref log_softmax_of(const user_ref& x, const reduced_axes&);
FRIT_API user_ref layer_norm_of(const user_ref& x, const reduced_axes&, double epsilon);
FRIT_API user_ref rms_norm_of(const user_ref& x, const reduced_axes&, double epsilon);

/// In sum's dtype of both.
FRIT_API user_ref dot_of(const user_ref& a, const user_ref& b, source_line);
/// `value` of rank 0, in x's dtype.
FRIT_API user_ref pad_of(const user_ref& x, std::span<const pad_width>, pad_mode, const user_ref& value, source_line);

// Elements at other places (movement.hpp): in the dtype of x, or in that to which all parts promote.
FRIT_API user_ref concatenate_of(std::span<const user_ref> parts, std::int64_t axis, source_line);
FRIT_API user_ref stack_of(std::span<const user_ref> parts, std::int64_t axis, source_line);
FRIT_API user_ref hstack_of(std::span<const user_ref> parts, source_line);
FRIT_API user_ref vstack_of(std::span<const user_ref> parts, source_line);
FRIT_API user_ref repeat_of(const user_ref& x, std::int64_t count, std::int64_t axis, source_line);
FRIT_API user_ref tile_of(const user_ref& x, const int_list& counts, source_line);
/// `over` null: of the elements in row-major order.
FRIT_API user_ref roll_of(const user_ref& x, const int_list& shifts, const axes* over, source_line);
/// What is on the k-th diagonal and above, or below, is kept.
FRIT_API user_ref triangle_of(const user_ref& x, std::int64_t k, bool upper, source_line);
/// A vector on the k-th diagonal of a matrix, or the k-th diagonal of a matrix.
FRIT_API user_ref diag_of(const user_ref& x, std::int64_t k, source_line);
/// The latter as a region. @throws shape_error where it is no matrix
FRIT_API attribute_ref diag_attribute(const shape& of, std::int64_t k, source_line);
FRIT_API user_ref indices_of(const shape& of, source_line);

FRIT_API user_ref isclose_of(const compared& a, const compared& b, double rtol, double atol, source_line);

/// The mask of a reduction's tags as a node.
template <class M>
user_ref mask_node(const M& mask, source_line where) {
    if constexpr (std::is_same_v<M, no_mask>)
        return {};
    else
        return node_of(mask, where);
}

}  // namespace frit::v0::detail
