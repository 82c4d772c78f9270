// A function of the C subset over arrays: its tree is walked once, with a value of an array formula in the place of each
// number. Where control divides, both ways are taken: a mask says which elements are on this one, and what it sets is chosen
// by that. A loop is an iterate, whose states are the variables that it sets. What an expression computes of 16-bit floats
// is a part (record_part): in float32 until an assignment or a cast rounds it.
#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "frit/function.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/steps.hpp"
#include "src/functions/syntax.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0 {
namespace detail {
namespace {

using kind = expression::kind;
using act = text_statement::kind;

/// Values are nodes; null: true everywhere.
using mask = user_ref;

/// How many rounds a loop may have, and behind which loops it is asked whether one had more to do.
struct round_limit {
    std::int32_t most;
    looping asked_from;  ///< those of which no more is known than this
    bool asks(looping what) const { return what >= asked_from; }
};

class runner {
public:
    runner(const text_function& f, std::span<const user_ref> arguments, const round_limit& limit, source_line where)
        : f_(f),
          where_(where),
          limit_(limit),
          owns_numbers_(f.numbers + f.variables.size() <= most_operands),
          variables_(f.variables.size()) {
        std::copy(arguments.begin(), arguments.end(), variables_.begin());
        tracing* const step = tracing::innermost();
        if (step && limit.asks(f.loops)) endless_ = step->met();  // those of a round before go through no loop any more
    }

    std::vector<user_ref> run() {
        statements(f_.body);
        std::vector<user_ref> results;
        for (std::uint32_t k = f_.parameters; k < f_.parameters + f_.results; ++k) results.push_back(now(k));
        return results;
    }
    /// The elements of which a loop has met its limit.
    const mask& endless() const { return endless_; }

private:
    // --- values ---

    user_ref apply(op code, dtype result, std::initializer_list<user_ref> operands) {
        return apply(code, result, std::span(operands.begin(), operands.size()));
    }
    user_ref apply(op code, dtype result, std::span<const user_ref> operands) {
        std::vector<instruction> steps;
        std::vector<node_head*> leaves;
        for (const user_ref& x : operands) {
            steps.push_back({op::leaf, x->meant});
            leaves.push_back(x.get());
        }
        steps.push_back({code, result});
        const known_program& p = program_of(steps);
        const detail::statement s{&p.code, &p.slot, leaves.data(), nullptr, nullptr, where_};
        return is_short(result) && code != op::cast ? record_part(s) : user_ref(record(s));
    }
    /// A real number, of some expression or of none.
    user_ref number(dtype type, scalar_bits bits, const expression* of = nullptr) {
        user_ref& known = numbers_[{of, type, bits.low}];
        if (known) return known;
        const instruction step{op::scalar, type};
        const known_program& p = program_of({&step, 1});
        return known = user_ref(record({&p.code, &p.slot, nullptr, &bits, nullptr, where_}));
    }
    user_ref zero(dtype type) {
        const user_ref real = number(real_dtype(type), {});
        return is_complex(type) ? apply(op::cast, type, {real}) : real;
    }
    user_ref now(std::uint32_t variable) {
        return variables_[variable] ? variables_[variable] : zero(f_.variables[variable]);
    }
    /// Of several, which are 0 until they are set: one of another variable is not read where it was not set.
    bool is_result(std::uint32_t variable) const {
        return f_.several && variable >= f_.parameters && variable < f_.parameters + f_.results;
    }
    user_ref truth(bool x) { return number(dtype::bool_, {x ? 1U : 0U}); }
    user_ref negated(const user_ref& x) { return apply(op::logical_not, dtype::bool_, {x}); }
    mask either(const mask& a, const mask& b) { return !a ? b : !b ? a : apply(op::logical_or, dtype::bool_, {a, b}); }
    mask both(const mask& a, const mask& b) { return !a ? b : !b ? a : apply(op::logical_and, dtype::bool_, {a, b}); }
    user_ref chosen(const mask& on, const user_ref& yes, const user_ref& no) {
        return on ? apply(op::where, yes->type, {on, yes, no}) : yes;
    }

    user_ref value(const expression& e) {
        if (e.what == kind::number) return number(e.type, e.bits, owns_numbers_ ? &e : nullptr);
        if (e.what == kind::variable) return now(e.variable);
        std::vector<user_ref> operands;
        for (const expression& x : e.operands) operands.push_back(value(x));
        switch (e.what) {
            case kind::convert: return apply(op::cast, e.type, operands);
            case kind::choice: return apply(op::where, e.type, operands);
            case kind::call: {
                runner callee(*e.callee, operands, limit_, where_);
                callee.owns_numbers_ = owns_numbers_;
                callee.numbers_ = std::move(numbers_);  // what a place in its text is does not differ from call to call
                callee.on_ = on_;                       // for its loops: who does not call it does not wait for them
                callee.endless_ = endless_;
                const user_ref result = callee.run()[0];
                endless_ = callee.endless();
                numbers_ = std::move(callee.numbers_);
                return result;
            }
            default: return apply(e.code, e.result, operands);
        }
    }

