// How loads that show one array at shifted places are read together: what kernels with patches and totals over several
// dimensions share.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fusion/schedules/gpu/kernel.hpp"

namespace frit::inline v0::fusion::gpu {

/// Neighbouring elements, `rows` x `columns` of them, are read at once where no clamp is reached. Of use for rank > 1.
class window_builder : protected kernel_builder {
protected:
    window_builder(const kernel_spec& s, std::string name, unsigned rows, unsigned columns)
        : kernel_builder(s, std::move(name)),
          row_(s.rank - 2U),
          column_(s.rank - 1U),
          rows_(rows),
          columns_(columns),
          clamps_rows_(rows == 1 && s.rank > 1 && has_unclamped_words(s) && clamps_whole_rows()) {}

    /// Whether a patch with these indices at its corner reaches no clamp, of specs with has_unclamped_words.
    value is_unclamped(const std::vector<value>& corner);
    /// Windows of the patch at the indices i_ into the lanes of their loads, from lane `first` on.
    void read_windows(value first);

    /// Elements of the window that load `origin` begins.
    std::size_t window_size(std::size_t origin) const;

    /// Row and column of the patch's lane k, counted from its corner.
    value row_of(value k) { return rows_ == 1 ? number(0) : k / columns_; }
    value column_of(value k) { return columns_ == 1 ? number(0) : rows_ == 1 ? k : k % columns_; }

    const unsigned row_, column_, rows_, columns_;
    /// Clamps choose rows, and every load has a window of its own: then a patch, which is one row, never is at an edge.
    /// Parts of a concatenation along the first axis.
    const bool clamps_rows_;

private:
    bool clamps_whole_rows() const;
    /// What the loads of one window need of each row, columns counted from the patch's corner.
    struct window {
        int top = 0, left = 0, bottom = 0, right = 0;
        std::vector<std::set<int>> needed{};  ///< by row from top
        int width() const { return right - left + 1; }
    };
    window window_of(std::size_t origin) const;
    array fill_window(std::size_t origin, const window&);
    void read_window(std::size_t origin, value first);
    bool same_in_rows(const access& a) const { return !moves_in(a, row_, row_ + 1); }
};

}  // namespace frit::v0::fusion::gpu
