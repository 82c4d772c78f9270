// sliding_window_view: a gather at the sum of two coordinates.
#include "frit/windows.hpp"

#include <string>

#include "src/formulas/indexing.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr const char* who = "sliding_window_view";

/// The axis of x that each axis of the window goes along.
std::vector<int> window_axes(const shape& of, const int_list& window, const axes* which, source_line where) {
    std::vector<int> along;
    if (which)
        for (const std::int64_t a : *which) along.push_back(checked_axis(who, a, of.rank(), of, where));
    else
        for (int k = 0; k < of.rank(); ++k) along.push_back(k);
    if (static_cast<int>(along.size()) != window.count())
        throw_shape_error(who,
                          "a window of " + std::to_string(window.count()) + " axes along " + std::to_string(along.size()) +
                              " of the array",
                          {&of, 1}, where);
    return along;
}

/// The places of the windows, and then their extents.
shape windows_shape(const shape& of, const int_list& window, const std::vector<int>& along, source_line where) {
    std::vector<std::int64_t> extents(of.begin(), of.end());
    for (int k = 0; k < window.count(); ++k) {
        std::int64_t& n = extents[static_cast<std::size_t>(along[static_cast<std::size_t>(k)])];
        if (window[k] < 0 || window[k] > n)
            throw_shape_error(who, "a window of extent " + std::to_string(window[k]) + " does not fit", {&of, 1}, where);
        n -= window[k] - 1;
    }
    extents.insert(extents.end(), window.begin(), window.end());
    return shape(extents, where);
}

}  // namespace

user_ref windows_of(const user_ref& x, const int_list& window, const axes* which, source_line where) try {
    const shape& of = *x->extents;
    const std::vector<int> along = window_axes(of, window, which, where);
    auto* gather = new attribute;
    indexed_access a{attribute_ref(gather), {}};
    gather->what = attribute::kind::gather;
    gather->source = of;
    gather->result = windows_shape(of, window, along, where);
    for (int axis = 0; axis < of.rank(); ++axis) {
        value index(recorded(coordinate(gather->result, axis), where));
        bool slides = false;
        for (std::size_t k = 0; k < along.size(); ++k) {
            if (along[k] != axis) continue;
            index = recorded(index + coordinate(gather->result, of.rank() + static_cast<int>(k)), where);
            slides = true;
        }
        gather->maps.push_back(slides ? axis_map{.axis = index_axis(static_cast<int>(a.indices.size()))}
                                      : axis_map{.axis = axis, .step = 1});
        if (slides) a.indices.push_back({index.node(), {}});
    }
    if (a.indices.empty()) return result(value(x), where);
    auto* same = new attribute;
    const attribute_ref spread(same);
    same->source = same->result = gather->result;
    for (int k = 0; k < gather->result.rank(); ++k) same->maps.push_back({.axis = k, .step = 1});
    for (indexed_access::operand& o : a.indices) o.spread = spread;
    return read_at(x, a, bounds::raise, who, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace frit::v0::detail
