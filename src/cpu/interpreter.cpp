// The blocked interpreter: runs a program over L1-sized blocks of the domain. It needs no compiler and is the oracle that
// the other engines are compared with.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <vector>

#include "frit/error.hpp"
#include "fusion/machine/cost_model.hpp"
#include "src/base/thread_scratch.hpp"
#include "src/cpu/blocks.hpp"
#include "src/cpu/columns.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/cut_domain.hpp"
#include "src/cpu/row_totals.hpp"
#include "src/cpu/rows.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::kernel_spec;
using fusion::schedule_kind;

block_program program_of(const kernel_spec& spec, const isa_table& table, block_mode mode) {
    program_code code(spec, mode);
    code.own_sums = true;
    code.reductions.resize(spec.reductions.size());
    std::iota(code.reductions.begin(), code.reductions.end(), std::uint16_t{0});
    return block_program(code, table);
}

constexpr std::int64_t vector_line = 16;  // elements of the widest vector of float32
constexpr std::int64_t least_part = 128;  // elements of a part of the domain, on average: less is not worth its start

constexpr std::size_t column_bytes = 16 << 10;  // of a column that is computed before it is put beside others

struct part_scratch;
struct column_scratch;

// Elements of a pointwise kernel, or of a reduction of everything: block by block in the domain's order, where clamps are
// reached in a pointwise kernel's domain part by part.
class interpreted_kernel final : public cpu_kernel {
public:
    interpreted_kernel(const kernel_spec& spec, const isa_table& table)
        : walk_(spec),
          table_(table),
          reductions_(combiners_of(walk_.spec, table)),
          lines_(program_of(walk_.spec, table, block_mode::rows)),
          cut_(walk_),
          nanoseconds_(fusion::cpu_nanoseconds(spec, true, table.vector_bytes)) {
        if (spec.rank > 1) packed_.emplace(program_of(walk_.spec, table, block_mode::packed));
    }

    std::string source() const override { return to_string(walk_.spec); }

    void reserve(const std::uint64_t* words, std::int64_t) const override {
        const bool remembers = cuts(words);
        if (remembers && is_reserved(words)) return;
        each_part(words, 0, 0, [](const interpreted_kernel& part, const std::uint64_t* its_words, auto...) {
            part.run_blocks(its_words, 0, 0, nullptr, 0);
        });
        if (remembers) remember_reserved(words);
    }

    void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
             std::int64_t blocks) const override {
        if (!cuts(words)) {
            found_.store(nanoseconds_, std::memory_order_relaxed);
            return run_blocks(words, begin, end, partials, blocks);
        }
        reserve(words, 0);  // all that can fail
        double time = 0;
        each_part(
            words, begin, end,
            [&](const interpreted_kernel& part, const std::uint64_t* its_words, std::int64_t first, std::int64_t last) {
                part.run_blocks(its_words, first, last, nullptr, 0);
                // The estimate of a part leaves out what short lines cost; those shorter than a vector cost compiled code
                // as much.
                const auto inner = static_cast<std::int64_t>(its_words[part.walk_.extents.back()]);
                const bool as_said = inner >= long_row || inner < vector_line;
                time += static_cast<double>(last - first) * (as_said ? part.nanoseconds_ : nanoseconds_);
            });
        if (end > begin) found_.store(time / static_cast<double>(end - begin), std::memory_order_relaxed);
    }

    double nanoseconds_found() const noexcept override {
        return may_cut() ? found_.load(std::memory_order_relaxed) : nanoseconds_;
    }

    // The row code of one row, of scalars and totals, through the same loops one element at a time.
    void finish(const std::uint64_t* words, const std::uint64_t* totals, std::uint64_t* values) const override {
        const auto& code = walk_.spec.row;
        for (std::size_t k = 0; k < code.size(); ++k) {
            const fusion::instruction& i = code[k];
            const auto value = [&](std::size_t n) { return values + n * row_value_words; };
            void* const d = value(k);
            const void *a = value(i.a), *b = value(i.b), *c = value(i.c);
            if (i.code == op::total) {
                *value(k) = totals[i.a];
            } else if (i.code == op::scalar) {
                *value(k) = words[walk_.map.scalars[i.a]];
            } else if (is_conversion(i.code)) {
                table_.conversion(i.code, code[i.a].type, i.type)(d, a, nullptr, nullptr, 1);
            } else if (i.code == op::index) {
                table_.index(d, a, b, words, 1);  // the record's address comes first
            } else {
                const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
                table_.elementwise[static_cast<int>(i.code)][index_of(code[typed].type)][0](d, a, b, c, 1);
            }
        }
        for (const fusion::store& s : walk_.spec.row_stores)
            std::memcpy(reinterpret_cast<void*>(words[walk_.map.layout.pointers + s.to.pointer]),
                        &values[s.value * row_value_words], size_of(s.to.type));
    }

