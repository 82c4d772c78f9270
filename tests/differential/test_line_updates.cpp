// Random programs over lines of several lengths: updates of slices between reductions, scans, slices that are kept, old
// values that are held, and whole statements, against plain loops. Lines of one length meet in one kernel, lines of another
// do not: what a kernel updates in place must not be read there as a whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {

using frit::array;
using frit::slice;
using number = double;  // whole, and small enough to be exact
using numbers = std::vector<number>;

constexpr std::int64_t lengths[] = {6000, 6000, 3000, 400, 60};
constexpr number modulus = 31;

struct line {
    array<number> lazy;
    numbers plain;
    std::int64_t size() const { return static_cast<std::int64_t>(plain.size()); }
};

number reduced(number x) { return x - modulus * std::floor(x / modulus); }

class program {
public:
    explicit program(std::uint64_t seed) : random_(seed) {
        for (const std::int64_t n : lengths) {
            numbers x(static_cast<std::size_t>(n));
            for (number& v : x) v = static_cast<number>(below(31));
            lines_.push_back({frit::from_host(x), x});
        }
    }

    /// What is wrong, or nothing.
    std::string run(int steps) {
        for (int k = 0; k < steps; ++k) {
            statement();
            if (below(25) == 0) lines_[pick()].lazy.eval();
            if (below(40) == 0) {
                line& v = lines_[pick()];
                if (array<number>(v.lazy * 1.0).to_vector() != v.plain) return "read early: " + text_;
            }
        }
        for (const std::vector<line>* all : {&lines_, &kept_})
            for (const line& v : *all)
                if (v.lazy.to_vector() != v.plain) return "a line of " + std::to_string(v.size()) + " differs:" + text_;
        return {};
    }

private:
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
    std::size_t pick() { return static_cast<std::size_t>(below(static_cast<std::int64_t>(lines_.size()))); }
    void say(const std::string& s) { text_ += "\n  " + s; }

    static numbers part(const numbers& x, std::int64_t first, std::int64_t count) {
        return {x.begin() + first, x.begin() + first + count};
    }
    void write(line& u, std::int64_t first, const numbers& x) { std::copy(x.begin(), x.end(), u.plain.begin() + first); }
    /// A line that nobody changes any more; few at a time.
    void keep(array<number> lazy, numbers plain) {
        if (kept_.size() == 4) kept_.erase(kept_.begin() + below(4));
        kept_.push_back({std::move(lazy), std::move(plain)});
    }

    void statement() {
        line &u = lines_[pick()], &v = lines_[pick()];
        const std::int64_t most = std::min(u.size(), v.size()), count = below(4) == 0 ? most : 1 + below(most),
                           at = below(u.size() - count + 1), from = below(v.size() - count + 1);
        const slice to(at, at + count), of(from, from + count);
        numbers x = part(v.plain, from, count);
        const std::string sizes = std::to_string(u.size()) + "[" + std::to_string(at) + ":+" + std::to_string(count) +
                                  "] of " + std::to_string(v.size()) + "[" + std::to_string(from) + "]: ";
        switch (below(10)) {
            case 0:
                say(sizes + "turned");
                u.lazy(to) = modulus - array<number>(v.lazy)(of);
                for (number& a : x) a = modulus - a;
                return write(u, at, x);
            case 1:
                say(sizes + "a scalar");
                u.lazy(to) = 3.0;
                return write(u, at, numbers(x.size(), 3));
            case 2: {
                say(sizes + "a product that is a statement");
                const array<number> twice = array<number>(v.lazy)(of) * 2.0;
                u.lazy(to) = twice % modulus;
                for (number& a : x) a = reduced(a * 2);
                return write(u, at, x);
            }
            case 3: {
                say(sizes + "added");
                u.lazy(to) += array<number>(v.lazy)(of);
                u.lazy = u.lazy % modulus;
                for (std::int64_t k = 0; k < count; ++k)
                    u.plain[static_cast<std::size_t>(at + k)] += x[static_cast<std::size_t>(k)];
                for (number& a : u.plain) a = reduced(a);
                return;
            }
            case 4:
                say(sizes + "the sum");
                u.lazy(to) = sum(array<number>(v.lazy)(of)) % modulus;
                return write(u, at, numbers(x.size(), reduced(std::accumulate(x.begin(), x.end(), 0.0))));
            case 5:
                say(sizes + "cumulative sums");
                u.lazy(to) = cumsum(array<number>(v.lazy)(of), 0) % modulus;
                std::partial_sum(x.begin(), x.end(), x.begin());
                for (number& a : x) a = reduced(a);
                return write(u, at, x);
            case 6: {
                say(sizes + "places in order");
                u.lazy(to) = frit::cast<number>(argsort(array<number>(v.lazy)(of), 0)) % modulus;
                std::vector<std::size_t> order(x.size());
                std::iota(order.begin(), order.end(), std::size_t{0});
                std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
                for (std::size_t k = 0; k < order.size(); ++k) x[k] = reduced(static_cast<number>(order[k]));
                return write(u, at, x);
            }
            case 7: say(sizes + "a slice kept"); return keep(array<number>(v.lazy)(of) * 1.0, x);
            case 8: say(sizes + "an old value held"); return keep(v.lazy, v.plain);
            default:
                say(sizes + "the whole");
                u.lazy = (u.lazy + 1.0) % modulus;
                for (number& a : u.plain) a = reduced(a + 1);
        }
    }

    std::mt19937_64 random_;
    std::vector<line> lines_, kept_;
    std::string text_;
};

TEST(LineUpdates, RandomPrograms) {
    // The sample has the one that once met a kernel with an update and a reader of its result in it: 1043.
    const bool all = frit_test::thorough();
    const std::uint64_t first = all ? 1 : 1040, programs = all ? 20'000 : frit::default_device().is_cpu() ? 100 : 5;
    for (std::uint64_t seed = first; seed < first + programs; ++seed)
        ASSERT_EQ(program(seed).run(60), "") << "seed " << seed;
}

}  // namespace
