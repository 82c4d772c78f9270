// Kernels of rows by hand: specs with their memory in any layout, and what they must give, evaluated one element at a time
// in the order that fusion/ir/kernel_spec.hpp documents. For any engine behind the backend interface.
#pragma once

#include <deque>
#include <optional>

#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/row_passes.hpp"
#include "src/base/threads.hpp"
#include "tests/unit/cpu_support.hpp"

namespace cpu_test {

using positions = std::vector<std::int64_t>;

/// Where neighbouring elements lie: in row-major order; with the last kept dimension innermost; with gaps; backwards.
enum class layout { dense, columns, gaps, backwards };
/// Which dimensions an access moves along.
enum class moving { all, kept, reduced };

class row_case {
public:
    row_case(schedule_kind schedule, positions kept, positions reduced, std::uint64_t seed = 1)
        : kept_(kept.size()), random_(seed) {
        l.spec.schedule = schedule;
        l.extents = std::move(kept);
        l.extents.insert(l.extents.end(), reduced.begin(), reduced.end());
        l.spec.rank = static_cast<std::uint8_t>(l.extents.size());
        l.spec.reduced = static_cast<std::uint8_t>(reduced.size());
    }

    launchable l;
    bool fused = false;  ///< the rules of the totals that follow

    std::int64_t rows() const { return extent(0, kept_); }
    std::int64_t length() const { return extent(kept_, l.extents.size()); }
    std::string name() const {
        std::string s = std::string(name_of(l.spec.schedule)) + " of";
        for (std::size_t d = 0; d < l.extents.size(); ++d) s += (d == kept_ ? " | " : " ") + std::to_string(l.extents[d]);
        return s + "\n" + to_string(l.spec);
    }

    // --- the spec ---
    std::uint16_t body(op code, dtype type, int a = 0, int b = 0, int c = 0) {
        return push(l.spec.body, {code, type, word(a), word(b), word(c)});
    }
    std::uint16_t row(op code, dtype type, int a = 0, int b = 0, int c = 0) {
        return push(l.spec.row, {code, type, word(a), word(b), word(c)});
    }
    std::uint16_t total(op code, int value, int index = 0) {
        const dtype type = l.spec.body[static_cast<std::size_t>(value)].type;
        l.spec.reductions.push_back({code, type, word(value), word(index), fused});
        const auto& rule = frit::fusion::rule_of(l.spec.reductions.back());
        return row(op::total, rule.types[rule.result], static_cast<int>(l.spec.reductions.size()) - 1);
    }
    /// An input with values of its own; `clamp`: the last dimension that it moves along runs two ahead and stops at the end.
    std::uint16_t load(dtype type, layout how, moving along = moving::all, double edges = 0, bool clamp = false) {
        return body(op::load, type, add_load(type, how, along, edges, clamp));
    }
    std::uint16_t row_load(dtype type, layout how) {
        return row(op::load, type, add_load(type, how, moving::kept, 0, false));
    }
    std::uint16_t coordinate_of(std::size_t dim, bool clamped, bool in_row = false) {
        l.spec.coords.push_back({static_cast<std::uint8_t>(dim), clamped});
        l.coords.push_back({3, -2, 0, l.extents[dim]});
        const int k = static_cast<int>(l.coords.size()) - 1;
        return in_row ? row(op::coord, dtype::i64, k) : body(op::coord, dtype::i64, k);
    }
    /// The element's place in its row.
    std::uint16_t place() {
        std::uint16_t sum = 0;
        std::int64_t stride = length();
        for (std::size_t d = kept_; d < l.extents.size(); ++d) {
            stride /= std::max<std::int64_t>(1, l.extents[d]);
            l.spec.coords.push_back({static_cast<std::uint8_t>(d), false});
            l.coords.push_back({stride, 0, 0, 0});
            const std::uint16_t c = body(op::coord, dtype::i64, static_cast<int>(l.coords.size()) - 1);
            sum = d == kept_ ? c : body(op::add, dtype::i64, sum, c);
        }
        return sum;
    }
    template <class T>
    int scalar(dtype type, T x) {
        l.spec.scalars.push_back(type);
        l.scalars.push_back(word_of(x));
        return static_cast<int>(l.scalars.size()) - 1;
    }
    /// `in_place`: into the memory of that load.
    void store(int value, layout how, std::optional<int> in_place = {}) {
        const dtype type = l.spec.body[static_cast<std::size_t>(value)].type;
        const auto [a, p] = access_of(type, how, moving::all, in_place, false);
        l.spec.stores.push_back({a, word(value)});
        l.stores.push_back(p);
    }
    void row_store(int value, layout how, std::optional<int> in_place = {}) {
        const dtype type = l.spec.row[static_cast<std::size_t>(value)].type;
        const auto [a, p] = access_of(type, how, moving::kept, in_place, false);
        l.spec.row_stores.push_back({a, word(value)});
        l.row_stores.push_back(p);
    }

