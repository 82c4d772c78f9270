// Long rows are cut into blocks one by one. Short rows, and rows whose elements lie far apart, are taken many at a time,
// with lanes across them. Which it is changes no bit, only the time.
#include "src/cpu/rows.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "fusion/machine/cost_model.hpp"
#include "src/base/thread_scratch.hpp"
#include "src/cpu/row_code.hpp"
#include "src/cpu/row_totals.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::instruction;
using fusion::kernel_spec;
using fusion::reduce_block;
using fusion::row_passes;
using fusion::schedule_kind;

constexpr int many_steps = 3;                     // to a value that is worth keeping: each is a trip through L1, as keeping
constexpr std::int64_t kept_elements = 16 << 10;  // of a row that fits
constexpr std::int64_t near_memory = 512 << 10;   // bytes that passes over many rows at once may go through again: L2
constexpr std::int64_t least_batch = 256;         // of them: narrower ones are all overhead, though they would fit L2
constexpr std::int64_t kept_side_by_side = 1 << 20;  // elements of them
constexpr std::int64_t near_totals = 16 << 10;  // bytes of accumulators that all elements of some rows meet: half the L1
constexpr std::int64_t wide_line = 64;          // rows side by side that make a block of one element each
constexpr std::int64_t finish_batch = 64;       // rows
constexpr std::int64_t most_rows = 256;         // short ones that make a block

// Lanes across rows: the last kept dimension comes last.
std::vector<std::uint8_t> order_of(const kernel_spec& spec, bool along) {
    std::vector<std::uint8_t> order;
    const std::uint8_t lanes = static_cast<std::uint8_t>(spec.rank - spec.reduced - 1);
    for (std::uint8_t d = 0; d < spec.rank; ++d)
        if (along || d != lanes) order.push_back(d);
    if (!along) order.push_back(lanes);
    return order;
}

// What pass p evaluates if values of `kept` are there once they have been `made`, in the passes before.
program_code code_of_pass(const kernel_spec& spec, const row_passes& passes, std::size_t p, const std::vector<bool>& kept,
                          std::vector<bool>& made, block_mode mode, bool along) {
    program_code code(spec, mode);
    code.row_values_move = !along;
    code.own_sums = mode == block_mode::rows;
    code.reductions = passes.passes[p].reductions;
    code.stores = p + 1 == passes.passes.size();
    std::vector<bool> needed(spec.body.size(), false);
    for (const std::uint16_t k : code.reductions) {
        needed[spec.reductions[k].value] = true;
        if (has_second(spec.reductions[k])) needed[spec.reductions[k].second] = true;
        if (has_third(spec.reductions[k])) needed[spec.reductions[k].third] = true;
    }
    if (code.stores)
        for (const fusion::store& s : spec.stores) needed[s.value] = true;
    code.body.assign(spec.body.size(), false);
    code.given.assign(spec.body.size(), false);
    for (std::size_t k = spec.body.size(); k-- > 0;) {
        if (!needed[k]) continue;
        (kept[k] && made[k] ? code.given : code.body)[k] = true;
        for (int n = 0; code.body[k] && n < operands_of(spec.body[k]); ++n) needed[operand(spec.body[k], n)] = true;
    }
    for (std::size_t k = 0; k < made.size(); ++k)
        if (code.body[k]) made[k] = true;
    return code;
}

