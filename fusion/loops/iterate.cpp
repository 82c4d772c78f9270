// How an iterate becomes a loop of the IR, and a recurrence a step of one: every schedule writes its instructions by way of
// builder::computed, so this is the one place for all of them. A thread of a GPU leaves the loop when its element is done;
// lanes go on until none is left, and those that are done keep their states.
#include <numeric>
#include <utility>

#include "fusion/loops/build.hpp"

namespace frit::inline v0::fusion::loops {

class loop_writer {
public:
    loop_writer(builder& b, const loop_spec& loop, std::string prefix, std::vector<value> operands)
        : b_(b), loop_(loop), prefix_(std::move(prefix)), most_(operands[0]), inputs_(operands.begin() + 1, operands.end()) {
        std::vector<bool> early(loop.code.size(), false);
        if (ends_early()) early[loop.until] = true;
        for (std::size_t k = loop.code.size(); k-- > 0;) {
            auto& part = early[k] ? test_ : step_;
            part.insert(part.begin(), static_cast<std::uint16_t>(k));
            for (int n = 0; early[k] && n < operands_of(loop.code[k]); ++n) early[operand(loop.code[k], n)] = true;
        }
    }

    std::vector<value> run(value exists) {
        for (std::size_t k = 0; k < loop_.next.size(); ++k)
            states_.push_back(b_.declare(prefix_ + "s" + std::to_string(k), inputs_[k]));
        const bool lanes = most_.is().what == kind::lanes;
        round_ = b_.declare(prefix_ + "n", b_.constant(0, lanes ? dtype::i64 : dtype::i32));
        lanes ? run_lanes(exists) : run_thread(exists);
        std::vector<value> states(states_.begin(), states_.end());
        return states;
    }

private:
    bool ends_early() const { return loop_.until != loop_spec::never; }

    void evaluate(const std::vector<std::uint16_t>& part, std::vector<value>& done) {
        const auto around = std::exchange(b_.loops_, &loop_.loops);
        b_.compute(loop_.code, part, prefix_, done,
                   [&](const instruction& i) -> value { return i.a < states_.size() ? states_[i.a] : inputs_[i.a]; });
        b_.loops_ = around;
    }
    std::vector<value> next_of(const std::vector<value>& done) {
        std::vector<value> next;
        for (const std::uint16_t k : loop_.next) next.push_back(done[k]);
        return next;
    }

    void run_thread(value exists) {
        const value rounds = index_of(most_);
        const value most = b_.let(prefix_ + "most", exists ? b_.choice(exists, rounds, b_.constant(0, dtype::i32)) : rounds);
        b_.repeat(round_ < most, [&] {
            end_if_interrupted();
            std::vector<value> done;
            evaluate(test_, done);
            if (ends_early()) b_.when(index_of(done[loop_.until]) != 0, [&] { b_.end_loop(); });
            evaluate(step_, done);
            const std::vector<value> next = next_of(done);
            for (std::size_t k = 0; k < next.size(); ++k) b_.set(states_[k], next[k]);
            b_.set(round_, round_ + 1);
        });
    }
    value index_of(value number) {
        return b_.make({.what = code::cast, .is = index_type(dtype::i32), .from = number.is().of, .in = {number.id}});
    }

    void run_lanes(value exists) {
        const auto splat = [&](dtype t, value index) { return b_.splat(b_.number(t, index)); };
        const auto less = [&](dtype t, value a, value b) { return b_.compute(op::lt, dtype::bool_, t, {a, b}); };
        const auto before_last = [&] { return less(dtype::i32, splat(dtype::i32, round_), most_); };
        value begin = before_last();
        if (exists)
            begin = both(begin,
                         less(dtype::i64, b_.along(dtype::i64, b_.constant(0), b_.constant(1)), splat(dtype::i64, exists)));
        if (b_.active_) begin = both(begin, b_.active_);
        const cell active = b_.declare(prefix_ + "on", begin);
        const value around = std::exchange(b_.active_, active);
        b_.repeat(b_.some(active), [&] {
            end_if_interrupted();
            std::vector<value> done;
            evaluate(test_, done);
            if (ends_early()) {
                const value goes_on = b_.compute(op::logical_not, dtype::bool_, dtype::bool_, {done[loop_.until]});
                b_.set(active, both(active, goes_on));
            }
            evaluate(step_, done);
            const std::vector<value> next = next_of(done);
            std::vector<value> chosen;
            for (std::size_t k = 0; k < next.size(); ++k) {
                const dtype t = next[k].is().of;
                chosen.push_back(
                    b_.let(prefix_ + "c" + std::to_string(k), b_.compute(op::where, t, t, {active, next[k], states_[k]})));
            }
            for (std::size_t k = 0; k < next.size(); ++k) b_.set(states_[k], chosen[k]);
            b_.set(round_, round_ + 1);
            b_.set(active, both(active, before_last()));
        });
        b_.active_ = around;
    }
    void end_if_interrupted() {
        if (loop_.interruptible) b_.when(b_.interrupted(), [&] { b_.end_loop(); });
    }
    value both(value a, value b) { return b_.compute(op::bit_and, dtype::bool_, dtype::bool_, {a, b}); }

    builder& b_;
    const loop_spec& loop_;
    const std::string prefix_;
    const value most_;
    const std::vector<value> inputs_;
    std::vector<std::uint16_t> test_, step_;  // what `until` takes, and the rest of a round
    std::vector<cell> states_;
    cell round_;
};

value builder::written_loop(const instruction& iterate, const std::vector<instruction>& code, const std::vector<value>& done,
                            value exists) {
    std::vector<value> operands;
    for (const std::uint16_t feed : feeds_of(iterate, code)) operands.push_back(done[feed]);
    const loop_spec& loop = (*loops_)[iterate.b];
    const auto around = states_;
    const std::vector<value> after = loop_writer(*this, loop, "l" + std::to_string(iterate.a) + "_", operands).run(exists);
    states_ = around;
    states_[iterate.a] = after;
    return operands[0];
}

void builder::set_states(const instruction& recurrence, std::vector<array> states) {
    going_on_.insert_or_assign(recurrence.a, std::move(states));
}

value builder::written_step(const instruction& recurrence, const std::vector<instruction>& code,
                            const std::vector<value>& done) {
    const loop_spec& loop = (*loops_)[recurrence.b];
    const std::vector<array>& states = going_on_.at(recurrence.a);
    const std::vector<std::uint16_t> feeds = feeds_of(recurrence, code);
    std::vector<std::uint16_t> all(loop.code.size());
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    std::vector<value> made;
    const auto around = std::exchange(loops_, &loop.loops);
    const auto around_states = states_;
    compute(loop.code, all, "q" + std::to_string(recurrence.a) + "t", made,
            [&](const instruction& i) -> value { return i.a < states.size() ? states[i.a][row_] : done[feeds[i.a]]; });
    loops_ = around;
    states_ = around_states;
    // A state may be the next value of another: none is replaced before all have been found.
    std::vector<value>& behind = states_[recurrence.a];
    behind.clear();
    for (std::size_t k = 0; k < states.size(); ++k) {
        behind.push_back(made[loop.next[k]]);
        put(states[k], row_, behind[k]);
    }
    return done[feeds[0]];
}

}  // namespace frit::v0::fusion::loops
