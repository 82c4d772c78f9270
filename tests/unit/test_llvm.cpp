// LLVM in this process: what it compiles has the bits that C++ has, for each level of the CPU; and what goes wrong in it,
// text that it refuses, memory that runs out, errors for which it would end the process, forks, is an error of frit's.
#include "src/cpu/llvm.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "frit/error.hpp"
#include "frit/frit.hpp"
#include "fusion/codegen/llvm_loops.hpp"
#include "fusion/loops/build.hpp"
#include "src/base/env.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/object.hpp"
#include "tests/support/engines.hpp"

namespace {

using frit::detail::compile_ir;
using frit::detail::isa_level;
using frit::detail::loaded_object;

class with_library {
public:
    explicit with_library(const std::string& name) : before_(frit::detail::env()) {
        frit::detail::environment e = before_;
        e.llvm = name;
        frit::detail::override_environment(e);
    }
    ~with_library() { frit::detail::override_environment(before_); }
    with_library(const with_library&) = delete;
    with_library& operator=(const with_library&) = delete;

private:
    frit::detail::environment before_;
};

class Llvm : public testing::Test {
    void SetUp() override {
        if (const auto found = frit::detail::find_llvm(); !found.found) GTEST_SKIP() << found.text;
    }
};

std::vector<isa_level> levels() {
    std::vector<isa_level> all;
    for (int k = 0; k <= static_cast<int>(frit::detail::machine_isa()); ++k) all.push_back(static_cast<isa_level>(k));
    return all;
}

// Lanes are as wide as they like on every level, so calls go by memory.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

void* resolve(std::string_view name) {
    if (name == "fmaf") return reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma));
    if (name == "fma") return reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma));
    return nullptr;
}

template <class F>
F* function_of(const loaded_object& o, std::string_view name) {
    return reinterpret_cast<F*>(o.find(name));
}

// @sum: x * y + z in two roundings, @fused: in one; @local: a variable on the stack in a loop.
std::string lanes_text(const std::string& type, int width) {
    const std::string w = std::to_string(width), suffix = "v" + w + (type == "float" ? "f32" : "f64");
    return replaced(replaced(R"(
declare V @llvm.fma.S(V, V, V)
define void @sum(ptr %to, ptr %x, ptr %y, ptr %z) nounwind {
  %a = load V, ptr %x, align 4
  %b = load V, ptr %y, align 4
  %c = load V, ptr %z, align 4
  %p = fmul V %a, %b
  %s = fadd V %p, %c
  store V %s, ptr %to, align 4
  ret void
}
define void @fused(ptr %to, ptr %x, ptr %y, ptr %z) nounwind {
  %a = load V, ptr %x, align 4
  %b = load V, ptr %y, align 4
  %c = load V, ptr %z, align 4
  %s = call V @llvm.fma.S(V %a, V %b, V %c)
  store V %s, ptr %to, align 4
  ret void
}
define void @local(ptr %to, ptr %x, ptr %y, ptr %z) nounwind {
entry:
  %v = alloca V, align 64
  %first = load V, ptr %z, align 4
  store V %first, ptr %v, align 64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = load V, ptr %x, align 4
  %old = load V, ptr %v, align 64
  %new = fadd V %old, %a
  store V %new, ptr %v, align 64
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 3
  br i1 %more, label %loop, label %done
done:
  %last = load V, ptr %v, align 64
  store V %last, ptr %to, align 4
  ret void
}
)",
                             "V", "<" + w + " x " + type + ">"),
                    ".S(", "." + suffix + "(");
}

