// The CUDA C++ dialect: how ops, constants and casts are spelled in it, for numbers in a thread's registers. Entry points
// are printed from the loop IR (cuda_loops.cpp), functions come from the prelude; no text has an include.
#include "fusion/codegen/cuda_c.hpp"

#include "fusion/codegen/c_loops.hpp"
#include "fusion/codegen/cuda_prelude.hpp"
#include "fusion/schedules/gpu/gpu.hpp"

namespace frit::inline v0::fusion {
namespace {

class cuda_dialect final : public dialect {
public:
    std::string function(std::string_view f, dtype operand) const override {
        if (in_cuda_prelude(f)) return "frit_" + std::string(f);
        if (is_short(operand)) return "frit_short_" + std::string(f);
        return std::string(f) + (operand == dtype::f32 ? "f" : "");  // CUDA's <cmath>: sinf, sin
    }
    bool has_own(std::string_view op) const override { return in_cuda_prelude(op); }
    std::string constant(std::string_view x, dtype t) const override { return cuda_type(t) + "(" + std::string(x) + ")"; }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to) return std::string(value);
        if (is_short(from)) return cast("frit_widen(" + std::string(value) + ")", dtype::f32, to);
        const std::string v(value), t = cuda_type(to);
        if (is_short(to)) return "frit_narrow<" + t + ">(" + v + ")";
        if (to == dtype::bool_) return v + " != " + cuda_type(from) + "(0)";
        if (is_float(from) && is_integer(to)) return "frit_to<" + t + ">(" + v + ")";
        if (is_integer(from) && is_integer(to)) return t + "(" + t + "::value(" + v + ".v))";
        return "(" + t + ")" + v + (is_integer(from) ? ".v" : "");
    }
    std::string bit_cast(std::string_view value, dtype to) const override {
        return "frit_bits<" + cuda_type(to) + ">(" + std::string(value) + ")";
    }
    std::string prelude(const kernel_spec&, const target&, std::string_view kernel) const override {
        return cuda_prelude_for(kernel);
    }
    std::string kernel(const kernel_spec& spec, const target&, const std::string& name) const override {
        return cuda_text(gpu_loops(spec, name), *this);
    }
};

}  // namespace

const dialect& cuda_c() {
    static const cuda_dialect d;
    return d;
}

std::string cuda_kernel_text(const kernel_spec& spec, const target& t, const std::string& name) {
    return cuda_c().kernel(spec, t, name);
}

}  // namespace frit::v0::fusion
