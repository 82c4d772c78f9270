// A statement that comes again with other indices uses its plan again, with pointers moved, where nothing else of the plan
// depends on them; and where something does, it is planned. Values are compared with plain loops in both cases.
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include <frit/frit.hpp>

#include "src/graph/slot.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::newaxis;
using frit::none;
using frit::slice;
using doubles = std::vector<double>;

constexpr int n = 48, side = 16;

doubles numbers(std::size_t count, double first = 0.25) {
    doubles v(count);
    for (std::size_t k = 0; k < count; ++k) v[k] = first + static_cast<double>((k * 7919) % 97);
    return v;
}
array<double> stored(const doubles& v) { return frit::from_host(v); }
array<double> square(const doubles& v) { return frit::from_host(v, {side, side}); }

/// Whether the next evaluation of this pending statement has a plan that an earlier one left.
bool is_remembered(const array<double>& y) {
    frit::detail::node& n = *frit::detail::as_node(y.handle().get());
    const std::lock_guard guard(n.home->lock);
    frit::detail::slot_entry::shifts_by shifts;
    return frit::detail::matching_entry(n, *n.home, shifts) != nullptr;
}

/// Of this statement's kind nothing is known any more: other tests' statements are kept, too, and only so many.
void forget(const array<double>& y) {
    frit::detail::node& n = *frit::detail::as_node(y.handle().get());
    const std::lock_guard guard(n.home->lock);
    if (n.slot) n.slot->store(nullptr);
}

/// For k = first ... last - 1, record(k) gives an array whose statement is evaluated, and check(k, y) looks at it. Each
/// evaluation is one kernel, and reads and writes so many bytes.
struct rounds {
    int first = 0, last = n;
    std::uint64_t read, written;
    bool moved = true;  ///< one plan serves all

    template <class Record, class Check>
    void operator()(Record&& record, Check&& check) const {
        for (int k = first; k < last; ++k) {
            const array<double> y = record(k);
            if (k == first) forget(y);
            if (k > first && frit::default_device().is_cpu()) {
                ASSERT_EQ(is_remembered(y), moved) << k;
            }
            const frit::counters before = frit::stats();
            y.eval();
            const frit::counters after = frit::stats();
            ASSERT_EQ(after.kernels_launched - before.kernels_launched, 1U);
            ASSERT_EQ(after.bytes_read - before.bytes_read, read) << k;
            ASSERT_EQ(after.bytes_written - before.bytes_written, written) << k;
            check(k, y.to_vector());
        }
    }
};

class Offsets : public testing::TestWithParam<frit_test::engine> {
    frit_test::with_engine engine_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Engines, Offsets, testing::ValuesIn(frit_test::engines()),
                         [](const auto& engine) { return std::string(frit_test::name_of(engine.param)); });

TEST_P(Offsets, ElementsWritten) {
    doubles want(side * side, 0.5);
    array<double> y = square(want);
    rounds{.last = side * side, .read = 0, .written = 8}(
        [&](int k) {
            y(k / side, k % side) = 3.0 * k;
            return y;
        },
        [&](int k, const doubles& got) {
            want[static_cast<std::size_t>(k)] = 3.0 * k;
            ASSERT_EQ(got, want);
        });
}

TEST_P(Offsets, ElementsRead) {
    const doubles v = numbers(n);
    const array<double> x = stored(v);
    rounds{.read = 8, .written = 8}(
        [&](int k) { return array<double>(x(k) * 2.0 + 1.0); },
        [&](int k, const doubles& got) { ASSERT_EQ(got, doubles{v[static_cast<std::size_t>(k)] * 2 + 1}); });
}

TEST_P(Offsets, RowsReadAndWritten) {
    const doubles v = numbers(side * side);
    doubles want = numbers(side * side, 0.75);
    const array<double> x = square(v);
    array<double> y = square(want);
    rounds{.last = side, .read = 8 * side, .written = 8 * side}(
        [&](int k) {
            y(-1 - k) = x(k) * 0.5;
            return y;
        },
        [&](int k, const doubles& got) {
            for (int j = 0; j < side; ++j)
                want[static_cast<std::size_t>((side - 1 - k) * side + j)] = v[static_cast<std::size_t>(k * side + j)] * 0.5;
            ASSERT_EQ(got, want);
        });
}

TEST_P(Offsets, ColumnsStepsAndReversedRows) {
    const doubles v = numbers(side * side), w = numbers(n, 2);
    const array<double> x = square(v), z = stored(w);
    rounds{.last = side - 1, .read = 8 * (side + side / 2), .written = 8 * side * side / 2}(
        [&](int k) { return array<double>(x(slice(none, none, -1), k) - z(slice(k, k + side, 2), newaxis)); },
        [&](int k, const doubles& got) {
            for (int i = 0; i < side / 2; ++i)
                for (int j = 0; j < side; ++j)
                    ASSERT_EQ(
                        got[static_cast<std::size_t>(i * side + j)],
                        v[static_cast<std::size_t>((side - 1 - j) * side + k)] - w[static_cast<std::size_t>(k + 2 * i)]);
        });
}

