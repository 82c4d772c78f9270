// What is read of a CUDA kernel's text: its parameters, whatever stands around them; and texts that are no kernels, which
// must be refused and never misread.
#include "src/functions/signature.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using frit::dtype;
using frit::detail::parameters_of;
using frit::detail::raw_parameter;

/// "y: float32* x: const float32* n: int32".
std::string shown(std::string_view name, std::string_view source) {
    std::string s;
    try {
        for (const raw_parameter& p : parameters_of(name, source)) {
            const std::string type(p.type ? name_of(*p.type) : "any");
            s += (s.empty() ? "" : " ") + p.name + ": " + (p.is_pointer && p.is_const ? "const " : "") + type +
                 (p.is_pointer ? "*" : "");
        }
    } catch (const frit::detail::signature_error& e) {
        return std::string("refused: ") + e.what();
    }
    return s;
}
std::string of_list(const std::string& list) { return shown("k", "__global__ void k(" + list + ") {}"); }

TEST(Signature, PointersAndNumbers) {
    EXPECT_EQ(of_list("float* y, const float* x, float a, int n"), "y: float32* x: const float32* a: float32 n: int32");
    EXPECT_EQ(of_list("float *__restrict__ y, float const * const __restrict__ x"), "y: float32* x: const float32*");
    EXPECT_EQ(of_list("const float x[], volatile int* flags, const int n"), "x: const float32* flags: int32* n: int32");
    EXPECT_EQ(of_list("float*, const double*, int"), ": float32* : const float64* : int32");
    EXPECT_EQ(of_list("void* p, const void* q"), "p: any* q: const any*");
    EXPECT_EQ(of_list(""), "");
    EXPECT_EQ(of_list("void"), "");
}

TEST(Signature, EveryDtype) {
    const std::pair<const char*, const char*> types[] = {
        {"bool", "bool"},
        {"char", "int8"},
        {"signed char", "int8"},
        {"unsigned char", "uint8"},
        {"short int", "int16"},
        {"unsigned short", "uint16"},
        {"int unsigned", "uint32"},
        {"signed", "int32"},
        {"unsigned", "uint32"},
        {"long", "int64"},
        {"long long int", "int64"},
        {"unsigned long long", "uint64"},
        {"long unsigned int", "uint64"},
        {"std::size_t", "uint64"},
        {"::std::uint8_t", "uint8"},
        {"int64_t", "int64"},
        {"__half", "float16"},
        {"half", "float16"},
        {"__nv_bfloat16", "bfloat16"},
        {"double", "float64"},
        {"cuda::std::complex<float>", "complex64"},
        {"thrust::complex<double>", "complex128"},
        {"float2", "complex64"},
    };
    for (const auto& [type, name] : types) EXPECT_EQ(of_list(std::string(type) + "* p"), "p: " + std::string(name) + "*");
}

TEST(Signature, WhatStandsAroundAKernel) {
    EXPECT_EQ(shown("k", R"cu(#define X __global__ void k(int wrong) \
                                  and more
        // __global__ void k(double wrong)
        /* __global__ void k(double wrong) */
        const char* text = "__global__ void k(char wrong)"; const char c = '"';
        const char* raw = R"x(__global__ void k(short wrong) )" )x";
        struct s { int k; };
        __device__ float k2(float x) { return x; }
        extern "C" __launch_bounds__(256, 2) __global__ static void __launch_bounds__(256) k(int right) { k2(1); })cu"),
              "right: int32");
    EXPECT_EQ(shown("space::k", "namespace space { __global__ void other(int a); __global__ void k(float* y) {} }"),
              "y: float32*");
    EXPECT_EQ(shown("k", "__global__ void k(float* y); __global__ void k(float* out) {}"), "out: float32*")
        << "names are the definition's";
}

TEST(Signature, NamesOfTypes) {
    const char* const source = R"(
        using real = float;
        typedef unsigned long long count_t;
        template <typename T, int N, class U = T> __global__ void good(T* y, const U* x, T a, real r, count_t n) {})";
    EXPECT_EQ(shown("good<double, 4>", source), "y: float64* x: const float64* a: float64 r: float32 n: uint64");
    EXPECT_EQ(shown("good<float, 4, unsigned char>", source), "y: float32* x: const uint8* a: float32 r: float32 n: uint64");
}

TEST(Signature, Refusals) {
    const auto refused = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find("refused: "), std::string::npos) << text;
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    refused(shown("k", "void k(float* y) {}"), "no __global__ function k");
    refused(shown("k", ""), "no __global__ function k");
    refused(shown("", "__global__ void k() {}"), "is no name of a kernel");
    refused(shown("k<", "__global__ void k() {}"), "nothing closes a bracket");
    refused(shown("<float>", "__global__ void k() {}"), "is no name of a kernel");
    refused(shown("k<float> x", "__global__ void k() {}"), "is no name of a kernel");
    refused(shown("k", "__global__ void k(float* y"), "nothing closes a bracket");
    refused(shown("k", "template <typename T __global__ void k(T* y) {}"), "");
    refused(shown("k", "__global__ void k(float* y) {} __global__ void k(double* y) {}"), "several kernels k");
    refused(of_list("float** y"), "pointer to pointers");
    refused(of_list("float& y"), "neither a pointer nor a number");
    refused(of_list("void (*f)(int)"), "neither a pointer nor a number");
    refused(of_list("Particle* p"), "no dtype's");
    refused(of_list("int a, , int b"), "no dtype's");
    refused(of_list("float2 z"), "taken by a pointer alone");
    refused(of_list("T* y"), "no dtype's");
    refused(of_list("complex<float* z"), "bracket");
    refused(shown("k<complex<double>>", "template <class T> __global__ void k(T* y, T a) {}"), "by a pointer alone");
    refused(shown("k", "typedef float* p; __global__ void k(p y) {}"), "no dtype's");
    refused(shown("k", "using a = b; using b = a; __global__ void k(a* y) {}"), "no dtype's");
}

TEST(Signature, NoTextIsReadOutOfItsEnds) {
    const std::string whole =
        "template <typename T> extern \"C\" __global__ void __launch_bounds__(8) k(T* y, const "
        "cuda::std::complex<float>* z, R\"x( )x\" int n = (3), 'c' /* end */) {} typedef int i; #if\\\n";
    for (std::size_t length = 0; length <= whole.size(); ++length)
        for (std::size_t skipped = 0; skipped < 3; ++skipped) {
            std::string text = whole.substr(0, length);
            if (skipped < text.size()) text.erase(text.size() / (skipped + 1) - 1, skipped);
            const std::string read = shown("k<float>", text);
            EXPECT_TRUE(read.starts_with("refused: ") || read.starts_with("y: float32* z: const complex64*"))
                << text << read;
        }
}

}  // namespace