    // --- the run ---
    /// What comes out is what the reference says: through the backend on every number of threads, and in parts by hand.
    void check(cpu_engine engine, isa_level level) {
        const std::vector<std::vector<ref::number>> want = expected();
        auto& pool = frit::detail::thread_pool::instance();
        const int before = pool.size();
        for (int threads : {1, 2, 0}) {
            if (threads == 0 && l.spec.schedule == schedule_kind::reduce_all) break;
            pool.resize(std::max(threads, 1));
            begin_anew();
            if (threads > 0)
                l.run(backend_of(engine, level));
            else
                run_in_parts(backend_of(engine, level));
            const std::string where = backend_of(engine, level).engine() + ", " +
                                      (threads ? std::to_string(threads) + " threads, " : "in parts, ") + name();
            std::size_t next = 0;
            for (std::size_t s = 0; s < l.stores.size(); ++s)
                compare(want[next++], l.spec.stores[s].to, l.stores[s], l.extents.size(), "store", where);
            for (std::size_t s = 0; s < l.row_stores.size(); ++s)
                compare(want[next++], l.spec.row_stores[s].to, l.row_stores[s], kept_, "row store", where);
            if (testing::Test::HasFatalFailure()) break;
        }
        pool.resize(before);
        if (l.spec.schedule == schedule_kind::reduce_inner && l.spec.row_class == 0 && length() > 0 &&
            length() <= frit::fusion::reduce_run) {
            l.spec.row_class = frit::fusion::short_rows;
            begin_anew();
            check(engine, level);
            l.spec.row_class = 0;
        }
    }
    /// The k-th row store's values after a run, as they stand in memory.
    std::vector<ref::number> row_result(std::size_t k) const {
        std::vector<ref::number> all;
        const auto& to = l.spec.row_stores[k].to;
        each_index(kept_, [&](const positions& i) {
            all.push_back(read(l.pointers[to.pointer], to.type, l.row_stores[k].element(i)));
        });
        return all;
    }
    ref::number input(std::size_t load, const positions& index) const {
        return read(l.pointers[l.spec.loads[load].pointer], l.spec.loads[load].type, l.loads[load].element(index));
    }
    /// Calls f for every index of the first `dims` dimensions; the others are 0.
    template <class F>
    void each_index(std::size_t dims, F f) const {
        positions i(l.extents.size(), 0);
        for (std::int64_t n = extent(0, dims); n > 0; --n) {
            f(i);
            for (std::size_t d = dims; d-- > 0;) {
                if (++i[d] < l.extents[d]) break;
                i[d] = 0;
            }
        }
    }

