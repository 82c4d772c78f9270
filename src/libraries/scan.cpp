// Running values along an axis: cumsum and its like. They are values of kernels, which fuse with what makes them and what
// reads them (graph::add_running), but for products and extrema of complex numbers, whose two parts depend on each other,
// and on a GPU for long columns: those are calls, of loops here and of the plugin's (src/cuda/cub). What leaves out the
// element itself is there what stands one place before.
#include <algorithm>
#include <array>
#include <complex>
#include <numeric>

#include "frit/error.hpp"
#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cuda_row_shape.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/running.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::graph;
using fusion::value_id;

// --- as values of a kernel ---

/// A view that shows each element of its operand once, along axes in another order and direction.
bool is_rearrangement(const attribute& a) {
    if (a.what != attribute::kind::affine || a.source.rank() != a.result.rank()) return false;
    for (int k = 0; k < a.source.rank(); ++k) {
        const axis_map& m = a.maps[static_cast<std::size_t>(k)];
        if (m.axis < 0 || m.clamped || a.result[m.axis] != a.source[k] || (m.step != 1 && m.step != -1)) return false;
        if (m.offset != (m.step > 0 ? 0 : a.source[k] - 1)) return false;
    }
    return true;
}

/// An operand without the views that only put its axes in another order and direction.
struct rearranged {
    value_id x;
    int axis;       ///< of x, which the operand's last one is
    bool backward;  ///< from its last element on
    std::vector<attribute_ref> views;
};
rearranged without_views(const graph& g, value_id x) {
    rearranged r{x, g.extents(x).rank() - 1, false, {}};
    if (g.values[x].code == op::cast && g.values[g.values[x].in[0]].code == op::view) r.x = g.values[x].in[0];
    for (; g.values[r.x].code == op::view; r.x = g.values[r.x].in[0]) {
        const attribute_ref& a = g.attributes[g.values[r.x].index];
        if (!is_rearrangement(*a)) break;
        const auto moved = std::find_if(a->maps.begin(), a->maps.end(), [&](const axis_map& m) { return m.axis == r.axis; });
        r.axis = static_cast<int>(moved - a->maps.begin());
        r.backward ^= moved->step < 0;
        r.views.push_back(a);
    }
    return r;
}

/// Of x along its last axis; where x is only a view that puts another axis there, along that one, so that readers which put
/// it back meet the values at their own index.
value_id running_values(graph& g, op code, value_id x, dtype type) {
    const dtype own = g.values[x].type;  // by a cast, maybe, which comes below the views as well
    rearranged r = without_views(g, x);
    value_id v = g.add_running(running_in_kernel(code), g.add_cast(g.add_cast(r.x, own), type), r.axis, r.backward);
    for (; !r.views.empty(); r.views.pop_back()) v = g.add_view(v, r.views.back());
    return v;
}

/// Whether kernels have the running values of x along its last axis: on a GPU where they are neighbours in memory, or where
/// so many rows lie side by side that each may have a thread.
bool are_in_kernels(const graph& g, value_id x, const fusion::target& t) {
    const shape& of = g.extents(x);
    if (t.device == fusion::target::kind::cpu || of.size() == 0) return true;
    const rearranged r = without_views(g, x);
    return !fusion::rows_lie_across(g.extents(r.x), std::uint32_t{1} << r.axis) ||
           of.size() / of[of.rank() - 1] >= fusion::enough_running_rows;
}

/// A number that is none of an array's: what exclusive running values begin with.
value_id number(graph& g, int n, dtype type, const shape& of) {
    return g.broadcast(g.add_cast(g.add_whole_constant(n), type), g.intern(of));
}

/// Exclusive values from inclusive ones: what stands before.
value_id shifted(graph& g, op code, value_id inclusive) {
    const shape of = g.extents(inclusive);
    const int last = of.rank() - 1;
    const dtype type = g.values[inclusive].type;
    const int start = reduction_of_scan(code) == op::prod ? 1 : 0;
    const auto begins = [&](dtype real) { return number(g, start, real, of); };
    const value_id first =
        is_complex(type)
            ? g.add_raw(op::complex, type, std::array{begins(real_dtype(type)), number(g, 0, real_dtype(type), of)})
            : begins(type);
    if (of.size() == 0) return first;
    auto* before = new attribute;
    const attribute_ref before_ref(before);
    before->source = before->result = of;
    for (int k = 0; k < of.rank(); ++k) before->maps.push_back({.axis = k, .step = 1});
    before->maps.back() = {.axis = last, .offset = -1, .step = 1, .lo = 0, .hi = of[last] - 1, .clamped = true};
    auto* along = new attribute;
    const attribute_ref along_ref(along);
    along->what = attribute::kind::coord;
    along->source = along->result = of;
    along->maps = {{.axis = last, .step = 1}};
    const value_id index = g.add_coord(dtype::i64, along_ref);
    const value_id is_first = g.add_raw(op::eq, dtype::bool_, std::array{index, number(g, 0, dtype::i64, of)});
    return g.add_selection(is_first, first, g.add_view(inclusive, before_ref));
}

