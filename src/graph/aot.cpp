// Running a formula that a program has compiled in (frit/aot.hpp): its leaves are brought to memory and followed through
// their views to strides, neighbouring axes become one, and the kernel goes along rows. It reads elements that lie one after
// the other; what lies otherwise is collected in blocks first. A reduction of few elements takes in what the kernel has left
// in a block.
#include "frit/aot.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fusion/ir/access_map.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/aot.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/graph/region.hpp"
#include "src/graph/shown.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t most_leaves = max_program_length;
constexpr std::int64_t task_elements = 4096;  // tasks begin at multiples of it

/// An operand over the axes of the walk; strides in elements.
struct operand_walk {
    const std::byte* data = nullptr;
    std::int64_t width = 0;
    std::int64_t strides[max_rank] = {};
};
/// The loops over a result, inner one last, and what they read.
struct walk {
    int rank = 0;
    std::int64_t extents[max_rank] = {};
    std::vector<operand_walk> operands;
};

/// A leaf with the views of the statement above it: those nearest to the result first.
struct viewed_leaf {
    user_ref node;
    shape extents;  ///< as the formula sees them
    fusion::view_path path;
};

bool lies_ready(const node& n) { return n.stored() && !n.lost; }

/// Pending views of stored arrays are not evaluated but read through: down to the array.
void descend(viewed_leaf& x) {
    node* const top = as_node(x.node.get());
    const std::lock_guard guard(top->home->lock);
    fusion::view_path path = x.path;
    if (node* const n = shown_array(*top, [&](const attribute_ref& view) { path.push_back(view); })) {
        x.node = user_ref(n);
        x.path = std::move(path);
    }
}

/// Where the elements of a stored leaf lie, over the axes that the formula sees; null: nowhere by strides (a padded edge, a
/// reshape across a transpose).
std::optional<fusion::strided> places_of(const viewed_leaf& x) {
    const node& n = *as_node(x.node.get());
    const std::vector<std::int64_t> strides = n.strides ? *n.strides : fusion::row_major(*n.extents);
    fusion::strided base{n.offset, {}};
    for (int k = 0; k < n.extents->rank(); ++k)
        base.axes.push_back({.stride = strides[static_cast<std::size_t>(k)], .hi = (*n.extents)[k] - 1});
    auto found = fusion::resolve(std::move(base), *n.extents, x.path);
    if (found && std::any_of(found->axes.begin(), found->axes.end(), [](const auto& a) { return a.clamped; }))
        return std::nullopt;
    return found;
}

/// The view of a leaf as an array of its own.
void store_view(viewed_leaf& x, source_line where) {
    static constexpr instruction code[] = {{op::leaf, dtype::f32}, {op::view, dtype::f32}};
    static constexpr program one_view{code, 2, 1, 0, 1, 0, true};
    handle_ref made;
    for (; !x.path.empty(); x.path.pop_back()) {
        node_head* const leaf = x.node.get();
        const statement view{&one_view, nullptr, &leaf, nullptr, &x.path.back(), where};
        made = handle_ref(make_pending(*as_node(leaf)->home, view, x.path.back()->result, leaf->type));
        x.node = user_ref(made.get());
    }
    node_head* const top = made.get();
    evaluate(*as_node(top)->home, {&top, 1});
}

std::vector<viewed_leaf> leaves_of(const statement& s) {
    std::vector<viewed_leaf> all;
    const attribute_ref* view = s.attributes;
    for (std::uint16_t k = 0; k < s.code->length; ++k) {
        if (s.code->code[k].code == op::leaf) {
            node_head* const n = s.leaves[all.size()];
            all.push_back({user_ref(n), *n->extents, {}});
        } else if (s.code->code[k].code == op::view) {  // of the leaf before
            all.back().path.insert(all.back().path.begin(), *view);
            all.back().extents = (*view++)->result;
        }
    }
    return all;
}

