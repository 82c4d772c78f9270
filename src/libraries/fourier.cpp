// Discrete Fourier transforms of the last axes, one to three: of complex numbers either way, of real ones, and back from
// half a spectrum to an even or an odd number of them. Nothing is divided by anything. On the CPU FFTW or loops of our own
// (src/cpu/fourier.hpp), on a GPU cuFFT. Of float32 rows a GPU's call takes in a window before the transform and magnitudes
// behind it, by a kernel of our own (src/cuda/real_rows.hpp).
#include "src/cpu/fourier.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "frit/error.hpp"
#include "src/cuda/libraries.hpp"
#include "src/cuda/real_rows.hpp"
#include "src/libraries/libraries.hpp"
#include "src/libraries/small_kernel.hpp"

namespace frit::inline v0::detail {
namespace {

// --- what the planner asks ---

enum class parity : std::uint8_t { even, odd };

const shape* with_last(const shape& of, std::int64_t n, fusion::shape_set& made) {
    std::vector<std::int64_t> extents(of.begin(), of.end());
    extents.back() = n;
    return made.intern_possible(extents);
}
const shape* shape_of_complex(int, std::span<const shape* const> operands, fusion::shape_set&) {
    return operands[0]->rank() > 0 ? operands[0] : nullptr;
}
const shape* shape_of_half(int, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& of = *operands[0];
    return of.rank() > 0 ? with_last(of, of[-1] / 2 + 1, made) : nullptr;
}
template <parity P>
const shape* shape_of_real(int, std::span<const shape* const> operands, fusion::shape_set& made) {
    const shape& of = *operands[0];
    if (of.rank() == 0 || of[-1] == 0) return nullptr;
    return with_last(of, 2 * of[-1] - (P == parity::even ? 2 : 1), made);
}
std::string_view misfit(std::span<const shape>) { return "needs an axis with elements"; }

/// Axes of elements at even steps on both sides, which are one.
struct even_steps {
    std::int64_t extent, read, written;
};
/// An axis is added outside of those that are there.
void add_axis(std::vector<even_steps>& axes, const even_steps& a) {
    if (a.extent == 1) return;
    if (!axes.empty() && a.read == axes.back().read * axes.back().extent &&
        a.written == axes.back().written * axes.back().extent)
        axes.back().extent *= a.extent;
    else
        axes.push_back(a);
}
/// How many calls of cuFFT such a batch takes, which counts along one of its axes.
std::int64_t calls_of(const std::vector<even_steps>& axes) {
    std::int64_t all = 1, longest = 1;
    for (const even_steps& a : axes) {
        all *= a.extent;
        longest = std::max(longest, a.extent);
    }
    return all == 0 ? 0 : all / longest;
}

/// Elements forwards and at even steps, in few batches.
constexpr std::int64_t most_calls = 256;
template <std::int64_t MostCalls>
std::optional<std::vector<std::int64_t>> reads(int, const shape& of, const fusion::strided& at) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(of.rank()));
    std::vector<even_steps> others;
    std::int64_t written = 1;
    for (int axis = of.rank(); axis-- > 0; written *= axis == of.rank() - 1 ? 1 : of[axis]) {
        std::int64_t& stride = strides[static_cast<std::size_t>(axis)];
        stride = of[axis] == 1 || of.size() == 0 ? 1 : at.axes[static_cast<std::size_t>(axis)].stride;
        if (stride < 1) return {};
        if (axis < of.rank() - 1) add_axis(others, {of[axis], stride, written});
    }
    if (of.rank() == 0 || calls_of(others) > MostCalls) return {};
    return strides;
}
/// Of real numbers one batch, which begins where a complex one may: cuFFT loads pairs.
std::optional<std::vector<std::int64_t>> reads_real(int k, const shape& of, const fusion::strided& at) {
    return at.offset % 2 == 0 ? reads<1>(k, of, at) : std::nullopt;
}
/// Rows of neighbours, in one batch, wherever they lie; behind them the window.
std::optional<std::vector<std::int64_t>> reads_rows(int k, const shape& of, const fusion::strided& at) {
    if (k == 1) return fusion::reads_one_row(of, at);
    const auto strides = reads<1>(k, of, at);
    return strides && strides->back() == 1 ? strides : std::nullopt;
}

// --- what the engines run ---