    /// Store by store, then row store by row store: all values in row-major order.
    std::vector<std::vector<ref::number>> expected() const;

private:
    void begin_anew() {
        for (std::size_t k = 0; k < memory_.size(); ++k)
            std::copy(initial_[k].begin(), initial_[k].end(), memory_[k].data());
    }
    static std::uint16_t word(int x) { return static_cast<std::uint16_t>(x); }
    static std::uint16_t push(std::vector<instruction>& code, const instruction& i) {
        code.push_back(i);
        return word(static_cast<int>(code.size()) - 1);
    }
    std::int64_t extent(std::size_t first, std::size_t last) const {
        std::int64_t n = 1;
        for (std::size_t d = first; d < last; ++d) n *= l.extents[d];
        return n;
    }
    // Rows in uneven shares, and block by block where a row has one pass.
    void run_in_parts(frit::detail::backend& on) const {
        const auto kernel = on.prepare(l.spec);
        const auto& code = static_cast<const frit::detail::cpu_kernel&>(*kernel);
        const auto words = l.words();
        const std::int64_t cut[] = {0, rows() / 3, rows() - rows() / 5, rows()};
        const std::int64_t blocks = (length() + 4095) / 4096;
        const bool by_blocks = frit::fusion::row_passes(l.spec).single() && blocks > 0;
        std::vector<std::uint64_t> partials(static_cast<std::size_t>(frit::fusion::parts_of(l.spec) * blocks * rows()));
        for (int k = 0; k < 3; ++k) {
            if (cut[k] == cut[k + 1]) continue;
            for (std::int64_t b = blocks; by_blocks && b-- > 0;)
                code.run_block(words.data(), cut[k], cut[k + 1], b, partials.data());
            if (by_blocks)
                code.finish_rows(words.data(), cut[k], cut[k + 1], partials.data());
            else
                code.run_rows(words.data(), cut[k], cut[k + 1]);
        }
    }
    int add_load(dtype type, layout how, moving along, double edges, bool clamp) {
        const auto [a, p] = access_of(type, how, along, {}, clamp, edges);
        l.spec.loads.push_back(a);
        l.loads.push_back(p);
        return static_cast<int>(l.loads.size()) - 1;
    }
    std::pair<memory_access, placement> access_of(dtype type, layout how, moving along, std::optional<int> in_place,
                                                  bool clamp, double edges = 0);
    void compare(const std::vector<ref::number>& want, const memory_access& a, const placement& p, std::size_t dims,
                 const char* what, const std::string& where) const {
        std::size_t k = 0;
        each_index(dims, [&](const positions& i) {
            const long double got = read(l.pointers[a.pointer], a.type, p.element(i)).v, w = want[k].v;
            const bool same = std::isnan(w) ? std::isnan(got) : got == w && std::signbit(got) == std::signbit(w);
            if (!same && !testing::Test::HasFatalFailure())
                [&] { FAIL() << what << " element " << k << ": " << got << ", want " << w << "; " << where; }();
            ++k;
        });
    }

