// The emulator itself: what it must find in wrong kernels, written here by hand, and what it must leave alone in right ones.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/cuda/emulator/block.hpp"

namespace {

using namespace frit_test;

/// A kernel over 64 ints a (a[i] = i) and 64 ints b (of 0).
struct attempt {
    std::string error;       // what is said of it; empty: it is right
    int (*expected)(int i);  // then the first 32 elements of b
    std::string body;
    unsigned block = 64, grid = 1, block_y = 1;
};
attempt wrong(std::string error, std::string body, unsigned block = 64, unsigned grid = 1) {
    return {std::move(error), nullptr, std::move(body), block, grid, 1};
}
attempt right(int (*expected)(int i), std::string body, unsigned block = 64, unsigned grid = 1, unsigned block_y = 1) {
    return {"", expected, std::move(body), block, grid, block_y};
}

void run(emulated_library& library, emulated_entry* entry, const attempt& k) {
    emulated_block fibers;
    memory_watch watch;
    std::vector<int> a(64);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i);
    for (const unsigned seed : {0U, 1U, 2U, 3U}) {
        std::vector<int> b(a.size());
        const auto range = [](std::vector<int>& v, bool writable, const char* name) {
            const char* const p = reinterpret_cast<const char*>(v.data());
            return watched_range{p, p + v.size() * sizeof(int), writable, 4, name};
        };
        watch.start_launch({range(a, false, "a"),
                            range(b, true, "b"),
                            {library.shared_begin(), library.shared_end(), true, 1, "shared memory", true}});
        const void* words[] = {a.data(), b.data()};
        library.place->gridDim = {k.grid, 1, 1};
        std::string error;
        try {
            for (unsigned block = 0; block < k.grid; ++block)
                fibers.run(library, entry, words, {k.block, k.block_y, 1}, {block, 0, 0}, watch, seed);
        } catch (const emulation_error& e) {
            error = e.what();
        }
        if (!k.error.empty())
            EXPECT_NE(error.find(k.error), std::string::npos) << error << "\nis found in " << k.body;
        else
            EXPECT_EQ(error, "") << "is found in " << k.body;
        if (!k.expected || !error.empty()) continue;
        for (int i = 0; i < 32; ++i) EXPECT_EQ(b[static_cast<std::size_t>(i)], k.expected(i)) << i << " of " << k.body;
    }
}

void check(const std::vector<attempt>& kernels) {
    std::string text;
    std::vector<std::string> names;
    for (const attempt& k : kernels) {
        const std::string& name = names.emplace_back("k" + std::to_string(names.size()));
        text += "struct " + name + "_words { const int* a; int* b; };\n" +
                "extern \"C\" __global__ void __launch_bounds__(1024)\n" + name + "(const __grid_constant__ " + name +
                "_words w) {\n    const int* a = w.a; int* b = w.b; const int t = threadIdx.x;\n" + k.body + "\n}\n";
    }
    emulated_library library(text, names);
    for (std::size_t k = 0; k < kernels.size(); ++k) run(library, library.entries()[k], kernels[k]);
}

TEST(Emulator, NeighboursThroughSharedMemoryNeedABarrier) {
    check({
        right([](int i) { return (i + 1) % 64; },
              "__shared__ int s[64]; s[t] = a[t]; __syncthreads(); b[t] = s[(t + 1) % 64];"),
        right([](int i) { return i ^ 1; }, "__shared__ int s[64]; s[t] = a[t]; __syncwarp(); b[t] = s[t ^ 1];"),
        wrong("a race: ", "__shared__ int s[64]; s[t] = a[t]; b[t] = s[(t + 1) % 64];"),
        wrong("a race: ", "__shared__ int s[64]; s[t] = a[t]; __syncwarp(); b[t] = s[t ^ 32];"),
        wrong("a race: ", "__shared__ int s[64]; s[t] = 0; __syncthreads(); b[t] = s[(t + 1) % 64]; s[t] = 0;"),
    });
}

TEST(Emulator, SharedMemoryBelongsToTheBlockAndStartsSpoilt) {
    check({
        right([](int) { return -1; }, "__shared__ int s[64]; b[t] = s[t]; __syncthreads(); s[t] = 5;"),
        right([](int i) { return i < 2 ? -1 : 0; }, "__shared__ int s[64]; if (t == 0) b[blockIdx.x] = s[0]; s[t] = t;", 64,
              2),
    });
}

TEST(Emulator, BarriersNeedEveryLivingThread) {
    check({
        wrong("threads wait in vain\n  63 in __syncthreads (line", "if (t != 3) __syncthreads();\nelse __syncwarp();"),
        wrong("different barriers: __syncthreads (line", "if (t < 7) __syncthreads();\nelse\n__syncthreads();"),
        right([](int i) { return i < 20 ? 1 : 0; }, "if (t >= 20) return; __syncthreads(); b[t] = 1;"),
        right([](int) { return 32; }, "b[t] = __syncthreads_count(a[t] % 2);"),
        right([](int) { return 1; },
              "b[t] = __syncthreads_or(t == 5) && __syncthreads_and(t >= 0) && !__syncthreads_and(t != 5);"),
    });
}