/// What a call computes, by its op.
struct call_kind {
    line_kind kind;
    int axes;
};
call_kind kind_of(const fusion::library_call& c) {
    switch (c.code) {
        case op::dft: return {line_kind::forward, 1};
        case op::dft_2d: return {line_kind::forward, 2};
        case op::dft_3d: return {line_kind::forward, 3};
        case op::inverse_dft: return {line_kind::inverse, 1};
        case op::inverse_dft_2d: return {line_kind::inverse, 2};
        case op::inverse_dft_3d: return {line_kind::inverse, 3};
        case op::real_dft: return {line_kind::of_real, 1};
        case op::real_dft_2d: return {line_kind::of_real, 2};
        case op::real_dft_3d: return {line_kind::of_real, 3};
        case op::inverse_real_dft_even:
        case op::inverse_real_dft_odd: return {line_kind::to_real, 1};
        case op::inverse_real_dft_even_2d:
        case op::inverse_real_dft_odd_2d: return {line_kind::to_real, 2};
        default: return {line_kind::to_real, 3};
    }
}

/// Elements of the last axis, on its real side if there is one.
std::int64_t last_length(const fusion::library_call& c) {
    return (kind_of(c).kind == line_kind::to_real ? c.results[0].extents : c.operands[0].extents)[-1];
}

fourier_transform on_cpu(const fusion::library_call& c) {
    const call_kind k = kind_of(c);
    const fusion::call_operand& x = c.operands[0];
    return {k.kind, real_dtype(x.type), k.axes, x.extents, x.strides, last_length(c)};
}
std::size_t workspace_on_cpu(const fusion::library_call& c) { return on_cpu(c).workspace(); }
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    on_cpu(c).run(at.operands[0], at.results[0], at.workspace);
}

// --- cuFFT ---

// A call transforms a batch along one axis of even steps; others take a call each. Where an operand's axes do not follow
// each other as cuFFT counts them, one axis is transformed after the other, from the second on in the result.

struct gpu_call {
    cuda::fourier_plan plan;
    std::vector<even_steps> outer;  ///< axes that take a call each
    bool in_result;                 ///< it reads what is there already
};

/// Counts along the longest of these axes. Where there is none, one transform follows the other.
void set_batch(gpu_call& c, std::vector<even_steps> axes) {
    for (cuda::fourier_side* const side : {&c.plan.in, &c.plan.out}) {
        side->distance = side->stride;
        for (int k = 0; k < c.plan.axes; ++k) side->distance *= side->embed[static_cast<std::size_t>(k)];
    }
    const auto longest =
        std::max_element(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.extent < b.extent; });
    if (longest != axes.end()) {
        c.plan.batch = longest->extent;
        c.plan.in.distance = longest->read;
        c.plan.out.distance = longest->written;
        axes.erase(longest);
    }
    c.outer = std::move(axes);
}

std::int64_t product_of(const std::vector<even_steps>& axes) {
    std::int64_t all = 1;
    for (const even_steps& a : axes) all *= a.extent;
    return all;
}
/// Where call number k of them begins, in elements.
even_steps place_of(const std::vector<even_steps>& axes, std::int64_t k) {
    even_steps at{1, 0, 0};
    for (const even_steps& a : axes) {
        at.read += k % a.extent * a.read;
        at.written += k % a.extent * a.written;
        k /= a.extent;
    }
    return at;
}

std::vector<std::int64_t> dense_strides(const shape& of) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(of.rank()));
    std::int64_t next = 1;
    for (int k = of.rank(); k-- > 0; next *= of[k]) strides[static_cast<std::size_t>(k)] = next;
    return strides;
}

/// What a call reads and writes.
struct gpu_sides {
    const fusion::call_operand& in;
    const fusion::call_result& out;
    call_kind kind;
    std::vector<std::int64_t> read, written;  ///< strides

