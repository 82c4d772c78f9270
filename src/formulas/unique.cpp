// unique_values and its family. Elements are sorted, and what differs from the element before begins a run. Integers that
// lie close together, beside how many they are, need no sort: a table over their range says which values there are.
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "frit/select.hpp"
#include "src/formulas/masks.hpp"
#include "src/formulas/parts.hpp"

namespace frit::inline v0::detail {
namespace {

/// Runs of equal elements among sorted ones.
class groups {
public:
    groups(const value& sorted, std::string_view who, source_line where)
        : starts_(begin_of(sorted, where)), begins_(starts_, where), size_(sorted.size(where)), who_(who), where_(where) {}

    /// Where each begins; a vector.
    value begins() const { return value(begins_.places().node()); }
    /// Where each ends: where the next one begins.
    value ends() const {
        const std::int64_t n = begins_.count();
        if (n == 0) return begins();
        const place_value next(recorded(numbers(n, where_) + 1, where_).node());
        const place_value inside(recorded(minimum(next, n - 1), where_).node());
        return recorded(frit::where(next == inside, element_at(begins(), inside, who_, where_), size_), where_);
    }
    /// The number of the one that each of these places lies in.
    value at(const value& places) const {
        const value steps = recorded(cast<std::int64_t>(starts_), where_);
        if (size_ == 0) return places;
        const value counted = recorded(cumsum(place_value(steps.node()), 0, where_) - 1, where_);
        return element_at(counted, place_value(places.node()), who_, where_);
    }

private:
    /// For each place whether the one before has another value, or there is none.
    static value begin_of(const value& sorted, source_line where) {
        const shape of = *sorted.node()->extents;
        if (of[0] == 0) return recorded(sorted != sorted, where);
        const value before = shifted(sorted, 0, -1, where);
        return with_index(of, 0, [&](const auto& i) { return recorded((i == 0) | (sorted != before), where); });
    }

    value starts_;
    true_elements begins_;
    std::int64_t size_;
    std::string_view who_;
    source_line where_;
};

/// In the shape of x.
user_ref in_shape_of(const user_ref& x, const value& vector, source_line where) {
    const std::vector<std::int64_t> extents(x->extents->begin(), x->extents->end());
    return result(make_view(vector, reshape_attribute(vector.shape(where), extents, where)), where);
}

unique_results by_sorting(const user_ref& x, const value& flat, const unique_parts& parts, source_line where) {
    const value sorted(result(sort(flat, 0, where), where));
    const bool ordered = parts.indices || parts.inverse;
    const value order = ordered ? value(result(argsort(flat, 0, where), where)) : sorted;
    node_head* const both[] = {sorted.node().get(), order.node().get()};  // one call
    eval({both, ordered ? 2U : 1U}, where);
    const groups g(sorted, parts.who, where);
    const place_value first(g.begins().node());
    unique_results r;
    r.values = take_places(sorted.node(), first, 0, where);
    if (parts.counts) r.counts = result(g.ends() - first, where);
    if (parts.indices) r.indices = take_places(order.node(), first, 0, where);
    if (parts.inverse) r.inverse = in_shape_of(x, g.at(value(result(argsort(order, 0, where), where))), where);
    return r;
}

/// From which value, and over how many, those of a vector of integers reach.
struct value_range {
    std::uint64_t least;  ///< modulo 2^64
    std::int64_t size;
};

/// A table of a range pays from so many elements for each of its values on; and from so many elements on, for a GPU waits
/// for the ends of the range, and has more kernels to begin.
constexpr std::int64_t elements_of_value = 8;
std::int64_t few_elements(const value& flat) { return device_of(flat.node().get()) == device::cpu() ? 4096 : 1 << 20; }

bool is_signed_integer(dtype t) { return kind_of(t) == dtype_kind::integer; }

/// The whole range of a narrow dtype; of others as far as the elements reach, which are stored, if they are not. None where
/// a table would be too long.
std::optional<value_range> range_of(const value& flat, source_line where) {
    const dtype type = flat.node()->meant;
    const std::int64_t n = flat.size(where);
    if ((!is_integer(type) && type != dtype::bool_) || n < few_elements(flat)) return std::nullopt;
    const auto fits = [&](std::uint64_t last) { return last < static_cast<std::uint64_t>(n / elements_of_value); };
    const int bits = type == dtype::bool_ ? 1 : static_cast<int>(8 * size_of(type));
    if (bits <= 16) {
        const std::uint64_t values = std::uint64_t{1} << bits;
        if (!fits(values - 1)) return std::nullopt;
        return value_range{is_signed_integer(type) ? 0 - values / 2 : 0, static_cast<std::int64_t>(values)};
    }
    const auto as_bits = [&](const value& number) {
        return value(shared(cast(number, is_signed_integer(type) ? dtype::i64 : dtype::u64), where));
    };
    const value ends[] = {as_bits(recorded(min(flat), where)), as_bits(recorded(max(flat), where))};
    node_head* const together[] = {ends[0].node().get(), ends[1].node().get(), flat.node().get()};
    eval({together, lies_in_memory(flat.node()) ? 2U : 3U}, where);
    const auto read = [&](const value& number) {
        const handle_ref of(number.node().get());
        return is_signed_integer(type) ? static_cast<std::uint64_t>(item_of<std::int64_t>(of, where))
                                       : item_of<std::uint64_t>(of, where);
    };
    const std::uint64_t least = read(ends[0]), last = read(ends[1]) - least;
    if (!fits(last)) return std::nullopt;
    return value_range{least, static_cast<std::int64_t>(last + 1)};
}

/// Which values of a range occur, as tables over it.
class value_table {
public:
    value_table(const value& flat, const value_range& range, const unique_parts& parts, source_line where)
        : range_(range), who_(parts.who), where_(where), type_(flat.node()->meant), number_(number_of_each(flat)) {
        const std::int64_t n = flat.size(where);
        std::vector<node_head*> made;
        if (parts.indices) {
            const dtype wide = n <= std::numeric_limits<std::int32_t>::max() ? dtype::i32 : dtype::i64;
            const value place = in_dtype(value(numbers(n, where).node()), wide, where);
            first_ = table(op::scatter_min, n, wide, place.node());
            made.push_back(first_->node().get());
        }
        if (parts.counts || (!first_ && range.size <= counted)) {
            counts_ = table(op::scatter_add, false, dtype::i64, constant_of(true, dtype::i64, where));
            made.push_back(counts_->node().get());
        }
        if (made.empty()) {
            occurs_ = table(op::scatter_max, false, dtype::bool_, constant_of(true, dtype::bool_, where));
        } else {
            eval(made, where);
            occurs_ = counts_ ? recorded(*counts_ != std::int64_t{0}, where) : recorded(*first_ < n, where);
        }
        occurs_ = shared_value(*occurs_, where);
        found_.emplace(*occurs_, where);
    }