/// What is pending, but for views, is evaluated, as by one eval().
void store_leaves(context& home, std::vector<viewed_leaf>& leaves) {
    std::vector<node_head*> pending;
    for (viewed_leaf& x : leaves) {
        descend(x);
        if (!lies_ready(*as_node(x.node.get()))) pending.push_back(x.node.get());
    }
    if (!pending.empty()) evaluate(home, pending);
    for (const viewed_leaf& x : leaves) was_read(*as_node(x.node.get()));
}

/// Axes of one element are left out, and neighbours that every operand goes along as along one are one.
walk walk_over(const shape& result, std::vector<viewed_leaf>& leaves, source_line where) {
    walk w;
    std::vector<fusion::strided> places;
    for (viewed_leaf& x : leaves) {
        auto at = places_of(x);
        if (!at) {
            store_view(x, where);
            at = places_of(x);
        }
        const node& n = *as_node(x.node.get());
        const auto width = static_cast<std::int64_t>(size_of(n.type));
        w.operands.push_back({static_cast<const std::byte*>(n.memory->data) + at->offset * width, width, {}});
        places.push_back(std::move(*at));
    }
    for (int axis = 0; axis < result.rank(); ++axis) {
        if (result[axis] == 1) continue;
        std::int64_t strides[most_leaves];
        bool joins = w.rank > 0;
        for (std::size_t k = 0; k < leaves.size(); ++k) {
            const int own = axis - (result.rank() - leaves[k].extents.rank());
            const bool moves = own >= 0 && leaves[k].extents[own] != 1;
            strides[k] = moves ? places[k].axes[static_cast<std::size_t>(own)].stride : 0;
            joins = joins && w.operands[k].strides[w.rank - 1] == strides[k] * result[axis];
        }
        if (!joins) w.extents[w.rank++] = 1;
        w.extents[w.rank - 1] *= result[axis];
        for (std::size_t k = 0; k < leaves.size(); ++k) w.operands[k].strides[w.rank - 1] = strides[k];
    }
    if (w.rank == 0) w.extents[w.rank++] = 1;
    return w;
}

template <class T>
void collect(std::byte* to, const std::byte* from, std::int64_t stride, std::int64_t n) {
    auto* const d = reinterpret_cast<T*>(to);
    const auto* const s = reinterpret_cast<const T*>(from);
    for (std::int64_t i = 0; i < n; ++i) d[i] = s[i * stride];
}
void collect(std::byte* to, const std::byte* from, std::int64_t width, std::int64_t stride, std::int64_t n) {
    if (width == 1) return collect<std::uint8_t>(to, from, stride, n);
    if (width == 2) return collect<std::uint16_t>(to, from, stride, n);
    if (width == 4) return collect<std::uint32_t>(to, from, stride, n);
    if (width == 8) return collect<std::uint64_t>(to, from, stride, n);
    collect<std::complex<double>>(to, from, stride, n);
}

constexpr std::int64_t room_bytes = aot_block * 16;  // of the elements of one operand that are collected

/// A kernel at work.
struct aot_run {
    aot_function kernel;
    const scalar_bits* scalars;
    const walk& w;
    std::byte* out;
    std::int64_t width;            ///< of the result's elements
    std::vector<std::byte> rooms;  ///< of each task, an operand's after the other; none where all lies in order