    std::size_t kept_;
    frit_test::generator random_;
    std::deque<guarded> memory_;
    std::vector<std::vector<std::byte>> initial_;
};

inline std::pair<memory_access, placement> row_case::access_of(dtype type, layout how, moving along,
                                                               std::optional<int> in_place, bool clamp, double edges) {
    placement p;
    p.strides.assign(l.extents.size(), 0);
    std::vector<std::size_t> dims;  // innermost first
    for (std::size_t d = l.extents.size(); d-- > 0;)
        if (along == moving::all || (along == moving::kept) == (d < kept_)) dims.push_back(d);
    if (how == layout::columns && along != moving::reduced) {
        dims.erase(std::find(dims.begin(), dims.end(), kept_ - 1));
        dims.insert(dims.begin(), kept_ - 1);
    }
    std::int64_t stride = how == layout::gaps ? 3 : 1;
    for (const std::size_t d : dims) {
        p.strides[d] = how == layout::backwards ? -stride : stride;
        if (how == layout::backwards) p.offset += stride * std::max<std::int64_t>(0, l.extents[d] - 1);
        stride *= std::max<std::int64_t>(1, l.extents[d]) + (how == layout::gaps ? 1 : 0);
    }
    const std::size_t clamped = clamp ? dims[0] : l.extents.size();
    const std::int64_t last = clamp ? std::max<std::int64_t>(0, l.extents[clamped] - 1) : 0;
    if (clamp) p.clamps[clamped] = {1, 2, std::min<std::int64_t>(1, last), last};
    memory_access a;
    a.type = type;
    for (std::size_t d = 0; d < l.extents.size(); ++d) {
        const std::int64_t s = p.strides[d];
        const stride_class c = d == clamped ? stride_class::runtime
                               : s == 0     ? stride_class::zero
                               : s == 1     ? stride_class::one
                                            : stride_class::runtime;
        a.dims.push_back({c, d == clamped});
    }
    if (in_place) {
        a.pointer = l.spec.loads[static_cast<std::size_t>(*in_place)].pointer;
        return {a, p};
    }
    a.pointer = l.spec.pointers++;
    const std::int64_t count = stride + 1;  // one also where nothing moves
    visit(type, [&]<class T>() {
        const std::vector<T> values = frit_test::sample<T>(random_, count, edges);
        std::vector<std::byte> bytes(static_cast<std::size_t>(count) * sizeof(T));
        for (std::size_t k = 0; k < values.size(); ++k) {
            const T v = values[k];
            std::memcpy(bytes.data() + k * sizeof(T), &v, sizeof v);
        }
        memory_.emplace_back(bytes.size(), random_.chance(0.5));
        std::copy(bytes.begin(), bytes.end(), memory_.back().data());
        l.pointers.push_back(memory_.back().data());
        initial_.push_back(std::move(bytes));
    });
    return {a, p};
}

/// A row at a time, every value from its definition.
class row_reference {
public:
    row_reference(const launchable& l, positions index, std::size_t kept)
        : l_(l), index_(std::move(index)), kept_(kept), row_(l.spec.row.size()) {}

    ref::number row(std::uint16_t k) {
        if (!row_[k]) row_[k] = value(l_.spec.row, k, index_);
        return *row_[k];
    }
    ref::number body(std::uint16_t k, const positions& index) { return value(l_.spec.body, k, index); }
    template <class F>
    void each_element(F f) const {
        positions i = index_;
        std::int64_t n = 1;
        for (std::size_t d = kept_; d < i.size(); ++d) n *= l_.extents[d];
        for (; n > 0; --n) {
            f(i);
            for (std::size_t d = i.size(); d-- > kept_;) {
                if (++i[d] < l_.extents[d]) break;
                i[d] = 0;
            }
        }
    }

private:
    using parts = std::vector<ref::number>;

    ref::number value(const std::vector<instruction>& code, std::uint16_t k, const positions& index) {
        const instruction& i = code[k];
        if (i.code == op::load) return read(l_.pointers[l_.spec.loads[i.a].pointer], i.type, l_.loads[i.a].element(index));
        if (i.code == op::scalar) return read(reinterpret_cast<const std::byte*>(&l_.scalars[i.a]), i.type, 0);
        if (i.code == op::row) return row(i.a);
        if (i.code == op::total) return total(i.a);
        if (i.code == op::coord) {
            const clamping& c = l_.coords[i.a];
            const std::int64_t at = index[l_.spec.coords[i.a].dim];
            return {static_cast<long double>(l_.spec.coords[i.a].clamped ? c.at(at) : c.step * at + c.shift), 0, 0};
        }
        if (i.code == op::cast) return ref::convert(value(code, i.a, index), code[i.a].type, i.type);
        return apply(i, code, [&](std::uint16_t operand) { return value(code, operand, index); });
    }
    /// Every step rounds: no instruction is contracted with another.
    template <class Operand>
    static ref::number apply(const instruction& i, const std::vector<instruction>& code, Operand operand) {
        const int arity = frit::info(i.code).arity;
        const std::uint16_t typed = frit::info(i.code).result == frit::op_result::SELECT ? i.b : i.a;
        const ref::number r = ref::apply(i.code, code[typed].type, operand(i.a), arity > 1 ? operand(i.b) : ref::number{},
                                         arity > 2 ? operand(i.c) : ref::number{});
        return {r.v, 0, 0};
    }

