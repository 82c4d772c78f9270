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

void refused(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find("refused: "), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

// `int` goes with lengths and signs alone; what stands behind a type is the parameter's name.
TEST(Signature, NamesThatAreTypesElsewhere) {
    EXPECT_EQ(of_list("int half, unsigned size_t, const half, half float2"),
              "half: int32 size_t: uint32 : float16 float2: float16");
    EXPECT_EQ(of_list("long int half, const int int8_t, std::size_t, int const"),
              "half: int64 int8_t: int32 : uint64 : int32");
    EXPECT_EQ(shown("k", "using real = long; __global__ void k(unsigned real, real x) {}"), "real: uint32 x: int64");
    refused(of_list("long double x"), "no dtype's");
    refused(of_list("long double"), "no dtype's");
    refused(of_list("unsigned __int128"), "no dtype's");
    refused(of_list("geometry::float2* p"), "no dtype's");
}

TEST(Signature, ANameThatMayBeAnotherType) {
    const std::string kernel = " __global__ void k(real* y) {}";
    const auto of = [&](const std::string& before) { return shown("k", before + kernel); };
    EXPECT_EQ(of("using real = float; typedef float real;"), "y: float32*");
    EXPECT_EQ(of("namespace a::b { using real = float; } extern \"C\" { typedef float real; }"), "y: float32*");
    EXPECT_EQ(of("struct s { using real = float; }; using real = float;"), "y: float32*");
    EXPECT_EQ(of("typedef struct { int real; } other; using real = float;"), "y: float32*");
    EXPECT_EQ(of("using real = const float;"), "y: const float32*");
    const char* const doubtful[] = {
        "#ifdef WIDE\nusing real = double;\n#else\nusing real = float;\n#endif\n",
        "#ifdef WIDE\ntypedef float real;\n#else\ntypedef double real;\n#endif\n",
        "namespace a { using real = double; } using real = float;",
        "__device__ void f() { using real = double; } using real = float;",
        "#define real double\nusing real = float;",
        "using real = float;\n#  define /* here */ real double\n",
        "struct s { typedef float real; };",
    };
    for (const char* before : doubtful) refused(of(before), "by the name real, which may be another");
    EXPECT_EQ(shown("k<int>", "using T = float; template <class T> __global__ void k(T* y) {}"), "y: int32*");
    refused(shown("k", "using T = float; template <class T> __global__ void k(T* y) {}"), "no dtype's");
    EXPECT_EQ(shown("k", "using real = float; using real = double; __global__ void k(int* y) {}"), "y: int32*")
        << "what it does not use is not its business";
}

TEST(Signature, LinesOfThePreprocessor) {
    refused(shown("k", "__global__ void k(float* y,\n#ifdef A\nint a,\n#endif\nint n) {}"), "lines of the preprocessor");
    refused(shown("k<int>", "template <class T\n#ifdef A\n, class U\n#endif\n> __global__ void k(T* y) {}"),
            "lines of the preprocessor");
    refused(shown("k", "__global__ void\n#ifdef A\nk(float* y)\n#else\nk(double* y)\n#endif\n{}"), "several kernels k");
    EXPECT_EQ(shown("k", "#define A /* goes\non */ __global__ void k(int wrong)\n__global__ void k(float* y) {}"),
              "y: float32*");
    EXPECT_EQ(shown("k", "/* first */ #define A __global__ void k(int wrong)\n__global__ void k(float* y) {}"),
              "y: float32*");
    EXPECT_EQ(shown("k", "#define A \\\r\n __global__ void k(int wrong)\r\n__global__ void k(float* y) {}"), "y: float32*");
    EXPECT_EQ(shown("k", "// goes on \\\n __global__ void k(int wrong)\n__global__ void k(float* y) {}"), "y: float32*");
    EXPECT_EQ(shown("k", "#error don't\n__global__ void k(float* y) {}"), "y: float32*");
}

TEST(Signature, WhatOthersAreMadeOf) {
    const std::string kernel = " __global__ void k(float* y) {}";
    for (const char* before : {
             "__device__ int m = 1'000'000; __device__ float f(int n) { return n * 0x1'0; }",
             "template <int N = 1 << 2> __device__ void f() {}",
             "template <class T, bool B = (sizeof(T) > 4)> struct s;",
             "template <int N, bool B = N >= 2, bool C = (N < 3)> struct s;",
             "template <int N, bool B = N < 2> struct s;",
             "template <class T, template <class...> class C> struct s;",
             "__global__ void other(Particle p, int a[(3]);",
             "__global__ void other(float** p); template <typename T",
             "const char* s = LR\"x(\" __global__ void k(int wrong) )x\";",
             "#if 0\ndon't\n#endif\n",
         })
        EXPECT_EQ(shown("k", before + std::string(";") + kernel), "y: float32*") << before;
    EXPECT_EQ(shown("k", "__global__ void LB(256) k(float* y) {}"), "y: float32*");
    EXPECT_EQ(shown("k<float>", "template <class T, bool B = (sizeof(T) > 4), int N = 1 << 2> __global__ void k(T* y) {}"),
              "y: float32*");
    refused(shown("k<4>", "template <int N, bool B = N < 2> __global__ void k(float* y) {}"), "template cannot be read");
    EXPECT_EQ(shown("k", "__global__ void k(float*, int n); __global__ void k(float* y, const int n) {}"),
              "y: float32* n: int32");
    refused(shown("k", "__global__ void k(float* y); __global__ void k(const float* y) {}"), "several kernels k");
}

// Texts that would take longer than they are long, or more stack than there is.
TEST(Signature, WhatIsTooIntricateIsRefused) {
    std::string doubled = "using a0 = const float;", nested = "float", many;
    for (int k = 1; k < 60; ++k) {
        const std::string before = "a" + std::to_string(k - 1);
        doubled += "using a" + std::to_string(k) + " = " + before + " " + before + ";";
    }
    refused(shown("k", doubled + "__global__ void k(a59* y) {}"), "too intricate");
    for (int k = 0; k < 500; ++k) nested = "c<" + nested + ">";
    refused(of_list(nested + "* y"), "too intricate");
    for (int k = 0; k < 30'000; ++k) many += "typedef using template < __global__ f( ";
    refused(shown("k", many), "no __global__ function k");
}

TEST(Signature, Refusals) {
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
    refused(of_list("Particle* p"), "no dtype's: a void* takes an array of any, and the kernel casts it (to float4*");
    refused(of_list("Particle p"), "no dtype's");
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