// Values worth keeping: what takes an expensive step or many; where rows are short and lie crosswise, what is expensive to
// bring in.
std::vector<bool> worth_keeping(const kernel_spec& spec, const row_passes& passes, block_mode mode, bool along) {
    std::vector<bool> moves(spec.body.size(), false), kept(spec.body.size(), false);
    std::vector<int> steps(spec.body.size(), 0);
    // What a line has one value of is a scalar in rows mode, though it differs from line to line: no buffer holds that.
    const auto invariant = [&](const std::vector<fusion::access_dim>& dims) {
        return std::all_of(mode == block_mode::rows ? dims.end() - 1 : dims.begin(), dims.end(), [](const auto& d) {
            return d == fusion::access_dim{fusion::stride_class::zero, false};
        });
    };
    for (std::size_t k = 0; k < spec.body.size(); ++k) {
        const instruction& i = spec.body[k];
        if (i.code == op::load) moves[k] = !invariant(spec.loads[i.a].dims);
        if (i.code == op::row) moves[k] = !along;
        for (int n = 0; n < operands_of(i); ++n) moves[k] = moves[k] || moves[operand(i, n)];
        const bool load = i.code == op::load && !along && mode == block_mode::packed;
        steps[k] = is_elementwise(i.code) || is_conversion(i.code) ? 1 : 0;
        for (int n = 0; n < operands_of(i); ++n) steps[k] = std::min(many_steps, steps[k] + steps[operand(i, n)]);
        const bool worth =
            i.code == op::state ||
            (is_elementwise(i.code) && (info(i.code).cost >= fusion::cost_worth_keeping || steps[k] >= many_steps));
        kept[k] = moves[k] && (load || worth);
        if (is_running(i.code)) moves[k] = true;
        if (is_cumulative(i.code)) kept[k] = true;
    }
    std::vector<bool> used(spec.body.size(), false), made(spec.body.size(), false);
    for (std::size_t p = 0; p < passes.passes.size(); ++p) {
        const std::vector<bool> given = code_of_pass(spec, passes, p, kept, made, mode, along).given;
        for (std::size_t k = 0; k < used.size(); ++k)
            if (given[k]) used[k] = true;
    }
    return used;
}

}  // namespace

row_plan::row_plan(const kernel_spec& spec, const isa_table& table, const row_passes& passes, bool lanes_along,
                   block_mode blocks, bool keep)
    : along(lanes_along), mode(blocks), keeps(keep), order(spec, order_of(spec, lanes_along)), block_size(reduce_block) {
    std::vector<bool> buffers(spec.body.size(), false), made(spec.body.size(), false);
    if (keeps) buffers = worth_keeping(order.spec, passes, mode, along);
    for (std::uint16_t k = 0; k < buffers.size(); ++k)
        if (buffers[k]) kept.push_back({k, static_cast<std::int64_t>(size_of(spec.body[k].type))});
    for (std::size_t p = 0; p < passes.passes.size(); ++p) {
        program_code code = code_of_pass(order.spec, passes, p, buffers, made, mode, along);
        code.kept = buffers;
        programs.emplace_back(code, table);
        block_size = std::min<std::int64_t>(block_size, programs.back().block_size);
    }
}

// One thread's run over rows.
class row_runner {
public:
    row_runner(const row_interpreter& k, const row_interpreter::choice& how, const std::uint64_t* words)
        : kernel_(k),
          plan_(*how.plan),
          batch_(how.batch),
          words_(words),
          code_(k.own_, k.table_, k.combiners_, k.row_loops_, words),
          length_(k.extent(words, k.own_.spec.rank - k.own_.spec.reduced, k.own_.spec.rank)),
          inner_(static_cast<std::int64_t>(words[plan_.order.extents.back()])),
          along_(static_cast<std::size_t>(std::max(0, k.own_.spec.rank - k.own_.spec.reduced - 2))),
          next_(k.own_.spec.rank - k.own_.spec.reduced > 1 ? static_cast<std::int64_t>(words[plan_.order.extents[along_]])
                                                           : 1),
          whole_rows_(how.whole) {
        place_in<interpreter_scratch>([this](bump_allocator& c) { place(c); });
        // The first pass brings lines in; the next one is far away, or may be in a page that hardware does not look into.
        for (std::size_t p = 0; p < plan_.programs.size(); ++p)
            blocks_[p].start(registers_, !plan_.along || (p == 0 && length_ <= reduce_block));
    }

    void run(std::int64_t first, std::int64_t last) {
        const row_passes& passes = kernel_.passes_;
        for (std::int64_t row = first; row < last; row += code_.count()) {
            code_.begin(row, rows_from(row, last));
            for (std::size_t p = 0; p < passes.passes.size(); ++p) {
                code_.run(passes.passes[p].row);
                run_pass(p, row, 0, length_);
            }
            code_.run(passes.row_at_end);
            code_.store();
        }
        for (std::size_t p = 0; p < passes.passes.size(); ++p) blocks_[p].finish();
    }

