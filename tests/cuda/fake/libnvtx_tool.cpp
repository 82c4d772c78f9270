// A profiler: NVTX loads it by $NVTX_INJECTION64_PATH, and it writes down the ranges that it is told of.
#include <nvtx3/nvToolsExt.h>

#include <cstring>

#include "tests/cuda/fake/state.hpp"

namespace {

frit_test::fake_profiler_state state;

nvtxDomainHandle_t create(const char* name) {
    std::strncpy(state.domain, name, sizeof state.domain - 1);
    return reinterpret_cast<nvtxDomainHandle_t>(&state);
}
int push(nvtxDomainHandle_t, const nvtxEventAttributes_t* range) {
    std::strncpy(state.last, range->message.ascii, sizeof state.last - 1);
    ++state.ranges;
    return state.depth++;
}
int pop(nvtxDomainHandle_t) { return --state.depth; }

}  // namespace

extern "C" __attribute__((visibility("default"))) frit_test::fake_profiler_state* fake_profiler_state_of_this_process() {
    return &state;
}

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned count = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &count)) return 0;
    *functions[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create);
    *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
    *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
    return 1;
}