private:
    // One kernel for all parts about which the same is known.
    struct known_part {
        std::vector<std::uint8_t> facts;
        part_spec spec;
        std::unique_ptr<const interpreted_kernel> kernel;
    };

    // The last domain that was reserved for: its parts exist, and a thread with so much scratch memory needs no more.
    struct reserved_domain {
        std::vector<std::uint64_t> words;
        std::size_t blocks = 0, parts = 0, columns = 0;
    };
    bool is_reserved(const std::uint64_t* words) const {
        const fusion::word_layout& l = walk_.map.layout;
        const std::lock_guard guard(making_);
        const std::vector<std::uint64_t>& known = reserved_.words;
        // Pointers, before the accesses, and scalars decide nothing.
        return !known.empty() && std::equal(words + l.extents, words + l.pointers, known.data() + l.extents) &&
               std::equal(words + l.accesses, words + l.scalars, known.data() + l.accesses) &&
               thread_scratch<interpreter_scratch>::size() >= reserved_.blocks &&
               thread_scratch<part_scratch>::size() >= reserved_.parts &&
               thread_scratch<column_scratch>::size() >= reserved_.columns;
    }
    void remember_reserved(const std::uint64_t* words) const {
        const std::lock_guard guard(making_);
        reserved_.words.assign(words, words + walk_.map.layout.size);  // in the memory of those before
        reserved_.blocks = thread_scratch<interpreter_scratch>::size();
        reserved_.parts = thread_scratch<part_scratch>::size();
        reserved_.columns = thread_scratch<column_scratch>::size();
    }

    std::int64_t size_of_domain(const std::uint64_t* words) const { return extent(words, 0); }
    std::int64_t extent(const std::uint64_t* words, std::size_t from) const {
        std::int64_t n = 1;
        for (std::size_t d = from; d < walk_.extents.size(); ++d) n *= static_cast<std::int64_t>(words[walk_.extents[d]]);
        return n;
    }
    bool may_cut() const {
        return cut_.exists() && walk_.spec.tallies.empty() && walk_.spec.schedule == schedule_kind::pointwise;
    }
    bool cuts(const std::uint64_t* words) const { return may_cut() && size_of_domain(words) >= 2 * least_part; }

    // A line pays for being found, about 20 ns, and for the start of every step, about 5 ns. A block of many lines pays for
    // copying what does not lie in order: 1 ns a line, and a quarter for an element.
    bool packs(const std::uint64_t* words, std::int64_t inner) const {
        if (!packed_ || inner >= long_row) return false;
        std::int64_t copied = 0;
        for (std::size_t a = 0; a < walk_.spec.loads.size(); ++a)
            copied += walk_.lies_in_order(walk_.spec.loads[a], walk_.map.loads[a], words) ? 0 : 1;
        for (std::size_t a = 0; a < walk_.spec.stores.size(); ++a)
            copied += walk_.lies_in_order(walk_.spec.stores[a].to, walk_.map.stores[a], words) ? 0 : 1;
        const auto steps = static_cast<std::int64_t>(lines_.block.size() + lines_.once.size());
        return 20 * (steps + 4) >= copied * (inner + 4);
    }
    // Scratch memory for the cuts of one dimension after the other.
    struct level {
        std::int64_t* ends;
        std::uint8_t* facts;
        std::uint64_t* words;
    };

    /// Calls f(kernel, words, first, last) for the parts of the domain and what they have of elements [begin, end): in the
    /// order of a part, these lie in order too.
    template <class F>
    void each_part(const std::uint64_t* words, std::int64_t begin, std::int64_t end, const F& f) const {
        if (!cuts(words)) return f(*this, words, begin, end);
        level levels[max_rank];
        const auto place = [&](bump_allocator& c) {
            for (std::size_t d = 0; d < walk_.extents.size(); ++d)
                levels[d] = {c.take<std::int64_t>(cut_.most_ends()), c.take<std::uint8_t>(cut_.most_facts()),
                             c.take<std::uint64_t>(cut_.most_words())};
        };
        place_in<part_scratch>(place);
        each_part(words, begin, end, levels, f);
    }
    template <class F>
    void each_part(const std::uint64_t* words, std::int64_t begin, std::int64_t end, const level* l, const F& f) const {
        if (!cuts(words)) return f(*this, words, begin, end);
        const std::int64_t columns = columns_of(words);
        if (columns == 0) return each_cut(words, begin, end, l, f);
        const std::int64_t first = (begin + columns - 1) / columns, last = end / columns;
        if (first <= last) each_column(words, first, last, l->facts, f);
        // What is left of lines that are not whole; of no elements, what may be left of others.
        const std::int64_t head = std::min(first * columns, end), tail = std::max(last * columns, head);
        if (begin < head || begin == end) each_cut(words, begin, head, l, f);
        if (tail < end) each_cut(words, tail, end, l, f);
    }
    template <class F>
    void each_cut(const std::uint64_t* words, std::int64_t begin, std::int64_t end, const level* l, const F& f) const {
        const std::size_t parts = cut_.parts(words, l->ends);
        if (size_of_domain(words) < least_part * static_cast<std::int64_t>(parts)) return f(*this, words, begin, end);
        const std::int64_t below = extent(words, cut_.dim() + 1), plane = extent(words, cut_.dim());
        for (std::size_t k = 0; k < parts; ++k) {
            const std::int64_t first = l->ends[k], last = l->ends[k + 1];
            // how many elements of the part come before an element of the domain
            const auto before = [&](std::int64_t at) {
                return at / plane * (last - first) * below +
                       std::clamp(at % plane - first * below, std::int64_t{0}, (last - first) * below);
            };
            const known_part& part = part_of(words, first, last, l->facts);
            cut_.write_words(words, first, last, part.spec, part.kernel->walk_, l->words);
            part.kernel->each_part(l->words, before(begin), before(end), l + 1, f);
        }
    }

    /// How many elements the lines of a domain have that are put together from columns: a few, in order, and cut, as those
    /// of stack(-1, x, y). Else 0.
    std::int64_t columns_of(const std::uint64_t* words) const {
        const auto columns = static_cast<std::int64_t>(words[walk_.extents.back()]);
        const bool some = cut_.dim() > 0 && cut_.dim() + 1 == walk_.extents.size() && walk_.spec.stores.size() == 1 &&
                          columns > 1 && columns <= most_columns && size_of_domain(words) >= columns * least_part;
        return some && walk_.lies_in_order(walk_.spec.stores[0].to, walk_.map.stores[0], words) ? columns : 0;
    }
    struct column {
        const interpreted_kernel* kernel;
        std::uint64_t* words;
        const std::byte* lies;  ///< element 0, where it is a copy of elements that lie in order; null: it is computed
        std::byte* computed;
    };
    /// A column as a kernel that stores it densely, over all lines.
    void find_column(const std::uint64_t* words, std::int64_t k, std::uint8_t* facts, column& c) const {
        const known_part& part = part_of(words, k, k + 1, facts);
        const walk& w = part.kernel->walk_;
        cut_.write_words(words, k, k + 1, part.spec, w, c.words);
        const fusion::access& to = w.spec.stores[0].to;
        std::int64_t stride = 1;
        for (std::size_t d = w.extents.size() - 1; d-- > 0;) {
            if (to.dims[d].stride == fusion::stride_class::runtime)
                c.words[w.map.stores[0][d].stride] = static_cast<std::uint64_t>(stride);
            stride *= static_cast<std::int64_t>(words[walk_.extents[d]]);
        }
        const bool copies = w.spec.body.size() == 1 && w.spec.body[0].code == op::load &&
                            w.lies_in_order(w.spec.loads[0], w.map.loads[0], c.words);
        c.kernel = part.kernel.get();
        c.lies = copies ? reinterpret_cast<const std::byte*>(c.words[pointer_word(w, w.spec.loads[0])]) : nullptr;
    }
    /// Lines [first, last), column by column.
    template <class F>
    void each_column(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::uint8_t* facts,
                     const F& f) const {
        const std::int64_t columns = columns_of(words);
        column all[most_columns];
        std::byte* together = nullptr;
        const auto place = [&](bump_allocator& c) {
            for (column& one : all)
                one.words = c.take<std::uint64_t>(cut_.most_words()), one.computed = c.take<std::byte>(column_bytes);
            together = c.take<std::byte>(column_bytes * most_columns);
        };
        place_in<column_scratch>(place);
        for (std::int64_t k = 0; k < columns; ++k) find_column(words, k, facts, all[k]);
        if (first == last)
            for (std::int64_t k = 0; k < columns; ++k) f(*all[k].kernel, all[k].words, std::int64_t{0}, std::int64_t{0});
        else
            put_columns(words, first, last, all, together, f);
    }
    template <class F>
    void put_columns(const std::uint64_t* words, std::int64_t first, std::int64_t last, const column* all,
                     std::byte* together, const F& f) const {
        const fusion::access& store = walk_.spec.stores[0].to;
        const std::int64_t columns = columns_of(words), size = static_cast<std::int64_t>(size_of(store.type));
        auto* const to = reinterpret_cast<std::byte*>(words[pointer_word(walk_, store)]);
        const bool far = is_far(words), lie = std::all_of(all, all + columns, [](const column&c) { return c.lies; });
        const std::int64_t most = lie && !far ? last - first : static_cast<std::int64_t>(column_bytes) / size;
        for (std::int64_t at = first; at < last; at += most) {
            const std::int64_t end = std::min(at + most, last);
            const void* from[most_columns];
            for (std::int64_t k = 0; k < columns; ++k) {
                const column& c = all[k];
                from[k] = c.lies ? c.lies + at * size : c.computed;
                if (c.lies) continue;
                const walk& w = c.kernel->walk_;
                c.words[pointer_word(w, w.spec.stores[0].to)] =
                    reinterpret_cast<std::uint64_t>(c.computed) - static_cast<std::uint64_t>(at * size);
                f(*c.kernel, c.words, at, end);
            }
            std::byte* const lines = to + at * columns * size;
            put_side_by_side(far ? together : lines, from, columns, static_cast<std::size_t>(size), end - at);
            if (far) table_.stream[index_of(store.type)](lines, together, nullptr, nullptr, (end - at) * columns);
        }
        if (far) table_.finish_streams();
    }
    static std::size_t pointer_word(const walk& w, const fusion::access& a) { return w.map.layout.pointers + a.pointer; }
    /// As block_runner has it of one store.
    bool is_far(const std::uint64_t* words) const {
        const fusion::access& store = walk_.spec.stores[0].to;
        const std::int64_t bytes = size_of_domain(words) * static_cast<std::int64_t>(size_of(store.type));
        const auto is_operand = [&](const fusion::access& load) {
            return words[pointer_word(walk_, load)] == words[pointer_word(walk_, store)];
        };
        return table_.finish_streams && fusion::are_far(bytes, bytes) &&
               std::none_of(walk_.spec.loads.begin(), walk_.spec.loads.end(), is_operand);
    }

    const known_part& part_of(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::uint8_t* facts) const {
        cut_.find_facts(words, first, last, facts);
        const auto is_it = [&](const auto& p) { return std::memcmp(p.facts.data(), facts, cut_.facts()) == 0; };
        const std::lock_guard guard(making_);
        const auto known = std::find_if(parts_.begin(), parts_.end(), is_it);
        if (known != parts_.end()) return *known;
        part_spec spec = cut_.make(facts);
        auto kernel = std::make_unique<const interpreted_kernel>(spec.spec, table_);
        parts_.push_back({std::vector(facts, facts + cut_.facts()), std::move(spec), std::move(kernel)});
        return parts_.back();
    }

    void run_blocks(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
                    std::int64_t blocks) const {
        const std::int64_t inner = static_cast<std::int64_t>(words[walk_.extents.back()]);
        const bool packed = packs(words, inner);
        const block_mode mode = packed ? block_mode::packed : block_mode::rows;
        block_runner b(walk_, packed ? *packed_ : lines_, mode, words);
        row_totals* totals = nullptr;
        part_arrays* results = nullptr;
        std::byte* registers = nullptr;
        const auto place = [&](bump_allocator& c) {
            b.place(c);
            totals = c.take<row_totals>(reductions_.size());
            results = c.take<part_arrays>(reductions_.size());
            for (std::size_t r = 0; r < reductions_.size(); ++r) {
                row_totals t(reductions_[r], reduction_order::lanes);
                t.place(c, fusion::reduce_block, 1);
                if (totals) new (totals + r) row_totals(t);
                for (int p = 0; p < reductions_[r].parts(); ++p) {
                    std::byte* const one = c.take<std::byte>(slot_bytes);
                    if (results) results[r].of[p] = one;
                }
            }
            registers = c.take<std::byte>(b.register_bytes());
        };
        place_in<interpreter_scratch>(place);
        if (begin == end) return;  // reserve() wants the memory alone
        b.start(registers, false);

        const bool reduces = !reductions_.empty();
        std::int64_t n = 0;
        for (std::int64_t at = begin; at < end; at += n) {
            n = std::min<std::int64_t>(b.code().block_size, end - at);
            if (reduces) n = std::min(n, fusion::reduce_block - at % fusion::reduce_block);
            const std::int64_t line = at / inner, column = at - line * inner;
            const auto each = [&](const auto& f) { b.each_piece(at, n, f); };
            if (packed) {
                b.run_packed(at, n, each);
            } else {
                n = std::min(n, inner - column);
                b.run_line(line, column, n);
            }
            const std::int64_t block = at / fusion::reduce_block;
            for (const block_program::total& t : b.code().totals) {
                if (at % fusion::reduce_block == 0) totals[t.reduction].begin(1);
                totals[t.reduction].add(at, n, end, b.summands_of(t), b.slot(t.second));
            }
            for (std::size_t k = 0; k < b.code().tallies.size(); ++k) add_at_places(b, k, n, words);
            if (packed)
                b.store_packed(at, n, each);
            else
                b.store_line(column, n);
            if (!reduces || ((at + n) % fusion::reduce_block != 0 && at + n != end)) continue;
            finish_block(totals, results, partials + block, blocks);
        }
        b.finish();
    }
    // Tasks meet at the elements, in whatever order.
    void add_at_places(block_runner& b, std::size_t k, std::int64_t n, const std::uint64_t* words) const {
        const fusion::tally_spec& t = walk_.spec.tallies[k];
        const auto* const places = static_cast<const std::int32_t*>(b.slot(b.code().tallies[k].place));
        const std::uint64_t count = words[walk_.map.scalars[walk_.spec.body[t.count].a]];
        const auto add = [&]<class T>(T amount) {
            auto* const to = reinterpret_cast<T*>(words[walk_.map.layout.pointers + t.pointer]);
            std::memcpy(&amount, b.slot(b.code().tallies[k].amount), sizeof amount);
            for (std::int64_t i = 0; i < n; ++i)
                if (static_cast<std::uint32_t>(places[i]) < count)
                    std::atomic_ref<T>(to[places[i]]).fetch_add(amount, std::memory_order_relaxed);
        };
        if (size_of(t.type) == 8) return add(std::uint64_t{});
        add(std::uint32_t{});
    }
    /// The parts of a block's totals, `apart` words from each other.
    void finish_block(row_totals* totals, part_arrays* results, std::uint64_t* to, std::int64_t apart) const {
        for (std::size_t r = 0; r < reductions_.size(); ++r) {
            totals[r].finish(results[r]);
            for (int p = 0; p < reductions_[r].parts(); ++p, to += apart)
                std::memcpy(to, results[r].of[p], reductions_[r].size(p));
        }
    }

    const walk walk_;
    const isa_table& table_;
    const std::vector<combiner> reductions_;
    const block_program lines_;
    std::optional<block_program> packed_;
    const domain_cut cut_;
    const double nanoseconds_;              ///< per element
    mutable std::atomic<double> found_{0};  ///< the same of the parts that the task which ended last had
    mutable std::mutex making_;
    mutable std::deque<known_part> parts_;
    mutable reserved_domain reserved_;
};

