// Row code is pointwise work over the rows: accesses move along the kept dimensions alone, totals are vectors.
#include "src/cpu/row_code.hpp"

#include <algorithm>
#include <bit>

namespace frit::inline v0::detail {

using fusion::instruction;

void row_code::place(bump_allocator& c, std::int64_t most) {
    const auto& code = walk_.spec.row;
    totals_ = c.take<part_arrays>(combiners_.size());
    values_ = c.take<std::byte*>(code.size());
    loop_scratch_ = c.take<std::byte>(loops_.scratch_bytes);
    loop_operands_ = c.take<const void*>(loops_.most_operands);
    loop_states_ = c.take<void*>(loops_.most_states);
    for (std::size_t r = 0; r < combiners_.size(); ++r)
        for (int p = 0; p < combiners_[r].parts(); ++p) {
            std::byte* const memory = c.take<std::byte>(static_cast<std::size_t>(most) * combiners_[r].size(p));
            if (memory) totals_[r].of[p] = memory;
        }
    for (std::size_t k = 0; k < code.size(); ++k) {
        std::byte* const memory =
            code[k].code == op::total ? nullptr : c.take<std::byte>(static_cast<std::size_t>(most) * size_of(code[k].type));
        if (values_)
            values_[k] = code[k].code == op::total ? totals_[code[k].a].of[combiners_[code[k].a].rule().result] : memory;
    }
}

void row_code::begin(std::int64_t first, std::int64_t count) {
    first_ = first;
    count_ = count;
}

// Calls f(offset in the batch, element offset of the line, the line, first, n) for the pieces of lines along the last kept
// dimension that make up the rows.
template <class F>
void row_code::each_piece(const std::vector<fusion::access_dim>* dims, const std::vector<fusion::dim_words>* at,
                          const F& f) const {
    const auto extent = [this](std::size_t d) { return static_cast<std::int64_t>(words_[walk_.extents[d]]); };
    const std::size_t last = kept_ - 1;
    std::int64_t line_number = first_ / extent(last), column = first_ % extent(last);
    for (std::int64_t done = 0; done < count_; ++line_number, column = 0) {
        const std::int64_t n = std::min(count_ - done, extent(last) - column);
        std::int64_t offset = 0, rest = line_number, index[max_rank] = {};
        for (std::size_t d = last; d-- > 0; rest /= extent(d)) {
            index[d] = rest % extent(d);
            if (dims) offset += line_of((*dims)[d], (*at)[d], words_).offset(index[d]);
        }
        index[last] = column;
        f(done, index, offset, n);
        done += n;
    }
}

// Whether all rows lie as one line along the last kept dimension would.
bool row_code::in_one_line(const std::vector<fusion::access_dim>& dims, const std::vector<fusion::dim_words>& at) const {
    const line along = line_of(dims[kept_ - 1], at[kept_ - 1], words_);
    if (along.clamped) return false;
    std::int64_t expected = along.stride;
    for (std::size_t d = kept_ - 1; d-- > 0;) {
        expected *= static_cast<std::int64_t>(words_[walk_.extents[d + 1]]);
        const line l = line_of(dims[d], at[d], words_);
        if (l.clamped || l.stride != expected) return false;
    }
    return true;
}

void row_code::run(const std::vector<std::uint16_t>& instructions) {
    const auto& spec = walk_.spec;
    const auto& code = spec.row;
    const std::size_t last = kept_ - 1;
    for (const std::uint16_t k : instructions) {
        const instruction& i = code[k];
        std::byte* const d = values_[k];
        // What a loop reads, and what it has given, has its place.
        if (i.code == op::total || i.code == op::feed || i.code == op::state) continue;
        if (i.code == op::iterate) {
            loops_.at(k).run([this](std::uint16_t n) { return values_[n]; }, count_, loop_scratch_, loop_operands_,
                             loop_states_, words_);
        } else if (i.code == op::scalar) {
            table_.copy[index_of(i.type)][1](d, words_ + walk_.map.scalars[i.a], nullptr, nullptr, count_);
        } else if (i.code == op::load) {
            const fusion::access& a = spec.loads[i.a];
            const auto& at = walk_.map.loads[i.a];
            const std::size_t size = size_of(a.type);
            const auto* const origin = reinterpret_cast<const std::byte*>(words_[walk_.map.layout.pointers + a.pointer]);
            const line along = line_of(a.dims[last], at[last], words_);
            if (in_one_line(a.dims, at)) {
                gather(d, origin, size, along, first_, count_);
                continue;
            }
            each_piece(&a.dims, &at, [&](std::int64_t done, const std::int64_t* index, std::int64_t offset, std::int64_t n) {
                const auto bytes = static_cast<std::int64_t>(size);
                gather(d + done * bytes, origin + offset * bytes, size, along, index[last], n);
            });
        } else if (i.code == op::coord) {
            const fusion::coordinate& c = spec.coords[i.a];
            const fusion::dim_words& w = walk_.map.coords[i.a];
            const auto step = static_cast<std::int64_t>(words_[w.step]), shift = static_cast<std::int64_t>(words_[w.shift]);
            each_piece(nullptr, nullptr, [&](std::int64_t done, const std::int64_t* index, std::int64_t, std::int64_t n) {
                write_coordinate(d + done * static_cast<std::int64_t>(size_of(i.type)), i.type, c, w, words_,
                                 step * index[c.dim] + shift, 0, 1, n, c.dim == last ? step : 0, n);
            });
        } else if (i.code == op::index) {
            table_.index(d, values_[i.a], values_[i.b], words_, count_);
        } else if (is_search(i.code)) {
            const std::uint64_t* const from = words_ + walk_.map.layout.pointers + i.c;
            const loop search = table_.search[i.code == op::search_right][index_of(code[i.a].type)];
            search(d, values_[i.a], values_[i.b], from, count_);
        } else if (i.code == op::gather) {
            const std::uint64_t* const from = words_ + walk_.map.layout.pointers + i.b;
            table_.gather[std::countr_zero(size_of(i.type))](d, values_[i.a], from, nullptr, count_);
        } else {
            const bool converts = is_conversion(i.code);
            const dtype from = code[!converts && info(i.code).result == op_result::SELECT ? i.b : i.a].type;
            const loop run = converts ? table_.conversion(i.code, from, i.type)
                                      : table_.elementwise[static_cast<int>(i.code)][index_of(from)][0];
            run(d, values_[i.a], values_[i.b], values_[i.c], count_);
        }
    }
}

void row_code::store() const {
    const auto& spec = walk_.spec;
    const std::size_t last = kept_ - 1;
    for (std::size_t s = 0; s < spec.row_stores.size(); ++s) {
        const fusion::access& a = spec.row_stores[s].to;
        const auto& at = walk_.map.row_stores[s];
        const std::size_t size = size_of(a.type);
        auto* const origin = reinterpret_cast<std::byte*>(words_[walk_.map.layout.pointers + a.pointer]);
        const line along = line_of(a.dims[last], at[last], words_);
        if (in_one_line(a.dims, at)) {
            scatter(origin, values_[spec.row_stores[s].value], size, along.stride, first_, count_);
            continue;
        }
        each_piece(&a.dims, &at, [&](std::int64_t done, const std::int64_t* index, std::int64_t offset, std::int64_t n) {
            const auto bytes = static_cast<std::int64_t>(size);
            scatter(origin + offset * bytes, values_[spec.row_stores[s].value] + done * bytes, size, along.stride,
                    index[last], n);
        });
    }
}

}  // namespace frit::v0::detail
