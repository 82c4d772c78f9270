// See contraction_path.hpp. A step costs its multiplications, one for each value of all the indices of both, and the
// elements of its result. The cheapest order is found from subsets of the operands: each is made of two, and what the two
// cost does not depend on the rest.
#include "src/formulas/contraction_path.hpp"

#include <algorithm>
#include <limits>

namespace frit::inline v0::detail {
namespace {

/// To write an element and read it again takes the time of so many multiplications.
constexpr double moved = 8;

/// Subsets are counted in 2^n, and pairs of them in 3^n.
constexpr std::size_t most_for_exact = 8;

class extents_of_sets {
public:
    explicit extents_of_sets(std::span<const std::int64_t> extents) : extents_(extents) {}
    /// How many values all these indices have together.
    double elements(const subscript_set& s) const {
        double n = 1;
        for (std::size_t k = 0; k < extents_.size(); ++k)
            if (s[k]) n *= static_cast<double>(extents_[k]);
        return n;
    }

private:
    std::span<const std::int64_t> extents_;
};

/// The best pair of each subset of operands, a bit each.
class exact_path {
public:
    exact_path(std::span<const subscript_set> operands, const subscript_set& result, std::span<const std::int64_t> extents)
        : count_(operands.size()), sizes_(extents), sets_(std::size_t{1} << count_) {
        for (std::size_t s = 1; s < sets_.size(); ++s) {
            subscript_set inside, outside = result;
            for (std::size_t k = 0; k < count_; ++k) ((s >> k & 1) != 0 ? inside : outside) |= operands[k];
            sets_[s].kept = inside & outside;
            if ((s & (s - 1)) != 0) choose(s);
        }
    }
    std::vector<contraction_step> steps() {
        for (std::size_t k = 0; k < count_; ++k) list_.push_back(std::size_t{1} << k);
        take(sets_.size() - 1);
        return steps_;
    }

private:
    struct subset {
        subscript_set kept;  ///< the indices of what its operands make
        double cost = 0;
        std::size_t left = 0;  ///< made of this subset, and the rest
    };

    /// The left one has the subset's last operand, so that every pair is seen once.
    void choose(std::size_t s) {
        subset& best = sets_[s];
        best.cost = std::numeric_limits<double>::infinity();
        const double written = moved * sizes_.elements(best.kept);
        for (std::size_t part = (s - 1) & s; part > (s ^ part); part = (part - 1) & s) {
            const subset &a = sets_[part], &b = sets_[s ^ part];
            const double cost = a.cost + b.cost + sizes_.elements(a.kept | b.kept) + written;
            if (best.left == 0 || cost < best.cost) best.cost = cost, best.left = part;
        }
    }

    void take(std::size_t s) {
        if ((s & (s - 1)) == 0) return;
        const std::size_t a = sets_[s].left, b = s ^ a;
        take(a);
        take(b);
        const auto place = [&](std::size_t x) {
            return static_cast<std::size_t>(std::find(list_.begin(), list_.end(), x) - list_.begin());
        };
        const auto [first, second] = std::minmax({place(a), place(b)});
        steps_.push_back({first, second});
        list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(second));
        list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(first));
        list_.push_back(s);
    }

    std::size_t count_;
    extents_of_sets sizes_;
    std::vector<subset> sets_;
    std::vector<std::size_t> list_;  // the arrays that there are, as subsets of operands
    std::vector<contraction_step> steps_;
};

/// The pair whose result is smallest beside the two that it takes, again and again.
std::vector<contraction_step> greedy_path(std::vector<subscript_set> list, const subscript_set& result,
                                          const extents_of_sets& sizes) {
    const auto made_of = [&](std::size_t a, std::size_t b) {
        subscript_set others = result;
        for (std::size_t k = 0; k < list.size(); ++k)
            if (k != a && k != b) others |= list[k];
        return (list[a] | list[b]) & others;
    };
    std::vector<contraction_step> steps;
    while (list.size() > 1) {
        contraction_step best{0, 1};
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t b = 1; b < list.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) {
                const double grows = sizes.elements(made_of(a, b)) - sizes.elements(list[a]) - sizes.elements(list[b]);
                if (grows < least) least = grows, best = {a, b};
            }
        const subscript_set made = made_of(best.left, best.right);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(best.right));
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(best.left));
        list.push_back(made);
        steps.push_back(best);
    }
    return steps;
}

}  // namespace

std::vector<contraction_step> contraction_path(std::span<const subscript_set> operands, const subscript_set& result,
                                               std::span<const std::int64_t> extents) {
    if (operands.size() < 2) return {};
    if (operands.size() == 2) return {{0, 1}};
    if (operands.size() > most_for_exact)
        return greedy_path({operands.begin(), operands.end()}, result, extents_of_sets(extents));
    return exact_path(operands, result, extents).steps();
}

}  // namespace frit::v0::detail
