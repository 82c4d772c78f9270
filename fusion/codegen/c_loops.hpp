// Prints the loop IR as C: names, blocks, what all languages of that family spell alike. A language of it derives from
// c_printer: its table of patterns says how codes, statements and routines are called there, and what has no pattern it
// writes itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fusion/codegen/dialect.hpp"
#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion {

/// One function. In patterns $a, $b, ... are operands, $n is the number; other letters are the language's.
class c_printer {
public:
    virtual ~c_printer() = default;
    c_printer(const loops::kernel& k, const dialect& d) : f_(k.entry), dialect_(d), names_(f_.variables.size()) {}

protected:
    // --- the language ---
    virtual std::string_view pattern_of(loops::code) const = 0;
    virtual std::string_view pattern_of(loops::act) const = 0;
    virtual std::string type(const loops::type&) const = 0;
    /// What $letter is, of an expression or a statement.
    virtual std::string filled(char letter, const loops::type&) = 0;
    virtual std::string special(const loops::expression&) = 0;       ///< without a pattern
    virtual std::string computed(const loops::expression&);          ///< an op of the table
    virtual void special(const loops::statement&, int depth) = 0;    ///< likewise
    virtual std::string declared(const loops::variable&) const = 0;  ///< an array's declaration; its name is `$`
    /// The value of an expression as a variable of this type keeps it.
    virtual std::string assigned(const loops::type&, loops::expression_id from) { return value(from); }
    virtual std::string constant_type(const loops::type& t) const { return type(t); }  ///< of what is set once
    virtual std::string unroll(std::uint32_t) const = 0;                               ///< a line, or nothing

    // --- names: a variable has its own unless one around it has the same ---
    void name(std::uint32_t variable);
    const std::string& name_of(std::int64_t variable) const { return names_[static_cast<std::size_t>(variable)]; }

    // --- text ---
    std::string filled(std::string_view pattern, const std::vector<loops::expression_id>& in, std::int64_t n,
                       const loops::type&);
    std::string value(loops::expression_id);
    void line(int depth, const std::string& text) {
        out_ += std::string(4 * static_cast<std::size_t>(depth), ' ') + text + "\n";
    }
    void block(const loops::block&, int depth);

    const loops::function& f_;
    const dialect& dialect_;
    std::string out_;

private:
    void print(const loops::statement&, int depth);
    std::string declaration(const loops::statement&);
    void loop(const loops::statement&, int depth);
    void when(const loops::statement&, int depth);

    std::vector<std::string> names_;    // by variable, once declared
    std::vector<std::string> visible_;  // those that may be read here
};

}  // namespace frit::v0::fusion
