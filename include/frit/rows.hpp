// `for (auto row : x)`: the subarrays along the first axis, as NumPy iterates. begin and end are functions beside the
// arrays, found by their argument, so that arrays and formulas that nobody iterates over pay nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/index.hpp"

namespace frit::inline v0 {

namespace detail {

/// x(k), as a loop shows it: a value, no place to assign to, since a loop over values that shall change them would be
/// silent.
template <dtype D>
class row_view : public expr<op::view, D, leaf<D>, attribute_child> {
    using base = expr<op::view, D, leaf<D>, attribute_child>;

public:
    explicit row_view(base view) : base(std::move(view)) {}
    row_view(const row_view&) = default;
    row_view(row_view&&) = default;
    row_view& operator=(const row_view&) = delete;
#define FRIT_X(token, name)                                                                                            \
    template <class E>                                                                                                 \
    hint<"frit: a row is a value and no place: to change row k of x, write x(k) = ... or x(k) += ..."> operator token( \
        const E&) = delete;
    FRIT_X(=, assign)
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X
};

/// Counts through the first axis of a value, which it keeps.
template <dtype D>
class row_iterator {
public:
    using value_type = row_view<D>;
    using reference = value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;  // of C++17: a row is no reference
    using iterator_concept = std::forward_iterator_tag;

    row_iterator() = default;
    row_iterator(typename holder<D>::type of, std::int64_t at, source_line where) noexcept
        : of_(std::move(of)), at_(at), where_(where) {}
    value_type operator*() const {
        const index place = at_;
        return value_type(make_view(of_, index_attribute(of_.shape(where_), {&place, 1}, where_)));
    }
    row_iterator& operator++() noexcept {
        ++at_;
        return *this;
    }
    row_iterator operator++(int) noexcept {
        row_iterator before = *this;
        ++at_;
        return before;
    }
    /// Of one array's iterators.
    friend bool operator==(const row_iterator& a, const row_iterator& b) noexcept { return a.at_ == b.at_; }

private:
    typename holder<D>::type of_;  ///< empty at the end
    std::int64_t at_ = 0;
    source_line where_ = unknown_line;
};

/// @throws shape_error for rank 0
FRIT_API std::int64_t count_rows(const shape&, source_line);

}  // namespace detail

/// For `for (auto row : x)`: x(0), x(1), ... to the end of the first axis, each a view as lazy as x(k) and of one dimension
/// less. The loop is over the value that x has when it begins, whatever x is assigned meanwhile; of a formula, which is
/// recorded once. A row cannot be assigned to: x(k) can.
///
/// ```cpp
/// const frit::array<double> x{{1, 2, 3}, {4, 5, 6}};
/// for (auto row : x) std::cout << row << " " << sum(row) << "\n";
/// ```
/// ```text
/// [1. 2. 3.] 6.0
/// [4. 5. 6.] 15.0
/// ```
///
/// @throws shape_error for rank 0
template <detail::operand A>
auto begin(const A& x, source_line where = {}) {
    constexpr dtype D = detail::operand_t<A>::type;
    detail::count_rows(x.shape(where), where);
    return detail::row_iterator<D>(detail::holder_t<A>(detail::handle_of(x, where)), 0, where);
}
/// Behind the last row.
template <detail::operand A>
auto end(const A& x, source_line where = {}) {
    return detail::row_iterator<detail::operand_t<A>::type>({}, detail::count_rows(x.shape(where), where), where);
}

}  // namespace frit::v0
