// The CUDA dialect, without a GPU: specs that between them use every op, dtype and feature of a schedule are generated and
// compiled by NVRTC for three generations of GPUs.
#include <gtest/gtest.h>

#include <set>

#include "frit/error.hpp"
#include "fusion/codegen/cuda_c.hpp"
#include "fusion/codegen/dialect.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "src/cuda/device.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/row_specs.hpp"
#include "tests/cuda/spec_lists.hpp"

namespace {

using namespace frit_test;
using frit::fusion::cuda_c;
using frit::fusion::emit;
using frit::fusion::target;

TEST(CudaCodegen, EveryOpCompilesForEveryDtype) {
    FRIT_NEEDS_NVRTC();
    const auto specs = every_op();
    EXPECT_GE(specs.size(), 70U);
    FRIT_EXPECT_COMPILES(texts_of(specs), 90);
}
TEST(CudaCodegen, EveryCastCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(every_cast()), 90);
}
TEST(CudaCodegen, ComplexNumbersCompile) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(complex_numbers()), 90);
}
TEST(CudaCodegen, EveryVectorWidthCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(every_vector_width()), 90);
}
TEST(CudaCodegen, EveryLayoutCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(every_layout()), 90);
}
TEST(CudaCodegen, EveryReductionCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(every_reduction()), 90);
    FRIT_EXPECT_COMPILES(texts_of(with_row_code()), 90);
}
TEST(CudaCodegen, EveryTallyCompiles) {
    FRIT_NEEDS_NVRTC();
    for (int sm : {80, 90, 100}) FRIT_EXPECT_COMPILES(texts_of(every_tally()), sm);
}
// What mends few places stands behind a condition.
TEST(CudaCodegen, PlacesAreMendedWhereTheyMustBe) {
    const std::string text = frit::fusion::cuda_kernel_text(every_tally().back(), target{}, "k");
    const std::size_t condition = text.find("if (((int)"), product = text.find(" * t", condition);
    EXPECT_NE(condition, std::string::npos) << text;
    EXPECT_LT(product, text.find("}", condition)) << text;
    EXPECT_GT(text.find(" * t"), condition) << text;
}
TEST(CudaCodegen, TheWorkloadsCompileForThreeGenerations) {
    FRIT_NEEDS_NVRTC();
    auto specs = workloads();
    for (const kernel_spec& s : with_row_code()) specs.push_back(s);
    for (int sm : {80, 90, 100}) FRIT_EXPECT_COMPILES(texts_of(specs), sm);
}

TEST(CudaCodegen, EveryColumnSumCompiles) {
    FRIT_NEEDS_NVRTC();
    for (int sm : {80, 90, 100}) FRIT_EXPECT_COMPILES(texts_of(every_column_sum()), sm);
}

TEST(CudaCodegen, TheLoopsHold) {
    std::set<std::string_view> schedules;
    const auto look = [&](const kernel_spec& spec) {
        schedules.insert(frit::fusion::gpu_schedule_of(spec).name);
        EXPECT_EQ(check(frit::fusion::gpu_loops(spec, "k")), "") << to_string(spec);
    };
    for (const auto& list :
         {every_op(), every_cast(), complex_numbers(), every_vector_width(), every_layout(), every_reduction(),
          every_tally(), every_column_sum(), workloads(), with_row_code(), specs_of(corner_cases())})
        for (const kernel_spec& spec : list) look(spec);
    EXPECT_GE(schedules.size(), 5U) << "tiles and patches are planned: tests/cuda/stand_in.cpp asks the same of those";
}

// mod and fmod are one function by two names; of bools, max is any and min is all. Short forms have functions of their own.
bool spelled_before(const kernel_spec& spec) {
    if (!spec.reductions.empty() && spec.body.back().type == dtype::bool_ && spec.body.size() == 1)
        return spec.reductions[0].code == op::any || spec.reductions[0].code == op::all;
    const op code = spec.body.back().code;
    if (!frit::is_elementwise(code) || frit::info(code).types == frit::op_types::SHORT) return false;
    for (int k = 0; k < static_cast<int>(code); ++k)
        if (frit::info(static_cast<op>(k)).spelling == frit::info(code).spelling) return true;
    return false;
}

TEST(CudaCodegen, TextIsAFunctionOfTheSpecAndNeedsNoInclude) {
    std::set<std::string> texts;
    std::size_t count = 0;
    for (const auto& list :
         {every_op(), every_cast(), every_layout(), every_reduction(), every_tally(), workloads(), with_row_code()})
        for (const kernel_spec& spec : list) {
            const std::string text = emit(spec, cuda_c(), target{});
            EXPECT_EQ(text, emit(spec, cuda_c(), target{}));
            const std::string kernel = frit::fusion::cuda_kernel_text(spec, target{}, "frit_kernel");
            EXPECT_EQ(text, frit::fusion::cuda_prelude_for(kernel) + "\n" + kernel);
            EXPECT_EQ(text.find("#include"), std::string::npos);
            EXPECT_EQ(text.find("__restrict__"), std::string::npos) << "outputs may be their inputs' memory";
            texts.insert(text);
            count += !spelled_before(spec);
        }
    EXPECT_EQ(texts.size(), count) << "two specs of the lists above have one text";
}

TEST(CudaCodegen, APreludeHoldsOnlyWhatIsUsed) {
    const std::string text = emit(axpb(), cuda_c(), target{});
    for (const char* absent : {"frit_div", "i64", "frit_block_total", "frit_clamp"})
        EXPECT_EQ(text.find(absent), std::string::npos) << absent << " in\n" << text;
    for (const char* present : {"frit_load", "frit_stream", "frit_pack"})
        EXPECT_NE(text.find(present), std::string::npos) << present;
}

// A kernel without a loop needs a block for every part of its domain, or nothing would compute the rest.
TEST(CudaCodegen, MoreBlocksThanAGpuStartsAreRefused) {
    const frit::fusion::kernel_spec spec = axpb(1);
    const target facts = frit::detail::cuda::facts_of(90, 132, 13000);
    const std::uint64_t least = frit::fusion::pointwise_threads * frit::fusion::flat_lanes(spec), most = 0x7fffffff * least;
    EXPECT_EQ(frit::fusion::gpu_launch_shape(frit::fusion::gpu_schedule_of(spec), spec, &most, facts).grid[0], 0x7fffffffU);
    const std::uint64_t more = most + 1;
    EXPECT_THROW(frit::fusion::gpu_launch_shape(frit::fusion::gpu_schedule_of(spec), spec, &more, facts), frit::error);
}

}  // namespace
