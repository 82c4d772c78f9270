// The dialect for $CXX: C++ with explicit vector lanes over the prelude, around the loops of fusion/schedules/host.
#include "fusion/codegen/host_c.hpp"

#include <set>
#include <string>

#include "fusion/codegen/c_loops.hpp"
#include "fusion/schedules/host/host.hpp"

namespace frit::inline v0::fusion {
namespace {

#define FRIT_VECTOR_BYTES 16
// Each stands on those before it.
// clang-format off
#include "fusion/codegen/host_prelude_types.hpp"
#include "fusion/codegen/host_prelude_vectors.hpp"
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_division.hpp"
#include "fusion/codegen/host_prelude_math.hpp"
#include "fusion/codegen/host_prelude_part.hpp"
#include "fusion/codegen/host_prelude_kernel.hpp"
#include "fusion/codegen/host_prelude_complex.hpp"
// clang-format on
#undef FRIT_VECTOR_BYTES

constexpr const char* prelude_text =
#include "frit_host_prelude.inc"
    ;
constexpr const char* half_prelude_text =  // of kernels with 16-bit floats alone
#include "frit_host_prelude_half.inc"
    ;

constexpr const char* complex_prelude_text =  // of kernels with complex numbers alone
#include "frit_host_prelude_complex.inc"
    ;

#include "fusion/codegen/prelude_functions.inc"

class host_dialect final : public dialect {
public:
    std::string function(std::string_view f, dtype operand) const override {
        if (is_short(operand) && f == "nextafter") return "fn::next_short";
        return "fn::" + std::string(f);
    }
    std::string constant(std::string_view x, dtype t) const override {
        return "fn::constant<V<" + host_type(t) + ">>(" + std::string(x) + ")";
    }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to && (is_short(to) || is_complex(to))) return std::string(value);  // a copy
        const std::string number = is_short(from) ? "fn::widen(" + std::string(value) + ")" : std::string(value);
        if (is_short(from) && to == dtype::f32) return number;
        return (is_short(to) ? "fn::narrow<" : "fn::to<") + host_type(to) + ">(" + number + ")";
    }

    std::string bit_cast(std::string_view value, dtype to) const override {
        return "fn::bits<" + host_type(to) + ">(" + std::string(value) + ")";
    }

    // A function of the vector math table for the text's own lanes.
    static std::string declaration(op function, dtype type, const std::string& variable) {
        const bool two = info(function).arity == 2;
        const std::string t = host_type(type), full = variable + "_full", lanes = "vec<" + t + ", N> ";
        return "typedef fn::lanes<" + t + ", FRIT_VECTOR_BYTES / sizeof(" + t + ")>::type " + full +
               ";\nextern \"C\" { __attribute__((visibility(\"default\"))) " + full + " (*" + variable + ")(" + full +
               (two ? ", " + full : "") + ") = nullptr; }\nnamespace fn {\ntemplate <int N>\nFRIT_INLINE " + lanes +
               std::string(info(function).name) + "(" + lanes + "a" + (two ? ", " + lanes + "b" : "") + ") { return call_" +
               (function == op::pow ? "pow" : "math") + "(" + variable + (two ? ", a, b" : ", a") + "); }\n}\n";
    }

    std::string prelude(const kernel_spec& spec, const target& t, std::string_view) const override {
        std::string out = "#define FRIT_VECTOR_BYTES " + std::to_string(t.vector_bytes) + "\n" + prelude_text;
        if (has_short_floats(spec)) out += half_prelude_text;
        if (has_complex_numbers(spec)) out += complex_prelude_text;
        std::set<std::string> done;
        each_instruction(spec, [&](const instruction& i) {
            for (const op function : host_math_functions(i.code, i.type)) {
                const std::string variable = host_math_variable(function, i.type);
                if (done.insert(variable).second) out += declaration(function, i.type, variable);
            }
        });
        return out + "typedef fn::i64 i64;\n";
    }

    std::string kernel(const kernel_spec& spec, const target& t, const std::string& name) const override {
        return "namespace body {\n" + host_text(host_loops(spec, t, name), *this) + "}\n";
    }
};

}  // namespace

std::vector<op> host_math_functions(op code, dtype operand) {
    std::vector<op> functions;
    if (!is_elementwise(code) || !is_float(operand) || is_short(operand)) return functions;
    const std::string_view spelling = info(code).spelling;
    for (std::size_t at = spelling.find("FN("); at != std::string_view::npos; at = spelling.find("FN(", at)) {
        at += 3;
        const std::string_view name = spelling.substr(at, spelling.find(')', at) - at);
        for (int k = 0; k < detail::count_ops; ++k)
            if (const op_info& row = info(static_cast<op>(k));
                row.name == name && row.types != op_types::INT && !defined_in_prelude[k])
                functions.push_back(static_cast<op>(k));
    }
    return functions;
}

std::string host_math_variable(op function, dtype operand) {
    return "frit_math_" + std::string(info(function).name) + (operand == dtype::f64 ? "_f64" : "_f32");
}

const dialect& host_c() {
    static const host_dialect instance;
    return instance;
}

}  // namespace frit::v0::fusion