    void run_block(std::int64_t first, std::int64_t last, std::int64_t block, std::uint64_t* partials) {
        const std::int64_t blocks = (length_ + reduce_block - 1) / reduce_block;
        const std::int64_t rows = kernel_.extent(words_, 0, kernel_.own_.spec.rank - kernel_.own_.spec.reduced);
        for (std::int64_t row = first; row < last; row += code_.count()) {
            code_.begin(row, rows_from(row, last));
            code_.run(kernel_.passes_.passes[0].row);
            run_pass(0, row, block * reduce_block, std::min(length_, (block + 1) * reduce_block));
            std::uint64_t* part = partials + block * rows + row;
            for (std::size_t r = 0; r < kernel_.combiners_.size(); ++r)
                for (int p = 0; p < kernel_.combiners_[r].parts(); ++p, part += blocks * rows)
                    widen(part, code_.totals(r).of[p], kernel_.combiners_[r].size(p));
        }
        blocks_[0].finish();
    }

private:
    void place(bump_allocator& c) {
        const std::int64_t width = plan_.along && !whole_rows_ ? 1 : batch_;
        code_.place(c, batch_);
        const reduction_order order =
            kernel_.own_.spec.schedule == schedule_kind::reduce_inner ? reduction_order::lanes : reduction_order::runs;
        totals_ = c.take<row_totals>(kernel_.combiners_.size());
        for (std::size_t r = 0; r < kernel_.combiners_.size(); ++r) {
            row_totals t(kernel_.combiners_[r], order);
            t.place(c, length_, width);
            if (totals_) new (totals_ + r) row_totals(t);
        }
        blocks_ = c.take<block_runner>(plan_.programs.size());
        std::size_t most = 0;
        for (std::size_t p = 0; p < plan_.programs.size(); ++p) {
            block_runner b(plan_.order, plan_.programs[p], plan_.mode, words_);
            b.place(c, batch_);
            most = std::max(most, b.register_bytes());
            if (blocks_) new (blocks_ + p) block_runner(b);
        }
        registers_ = c.take<std::byte>(most);
        if (whole_rows_) room_ = c.take<std::byte>(static_cast<std::size_t>(batch_ * length_) * 3 * slot_bytes);
        buffers_ = c.take<std::byte*>(plan_.kept.size());
        for (std::size_t k = 0; k < plan_.kept.size(); ++k) {
            std::byte* const memory = c.take<std::byte>(static_cast<std::size_t>(batch_ * length_ * plan_.kept[k].size));
            if (buffers_) buffers_[k] = memory;
        }
    }

    // A batch of rows side by side in rows mode lies in one line.
    std::int64_t rows_from(std::int64_t row, std::int64_t last) const {
        const std::int64_t n = std::min(batch_, last - row);
        return plan_.along || plan_.mode == block_mode::packed ? n : std::min(n, inner_ - row % inner_);
    }

    static void widen(std::uint64_t* to, const std::byte* from, std::size_t size, std::int64_t n) {
        for (std::int64_t k = 0; k < n; ++k) {
            to[k] = 0;
            std::memcpy(to + k, from + static_cast<std::size_t>(k) * size, size);
        }
    }
    void widen(std::uint64_t* to, const std::byte* from, std::size_t size) const { widen(to, from, size, code_.count()); }

    // Elements [begin, end) of the batch that starts with row `first`, and their totals.
    void run_pass(std::size_t p, std::int64_t first, std::int64_t begin, std::int64_t end) {
        block_runner& b = blocks_[p];
        b.forget_line();
        if (whole_rows_) {
            run_whole_rows(b, first);
        } else if (plan_.along) {
            for (std::int64_t k = 0; k < code_.count(); ++k) run_along(b, first + k, k, begin, end);
        } else {
            for (const block_program::total& t : b.code().totals) totals_[t.reduction].begin(code_.count());
            run_across(b, first, begin, end);
            for (const block_program::total& t : b.code().totals) totals_[t.reduction].finish(totals_of(t, 0));
        }
    }
    part_arrays totals_of(const block_program::total& t, std::int64_t row) const {
        return kernel_.combiners_[t.reduction].shifted(code_.totals(t.reduction), row);
    }
    void add(block_runner& b, std::int64_t i, std::int64_t n, std::int64_t end) {
        for (const block_program::total& t : b.code().totals)
            totals_[t.reduction].add(i, n, end, b.summands_of(t), b.slot(t.second));
    }
    void point_to_buffers(block_runner& b, std::int64_t element) {
        for (std::size_t k = 0; k < plan_.kept.size(); ++k)
            b.slot(plan_.kept[k].slot) = buffers_[k] + element * plan_.kept[k].size;
    }
    dtype type_of(const block_program::fill& f) const { return plan_.order.spec.body[f.slot].type; }

    // The batch as one block.
    void run_whole_rows(block_runner& b, std::int64_t first) {
        const std::int64_t at = first * length_, n = code_.count() * length_;
        const auto pieces = [&](const auto& f) { b.each_piece(at, n, f); };
        for (const block_program::fill& f : b.code().row_values) {
            const auto size = static_cast<std::int64_t>(size_of(type_of(f)));
            const loop fill = kernel_.table_.copy[index_of(type_of(f))][1];
            for (std::int64_t r = 0; r < code_.count(); ++r)
                fill(static_cast<std::byte*>(b.slot(f.slot)) + r * length_ * size, code_.value(f.index) + r * size, nullptr,
                     nullptr, length_);
        }
        point_to_buffers(b, 0);
        b.begin_rows(0, length_);
        if (n > 0) b.run_packed(at, n, pieces);
        for (const block_program::total& t : b.code().totals)
            totals_[t.reduction].reduce_rows(code_.count(), length_, b.summands_of(t), b.slot(t.second),
                                             code_.totals(t.reduction), room_);
        if (n > 0) b.store_packed(at, n, pieces);
    }

    // Row number k of the batch.
    void run_along(block_runner& b, std::int64_t row, std::int64_t k, std::int64_t begin, std::int64_t end) {
        const auto row_value = [&](const block_program::fill& f) {
            return code_.value(f.index) + k * static_cast<std::int64_t>(size_of(type_of(f)));
        };
        if (plan_.mode == block_mode::rows)
            for (const block_program::fill& f : b.code().row_values) b.slot(f.slot) = row_value(f);
        const auto take = [&](std::int64_t i, std::int64_t n) {
            for (const block_program::total& t : b.code().totals) {
                row_totals& totals = totals_[t.reduction];
                if (n == end - begin) {
                    totals.reduce_row(n, b.summands_of(t), b.slot(t.second), totals_of(t, k));
                    continue;
                }
                if (i == begin) totals.begin(1);
                totals.add(i, n, end, b.summands_of(t), b.slot(t.second));
                if (i + n == end) totals.finish(totals_of(t, k));
            }
        };
        if (begin == end) take(begin, 0);
        b.begin_rows(0, 0);
        std::int64_t n = 0;
        for (std::int64_t i = begin; i < end; i += n) {
            n = std::min({plan_.block_size, end - i, reduce_block - i % reduce_block});
            const std::int64_t at = row * length_ + i;
            if (plan_.mode == block_mode::rows) {
                const std::int64_t line = at / inner_, column = at % inner_;
                n = std::min(n, inner_ - column);
                point_to_buffers(b, k * length_ + i);
                b.run_line(line, column, n);
                take(i, n);
                b.store_line(column, n);
            } else {
                const auto pieces = [&](const auto& f) { b.each_piece(at, n, f); };
                for (const block_program::fill& f : b.code().row_values)
                    kernel_.table_.copy[index_of(type_of(f))][1](b.slot(f.slot), row_value(f), nullptr, nullptr, n);
                point_to_buffers(b, k * length_ + i);
                b.run_packed(at, n, pieces);
                take(i, n);
                b.store_packed(at, n, pieces);
            }
        }
    }