    bool in_order() const {
        return std::all_of(w.operands.begin(), w.operands.end(),
                           [&](const operand_walk& x) { return x.strides[w.rank - 1] == 1; });
    }
    /// Elements [begin, end) of the result.
    void run(std::int64_t begin, std::int64_t end, std::int64_t task) const {
        const std::int64_t inner = w.extents[w.rank - 1];
        while (begin < end) {
            const std::int64_t column = begin % inner, count = std::min(inner - column, end - begin);
            const std::byte* at[most_leaves];
            for (std::size_t k = 0; k < w.operands.size(); ++k) {
                const operand_walk& x = w.operands[k];
                std::int64_t offset = column * x.strides[w.rank - 1], row = begin / inner;
                for (int axis = w.rank - 1; axis-- > 0; row /= w.extents[axis])
                    offset += row % w.extents[axis] * x.strides[axis];
                at[k] = x.data + offset * x.width;
            }
            run_row(at, out + begin * width, count, task);
            begin += count;
        }
    }
    void run_row(const std::byte** at, std::byte* to, std::int64_t count, std::int64_t task) const {
        const void* leaves[most_leaves];
        const std::int64_t step = rooms.empty() ? count : aot_block;
        const auto operands = static_cast<std::int64_t>(w.operands.size());
        for (std::int64_t done = 0; done < count; done += step) {
            const std::int64_t n = std::min(step, count - done);
            for (std::int64_t k = 0; k < operands; ++k) {
                const operand_walk& x = w.operands[static_cast<std::size_t>(k)];
                const std::int64_t stride = x.strides[w.rank - 1];
                const std::byte* const from = at[k] + done * stride * x.width;
                leaves[k] = from;
                if (stride == 1) continue;
                auto* const room = const_cast<std::byte*>(rooms.data()) + (task * operands + k) * room_bytes;
                if (stride != 0 || done == 0) collect(room, from, x.width, stride, n);
                leaves[k] = room;
            }
            kernel(to + done * width, {leaves, scalars}, n);
        }
    }
};

void run_tasks(aot_run& r, std::int64_t elements, std::uint16_t cost) {
    thread_pool& pool = thread_pool::instance();
    // Nanoseconds, as vector code takes them, and for the call of a row.
    const double rows = static_cast<double>(elements / r.w.extents[r.w.rank - 1]);
    const double work = static_cast<double>(elements) * (0.1 + 0.04 * cost) + rows * 15;
    const std::int64_t blocks = (elements + task_elements - 1) / task_elements;
    const std::int64_t tasks = std::clamp<std::int64_t>(fusion::worth_tasks(work, pool.size(), pool.awake()), 1, blocks);
    const std::int64_t step = (blocks + tasks - 1) / tasks * task_elements, parts = (elements + step - 1) / step;
    if (!r.in_order()) r.rooms.resize(static_cast<std::size_t>(parts * room_bytes) * r.w.operands.size());
    parallel(parts, parts > 1, [&](std::int64_t k) { r.run(k * step, std::min(elements, (k + 1) * step), k); });
}

/// Distinct bytes, as a plan counts them.
void count_run(const walk& w, std::int64_t bytes_written, source_line where) {
    std::int64_t read = 0;
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
        const operand_walk& x = w.operands[k];
        const auto same = [&](const operand_walk& y) {
            return x.data == y.data && x.width == y.width && std::equal(x.strides, x.strides + w.rank, y.strides);
        };
        if (std::any_of(w.operands.begin(), w.operands.begin() + static_cast<std::ptrdiff_t>(k), same)) continue;
        std::int64_t elements = 1;
        for (int axis = 0; axis < w.rank; ++axis) elements *= x.strides[axis] != 0 ? w.extents[axis] : 1;
        read += elements * x.width;
    }
    counters_now.kernels_launched.fetch_add(1, std::memory_order_relaxed);
    counters_now.kernels_compiled.fetch_add(1, std::memory_order_relaxed);
    counters_now.bytes_read.fetch_add(static_cast<std::uint64_t>(read), std::memory_order_relaxed);
    counters_now.bytes_written.fetch_add(static_cast<std::uint64_t>(bytes_written), std::memory_order_relaxed);
    if (log_enabled(log_channel::launch))
        log(log_channel::launch, "kernel aot [" + std::string(where.file) + ":" + std::to_string(where.line) + "], reads " +
                                     std::to_string(read) + ", writes " + std::to_string(bytes_written) + " bytes");
}

/// The axes of a statement's reduction, behind which no attribute comes; null: all, or there is none.
const attribute* axes_of(const statement& s) {
    const program& p = *s.code;
    const auto is_axes = [](const instruction& i) { return i.code == op::axes; };
    return std::any_of(p.code, p.code + p.length, is_axes) ? s.attributes[p.attributes - 1].get() : nullptr;
}