template <class T>
void check_lanes(isa_level level, int width) {
    const auto o =
        loaded_object::load(compile_ir(lanes_text(std::is_same_v<T, float> ? "float" : "double", width), level), resolve);
    std::vector<T> x, y, z, to(static_cast<std::size_t>(width));
    for (int k = 0; k < width; ++k) {
        x.push_back(T(1) / T(k + 3));
        y.push_back(T(k + 3) * (T(1) + std::numeric_limits<T>::epsilon()));
        z.push_back(k == 1 ? T(-0.0) : T(-1));
    }
    const auto run = [&](const char* name, const std::function<T(T, T, T)>& expected) {
        auto* const f = function_of<void(T*, const T*, const T*, const T*)>(*o, name);
        ASSERT_NE(f, nullptr) << name;
        f(to.data(), x.data(), y.data(), z.data());
        for (int k = 0; k < width; ++k) {
            const T want = expected(x[k], y[k], z[k]);
            EXPECT_EQ(std::memcmp(&want, &to[k], sizeof(T)), 0)
                << name << " " << width << " " << name_of(level) << ": lane " << k << " is " << to[k] << ", not " << want;
        }
    };
    run("sum", [](T a, T b, T c) { return a * b + c; });
    run("fused", [](T a, T b, T c) { return std::fma(a, b, c); });
    run("local", [](T a, T, T c) { return c + a + a + a; });
}

TEST_F(Llvm, LanesHaveTheBitsOfCpp) {
    for (const isa_level level : levels())
        for (const int width : {1, 4, 8, 16}) {
            check_lanes<float>(level, width);
            check_lanes<double>(level, width);
        }
}

TEST_F(Llvm, VectorsOf512BitsStayWhole) {
    const std::string object = compile_ir(lanes_text("float", 16), isa_level::avx512);
    EXPECT_NE(object.find("\x62\xf1\x7c\x48\x58"), std::string::npos) << "no vaddps on zmm";
    EXPECT_EQ(compile_ir(lanes_text("float", 16), isa_level::avx2).find("\x62\xf1\x7c\x48\x58"), std::string::npos);
}

TEST_F(Llvm, CallsThroughAVariableThatTheCallerSets) {
    const auto o = loaded_object::load(compile_ir(R"(
@frit_math_sin_f32 = global ptr null
define void @kernel(ptr %to, ptr %x) nounwind {
  %a = load <4 x float>, ptr %x, align 4
  %f = load ptr, ptr @frit_math_sin_f32, align 8
  %y = call <4 x float> %f(<4 x float> %a)
  store <4 x float> %y, ptr %to, align 4
  ret void
}
)",
                                                  isa_level::baseline),
                                       resolve);
    using lanes = float __attribute__((vector_size(16)));
    using function = lanes (*)(lanes);
    *static_cast<function*>(o->find("frit_math_sin_f32")) = [](lanes x) { return x + x; };
    const float x[] = {1, 2, 3, 4};
    float to[4] = {};
    function_of<void(float*, const float*)>(*o, "kernel")(to, x);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(to[k], 2 * x[k]);
}

TEST_F(Llvm, CallsWhatIsElsewhere) {
    const std::string object = compile_ir(R"(
declare double @elsewhere(double)
define double @kernel(double %x) nounwind {
  %y = call double @elsewhere(double %x)
  %z = fadd double %y, 1.0
  ret double %z
}
)",
                                          isa_level::baseline);
    std::string asked;
    const auto o = loaded_object::load(object, [&](std::string_view name) {
        asked += name;
        return reinterpret_cast<void*>(static_cast<double (*)(double)>(&std::sqrt));
    });
    EXPECT_EQ(asked, "elsewhere");
    EXPECT_EQ(function_of<double(double)>(*o, "kernel")(16.0), 5.0);
}

TEST_F(Llvm, ManyConstants) {
    constexpr int count = 5000;
    std::string table;
    for (int k = 0; k < count; ++k) table += (k ? ", double " : "double ") + std::to_string(k) + ".5";
    const std::string object = compile_ir("@table = private constant [5000 x double] [" + table + R"(]
define double @at(i64 %k) nounwind {
  %p = getelementptr [5000 x double], ptr @table, i64 0, i64 %k
  %x = load double, ptr %p
  ret double %x
}
)",
                                          isa_level::baseline);
    const auto o = loaded_object::load(object, resolve);
    auto* const at = function_of<double(std::int64_t)>(*o, "at");
    for (const int k : {0, 1, 2500, count - 1}) EXPECT_EQ(at(k), k + 0.5);
}

