// Expressions of the loop IR as LLVM's instructions: what a code is called there. Variables that change are memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fusion/codegen/llvm_moves.hpp"
#include "fusion/loops/ir.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion::llvm {

class expression_writer : public move_writer {
public:
    expression_writer(const loops::kernel& k, const target& t)
        : move_writer(k.lanes, t.vector_bytes, t.has_fma), f_(k.entry), names_(f_.variables.size()) {}

protected:
    const loops::expression& at(loops::expression_id id) const { return f_.expressions[id]; }
    const loops::type& type_of(std::int64_t variable) const { return f_.variables[static_cast<std::size_t>(variable)].is; }
    static std::string type_name(const loops::type&);
    std::string slot_type(const loops::type&) const;

    /// The index, where it is known now: what an unrolled loop counts, and sums and products of that. LLVM takes an array
    /// into registers where all its elements' places are constants from the start.
    std::optional<std::int64_t> constant_of(loops::expression_id) const;
    /// What an expression is, which must not be lanes, or must.
    std::string scalar(loops::expression_id);
    lanes_value lanes_of(loops::expression_id);
    row_part row_part_of(const std::vector<loops::expression_id>& in, std::size_t first);
    /// The address of an array's element.
    std::string place(std::int64_t array, loops::expression_id index) {
        return result("getelementptr " + slot_type(type_of(array)) + ", ptr " + variable_at(array).scalar + ", i64 " +
                      scalar(index));
    }

    struct variable_name {
        std::string scalar{};  ///< its value, or where it lies
        lanes_value lanes{};
        bool memory = false;
        std::optional<std::int64_t> known{};
    };
    variable_name& variable_at(std::int64_t variable) { return names_[static_cast<std::size_t>(variable)]; }
    const variable_name& variable_at(std::int64_t variable) const { return names_[static_cast<std::size_t>(variable)]; }

    const loops::function& f_;

private:
    static std::string constant(const loops::expression&);
    lanes_value lanes_constant(const loops::expression&);
    std::string word(const loops::expression&);
    std::string variable(const loops::expression&);
    std::string one_of(const char* predicate, const loops::expression&);

    std::string choice(const loops::expression&);
    lanes_value lanes_choice(const loops::expression&);
    lanes_value lanes_read(const loops::expression&);
    std::string phi(const std::string& type, const std::string& a, const std::string& b, const ends&);

    std::vector<variable_name> names_;
};

}  // namespace frit::v0::fusion::llvm