    explicit gpu_sides(const fusion::library_call& c)
        : in(c.operands[0]), out(c.results[0]), kind(kind_of(c)), read(in.strides), written(dense_strides(out.extents)) {
        // An axis of one element has any stride: one that lets cuFFT count along it.
        for (int k = in.extents.rank(); k-- > 0;)
            if (in.extents[k] == 1)
                stride(read, k) = k + 1 == in.extents.rank() ? 1 : stride(read, k + 1) * in.extents[k + 1];
    }
    static std::int64_t& stride(std::vector<std::int64_t>& of, int axis) { return of[static_cast<std::size_t>(axis)]; }
    std::int64_t read_stride(int axis) const { return read[static_cast<std::size_t>(axis)]; }
    std::int64_t written_stride(int axis) const { return written[static_cast<std::size_t>(axis)]; }
    int rank() const { return in.extents.rank(); }
    bool inverse() const { return kind.kind == line_kind::inverse || kind.kind == line_kind::to_real; }
    std::int64_t length(int axis) const { return kind.kind == line_kind::to_real ? out.extents[axis] : in.extents[axis]; }
    /// Whether the last axes follow each other: each stride is a multiple of the next one that leaves it room.
    bool are_nested() const {
        for (int k = rank() - kind.axes; k + 1 < rank(); ++k)
            if (read_stride(k) % read_stride(k + 1) != 0 || read_stride(k) / read_stride(k + 1) < in.extents[k + 1])
                return false;
        return true;
    }
};

gpu_call by_one_call(const gpu_sides& s) {
    gpu_call c{
        {.axes = s.kind.axes, .in = {.type = s.in.type}, .out = {.type = s.out.type}, .inverse = s.inverse()}, {}, false};
    const int first = s.rank() - s.kind.axes;
    for (int k = first; k < s.rank(); ++k) {
        const auto at = static_cast<std::size_t>(k - first);
        c.plan.n[at] = s.length(k);
        c.plan.in.embed[at] = k == first ? s.in.extents[k] : s.read_stride(k - 1) / s.read_stride(k);
        c.plan.out.embed[at] = s.out.extents[k];
    }
    c.plan.in.stride = s.read_stride(s.rank() - 1);
    std::vector<even_steps> batch;
    for (int k = first; k-- > 0;) add_axis(batch, {s.in.extents[k], s.read_stride(k), s.written_stride(k)});
    set_batch(c, std::move(batch));
    return c;
}

gpu_call along_one_axis(const gpu_sides& s, int axis) {
    const bool is_last = axis == s.rank() - 1;
    const dtype type = is_last ? s.in.type : s.out.type;
    const auto from = [&](int k) { return is_last ? s.read_stride(k) : s.written_stride(k); };
    gpu_call c{{.axes = 1, .in = {.type = type}, .out = {.type = s.out.type}, .inverse = s.inverse()}, {}, !is_last};
    c.plan.n[0] = c.plan.in.embed[0] = s.length(axis);
    c.plan.out.embed[0] = s.out.extents[axis];
    c.plan.in.stride = from(axis);
    c.plan.out.stride = s.written_stride(axis);
    std::vector<even_steps> batch;
    for (int k = s.rank(); k-- > 0;)
        if (k != axis) add_axis(batch, {s.out.extents[k], from(k), s.written_stride(k)});
    set_batch(c, std::move(batch));
    return c;
}

std::vector<gpu_call> gpu_calls(const fusion::library_call& c) {
    const gpu_sides s(c);
    if (s.are_nested()) return {by_one_call(s)};
    std::vector<gpu_call> calls;
    for (int k = 1; k <= s.kind.axes; ++k) calls.push_back(along_one_axis(s, s.rank() - k));
    return calls;
}

/// cuFFT may overwrite what it transforms to real numbers: a copy of it.
std::size_t copied_bytes(const fusion::library_call& c) {
    const fusion::call_operand& x = c.operands[0];
    if (kind_of(c).kind != line_kind::to_real) return 0;
    return (static_cast<std::size_t>(x.extents.size()) * size_of(x.type) + 255) / 256 * 256;
}

void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) { on.transforms.require(c.of->name); }

std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    if (!cuda::fourier::found()) return 0;
    std::size_t most = 0;
    for (const gpu_call& g : gpu_calls(c)) most = std::max(most, on.transforms.bytes(g.plan));
    return copied_bytes(c) + most;
}

