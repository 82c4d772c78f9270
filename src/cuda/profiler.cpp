// Ranges by NVIDIA's header-only NVTX 3, where the build found it: see profiler.hpp. It loads what a profiler names in the
// environment at its first call, and gives no domain where there is none.
#include "src/cuda/profiler.hpp"

#if defined(FRIT_HAS_NVTX)
#include <nvtx3/nvToolsExt.h>

#include <string>
#endif

namespace frit::inline v0::detail::cuda {

#if defined(FRIT_HAS_NVTX)
namespace {

nvtxDomainHandle_t domain() {
    static const nvtxDomainHandle_t frit = nvtxDomainCreateA("frit");
    return frit;
}

}  // namespace

profiler_range::profiler_range(std::string_view name) : open_(domain() != nullptr) {
    if (!open_) return;
    const std::string text(name);  // the profiler wants its end marked
    nvtxEventAttributes_t range{};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = text.c_str();
    nvtxDomainRangePushEx(domain(), &range);
}

profiler_range::~profiler_range() {
    if (open_) nvtxDomainRangePop(domain());
}

found_library find_nvtx() { return {"NVTX", "formulas in profilers", true, "version " + std::to_string(NVTX_VERSION)}; }
#else
profiler_range::profiler_range(std::string_view) : open_(false) {}
profiler_range::~profiler_range() = default;

found_library find_nvtx() {
    return {"NVTX", "formulas in profilers", false,
            "nvtx3/nvToolsExt.h was not there when frit was built; it comes with the CUDA toolkit"};
}
#endif

}  // namespace frit::v0::detail::cuda
