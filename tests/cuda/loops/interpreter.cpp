// Threads, blocks and their meetings, and the backend: see interpreter.hpp.
#include "tests/cuda/loops/interpreter.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "tests/cuda/loops/thread.hpp"

namespace frit_test {
namespace {

using frit::detail::kernel;
using frit::fusion::kernel_spec;
using frit::fusion::launch_shape;
using loops::code;
using loops::statement;

constexpr unsigned warp_size = 32;

/// The statement's line of the readable form: one for each in order, and one for each "else".
std::string line_of(const loops::kernel& k, const statement& wanted) {
    int lines = 2;  // of the head
    const auto find = [&](auto&& self, const loops::block& all) -> bool {
        return std::any_of(all.begin(), all.end(), [&](const statement& s) {
            ++lines;
            if (&s == &wanted || self(self, s.body)) return true;
            if (!s.otherwise.empty()) ++lines;
            return self(self, s.otherwise);
        });
    };
    std::istringstream text(find(find, k.entry.body) ? to_string(k) : "");
    std::string line;
    for (; lines > 0 && std::getline(text, line); --lines) {
    }
    return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

class launch {
public:
    launch(const loops::kernel& k, const launch_shape& shape, std::span<const std::uint64_t> words,
           std::vector<watched_range> memory, unsigned seed)
        : state_{k, k.entry, shape, words, arrays(k, std::move(memory)), {}, nodes_of(k.entry)},
          shuffled_(seed != 0),
          random_(seed) {
        const unsigned count = shape.block[0] * shape.block[1] * shape.block[2];
        for (unsigned t = 0; t < count; ++t) threads_.emplace_back(state_, t);
    }

    void run() {
        const auto& grid = state_.shape.grid;
        for (const unsigned b : in_some_order(grid[0] * grid[1] * grid[2])) {
            state_.block[0] = b % grid[0];
            state_.block[1] = b / grid[0] % grid[1];
            state_.block[2] = b / grid[0] / grid[1];
            try {
                run_block();
            } catch (const mistake& m) {
                throw emulation_error(place() + ": " + m.what);
            }
        }
    }

private:
    std::vector<unsigned> in_some_order(unsigned count) {
        std::vector<unsigned> order(count);
        std::iota(order.begin(), order.end(), 0U);
        if (shuffled_) std::shuffle(order.begin(), order.end(), random_);
        return order;
    }
    std::string place() const {
        std::ostringstream text;
        text << state_.f.name << ", block (" << state_.block[0] << ", " << state_.block[1] << ", " << state_.block[2] << ")";
        if (now_)
            text << ", thread (" << now_->x << ", " << now_->y << "), in \"" << line_of(state_.kernel, *now_->at) << "\"";
        return text.str();
    }

    void run_block() {
        state_.memory.start_block(static_cast<unsigned>(threads_.size()));
        met_by_total_.assign(state_.kernel.rules.size(), 0);
        barriers_ = 1;
        for (loops_thread& t : threads_) t.start();
        do {
            for (const unsigned t : in_some_order(static_cast<unsigned>(threads_.size()))) {
                now_ = &threads_[t];
                if (now_->waits == loops_thread::none) now_->go_on();
            }
            now_ = nullptr;
        } while (hold_meetings());
    }

    // --- meetings ---

    using group = std::span<loops_thread>;

    bool of_warp(const loops_thread& t) const {
        if (t.waits == loops_thread::barrier) return t.at->n == 1;
        const code what = state_.nodes[t.waits].what;
        return what == code::group_total || what == code::dealt_total || what == code::before_lane ||
               what == code::of_lane || what == code::from_lane;
    }
    /// Whether any could be held: those that all have come to.
    bool hold_meetings() {
        bool held = false, ended = true;
        const group all(threads_);
        if (have_come(all) && !of_warp(all[0])) {
            hold(all);
            return true;
        }
        for (std::size_t first = 0; first < all.size(); first += warp_size) {
            const group warp = all.subspan(first, std::min<std::size_t>(warp_size, all.size() - first));
            ended = ended && std::all_of(warp.begin(), warp.end(), [](const auto& t) { return t.has_ended(); });
            if (!have_come(warp) || !of_warp(warp[0])) continue;
            hold(warp);
            held = true;
        }
        if (!held && !ended) throw mistake{in_vain()};
        return held;
    }
    static bool have_come(group g) {
        return std::all_of(g.begin(), g.end(), [&](const loops_thread& t) {
            return t.waits != loops_thread::none && t.waits == g[0].waits && t.at == g[0].at;
        });
    }
    std::string in_vain() const {
        std::map<std::string, int> places;
        for (const loops_thread& t : threads_)
            ++places[t.has_ended() ? "have ended" : "wait in \"" + line_of(state_.kernel, *t.at) + "\""];
        std::string text = "not all threads come to a meeting";
        for (const auto& [what, count] : places) text += "\n  " + std::to_string(count) + " " + what;
        return text;
    }

    void barrier() {
        state_.memory.watch.block_barrier();
        ++barriers_;
    }
    void hold(group g) {
        now_ = g.data();
        if (now_->waits == loops_thread::barrier) {
            of_warp(*now_) ? state_.memory.watch.warp_barrier(now_->number / warp_size) : barrier();
            return give(g, std::vector<datum>(g.size()));
        }
        const node& e = state_.nodes[now_->waits];
        std::vector<datum> values;
        for (loops_thread& t : g) {
            now_ = &t;
            values.push_back(t.value(e.in[0]));
        }
        now_ = g.data();
        const std::size_t own = e.what == code::before_block ? 4 : 1;
        const bool passes_on = e.what == code::before_block || e.what == code::before_lane || e.what == code::before_warp;
        given_ = passes_on ? now_->operands(e, own) : std::vector<datum>();
        switch (e.what) {
            case code::group_total: group_total(e, values); break;
            case code::dealt_total: dealt_total(e, g, values); break;
            case code::block_total: block_total(e, values); break;
            case code::column_total: column_total(e, values); break;
            case code::before_lane: before_lane(e, values); break;
            case code::of_lane: of_lane(e, values); break;
            case code::from_lane: from_lane(e, g, values); break;
            case code::before_warp: before_warp(e, values); break;
            case code::before_block: before_block(e, values); break;
            case code::turn: turn(values); break;
            default: last_block(e, values); break;
        }
        give(g, values);
    }
    void give(group g, const std::vector<datum>& results) {
        for (std::size_t k = 0; k < g.size(); ++k) g[k].met(results[k]);
        now_ = nullptr;
    }

    datum combined(const loops::type& t, const datum& a, const datum& b) const {
        const frit::fusion::reduction_rule& r = *state_.kernel.rules[t.rule - 1U];
        return frit_test::combined(r, r.combine, a, b, given_);
    }
    /// The upper half is taken into the lower one, until one is left.
    datum folded(const loops::type& t, std::span<datum> all) const {
        for (std::size_t by = all.size() / 2; by > 0; by /= 2)
            for (std::size_t k = 0; k < by; ++k) all[k] = combined(t, all[k], all[k + by]);
        return all[0];
    }
    /// The same, where neighbours meet.
    datum folded_in_order(const loops::type& t, std::span<datum> all) const {
        for (std::size_t by = 1; by < all.size(); by *= 2)
            for (std::size_t k = 0; k + by < all.size(); k += 2 * by) all[k] = combined(t, all[k], all[k + by]);
        return all[0];
    }
    void group_total(const node& e, std::vector<datum>& values) const {
        const auto n = static_cast<std::size_t>(e.n);
        if (values.size() % n != 0) throw mistake{"a total over more lanes than the block has"};
        for (auto first = values.begin(); first != values.end(); first += e.n)
            std::fill_n(first, n, folded(e.is, {first, n}));
    }
    /// By exchanges of halves, as lanes do: a lane takes in the one on its right, or is taken in by the one on its left.
    void dealt_total(const node& e, group g, std::vector<datum>& values) {
        const auto n = static_cast<std::size_t>(e.n);
        const std::size_t count = g[0].value(e.in[1]).word[0];
        if (values.size() % n != 0 || count > n) throw mistake{"totals for more lanes than the block has"};
        std::vector<std::vector<datum>> all(g.size());
        for (std::size_t lane = 0; lane < g.size(); ++lane) {
            now_ = &g[lane];
            for (std::size_t k = 0; k < count; ++k, values[lane].word[0] += state_.memory.size_of(e.is))
                all[lane].push_back(now_->load(e.is, values[lane]));
        }
        const auto meet = [&](std::size_t by, std::size_t k, std::size_t other) {
            std::vector<std::vector<datum>> after = all;
            for (std::size_t lane = 0; lane < g.size(); ++lane) {
                const bool upper = (lane & by) != 0;
                const std::size_t own = upper ? other : k;
                const datum &mine = all[lane][own], &others = all[lane ^ by][own];
                after[lane][k] = upper ? combined(e.is, others, mine) : combined(e.is, mine, others);
            }
            all = std::move(after);
        };
        for (std::size_t by = count / 2; by > 0; by /= 2)
            for (std::size_t k = 0; k < by; ++k) meet(by, k, k + by);
        for (std::size_t by = count; by < n; by *= 2) meet(by, 0, 0);
        for (std::size_t lane = 0; lane < g.size(); ++lane) values[lane] = all[lane][0];
    }
    void from_lane(const node& e, group g, std::vector<datum>& values) {
        const std::vector<datum> given = values;
        for (std::size_t lane = 0; lane < g.size(); ++lane) {
            const std::uint64_t from = g[lane].value(e.in[1]).word[0];
            if (from >= g.size()) throw mistake{"a lane that the warp does not have"};
            values[lane] = given[from];
        }
    }
    void block_total(const node& e, std::vector<datum>& values) {
        if (values.size() != static_cast<std::size_t>(e.n) * warp_size)
            throw mistake{"a total over other warps than there are"};
        std::size_t& before = met_by_total_[e.is.rule - 1U];
        if (before == barriers_) throw mistake{"two totals over a block of one rule, and no barrier between them"};
        std::vector<datum> warps;
        for (auto w = values.begin(); w != values.end(); w += warp_size) warps.push_back(folded(e.is, {w, warp_size}));
        barrier();
        before = barriers_;
        std::fill(values.begin(), values.end(), folded(e.is, warps));
    }
    // Through shared memory, step by step, as every thread goes.
    void column_total(const node& e, std::vector<datum>& values) {
        const unsigned across = state_.shape.block[0];
        if (state_.shape.block[1] != e.n) throw mistake{"a total over other rows of threads than there are"};
        const auto place = [&](loops_thread& t, unsigned other) {
            now_ = &t;
            datum to = t.value(e.in[1]);
            to.word[0] += other * state_.memory.size_of(e.is);
            return to;
        };
        barrier();
        for (loops_thread& t : threads_) t.store(e.is, place(t, t.number), values[t.number]);
        for (unsigned by = static_cast<unsigned>(e.n) / 2; by > 0; by /= 2) {
            barrier();
            for (unsigned k = 0; k < by * across; ++k) {
                loops_thread& t = threads_[k];
                values[k] = combined(e.is, values[k], t.load(e.is, place(t, k + by * across)));
                t.store(e.is, place(t, k), values[k]);
            }
        }
        barrier();
        for (loops_thread& t : threads_) values[t.number] = t.load(e.is, place(t, t.x));
    }
    datum nothing_before(const loops::type& t) const { return identity_of(*state_.kernel.rules[t.rule - 1U]); }
    void of_lane(const node& e, std::vector<datum>& values) const {
        if (static_cast<std::size_t>(e.n) >= values.size()) throw mistake{"a lane that the warp does not have"};
        std::fill(values.begin(), values.end(), datum(values[static_cast<std::size_t>(e.n)]));
    }
    void before_lane(const node& e, std::vector<datum>& values) const {
        for (std::size_t by = 1; by < values.size(); by *= 2)
            for (std::size_t k = values.size(); k-- > by;) values[k] = combined(e.is, values[k - by], values[k]);
        std::rotate(values.begin(), values.end() - 1, values.end());
        values[0] = nothing_before(e.is);
    }
    void before_warp(const node& e, std::vector<datum>& values) {
        if (values.size() != static_cast<std::size_t>(e.n) * warp_size) throw mistake{"other warps than there are"};
        std::size_t& before = met_by_total_[e.is.rule - 1U];
        if (before == barriers_) throw mistake{"two meetings of a block for one rule, and no barrier between them"};
        barrier();
        before = barriers_;
        datum all = nothing_before(e.is);
        for (auto w = values.begin(); w != values.end(); w += warp_size) {
            const datum own = *w;
            std::fill_n(w, warp_size, all);
            all = combined(e.is, all, own);
        }
    }
    /// Blocks run one after the other, in the order of their tiles: what is waited for is there.
    void before_block(const node& e, std::vector<datum>& values) {
        memory_watch& watch = state_.memory.watch;
        const auto first = static_cast<unsigned>(threads_.size()) - warp_size;
        loops_thread& t = threads_[first];
        now_ = &t;
        const auto tile = t.value(e.in[2]).word[0], tiles = t.value(e.in[3]).word[0];
        const auto near = tile % 32, far = tile / 32 % 32, all = tile / 1024;
        const frit::fusion::reduction_rule& rule = *state_.kernel.rules[e.is.rule - 1U];
        const std::uint64_t each = (offset_of_part(rule, rule.parts) + 3) / 4;
        auto* const words = reinterpret_cast<std::uint64_t*>(t.value(e.in[1]).word[0]);
        const std::uint64_t of_1 = tile - near, of_32 = tiles + tile / 32 - far, of_all = tiles + (tiles + 31) / 32 + all;
        const auto touch = [&](const std::uint64_t* word) {
            std::string wrong = watch.atomic(first, reinterpret_cast<const char*>(word), sizeof *word);
            if (!wrong.empty()) throw mistake{std::move(wrong)};
        };
        std::vector<std::uint32_t> halves(each);
        const auto part = [&](datum& d, int k, bool in) {
            auto* const at = reinterpret_cast<char*>(halves.data()) + offset_of_part(rule, k);
            in ? std::memcpy(at, &d.word[k], size_of(rule.types[k])) : std::memcpy(&d.word[k], at, size_of(rule.types[k]));
        };
        const auto leave = [&](std::uint64_t number, datum total) {
            for (int k = 0; k < rule.parts; ++k) part(total, k, true);
            for (std::uint64_t k = 0; k < each; ++k) {
                std::uint64_t* const word = words + number * each + k;
                touch(word);
                *word = std::uint64_t{1} << 32 | halves[k];
            }
        };
        const auto await = [&](std::uint64_t number) {
            for (std::uint64_t k = 0; k < each; ++k) {
                const std::uint64_t* const word = words + number * each + k;
                touch(word);
                if (*word >> 32 == 0) throw mistake{"waits for a block that comes later"};
                halves[k] = static_cast<std::uint32_t>(*word);
            }
            datum total{};
            for (int k = 0; k < rule.parts; ++k) part(total, k, false);
            return total;
        };
        const datum total = values[first];
        leave(of_1 + near, total);
        std::vector<datum> a(warp_size, nothing_before(e.is)), b = a;
        for (std::uint64_t k = 0; k < near; ++k) a[k] = await(of_1 + k);
        for (std::uint64_t k = 0; k < far; ++k) b[k] = await(of_32 + k);
        const datum nearest = folded_in_order(e.is, a), with_own = combined(e.is, nearest, total);
        if (near == 31) leave(of_32 + far, with_own);
        datum before = combined(e.is, all > 0 ? await(of_all - 1) : nothing_before(e.is), folded_in_order(e.is, b));
        if (near == 31 && far == 31) leave(of_all, combined(e.is, before, with_own));
        barrier();
        std::fill(values.begin(), values.end(), combined(e.is, before, nearest));
    }
    void turn(std::vector<datum>& values) {
        auto* const ticket = reinterpret_cast<std::uint32_t*>(values[0].word[0]);
        std::string wrong = state_.memory.watch.atomic(0, reinterpret_cast<const char*>(ticket), sizeof *ticket);
        if (!wrong.empty()) throw mistake{std::move(wrong)};
        barrier();
        std::fill(values.begin(), values.end(), of_word((*ticket)++));
    }
    void last_block(const node& e, std::vector<datum>& values) {
        memory_watch& watch = state_.memory.watch;
        auto* const ticket = reinterpret_cast<std::uint32_t*>(values[0].word[0]);
        barrier();
        watch.fence(0);
        std::string wrong = watch.atomic(0, reinterpret_cast<const char*>(ticket), sizeof *ticket);
        if (!wrong.empty()) throw mistake{std::move(wrong)};
        const bool last = ++*ticket == threads_[0].value(e.in[1]).word[0];
        if (last) *ticket = 0;
        barrier();
        for (unsigned t = 0; last && t < threads_.size(); ++t) watch.fence(t);
        std::fill(values.begin(), values.end(), of_word(last));
    }

    launch_state state_;
    std::vector<loops_thread> threads_;
    loops_thread* now_ = nullptr;
    std::vector<datum> given_;               // to the rule of the meeting at hand
    std::vector<std::size_t> met_by_total_;  // by rule: how many barriers there were
    std::size_t barriers_ = 0;
    const bool shuffled_;
    std::minstd_rand random_;
};

struct kernel_of_loops final : kernel {
    loops::kernel code;
    std::string source() const override { return to_string(code); }
};

}  // namespace

void run_loops(const loops::kernel& k, const launch_shape& shape, std::span<const std::uint64_t> words,
               std::vector<watched_range> memory, unsigned seed) {
    launch(k, shape, words, std::move(memory), seed).run();
}

void run_interpreted(const loops::kernel& k, const kernel_spec& spec, std::span<const std::uint64_t> words,
                     const frit::fusion::target& t, std::span<const memory_block> memory,
                     std::vector<std::uint64_t>& scratch, unsigned seed, std::string_view formula) {
    host_launch now(spec, words, t, memory, scratch, 4);
    if (now.shape.grid[0] == 0) return;
    try {
        run_loops(k, now.shape, now.words, std::move(now.ranges), seed);
    } catch (const emulation_error& e) {
        throw emulation_error(std::string(e.what()) + "\n" + to_string(spec));
    }
    now.check(formula);
}

std::shared_ptr<kernel> loops_interpreter::prepare(const kernel_spec& spec) {
    auto made = std::make_shared<kernel_of_loops>();
    made->code = gpu_loops(spec, "frit_kernel");
    return made;
}

void loops_interpreter::launch(const kernel& k, const kernel_spec& spec, std::span<std::uint64_t> words,
                               std::string_view formula) {
    const std::scoped_lock guard(lock_);
    try {
        run_interpreted(dynamic_cast<const kernel_of_loops&>(k).code, spec, words, facts_, memory(), scratch_, ++launches_,
                        formula);
    } catch (const emulation_error& e) {
        throw emulation_error(e.what() + std::string(formula));
    }
}

}  // namespace frit_test
