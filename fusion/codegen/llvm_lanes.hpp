// Instructions of LLVM's intermediate representation over lanes, as text: each call appends one and gives the number of its
// result. What an op of the table amounts to in them is not written anywhere: the prelude runs over symbols of this writer
// (host_prelude_symbols.hpp), so that a function stands once for all CPU engines.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::fusion::llvm {

enum class element : std::uint8_t { i8, i16, i32, i64, f32, f64 };
constexpr int bytes_of(element e) {
    constexpr int bytes[] = {1, 2, 4, 8, 4, 8};
    return bytes[static_cast<int>(e)];
}
constexpr bool is_float(element e) { return e >= element::f32; }
std::string_view name_of(element);
/// What a dtype's lanes are made of; of a complex one its parts, of bool bytes.
element element_of(dtype);

/// The name of a result.
using id = std::uint32_t;

/// Functions of the vector math table: a global pointer for each, which the loader fills in.
struct table_function {
    op function;
    element of;
    friend auto operator<=>(const table_function&, const table_function&) = default;
};

class lane_writer {
public:
    /// @param lanes  of every vector;  vector_bytes, has_fma: what the level has
    lane_writer(int lanes, int vector_bytes, bool has_fma) : lanes_(lanes), vector_bytes_(vector_bytes), has_fma_(has_fma) {}

    int lanes() const { return lanes_; }
    bool has_fma() const { return has_fma_; }
    bool has_halves() const { return vector_bytes_ > 16; }  // F16C comes with AVX2's level
    bool has_scalef() const { return vector_bytes_ > 32; }  // AVX-512's

    // --- results ---
    id constant(element, std::uint64_t bits);
    id truth_constant(bool);
    /// A result that another writer's text has named; truths are vectors of i1.
    id named(std::string name, element, bool truth = false);
    id binary(std::string_view instruction, id a, id b);
    id negated(id a);                                    ///< of floats: the sign changes
    id compare(std::string_view predicate, id a, id b);  ///< "fcmp olt", "icmp slt": a mask
    id select(id mask, id a, id b);
    id converted(std::string_view instruction, id a, element to);  ///< "sext", "fptosi", ...
    id as_mask(id mask, element wide);                             ///< lanes of all ones or zeros, as wide as these
    id bitcast(id a, element to);
    id intrinsic(const std::string& name, std::initializer_list<id> operands);
    id halves_as_floats(id a);
    id floats_as_halves(id a);
    id shuffled(id a, id b, const std::vector<int>& from);
    id table_call(op function, std::initializer_list<id> operands);
    id scalef(id a, id n);  ///< a 2^n for a whole n

    /// "<8 x float>"; of truths "<8 x i1>".
    std::string type(id) const;
    std::string vector(element, int lanes) const;
    std::string truths_type() const { return "<" + std::to_string(lanes_) + " x i1>"; }
    /// The result as numbers: a mask becomes all ones or zeros.
    std::string value(id);
    /// A mask as i1; numbers by their lowest bit.
    std::string truth(id);
    element of(id a) const { return entries_[a].of; }
    bool is_truth(id a) const { return entries_[a].truth; }

    // --- text ---
    std::string fresh() { return "%v" + std::to_string(++count_); }
    void line(std::string_view text) { out_.append("  ").append(text).append("\n"); }
    std::string result(std::string_view text) {
        std::string name = fresh();
        out_.append("  ").append(name).append(" = ").append(text).append("\n");
        return name;
    }
    /// What a function is called with.
    struct operand {
        std::string type, value;
    };
    /// "call ...", of a function that is then declared as well.
    std::string call(const std::string& returns, const std::string& symbol, const std::vector<operand>& in);

protected:
    std::string splat_of(const std::string& scalar_type, const std::string& constant, const std::string& key);

    std::string out_;    ///< of the function that is being written
    std::string entry_;  ///< constants: in front of it
    std::set<std::string> declared_;
    std::set<table_function> tables_;

private:
    struct entry {
        std::string name;
        element of;
        bool truth;
    };
    id add(std::string name, element e, bool truth = false) {
        entries_.push_back({std::move(name), e, truth});
        return static_cast<id>(entries_.size() - 1);
    }

    std::string on_registers(std::initializer_list<id> operands, const std::string& function, const std::string& more);

    const int lanes_, vector_bytes_;
    const bool has_fma_;
    std::uint32_t count_ = 0;
    std::vector<entry> entries_;
    std::map<std::string, std::string> constants_;
};

/// What a value of one dtype in lanes is: complex numbers come in two vectors, as they lie in memory.
struct lanes_value {
    id first = 0, second = 0;
};
/// An op of the table over operands whose dtype (operand a's; of selections b's) is `by`.
lanes_value computed(lane_writer&, op, dtype by, const std::vector<lanes_value>&);
lanes_value cast(lane_writer&, const lanes_value&, dtype from, dtype to);

/// "frit_math_sin_f32", as in text for $CXX.
std::string name_of(const table_function&);

}  // namespace frit::v0::fusion::llvm