std::string refusal(const std::string& text, isa_level level = isa_level::baseline) {
    try {
        compile_ir(text, level);
    } catch (const frit::compile_error& e) {
        return e.what();
    }
    return "compiled";
}

constexpr const char* simple = "define i32 @one() nounwind {\n  ret i32 1\n}\n";

TEST_F(Llvm, WhatItRefusesIsSaid) {
    const std::string syntax = refusal("define i32 @f( {\n");
    EXPECT_TRUE(syntax.starts_with("cpu engine jit: " + frit::detail::llvm_version() + ": ")) << syntax;
    EXPECT_NE(syntax.find("expected"), std::string::npos) << syntax;
    const std::string order = refusal("define i32 @f() {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret i32 %x\n}\n");
    EXPECT_NE(order.find("dominate"), std::string::npos) << order;
    EXPECT_EQ(refusal(simple), "compiled");
}

TEST_F(Llvm, WhatWouldEndTheProcessIsAnError) {
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler lost;  // what the compilation held stays behind
#endif
    const std::string text = refusal(R"(
declare <2 x i64> @llvm.x86.aesni.aesenc(<2 x i64>, <2 x i64>)
define <2 x i64> @f(<2 x i64> %x) nounwind {
  %y = call <2 x i64> @llvm.x86.aesni.aesenc(<2 x i64> %x, <2 x i64> %x)
  ret <2 x i64> %y
}
)");
    EXPECT_NE(text.find("Cannot select"), std::string::npos) << text;
    EXPECT_EQ(refusal(simple), "compiled");
}

TEST(LlvmMissing, IsSaidWithWhatWasTried) {
#if !defined(__x86_64__)
    GTEST_SKIP() << frit::detail::find_llvm().text;
#endif
    const with_library none("/nonexistent/libLLVM.so");
    const std::string text = refusal(simple);
    EXPECT_NE(text.find("/nonexistent/libLLVM.so"), std::string::npos) << text;
    EXPECT_NE(text.find("install"), std::string::npos) << text;
    EXPECT_THROW(frit::detail::llvm_version(), frit::compile_error);
    EXPECT_FALSE(frit::detail::find_llvm().found);
    const with_library other("libm.so.6");
    EXPECT_NE(refusal(simple).find("is no LLVM"), std::string::npos) << refusal(simple);
}

TEST_F(Llvm, TheVersionIsNumbers) {
    const std::string version = frit::detail::llvm_version();
    ASSERT_TRUE(version.starts_with("LLVM ")) << version;
    EXPECT_GE(std::stoi(version.substr(5)), 14) << version;
    EXPECT_NE(version.find('.'), std::string::npos) << version;
    EXPECT_NE(frit::detail::find_llvm().text.find(version.substr(5) + ", /"), std::string::npos);
}

// What LLVM takes into registers is an array whose elements' places are constants before it computes anything.
TEST(LlvmText, PlacesInUnrolledLoopsAreConstants) {
    namespace loops = frit::fusion::loops;
    loops::builder b("f");
    b.parameter("w", loops::address_of(frit::dtype::u64, true));
    const loops::array sums = b.declare("s", loops::lanes_of(frit::dtype::f32), 8);
    b.loop("v", b.constant(0), b.constant(4), 1, loops::wholly,
           [&](loops::value v) { b.put(sums, v, sums[v * 2 - v + 4]); });
    loops::kernel k;
    k.lanes = 8;
    k.entry = b.take();
    const std::string text = frit::fusion::llvm_text(k, {});
    EXPECT_NE(text.find(", i64 7\n"), std::string::npos) << text;
    EXPECT_EQ(text.find(", i64 %"), std::string::npos) << text;
}

