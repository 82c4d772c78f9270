// Values in and out: copies from the host, borrowed memory, reads, evaluation into the caller's memory, moves between
// devices. Every byte that crosses between host and device goes through the backend, which counts it.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "frit/device.hpp"
#include "frit/host_view.hpp"
#include "fusion/ir/access_map.hpp"
#include "src/base/errors.hpp"
#include "src/base/threads.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/graph/mirror.hpp"
#include "src/io/element.hpp"
#include "src/io/transfer.hpp"

namespace frit::inline v0::detail {
namespace {

/// Copies between row-major `dense` and strided `spread` memory, element by element.
void copy_strided(char* dense, char* spread, const shape& extents, std::span<const std::int64_t> strides, std::size_t width,
                  bool gather) {
    const std::int64_t n = extents.size();
    std::int64_t index[max_rank] = {};
    std::int64_t at = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        char* d = dense + static_cast<std::size_t>(k) * width;
        char* s = spread + at * static_cast<std::int64_t>(width);
        std::memcpy(gather ? d : s, gather ? s : d, width);
        for (int axis = extents.rank(); axis-- > 0;) {
            at += strides[static_cast<std::size_t>(axis)];
            if (++index[axis] < extents[axis]) break;
            at -= strides[static_cast<std::size_t>(axis)] * extents[axis];
            index[axis] = 0;
        }
    }
}

/// Strides with nothing in them that no element depends on: an axis of extent 1, on which nobody takes a step, and an array
/// without elements have those of a row-major array, whatever was given.
std::vector<std::int64_t> significant(const shape& extents, std::span<const std::int64_t> strides) {
    std::vector<std::int64_t> s = fusion::row_major(extents);
    for (std::size_t k = 0; k < strides.size() && extents.size() > 0; ++k)
        if (extents[k] > 1) s[k] = strides[k];
    return s;
}

bool is_row_major(const shape& extents, const std::vector<std::int64_t>& significant_strides) {
    return significant_strides == fusion::row_major(extents);
}

/// Whether two elements have one address: told by the strides alone, or, where those are entangled, by all addresses.
bool shares_places(const shape& extents, std::span<const std::int64_t> strides) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> axes;  // step, extent
    for (std::size_t k = 0; k < strides.size(); ++k)
        if (extents[k] > 1) axes.emplace_back(std::abs(strides[k]), extents[k]);
    std::sort(axes.begin(), axes.end());
    std::uint64_t reach = 0;
    bool entangled = false;
    for (const auto& [step, extent] : axes) {
        if (step == 0) return true;
        entangled = entangled || step <= reach;
        reach += step * (extent - 1);
    }
    if (!entangled) return false;
    std::vector<std::uint64_t> places{0};
    for (const auto& [step, extent] : axes) {
        const std::size_t known = places.size();
        for (std::uint64_t k = 1; k < extent; ++k)
            for (std::size_t j = 0; j < known; ++j) places.push_back(places[j] + k * step);
    }
    std::sort(places.begin(), places.end());
    return std::adjacent_find(places.begin(), places.end()) != places.end();
}

node* uploaded(context& home, const void* data, dtype type, const shape& extents, source_line where) {
    const std::size_t bytes = static_cast<std::size_t>(extents.size()) * size_of(type);
    buffer_ref memory = allocate_array(home, bytes, where);
    if (bytes > 0) home.engine.upload(*memory.get(), 0, data, bytes);
    return make_stored(home, std::move(memory), 0, type, extents, {}, where);
}

/// A row-major copy of a stored node, made where the node is.
handle_ref row_major_copy(node& n) {
    static constexpr instruction code[] = {{op::leaf, dtype::f32}, {op::view, dtype::f32}};
    static constexpr program identity{code, 2, 1, 0, 1, 0, true};
    attribute* same = new attribute;
    same->what = attribute::kind::reshape;
    same->source = same->result = *n.extents;
    const attribute_ref attributes[] = {attribute_ref(same)};
    node_head* leaves[] = {&n};
    const statement copy{&identity, nullptr, leaves, nullptr, attributes, unknown_line};
    handle_ref result(make_pending(*n.home, copy, *n.extents, n.type));
    store_for_reading(result.get());
    return result;
}

/// A stored node's elements in row-major order.
void download(node& n, void* to) {
    if (n.bytes() == 0) return;
    if (const handle_ref mirror = find_mirror(n))
        copy_in_parallel(to, as_node(mirror.get())->data(), n.bytes());
    else if (!n.strides)
        n.home->engine.download(to, *n.memory.get(), static_cast<std::size_t>(n.offset) * size_of(n.type), n.bytes());
    else if (n.home->cuda_ordinal < 0)
        copy_strided(static_cast<char*>(to), static_cast<char*>(n.data()), *n.extents, *n.strides, size_of(n.type), true);
    else
        download(*as_node(row_major_copy(n).get()), to);
}

