// Writing the loop IR: values with operators, statements in the order in which they are written, blocks as lambdas. What is
// known when the text is made is computed here, so that schedules need not ask whether an index is 0.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion::loops {

class builder;

/// An expression of the function that is being built.
struct value {
    builder* in = nullptr;
    expression_id id = nothing;

    const type& is() const;
    explicit operator bool() const { return in != nullptr; }
};
/// A variable of it; reads as its value.
struct cell : value {
    variable_id variable = 0;
};
struct array {
    builder* in = nullptr;
    variable_id variable = 0;
    value operator[](value index) const;
    value operator[](std::int64_t index) const;
    value at(value index) const;  ///< the address of an element
};

/// What an instruction reads that it does not compute: load, coord, scalar, total, row.
using leaf_value = std::function<value(const instruction&)>;

class builder {
public:
    explicit builder(std::string name) { f_.name = std::move(name); }
    /// Without the values that nothing reads.
    function take();

    cell parameter(const std::string& name, type);

    // --- values ---
    value make(expression);
    value constant(std::int64_t n, dtype t = dtype::i64) {
        return make({.what = code::constant, .is = index_type(t), .n = n});
    }
    /// An index as one of another type.
    value to(dtype, value index);
    value launch(launch_index i) {
        return make({.what = code::launch, .is = index_type(dtype::u32), .n = static_cast<std::int64_t>(i)});
    }
    value truth(bool x) { return make({.what = code::constant, .is = truth_type(), .n = x}); }
    /// In all lanes, from its bits.
    value lanes(dtype t, std::uint64_t bits) {
        return make({.what = code::constant, .is = lanes_of(t), .n = static_cast<std::int64_t>(bits)});
    }
    value lanes_with(dtype t, double x);
    value word(std::uint32_t n, type t = index_type()) { return make({.what = code::word, .is = t, .n = n}); }
    value clamped(value index, value low, value high) {
        return make({.what = code::clamped, .is = index.is(), .in = {index.id, low.id, high.id}});
    }
    value choice(value condition, value yes, value no);
    value load(value from) { return of(code::load, from, {}); }
    value load_part(value from, value count) { return of(code::load_part, from, {count.id}); }
    value gather(value from, value stride) { return of(code::gather, from, {stride.id}); }
    value collect(value row, value stride, value from, value count, std::uint32_t clamp) {
        value v = of(code::collect, row, {stride.id, from.id, count.id});
        f_.expressions[v.id].n = clamp;
        return v;
    }
    value read(value from) {
        const type& t = from.is();
        return make({.what = code::read, .is = t.rule > 0 ? accumulator_of(t.rule - 1U) : number_of(t.of), .in = {from.id}});
    }
    value splat(value number) { return make({.what = code::splat, .is = lanes_of(number.is().of), .in = {number.id}}); }
    value along(dtype t, value start, value step) {
        return make({.what = code::along, .is = lanes_of(t), .in = {start.id, step.id}});
    }
    value along(dtype t, value start, value step, value low, value high) {
        return make({.what = code::along, .is = lanes_of(t), .in = {start.id, step.id, low.id, high.id}});
    }
    value popcount(value index) { return make({.what = code::popcount, .is = index_type(), .in = {index.id}}); }
    value whole_number(dtype t, std::int64_t n) { return make({.what = code::constant, .is = number_of(t), .n = n}); }
    /// An index as a number of a dtype.
    value number(dtype t, value index) {
        return make({.what = code::cast, .is = number_of(t), .from = index.is().of, .in = {index.id}});
    }
    value compute(op, dtype result, dtype by, std::initializer_list<value> operands);
    /// A cast or an op of the table, of earlier instructions' values.
    value computed(const instruction&, const std::vector<instruction>& code, const std::vector<value>& done,
                   value exists = {});
    /// Variables <prefix>0, ... for these instructions of a spec; `done` has what they are.
    /// @param exists  of the thread's element, a truth; of lanes, how many do; none: all do
    void compute(const std::vector<instruction>& code, const std::vector<std::uint16_t>& which, const std::string& prefix,
                 std::vector<value>& done, const leaf_value& leaf, value exists = {});
    /// Where a recurrence has its states, each an array, of which an element is one row's: `computed` takes a step of row
    /// number `row`.
    void set_states(const instruction& recurrence, std::vector<array> states);
    void set_row(value row) { row_ = row; }
    /// The element is number first + k, and first a multiple of `count`: random words are looked up in its block.
    void set_neighbours(value first, value k, unsigned count) { neighbours_ = {first, k, count}; }
    /// Whose instructions `computed` is given: the number of the first pointer word, for what looks up, and the loops.
    void set_kernel(const kernel_spec& of, std::uint32_t first_pointer) {
        loops_ = &of.loops, coords_ = &of.coords, pointers_ = first_pointer;
    }
    /// Whether any lane is true.
    value some(value mask) { return make({.what = code::some, .is = truth_type(), .in = {mask.id}}); }
    /// Whether the evaluation shall end: of a launch on a CPU.
    value interrupted() {
        return make({.what = code::interrupted, .is = truth_type(), .in = {word(1, address_of(dtype::u64, true)).id}});
    }
    /// Of numbers or lanes.
    value cast(value from, dtype to, code what = code::cast) {
        return make({.what = what, .is = {from.is().what, to}, .from = from.is().of, .in = {from.id}});
    }
    value rotated(value lanes, int by) { return make({.what = code::rotated, .is = lanes.is(), .in = {lanes.id}, .n = by}); }
    value kept(value fresh, value old, value count) {
        return make({.what = code::kept, .is = fresh.is(), .in = {fresh.id, old.id, count.id}});
    }
    value everywhere(value lanes) { return make({.what = code::everywhere, .is = lanes.is(), .in = {lanes.id}}); }
    value pinned(value v) { return make({.what = code::pinned, .is = v.is(), .in = {v.id}}); }
    value retyped(value address, type t) { return make({.what = code::retyped, .is = t, .in = {address.id}}); }
    /// What the code makes of accumulators: of the type of the first operand, where nothing else is said.
    value accumulate(code what, const std::vector<value>& operands, std::int64_t n = 0) {
        return accumulate(what, operands.front().is(), operands, n);
    }
    value accumulate(code what, type is, const std::vector<value>& operands, std::int64_t n = 0);
    value forward(value address, value by);
    value bytes(value address) { return make({.what = code::bytes, .is = index_type(), .in = {address.id}}); }