    static parts run(const frit::fusion::reduction_rule& rule, const frit::fusion::rule_code& code, const parts& left,
                     const parts& right) {
        std::vector<ref::number> v;
        for (const instruction& i : code.steps) {
            if (i.code == op::scalar)
                v.push_back({1, 0, 0});
            else if (i.code == op::load)
                v.push_back(i.a < rule.parts ? left[i.a] : right[i.a - static_cast<std::size_t>(rule.parts)]);
            else
                v.push_back(apply(i, code.steps, [&](std::uint16_t k) { return v[k]; }));
        }
        parts r;
        for (int p = 0; p < rule.parts; ++p) r.push_back(v[code.result[p]]);
        return r;
    }
    static parts combine(const frit::fusion::reduction_rule& rule, const parts& left, const parts& right) {
        return run(rule, rule.combine, left, right);
    }
    static parts tree(const frit::fusion::reduction_rule& rule, const std::vector<parts>& all, std::size_t first,
                      std::size_t count) {
        if (count == 1) return all[first];
        std::size_t half = 1;
        while (2 * half < count) half *= 2;
        return combine(rule, tree(rule, all, first, half), tree(rule, all, first + half, count - half));
    }

    ref::number total(std::uint16_t k) {
        const auto& spec = l_.spec.reductions[k];
        const auto& rule = frit::fusion::rule_of(spec);
        parts identity;
        for (int p = 0; p < rule.parts; ++p)
            identity.push_back(read(reinterpret_cast<const std::byte*>(&rule.identity[p]), rule.types[p], 0));
        const bool lanes = l_.spec.schedule == schedule_kind::reduce_inner || l_.spec.schedule == schedule_kind::reduce_all;
        std::vector<parts> blocks, accumulators;
        const auto end_block = [&] {
            for (std::size_t half = 32; lanes && half > 0; half /= 2)
                for (std::size_t a = 0; a < half; ++a)
                    accumulators[a] = combine(rule, accumulators[a], accumulators[a + half]);
            blocks.push_back(lanes ? accumulators[0] : tree(rule, accumulators, 0, accumulators.size()));
            accumulators.clear();
        };
        std::size_t n = 0;
        each_element([&](const positions& at) {
            if (n > 0 && n % 4096 == 0) end_block();
            const std::size_t in_block = n++ % 4096;
            if (lanes && in_block == 0) accumulators.assign(64, identity);
            if (!lanes && in_block % 32 == 0) accumulators.push_back(identity);
            parts element;
            for (int p = 0; p < rule.parts; ++p) {
                using frit::fusion::part_source;
                const part_source from = rule.lift[p];
                element.push_back(from == part_source::value    ? body(spec.value, at)
                                  : from == part_source::second ? body(spec.second, at)
                                  : from == part_source::third  ? body(spec.third, at)
                                                               : ref::number{from == part_source::one ? 1.0L : -0.0L, 0, 0});
            }
            parts& a = lanes ? accumulators[in_block % 64] : accumulators.back();
            a = run(rule, rule.take, a, element);
        });
        if (n == 0) return identity[static_cast<std::size_t>(rule.result)];
        end_block();
        return tree(rule, blocks, 0, blocks.size())[static_cast<std::size_t>(rule.result)];
    }

    const launchable& l_;
    const positions index_;
    const std::size_t kept_;
    std::vector<std::optional<ref::number>> row_;
};

inline std::vector<std::vector<ref::number>> row_case::expected() const {
    std::vector<std::vector<ref::number>> all(l.spec.stores.size() + l.spec.row_stores.size());
    each_index(kept_, [&](const positions& index) {
        row_reference r(l, index, kept_);
        r.each_element([&](const positions& at) {
            for (std::size_t s = 0; s < l.spec.stores.size(); ++s) all[s].push_back(r.body(l.spec.stores[s].value, at));
        });
        for (std::size_t s = 0; s < l.spec.row_stores.size(); ++s)
            all[l.spec.stores.size() + s].push_back(r.row(l.spec.row_stores[s].value));
    });
    return all;
}

}  // namespace cpu_test
