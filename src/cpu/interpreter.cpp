// The blocked interpreter: runs a program over L1-sized blocks of the domain. It needs no compiler and is the oracle that
// the other engines are compared with.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include "frit/shape.hpp"
#include "fusion/ir/word_map.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/gather.hpp"
#include "src/cpu/program.hpp"
#include "src/thread_scratch.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::dim_words;
using fusion::kernel_spec;
using fusion::stride_class;

constexpr std::int64_t long_row = 256;  // rows at least this long are cut into blocks one by one
constexpr std::size_t cell = sizeof(std::uint64_t);

struct interpreter_scratch;

// Hands out aligned pieces of a scratch block; without a block it only counts.
class carver {
public:
    explicit carver(std::byte* base) : base_(base) {}
    template <class T>
    T* take(std::size_t count) {
        std::byte* const p = base_ ? base_ + used_ : nullptr;
        used_ += (count * sizeof(T) + 63) / 64 * 64;
        return reinterpret_cast<T*>(p);
    }
    std::size_t used() const { return used_; }

private:
    std::byte* base_;
    std::size_t used_ = 0;
};

// A load or store in the current row.
struct row_access {
    std::byte* base;    // element 0 of the row
    std::byte* origin;  // element 0 of the domain
    line inner;
    const line* outer;  // the other dimensions
    std::int64_t size;
    bool dense;  // the whole domain lies in order without gaps
};

line line_of(const fusion::access_dim& d, const dim_words& w, const std::uint64_t* words) {
    line l;
    const auto value = [words](std::uint32_t at) { return static_cast<std::int64_t>(words[at]); };
    l.stride = d.stride == stride_class::zero ? 0 : d.stride == stride_class::one ? 1 : value(w.stride);
    l.clamped = d.clamped;
    if (d.clamped) l.step = value(w.step), l.shift = value(w.shift), l.lo = value(w.lo), l.hi = value(w.hi);
    return l;
}

// Calls f.template operator()<T>() with the C++ type of a compute dtype.
template <class F>
void with_type(dtype type, F f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: return;
    }
}

// What a kernel has at hand for every launch.
struct prepared {
    const kernel_spec& spec;
    const fusion::word_map& map;
    const isa_table& table;
};

// One run over a part of the domain, on one thread.
class runner {
public:
    runner(const prepared& k, const program& p, block_mode mode, const std::uint64_t* words)
        : kernel_(k), program_(p), mode_(mode), words_(words), inner_(k.spec.rank - 1U) {
        carver sizes(nullptr);
        place(sizes);
        carver pieces(thread_scratch<interpreter_scratch>::get(sizes.used()));
        place(pieces);
        for (std::size_t d = 0; d <= inner_; ++d) extents_[d] = static_cast<std::int64_t>(words[k.map.layout.extents + d]);
        for (std::uint16_t s = 0; s < p.slots; ++s)
            slots_[s] = p.registers_of[s] == program::no_register ? cells_ + s * cell : register_of(s);
        for (std::uint16_t s = 0; s < k.spec.body.size(); ++s)  // the loops only read through it
            if (k.spec.body[s].code == op::scalar)
                slots_[s] = const_cast<std::uint64_t*>(words + k.map.scalars[k.spec.body[s].a]);
        for (std::size_t a = 0; a < k.spec.loads.size(); ++a)
            loads_[a] = access_of(k.spec.loads[a], k.map.loads[a], lines_ + a * inner_);
        for (std::size_t a = 0; a < k.spec.stores.size(); ++a)
            stores_[a] = access_of(k.spec.stores[a].to, k.map.stores[a], lines_ + (k.spec.loads.size() + a) * inner_);
    }

