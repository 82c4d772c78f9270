// A random program over arrays, run step by step through frit and through the reference, and kept as text for people to read
// when the two disagree. The same seed gives the same program, whatever engine runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/reference.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

// One alternative for each dtype.
template <class Ignored, class... T>
using variant_of = std::variant<frit::array<T>...>;
#define FRIT_X(name, type) , type
using any_lazy = variant_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X

struct variable {
    std::string name;
    any_lazy lazy;
    ref::array plain;
};

/// One value inside a statement that is being put together.
struct term {
    ref::array plain;
    std::string text;
};

/// A value that a statement reads; no array need hold it.
struct ingredient {
    frit::composed<frit::detail::run_time> lazy;
    ref::array plain;
    std::string text;
};

/// What stands between the parentheses of x(...), of which one thing at least is an array.
struct subscripts {
    struct item {
        std::variant<frit::composed<frit::detail::run_time>, frit::index> lazy;
        ref::subscript plain;
        std::string text;
    };
    std::vector<item> items;
    ref::selection where;
    std::string text;
};

class recorder;

class random_program {
public:
    /// @param steps statements to make; fewer steps, fewer kernels
    /// @param skipped steps that are left out. Each step draws from numbers of its own, so the others stay what they are.
    random_program(std::uint64_t seed, int steps, std::set<int> skipped = {});

    bool echo = false;  ///< also print each statement before it is recorded: for crashes
    const std::string& text() const { return text_; }
    /// The variables that are held at the end, all evaluated.
    const std::vector<variable>& run();

private:
    void step();
    void leaf();
    void formula();
    void view();
    void update();
    void masked_update();
    void put_where_true();
    void compound();
    void gather();
    void pick_by_mask();
    void scatter();
    void scatter_function();
    void totals();
    void fill_bins();
    void move_elements();
    void join();
    void pad(const variable&);
    void make_mistake();
    void reduction();
    void rows();
    void library();
    void product(const variable& left);
    void manage();

    term expression(recorder&, int depth, const ref::position& extents);
    term operand(recorder&, const ref::position& extents);
    /// Elements of something that is held, at other places, in a shape that broadcasts to `extents`.
    std::optional<ingredient> elsewhere(const ref::position& extents);
    term applied(recorder&, frit::op, int depth, const ref::position& extents);
    /// @param keepdims  the result still broadcasts against the operand
    term reduced(recorder&, const term&, bool keepdims);
    void add(const recorder&, const term&);
    template <class T>
    void add(const frit::array<T>& lazy, ref::array plain, const std::string& what);
    void add(const frit::any_array& lazy, ref::array plain, const std::string& what);
    template <class T>
    variable as(const variable& x);  ///< cast to T
    variable& pick();
    const variable* pick_for(const ref::position& extents);  ///< broadcasts to it
    void say(const std::string& line);
    std::vector<ref::range> random_ranges(const ref::position& extents);
    /// Integers of some dtype within [lo, hi], which broadcast to `extents`: in memory, or computed from what is held.
    ingredient random_indices(const ref::position& extents, std::int64_t lo, std::int64_t hi);
    /// None where the result would be too large.
    std::optional<subscripts> random_subscripts(const ref::position& of);
    ingredient random_mask(const ref::position& extents);
    /// What is written to elements of u in this shape, in u's dtype.
    template <class T>
    ingredient random_values(const variable& u, const ref::position& extents);
    std::vector<ref::range> shifted(const ref::position& extents, const std::vector<ref::range>& of);

    std::uint64_t seed_;
    generator random_;
    int steps_, made_ = 0;
    std::set<int> skipped_;
    std::vector<variable> held_;
    std::string text_;
};

/// The elements of an array.
std::vector<ref::value> read_variable(const variable&);

}  // namespace frit_test