class interpreted_rows final : public cpu_kernel {
public:
    interpreted_rows(const kernel_spec& spec, const isa_table& table) : text_(to_string(spec)), rows_(spec, table) {}
    std::string source() const override { return text_; }
    void reserve(const std::uint64_t* words, std::int64_t rows) const override { rows_.reserve(words, rows); }
    void run_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last) const override {
        rows_.run_rows(words, first, last);
    }
    void run_block(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block,
                   std::uint64_t* partials) const override {
        rows_.run_block(words, first, last, block, partials);
    }
    void finish_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last,
                     const std::uint64_t* partials) const override {
        rows_.finish_rows(words, first, last, partials);
    }

private:
    std::string text_;
    row_interpreter rows_;
};

[[noreturn]] void wrong_schedule() { throw error("cpu: a kernel was run in a way that its schedule does not know"); }

}  // namespace

void cpu_kernel::run(const std::uint64_t*, std::int64_t, std::int64_t, std::uint64_t*, std::int64_t) const {
    wrong_schedule();
}
void cpu_kernel::finish(const std::uint64_t*, const std::uint64_t*, std::uint64_t*) const { wrong_schedule(); }
void cpu_kernel::run_rows(const std::uint64_t*, std::int64_t, std::int64_t) const { wrong_schedule(); }
void cpu_kernel::run_block(const std::uint64_t*, std::int64_t, std::int64_t, std::int64_t, std::uint64_t*) const {
    wrong_schedule();
}
void cpu_kernel::finish_rows(const std::uint64_t*, std::int64_t, std::int64_t, const std::uint64_t*) const {
    wrong_schedule();
}

std::shared_ptr<cpu_kernel> make_interpreted(const kernel_spec& spec, const isa_table& table) {
    if (!spec.columns.empty()) throw error("cpu: sums of columns beside totals are a GPU's");
    if (spec.schedule == schedule_kind::pointwise || spec.schedule == schedule_kind::reduce_all)
        return std::make_shared<interpreted_kernel>(spec, table);
    return std::make_shared<interpreted_rows>(spec, table);
}

}  // namespace frit::v0::detail