    void run(std::int64_t begin, std::int64_t end, std::uint64_t* partials, std::int64_t blocks) {
        if (mode_ == block_mode::packed) run_once();
        const bool reduces = !program_.totals.empty();
        for (std::int64_t at = begin; at < end;) {
            const std::int64_t row = at / extents_[inner_], column = at - row * extents_[inner_];
            const std::int64_t lane = at % fusion::reduce_block;
            std::int64_t n = std::min<std::int64_t>(program_.block_size, end - at);
            if (reduces && lane == 0) reset_totals();
            if (reduces) n = std::min(n, fusion::reduce_block - lane);
            if (mode_ == block_mode::rows) {
                n = std::min(n, extents_[inner_] - column);
                start_row(row);
                load_row(column, n);
            } else {
                load_packed(at, n);
            }
            run_steps(program_.block, n);
            for (std::size_t k = 0; k < program_.totals.size(); ++k)
                program_.totals[k].add(total(k), slots_[program_.totals[k].value], n, lane % fusion::reduce_lanes);
            if (mode_ == block_mode::rows)
                store_row(column, n);
            else
                store_packed(at, n);
            at += n;
            if (reduces && (at % fusion::reduce_block == 0 || at == end))
                finish_block((at - 1) / fusion::reduce_block, partials, blocks);
        }
    }

private:
    void place(carver& c) {
        slots_ = c.take<void*>(program_.slots);
        cells_ = c.take<std::byte>(program_.slots * cell);
        coefficients_ = c.take<std::byte>(program_.polynomials.size() * horner_terms * cell);
        loads_ = c.take<row_access>(kernel_.spec.loads.size());
        stores_ = c.take<row_access>(kernel_.spec.stores.size());
        lines_ = c.take<line>((kernel_.spec.loads.size() + kernel_.spec.stores.size()) * inner_);
        totals_ = c.take<std::byte>(program_.totals.size() * fusion::reduce_lanes * cell);
        registers_ = c.take<std::byte>(program_.registers * static_cast<std::size_t>(program_.register_bytes));
    }
    std::byte* register_of(std::uint16_t slot) const {
        return registers_ + program_.registers_of[slot] * static_cast<std::size_t>(program_.register_bytes);
    }
    std::byte* total(std::size_t k) const { return totals_ + k * fusion::reduce_lanes * cell; }

    void run_steps(const std::vector<program::step>& steps, std::int64_t n) {
        for (const program::step& s : steps) s.run(slots_[s.d], slots_[s.a], slots_[s.b], slots_[s.c], n);
    }

    // What is computed of scalars alone.
    void run_once() {
        run_steps(program_.once, 1);
        std::byte* to = coefficients_;
        for (const program::polynomial& p : program_.polynomials) {
            const std::size_t size = size_of(kernel_.spec.body[p.value].type);
            slots_[p.slot] = to;
            for (std::size_t k = 0; k < p.coefficients.size(); ++k)
                std::memcpy(to + k * size, slots_[p.coefficients[k]], size);
            to += horner_terms * cell;
        }
    }

    row_access access_of(const fusion::access& a, const std::vector<dim_words>& w, line* outer) const {
        std::byte* const origin = reinterpret_cast<std::byte*>(words_[kernel_.map.layout.pointers + a.pointer]);
        row_access r{
            origin, origin, line_of(a.dims[inner_], w[inner_], words_), outer, static_cast<std::int64_t>(size_of(a.type)),
            true};
        for (std::size_t d = 0; d < inner_; ++d) outer[d] = line_of(a.dims[d], w[d], words_);
        std::int64_t expected = 1;
        for (std::size_t d = inner_ + 1; d-- > 0;) {
            const line& l = d == inner_ ? r.inner : outer[d];
            if (l.clamped || l.stride != expected) r.dense = false;
            expected *= extents_[d];
        }
        return r;
    }