    user_ref values() const {
        const dtype wide = is_signed_integer(type_) ? dtype::i64 : dtype::u64;
        return result(cast(cast(found_->places(), wide) + least(wide), type_), where_);
    }
    user_ref counts() const { return take_places(counts_->node(), found_->places(), 0, where_); }
    user_ref indices() const {
        return result(cast(value(take_places(first_->node(), found_->places(), 0, where_)), dtype::i64), where_);
    }
    /// For each element the place of its value among those that occur.
    value inverse() const {
        const value steps = recorded(cast<std::int64_t>(*occurs_), where_);
        const value place = recorded(cumsum(places_of(steps), 0, where_) - 1, where_);
        return element_at(place, place_value(recorded(cast<std::int64_t>(number_), where_).node()), who_, where_);
    }

private:
    /// So few values are counted rather than marked: a GPU does so in a kernel that reads the elements (place_tallies).
    static constexpr std::int64_t counted = 8192;

    /// The range's first value, in a dtype that holds it.
    value least(dtype in) const {
        return value(is_signed_integer(in) ? constant_of(weak_number(static_cast<std::int64_t>(range_.least)), in, where_)
                                           : constant_of(weak_number(range_.least), in, where_));
    }
    /// An element's value, counted from the range's first, int32 or int64: a node, which every table reads.
    value number_of_each(const value& flat) const {
        const dtype to = range_.size <= std::numeric_limits<std::int32_t>::max() ? dtype::i32 : dtype::i64;
        // Where a difference is none that wraps; of 64 bits it wraps to what it is.
        const dtype in = size_of(type_) <= 2 ? dtype::i32 : size_of(type_) == 4 && to == dtype::i64 ? to : type_;
        return shared(cast(in_dtype(flat, in, where_) - least(in), to), where_);
    }
    /// A number for each value of the range, combined with what the value's elements say.
    value table(op code, const weak_number& number, dtype type, const user_ref& what) const {
        const value none = filled(value(constant_of(number, type, where_)), shape{range_.size}, where_);
        const gather_item items[] = {{.array = number_.node()}};
        return value(scatter_of(code, none.node(), access_of(none.node(), items, who_, where_), what, who_, where_));
    }

    value_range range_;
    const char* who_;
    source_line where_;
    dtype type_;
    value number_;
    std::optional<value> first_, counts_, occurs_;
    std::optional<true_elements> found_;
};

unique_results by_table(const user_ref& x, const value& flat, const value_range& range, const unique_parts& parts,
                        source_line where) {
    const auto device = on_device_of({&x, 1});
    const value_table table(flat, range, parts, where);
    unique_results r;
    r.values = table.values();
    if (parts.counts) r.counts = table.counts();
    if (parts.indices) r.indices = table.indices();
    if (parts.inverse) r.inverse = in_shape_of(x, table.inverse(), where);
    return r;
}

}  // namespace

unique_results unique_of(const user_ref& x, const unique_parts& parts, source_line where) try {
    const value flat = as_vector(value(x), where);
    if (const auto range = range_of(flat, where)) return by_table(x, flat, *range, parts, where);
    return by_sorting(x, flat, parts, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(parts.who, where);
}

}  // namespace frit::v0::detail