/// A CPU node with the elements of a GPU's node, downloaded at the first call and kept for the next (mirror.hpp).
handle_ref host_copy(node& n) {
    if (handle_ref mirror = find_mirror(n)) return mirror;
    buffer_ref memory = allocate_array(cpu_context(), n.bytes(), n.where);
    download(n, memory->data);
    handle_ref host(make_stored(cpu_context(), std::move(memory), 0, n.type, *n.extents, {}, n.where));
    keep_mirror(n, host);
    return host;
}

/// Whether reading all of a node should leave a mirror.
bool mirrors(const node& n) { return n.home->cuda_ordinal >= 0 && n.bytes() > 0 && n.bytes() <= mirror_limit; }

}  // namespace

void check_memory(std::string_view who, const void* data, dtype type, const shape& extents,
                  std::span<const std::int64_t> strides, source_line where) {
    if (!strides.empty() && strides.size() != static_cast<std::size_t>(extents.rank()))
        throw_shape_error(who, std::to_string(strides.size()) + " strides for rank " + std::to_string(extents.rank()),
                          {&extents, 1}, where);
    if (extents.size() == 0) return;
    if (!data) throw error(std::string(who) + ": there are no elements at a null pointer" + place(where));
    const auto width = static_cast<std::int64_t>(size_of(type));
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::vector<std::int64_t> steps = significant(extents, strides);
    std::int64_t low = 0, high = width;  // from the first element, in bytes
    bool exists = true;
    for (std::size_t k = 0; exists && k < steps.size(); ++k) {
        std::int64_t reach = 0;
        std::int64_t& end = steps[k] < 0 ? low : high;
        exists = !__builtin_mul_overflow(steps[k], extents[k] - 1, &reach) &&
                 !__builtin_mul_overflow(reach, width, &reach) && !__builtin_add_overflow(end, reach, &end) &&
                 low != INT64_MIN;
    }
    if (!exists || static_cast<std::uintptr_t>(-low) > address || static_cast<std::uintptr_t>(high) > UINTPTR_MAX - address)
        throw_shape_error(who, "the elements lie outside the address space", {&extents, 1}, where);
}

void read_elements(const node& n, std::span<const std::int64_t> offsets, void* to) {
    const std::size_t width = size_of(n.type);
    const auto for_runs = [&](auto&& f) {  // f(bytes already there, first element, bytes)
        for (std::size_t k = 0, end; k < offsets.size(); k = end) {
            for (end = k + 1; end < offsets.size() && offsets[end] == offsets[end - 1] + 1; ++end) {
            }
            f(k * width, static_cast<std::size_t>(n.offset + offsets[k]) * width, (end - k) * width);
        }
    };
    if (n.home->cuda_ordinal < 0) {
        const char* from = static_cast<const char*>(n.memory->data);
        for_runs([&](std::size_t done, std::size_t at, std::size_t bytes) {
            std::memcpy(static_cast<char*>(to) + done, from + at, bytes);
        });
        return;
    }
    const bool all = !n.strides && static_cast<std::int64_t>(offsets.size()) == n.extents->size() && mirrors(n);
    const handle_ref mirror = all ? host_copy(const_cast<node&>(n)) : n.strides ? handle_ref() : find_mirror(n);
    if (mirror) {  // row-major, as the node is
        const char* const from = static_cast<const char*>(as_node(mirror.get())->data());
        for (std::size_t k = 0; k < offsets.size(); ++k)
            std::memcpy(static_cast<char*>(to) + k * width, from + static_cast<std::size_t>(offsets[k]) * width, width);
        return;
    }
    // one download, however many runs there are: copies on the device need no waiting
    const buffer_ref together = n.home->engine.allocate(offsets.size() * width);
    for_runs([&](std::size_t done, std::size_t at, std::size_t bytes) {
        n.home->engine.copy(*together.get(), done, *n.memory.get(), at, bytes);
    });
    n.home->engine.download(to, *together.get(), 0, offsets.size() * width);
}

void store_for_reading(node_head* n) {
    const std::optional<element> shown = shown_element(*as_node(n));
    if (!shown || !store_element(*as_node(n), *shown)) evaluate(*as_node(n)->home, {&n, 1});
}

node* lend(context& home, const void* data, dtype type, const shape& extents, std::span<const std::int64_t> strides,
           void* keep, void (*drop)(void*)) {
    std::vector<std::int64_t> spread = significant(extents, strides);
    if (is_row_major(extents, spread)) spread.clear();
    const memory_range range = range_of(data, extents, spread, size_of(type));
    const std::int64_t offset = (static_cast<const char*>(data) - range.begin) / static_cast<std::int64_t>(size_of(type));
    buffer_ref memory(new buffer);  // owns `keep` from its last line on: before, an exception leaves it to the caller
    buffer* const lent = memory.get();
    lent->data = const_cast<char*>(range.begin);
    lent->bytes = static_cast<std::size_t>(range.end - range.begin);
    lent->read_only = true;
    node* n = make_stored(home, std::move(memory), offset, type, extents, std::move(spread));
    lent->drop = drop;
    lent->keep = keep;
    return n;
}