    void move_to_row(row_access& r) const {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < inner_; ++d) offset += r.outer[d].offset(index_[d]);
        r.base = r.origin + offset * r.size;
    }

    // The indices of the outer dimensions: one step on from the row before, or from the row's number.
    void find_row(std::int64_t row) {
        if (row_ >= 0 && row == row_ + 1) {
            for (std::size_t d = inner_; d-- > 0;) {
                if (++index_[d] < extents_[d]) return;
                index_[d] = 0;
            }
        } else {
            for (std::size_t d = inner_; d-- > 0; row /= extents_[d]) index_[d] = row % extents_[d];
        }
    }

    void start_row(std::int64_t row) {
        if (row == row_) return;
        find_row(row);
        row_ = row;
        if (inner_ > 0) {
            for (std::size_t a = 0; a < kernel_.spec.loads.size(); ++a) move_to_row(loads_[a]);
            for (std::size_t a = 0; a < kernel_.spec.stores.size(); ++a) move_to_row(stores_[a]);
        }
        if (mode_ == block_mode::packed) return;
        for (const program::fill& f : program_.row_loads) slots_[f.slot] = loads_[f.index].base;
        for (const program::fill& f : program_.row_coords) fill_coordinate(slots_[f.slot], f, 0, 1);
        run_once();
    }

    void fill_coordinate(void* to, const program::fill& f, std::int64_t column, std::int64_t n) const {
        const fusion::coordinate& c = kernel_.spec.coords[f.index];
        const dim_words& w = kernel_.map.coords[f.index];
        const dtype type = kernel_.spec.body[f.slot].type;
        const std::int64_t step = static_cast<std::int64_t>(words_[w.step]),
                           shift = static_cast<std::int64_t>(words_[w.shift]);
        const bool moves = c.dim == inner_;
        const std::int64_t first = step * (moves ? column : index_[c.dim]) + shift, next = moves ? step : 0;
        with_type(type, [&]<class T>() {
            T* const values = static_cast<T*>(to);
            if (!c.clamped) {
                for (std::int64_t j = 0; j < n; ++j) values[j] = static_cast<T>(first + j * next);
            } else {
                const std::int64_t lo = static_cast<std::int64_t>(words_[w.lo]),
                                   hi = static_cast<std::int64_t>(words_[w.hi]);
                for (std::int64_t j = 0; j < n; ++j) values[j] = static_cast<T>(std::clamp(first + j * next, lo, hi));
            }
        });
    }

    // Where the elements [column, column + n) of the row lie in order, or null.
    static std::byte* in_place(const row_access& r, std::int64_t column, std::int64_t n) {
        if ((r.inner.clamped ? r.inner.step * r.inner.stride : r.inner.stride) != 1) return nullptr;
        const index_range in = unclamped(r.inner, column, column + n);
        return in.last - in.first == n ? r.base + r.inner.offset(column) * r.size : nullptr;
    }

    void load_row(std::int64_t column, std::int64_t n) {
        for (const program::fill& f : program_.block_loads) {
            const row_access& r = loads_[f.index];
            slots_[f.slot] = in_place(r, column, n);
            if (!slots_[f.slot]) gather(slots_[f.slot] = register_of(f.slot), r.base, r.size, r.inner, column, n);
        }
        for (const program::fill& f : program_.block_coords) fill_coordinate(slots_[f.slot], f, column, n);
        for (const program::output& o : program_.outputs)
            if (o.direct) slots_[o.value] = stores_[o.store].base + column * stores_[o.store].size;
    }

    void store_row(std::int64_t column, std::int64_t n) {
        for (const program::output& o : program_.outputs) {
            if (o.direct) continue;
            const row_access& r = stores_[o.store];
            if (r.inner.stride == 1)
                o.copy(r.base + column * r.size, slots_[o.value], nullptr, nullptr, n);
            else
                scatter(r.base, slots_[o.value], r.size, r.inner.stride, column, n);
        }
    }

    // Calls f(offset in the block, column, count) for every piece of a row in the block.
    template <class F>
    void each_piece(std::int64_t at, std::int64_t n, F f) {
        std::int64_t row = at / extents_[inner_], column = at - row * extents_[inner_];
        for (std::int64_t done = 0; done < n;) {
            const std::int64_t count = std::min(n - done, extents_[inner_] - column);
            start_row(row++);
            f(done, column, count);
            done += count;
            column = 0;
        }
    }

    void load_packed(std::int64_t at, std::int64_t n) {
        for (const program::fill& f : program_.block_loads) {
            const row_access& r = loads_[f.index];
            slots_[f.slot] = r.dense ? r.origin + at * r.size : register_of(f.slot);
        }
        each_piece(at, n, [&](std::int64_t done, std::int64_t column, std::int64_t count) {
            for (const program::fill& f : program_.block_loads) {
                const row_access& r = loads_[f.index];
                if (!r.dense) gather(register_of(f.slot) + done * r.size, r.base, r.size, r.inner, column, count);
            }
            for (const program::fill& f : program_.block_coords) {
                const auto size = static_cast<std::int64_t>(size_of(kernel_.spec.body[f.slot].type));
                fill_coordinate(register_of(f.slot) + done * size, f, column, count);
            }
        });
    }

    void store_packed(std::int64_t at, std::int64_t n) {
        bool pieces = false;
        for (const program::output& o : program_.outputs) {
            const row_access& r = stores_[o.store];
            if (r.dense) o.copy(r.origin + at * r.size, slots_[o.value], nullptr, nullptr, n);
            pieces |= !r.dense;
        }
        if (!pieces) return;
        each_piece(at, n, [&](std::int64_t done, std::int64_t column, std::int64_t count) {
            for (const program::output& o : program_.outputs) {
                const row_access& r = stores_[o.store];
                const std::byte* const from = static_cast<std::byte*>(slots_[o.value]) + done * r.size;
                if (!r.dense) scatter(r.base, from, r.size, r.inner.stride, column, count);
            }
        });
    }

    void reset_totals() {
        for (std::size_t k = 0; k < program_.totals.size(); ++k) {
            const fusion::reduction_spec& r = kernel_.spec.reductions[k];
            const std::uint64_t identity = identity_word(r.code, r.type);
            kernel_.table.copy[index_of(r.type)][1](total(k), &identity, nullptr, nullptr, fusion::reduce_lanes);
        }
    }

    void finish_block(std::int64_t block, std::uint64_t* partials, std::int64_t blocks) {
        for (std::size_t k = 0; k < program_.totals.size(); ++k) {
            const fusion::reduction_spec& r = kernel_.spec.reductions[k];
            const loop combine = combine_loop(kernel_.table, r.code, r.type);
            for (std::int64_t half = fusion::reduce_lanes / 2; half > 0; half /= 2)
                combine(total(k), total(k), total(k) + static_cast<std::size_t>(half) * size_of(r.type), nullptr, half);
            std::memcpy(&partials[static_cast<std::int64_t>(k) * blocks + block], total(k), size_of(r.type));
        }
    }

    const prepared& kernel_;
    const program& program_;
    const block_mode mode_;
    const std::uint64_t* const words_;
    const std::size_t inner_;  // the innermost dimension
    std::int64_t extents_[max_rank];
    std::int64_t index_[max_rank] = {};
    std::int64_t row_ = -1;
    void** slots_;
    std::byte *cells_, *coefficients_, *totals_, *registers_;
    row_access *loads_, *stores_;
    line* lines_;  // outer dimensions of all accesses
};

