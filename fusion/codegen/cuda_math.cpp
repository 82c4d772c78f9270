// <cmath> for CUDA text where CUDA's own functions miss the op table's bound of 4 ulp.
// Source of the bounds: CUDA C++ Programming Guide, "Mathematical Functions", the tables of maximum errors. In f32 lgammaf
// (6, and more between -10.001 and -2.264), tgammaf (5) and normcdff (5) exceed it, in f64 erfc (5), normcdf (5) and tgamma
// (10); lgamma in f64 is within 4 outside (-23.0001, -2.2637) alone. All others that the table calls are within 4.
#include "fusion/codegen/cuda_prelude.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr cuda_prelude_entry entries[] = {
    {"frit_lgamma", R"(
__device__ inline float frit_lgamma(float a) { return (float)lgamma((double)a); }
__device__ inline double frit_lgamma(double a) { return lgamma(a); }
)"},
};

}  // namespace

std::span<const cuda_prelude_entry> cuda_math_entries() { return entries; }

}  // namespace frit::v0::fusion