TEST_P(Offsets, SumsOfSlices) {
    const doubles v = numbers(n);
    const array<double> x = stored(v);
    rounds{.last = n - 8, .read = 64, .written = 8}(
        [&](int k) { return array<double>(frit::sum(x(slice(k, k + 8)) * 2.0)); },
        [&](int k, const doubles& got) {
            double want = 0;
            for (int j = k; j < k + 8; ++j) want += 2 * v[static_cast<std::size_t>(j)];
            ASSERT_EQ(got, doubles{want});
        });
}

// The same memory twice: which elements it is decides what may be written when.
TEST_P(Offsets, OfOneArrayTwiceArePlanned) {
    doubles want = numbers(n);
    array<double> u = stored(want);
    const auto from = [](int k) { return k % 5 == 0 ? k : k - 1; };
    rounds{.first = 1, .last = n - 1, .read = 8, .written = 8, .moved = false}(
        [&](int k) {
            u(k) = u(from(k)) * 0.5;
            return u;
        },
        [&](int k, const doubles& got) {
            want[static_cast<std::size_t>(k)] = want[static_cast<std::size_t>(from(k))] * 0.5;
            ASSERT_EQ(got, want);
        });
    rounds{.first = 1, .last = n - 8, .read = 64, .written = 32, .moved = false}(
        [&](int k) {
            u(slice(k, k + 4)) = u(slice(k, k + 4)) + u(slice(k + 4, k + 8));
            return u;
        },
        [&](int k, const doubles& got) {
            for (int j = k; j < k + 4; ++j) want[static_cast<std::size_t>(j)] += want[static_cast<std::size_t>(j + 4)];
            ASSERT_EQ(got, want);
        });
}

// The base is held: nothing is written in place, and the region's bounds are words of the kernel.
TEST_P(Offsets, OfABaseThatIsHeldArePlanned) {
    const doubles v = numbers(n);
    const array<double> x = stored(v);
    rounds{.read = 8 * n, .written = 8 * n, .moved = false}(
        [&](int k) {
            array<double> y = x;
            y(k) = -1.0;
            return y;
        },
        [&](int k, const doubles& got) {
            doubles want = v;
            want[static_cast<std::size_t>(k)] = -1;
            ASSERT_EQ(got, want);
            ASSERT_EQ(x.to_vector(), v);
        });
}

// From held to not held and back, with one type of statement.
TEST_P(Offsets, SeeWhoElseLooks) {
    doubles want = numbers(n);
    array<double> y = stored(want), other;
    for (int k = 0; k < n; ++k) {
        if (k % 3 == 0) other = y;
        const doubles before = want;
        y(k) = -1.0 * k;
        y.eval();
        want[static_cast<std::size_t>(k)] = -1.0 * k;
        ASSERT_EQ(y.to_vector(), want);
        if (k % 3 == 0) {
            ASSERT_EQ(other.to_vector(), before);
        }
        if (k % 3 == 1) other = {};
    }
}

TEST_P(Offsets, BehindAClampArePlanned) {
    const doubles v = numbers(n);
    const array<double> x = stored(v);
    for (int k = 0; k + 8 <= n; ++k) {
        array<double> y = frit::pad(x(slice(k, k + 8)), {{2, 2}}, frit::pad_mode::edge) * 2.0;
        const doubles got = y.eval().to_vector();
        for (int j = 0; j < 12; ++j)
            ASSERT_EQ(got[static_cast<std::size_t>(j)], 2 * v[static_cast<std::size_t>(k + std::clamp(j - 2, 0, 7))]);
    }
}

TEST_P(Offsets, OfASliceThatIsTheWholeArrayGiveItsMemory) {
    for (int k = 0; k < 6; ++k) {
        array<double> x = stored(numbers(6));
        array<double> y = x(slice(0, 6 - k)) + 1.0;
        x = {};
        doubles want = numbers(6);
        want.resize(static_cast<std::size_t>(6 - k));
        for (double& w : want) w += 1;
        ASSERT_EQ(y.eval().to_vector(), want);
    }
    for (int k = 0; k < 6; ++k) {  // stretched: other elements than it writes
        array<double> x = stored(numbers(6));
        array<double> y = x(slice(k, k + 1)) + frit::zeros<double>({6}).eval();
        x = {};
        ASSERT_EQ(y.eval().to_vector(), doubles(6, numbers(6)[static_cast<std::size_t>(k)]));
    }
}

}  // namespace