class interpreted_kernel final : public cpu_kernel {
public:
    interpreted_kernel(const kernel_spec& spec, const isa_table& table)
        : spec_(spec), map_(spec_), table_(table), rows_(spec_, table, block_mode::rows) {
        if (spec.rank > 1) packed_.emplace(spec_, table, block_mode::packed);
    }

    std::string source() const override { return to_string(spec_); }

    void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
             std::int64_t blocks) const override {
        const bool short_rows = packed_ && static_cast<std::int64_t>(words[map_.layout.extents + spec_.rank - 1]) < long_row;
        const prepared k{spec_, map_, table_};
        if (short_rows)
            runner(k, *packed_, block_mode::packed, words).run(begin, end, partials, blocks);
        else
            runner(k, rows_, block_mode::rows, words).run(begin, end, partials, blocks);
    }

    // The epilogue through the same loops, one element at a time: the same bits as in a kernel of its own.
    void finish(const std::uint64_t* words, const std::uint64_t* totals) const override {
        const auto& code = spec_.row;
        std::uint64_t* const values =
            reinterpret_cast<std::uint64_t*>(thread_scratch<interpreter_scratch>::get(code.size() * cell));
        for (std::size_t k = 0; k < code.size(); ++k) {
            const fusion::instruction& i = code[k];
            void* const d = values + k;
            const void *a = values + i.a, *b = values + i.b, *c = values + i.c;
            if (i.code == op::total) {
                values[k] = totals[i.a];
            } else if (i.code == op::scalar) {
                values[k] = words[map_.scalars[i.a]];
            } else if (i.code == op::cast) {
                table_.cast[index_of(code[i.a].type)][index_of(i.type)](d, a, nullptr, nullptr, 1);
            } else {
                const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
                table_.elementwise[static_cast<int>(i.code)][index_of(code[typed].type)][0](d, a, b, c, 1);
            }
        }
        for (const fusion::store& s : spec_.row_stores)
            std::memcpy(reinterpret_cast<void*>(words[map_.layout.pointers + s.to.pointer]), &values[s.value],
                        size_of(s.to.type));
    }

private:
    const kernel_spec spec_;
    const fusion::word_map map_;
    const isa_table& table_;
    const program rows_;
    std::optional<program> packed_;
};

}  // namespace

std::shared_ptr<cpu_kernel> make_interpreted(const kernel_spec& spec, const isa_table& table) {
    return std::make_shared<interpreted_kernel>(spec, table);
}

std::uint64_t identity_word(op code, dtype type) {
    std::uint64_t word = 0;
    with_type(type, [&]<class T>() {
        using limits = std::numeric_limits<T>;
        T x{};
        switch (reduction(code).identity) {
            case reduction_identity::ZERO: x = T(0); break;
            case reduction_identity::ONE: x = T(1); break;
            case reduction_identity::LOWEST:
                x = limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
                break;
            case reduction_identity::HIGHEST: x = limits::has_infinity ? limits::infinity() : limits::max(); break;
        }
        std::memcpy(&word, &x, sizeof x);
    });
    return word;
}

}  // namespace frit::v0::detail
