// The plugin's entry points: see frit_cub.h.
#include "src/cuda/cub/parts.cuh"

#define FRIT_CUB_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

cudaError_t dispatch(const frit_cub_call& c, const void* from, void* const* to, frit_cub::workspace& memory,
                     cudaStream_t stream) {
    const auto result = [&](int k) { return to && (c.results >> k & 1) ? to[k] : nullptr; };
    const auto numbers = [&](int k) { return static_cast<std::int64_t*>(result(k)); };
    if (c.operation == FRIT_CUB_PLACES) return frit_cub::places(c, from, numbers(0), numbers(1), memory, stream);
    if (c.operation != FRIT_CUB_SORT) return frit_cub::scan(c, from, result(0), memory, stream);
    return frit_cub::sort(c, from, result(0), numbers(1), memory, stream);
}

}  // namespace

FRIT_CUB_EXPORT int frit_cub_interface() { return FRIT_CUB_INTERFACE; }

FRIT_CUB_EXPORT int frit_cub_workspace(const frit_cub_call* c, std::size_t* bytes) {
    frit_cub::workspace memory(nullptr);
    const cudaError_t status = dispatch(*c, nullptr, nullptr, memory, nullptr);
    *bytes = memory.bytes();
    return status;
}

FRIT_CUB_EXPORT int frit_cub_run(const frit_cub_call* c, const void* from, void* const* to, void* workspace, void* stream) {
    frit_cub::workspace memory(workspace);
    static_cast<void>(cudaGetLastError());  // an older error of this thread is not this call's
    return dispatch(*c, from, to, memory, static_cast<cudaStream_t>(stream));
}

FRIT_CUB_EXPORT int frit_cub_scatter_workspace(const frit_cub_scatter* c, std::size_t* bytes) {
    frit_cub::workspace memory(nullptr);
    const cudaError_t status = frit_cub::scatter(*c, nullptr, nullptr, nullptr, nullptr, nullptr, memory, nullptr);
    *bytes = memory.bytes();
    return status;
}

FRIT_CUB_EXPORT int frit_cub_scatter_run(const frit_cub_scatter* c, const void* base, const void* at, const void* values,
                                         void* to, std::uint64_t* fault, void* workspace, void* stream) {
    frit_cub::workspace memory(workspace);
    static_cast<void>(cudaGetLastError());
    return frit_cub::scatter(*c, base, at, values, to, fault, memory, static_cast<cudaStream_t>(stream));
}

FRIT_CUB_EXPORT int frit_cub_select_workspace(const frit_cub_select* c, std::size_t* bytes) {
    frit_cub::workspace memory(nullptr);
    const cudaError_t status = frit_cub::select(*c, nullptr, nullptr, nullptr, memory, nullptr);
    *bytes = memory.bytes();
    return status;
}

FRIT_CUB_EXPORT int frit_cub_select_run(const frit_cub_select* c, const void* from, const std::int64_t* ranks,
                                        void* const* to, void* workspace, void* stream) {
    frit_cub::workspace memory(workspace);
    static_cast<void>(cudaGetLastError());
    return frit_cub::select(*c, from, ranks, to, memory, static_cast<cudaStream_t>(stream));
}

FRIT_CUB_EXPORT int frit_cub_compress_workspace(const frit_cub_compress* c, std::size_t* bytes) {
    frit_cub::workspace memory(nullptr);
    const cudaError_t status = frit_cub::compress(*c, nullptr, nullptr, nullptr, memory, nullptr);
    *bytes = memory.bytes();
    return status;
}

FRIT_CUB_EXPORT int frit_cub_compress_run(const frit_cub_compress* c, const void* mask, const void* from, void* to,
                                          void* workspace, void* stream) {
    frit_cub::workspace memory(workspace);
    static_cast<void>(cudaGetLastError());
    return frit_cub::compress(*c, mask, from, to, memory, static_cast<cudaStream_t>(stream));
}

FRIT_CUB_EXPORT const char* frit_cub_text(int status) { return cudaGetErrorString(static_cast<cudaError_t>(status)); }