    // --- statements ---
    cell let(const std::string& name, value);      ///< named, never changed
    cell declare(const std::string& name, value);  ///< with this value first
    cell declare(const std::string& name, type);
    array declare(const std::string& name, type, std::int64_t count, storage = storage::own, std::uint32_t aligned = 1);
    array declare_zeros(const std::string& name, type, std::int64_t count, storage = storage::own);
    void set(const cell&, value);
    void put(const array&, value index, value);
    void put(const array& a, std::int64_t index, value v) { put(a, constant(index), v); }
    template <class F>
    void loop(const std::string& name, value from, value to, value step, std::uint32_t unroll, F body) {
        const cell n = variable({name, to.is()});
        statement s{.what = act::loop, .n = n.variable, .in = {from.id, to.id, step.id}, .unroll = unroll};
        s.body = inside([&] { body(n); });
        add(std::move(s));
    }
    template <class F>
    void loop(const std::string& name, value from, value to, std::int64_t step, std::uint32_t unroll, F body) {
        loop(name, from, to, constant(step), unroll, body);
    }
    template <class F>
    void repeat(value condition, F body, std::uint32_t unroll = as_compilers_like) {
        statement s{.what = act::repeat, .in = {condition.id}, .unroll = unroll};
        s.body = inside(body);
        add(std::move(s));
    }
    /// A condition that is known leaves one branch alone.
    template <class F, class G>
    void when(value condition, F body, G otherwise) {
        if (const auto known = constant_of(condition)) return *known ? body() : otherwise();
        statement s{.what = act::when, .in = {condition.id}};
        s.body = inside(body);
        s.otherwise = inside(otherwise);
        if (!s.body.empty() || !s.otherwise.empty()) add(std::move(s));
    }
    template <class F>
    void when(value condition, F body) {
        when(condition, body, [] {});
    }
    void leave() { add({.what = act::leave}); }
    void end_loop() { add({.what = act::end_loop}); }
    void store(value to, value lanes) { add({.what = act::store, .in = {to.id, lanes.id}}); }
    void store_part(value to, value lanes, value count) {
        add({.what = act::store_part, .in = {to.id, lanes.id, count.id}});
    }
    void store_first(value to, value lanes) { add({.what = act::store_first, .in = {to.id, lanes.id}}); }
    void scatter(value to, value stride, value lanes) { add({.what = act::scatter, .in = {to.id, stride.id, lanes.id}}); }
    void spread(value row, value stride, value from, value count, value lanes) {
        add({.what = act::spread, .in = {row.id, stride.id, from.id, count.id, lanes.id}});
    }
    void stream(value to, value lanes, value far) { add({.what = act::stream, .in = {to.id, lanes.id, far.id}}); }
    void finish_streams(value far) { add({.what = act::finish_streams, .in = {far.id}}); }
    void write(value to, value number) { add({.what = act::write, .in = {to.id, number.id}}); }
    void add_at(value to, value number) { add({.what = act::add_at, .in = {to.id, number.id}}); }
    void copy_in(value to, value from, transfer how) { add({.what = act::copy_in, .in = {to.id, from.id}, .how = how}); }
    void copy_out(value to, value from, transfer how) { add({.what = act::copy_out, .in = {to.id, from.id}, .how = how}); }
    void barrier(bool of_warp = false) { add({.what = act::barrier, .n = of_warp}); }
    void prefetch(value from, std::uint32_t elements) { add({.what = act::prefetch, .n = elements, .in = {from.id}}); }
    void run(routine r, std::initializer_list<value> operands, std::uint32_t n = 0);

