// What is picked by a mask: the places of its true elements, and what a vector has there.
#pragma once

#include <cstdint>
#include <optional>

#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {

/// Whether it need not be computed: it is stored, or it is a view of what is.
bool lies_in_memory(const user_ref& x);

inline place_value places_of(const value& x) { return place_value(x.node()); }

/// Where the elements of a vector that are not zero are, in order: stored.
class true_elements {
public:
    true_elements(const value& vector, source_line);
    std::int64_t count() const { return count_; }
    /// As a vector.
    place_value places() const;

private:
    std::optional<value> places_;
    std::int64_t count_ = 0;
    source_line where_;
};

/// x at these places of an axis.
user_ref take_places(const user_ref& x, const place_value& places, std::int64_t axis, source_line where);

/// x at the places of an axis where a vector is not zero, which is no longer than the axis.
user_ref picked_along(const user_ref& x, const value& vector, int axis, source_line where);

}  // namespace frit::v0::detail
