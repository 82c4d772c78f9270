// See fourier.hpp. Lines whose elements are neighbours are transformed where they lie; of others a block is copied to
// scratch memory, side by side, so that every cache line is read once.
#include "src/cpu/fourier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>
#include <span>

#include "src/base/recently_used.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/fftw.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::int64_t most_lines = 64;  // of a block

/// Lines that are one block. Short ones FFTW transforms by one call.
bool is_short(std::int64_t n) { return n <= 512; }
std::int64_t block_of(std::int64_t n) {
    constexpr std::int64_t elements = 4096, fewest = 16, most_elements = std::int64_t{1} << 22;  // on each side
    if (!is_short(n)) return std::clamp(most_elements / n, std::int64_t{1}, fewest);
    return static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::clamp(elements / n, fewest, most_lines))));
}

/// Elements from one line to the next in scratch memory: it is aligned as the first, and not a power of two away, of which a
/// cache holds few.
std::int64_t padded(std::int64_t n) { return (n + 3) / 4 * 4 + 8; }
std::size_t padded_bytes(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

std::int64_t read_by(line_kind kind, std::int64_t n) { return kind == line_kind::to_real ? n / 2 + 1 : n; }
std::int64_t written_by(line_kind kind, std::int64_t n) { return kind == line_kind::of_real ? n / 2 + 1 : n; }

/// How lines of one length and kind are transformed: by FFTW's plans, or by our own loops.
template <class T>
struct line_plan {
    std::unique_ptr<const fftw_lines<T>> one, block;
    std::unique_ptr<const own_lines<T>> own;
    bool aligned;       ///< only for lines that FFTW calls so
    std::size_t bytes;  ///< about as many are kept

    line_plan(line_kind kind, std::int64_t n, bool for_aligned)
        : aligned(for_aligned), bytes(static_cast<std::size_t>(n) * sizeof(std::complex<T>) * 2) {
        if (!has_fftw(dtype_of<T>)) {
            own = std::make_unique<own_lines<T>>(kind, n);
            return;
        }
        one = std::make_unique<fftw_lines<T>>(kind, n, 1, aligned);
        if (is_short(n)) block = std::make_unique<fftw_lines<T>>(kind, n, block_of(n), aligned);
    }
    bool takes(const void* at) const {
        return own || !aligned || reinterpret_cast<std::uintptr_t>(at) % fftw_lines<T>::alignment() == 0;
    }
};

struct plan_key {
    line_kind kind;
    std::int64_t n;
    bool aligned;
    friend bool operator==(const plan_key&, const plan_key&) = default;
};
template <class T>
constinit std::mutex plans_lock;
template <class T>
std::shared_ptr<const line_plan<T>> plan_of(const plan_key& key) {
    const std::scoped_lock guard(plans_lock<T>);
    static auto* const plans = new recently_used<plan_key, const line_plan<T>>(64, std::size_t{256} << 20);
    return plans->get(
        key, [&] { return std::make_shared<const line_plan<T>>(key.kind, key.n, key.aligned); },
        [](const line_plan<T>& p) { return p.bytes; });
}

/// The lines of one axis, where they are read or written: all other axes say which line.
struct lines {
    void* memory;
    std::int64_t stride;  ///< from one element of a line to the next
    std::vector<std::int64_t> others;
};

/// One axis of all.
template <class T>
struct line_pass {
    line_kind kind;
    std::int64_t n;
    std::vector<std::int64_t> extents;  ///< of the other axes
    lines in, out;
    bool in_place;  ///< what is written is what was read

    std::int64_t count() const {
        std::int64_t all = 1;
        for (const std::int64_t e : extents) all *= e;
        return all;
    }
    std::int64_t block() const { return std::min(block_of(n), std::max<std::int64_t>(count(), 1)); }

    std::size_t read_size() const { return kind == line_kind::of_real ? sizeof(T) : sizeof(std::complex<T>); }
    std::size_t written_size() const { return kind == line_kind::to_real ? sizeof(T) : sizeof(std::complex<T>); }
    /// Lines whose elements are neighbours, and that are neither overwritten by their results nor by FFTW.
    bool reads_neighbours() const { return in.stride == 1 && !in_place && kind != line_kind::to_real; }
    bool writes_neighbours() const { return out.stride == 1; }
    /// Whether each line is aligned as the first one: then it is transformed where it lies, and no scratch memory taken.
    bool reads_lines() const { return reads_neighbours() && keeps_alignment(in, read_size()); }
    bool writes_lines() const { return writes_neighbours() && keeps_alignment(out, written_size()); }
    /// Whether the first ones of those are.
    bool is_aligned() const {
        const auto is = [](const void* at) {
            return reinterpret_cast<std::uintptr_t>(at) % fftw_lines<T>::alignment() == 0;
        };
        return (!reads_neighbours() || is(in.memory)) && (!writes_neighbours() || is(out.memory));
    }

private:
    bool keeps_alignment(const lines& side, std::size_t size) const {
        for (std::size_t k = 0; k < extents.size(); ++k)
            if (extents[k] > 1 && static_cast<std::size_t>(side.others[k]) * size % fftw_lines<T>::alignment() != 0)
                return false;
        return true;
    }
};

/// Scratch memory of a task: a block on both sides, and what our own loops take.
template <class T>
struct task_bytes {
    std::size_t in, out, all;
    explicit task_bytes(const line_pass<T>& p) {
        const auto side = [&](std::int64_t length, std::size_t size) {
            return padded_bytes(static_cast<std::size_t>(p.block() * padded(length)) * size);
        };
        in = is_short(p.n) || !p.reads_lines() ? side(read_by(p.kind, p.n), p.read_size()) : 0;
        out = is_short(p.n) || !p.writes_lines() ? side(written_by(p.kind, p.n), p.written_size()) : 0;
        const std::int64_t own = has_fftw(dtype_of<T>) ? 0 : own_lines<T>::scratch(p.kind, p.n);
        all = in + out + padded_bytes(static_cast<std::size_t>(own) * sizeof(std::complex<T>));
    }
};

/// As many tasks as have a block and not too much memory. Depends on the transform alone.
std::int64_t tasks_of(std::int64_t lines, std::int64_t block, std::size_t bytes) {
    constexpr std::size_t most_bytes = std::size_t{256} << 20;
    constexpr std::int64_t most_tasks = 64;
    const auto affordable =
        static_cast<std::int64_t>(std::max<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1));
    return std::min({(lines + block - 1) / block, affordable, most_tasks});
}