void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const std::size_t copied = copied_bytes(c);
    auto* const work = static_cast<std::byte*>(at.workspace) + copied;
    const auto* in = static_cast<const std::byte*>(at.operands[0]);
    auto* const out = static_cast<std::byte*>(at.results[0]);
    if (kind_of(c).kind == line_kind::of_real &&
        reinterpret_cast<std::uintptr_t>(in) % (2 * size_of(c.operands[0].type)) != 0)
        throw device_error(on.device.label +
                           ": rfft: cuFFT reads pairs of real numbers; memory that begins between two is "
                           "read from a copy, x + 0");
    if (copied > 0) {
        const cuda::current_context here(on.device);
        cuda::check(
            on.device.api.copy_on_device(
                reinterpret_cast<cuda::device_pointer>(at.workspace), reinterpret_cast<cuda::device_pointer>(in),
                static_cast<std::size_t>(c.operands[0].extents.size()) * size_of(c.operands[0].type), on.device.work),
            on.device.label, "copying what is transformed to real numbers");
        in = static_cast<const std::byte*>(at.workspace);
    }
    for (const gpu_call& g : gpu_calls(c)) {
        const auto read = static_cast<std::int64_t>(size_of(g.plan.in.type));
        const auto written = static_cast<std::int64_t>(size_of(g.plan.out.type));
        for (std::int64_t k = 0, count = product_of(g.outer); k < count; ++k) {
            const even_steps from = place_of(g.outer, k);
            on.transforms.run(g.plan, (g.in_result ? out : in) + from.read * read, out + from.written * written, work);
        }
    }
}

// --- rows with a window, with magnitudes, or with both ---

cuda::small_kernel rows_kernel(const fusion::library_call& c) {
    return cuda::real_rows(last_length(c), c.of->window, c.of->after.what == fusion::epilogue::form::magnitude);
}
void require_rows(cuda::libraries& on, const fusion::library_call& c) { require_small(on, rows_kernel(c)); }

void run_rows(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const fusion::call_operand& x = c.operands[0];
    std::vector<even_steps> batch;  // one axis at most
    for (int k = x.extents.rank() - 1; k-- > 0;) {
        const std::int64_t written = batch.empty() ? 1 : batch.back().written * batch.back().extent;
        add_axis(batch, {x.extents[k], x.strides[static_cast<std::size_t>(k)], written});
    }
    std::int64_t step = batch.empty() ? x.extents[-1] : batch[0].read, rows = x.extents.size() / x.extents[-1];
    const void *from = at.operands[0], *window = c.of->window ? at.operands[1] : nullptr;
    void* to = at.results[0];
    void* parameters[] = {parameter(from), parameter(step), parameter(window), parameter(to), parameter(rows)};
    launch_small(on, rows_kernel(c), rows, parameters, at);
}

const fusion::library_op* with_ends(const fusion::ended_call&, const fusion::target&);

constexpr library_routine rows_with(bool window, bool magnitudes) {
    using form = fusion::epilogue::form;
    return {
        {.name = "rfft",
         .results = 1,
         .shape_of = shape_of_half,
         .misfit = misfit,
         .reads = reads_rows,
         .window = window,
         .after = {magnitudes ? form::magnitude : form::none},
         .with = with_ends,
         .reads_frames = true},
        nullptr,
        nullptr,
        {},
        {.require = require_rows, .workspace = nullptr, .run = run_rows},
    };
}
constexpr library_routine windowed_rows = rows_with(true, false), magnitudes_of_rows = rows_with(false, true),
                          magnitudes_of_windowed_rows = rows_with(true, true);

const fusion::library_op* with_ends(const fusion::ended_call& c, const fusion::target& t) {
    const bool magnitudes = c.after == fusion::epilogue{fusion::epilogue::form::magnitude};
    if (t.device != fusion::target::kind::cuda || c.code != op::real_dft || real_dtype(c.type) != dtype::f32) return nullptr;
    if (!(magnitudes || c.after == fusion::epilogue{}) || !cuda::transforms_rows((*c.operands[0])[-1])) return nullptr;
    if (c.window) return magnitudes ? &magnitudes_of_windowed_rows : &windowed_rows;
    return magnitudes ? &magnitudes_of_rows : nullptr;
}

}  // namespace

namespace libraries {
extern const library_routine dft, real_dft, inverse_real_dft_even, inverse_real_dft_odd;
const library_routine dft{
    {.name = "fft", .results = 1, .shape_of = shape_of_complex, .misfit = misfit, .reads = reads<most_calls>},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
const library_routine real_dft{
    {.name = "rfft", .results = 1, .shape_of = shape_of_half, .misfit = misfit, .reads = reads_real, .with = with_ends},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
const library_routine inverse_real_dft_even{
    {.name = "irfft",
     .results = 1,
     .shape_of = shape_of_real<parity::even>,
     .misfit = misfit,
     .reads = fusion::reads_row_major},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
const library_routine inverse_real_dft_odd{
    {.name = "irfft",
     .results = 1,
     .shape_of = shape_of_real<parity::odd>,
     .misfit = misfit,
     .reads = fusion::reads_row_major},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail
