// Which threads take which elements of a row, and what stays in registers: see cuda_row_shape.hpp. The figures are those
// that an H200 was fastest with, for row softmax, layer norm, logsumexp, row and column sums, N-body and pairwise distances.
#include "fusion/machine/cuda_row_shape.hpp"

#include <algorithm>
#include <bit>

#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cost_model.hpp"
#include "fusion/machine/cuda_shape.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr unsigned most_resident_bytes = 256;    // per thread, of what lives between two passes
constexpr unsigned most_resident_weight = 4000;  // of all passes over all elements of a thread: bounds compile time
constexpr unsigned several = 16, resident = 32, doubled = 64;  // flags of a row class beside the length; doubled: nothing
                                                               // wider than 2 bytes stays, and twice as many elements
constexpr unsigned longest_resident = 14;                      // logarithm of 16,384 elements
constexpr unsigned long_columns = 6;                           // the class of columns of more than 4,096 elements

unsigned kept_dims(const kernel_spec& s) { return static_cast<unsigned>(s.rank - s.reduced); }
bool moves_in_row(const kernel_spec& s, const access& a) { return moves_in(a, kept_dims(s), s.rank); }

unsigned element_bytes(const kernel_spec& s) {
    std::size_t bytes = 0;
    for (const access& a : s.loads)
        if (moves_in_row(s, a)) bytes += size_of(a.type);
    return static_cast<unsigned>(std::max<std::size_t>(bytes, 1));
}

unsigned widest_bytes(const kernel_spec& s) {
    std::size_t widest = 1;
    for (const access& a : s.loads)
        if (moves_in_row(s, a)) widest = std::max(widest, size_of(a.type));
    return static_cast<unsigned>(widest);
}
// 16 bytes of the widest operand, at least four elements.
unsigned inner_pack(const kernel_spec& s) { return std::max(4u, 16 / widest_bytes(s)); }

unsigned power(unsigned length_class, unsigned fewer, unsigned most) {
    return length_class <= fewer ? 1 : std::min(most, 1u << (length_class - fewer));
}

row_shape inner_shape(const kernel_spec& s, unsigned length, unsigned flags) {
    row_shape r;
    r.pack = std::min(inner_pack(s), 1u << length);
    // A row that only gives totals waits for them with nothing to write meanwhile: more of it in flight.
    const unsigned held = (s.stores.empty() || flags & doubled ? 128 : 64) / widest_bytes(s);
    const unsigned elements = flags & resident ? std::max(held, r.pack) : 2 * r.pack;
    r.threads = power(length, static_cast<unsigned>(std::countr_zero(elements)), 512);
    const unsigned packs = std::max(1u, (1u << length) / (r.threads * r.pack));
    if (flags & resident) r.resident = packs;
    const bool longest = !(flags & several) && r.threads == 512;  // goes round its loop
    if (longest) r.chunk = (1 << 17) / widest_bytes(s);
    if (r.threads <= 32) r.lanes = 128 / r.threads;
    // Some 64 bytes in flight per thread reach the memory's limit; more only takes registers.
    r.in_flight = std::clamp(std::bit_floor(64 / (r.pack * element_bytes(s))), 1u,
                             std::min(longest ? 4 : packs, std::max(1u, 32 / r.pack)));
    const unsigned weight = weight_of(s.body);
    while (r.in_flight > 1 && unroll_of(weight, r.in_flight * r.pack) < r.in_flight * r.pack) r.in_flight /= 2;
    return r;
}

row_shape outer_shape(unsigned length, unsigned flags) {
    const bool single = !(flags & several);
    row_shape r;
    r.pack = 8;
    r.threads = single ? power(length, 3, 4) : power(length, 4, 32);
    r.lanes = std::clamp(256 / r.threads, 16u, single ? 256u : 128u);
    if (flags & resident) r.resident = std::max(1u, (1u << length) / (r.threads * r.pack));
    // Columns of few rows come in short chunks, that narrow arrays keep the GPU busy too; in long ones partial results would
    // cost traffic. By their length alone, as ever: a row's bits do not depend on how many there are.
    if (single && r.threads == 4) r.chunk = length < long_columns ? 128 : 512;
    return r;
}

row_shape tile_shape(const kernel_spec& s, unsigned length, unsigned flags) {
    const bool single = !(flags & several);
    row_shape r;
    r.pack = 32;
    r.threads = power(length, 5, single ? 4 : 16);
    r.lanes = 256 / r.threads;
    r.per_lane = parts_of(s) <= 2 ? 4 : 2;
    r.in_flight = 16 / r.per_lane;  // elements here
    if (single && r.threads == 4) r.chunk = 1024;
    return r;
}

bool fits(const kernel_spec& s, const row_shape& r) {
    const unsigned elements = r.resident * r.pack;
    const row_work work(s, elements);
    unsigned weight = 0;
    for (const row_work::pass& p : work.work)
        for (std::uint16_t k : p.body)
            if (is_elementwise(s.body[k].code)) weight += info(s.body[k].code).cost;
    return elements * work.live_bytes <= most_resident_bytes && elements * weight <= most_resident_weight;
}

}  // namespace

unsigned length_class_of(const kernel_spec& s) { return s.row_class % several; }

row_shape row_shape_of(const kernel_spec& s) {
    const unsigned length = length_class_of(s), flags = s.row_class & ~(several - 1U);
    if (s.schedule == schedule_kind::reduce_inner) return inner_shape(s, length, flags);
    if (s.schedule == schedule_kind::reduce_outer) return outer_shape(length, flags);
    return tile_shape(s, length, flags);
}

std::uint8_t row_class(const kernel_spec& s, std::int64_t length, const target&) {
    if (!is_of_rows(s.schedule)) return 0;
    if (!s.columns.empty()) return static_cast<std::uint8_t>(once_class(length));
    if (has_running(s))
        return length > longest_of_small_blocks ? shared_by_large_blocks
               : length > longest_of_a_warp     ? shared_by_blocks
                                                : row_of_a_warp;
    const bool single = row_passes(s).single(), tile = s.schedule == schedule_kind::reduce_tile;
    const auto log =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1) - 1)));
    // The classes that differ: from the shortest that one thread takes to the first that has all threads.
    unsigned low = 2, high = longest_resident;
    if (s.schedule == schedule_kind::reduce_outer) {
        low = single ? 3 : 4;
        high = single ? 5 : 10;
    } else if (tile) {
        low = 5;
        high = single ? 7 : 9;
    } else if (single) {
        high = 10 + static_cast<unsigned>(std::countr_zero(inner_pack(s)));
    }
    unsigned length_class = std::clamp(log, low, high);
    if (s.schedule == schedule_kind::reduce_outer && single && log > 12) length_class = long_columns;
    const auto c = static_cast<std::uint8_t>(length_class | (single ? 0 : several));
    if (single || tile || log > high) return c;
    kernel_spec held = s;
    const bool narrow = s.schedule == schedule_kind::reduce_inner && widest_bytes(s) == 2 && !s.stores.empty();
    if (narrow) {
        held.row_class = static_cast<std::uint8_t>(c | resident | doubled);
        const row_shape r = row_shape_of(held);
        if (fits(s, r) && row_work(s, r.resident * r.pack).live_bytes == 2) return held.row_class;
    }
    held.row_class = static_cast<std::uint8_t>(c | resident);
    return fits(s, row_shape_of(held)) ? held.row_class : c;
}

/// What the pass makes: operands of its reductions, and in the last one what is stored.
static std::vector<char> results_of(const kernel_spec& s, const row_passes& passes, std::size_t p) {
    std::vector<char> results(s.body.size(), 0);
    for (std::uint16_t r : passes.passes[p].reductions) {
        results[s.reductions[r].value] = 1;
        if (has_second(s.reductions[r])) results[s.reductions[r].second] = 1;
        if (has_third(s.reductions[r])) results[s.reductions[r].third] = 1;
    }
    if (p + 1 == passes.passes.size())
        for (const store& to : s.stores) results[to.value] = 1;
    return results;
}

row_work::row_work(const kernel_spec& s, unsigned elements) : passes(s), kept(s.body.size(), -1), held(s.loads.size(), -1) {
    constexpr unsigned costly = 8;
    const bool keep = elements > 0;
    // Where there is room, all is read at once, what the last pass needs too: it need not wait for memory again. But of 16
    // bits, what all rows share is read when it is needed: from a cache, and registers are left for more rows at a time.
    const bool room = keep && elements * element_bytes(s) <= most_resident_bytes, again = widest_bytes(s) == 2;
    const std::size_t count = passes.passes.size();
    std::vector<int> computed(s.body.size(), -1), last(s.body.size(), -1), last_read(s.loads.size(), -1);
    work.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
        const int now = static_cast<int>(p);
        std::vector<char> needed = results_of(s, passes, p);
        // What was costly to compute before, and is needed again, is kept instead of computed anew.
        std::vector<unsigned> cost(s.body.size(), 0);
        for (std::uint16_t k : passes.passes[p].body) {
            const instruction& i = s.body[k];
            cost[k] = is_elementwise(i.code) ? info(i.code).cost : i.code == op::state ? cost_of_loop : 0;
            for (int o = 0; o < operands_of(i); ++o) cost[k] += cost[operand(i, o)];
            if (keep && computed[k] >= 0 && cost[k] >= costly && !is_part_of_loop(i)) cost[k] = 0, kept[k] = computed[k];
        }
        const auto from_before = [&](std::uint16_t k) { return kept[k] >= 0 && kept[k] < now; };
        const auto& body = passes.passes[p].body;
        for (std::size_t n = body.size(); n-- > 0;)
            if (needed[body[n]] && !from_before(body[n]))
                for (int o = 0; o < operands_of(s.body[body[n]]); ++o) needed[operand(s.body[body[n]], o)] = 1;
        for (std::uint16_t k : body) {
            if (!needed[k]) continue;
            work[p].body.push_back(k);
            if (computed[k] < 0) computed[k] = now;
            last[k] = now;
            const instruction& i = s.body[k];
            if (i.code != op::load || !moves_in_row(s, s.loads[i.a])) continue;
            const bool at_once = room && !(again && !moves_in(s.loads[i.a], 0, kept_dims(s)));
            if (last_read[i.a] < (keep ? 0 : now)) work[at_once ? 0 : p].reads.push_back(i.a);
            if (keep && held[i.a] < 0) {
                if (at_once && now > 0) held[i.a] = 0;
                if (last_read[i.a] >= 0 && last_read[i.a] < now) held[i.a] = last_read[i.a];
            }
            last_read[i.a] = now;
        }
    }
    // kept: only where a later pass does read it.
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (kept[k] >= 0 && last[k] == kept[k]) kept[k] = -1;
    for (std::size_t p = 0; p + 1 < count; ++p) {
        std::size_t bytes = 0;
        const int now = static_cast<int>(p);
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (kept[k] >= 0 && kept[k] <= now && last[k] > now) bytes += size_of(s.body[k].type);
        for (std::size_t l = 0; l < held.size(); ++l)
            if (held[l] >= 0 && held[l] <= now && last_read[l] > now) bytes += size_of(s.loads[l].type);
        live_bytes = std::max(live_bytes, bytes);
    }
}

}  // namespace frit::v0::fusion