/// Whether they lie one after the other, without gaps.
bool are_dense(std::span<const std::int64_t> starts, std::int64_t length) {
    for (std::size_t k = 1; k < starts.size(); ++k)
        if (starts[k] != starts[k - 1] + length) return false;
    return true;
}

template <class E>
void gather(const lines& from, std::span<const std::int64_t> starts, std::int64_t length, E* to, std::int64_t pitch) {
    const auto* const memory = static_cast<const E*>(from.memory);
    if (from.stride == 1) {
        for (std::size_t k = 0; k < starts.size(); ++k)
            std::copy_n(memory + starts[k], length, to + static_cast<std::int64_t>(k) * pitch);
        return;
    }
    for (std::int64_t i = 0; i < length; ++i)
        for (std::size_t k = 0; k < starts.size(); ++k)
            to[static_cast<std::int64_t>(k) * pitch + i] = memory[starts[k] + i * from.stride];
}
template <class E>
void scatter(const E* from, std::int64_t pitch, const lines& to, std::span<const std::int64_t> starts, std::int64_t length) {
    auto* const memory = static_cast<E*>(to.memory);
    if (to.stride == 1) {
        for (std::size_t k = 0; k < starts.size(); ++k)
            std::copy_n(from + static_cast<std::int64_t>(k) * pitch, length, memory + starts[k]);
        return;
    }
    for (std::int64_t i = 0; i < length; ++i)
        for (std::size_t k = 0; k < starts.size(); ++k)
            memory[starts[k] + i * to.stride] = from[static_cast<std::int64_t>(k) * pitch + i];
}

/// A pass whose sides' elements are of these types.
template <class T, class In, class Out>
class runner {
public:
    runner(const line_pass<T>& pass, const line_plan<T>& by)
        : pass_(pass), by_(by), reads_(read_by(pass.kind, pass.n)), writes_(written_by(pass.kind, pass.n)) {}

    void block(std::int64_t first, std::int64_t count, std::byte* scratch) const {
        const task_bytes<T> sizes(pass_);
        std::array<std::int64_t, most_lines> read, written;
        starts(first, count, read, written);
        auto* const in = reinterpret_cast<In*>(scratch);
        auto* const out = reinterpret_cast<Out*>(scratch + sizes.in);
        run({read.data(), static_cast<std::size_t>(count)}, {written.data(), static_cast<std::size_t>(count)}, in, out,
            reinterpret_cast<std::complex<T>*>(scratch + sizes.in + sizes.out));
    }

private:
    using starts_view = std::span<const std::int64_t>;

    void starts(std::int64_t first, std::int64_t count, std::array<std::int64_t, most_lines>& read,
                std::array<std::int64_t, most_lines>& written) const {
        std::array<std::int64_t, max_rank> at{};
        std::int64_t from = 0, to = 0;
        for (std::size_t axis = pass_.extents.size(); axis-- > 0; first /= pass_.extents[axis]) {
            at[axis] = first % pass_.extents[axis];
            from += at[axis] * pass_.in.others[axis];
            to += at[axis] * pass_.out.others[axis];
        }
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
            read[k] = from;
            written[k] = to;
            for (std::size_t axis = pass_.extents.size(); axis-- > 0;) {
                from += pass_.in.others[axis];
                to += pass_.out.others[axis];
                if (++at[axis] < pass_.extents[axis]) break;
                from -= at[axis] * pass_.in.others[axis];
                to -= at[axis] * pass_.out.others[axis];
                at[axis] = 0;
            }
        }
    }

    void run(starts_view read, starts_view written, In* in, Out* out, std::complex<T>* own) const {
        if (by_.block && static_cast<std::int64_t>(read.size()) == block_of(pass_.n))
            whole_block(read, written, in, out);
        else
            each_line(read, written, in, out, own);
    }

    void whole_block(starts_view read, starts_view written, In* in, Out* out) const {
        const In* source = static_cast<const In*>(pass_.in.memory) + read[0];
        Out* target = static_cast<Out*>(pass_.out.memory) + written[0];
        if (!pass_.reads_neighbours() || !are_dense(read, reads_) || !by_.takes(source)) {
            gather(pass_.in, read, reads_, in, reads_);
            source = in;
        }
        if (!pass_.writes_neighbours() || !are_dense(written, writes_) || !by_.takes(target)) target = out;
        by_.block->run(source, target);
        if (target == out) scatter(out, writes_, pass_.out, written, writes_);
    }

    void each_line(starts_view read, starts_view written, In* in, Out* out, std::complex<T>* own) const {
        const std::int64_t in_pitch = padded(reads_), out_pitch = padded(writes_);
        const bool from_there = pass_.reads_lines(), to_there = pass_.writes_lines();
        if (!from_there) gather(pass_.in, read, reads_, in, in_pitch);
        for (std::size_t k = 0; k < read.size(); ++k) {
            const auto number = static_cast<std::int64_t>(k);
            const In* const source = from_there ? static_cast<const In*>(pass_.in.memory) + read[k] : in + number * in_pitch;
            Out* const target = to_there ? static_cast<Out*>(pass_.out.memory) + written[k] : out + number * out_pitch;
            if (by_.own)
                by_.own->run(source, target, own);
            else
                by_.one->run(source, target);
        }
        if (!to_there) scatter(out, out_pitch, pass_.out, written, writes_);
    }

    const line_pass<T>& pass_;
    const line_plan<T>& by_;
    std::int64_t reads_, writes_;
};

/// Nanoseconds of one element of a line on one thread.
double cost(std::int64_t n, bool own) { return (own ? 3 : 0.5) * std::log2(static_cast<double>(n) + 1) + 1; }

template <class T>
void run_pass(const line_pass<T>& pass, void* workspace) {
    const std::shared_ptr<const line_plan<T>> by = plan_of<T>({pass.kind, pass.n, pass.is_aligned()});
    const std::int64_t count = pass.count(), block = pass.block(), blocks = (count + block - 1) / block;
    const std::size_t bytes = task_bytes<T>(pass).all;
    const bool share =
        worth_threads(cost(pass.n, by->own != nullptr) * static_cast<double>(pass.n) * static_cast<double>(count));
    // No more than threads want: each has scratch memory that is to stay in a cache.
    const std::int64_t wanted = share ? 4 * thread_pool::instance().size() : 1;
    const std::int64_t tasks = std::min(tasks_of(count, block, bytes), wanted);
    const auto shared_out = [&](const auto& r) {
        parallel(tasks, share, [&](std::int64_t task) {
            std::byte* const scratch = static_cast<std::byte*>(workspace) + static_cast<std::size_t>(task) * bytes;
            for (std::int64_t k = task * blocks / tasks; k < (task + 1) * blocks / tasks; ++k)
                r.block(k * block, std::min(block, count - k * block), scratch);
        });
    };
    if (pass.kind == line_kind::of_real) return shared_out(runner<T, T, std::complex<T>>(pass, *by));
    if (pass.kind == line_kind::to_real) return shared_out(runner<T, std::complex<T>, T>(pass, *by));
    shared_out(runner<T, std::complex<T>, std::complex<T>>(pass, *by));
}

