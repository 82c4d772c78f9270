// One thread of a kernel whose IR is interpreted: statements and expressions. What threads do together is the block's
// (interpreter.cpp), which a thread leaves at the statement where a meeting is.
#pragma once

#include <span>

#include "fusion/schedules/gpu/gpu.hpp"
#include "tests/cuda/loops/arrays.hpp"

namespace frit_test {

/// An expression in two lines of the cache, and what is known of it.
struct alignas(64) node {
    loops::code what;
    frit::op op;
    frit::dtype from;
    bool meets = false;   ///< a meeting is in it
    bool varies = false;  ///< it is another one from thread to thread or from time to time
    bool known = false;   ///< it is an index or a truth that does not, and `word`
    std::uint8_t operands;
    loops::type is;
    loops::expression_id in[4 + 2 * frit::fusion::max_given] = {};
    std::int64_t n;
    std::uint64_t word = 0;
};

/// What all threads of a launch see.
struct launch_state {
    const loops::kernel& kernel;
    const loops::function& f;
    const frit::fusion::launch_shape& shape;
    std::span<const std::uint64_t> words;
    arrays memory;
    unsigned block[3] = {};
    std::vector<node> nodes{};
};
/// Of a function's expressions.
std::vector<node> nodes_of(const loops::function&);

class loops_thread {
public:
    loops_thread(launch_state& l, unsigned number)
        : number(number), x(number % l.shape.block[0]), y(number / l.shape.block[0]), l_(l) {}

    static constexpr loops::expression_id none = loops::nothing, barrier = loops::nothing - 1;

    const unsigned number, x, y;
    const loops::statement* at = nullptr;  ///< the statement that it is in
    loops::expression_id waits = none;     ///< for this meeting there
    bool has_ended() const { return stack_.empty(); }

    void start();
    /// Until it waits or has ended.
    void go_on();
    /// The meeting was held, with this result for the thread.
    void met(const datum& result) {
        met_ = waits;
        result_ = result;
        waits = none;
    }

    datum value(loops::expression_id);
    /// The operands of an expression from the first on.
    std::vector<datum> operands(const node&, std::size_t first);
    datum load(const loops::type&, const datum& address);
    void store(const loops::type&, const datum& address, const datum&);

private:
    struct frame {
        const loops::block* all;
        std::size_t next;
        const loops::statement* head;  // of a loop
    };
    loops::expression_id next_meeting(loops::expression_id);
    loops::expression_id next_meeting(const loops::statement&);
    bool once_more(const loops::statement& head, bool first);
    void enter(const loops::block& b, const loops::statement* head) { stack_.push_back({&b, 0, head}); }
    void execute(const loops::statement&);
    void declare(const loops::statement&);
    void set(std::uint32_t variable, loops::expression_id);
    void copy(const datum& memory, const loops::type&, datum registers, const loops::transfer&, bool in);

    datum constant(const node&);
    datum of_words(const node&) const;
    std::uint64_t launch_index(const node&) const;
    const datum& variable(const node& e) const {
        const auto v = static_cast<std::size_t>(e.n);
        if (!has_value_[v]) throw mistake{"reads " + l_.f.variables[v].name + ", which has no value"};
        return values_[v];
    }
    datum address_of(const node&);
    datum look_up(const node&);
    datum search(const node&);
    datum checked(const node&);
    std::uint64_t clamped(const node&);
    datum compute(const node&);
    std::uint64_t index_of(const node&);
    datum accumulated(const node&);
    datum taken(const node&);
    datum tree(const loops::type&, datum address, std::int64_t count);
    /// Of an index or a truth.
    std::uint64_t word(loops::expression_id id) {
        node& e = l_.nodes[id];
        if (e.known) return e.word;
        if (e.what == loops::code::variable) return variable(e).word[0];
        const std::uint64_t w = word(e);
        if (!e.varies) e.known = true, e.word = w;
        return w;
    }
    std::uint64_t word(const node&);
    bool truth(loops::expression_id id) { return word(id) != 0; }
    const loops::type& type_of(loops::expression_id id) const { return l_.nodes[id].is; }
    const frit::fusion::reduction_rule& rule_of(const loops::type& t) const { return *l_.kernel.rules[t.rule - 1U]; }

    launch_state& l_;
    std::vector<frame> stack_;
    std::vector<datum> values_;          // by variable
    std::vector<char> has_value_;        // likewise
    std::vector<kept_array> registers_;  // by variable
    loops::expression_id met_ = none;
    datum result_{};
};

}  // namespace frit_test