    std::optional<std::int64_t> constant_of(value) const;
    const expression& at(expression_id id) const { return f_.expressions[id]; }

private:
    friend struct value;
    friend struct array;
    friend value operator+(value, value);
    friend value operator-(value, value);
    friend value operator*(value, value);
    friend value operator/(value, value);
    friend value operator%(value, value);
    friend value operator<(value, value);
    friend value operator<=(value, value);
    friend value operator==(value, value);
    friend value operator!=(value, value);
    friend value operator&&(value, value);
    friend value operator||(value, value);
    friend value bit_and(value, value);
    friend value bit_xor(value, value);
    friend value least(value, value);
    friend value most(value, value);
    void meet(value& a, value& b);  ///< indices of one type
    template <class F>
    value of_indices(code what, value a, value b, F known);
    template <class F>
    value truth_of(code what, value a, value b, F known);
    /// Writes a step of a recurrence and notes its states. Itself it is nothing.
    value written_step(const instruction& recurrence, const std::vector<instruction>& code, const std::vector<value>& done);
    /// Writes the loop and notes its states. Itself it is the number of rounds that were asked for.
    value written_loop(const instruction& iterate, const std::vector<instruction>& code, const std::vector<value>& done,
                       value exists);
    cell variable(loops::variable);
    cell named(act, loops::variable, std::vector<expression_id> first);
    value of(code what, value from, std::initializer_list<expression_id> more);
    void add(statement s) { open_->push_back(std::move(s)); }
    template <class F>
    block inside(F body) {
        block made;
        block* const around = std::exchange(open_, &made);
        body();
        open_ = around;
        return made;
    }

    friend class loop_writer;

    function f_;
    block* open_ = &f_.body;
    /// Whether random words are of the element's own number, and of a block that all its neighbours know.
    bool is_of_neighbours(const instruction&, const std::vector<instruction>& code) const;

    const std::vector<loop_spec>* loops_ = nullptr;
    const std::vector<coordinate>* coords_ = nullptr;
    std::uint32_t pointers_ = 0;
    std::map<std::uint16_t, std::vector<value>> states_;    ///< of the loops that were written, by their last feed
    std::map<std::uint16_t, std::vector<array>> going_on_;  ///< the states of recurrences, by the same
    value row_{};                                           ///< which of them
    struct {
        value first{}, k{};
        unsigned count = 1;
    } neighbours_{};
    value active_{};  ///< inside a loop over lanes: those that are not done
};

value operator+(value, value);
value operator-(value, value);
value operator*(value, value);
value operator/(value, value);
value operator%(value, value);
value operator<(value, value);
value operator<=(value, value);
value operator==(value, value);
value operator!=(value, value);
value operator&&(value, value);
value operator||(value, value);
value operator!(value);
value bit_and(value, value);
value bit_xor(value, value);
value least(value, value);
value most(value, value);
inline value operator>(value a, value b) { return b < a; }
inline value operator>=(value a, value b) { return b <= a; }
#define FRIT_WITH_NUMBER(o)                                                            \
    inline value operator o(value a, std::int64_t b) { return a o a.in->constant(b); } \
    inline value operator o(std::int64_t a, value b) { return b.in->constant(a) o b; }
FRIT_WITH_NUMBER(+)
FRIT_WITH_NUMBER(-)
FRIT_WITH_NUMBER(*)
FRIT_WITH_NUMBER(/)
FRIT_WITH_NUMBER(%)
FRIT_WITH_NUMBER(<)
FRIT_WITH_NUMBER(<=)
FRIT_WITH_NUMBER(>)
FRIT_WITH_NUMBER(>=)
FRIT_WITH_NUMBER(==)
FRIT_WITH_NUMBER(!=)
#undef FRIT_WITH_NUMBER

}  // namespace frit::v0::fusion::loops