/// The passes of a transform, in their order. Where the last axis comes last, what is between is scratch memory.
template <class T>
class passes {
public:
    passes(const fourier_transform& of, const void* in, void* out, std::byte* workspace)
        : of_(of), in_(in), out_(out), workspace_(workspace) {
        const std::size_t whole = padded_bytes(static_cast<std::size_t>(of.from.size()) * sizeof(std::complex<T>));
        between_ = of.kind == line_kind::to_real && of.axes > 1 ? whole : 0;
        for (int k = 0; k < of.axes; ++k) add(of.kind == line_kind::to_real ? k : of.axes - 1 - k, k == 0);
    }
    std::size_t bytes() const {
        std::size_t most = 0;
        for (const line_pass<T>& p : all_) {
            const std::size_t each = task_bytes<T>(p).all;
            most = std::max(most, static_cast<std::size_t>(tasks_of(p.count(), p.block(), each)) * each);
        }
        return between_ + most;
    }
    void run() const {
        for (const line_pass<T>& p : all_) run_pass(p, workspace_ + between_);
    }

private:
    std::vector<std::int64_t> dense(std::int64_t last) const {
        std::vector<std::int64_t> strides(static_cast<std::size_t>(of_.from.rank()));
        std::int64_t next = 1;
        for (std::size_t k = strides.size(); k-- > 0;) {
            strides[k] = next;
            next *= k + 1 == strides.size() ? last : of_.from[k];
        }
        return strides;
    }
    lines lines_of(void* memory, const std::vector<std::int64_t>& strides, int axis) const {
        lines l{memory, strides[static_cast<std::size_t>(axis)], strides};
        l.others.erase(l.others.begin() + axis);
        return l;
    }
    /// Along this one of the transformed axes.
    void add(int which, bool is_first) {
        const int rank = of_.from.rank(), axis = rank - of_.axes + which;
        const bool is_last_axis = which == of_.axes - 1, to_real = of_.kind == line_kind::to_real;
        const line_kind complex_kind = to_real || of_.kind == line_kind::inverse ? line_kind::inverse : line_kind::forward;
        line_pass<T> p{is_last_axis ? of_.kind : complex_kind, is_last_axis ? of_.n : of_.from[axis], {}, {}, {},
                       !is_first && !(to_real && is_last_axis)};
        const bool ends = is_last_axis || !to_real;  // in the result
        const auto result = dense(to_real ? of_.n : written_by(of_.kind, of_.n)), middle = dense(of_.from[rank - 1]);
        p.out = ends ? lines_of(out_, result, axis) : lines_of(workspace_, middle, axis);
        if (is_first)
            p.in = lines_of(const_cast<void*>(in_), of_.strides, axis);
        else
            p.in = to_real ? lines_of(workspace_, middle, axis) : lines_of(out_, result, axis);
        for (int k = 0; k < rank; ++k)
            if (k != axis)
                p.extents.push_back(k == rank - 1 ? (to_real ? of_.from[k] : written_by(of_.kind, of_.n)) : of_.from[k]);
        all_.push_back(std::move(p));
    }

    const fourier_transform& of_;
    const void* in_;
    void* out_;
    std::byte* workspace_;
    std::size_t between_;
    std::vector<line_pass<T>> all_;
};

template <class F>
auto with_real(dtype real, F f) {
    return real == dtype::f32 ? f(float()) : f(double());
}

}  // namespace

std::size_t fourier_transform::workspace() const {
    return with_real(real, [&]<class T>(T) { return passes<T>(*this, nullptr, nullptr, nullptr).bytes(); });
}

void fourier_transform::run(const void* in, void* out, void* workspace) const {
    with_real(real, [&]<class T>(T) { passes<T>(*this, in, out, static_cast<std::byte*>(workspace)).run(); });
}

void lock_fourier_for_fork() {
    plans_lock<float>.lock();
    plans_lock<double>.lock();
    lock_fftw_for_fork();
}
void unlock_fourier_after_fork() {
    unlock_fftw_after_fork();
    plans_lock<double>.unlock();
    plans_lock<float>.unlock();
}

}  // namespace frit::v0::detail