/// Whether all leaves lie in the CPU's memory, one element after the other, in one shape: then there is nothing to find out.
bool is_plain(const statement& s) {
    const program& p = *s.code;
    if (p.attributes > (axes_of(s) ? 1 : 0)) return false;
    for (std::uint16_t k = 0; k < p.leaves; ++k) {
        const node_head* const head = s.leaves[k];
        if (!head) return false;
        const node& n = *as_node(head);
        if (!lies_ready(n) || n.strides || n.home != &cpu_context() || *n.extents != *s.leaves[0]->extents) return false;
    }
    return std::all_of(s.scalars, s.scalars + p.scalars, [](const scalar_bits& x) { return x.high == 0; });
}

walk plain_walk(const statement& s) {
    walk w;
    w.rank = 1;
    w.extents[0] = s.leaves[0]->extents->size();
    w.operands.resize(s.code->leaves);
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
        node& n = *as_node(s.leaves[k]);
        was_read(n);
        w.operands[k] = {static_cast<const std::byte*>(n.data()), static_cast<std::int64_t>(size_of(n.type)), {1}};
    }
    return w;
}

handle_ref run_on_cpu(const aot_kernel& k, const statement& s, const shape& result, const walk& w) {
    context& home = cpu_context();
    const auto width = static_cast<std::int64_t>(size_of(k.result));
    const std::int64_t elements = result.size();
    buffer_ref memory = allocate_array(home, static_cast<std::size_t>(elements * width), s.where);
    if (elements > 0) {
        aot_run r{k.run[home.engine.target().has_fma], s.scalars, w, static_cast<std::byte*>(memory->data), width, {}};
        run_tasks(r, elements, k.cost);
        count_run(w, elements * width, s.where);
    }
    return handle_ref(make_stored(home, std::move(memory), 0, k.result, result, {}, s.where));
}

/// The length of the rows that a reduction goes over, if it is that of a block of plain values, over all of them or the last
/// axis. 0: a plan does it, which is as quick where there are more, and whose order follows from more elsewhere.
std::int64_t length_of_rows(const aot_kernel& k, const statement& s) {
    if (k.planned || !is_plain(s)) return 0;
    const shape& of = *s.leaves[0]->extents;
    if (of.size() == 0 || of.size() > fusion::reduce_block) return 0;
    const attribute* const over = axes_of(s);
    const auto is_reduced = [&](int axis) { return !over || over->maps[static_cast<std::size_t>(axis)].axis < 0; };
    int kept = 0;
    while (kept < of.rank() && !is_reduced(kept)) ++kept;
    if (kept == 0) {
        for (int axis = 0; axis < of.rank(); ++axis)
            if (!is_reduced(axis)) return 0;
        return of.size();
    }
    return kept + 1 == of.rank() ? of[kept] : 0;
}

/// Totals of rows of a block, from the values in `room`; of complex numbers, which have twice as much room, of each part.
void reduce_rows(const aot_kernel& k, void* const* totals, const std::byte* room, std::int64_t rows, std::int64_t length) {
    if (!is_complex(k.type)) return run_reduction(k.reduced, k.type, totals[0], room, rows, length);
    alignas(64) std::byte part[fusion::reduce_block * 8];
    for (const op code : {op::real, op::imag}) {
        run_block(code, k.type, 0, part, room, nullptr, nullptr, rows * length);
        run_reduction(k.reduced, real_dtype(k.type), totals[code == op::imag], part, rows, length);
    }
}