value_id formula(graph& g, op code, std::span<const value_id> operands, const fusion::target& t) {
    const value_id x = operands[0];
    const fusion::library_op& scan = routine_of(code);
    if (g.extents(x).rank() == 0) return fusion::no_value;
    const dtype type = library_dtypes_of(code, g.values[x].type).result;
    const bool parts = is_complex(type) && reduction_of_scan(code) == op::sum;
    if ((!is_complex(type) || parts) && are_in_kernels(g, x, t)) {
        if (!parts) return running_values(g, code, x, type);
        const dtype real = real_dtype(type);
        const auto part = [&](op which) { return running_values(g, code, g.add_raw(which, real, std::array{x}), real); };
        const value_id re = part(op::real);
        return g.add_raw(op::complex, type, std::array{re, part(op::imag)});
    }
    switch (code) {
        case op::exclusive_cumsum: return shifted(g, code, g.add_library(op::cumsum, scan, operands));
        case op::exclusive_cumprod: return shifted(g, code, g.add_library(op::cumprod, scan, operands));
        default: return fusion::no_value;
    }
}

// --- a call on the CPU: from left to right, as NumPy's; `to` may be `from` ---

/// Calls f(first element of row) for every row; f must not throw.
template <class F>
void for_each_row(const dense_rows& c, F f) {
    struct job {
        F& f;
        std::int64_t rows, length, step;
    };
    thread_pool& pool = thread_pool::instance();
    const bool share = c.rows > 1 && worth_threads(fusion::scanned_element * static_cast<double>(c.rows * c.length));
    const std::int64_t tasks = share ? std::min<std::int64_t>(c.rows, std::int64_t{4} * pool.size()) : 1;
    job j{f, c.rows, c.length, (c.rows + tasks - 1) / tasks};
    pool.run(
        tasks,
        [](void* context, std::int64_t task) {
            job& all = *static_cast<job*>(context);
            const std::int64_t first = task * all.step, last = std::min(first + all.step, all.rows);
            for (std::int64_t row = first; row < last; ++row) all.f(row * all.length);
        },
        &j);
}

/// By real parts, then by imaginary ones; false beside a NaN in either.
template <class T>
bool at_most(const std::complex<T>& a, const std::complex<T>& b) {
    return (a.real() < b.real() && a.imag() == a.imag() && b.imag() == b.imag()) ||
           (a.real() == b.real() && a.imag() <= b.imag());
}

/// As cumsum and cumprod of complex numbers are defined: no infinity is made of what an infinity and a NaN would be. Of
/// maxima and minima the first NaN stays, or the first of equal ones.
template <class T>
void scan_complex(const fusion::library_call& c, const void* from, void* to) {
    using C = std::complex<T>;
    const auto scan = [&](auto combine) {
        const dense_rows rows = rows_of(c);
        for_each_row(rows, [=, length = rows.length](std::int64_t first) {
            const C* x = static_cast<const C*>(from) + first;
            std::partial_sum(x, x + length, static_cast<C*>(to) + first, combine);  // its order is guaranteed
        });
    };
    switch (reduction_of_scan(c.code)) {
        case op::sum: return scan([](const C& a, const C& b) { return a + b; });
        case op::max: return scan([](const C& a, const C& b) { return a != a || at_most(b, a) ? a : b; });
        case op::min: return scan([](const C& a, const C& b) { return a != a || at_most(a, b) ? a : b; });
        default:
            return scan([](const C& a, const C& b) {
                return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
            });
    }
}

// Real numbers, and sums, come only where a CPU stands in for a GPU.
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table& table) {
    const dense_rows rows = rows_of(c);
    const void* const from = at.operands[0];
    void* const to = at.results[0];
    if (rows.type == dtype::c64) return scan_complex<float>(c, from, to);
    if (rows.type == dtype::c128) return scan_complex<double>(c, from, to);
    const running_loops loops(running_in_kernel(c.code), rows.type, table);
    const auto size = static_cast<std::int64_t>(loops.size);
    for_each_row(rows, [&](std::int64_t first) {
        alignas(8) std::byte state[8];
        loops.begin(state, 1);
        loops.chain(static_cast<std::byte*>(to) + first * size, static_cast<const std::byte*>(from) + first * size, state,
                    rows.length);
    });
}

// --- the plugin ---

cuda::cub_call plugin_call(const fusion::library_call& c) {
    const auto operation = [&] {
        switch (reduction_of_scan(c.code)) {
            case op::sum: return FRIT_CUB_CUMSUM;
            case op::prod: return FRIT_CUB_CUMPROD;
            case op::max: return FRIT_CUB_CUMMAX;
            default: return FRIT_CUB_CUMMIN;
        }
    };
    return {c.code, operation(), rows_of(c), 1};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine scan;
const library_routine scan{
    {.name = "scan", .results = 1, .shape_of = shape_along_axis, .misfit = needs_an_axis, .reads = fusion::reads_row_major},
    formula,
    nullptr,
    {.require = nullptr, .workspace = nullptr, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail
