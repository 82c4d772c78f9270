// A function of the C subset over arrays: its tree is walked once, with a value of an array formula in the place of each
// number. Where control divides, both ways are taken: a mask says which elements are on this one, and what it sets is chosen
// by that. A loop is an iterate, whose states are the variables that it sets.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "frit/function.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/steps.hpp"
#include "src/functions/syntax.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {
namespace {

using kind = expression::kind;
using act = text_statement::kind;

/// Values are nodes; null: true everywhere.
using mask = user_ref;

class runner {
public:
    runner(const text_function& f, std::span<const user_ref> arguments, source_line where)
        : f_(f), where_(where), variables_(f.variables.size()) {
        std::copy(arguments.begin(), arguments.end(), variables_.begin());
    }

    user_ref run() {
        statements(f_.body);
        return result_;
    }

private:
    // --- values ---

    user_ref apply(op code, dtype result, std::initializer_list<user_ref> operands) {
        return apply(code, result, std::span(operands.begin(), operands.size()));
    }
    user_ref apply(op code, dtype result, std::span<const user_ref> operands) {
        std::vector<instruction> steps;
        std::vector<node_head*> leaves;
        for (const user_ref& x : operands) {
            steps.push_back({op::leaf, x->type});
            leaves.push_back(x.get());
        }
        steps.push_back({code, result});
        const known_program& p = program_of(steps);
        return user_ref(record({&p.code, &p.slot, leaves.data(), nullptr, nullptr, where_}));
    }
    user_ref number(dtype type, scalar_bits bits) {
        user_ref& known = numbers_[{type, bits.low}];  // equal ones are one operand of a loop
        if (known) return known;
        const instruction step{op::scalar, type};
        const known_program& p = program_of({&step, 1});
        return known = user_ref(record({&p.code, &p.slot, nullptr, &bits, nullptr, where_}));
    }
    user_ref zero(dtype type) { return number(type, {}); }
    user_ref truth(bool x) { return number(dtype::bool_, {x ? 1U : 0U}); }
    user_ref negated(const user_ref& x) { return apply(op::logical_not, dtype::bool_, {x}); }
    mask both(const mask& a, const mask& b) { return !a ? b : !b ? a : apply(op::logical_and, dtype::bool_, {a, b}); }
    user_ref chosen(const mask& on, const user_ref& yes, const user_ref& no) {
        return on ? apply(op::where, yes->type, {on, yes, no}) : yes;
    }

    user_ref value(const expression& e) {
        if (e.what == kind::number) return number(e.type, e.bits);
        if (e.what == kind::variable) return variables_[e.variable];
        std::vector<user_ref> operands;
        for (const expression& x : e.operands) operands.push_back(value(x));
        switch (e.what) {
            case kind::convert: return apply(op::cast, e.type, operands);
            case kind::choice: return apply(op::where, e.type, operands);
            case kind::call: return runner(*e.callee, operands, where_).run();
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
                const user_ref now = value(s.value);
                to = to ? chosen(on_, now, to) : now;
                return;
            }
            case act::branch: return branch(s);
            case act::loop: return loop(s);
            case act::leave: return stop(left_);
            case act::next: return stop(skipped_);
            case act::give_back: {
                const user_ref now = value(s.value);
                result_ = result_ ? chosen(on_, now, result_) : now;
                return stop(returned_);
            }
            case act::block: return statements(s.body);
        }
    }
    /// The elements that are here go no further for now: `flag` says which they are.
    void stop(mask& flag) {
        const mask here = on_ ? on_ : truth(true);
        flag = flag ? apply(op::logical_or, dtype::bool_, {flag, here}) : here;
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
        std::vector<dtype> types;
        bool keeps_result = false;
    };
    void loop(const text_statement& s) {
        loop_run run{this, &s, on_ ? on_ : truth(true), {}, false};
        std::vector<user_ref> initial;
        for (const std::uint32_t v : s.sets) initial.push_back(variables_[v] ? variables_[v] : zero(f_.variables[v]));
        if (s.may_leave) initial.push_back(truth(false));
        if (s.may_return) {
            initial.push_back(returned_ ? returned_ : truth(false));
            initial.push_back(result_ ? result_ : zero(f_.result));
        }
        if (s.first) initial.push_back(truth(true));
        if (initial.empty()) initial.push_back(truth(false));  // a loop that does nothing, perhaps for ever
        const user_ref most = number(dtype::i32, {INT32_MAX});
        const std::vector<user_ref> after = iterate_of(most, initial, {&run, round}, where_);
        std::size_t k = 0;
        for (const std::uint32_t v : s.sets) variables_[v] = after[k++];
        if (s.may_leave) ++k;
        if (s.may_return) {
            returned_ = after[k++];
            result_ = after[k++];
            on_ = both(on_, negated(returned_));
        }
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
        if (s.may_return) returned_ = states[k++], result_ = states[k++];
        const mask first = s.first ? states[k++] : mask();

        user_ref stays = value(s.value);
        if (first) stays = apply(op::logical_or, dtype::bool_, {first, stays});
        for (const mask* flag : std::initializer_list<const mask*>{&left, &returned_})
            if (*flag) stays = both(stays, negated(*flag));
        until = negated(both(run.on, stays));

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
        if (s.may_return) {
            next.push_back(returned_ ? returned_ : came_back);
            next.push_back(result_);
        }
        if (s.first) next.push_back(truth(false));
        if (next.empty()) next.push_back(states[0]);
    }

    const text_function& f_;
    const source_line where_;
    std::map<std::pair<dtype, std::uint64_t>, user_ref> numbers_;
    std::vector<user_ref> variables_;
    mask on_, left_, skipped_, returned_;  ///< returned_, result_: of those that have come back already
    user_ref result_;
    bool nowhere_ = false;
};

}  // namespace

user_ref call_text(const text_function& f, std::span<const user_ref> arguments, source_line where) {
    const auto device = on_device_of(arguments);
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
    const user_ref made = runner(f, converted, where).run();
    const shape all = broadcast_of(f.name, converted, shape(), where);  // it may read nothing of some of them
    if (*made->extents == all) return made;
    return recorded(make_view(frit::detail::value(made), broadcast_attribute(*made->extents, all, where)), where).node();
}

}  // namespace frit::v0::detail
