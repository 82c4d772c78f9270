// See emulator.hpp. One host thread stands for each thread of a block (a pointwise kernel, which has no barrier, takes one
// for all); blocks come one after the other.
#include "tests/cuda/emulator.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <thread>

#include "fusion/codegen/cuda_c.hpp"
#include "src/cpu/subprocess.hpp"

namespace frit_test {

using frit::detail::kernel;
using frit::fusion::kernel_spec;

namespace {

// What CUDA has and C++ has not. `emulated_wait` is the block's barrier.
constexpr const char* definitions = R"(
#include <cmath>
#include <cstring>
#include <limits>
#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(n)
#define __grid_constant__
struct emulated_index { unsigned x, y, z; };
thread_local emulated_index threadIdx, blockIdx;
emulated_index blockDim, gridDim;
void (*emulated_wait)();
inline void __syncthreads() { emulated_wait(); }
inline void __threadfence() {}
inline unsigned atomicAdd(unsigned* p, unsigned by) { unsigned old = *p; *p += by; return old; }
template <class T>
T __shfl_down_sync(unsigned, T v, int by) {
    static T of_thread[1024];
    of_thread[threadIdx.x] = v;
    emulated_wait();
    if (threadIdx.x % 32 + by < 32) v = of_thread[threadIdx.x + by];
    emulated_wait();
    return v;
}
template <class To, class From> To emulated_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline float __uint_as_float(unsigned v) { return emulated_bits<float>(v); }
inline float __int_as_float(int v) { return emulated_bits<float>(v); }
inline double __longlong_as_double(long long v) { return emulated_bits<double>(v); }
inline int __float_as_int(float v) { return emulated_bits<int>(v); }
inline long long __double_as_longlong(double v) { return emulated_bits<long long>(v); }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
template <class To, class From> To emulated_saturate(From v) {
    using limits = std::numeric_limits<To>;
    const From above = std::ldexp(From(1), limits::digits);
    return v >= above ? limits::max() : v <= -above || (v < 0 && !limits::is_signed) ? limits::min() : To(v);
}
inline int __float2int_rz(float v) { return emulated_saturate<int>(v); }
inline int __double2int_rz(double v) { return emulated_saturate<int>(v); }
inline unsigned __float2uint_rz(float v) { return emulated_saturate<unsigned>(v); }
inline unsigned __double2uint_rz(double v) { return emulated_saturate<unsigned>(v); }
inline long long __float2ll_rz(float v) { return emulated_saturate<long long>(v); }
inline long long __double2ll_rz(double v) { return emulated_saturate<long long>(v); }
inline unsigned long long __float2ull_rz(float v) { return emulated_saturate<unsigned long long>(v); }
inline unsigned long long __double2ull_rz(double v) { return emulated_saturate<unsigned long long>(v); }
inline float rsqrtf(float v) { return float(1 / std::sqrt(double(v))); }
inline double rsqrt(double v) { return double(1 / std::sqrt((long double)v)); }
extern "C" void emulated_place(const unsigned* grid, const unsigned* block, void (*wait)()) {
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    emulated_wait = wait;
}
)";

using place_function = void(const unsigned* grid, const unsigned* block, void (*wait)());
using run_function = void(const void* words, const unsigned* block, const unsigned* thread);

struct emulated_kernel final : kernel {
    place_function* place = nullptr;
    run_function* run = nullptr;
    std::string text;
    std::string source() const override { return text; }
};

std::barrier<>* block_barrier = nullptr;
void wait_for_block() { block_barrier->arrive_and_wait(); }

}  // namespace

cuda_emulator::cuda_emulator(frit::detail::backend& host) : host_(host), scratch_(1 << 16) {
    facts_.device = frit::fusion::target::kind::cuda;
    facts_.processors = 3;  // few blocks, so that a thread of a reduction goes round its loop
    facts_.sm = 90;
}