    void run_across(block_runner& b, std::int64_t first, std::int64_t begin, std::int64_t end) {
        const std::int64_t rows = code_.count();
        b.begin_rows(rows, 0);
        if (plan_.mode == block_mode::rows) {
            for (const block_program::fill& f : b.code().row_values) b.slot(f.slot) = code_.value(f.index);
            const std::int64_t outer = first / inner_, column = first % inner_;
            for (std::int64_t i = begin; i < end; ++i) {
                point_to_buffers(b, i * rows);
                b.run_line(outer * length_ + i, column, rows);
                add(b, i, 1, end);
                b.store_line(column, rows);
            }
            return;
        }
        const std::int64_t most = std::max<std::int64_t>(1, plan_.block_size / rows);
        std::int64_t n = 0;
        for (std::int64_t i = begin; i < end; i += n) {
            n = std::min({most, end - i, reduce_block - i % reduce_block});
            for (const block_program::fill& f : b.code().row_values) {
                const auto bytes = static_cast<std::size_t>(rows) * size_of(type_of(f));
                for (std::int64_t e = 0; e < n; ++e)
                    std::memcpy(static_cast<std::byte*>(b.slot(f.slot)) + static_cast<std::size_t>(e) * bytes,
                                code_.value(f.index), bytes);
            }
            point_to_buffers(b, i * rows);
            const auto pieces = [&](const auto& f) {
                for (std::int64_t e = 0; e < n; ++e) {
                    std::int64_t outer = first / inner_, column = first % inner_;
                    for (std::int64_t done = 0; done < rows; column = 0) {
                        line_piece p{e * rows + done, outer * length_ + i + e, column,
                                     std::min(rows - done, inner_ - column)};
                        if (column == 0 && next_ > 1) {
                            p.along = along_;
                            p.steps = std::clamp((rows - done) / inner_, std::int64_t{1}, next_ - outer % next_);
                        }
                        f(p);
                        done += p.size();
                        outer += p.steps;
                    }
                }
            };
            b.run_packed(-1, n * rows, pieces);
            add(b, i, n, end);
            b.store_packed(-1, n * rows, pieces);
        }
    }

    const row_interpreter& kernel_;
    const row_plan& plan_;
    const std::int64_t batch_;
    const std::uint64_t* const words_;
    row_code code_;
    const std::int64_t length_;
    const std::int64_t inner_;  // extent of the innermost dimension in the plan's order
    const std::size_t along_;   // across: the kept dimension next to it, if any
    const std::int64_t next_;   // its extent
    row_totals* totals_ = nullptr;
    block_runner* blocks_ = nullptr;  // [pass]
    std::byte *registers_ = nullptr, *room_ = nullptr, **buffers_ = nullptr;
    const bool whole_rows_;  // short rows: a batch is one block
};

row_interpreter::row_interpreter(const kernel_spec& spec, const isa_table& table)
    : own_(spec),
      table_(table),
      passes_(own_.spec),
      combiners_(combiners_of(own_.spec, table)),
      row_loops_(own_.spec, table) {
    for (const fusion::access& a : own_.spec.loads) bytes_per_element_ += static_cast<std::int64_t>(size_of(a.type));
}

std::int64_t row_interpreter::extent(const std::uint64_t* words, int first, int last) const {
    std::int64_t n = 1;
    for (int d = first; d < last; ++d) n *= static_cast<std::int64_t>(words[own_.extents[static_cast<std::size_t>(d)]]);
    return n;
}

const row_plan& row_interpreter::plan(bool along, block_mode mode, bool keeps) const {
    const std::lock_guard guard(making_);
    auto& p = plans_[along][mode == block_mode::packed][keeps];
    if (!p) p = std::make_unique<row_plan>(own_.spec, table_, passes_, along, mode, keeps);
    return *p;
}

// Whether a block may be several rows as they lie, and totals know them.
bool row_interpreter::lie_in_order(const std::uint64_t* words, std::int64_t length) const {
    const kernel_spec& spec = own_.spec;
    for (std::size_t a = 0; a < spec.loads.size(); ++a)
        if (!own_.lies_in_order(spec.loads[a], own_.map.loads[a], words)) return false;
    for (std::size_t a = 0; a < spec.stores.size(); ++a)
        if (!own_.lies_in_order(spec.stores[a].to, own_.map.stores[a], words)) return false;
    return std::all_of(combiners_.begin(), combiners_.end(), [length](const combiner& c) { return c.reduces_rows(length); });
}