TEST_F(Llvm, TenThreadsAtOnce) {
    const std::string text = lanes_text("float", 8);
    const std::string expected = compile_ir(text, isa_level::avx2);
    std::atomic<int> same = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 10; ++k)
        threads.emplace_back([&, k] {
            for (int n = 0; n < 5; ++n) {
                if (k % 3 == 0) refusal("define nothing");
                same += compile_ir(text, isa_level::avx2) == expected;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(same, 50);
}

// Formulas of different kernels, each first met in a thread of its own.
TEST_F(Llvm, TenThreadsCompileTenFormulas) {
    if (frit::default_device() != frit::device::cpu()) GTEST_SKIP() << "formulas are compiled for the CPU";
    const frit_test::with_engine jit(frit_test::engine::jit);
    const frit::array<double> x = frit::linspace(-2.0, 2.0, 1000);
    const std::vector<double> start = x.to_vector();
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    const std::uint64_t before = frit::stats().compilations + frit::stats().disk_hits;
    for (int k = 1; k <= 10; ++k)
        threads.emplace_back([&, k] {
            frit::array<double> y = x;
            std::vector<double> expected = start;
            for (int round = 0; round < k; ++round) {
                y = y * 0.5 + x;  // of two roundings one is none
                for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] * 0.5 + start[i];
            }
            right += y.to_vector() == expected;
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(right, 10);
    EXPECT_EQ(frit::stats().compilations + frit::stats().disk_hits - before, 10U);
}

// How a forked child ended that does this: what it gives, or what killed it.
int in_child(const std::function<int()>& f) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        int ended = 99;
        try {
            ended = f();
        } catch (...) {
        }
        ::_exit(ended);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

TEST_F(Llvm, AForkedChildCompiles) {
    compile_ir(simple, isa_level::baseline);
    EXPECT_EQ(in_child([] { return refusal(simple) == "compiled" ? 0 : 1; }), 0);
}

TEST_F(Llvm, AChildOfAProcessThatCompilesDoesNotHang) {
    frit::array<float>{1, 2}.eval();  // from here on the engine holds its locks around every fork
    const std::string text = lanes_text("float", 16);
    std::atomic<bool> enough = false;
    std::thread other([&] {
        while (!enough) compile_ir(text, isa_level::baseline);
    });
    for (int k = 0; k < 10; ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        const int ended = in_child([] {
            const std::string said = refusal(simple);
            return said == "compiled" || said.find("was forked while") != std::string::npos ? 0 : 1;
        });
        EXPECT_EQ(ended, 0);
    }
    enough = true;
    other.join();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need more room than any limit leaves

std::uint64_t address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * 4096;
}

TEST_F(Llvm, MemoryThatRunsOutIsAnErrorAndNoMore) {
    const std::string text = lanes_text("double", 16);
    compile_ir(text, isa_level::baseline);
    constexpr int enough = 0, none = 1;
    int ends[2] = {};
    for (std::uint64_t room = 0; room < (std::uint64_t{16} << 20) && ends[enough] < 3; room += std::uint64_t{64} << 10) {
        const int end = in_child([&] {
            rlimit before{};
            ::getrlimit(RLIMIT_AS, &before);
            rlimit limit = before;
            limit.rlim_cur = address_space() + room;
            ::setrlimit(RLIMIT_AS, &limit);
            void** taken = nullptr;  // what the heap has already, from large pieces to small ones, each pointing to the last
            for (std::size_t piece = std::size_t{1} << 20; room == 0 && piece >= 64; piece /= 2)
                while (auto* const p = static_cast<void**>(std::malloc(piece))) {
                    *p = taken;
                    taken = p;
                }
            int ended = enough;
            try {
                compile_ir(text, isa_level::baseline);
            } catch (const std::bad_alloc&) {
                ended = none;
            }
            while (void** const p = taken) {
                taken = static_cast<void**>(*p);
                std::free(p);
            }
            ::setrlimit(RLIMIT_AS, &before);
            return refusal(text) == "compiled" ? ended : 2;
        });
        ASSERT_LT(end, 2) << "with " << room << " bytes";
        ++ends[end];
    }
    EXPECT_GT(ends[none], 0);
    EXPECT_EQ(ends[enough], 3);
}

#endif

}  // namespace
