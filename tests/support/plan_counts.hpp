// How many kernels and library calls a plan has, as one value that tests compare: here because files of tests of products
// share it.
#pragma once

#include <cstddef>
#include <ostream>

#include <frit/frit.hpp>

namespace frit_test {

struct plan_counts {
    std::size_t kernels, calls;
    friend bool operator==(const plan_counts&, const plan_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const plan_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class... A>
plan_counts planned(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    return {p.kernels().size(), p.library_calls().size()};
}

}  // namespace frit_test
