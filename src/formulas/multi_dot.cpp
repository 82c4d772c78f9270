// The product of a chain of matrices. Where the parentheses go is found by dynamic programming over its parts (T. H. Cormen,
// C. E. Leiserson, R. L. Rivest and C. Stein, "Introduction to Algorithms", matrix-chain multiplication); the products are
// matmul's.
#include <limits>
#include <string>
#include <vector>

#include "frit/einsum.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {
namespace {

class chain {
public:
    chain(std::span<const user_ref> arrays, source_line where) : arrays_(arrays), where_(where) {
        dtype type = arrays[0]->meant;
        for (const user_ref& x : arrays) type = promote(type, x->meant);
        for (std::size_t k = 0; k < arrays.size(); ++k) {
            add_side(k);
            factors_.push_back(in_dtype(value(arrays[k]), factor_dtype(arrays[k]->meant, type), where));
        }
        choose();
    }
    value product() const { return product(0, arrays_.size() - 1); }

private:
    [[noreturn]] void fail(const std::string& why, std::size_t first, std::size_t count) const {
        std::vector<shape> shapes;
        for (const user_ref& x : arrays_.subspan(first, count)) shapes.push_back(*x->extents);
        throw_shape_error("multi_dot", why, shapes, where_);
    }

    void add_side(std::size_t k) {
        const shape& of = *arrays_[k]->extents;
        const bool is_last = k + 1 == arrays_.size(), at_an_end = k == 0 || is_last;
        if (of.rank() != 2 && !(of.rank() == 1 && at_an_end))
            fail("array " + std::to_string(k) + " is no matrix (the first and the last may be vectors)", k, 1);
        const bool is_row = of.rank() == 1 && k == 0, is_column = of.rank() == 1 && !is_row;
        const std::int64_t rows = is_row ? 1 : of[0], columns = is_column ? 1 : of[-1];
        if (k == 0)
            sides_.push_back(static_cast<double>(rows));
        else if (static_cast<double>(rows) != sides_.back())
            fail("array " + std::to_string(k - 1) + " has not as many columns as array " + std::to_string(k) + " has rows",
                 k - 1, 2);
        sides_.push_back(static_cast<double>(columns));
    }

    /// Where each part of the chain is cut in two.
    void choose() {
        const std::size_t n = arrays_.size();
        std::vector<std::vector<double>> cost(n, std::vector<double>(n));
        cut_.assign(n, std::vector<std::size_t>(n));
        for (std::size_t length = 1; length < n; ++length)
            for (std::size_t first = 0; first + length < n; ++first) {
                const std::size_t last = first + length;
                cost[first][last] = std::numeric_limits<double>::infinity();
                for (std::size_t k = first; k < last; ++k) {
                    const double whole =
                        cost[first][k] + cost[k + 1][last] + sides_[first] * sides_[k + 1] * sides_[last + 1];
                    if (k == first || whole < cost[first][last]) cost[first][last] = whole, cut_[first][last] = k;
                }
            }
    }

    value product(std::size_t first, std::size_t last) const {
        if (first == last) return factors_[first];
        const std::size_t k = cut_[first][last];
        return recorded(matmul(product(first, k), product(k + 1, last)), where_);
    }

    std::span<const user_ref> arrays_;
    source_line where_;
    std::vector<value> factors_;
    std::vector<double> sides_;  // matrix k has side k of rows and side k + 1 of columns
    std::vector<std::vector<std::size_t>> cut_;
};

}  // namespace

user_ref multi_dot_of(std::span<const user_ref> arrays, source_line where) try {
    if (arrays.size() < 2) throw_shape_error("multi_dot", "takes two arrays or more", {}, where);
    return result(chain(arrays, where).product(), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("multi_dot", where);
}

}  // namespace frit::v0::detail
