// The workloads of indices as users write them with frit. What a call makes is evaluated and let go of.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>

#include "indexed.hpp"

namespace {

using frit::array;

struct arrays {
    array<float> x, y, sorted;
    array<std::int64_t> i, k;
    array<bool> m;
    explicit arrays(const indexed_bench::inputs& in)
        : x(frit::from_host(in.x)),
          y(frit::from_host(in.y)),
          sorted(frit::sort(x)),
          i(frit::from_host(in.i)),
          k(frit::from_host(in.k)),
          m(frit::from_host(in.m) != 0) {
        frit::eval(sorted, m);
    }
};

/// `make(arrays&)` gives the result as an array.
template <class Make>
job of(std::size_t n, Make make) {
    using result = decltype(make(std::declval<arrays&>()));
    struct state {
        arrays a;
        Make make;
        result last{};
    };
    const auto s = std::make_shared<state>(state{arrays(indexed_bench::inputs(n)), make});
    return {[s] {
                s->last = {};
                s->last = s->make(s->a);
                s->last.eval();
            },
            [s] { return checksum(s->last.to_vector()); }, nullptr, [] { frit::synchronize(); }};
}

/// `change(u, arrays&)` writes into u.
template <class Change>
job into(std::size_t n, std::size_t extent, Change change) {
    struct state {
        arrays a;
        Change change;
        array<float> u;
    };
    const auto s = std::make_shared<state>(
        state{arrays(indexed_bench::inputs(n)), change, frit::zeros<float>({static_cast<std::int64_t>(extent)})});
    s->u.eval();
    return {[s] {
                s->change(s->u, s->a);
                s->u.eval();
            },
            [s] {
                array<float> u = frit::zeros_like(s->u);
                s->change(u, s->a);
                return checksum(u.to_vector());
            },
            nullptr, [] { frit::synchronize(); }};
}

}  // namespace

job indexed_bench::frit_job(const std::string& workload, std::size_t n) {
    const auto extent = static_cast<std::int64_t>(n);
    if (workload == "gather") return of(n, [](arrays& a) { return array<float>(a.x(a.i)); });
    if (workload == "gather_sum") return of(n, [](arrays& a) { return array<float>(frit::sum(a.x(a.i) * a.y)); });
    if (workload == "scatter") return into(n, n, [](array<float>& u, arrays& a) { u(a.i) = a.y; });
    if (workload == "scatter_add") return into(n, n, [](array<float>& u, arrays& a) { u(a.i) += a.y; });
    if (workload == "bins_add") return into(n, 256, [](array<float>& u, arrays& a) { u(a.k) += a.y; });
    if (workload == "histogram")
        return of(n, [](arrays& a) { return array<std::int64_t>(std::get<0>(frit::histogram(a.x, 100, -2, 2))); });
    if (workload == "mask") return of(n, [](arrays& a) { return array<float>(a.x(a.m)); });
    if (workload == "masked_write") return into(n, n, [](array<float>& u, arrays& a) { u(a.m) = 0; });
    if (workload == "median") return of(n, [](arrays& a) { return array<float>(frit::median(a.x)); });
    if (workload == "quantiles")
        return of(n, [](arrays& a) { return array<float>(frit::quantile(a.x, array<float>{0.1f, 0.5f, 0.9f})); });
    if (workload == "unique") return of(n, [](arrays& a) { return array<std::int64_t>(frit::unique_values(a.k * 7)); });
    if (workload == "concatenate")
        return of(n, [](arrays& a) { return array<float>(frit::concatenate(0, a.x, a.y + 1, a.x)); });
    if (workload == "stack") return of(n, [](arrays& a) { return array<float>(frit::stack(1, a.x, a.y).reshape({-1})); });
    if (workload == "roll") return of(n, [extent](arrays& a) { return array<float>(frit::roll(a.x, extent / 3)); });
    if (workload == "running_sum") return of(n, [](arrays& a) { return array<float>(frit::cumsum(a.x * a.y)); });
    if (workload == "sort") return of(n, [](arrays& a) { return array<float>(frit::sort(a.x)); });
    if (workload == "largest") return of(n, [](arrays& a) { return array<float>(std::get<0>(frit::topk(a.x, 64))); });
    if (workload == "search") return of(n, [](arrays& a) { return array<std::int64_t>(frit::searchsorted(a.sorted, a.y)); });
    throw std::runtime_error("no such workload: " + workload);
}
