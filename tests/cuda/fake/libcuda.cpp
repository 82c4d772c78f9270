// A CUDA driver without a GPU, for tests of everything around a kernel: two devices whose memory is the host's, streams
// that have always caught up, launches that are written down and not run. Strict where a real driver is: copies must come
// from pinned memory and lie inside one allocation, calls need a current context.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "tests/cuda/fake/state.hpp"

#define FAKE extern "C" __attribute__((visibility("default"))) int

namespace {

constexpr int invalid_value = 1, out_of_memory = 2, invalid_device = 101, invalid_image = 200, invalid_context = 201,
              not_supported = 801;
std::recursive_mutex lock;
frit_test::fake_driver_state state;
std::map<std::uintptr_t, std::size_t> pinned;
std::set<std::string> symbols;  // of functions that were asked for: a function is the address of its own
thread_local void* current = nullptr;

bool inside(const std::map<std::uintptr_t, std::size_t>& blocks, std::uintptr_t p, std::size_t bytes) {
    const auto after = blocks.upper_bound(p);
    if (after == blocks.begin()) return false;
    const auto& [start, size] = *std::prev(after);
    return p + bytes <= start + size;
}
std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

extern "C" __attribute__((visibility("default"))) frit_test::fake_driver_state* fake_driver_state_of_this_process() {
    return &state;
}

FAKE cuInit(unsigned) { return 0; }
FAKE cuGetExportTable(const void**, const void*) { return 500; }  // NVRTC asks for tables of a real driver: there are none
FAKE cuDriverGetVersion(int* v) { return *v = 13000, 0; }
FAKE cuGetErrorName(int r, const char** text) {
    *text = r == 700             ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : r == out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
                                 : "CUDA_ERROR_OF_THE_FAKE";
    return 0;
}
FAKE cuGetErrorString(int r, const char** text) {
    *text = r == 700             ? "an illegal memory access was encountered"
            : r == out_of_memory ? "out of memory"
                                 : "the fake driver refuses";
    return 0;
}
FAKE cuDeviceGetCount(int* n) { return *n = 2, 0; }
FAKE cuDeviceGet(int* d, int ordinal) { return *d = ordinal, ordinal < 2 ? 0 : invalid_device; }
FAKE cuDeviceGetName(char* text, int size, int) {
    return std::strncpy(text, "Fake H200", static_cast<std::size_t>(size)), 0;
}
FAKE cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = state.memory, 0; }
FAKE cuDeviceGetAttribute(int* value, int which, int) {
    *value = which == 16 ? 132 : which == 39 ? 2048 : which == 75 ? 9 : which == 97 ? 227 * 1024 : 0;
    return 0;
}
FAKE cuDevicePrimaryCtxRetain(void** c, int d) {
    static int contexts[2];
    return *c = &contexts[d], 0;
}
FAKE cuCtxGetCurrent(void** c) { return *c = current, 0; }
FAKE cuCtxSetCurrent(void* c) { return current = c, 0; }
namespace {
thread_local std::map<int, void*> stack;
}
FAKE cuCtxPushCurrent_v2(void* c) {
    stack[static_cast<int>(stack.size())] = current;
    return current = c, 0;
}
FAKE cuCtxPopCurrent_v2(void** c) {
    if (stack.empty()) return invalid_context;
    *c = current;
    current = std::prev(stack.end())->second;
    stack.erase(std::prev(stack.end()));
    return 0;
}
FAKE cuCtxSynchronize() { return current ? state.fault : invalid_context; }
FAKE cuStreamCreate(void** s, unsigned) {
    static int one;
    return *s = &one, current ? 0 : invalid_context;
}
FAKE cuStreamSynchronize(void*) { return current ? state.fault : invalid_context; }
FAKE cuEventCreate(void** e, unsigned) {
    static int one;
    return *e = &one, current ? 0 : invalid_context;
}
FAKE cuEventRecord(void*, void*) { return 0; }
FAKE cuEventSynchronize(void*) {
    if (const auto others = std::exchange(state.while_waiting, nullptr)) others();
    return 0;
}
FAKE cuMemGetInfo_v2(std::size_t* unused, std::size_t* all) {
    *unused = state.memory - state.allocated;
    return *all = state.memory, 0;
}
FAKE cuMemAlloc_v2(std::uintptr_t* p, std::size_t bytes) {
    const std::scoped_lock guard(lock);
    if (!current) return invalid_context;
    if (bytes > state.memory || state.allocated > state.memory - bytes) return out_of_memory;
    *p = address(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    state.on_device[*p] = bytes;
    state.allocated += bytes;
    ++state.allocations;
    return 0;
}
FAKE cuMemFree_v2(std::uintptr_t p) {
    const std::scoped_lock guard(lock);
    const auto at = state.on_device.find(p);
    if (at == state.on_device.end()) return invalid_value;
    state.allocated -= at->second;
    state.on_device.erase(at);
    std::free(reinterpret_cast<void*>(p));
    return state.refuse_frees > 0 ? --state.refuse_frees, invalid_value : 0;
}
FAKE cuMemAllocHost_v2(void** p, std::size_t bytes) {
    const std::scoped_lock guard(lock);
    *p = std::malloc(bytes);
    pinned[address(*p)] = bytes;
    return current ? 0 : invalid_context;
}
FAKE cuMemHostGetDevicePointer_v2(std::uintptr_t* d, void* h, unsigned) { return *d = address(h), 0; }
FAKE cuMemcpyHtoDAsync_v2(std::uintptr_t to, const void* from, std::size_t bytes, void*) {
    const std::scoped_lock guard(lock);
    if (!inside(state.on_device, to, bytes) || !inside(pinned, address(from), bytes)) return invalid_value;
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return 0;
}
FAKE cuMemcpyDtoHAsync_v2(void* to, std::uintptr_t from, std::size_t bytes, void*) {
    const std::scoped_lock guard(lock);
    if (!inside(state.on_device, from, bytes) || !inside(pinned, address(to), bytes)) return invalid_value;
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return 0;
}
FAKE cuMemcpyDtoDAsync_v2(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, void*) {
    const std::scoped_lock guard(lock);
    if (!inside(state.on_device, to, bytes) || !inside(state.on_device, from, bytes)) return invalid_value;
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return 0;
}
FAKE cuMemsetD8Async(std::uintptr_t to, unsigned char value, std::size_t bytes, void*) {
    const std::scoped_lock guard(lock);
    if (!inside(state.on_device, to, bytes)) return invalid_value;
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return 0;
}
FAKE cuModuleLoadData(void** m, const void* image) {
    const std::scoped_lock guard(lock);
    if (!current) return invalid_context;
    if (state.refuse_modules > 0) return --state.refuse_modules, invalid_image;
    if (std::memcmp(image,
                    "\x7f"
                    "ELF",
                    4) != 0)
        return invalid_image;
    *m = &state;
    ++state.modules;
    return 0;
}
FAKE cuModuleGetFunction(void** f, void*, const char* name) {
    const std::scoped_lock guard(lock);
    return *f = const_cast<std::string*>(&*symbols.insert(name).first), 0;
}
FAKE cuFuncGetAttribute(int* value, int which, void*) {
    *value = which == 0 ? state.most_threads : which == 1 ? state.own_shared : which == 4 ? 24 : 0;
    return current ? 0 : invalid_context;
}
FAKE cuFuncGetParamInfo(void*, std::size_t k, std::size_t* offset, std::size_t* bytes) {
    if (state.parameter_bytes.empty()) return not_supported;
    if (k >= state.parameter_bytes.size()) return invalid_value;
    return *offset = 8 * k, *bytes = state.parameter_bytes[k], 0;
}
FAKE cuFuncSetAttribute(void*, int which, int value) {
    if (which != 8 || value > 227 * 1024) return invalid_value;
    return state.most_shared = static_cast<unsigned>(value), 0;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
    return *blocks = 1536 / threads, 0;
}
FAKE cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                    void*, void** parameters, void**) {
    const std::scoped_lock guard(lock);
    if (!current) return invalid_context;
    if (state.refuse_launches > 0) return --state.refuse_launches, invalid_value;
    if (gx == 0 || gy == 0 || gz == 0 || gy > 65535 || bx * by * bz > 1024) return invalid_value;
    const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    std::memcpy(state.grid, grid, sizeof grid);
    std::memcpy(state.block, block, sizeof block);
    const std::string& symbol = *static_cast<const std::string*>(f);
    const unsigned all_shared = shared + static_cast<unsigned>(symbol == "frit_kernel" ? 0 : state.own_shared);
    if (all_shared > 48 * 1024 && shared > state.most_shared) return invalid_value;
    state.shared = shared;
    state.launched.push_back(symbol);
    ++state.launches;
    if (symbol != "frit_kernel") {
        if (state.program) state.program(parameters);
        return 0;
    }
    std::memcpy(state.words, parameters[0], 5 * 8);  // fault record, scratch, extent and two pointers: the smallest block
    if (state.faulty_index != 0 && state.words[0] != 0) {  // as a kernel would
        const std::uint64_t record[] = {1, static_cast<std::uint64_t>(state.faulty_index), 7};
        std::memcpy(reinterpret_cast<void*>(state.words[0]), record, sizeof record);
    }
    return 0;
}
