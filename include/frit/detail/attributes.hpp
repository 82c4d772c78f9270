// The builders of view, update, coord and reduce attributes: each checks its arguments against the operand's shape, where
// the user wrote the view, and returns the access map that the planner composes. Not templates: the work is in
// src/views.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "frit/detail/record.hpp"
#include "frit/detail/scalar.hpp"
#include "frit/index.hpp"
#include "frit/reduction_options.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {
/// What pad puts around its operand: a value; the nearest element; the elements themselves backwards, without and with the
/// one at the edge; the elements from the other end; a straight line from the element at the edge to a value; the largest,
/// mean, median or smallest one of the axis; or anything, which is zeros.
enum class pad_mode : std::uint8_t {
    constant,
    edge,
    reflect,
    symmetric,
    wrap,
    linear_ramp,
    maximum,
    mean,
    median,
    minimum,
    empty
};
}  // namespace frit::v0

namespace frit::inline v0::detail {

/// How many elements pad adds in front of and behind one axis.
struct pad_width {
    any_integer before, after;
};

/// Where split cuts: into so many equal parts, or before these elements.
struct split_points {
    std::vector<std::int64_t> at;  ///< the number of parts alone, where they are equal
    bool equal = false;
    template <integral_number T>
    split_points(T parts) : split_points(std::initializer_list<any_integer>{any_integer(parts)}) {
        equal = true;
    }
    split_points(std::initializer_list<any_integer> places) { add(places); }
    template <integral_range R>
    split_points(const R& places) {
        add(places);
    }
    template <std::floating_point T>
    split_points(T) = delete;  // a number of parts is an integer

private:
    void add(const auto& places) {
        or_out_of_memory("split", unknown_line, [&] {
            for (any_integer place : places) at.push_back(place);
        });
    }
};

/// @throws index_error naming the shape: out of range, step 0, too many indices
FRIT_API attribute_ref index_attribute(const shape& of, std::span<const index>, source_line);
/// The same region as the target of an update.
FRIT_API attribute_ref update_attribute(const attribute& view);
/// `order` null: the axes reversed.
FRIT_API attribute_ref transpose_attribute(const shape& of, const axes* order, source_line);
FRIT_API attribute_ref reshape_attribute(const shape& of, const int_list& extents, source_line);
/// `who`: the op that errors name.
FRIT_API attribute_ref broadcast_attribute(const shape& of, const shape& to, source_line,
                                           std::string_view who = "broadcast_to");
/// A reduction's mask broadcast to its operand. @throws shape_error that names the mask
FRIT_API attribute_ref mask_attribute(std::string_view who, const shape& mask, const shape& operand, source_line);
/// `which` null: every axis of extent 1.
FRIT_API attribute_ref squeeze_attribute(const shape& of, const axes* which, source_line);
FRIT_API attribute_ref expand_dims_attribute(const shape& of, const axes& where_in_result, source_line);
/// `which` null: all axes.
FRIT_API attribute_ref flip_attribute(const shape& of, const axes* which, source_line);
FRIT_API attribute_ref diagonal_attribute(const shape& of, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
                                          source_line);
/// @throws shape_error where the lists differ in length
FRIT_API attribute_ref moveaxis_attribute(const shape& of, const axes& from, const axes& to, source_line);
FRIT_API attribute_ref swapaxes_attribute(const shape& of, std::int64_t axis1, std::int64_t axis2, source_line);
/// @throws index_error unless there are two axes
FRIT_API attribute_ref rot90_attribute(const shape& of, std::int64_t turns, const axes& plane, source_line);
/// One view for each part. @throws shape_error where equal parts are not possible
FRIT_API std::vector<attribute_ref> split_attributes(const shape& of, const split_points&, std::int64_t axis, source_line);
/// The shape that all these broadcast to. @throws shape_error
FRIT_API shape broadcast_shape(std::string_view who, std::span<const shape>, source_line);
/// Indices clamped to the operand, so that pad reads the nearest element; pad_mode::edge needs one to be there.
FRIT_API attribute_ref pad_attribute(const shape& of, std::span<const pad_width>, pad_mode, source_line);
/// A pending bool array of a pad attribute's result shape: true where the element comes from the operand itself.
FRIT_API handle_ref pad_interior(const attribute& pad, source_line);
/// The axes of a reduction. `who`: the function that errors name.
/// @throws index_error for an axis that is out of range or named twice, or where none is named
FRIT_API attribute_ref reduce_attribute(std::string_view who, const shape& of, const reduction_options&);
/// How many elements make one of the result.
FRIT_API std::int64_t reduced_count(const attribute& reduce);
/// What a reduction starts from: the bits of a value that changes no result. (argmin, argmax: the value that loses.)
FRIT_API scalar_bits identity_bits(op, dtype);
/// The same as a value of rank 0.
FRIT_API user_ref identity_of(op, dtype);
/// A number as a value of rank 0, in its own dtype or, as an assignment converts it, in `to`. @throws dtype_error, which
/// names `who`, or else an assignment
FRIT_API user_ref constant_of(const weak_number&, source_line);
FRIT_API user_ref constant_of(const weak_number&, dtype to, source_line, const char* who = nullptr);
/// @throws shape_error unless both are vectors of one length
FRIT_API void check_dot(const shape& a, const shape& b, source_line);
/// @throws shape_error where rows have no elements, for functions that start from their largest
FRIT_API void check_rows(std::string_view who, const attribute& reduce, source_line);
/// The index along one axis of `domain`.
FRIT_API attribute_ref coord_attribute(const shape& domain, int axis);

}  // namespace frit::v0::detail