TEST(Emulator, ShufflesMoveValuesAsOnAGpu) {
    check({
        right([](int i) { return i < 28 ? i + 4 : i; }, "b[t] = __shfl_down_sync(0xffffffffu, a[t], 4);"),
        right([](int i) { return i % 8 < 4 ? i + 4 : i; }, "b[t] = __shfl_down_sync(0xffffffffu, a[t], 4, 8);"),
        right([](int i) { return i < 4 ? i : i - 4; }, "b[t] = __shfl_up_sync(0xffffffffu, a[t], 4);"),
        right([](int i) { return i ^ 16; }, "b[t] = __shfl_xor_sync(0xffffffffu, a[t], 16);"),
        right([](int i) { return i / 4 * 4 + 2; }, "b[t] = (int)__shfl_sync(0xffffffffu, (double)a[t], 6, 4);"),
        right([](int) { return 7; }, "b[t] = __popc(__ballot_sync(0xffffffffu, t % 32 < 7));"),
        right([](int) { return 1; },
              "b[t] = __any_sync(0xffffffffu, t % 32 == 3) && !__all_sync(0xffffffffu, t % 32 == 3);"),
        right([](int i) { return 31 - i % 16; },
              "const int k = t + blockDim.x * threadIdx.y; b[k] = __shfl_sync(0xffffffffu, a[k], 31 - t);", 16, 1, 2),
    });
}

TEST(Emulator, ShufflesNeedTheLanesOfTheirMask) {
    check({
        wrong("threads wait in vain", "if (t != 3) b[t] = __shfl_sync(0xffffffffu, t, 0); else __syncthreads();"),
        wrong("leaves its own lane out", "b[t] = __shfl_sync(1u, t, 0);"),
        wrong("different things together",
              "b[t] = t < 3 ? __shfl_sync(0xffffffffu, t, 0) :\n__shfl_xor_sync(0xffffffffu, t, 1);"),
        wrong("a value of a lane that does not take part", "if (t < 16) b[t] = __shfl_sync(0xffffu, t, 20);"),
        right([](int i) { return i < 16 ? 15 : 0; }, "if (t < 16) b[t] = __shfl_sync(0xffffu, t, 15);"),
    });
}

TEST(Emulator, AccessesStayInTheirArraysAndAligned) {
    const std::string store =
        "asm volatile(\"st.global.cs.v2.u32 [%0], {%1, %2};\" ::\"l\"(b + AT), \"r\"(t), \"r\"(t) : \"memory\");";
    const auto store_at = [&](const std::string& at) { return std::string(store).replace(store.find("AT"), 2, at); };
    check({
        wrong("writes 4 bytes at byte 256 of b, which has 256 there (line", "b[t + 1] = 0;"),
        wrong("reads 4 bytes at byte -4 of a", "b[t] = a[t - 1];"),
        wrong("writes a, which is not its output", "((int*)a)[t] = 1;"),
        wrong("memory that is not the kernel's", "b[t] = *(const int*)8192;"),
        wrong("index beyond an array's end", "int s[4] = {}; s[a[t]] = 1; b[t] = s[t % 4];"),
        wrong("misaligned access", "b[t] = ((const int4*)(a + t))->x;", 8),
        wrong("misaligned access", store_at("t"), 8),
        wrong("signed overflow in +", "b[t] = a[t] + 2147483600;"),
        right([](int i) { return i / 2; }, store_at("2 * t"), 16),
    });
}

TEST(Emulator, AnElementHasOneWriter) {
    check({
        wrong("a race: writes byte 128 of b, which thread ", "b[t < 32 ? t : 32] = 1;"),
        wrong("a race: ", "b[t] = 1;", 32, 2),
        right([](int) { return 1; }, "b[t] = 1; b[t] += a[0];", 32),
    });
}

// The way of a reduction: partials of all blocks, added up by the last one.
TEST(Emulator, BlocksHearOfEachOtherByAtomicsWithFences) {
    const auto with = [](const std::string& fence, const std::string& later) {
        return R"(
        __shared__ bool last;
        if (t == 0) {
            b[1 + blockIdx.x] = 1;
            )" +
               fence + R"(
            last = atomicAdd(b, 1) == (int)gridDim.x - 1;
        }
        __syncthreads();
        if (!last) return;
        )" + later +
               R"(
        if (t < (int)gridDim.x) b[16 + t] = b[1 + t] + 1;)";
    };
    const std::string fence = "__threadfence();";
    check({
        right([](int i) { return i == 0              ? 4
                                 : i < 5             ? 1
                                 : i >= 16 && i < 20 ? 2
                                                     : 0; }, with(fence, fence), 32, 4),
        wrong("a race: reads byte", with("", fence), 32, 4),
        wrong("a race: reads byte", with(fence, ""), 32, 4),
        wrong("a race: writes byte", with(fence, fence + " b[40] = 1;"), 32, 4),
    });
}

TEST(Emulator, UnknownPtxIsRefused) {
    EXPECT_THROW(check({right(nullptr, "asm volatile(\"membar.gl;\" ::: \"memory\");")}), std::runtime_error);
}

}  // namespace
