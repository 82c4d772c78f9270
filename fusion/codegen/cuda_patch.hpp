// Kernels whose threads compute patches (kernel_spec::patch_rows) in CUDA C++, and what reductions share with them: how
// loads that show one array at shifted places are read together.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fusion/codegen/cuda_text.hpp"

namespace frit::inline v0::fusion {

std::string cuda_patch_kernel(const dialect&, const kernel_spec&, const word_map&, const std::string& name);

/// Neighbouring elements, `rows` x `columns` of them, are read at once where no clamp is reached. Of use for rank > 1.
class patch_text : protected cuda_text {
protected:
    patch_text(const dialect& d, const kernel_spec& s, const word_map& m, std::string name, unsigned rows, unsigned columns)
        : cuda_text(d, s, m, std::move(name)), row_(s.rank - 2U), column_(s.rank - 1U), rows_(rows), columns_(columns) {}

    /// Whether a patch with these indices at its corner reaches no clamp, of specs with has_unclamped_words.
    std::string unclamped_patch(const std::vector<std::string>& corner) const;
    /// Windows of the patch at the indices i0, i1, ... into the lanes of their loads, from lane `first` on.
    void read_windows(const std::string& first);

    const unsigned row_, column_, rows_, columns_;

private:
    /// What the loads of one window need of each row, columns counted from the patch's corner.
    struct window {
        int top = 0, left = 0, bottom = 0, right = 0;
        std::vector<std::set<int>> needed;  ///< by row from top
        int width() const { return right - left + 1; }
    };
    window window_of(std::size_t origin) const;
    void read_window(std::size_t origin, const std::string& first);
};

}  // namespace frit::v0::fusion
