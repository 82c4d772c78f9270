// What a schedule must not get wrong, asked of the loop IR itself: that types fit, that what is read has been written (of an
// array: some of it, somewhere; of a loop: as if it ran), that what never changes does not, that constant elements lie in
// their arrays. Tests run it over every kernel that they make.
#include <algorithm>
#include <utility>

#include "fusion/loops/check_parts.hpp"

namespace frit::inline v0::fusion::loops {
namespace {

class checker {
public:
    explicit checker(const kernel& k)
        : kernel_(k), f_(k.entry), state_(f_.variables.size(), state::unknown), written_(f_.variables.size()) {}

    std::string run() {
        for (std::uint32_t v = 0; v < f_.parameters; ++v) state_[v] = state::fixed;
        find_written(f_.body);
        block(f_.body);
        for (const auto question : {check_meetings, check_ranges})
            if (wrong_.empty()) fail(question(f_));
        return wrong_.empty() ? "" : f_.name + ": " + wrong_;
    }

private:
    enum class state : std::uint8_t {
        unknown,  // not declared here
        empty,    // declared, without a value
        full,     // has a value, may get another one
        fixed,    // has one for ever
    };

    void fail(const std::string& why) {
        if (wrong_.empty()) wrong_ = why;
    }
    void require(bool holds, const std::string& why) {
        if (!holds) fail(why);
    }
    const type& type_of(expression_id id) const { return f_.expressions[id].is; }
    void want(expression_id id, kind what, const char* role) {
        require(type_of(id).what == what, std::string(role) + " is of another kind");
    }
    std::string name(std::uint32_t v) const { return f_.variables[v].name; }