node_head* from_host(const void* data, dtype type, const shape& extents, source_line where) try {
    check_memory("from_host", data, type, extents, {}, where);
    return uploaded(default_context(), data, type, extents, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("from_host", where);
}

node_head* from_nothing(dtype type, const shape& extents, source_line where) try {
    context& home = default_context();
    const std::size_t bytes = static_cast<std::size_t>(extents.size()) * size_of(type);
    return make_stored(home, allocate_array(home, bytes, where), 0, type, extents, {}, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("empty", where);
}

node_head* borrow(const void* data, dtype type, const shape& extents, std::span<const std::int64_t> strides, void* keep,
                  void (*drop)(void*), source_line where) try {
    check_memory("borrow", data, type, extents, strides, where);
    context& home = default_context();
    if (&home == &cpu_context()) return lend(home, data, type, extents, strides, keep, drop);
    // a GPU does not read borrowed host memory in place: one counted copy, and the owner may go
    node_head* const copy = from_strided(data, type, extents, strides, where);
    drop(keep);
    return copy;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("borrow", where);
}

node_head* from_strided(const void* data, dtype type, const shape& extents, std::span<const std::int64_t> strides,
                        source_line where) try {
    check_memory("from_host", data, type, extents, strides, where);
    const handle_ref host(lend(cpu_context(), data, type, extents, strides, nullptr, nullptr));
    std::vector<char> dense(as_node(host.get())->bytes());
    download(*as_node(host.get()), dense.data());
    return uploaded(default_context(), dense.data(), type, extents, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("from_host", where);
}

handle_ref on_host(node_head* head, source_line where) try {
    if (!head) throw_empty("span", run_time, where);
    store_for_reading(head);
    const handle_ref there = to_device(head, device::cpu(), where);
    return as_node(there.get())->strides ? row_major_copy(*as_node(there.get())) : there;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("span", where);
}

const void* data_of(const node_head* n) noexcept { return as_node(n)->data(); }

void read(node_head* head, void* to, source_line where) try {
    if (!head) throw_empty("read", run_time, where);
    node& n = *as_node(head);
    if (const std::optional<element> shown = shown_element(n)) {
        store_element(n, *shown);
        return read_elements(*as_node(shown->source.get()), {&shown->offset, 1}, to);
    }
    evaluate(*n.home, {&head, 1});
    if (mirrors(n)) {
        try {
            copy_in_parallel(to, as_node(host_copy(n).get())->data(), n.bytes());
            return;
        } catch (const out_of_memory&) {  // of the host, for the mirror: then without one
        } catch (const std::bad_alloc&) {
        }
    }
    download(n, to);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("read", where);
}

void eval_into(node_head* head, void* to, std::span<const std::int64_t> strides, source_line where) try {
    if (!head) throw_empty("eval_into", run_time, where);
    node& n = *as_node(head);
    check_memory("eval_into", to, n.type, *n.extents, strides, where);
    if (n.extents->size() == 0) return;
    const std::vector<std::int64_t> spread = significant(*n.extents, strides);
    if (shares_places(*n.extents, spread))
        throw_shape_error("eval_into", "the strides give several elements one place", {n.extents, 1}, where);
    if (n.home->cuda_ordinal < 0 && !n.stored() && evaluate_into(*n.home, n, to, spread)) return;
    store_for_reading(head);
    const bool onto_itself = n.memory->overlaps(range_of(to, *n.extents, spread, size_of(n.type)));
    if (is_row_major(*n.extents, spread) && !onto_itself) return download(n, to);
    std::vector<char> dense(n.bytes());
    download(n, dense.data());
    copy_strided(dense.data(), static_cast<char*>(to), *n.extents, spread, size_of(n.type), false);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eval_into", where);
}

bool is_stored(const node_head* n) noexcept { return as_node(n)->stored(); }

std::vector<std::int64_t> strides_of(const node_head* head) try {
    const node& n = *as_node(head);
    return n.stored() && n.strides ? *n.strides : fusion::row_major(*n.extents);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("strides", unknown_line);
}

handle_ref to_device(node_head* head, device d, source_line where) try {
    if (!head) throw_empty("to", run_time, where);
    context& home = context_on(d, where);
    if (as_node(head)->home == &home) return handle_ref(head);
    store_for_reading(head);
    node& n = *as_node(head);
    if (n.home->cuda_ordinal >= 0) {
        handle_ref host = host_copy(n);
        if (d.is_cpu()) return host;
        return handle_ref(uploaded(home, as_node(host.get())->data(), n.type, *n.extents, n.where));
    }
    if (!n.strides) return handle_ref(uploaded(home, n.data(), n.type, *n.extents, n.where));
    std::vector<char> dense(n.bytes());
    download(n, dense.data());
    return handle_ref(uploaded(home, dense.data(), n.type, *n.extents, n.where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("to", where);
}

}  // namespace frit::v0::detail