handle_ref reduced_on_cpu(const aot_kernel& k, const statement& s, std::int64_t length) {
    context& home = cpu_context();
    const attribute* const over = axes_of(s);
    const shape result = over ? over->result : shape();
    const walk w = plain_walk(s);
    const auto bytes = result.size() * static_cast<std::int64_t>(size_of(k.result));
    buffer_ref memory = allocate_array(home, static_cast<std::size_t>(bytes), s.where);
    alignas(64) std::byte room[fusion::reduce_block * 16];
    const void* leaves[most_leaves + 2];
    const std::size_t count = w.operands.size();
    for (std::size_t j = 0; j < count; ++j) leaves[j] = w.operands[j].data;
    const bool fuses = home.engine.target().has_fma;
    k.run[fuses](room, {leaves, s.scalars}, w.extents[0]);
    const std::int64_t rows = w.extents[0] / length;
    if (!k.tail[fuses]) {
        reduce_rows(k, &memory->data, room, rows, length);
    } else {
        std::vector<std::uint64_t> words(static_cast<std::size_t>(2 * rows));
        void* const totals[] = {words.data(), words.data() + rows};
        reduce_rows(k, totals, room, rows, length);
        leaves[count] = totals[0], leaves[count + 1] = totals[1];
        k.tail[fuses](memory->data, {leaves, s.scalars}, rows);
    }
    count_run(w, bytes, s.where);
    return handle_ref(make_stored(home, std::move(memory), 0, k.result, result, {}, s.where));
}

/// Many rows of few elements: to call the kernel for each would take longer than a plan, which takes many rows at a time.
bool has_short_rows(const walk& w, std::int64_t elements) {
    constexpr std::int64_t short_row = 32;
    return elements > task_elements && w.extents[w.rank - 1] < short_row;
}

bool is_statement_of(const aot_kernel& k, const node& n) {
    return !n.stored() && n.code &&
           std::equal(n.code->code, n.code->code + n.code->length, k.code->code, k.code->code + k.code->length);
}

handle_ref evaluated(handle_ref recorded) {
    node_head* const n = recorded.get();
    evaluate(*as_node(n)->home, {&n, 1});
    return recorded;
}

}  // namespace

handle_ref run_aot(const aot_kernel& k, const user_ref& recorded, source_line where) try {
    const node& n = *as_node(recorded.get());
    std::vector<user_ref> held;  // another thread may evaluate the node meanwhile, which then has no statement
    std::vector<scalar_bits> scalars;
    std::vector<attribute_ref> attributes;
    if (const std::lock_guard guard(n.home->lock); n.home == &cpu_context() && !is_tracing() && is_statement_of(k, n)) {
        for (std::uint16_t j = 0; j < n.code->leaves; ++j) held.emplace_back(n.leaves[j]);
        scalars.assign(n.scalars, n.scalars + n.code->scalars);
        attributes.assign(n.attributes, n.attributes + n.code->attributes);
    }
    if (!held.empty()) {
        node_head* leaves[most_leaves];
        std::transform(held.begin(), held.end(), leaves, [](const user_ref& x) { return x.get(); });
        const statement s{k.code, nullptr, leaves, scalars.data(), attributes.data(), where};
        if (const std::int64_t length = length_of_rows(k, s)) return reduced_on_cpu(k, s, length);
    }
    handle_ref value = held_value(recorded, where);
    return is_tracing() ? std::move(value) : evaluated(std::move(value));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("aot", where);
}

handle_ref run_aot(const aot_kernel& k, const statement& s) try {
    if (k.reduced != op::leaf) {
        const std::int64_t length = is_tracing() ? 0 : length_of_rows(k, s);
        if (length > 0) return reduced_on_cpu(k, s, length);
        handle_ref recorded(record(s));
        return is_tracing() ? std::move(recorded) : evaluated(std::move(recorded));
    }
    if (!is_tracing() && is_plain(s)) return run_on_cpu(k, s, *s.leaves[0]->extents, plain_walk(s));
    handle_ref recorded(record(s));  // with its errors
    context& home = *as_node(recorded.get())->home;
    if (is_tracing()) return recorded;
    if (home.cuda_ordinal >= 0) return evaluated(std::move(recorded));
    const shape result = *recorded->extents;
    recorded = {};
    std::vector<viewed_leaf> leaves = leaves_of(s);
    walk w;
    if (result.size() > 0) {
        store_leaves(home, leaves);
        w = walk_over(result, leaves, s.where);
        if (has_short_rows(w, result.size())) return evaluated(handle_ref(record(s)));
    }
    return run_on_cpu(k, s, result, w);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("aot", s.where);
}

}  // namespace frit::v0::detail