    void index_into(std::uint32_t array, expression_id at) {
        const variable& v = f_.variables[array];
        require(v.count > 0, name(array) + " is no array");
        const expression& e = f_.expressions[at];
        if (e.what == code::constant) require(e.n >= 0 && e.n < v.count, "an element outside " + name(array));
        want(at, kind::index, "an array's index");
    }
    static bool only_reads(code c) {
        return c == code::tree || c == code::tree_part || c == code::dealt_total || c == code::read;
    }
    // Arrays that something is put into, or whose address goes where it may be written through: when and how much is not
    // asked, since a loop may read in one round what it wrote in another.
    void find_written(const loops::block& all) {
        for (const statement& s : all) {
            if (s.what == act::put || (s.what == act::declare && !s.in.empty())) written_[s.n] = true;
            for (const expression_id a : s.in) find_written(a, false);
            find_written(s.body);
            find_written(s.otherwise);
        }
    }
    void find_written(expression_id id, bool read) {
        const expression& e = f_.expressions[id];
        if (e.what == code::place && !read) written_[static_cast<std::size_t>(e.n)] = true;
        for (const expression_id a : e.in) find_written(a, only_reads(e.what));
    }
    void read_array(std::uint32_t array) {
        require(state_[array] != state::unknown, name(array) + " is not declared here");
        require(state_[array] != state::empty, name(array) + " is read before it has a value");
    }
    void visit(expression_id id) {
        if (id >= f_.expressions.size()) return fail("no such expression");
        const expression& e = f_.expressions[id];
        if (only_reads(e.what))
            for (const expression_id a : e.in)
                if (f_.expressions[a].what == code::place) read_array(static_cast<std::uint32_t>(f_.expressions[a].n));
        for (const expression_id a : e.in) visit(a);
        const auto variable = static_cast<std::uint32_t>(e.n);
        switch (e.what) {
            case code::variable:
                require(state_[variable] == state::full || state_[variable] == state::fixed,
                        name(variable) + " is read before it has a value");
                break;
            case code::element: read_array(variable); return index_into(variable, e.in[0]);
            case code::place:
                require(state_[variable] != state::unknown, name(variable) + " is not declared here");
                return index_into(variable, e.in[0]);
            case code::choice:
                want(e.in[0], kind::truth, "a condition");
                require(type_of(e.in[1]) == type_of(e.in[2]), "a choice between two types");
                break;
            case code::some:
                require(type_of(e.in[0]) == lanes_of(dtype::bool_), "whether any lane of what has none is true");
                break;
            case code::interrupted:
                require(type_of(e.in[0]) == address_of(dtype::u64, true), "no words say who has interrupted");
                break;
            case code::taken: require(type_of(e.in[1]) == e.is, "accumulators of two rules"); [[fallthrough]];
            case code::before_lane:
            case code::before_warp:
            case code::before_block: require(type_of(e.in[0]) == e.is, "accumulators of two rules"); return given(e);
            case code::compute:
                require(e.is.what == kind::lanes || e.is.what == kind::number, "an op that makes something else");
                for (const expression_id a : e.in) want(a, e.is.what, "an operand");
                require(is_elementwise(e.op) && info(e.op).arity == e.in.size(), "an op with other operands");
                break;
            case code::drawn:
                want(e.in[0], kind::index, "an element's number");
                want(e.in[1], kind::index, "an element's number");
                for (const std::size_t k : {2, 3})
                    require(type_of(e.in[k]) == number_of(dtype::u64), "no stream, or no key");
                break;
            default: return of_indices(e);
        }
    }
    void of_indices(const expression& e) {
        switch (e.what) {
            case code::add:
            case code::sub:
            case code::mul:
            case code::div:
            case code::rem:
            case code::least:
            case code::most:
            case code::bit_and:
            case code::bit_xor:
            case code::clamped:
            case code::lt:
            case code::le:
            case code::eq:
            case code::ne:
                for (const expression_id a : e.in) want(a, kind::index, "an operand of index arithmetic");
                break;
            case code::both:
            case code::either:
            case code::negated:
                for (const expression_id a : e.in) want(a, kind::truth, "an operand of logic");
                break;
            default: return of_memory(e);
        }
    }
    static std::size_t own_operands(code c) { return c == code::taken ? 2 : c == code::before_block ? 4 : 1; }
    // What the rule reads beside accumulators.
    void given(const expression& e) {
        if (e.is.rule == 0 || e.is.rule > kernel_.rules.size()) return fail("an accumulator without a rule");
        const std::vector<dtype>& types = kernel_.rules[e.is.rule - 1U]->given;
        const std::size_t own = own_operands(e.what);
        require(e.in.size() == own + types.size(), "a rule is given something else");
        for (std::size_t k = own; k < e.in.size() && wrong_.empty(); ++k)
            require(type_of(e.in[k]) == number_of(types[k - own]), "a rule is given something else");
    }
    void of_memory(const expression& e) {
        switch (e.what) {
            case code::forward:
                want(e.in[0], kind::address, "what is moved on");
                want(e.in[1], kind::index, "a distance");
                break;
            case code::look_up:
                require(type_of(e.in[1]) == type{e.is.what, dtype::i64}, "an element's number of another type");
                if (e.in.size() > 2) exists(e, e.in[2]);
                [[fallthrough]];
            case code::read:
            case code::load:
            case code::load_part:
            case code::gather:
            case code::collect:
                want(e.in[0], kind::address, "what is read from");
                require(type_of(e.in[0]).of == e.is.of, "a load of another dtype");
                break;
            case code::search:
                want(e.in[0], kind::address, "what is searched");
                require(type_of(e.in[0]).of == e.from && type_of(e.in[1]) == type{e.is.what, e.from},
                        "a search for a value of another dtype");
                require(type_of(e.in[2]) == e.is && e.is.of == dtype::i64, "a number of elements of another type");
                break;
            case code::checked:
                for (std::size_t k : {0, 1}) require(type_of(e.in[k]) == e.is, "an index or extent of another type");
                require(e.is.of == dtype::i64, "an index of another type");
                if (e.in.size() > 3) exists(e, e.in[3]);
                break;
            default: break;
        }
    }
    void exists(const expression& e, expression_id which) {
        want(which, e.is.what == kind::lanes ? kind::index : kind::truth, "which elements exist");
    }
    void declare(const statement& s) {
        const variable& v = f_.variables[s.n];
        for (const expression_id a : s.in) {
            visit(a);
            require(type_of(a).what == v.is.what && type_of(a).of == v.is.of, name(s.n) + " gets a value of another type");
        }
        const bool empty = v.count > 0 ? !written_[s.n] : s.in.empty();
        state_[s.n] = empty ? state::empty : s.what == act::let ? state::fixed : state::full;
    }
    void write(std::uint32_t v, expression_id value, bool array) {
        require(state_[v] == state::empty || state_[v] == state::full, name(v) + " cannot be set here");
        require(f_.variables[v].count > 0 ? array : !array, name(v) + " is set as what it is not");
        require(type_of(value).what == f_.variables[v].is.what && type_of(value).of == f_.variables[v].is.of,
                name(v) + " is set to another type");
        state_[v] = state::full;
    }
    void statements(const statement& s) {
        for (const expression_id a : s.in) visit(a);
        switch (s.what) {
            case act::set: return write(s.n, s.in[0], false);
            case act::put: index_into(s.n, s.in[0]); return write(s.n, s.in[1], true);
            case act::store:
            case act::store_part:
            case act::store_first:
            case act::stream:
                want(s.in[0], kind::address, "what is stored to");
                want(s.in[1], kind::lanes, "what is stored");
                require(!type_of(s.in[0]).constant, "a store to what is only read");
                return require(type_of(s.in[0]).of == type_of(s.in[1]).of, "a store of another dtype");
            case act::write:
            case act::add_at: {
                want(s.in[0], kind::address, "what is written to");
                const type &to = type_of(s.in[0]), &from = type_of(s.in[1]);
                require(!to.constant, "a store to what is only read");
                return require(to.of == from.of && to.rule == from.rule, "a store of another dtype");
            }
            case act::copy_in: return copied(s.in[0], s.in[1], s.how);
            case act::copy_out: return copied(s.in[1], s.in[0], s.how);
            default: return;
        }
    }
    void copied(expression_id registers, expression_id memory, const transfer& how) {
        want(registers, kind::address, "what is copied");
        want(memory, kind::address, "what is copied");
        require(type_of(registers).of == type_of(memory).of, "a copy to another dtype");
        require(how.width > 0 && how.count % how.width == 0, "a copy in parts that do not fill it");
    }
    void block(const loops::block& all) {
        for (const statement& s : all) {
            if (s.what == act::let || s.what == act::declare) {
                declare(s);
                continue;
            }
            statements(s);
            if (s.what == act::loop) {
                const expression& step = f_.expressions[s.in[2]];
                require(step.what != code::constant || step.n > 0, "a loop that does not go on");
                state_[s.n] = state::fixed;
            }
            if (s.what == act::end_loop) require(loops_around_ > 0, "the end of no loop");
            const bool is_loop = s.what == act::loop || s.what == act::repeat;
            loops_around_ += is_loop;
            if (s.what == act::when)
                branches(s);
            else
                inside(s.body);
            loops_around_ -= is_loop;
        }
    }
    // What is declared in a block ends with it.
    void inside(const loops::block& all) {
        const std::vector<state> before = state_;
        block(all);
        for (std::size_t v = 0; v < state_.size(); ++v)
            if (before[v] == state::unknown) state_[v] = state::unknown;
    }
    // What one branch alone sets has no value behind them, unless the other one leaves.
    void branches(const statement& s) {
        const auto leaves = [](const loops::block& b) {
            return !b.empty() && (b.back().what == act::leave || b.back().what == act::end_loop);
        };
        const std::vector<state> before = state_;
        inside(s.body);
        std::vector<state> after = std::exchange(state_, before);
        inside(s.otherwise);
        if (leaves(s.body)) return;
        for (std::size_t v = 0; v < after.size(); ++v)
            if (state_[v] == state::empty && !leaves(s.otherwise)) after[v] = state::empty;
        state_ = std::move(after);
    }

    const kernel& kernel_;
    const function& f_;
    std::vector<state> state_;
    int loops_around_ = 0;
    std::vector<bool> written_;  // arrays
    std::string wrong_;
};

}  // namespace

std::string check(const kernel& k) { return checker(k).run(); }

}  // namespace frit::v0::fusion::loops
