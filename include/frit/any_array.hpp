// An array whose dtype is known at run time alone, as of a file: it is carried as it is until the program names the dtype.
#pragma once

#include <utility>

#include "frit/array.hpp"

namespace frit::inline v0 {

/// A value of any dtype. `as<T>()` gives it back as an array.
class any_array {
public:
    /// Empty: holds no value.
    any_array() = default;
    /// Any array.
    template <element T>
    any_array(array<T> x) : node_(x.handle()) {}
    /// @cond
    explicit any_array(detail::handle_ref node) noexcept : node_(std::move(node)) {}
    const detail::handle_ref& handle(source_line where = {}) const {
        if (!node_) detail::throw_empty_any(where);
        return node_;
    }
    /// @endcond

    /// True for one without a value.
    bool empty() const noexcept { return !node_; }
    /// @throws error where it is empty
    frit::dtype dtype(source_line where = {}) const { return handle(where)->type; }
    /// @throws error where it is empty
    frit::shape shape(source_line where = {}) const { return *handle(where)->extents; }
    /// The array. Nothing is converted: cast<float>(x.as<double>()) does. @throws dtype_error unless it is of dtype T
    template <element T>
    array<T> as(source_line where = {}) const {
        if (dtype(where) != dtype_of<T>) detail::throw_other_dtype(dtype(where), dtype_of<T>, where);
        return array<T>(node_);
    }

private:
    detail::handle_ref node_;
};

}  // namespace frit::v0