void cuda_emulator::compile(std::span<const kernel_spec> specs) {
    std::string kernels, calls;
    const std::size_t first = kernels_.size();
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const std::string name = "k" + std::to_string(first + k);
        kernels += frit::fusion::cuda_kernel_text(specs[k], facts_, name);
        calls += "extern \"C\" void run_" + name +
                 "(const void* w, const unsigned* b, const unsigned* t) {\n    blockIdx = {b[0], b[1], b[2]};\n" +
                 "    threadIdx = {t[0], t[1], t[2]};\n    " + name + "(*(const " + name + "_words*)w);\n}\n";
    }
    // The streaming stores are the one place where the text speaks PTX.
    std::string prelude = std::regex_replace(frit::fusion::cuda_prelude_for(kernels),
                                             std::regex("asm volatile\\([^;]*;[^;]*;"), "std::memcpy(p, w, sizeof w);");
    std::string folder = (std::filesystem::temp_directory_path() / "frit-emulator-XXXXXX").string();
    if (!::mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
    const std::string source = folder + "/kernels.cpp", object = folder + "/kernels.so";
    std::ofstream(source) << definitions << prelude << kernels << calls;
    const char* cxx = std::getenv("CXX");
    const auto done = frit::detail::run_process({cxx ? cxx : "c++", "-std=c++17", "-O1", "-w", "-shared", "-fPIC",
                                                 "-ffp-contract=off", "-fno-strict-aliasing", source, "-o", object});
    void* library = done.status == 0 ? ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!library) throw std::runtime_error("the host does not compile CUDA text, left in " + source + ":\n" + done.output);
    std::filesystem::remove_all(folder);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        auto made = std::make_shared<emulated_kernel>();
        made->place = reinterpret_cast<place_function*>(::dlsym(library, "emulated_place"));
        made->run = reinterpret_cast<run_function*>(::dlsym(library, ("run_k" + std::to_string(first + k)).c_str()));
        made->text = kernels;
        kernels_[specs[k].key()] = made;
    }
}

std::shared_ptr<kernel> cuda_emulator::prepare(const kernel_spec& spec) {
    if (!kernels_.contains(spec.key())) compile(std::span(&spec, 1));
    return kernels_.at(spec.key());
}

void cuda_emulator::launch(const kernel& k, const kernel_spec& spec, std::span<std::uint64_t> words, std::string_view) {
    const auto& code = static_cast<const emulated_kernel&>(k);
    const frit::fusion::launch_shape s = frit::fusion::cuda_launch_shape(spec, words.data() + 2, facts_);
    if (s.grid[0] == 0) return;
    if (frit::fusion::cuda_scratch_bytes(spec, facts_) > scratch_.size() * 8) throw std::runtime_error("scratch too small");
    words[0] = 0;
    words[1] = reinterpret_cast<std::uint64_t>(scratch_.data());
    const auto all_blocks = [&](auto&& per_block) {
        for (unsigned z = 0; z < s.grid[2]; ++z)
            for (unsigned y = 0; y < s.grid[1]; ++y)
                for (unsigned x = 0; x < s.grid[0]; ++x) {
                    const unsigned block[] = {x, y, z};
                    per_block(block);
                }
    };
    code.place(s.grid, s.block, wait_for_block);
    if (spec.schedule == frit::fusion::schedule_kind::pointwise) {
        all_blocks([&](const unsigned* block) {
            for (unsigned y = 0; y < s.block[1]; ++y)
                for (unsigned x = 0; x < s.block[0]; ++x) {
                    const unsigned thread[] = {x, y, 0};
                    code.run(words.data(), block, thread);
                }
        });
        return;
    }
    std::barrier<> barrier(s.block[0]);
    block_barrier = &barrier;
    std::vector<std::thread> threads;
    for (unsigned x = 0; x < s.block[0]; ++x)
        threads.emplace_back([&, x] {
            const unsigned thread[] = {x, 0, 0};
            all_blocks([&](const unsigned* block) {
                code.run(words.data(), block, thread);
                barrier.arrive_and_wait();
            });
        });
    for (auto& t : threads) t.join();
    block_barrier = nullptr;
}

}  // namespace frit_test
