// Random programs of many small updates of few arrays, with overlaps, evaluated at random points or never, against plain
// loops. Values are integers that wrap, so every form of an update must give equal bits. Deferring writes fewer bytes than
// evaluating after every statement does; a program that holds old values may write more, where that saves calls of kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {

using number = std::int64_t;
using frit::array;
using frit::slice;

constexpr std::int64_t side = 60;  // large enough for every form of an update to be the cheapest now and then

number add(number a, number b) { return static_cast<number>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
number times(number a, number b) {
    return static_cast<number>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

struct span_of {
    std::int64_t start, step, count;
    std::int64_t at(std::int64_t k) const { return start + k * step; }
    slice lazy() const {
        const std::int64_t stop = at(count);
        if (stop < 0) return slice(start, frit::none, step);
        return slice(start, stop, step);
    }
};
struct box {
    span_of rows, columns;
    std::string text() const {
        const auto one = [](const span_of& s) {
            return std::to_string(s.start) + ":" + std::to_string(s.step) + "*" + std::to_string(s.count);
        };
        return "(" + one(rows) + ", " + one(columns) + ")";
    }
};

struct variable {
    array<number> lazy;
    std::vector<number> plain;
    number& at(std::int64_t i, std::int64_t j) { return plain[static_cast<std::size_t>(i * side + j)]; }
};

class program {
public:
    /// @param every     evaluate after every statement
    /// @param together  all variables, where some are evaluated
    program(std::uint64_t seed, bool every, bool together = true) : random_(seed), every_(every), together_(together) {
        for (int k = 0; k < 3; ++k) {
            variable v;
            for (std::int64_t i = 0; i < side * side; ++i) v.plain.push_back(below(1000) - 500);
            v.lazy = frit::from_host(v.plain, {side, side});
            held_.push_back(std::move(v));
        }
    }

    /// What is wrong, or nothing.
    std::string run(int steps) {
        const bool never = below(4) == 0;
        for (int k = 0; k < steps; ++k) {
            statement();
            const bool now = below(6) == 0 && !never;
            const std::size_t which = pick();
            if (every_)
                for (variable& v : held_) v.lazy.eval();
            else if (now && together_)
                frit::eval(held_[0].lazy, held_[1].lazy, held_[2].lazy);
            else if (now)
                held_[which].lazy.eval();
        }
        frit::eval(held_[0].lazy, held_[1].lazy, held_[2].lazy);
        for (variable& v : held_) {
            const std::vector<number> got = v.lazy.to_vector();
            if (got != v.plain) return "variable " + std::to_string(&v - held_.data()) + " differs after:\n" + text_;
        }
        return {};
    }

private:
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
    std::size_t pick() { return static_cast<std::size_t>(below(static_cast<std::int64_t>(held_.size()))); }

    /// `count` indices of an axis, forwards, backwards or with gaps.
    span_of pick_span(std::int64_t count) {
        const std::int64_t far = (side - 1) / std::max<std::int64_t>(count - 1, 1);
        const std::int64_t step = below(5) == 0 ? 1 + below(std::min<std::int64_t>(far, 3)) : 1;
        const std::int64_t first = below(side - (count - 1) * step);
        return below(6) == 0 ? span_of{first + (count - 1) * step, -step, count} : span_of{first, step, count};
    }
    box pick_box(std::int64_t rows, std::int64_t columns) { return {pick_span(rows), pick_span(columns)}; }
    auto view(const variable& v, const box& b) {
        const array<number>& a = v.lazy;
        return a(b.rows.lazy(), b.columns.lazy());
    }

    void say(const std::string& line) { text_ += "  " + line + "\n"; }

    /// Writes value(i, j) into b of v, all of them computed before.
    template <class F>
    void write(variable& v, const box& b, F value) {
        std::vector<number> now;
        for (std::int64_t i = 0; i < b.rows.count; ++i)
            for (std::int64_t j = 0; j < b.columns.count; ++j) now.push_back(value(i, j));
        std::size_t next = 0;
        for (std::int64_t i = 0; i < b.rows.count; ++i)
            for (std::int64_t j = 0; j < b.columns.count; ++j) v.at(b.rows.at(i), b.columns.at(j)) = now[next++];
    }

    void statement() {
        const std::size_t iu = pick(), iv = pick(), iw = pick();
        variable &u = held_[iu], &v = held_[iv], &w = held_[iw];
        static constexpr std::int64_t sizes[] = {1, 1, 2, 3, 5, side / 2, side - 2, side};
        const std::int64_t rows = sizes[below(8)], columns = sizes[below(8)];
        const box a = pick_box(rows, columns), b = pick_box(rows, columns), c = pick_box(rows, columns);
        const number k = below(9) - 4;
        const auto from = [](variable& x, const box& p) {
            return [&x, p](std::int64_t i, std::int64_t j) { return x.at(p.rows.at(i), p.columns.at(j)); };
        };
        const std::string names = std::to_string(iu) + a.text() + " <- " + std::to_string(iv) + b.text();
        switch (below(9)) {
            case 0:
            case 1: {
                say(names + " * " + std::to_string(k) + " + 1");
                u.lazy(a.rows.lazy(), a.columns.lazy()) = view(v, b) * k + 1;
                const auto x = from(v, b);
                write(u, a, [&](auto i, auto j) { return add(times(x(i, j), k), 1); });
                break;
            }
            case 2: {
                say(names + " + " + std::to_string(iw) + c.text());
                u.lazy(a.rows.lazy(), a.columns.lazy()) = view(v, b) + view(w, c);
                const auto x = from(v, b), y = from(w, c);
                write(u, a, [&](auto i, auto j) { return add(x(i, j), y(i, j)); });
                break;
            }
            case 3: {
                say(names + " added");
                u.lazy(a.rows.lazy(), a.columns.lazy()) += view(v, b);
                const auto x = from(v, b), y = from(u, a);
                write(u, a, [&](auto i, auto j) { return add(x(i, j), y(i, j)); });
                break;
            }
            case 4: {
                say(std::to_string(iu) + a.text() + " <- " + std::to_string(k));
                u.lazy(a.rows.lazy(), a.columns.lazy()) = k;
                write(u, a, [&](auto, auto) { return k; });
                break;
            }
            case 5: {
                say(std::to_string(iu) + " <- " + std::to_string(iv) + " + " + std::to_string(iw) + " * " +
                    std::to_string(k));
                u.lazy = v.lazy + w.lazy * k;
                std::vector<number> now;
                for (std::size_t n = 0; n < u.plain.size(); ++n) now.push_back(add(v.plain[n], times(w.plain[n], k)));
                u.plain = now;
                break;
            }
            case 6: {
                say(std::to_string(iu) + " is " + std::to_string(iv));
                u.lazy = v.lazy;
                const std::vector<number> same = v.plain;
                u.plain = same;
                break;
            }
            case 7: {
                say(std::to_string(iu) + a.text() + " <- sum of " + std::to_string(iv) + b.text());
                u.lazy(a.rows.lazy(), a.columns.lazy()) = frit::sum(view(v, b));
                number total = 0;
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < columns; ++j) total = add(total, v.at(b.rows.at(i), b.columns.at(j)));
                write(u, a, [&](auto, auto) { return total; });
                break;
            }
            default: {
                const box t{c.columns, c.rows};  // of v.T()
                say(names + ".T " + c.text());
                const array<number>& x = v.lazy;
                u.lazy(a.rows.lazy(), a.columns.lazy()) = x.T()(c.rows.lazy(), c.columns.lazy()) - view(v, b);
                const auto y = from(v, b);
                write(u, a, [&](auto i, auto j) { return add(v.at(t.rows.at(j), t.columns.at(i)), times(y(i, j), -1)); });
            }
        }
    }

    std::mt19937_64 random_;
    bool every_, together_;
    std::vector<variable> held_;
    std::string text_;
};

/// Where a kernel takes a compiler, fewer do.
std::uint64_t programs(std::uint64_t sampled, std::uint64_t all) {
    if (frit_test::thorough()) return all;
    return frit::default_device().is_cpu() ? sampled : sampled / 15;
}

TEST(Updates, RandomRegions) {
    std::uint64_t all_deferred = 0, all_at_once = 0, all_one_by_one = 0;  // of several, one is asked for now and then
    const auto bytes_of = [](std::uint64_t seed, bool every, bool together) {
        frit::reset_stats();
        EXPECT_EQ(program(seed, every, together).run(30), "") << "seed " << seed << (every ? ", each statement" : "");
        return frit::stats().bytes_written;
    };
    for (std::uint64_t seed = 1; seed <= programs(150, 5000); ++seed) {
        const std::uint64_t deferred = bytes_of(seed, false, true), at_once = bytes_of(seed, true, true);
        all_deferred += deferred;
        all_at_once += at_once;
        if (frit::default_device().is_cpu()) {
            EXPECT_LE(2 * deferred, 5 * at_once) << "seed " << seed;
        }
        all_one_by_one += bytes_of(seed, false, false);
    }
    if (frit::default_device().is_cpu()) {  // a launch on a GPU costs as much as writing these arrays a hundred times
        EXPECT_LE(all_deferred, all_at_once);
        EXPECT_LE(all_one_by_one, all_at_once);
    }
}

TEST(Updates, RandomRegionsUnfused) {
    const frit_test::without_fusion one_by_one;
    for (std::uint64_t seed = 10'001; seed <= 10'000 + programs(45, 1000); ++seed)
        ASSERT_EQ(program(seed, false).run(30), "") << "seed " << seed;
}

}  // namespace
