// The loader of compiled kernels, without a compiler: an object that LLVM made once, kept with the fuzzer's inputs, is
// loaded, called, cut short and damaged. FRIT_UPDATE_GOLDEN=1 makes it anew from the text here.
#include "src/cpu/object.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "frit/error.hpp"
#include "src/cpu/llvm.hpp"

namespace {

using frit::detail::loaded_object;

const std::string path = FRIT_TEST_SOURCE_DIR "/fuzz/corpus/object/whole";
constexpr const char* text = R"(
@frit_math_sin_f32 = global ptr null
@counter = global i64 0
@filled = global [3 x i32] [i32 7, i32 8, i32 9]
@place = global ptr getelementptr ([3 x i32], ptr @filled, i64 0, i64 2)
@table = constant [4 x double] [double 1.5, double 2.5, double 3.5, double 4.5]
@outside = external global i32
@hidden = private constant [2 x <4 x float>] [<4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, <4 x float> zeroinitializer]
declare i32 @far(i32)
declare extern_weak i32 @nowhere(i32)
define i32 @frit_kernel(i32 %x) nounwind {
  %n = load i64, ptr @counter
  %m = add i64 %n, 1
  store i64 %m, ptr @counter
  %o = load i32, ptr @outside
  %y = call i32 @far(i32 %x)
  %z = add i32 %y, %o
  ret i32 %z
}
define float @lane(i64 %k) nounwind {
  %p = getelementptr float, ptr @hidden, i64 %k
  %x = load float, ptr %p
  ret float %x
}
define float @through(float %x) nounwind {
  %f = load ptr, ptr @frit_math_sin_f32
  %y = tail call float %f(float %x)
  ret float %y
}
define i1 @has_nowhere() nounwind {
  %is = icmp ne ptr @nowhere, null
  ret i1 %is
}
define i32 @choose(i32 %k) nounwind {
  switch i32 %k, label %other [ i32 0, label %a  i32 1, label %b  i32 2, label %c  i32 3, label %d  i32 4, label %e ]
a:
  ret i32 11
b:
  %f = call i32 @far(i32 5)
  ret i32 %f
c:
  %g = call i32 @frit_kernel(i32 6)
  ret i32 %g
d:
  store i64 0, ptr @counter
  ret i32 14
e:
  ret i32 95
other:
  ret i32 -1
}
)";

std::string read_whole() {
    if (std::getenv("FRIT_UPDATE_GOLDEN"))
        std::ofstream(path, std::ios::binary) << frit::detail::compile_ir(text, frit::detail::isa_level::baseline);
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
const std::string& whole() {
    static const std::string bytes = read_whole();
    return bytes;
}

int far_calls = 0;
std::int32_t outside = 100;
extern "C" std::int32_t far_function(std::int32_t x) {
    ++far_calls;
    return 2 * x;
}
void* resolve(std::string_view name) {
    if (name == "far") return reinterpret_cast<void*>(&far_function);
    if (name == "outside") return &outside;
    return nullptr;
}

template <class F>
F* function_of(const loaded_object& o, std::string_view name) {
    return reinterpret_cast<F*>(o.find(name));
}

std::string problem_of(const std::string& bytes) {
    try {
        loaded_object::load(bytes, resolve);
    } catch (const frit::io_error& e) {
        return e.what();
    }
    return {};
}

class Object : public testing::Test {
    void SetUp() override {
#if !defined(__x86_64__)
        EXPECT_NE(problem_of(whole()).find("x86-64"), std::string::npos);
        GTEST_SKIP() << "objects are loaded on x86-64 alone";
#endif
        ASSERT_GT(whole().size(), 1000U) << path;
        ASSERT_LT(whole().size(), 8192U);
    }
};

TEST_F(Object, IsCalledAndHoldsItsVariables) {
    const auto o = loaded_object::load(whole(), resolve);
    EXPECT_EQ(o->find("not there"), nullptr);
    EXPECT_EQ(o->find("hidden"), nullptr);
    EXPECT_EQ(o->find("far"), nullptr);
    EXPECT_EQ(o->find(""), nullptr);
    auto* const counter = static_cast<std::int64_t*>(o->find("counter"));
    ASSERT_NE(counter, nullptr);
    EXPECT_EQ(*counter, 0);
    far_calls = 0;
    outside = 100;
    auto* const kernel = function_of<std::int32_t(std::int32_t)>(*o, "frit_kernel");
    EXPECT_EQ(kernel(21), 142);
    outside = 200;
    EXPECT_EQ(kernel(21), 242);
    EXPECT_EQ(*counter, 2);
    EXPECT_EQ(far_calls, 2);
    const auto* const filled = static_cast<const std::int32_t*>(o->find("filled"));
    EXPECT_EQ(filled[0] + filled[1] + filled[2], 24);
    EXPECT_EQ(*static_cast<const std::int32_t* const*>(o->find("place")), filled + 2);
    EXPECT_EQ(static_cast<const double*>(o->find("table"))[3], 4.5);
}

TEST_F(Object, ReadsConstantsAndCallsThroughVariables) {
    const auto o = loaded_object::load(whole(), resolve);
    auto* const lane = function_of<float(std::int64_t)>(*o, "lane");
    for (int k = 0; k < 8; ++k) EXPECT_EQ(lane(k), k < 4 ? static_cast<float>(k + 1) : 0.0F);
    using function = float (*)(float);
    *static_cast<function*>(o->find("frit_math_sin_f32")) = [](float x) { return -x; };
    EXPECT_EQ(function_of<float(float)>(*o, "through")(3.0F), -3.0F);
    EXPECT_FALSE(function_of<bool()>(*o, "has_nowhere")());
    auto* const choose = function_of<std::int32_t(std::int32_t)>(*o, "choose");
    outside = 0;
    const std::int32_t expected[] = {11, 10, 12, 14, 95, -1};
    for (int k = 0; k < 6; ++k) EXPECT_EQ(choose(k), expected[k]) << k;
}

TEST_F(Object, CopiesAreApart) {
    const auto a = loaded_object::load(whole(), resolve);
    auto b = loaded_object::load(whole(), resolve);
    function_of<std::int32_t(std::int32_t)>(*a, "frit_kernel")(1);
    EXPECT_EQ(*static_cast<std::int64_t*>(a->find("counter")), 1);
    EXPECT_EQ(*static_cast<std::int64_t*>(b->find("counter")), 0);
    b.reset();
    EXPECT_EQ(function_of<std::int32_t(std::int32_t)>(*a, "choose")(4), 95);
}

// The rights of the memory at an address, as the system shows them: "r-xp".
std::string rights_at(const void* at) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream in(line);
        std::uintptr_t first = 0, last = 0;
        char dash = 0;
        std::string rights;
        in >> std::hex >> first >> dash >> last >> rights;
        if (const auto here = reinterpret_cast<std::uintptr_t>(at); first <= here && here < last) return rights;
    }
    return {};
}

