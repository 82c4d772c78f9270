// What happens to memory: updates in place, inputs that give theirs away, values that are kept, the graph's and memory's
// limits, several threads.
#include <algorithm>
#include <numeric>
#include <thread>

#include "tests/allocation/program.hpp"

namespace frit_test {
namespace {

using frit::array;
using frit::none;
using frit::slice;
using floats = std::vector<float>;

floats ramp(std::size_t n) {
    floats v(n);
    std::iota(v.begin(), v.end(), 0.0F);
    return v;
}

void updates(ledger& l) {
    floats want = ramp(100);
    array<float> u = frit_call([&] { return frit::from_host(want); });
    const watched<float> w(l, u, want);
    array<float> v = frit_call([&] { return array<float>(u + 0.0F).eval(); });
    watched<float> changing(l, v, want);
    frit_call([&] { v(slice(10, 20)) = 7.0F; });
    std::fill(want.begin() + 10, want.begin() + 20, 7.0F);
    changing.now(want);
    frit_call([&] { v.eval(); });
    frit_call([&] { v(slice(0, 50, 2)) += u(slice(0, 25)); });
    for (std::size_t k = 0; k < 25; ++k) want[2 * k] += static_cast<float>(k);
    changing.now(want);
    frit_call([&] { v(v > 80.0F) = 0.0F; });
    for (float& x : want) x = x > 80 ? 0 : x;
    changing.now(want);
    frit_call([&] { v.eval(); });
    frit_call([&] { v *= 2.0F; });
    for (float& x : want) x *= 2;
    changing.now(want);
    frit_call([&] { v(v < 20.0F) += u(slice(0, std::count_if(want.begin(), want.end(), [](float x) { return x < 20; }))); });
    float next = 0;
    for (float& x : want)
        if (x < 20) x += next++;
    changing.now(want);
    array<float> square = frit_call([&] { return v.reshape({10, 10}).eval(); });
    frit_call([&] { diagonal(square) = 5.0F; });
    frit_call([&] { square(square(frit::all, 0) > 1.0F, slice(1, 3)) -= 1.0F; });
    l.note(frit_call([&] { return square.to_vector(); }));
    l.note(frit_call([&] { return diag(v(slice(0, 9)), 1).to_vector(); }));
    l.note(frit_call([&] { return frit::pad(square, {{1, 2}}, frit::pad_mode::linear_ramp).to_vector(); }));
    l.note(frit_call([&] { return v.to_vector(); }));
}

// The first kernel writes over an input, others come behind it: none of them may fail for want of memory.
void donations(ledger& l) {
    for (const std::size_t n : {64UL, 100'000UL}) {
        floats want = ramp(n);
        array<float> u = frit_call([&] { return frit::from_host(want); });
        const array<float> other = frit_call([&] { return frit::from_host(want); });
        const watched<float> still(l, other, want);
        watched<float> changing(l, u, want);
        for (int round = 0; round < 2; ++round) {
            frit_call([&] { u = u * 0.5F + 1.0F; });
            for (float& x : want) x = x * 0.5F + 1.0F;
            changing.now(want);
            const array<float> sorted = frit_call([&] { return frit::sort(other * -1.0F) + 1.0F; });
            const array<float> totals = frit_call([&] {
                const array<float> m = u.reshape({4, static_cast<std::int64_t>(n) / 4});
                return frit::sum(m, 1) + frit::sum(sorted);
            });
            const array<float> columns = frit_call([&] {
                return frit::sum(sorted.reshape({static_cast<std::int64_t>(n) / 4, 4}) * 0.25F, 0);
            });
            frit_call([&] { frit::eval(u, sorted, totals, columns); });
            l.note(frit_call([&] { return totals.to_vector(); }));
            l.note(frit_call([&] { return columns.to_vector(); }));
        }
    }
}

// A loop that never asks: the graph's limit evaluates what is held.
void graph_limit(ledger& l) {
    struct limit {
        limit() { frit::set_graph_limit(8); }
        ~limit() { frit::set_graph_limit(4096); }
    } const small;
    floats want = ramp(16);
    array<float> u = frit_call([&] { return frit::from_host(want); });
    array<float> held = frit_call([&] { return array<float>(u + 1.0F); });
    const watched<float> w(l, held, [&] {
        floats plus = want;
        for (float& x : plus) x += 1;
        return plus;
    }());
    watched<float> changing(l, u, want);
    for (int k = 0; k < 40; ++k) {
        frit_call([&] { u = u * 0.5F + held; });
        for (std::size_t j = 0; j < want.size(); ++j) want[j] = want[j] * 0.5F + static_cast<float>(j + 1);
        changing.now(want);
    }
    l.note(frit_call([&] { return u.to_vector(); }));
}

void memory_limit(ledger& l) {
    struct limit {
        limit() { frit::set_memory_limit(frit::stats().live_bytes + 410'000); }
        ~limit() { frit::set_memory_limit(0); }
    } const small;
    const array<double> x = frit_call([] { return frit::linspace(0.0, 1.0, 10'000).eval(); });
    const array<double> t = frit_call([&] { return exp(sin(x)) * 2.0; });
    const array<double> a = frit_call([&] { return t(slice(1, none)) - t(slice(0, -1)); });
    const array<double> b = frit_call([&] { return frit::sort(t) + t(slice(none, none, -1)); });
    frit_call([&] { frit::eval(a, b); });
    l.note(std::to_string(frit_call([&] { return frit::sum(a).item() + frit::sum(b).item(); })));
    try {
        frit_call([&] { (frit::ones<double>({1'000'000}) + x(0)).eval(); });
        l.wrong("the memory limit was passed");
    } catch (const frit::out_of_memory&) {
    }
}

// Chains and branches die without memory.
void long_chains(ledger& l) {
    array<float> x = frit_call([] { return frit::ones<float>({4}); });
    std::vector<array<float>> branches;
    branches.reserve(10);
    for (int k = 0; k < 200; ++k) {
        frit_call([&] { x = x + 1.0F; });
        if (k % 20 == 0) frit_call([&] { branches.push_back(x * 2.0F); });
    }
    l.note(frit_call([&] { return branches.back().to_vector(); }));
}

void threads(ledger& l) {
    const array<float> shared = frit_call([] { return sin(frit::linspace(0.0F, 1.0F, 1000)); });
    const floats want = [&] {
        const memory_granted now;
        return array<float>(sin(frit::linspace(0.0F, 1.0F, 1000))).to_vector();
    }();
    const watched<float> w(l, shared, want);
    std::atomic<int> refused{0}, wrong{0};
    std::vector<std::thread> all;
    all.reserve(3);
    for (int t = 0; t < 3; ++t)
        all.emplace_back([&, t] {
            thread_of_the_test();
            try {
                array<float> u = frit_call([&] { return shared * static_cast<float>(t + 1); });
                for (int round = 0; round < 3; ++round) frit_call([&] { u = (u + shared).eval(); });
                const floats got = frit_call([&] { return u.to_vector(); });
                for (std::size_t k = 0; k < got.size(); ++k)
                    wrong += std::abs(got[k] - want[k] * static_cast<float>(t + 4)) > 1e-4F * std::abs(got[k]);
            } catch (const frit::error&) {
                ++refused;
            } catch (const std::exception&) {
                ++wrong;
            }
        });
    for (std::thread& t : all) t.join();
    if (wrong > 0) l.wrong("a thread computed other values, or threw what is not frit's");
    if (refused > 0) throw frit::out_of_memory("in a thread");
}

}  // namespace

std::vector<step> memory_steps() {
    return {{"updates", updates},           {"donations", donations},     {"graph limit", graph_limit},
            {"memory limit", memory_limit}, {"long chains", long_chains}, {"threads", threads}};
}

}  // namespace frit_test