    // --- statements: those behind one that nothing gets past are not reached ---

    void statements(const std::vector<text_statement>& all) {
        for (const text_statement& s : all) {
            if (nowhere_) return;
            statement(s);
        }
    }
    void statement(const text_statement& s) {
        switch (s.what) {
            case act::set: {
                user_ref& to = variables_[s.variable];
                const user_ref made = value(s.value);
                to = to || is_result(s.variable) ? chosen(on_, made, now(s.variable)) : made;
                return;
            }
            case act::branch: return branch(s);
            case act::loop: return loop(s);
            case act::leave: return stop(left_);
            case act::next: return stop(skipped_);
            case act::give_back: return stop(returned_);
            case act::block: return statements(s.body);
        }
    }
    /// The elements that are here go no further for now: `flag` says which they are.
    void stop(mask& flag) {
        const mask here = on_ ? on_ : truth(true);
        flag = either(flag, here);
        nowhere_ = true;
    }
    void branch(const text_statement& s) {
        const user_ref condition = value(s.value);
        const mask before = on_;
        on_ = both(before, condition);
        statements(s.body);
        const bool first_stops = std::exchange(nowhere_, false);
        const mask after_first = on_;
        on_ = both(before, negated(condition));
        statements(s.otherwise);
        if (nowhere_ && first_stops) return;
        if (std::exchange(nowhere_, false))
            on_ = after_first;
        else if (!first_stops)
            on_ = still_here(before);
    }
    /// Of these, those that no statement has stopped.
    mask still_here(mask on) {
        for (const mask* flag : {&left_, &skipped_, &returned_})
            if (*flag) on = both(on, negated(*flag));
        return on;
    }

    // --- loops ---

    /// What goes from round to round: the variables that the loop sets, and how elements have left it.
    struct loop_run {
        runner* of;
        const text_statement* loop;
        mask on;
    };
    void loop(const text_statement& s) {
        const mask here = endless_ ? both(on_, negated(endless_)) : on_;  // one loop without an end is enough
        const loop_run run{this, &s, here ? here : truth(true)};
        const bool carries = limit_.asks(s.inside);
        std::vector<user_ref> initial;
        for (const std::uint32_t v : s.sets) initial.push_back(now(v));
        if (s.may_leave) initial.push_back(truth(false));
        if (s.may_return) initial.push_back(returned_ ? returned_ : truth(false));
        if (carries) initial.push_back(endless_ ? endless_ : truth(false));
        if (s.first) initial.push_back(truth(true));
        if (initial.empty()) initial.push_back(truth(false));  // a loop that does nothing, perhaps for ever
        const auto most = static_cast<std::uint32_t>(limit_.most);
        const std::vector<user_ref> after = loop_of(s, number(dtype::i32, {most}), initial, {&run, round});
        std::size_t k = 0;
        for (const std::uint32_t v : s.sets) variables_[v] = after[k++];
        const mask left = s.may_leave ? after[k++] : mask();
        if (s.may_return) returned_ = after[k++];
        if (carries) endless_ = after[k++];
        if (limit_.asks(s.itself)) ask(s, still_in(here, left));
        if (s.may_return) on_ = both(on_, negated(returned_));
    }
    std::vector<user_ref> loop_of(const text_statement& s, const user_ref& most, const std::vector<user_ref>& initial,
                                  const step_caller& step) const try {
        return frit::detail::loop_of(most, initial, step, s.itself == looping::may_not_end, where_);
    } catch (const too_many_operands&) {
        throw compile_error("function " + f_.name + ", line " + std::to_string(s.at.line) + ", column " +
                            std::to_string(s.at.column) + ": the loop sets and reads more than " +
                            std::to_string(most_loop_operands - 1) + " variables" + place(where_));
    }
    /// Of those that were in a loop to the last, who would go on.
    void ask(const text_statement& s, const mask& to_the_last) {
        const mask before = std::exchange(on_, to_the_last);
        const mask goes_on = both(on_, value(s.value));
        endless_ = either(endless_, goes_on);
        on_ = before;
    }
    /// Of these, those that have left a loop by neither way.
    mask still_in(mask stays, const mask& left) {
        if (left) stays = both(stays, negated(left));
        return returned_ ? both(stays, negated(returned_)) : stays;
    }
    static void round(const void* self, std::span<const user_ref> states, std::vector<user_ref>& next, user_ref& until,
                      source_line) {
        const loop_run& run = *static_cast<const loop_run*>(self);
        runner inside(*run.of);
        inside.step(run, states, next, until);
    }
    void step(const loop_run& run, std::span<const user_ref> states, std::vector<user_ref>& next, user_ref& until) {
        const text_statement& s = *run.loop;
        std::size_t k = 0;
        for (const std::uint32_t v : s.sets) variables_[v] = states[k++];
        left_ = skipped_ = returned_ = mask();
        const mask left = s.may_leave ? states[k++] : mask();
        if (s.may_return) returned_ = states[k++];
        endless_ = limit_.asks(s.inside) ? states[k++] : mask();
        const mask carried = endless_;
        const mask first = s.first ? states[k++] : mask();

        user_ref stays = value(s.value);
        if (first) stays = apply(op::logical_or, dtype::bool_, {first, stays});
        until = negated(both(run.on, still_in(stays, left)));
        if (carried) until = either(until, carried);

        // Whoever is in a round is on its way.
        const mask came_back = std::exchange(returned_, mask());
        on_ = mask();
        nowhere_ = false;
        statements(s.body);
        const mask skipped = std::exchange(skipped_, mask());
        if (nowhere_ && skipped) on_ = mask(), nowhere_ = false;
        if (!nowhere_) {
            on_ = still_here(mask());
            statements(s.step);
        }
        for (const std::uint32_t v : s.sets) next.push_back(variables_[v]);
        if (s.may_leave) next.push_back(left_ ? left_ : truth(false));
        if (s.may_return) next.push_back(returned_ ? returned_ : came_back);
        if (carried) next.push_back(endless_);
        if (s.first) next.push_back(truth(false));
        if (next.empty()) next.push_back(states[0]);
    }

    const text_function& f_;
    const source_line where_;
    const round_limit limit_;
    /// Each number of the text is an operand of its own, as in a formula, so that which of them are equal compiles nothing.
    /// For more than a loop has room for equal ones are one; of those that are still more, some are constants (trace).
    bool owns_numbers_;
    static constexpr std::size_t most_operands = 48;
    std::map<std::tuple<const expression*, dtype, std::uint64_t>, user_ref> numbers_;
    std::vector<user_ref> variables_;
    mask on_, left_, skipped_, returned_, endless_;
    bool nowhere_ = false;
};

}  // namespace

std::atomic<std::int32_t> most_rounds{INT32_MAX};

namespace {
std::atomic<std::int32_t> set_rounds{0};  // 0: no limit is set

/// A limit that is set is one for every loop.
round_limit limit_now() {
    const std::int32_t set = set_rounds.load(std::memory_order_relaxed);
    if (set > 0) return {set, looping::ends};
    return {most_rounds.load(std::memory_order_relaxed), looping::may_not_end};
}
}  // namespace

std::vector<user_ref> call_text(const text_function& f, std::span<const user_ref> arguments, source_line where) try {
    const auto device = on_device_of(arguments);
    const shape all = broadcast_of(f.name, arguments, shape(), where);
    std::vector<user_ref> converted;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const dtype given = arguments[k]->meant, wanted = f.variables[k];
        if (given != wanted && !may_write({false, given}, wanted)) {
            const dtype both[] = {given, wanted};
            throw_dtype_error(f.name, "an argument does not take this dtype without a cast", both, where);
        }
        const frit::detail::value x(arguments[k]);
        converted.push_back(shared_value(in_dtype(x, wanted, where), where).node());
    }
    const round_limit limit = limit_now();
    runner run(f, converted, limit, where);
    std::vector<user_ref> results = run.run();
    tell({run.endless(), f.name, limit.most}, results, where);
    for (user_ref& r : results)
        if (*r->extents != all)  // it may read nothing of some of them
            r = recorded(make_view(frit::detail::value(r), broadcast_attribute(*r->extents, all, where)), where).node();
    return results;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(f.name, where);
}

}  // namespace detail

void set_loop_limit(detail::any_integer rounds, source_line where) {
    if (rounds < 0)
        throw error("set_loop_limit: " + std::to_string(rounds.value) + " is not a number of rounds" + detail::place(where));
    detail::set_rounds.store(rounds >= INT32_MAX ? 0 : static_cast<std::int32_t>(rounds), std::memory_order_relaxed);
}
std::int64_t loop_limit() {
    const std::int32_t set = detail::set_rounds.load(std::memory_order_relaxed);
    return set > 0 ? set : INT32_MAX;
}

}  // namespace frit::v0