TEST_F(Object, NothingIsWritableAndExecutable) {
    const auto o = loaded_object::load(whole(), resolve);
    EXPECT_EQ(rights_at(o->find("frit_kernel")), "r-xp");
    EXPECT_EQ(rights_at(o->find("table")), "r--p");
    EXPECT_EQ(rights_at(o->find("filled")), "rw-p");
    EXPECT_EQ(rights_at(o->find("counter")), "rw-p");
}

TEST_F(Object, ASymbolThatIsNotThereIsNamed) {
    try {
        loaded_object::load(whole(), [](std::string_view name) { return name == "outside" ? &outside : nullptr; });
        FAIL() << "loaded";
    } catch (const frit::io_error& e) {
        EXPECT_STREQ(e.what(), "compiled kernel: it needs far, which is not there");
    }
    EXPECT_THROW(loaded_object::load(whole(), nullptr), frit::io_error);
}

TEST_F(Object, CutShortItIsAnError) {
    for (std::size_t n = 0; n < whole().size(); ++n) EXPECT_NE(problem_of(whole().substr(0, n)), "") << n << " bytes";
    EXPECT_EQ(problem_of(whole()), "");
}

// Loaded or refused: what is flipped in code is not seen.
TEST_F(Object, FlippedBytesAreNoCrash) {
    int refused = 0;
    for (std::size_t at = 0; at < whole().size(); ++at)
        for (const int mask : {0x01, 0x10, 0x80, 0xff}) {
            std::string bytes = whole();
            bytes[at] = static_cast<char>(bytes[at] ^ mask);
            try {
                loaded_object::load(bytes, resolve)->find("frit_kernel");
            } catch (const frit::io_error&) {
                ++refused;
            }
        }
    EXPECT_GT(refused, 500);
}

// Every place of the relocations' types, changed.
std::string with_type(std::uint32_t from, std::uint32_t to) {
    std::string bytes = whole();
    const auto value = [&]<class T>(T, std::uint64_t at) {
        T v;
        std::memcpy(&v, bytes.data() + at, sizeof v);
        return v;
    };
    const auto header = value(Elf64_Ehdr{}, 0);
    for (int k = 0; k < header.e_shnum; ++k) {
        const auto section = value(Elf64_Shdr{}, header.e_shoff + k * sizeof(Elf64_Shdr));
        if (section.sh_type != SHT_RELA) continue;
        for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Rela)) {
            auto r = value(Elf64_Rela{}, section.sh_offset + at);
            if (ELF64_R_TYPE(r.r_info) != from) continue;
            r.r_info = ELF64_R_INFO(ELF64_R_SYM(r.r_info), to);
            std::memcpy(bytes.data() + section.sh_offset + at, &r, sizeof r);
        }
    }
    return bytes;
}

TEST_F(Object, RelocationsOfFixedAddressesAreRefused) {
    EXPECT_NE(problem_of(with_type(R_X86_64_PLT32, R_X86_64_32)).find("type 10,"), std::string::npos);
    EXPECT_NE(problem_of(with_type(R_X86_64_PC32, R_X86_64_32S)).find("type 11,"), std::string::npos);
    EXPECT_NE(problem_of(with_type(R_X86_64_PLT32, R_X86_64_PC32)).find("far may be out of reach"), std::string::npos);
}

}  // namespace