// How to walk over so many rows of the length that the words say.
row_interpreter::choice row_interpreter::choose(const std::uint64_t* words, std::int64_t rows) const {
    const kernel_spec& spec = own_.spec;
    const int kept = spec.rank - spec.reduced;
    const std::int64_t length = std::max<std::int64_t>(1, extent(words, kept, spec.rank));
    const bool several = !passes_.single();
    const auto limit = [rows](std::int64_t batch) {
        return std::clamp<std::int64_t>(batch, 1, std::max<std::int64_t>(1, rows));
    };
    if (spec.schedule == schedule_kind::reduce_inner && length >= long_row) {
        if (!several && 2 * length <= reduce_block && lie_in_order(words, length)) {
            const row_plan& p = plan(true, block_mode::packed, false);
            if (2 * length <= p.block_size) return {&p, limit(p.block_size / length), true};
        }
        const block_mode mode = extent(words, spec.rank - 1, spec.rank) >= long_row ? block_mode::rows : block_mode::packed;
        return {&plan(true, mode, several && length <= kept_elements),
                limit(several ? reduce_block / length : finish_batch)};
    }
    if (spec.schedule == schedule_kind::reduce_inner) {
        const row_plan& p = plan(true, block_mode::packed, several);
        return {&p, limit(std::min(most_rows, p.block_size / length)), true};
    }
    const block_mode mode = extent(words, kept - 1, kept) >= wide_line ? block_mode::rows : block_mode::packed;
    if (!several) {
        const row_plan& p = plan(false, mode, false);
        std::int64_t bytes = 0;
        for (const combiner& c : combiners_)
            for (int k = 0; k < c.parts(); ++k) bytes += static_cast<std::int64_t>(c.size(k));
        for (const instruction& i : spec.body)
            if (is_running(i.code) || i.code == op::state) bytes += static_cast<std::int64_t>(size_of(i.type));
        return {&p, limit(std::min(p.block_size, std::max(least_batch, near_totals / bytes / 16 * 16)))};
    }
    const std::int64_t near = near_memory / (length * std::max<std::int64_t>(bytes_per_element_, 8));
    const std::int64_t batch = std::max(least_batch, near / 16 * 16);
    const row_plan& p = plan(false, mode, length * least_batch <= kept_side_by_side);
    return {&p, limit(std::min(batch, p.block_size))};
}

void row_interpreter::reserve(const std::uint64_t* words, std::int64_t rows) const {
    const choice c = choose(words, rows);
    finish_rows(words, 0, 0, nullptr);
    row_runner(*this, c, words);
}

void row_interpreter::run_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last) const {
    const choice c = choose(words, last - first);
    row_runner(*this, c, words).run(first, last);
}

void row_interpreter::run_block(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block,
                                std::uint64_t* partials) const {
    const choice c = choose(words, last - first);
    row_runner(*this, c, words).run_block(first, last, block, partials);
}

void row_interpreter::finish_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last,
                                  const std::uint64_t* partials) const {
    const int kept = own_.spec.rank - own_.spec.reduced;
    const std::int64_t rows = extent(words, 0, kept);
    const std::int64_t blocks = (extent(words, kept, own_.spec.rank) + reduce_block - 1) / reduce_block;
    row_code code(own_, table_, combiners_, row_loops_, words);
    part_arrays levels, next;
    const auto place = [&](bump_allocator& c) {
        code.place(c, finish_batch);
        for (int p = 0; p < fusion::max_parts; ++p) {
            levels.of[p] =
                c.take<std::byte>(static_cast<std::size_t>(pairwise_tree::levels(blocks) * finish_batch) * slot_bytes);
            next.of[p] = c.take<std::byte>(static_cast<std::size_t>(finish_batch) * slot_bytes);
        }
    };
    place_in<interpreter_scratch>(place);
    for (std::int64_t row = first; row < last; row += finish_batch) {
        const std::int64_t n = std::min(finish_batch, last - row);
        code.begin(row, n);
        const std::uint64_t* part = partials + row;
        for (std::size_t r = 0; r < combiners_.size(); ++r) {
            const combiner& c = combiners_[r];
            pairwise_tree tree(c, levels, n);
            for (std::int64_t b = 0; b < blocks; ++b) {
                for (int p = 0; p < c.parts(); ++p)
                    for (std::int64_t k = 0; k < n; ++k)
                        std::memcpy(next.of[p] + static_cast<std::size_t>(k) * c.size(p), part + (p * blocks + b) * rows + k,
                                    c.size(p));
                tree.push(next);
            }
            tree.finish(code.totals(r));
            part += c.parts() * blocks * rows;
        }
        code.run(passes_.passes[0].row);
        code.run(passes_.row_at_end);
        code.store();
    }
}

}  // namespace frit::v0::detail
