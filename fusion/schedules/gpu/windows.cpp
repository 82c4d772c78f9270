// Windows of arrays in registers: see windows.hpp.
#include "fusion/schedules/gpu/windows.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::gpu {

bool window_builder::clamps_whole_rows() const {
    for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
        const access& a = spec_.loads[k];
        if (a.dims[column_].clamped || (a.window > 0 && a.window != k + 1)) return false;
    }
    return std::none_of(spec_.coords.begin(), spec_.coords.end(),
                        [this](const fusion::coordinate& c) { return c.clamped && c.dim == column_; });
}

value window_builder::is_unclamped(const std::vector<value>& corner) {
    value inside = b_.truth(true);
    for (unsigned d = 0; d < corner.size(); ++d) {
        const auto clamps = [d](const access& a) { return a.dims[d].clamped; };
        const auto is_clamped = [d](const fusion::coordinate& c) { return c.dim == d && c.clamped; };
        const bool clamped = std::any_of(spec_.loads.begin(), spec_.loads.end(), clamps) ||
                             std::any_of(spec_.coords.begin(), spec_.coords.end(), is_clamped);
        if (!clamped && d < row_) continue;
        const unsigned extra = d == row_ ? rows_ - 1 : d == column_ ? columns_ - 1 : 0;
        inside = inside && corner[d] >= unclamped(d, false) && corner[d] + extra <= unclamped(d, true);
    }
    return inside;
}

window_builder::window window_builder::window_of(std::size_t origin) const {
    window w;
    const int tall = same_in_rows(spec_.loads[origin]) ? 1 : static_cast<int>(rows_), wide = static_cast<int>(columns_);
    for (const access& a : spec_.loads) {
        if (a.window != origin + 1) continue;
        const int down = a.dims[row_].shift, across = a.dims[column_].shift;
        w.top = std::min(w.top, down), w.bottom = std::max(w.bottom, down + tall - 1);
        w.left = std::min(w.left, across), w.right = std::max(w.right, across + wide - 1);
    }
    w.needed.resize(static_cast<std::size_t>(w.bottom - w.top + 1));
    for (const access& a : spec_.loads)
        if (a.window == origin + 1)
            for (int r = 0; r < tall; ++r)
                for (int c = 0; c < wide; ++c)
                    w.needed[static_cast<std::size_t>(r + a.dims[row_].shift - w.top)].insert(c + a.dims[column_].shift);
    return w;
}

std::size_t window_builder::window_size(std::size_t origin) const {
    const window w = window_of(origin);
    std::size_t n = 0;
    for (const std::set<int>& row : w.needed) n += row.size();
    return n;
}

// All that is needed of the window, in accesses as wide as what is needed side by side, at multiples of their width.
array window_builder::fill_window(std::size_t origin, const window& w) {
    const access& a = spec_.loads[origin];
    const std::string name = std::to_string(origin);
    const value first = clamps_rows_ ? place(a, map_.loads[origin]) : affine_place(a, map_.loads[origin]);
    const cell corner = b_.let("p" + name, pointer(a, true) + first);
    const value stride =
        same_in_rows(a) ? b_.constant(0, offset_) : b_.let("s" + name, affine_stride(a, map_.loads[origin], row_));
    const array made =
        b_.declare("w" + name, loops::number_of(a.type), static_cast<std::int64_t>(w.needed.size()) * w.width());
    const int widest =
        static_cast<int>(std::min({columns_, unsigned{a.alignment}, static_cast<unsigned>(16 / size_of(a.type))}));
    for (std::size_t q = 0; q < w.needed.size(); ++q) {
        const std::set<int>& needed = w.needed[q];
        for (auto c = needed.begin(); c != needed.end();) {
            int wide = widest;
            const auto fits = [&] {
                for (int j = 0; j < wide; ++j)
                    if (!needed.contains(*c + j)) return false;
                return *c % wide == 0;
            };
            while (wide > 1 && !fits()) wide /= 2;
            const auto width = static_cast<std::uint32_t>(wide);
            b_.copy_in(made.at(number(static_cast<int>(q) * w.width() + *c - w.left)),
                       corner + stride * (w.top + static_cast<int>(q)) + number(*c), {width, width});
            std::advance(c, wide);
        }
    }
    return made;
}

void window_builder::read_window(std::size_t origin, value first) {
    const window w = window_of(origin);
    const array made = fill_window(origin, w);
    loop("k", rows_ * columns_, [&](value k) {
        for (std::size_t l = 0; l < spec_.loads.size(); ++l) {
            const access& to = spec_.loads[l];
            if (to.window != origin + 1) continue;
            const int place = (to.dims[row_].shift - w.top) * w.width() + to.dims[column_].shift - w.left;
            const value row = same_in_rows(to) ? number(0) : row_of(k) * w.width();
            b_.put(loads_[l].each, first + k, made[row + column_of(k) + place]);
        }
    });
}

void window_builder::read_windows(value first) {
    for (std::size_t k = 0; k < spec_.loads.size(); ++k)
        if (spec_.loads[k].window == k + 1) read_window(k, first);
}

}  // namespace frit::v0::fusion::gpu
