// One GPU: its primary context (shared with other CUDA code of the process), the stream that everything of frit's runs on,
// and the guard that makes the context current for a few calls.
#pragma once

#include <string>

#include "fusion/machine/target.hpp"
#include "src/cuda/driver.hpp"

namespace frit::inline v0::detail::cuda {

/// What the planner is told of a GPU. @param driver its version, 13000 for 13.0
fusion::target facts_of(int sm, int processors, int driver);

struct device {
    explicit device(int ordinal);  ///< @throws device_error
    device(const device&) = delete;
    device& operator=(const device&) = delete;

    std::string label;  ///< "cuda:0"
    const driver& api;
    std::string name;  ///< "NVIDIA H200"
    device_id id = 0;
    context primary = nullptr;
    stream work = nullptr;
    fusion::target facts;
};

/// Makes the device's context current, and on the way out what was current before, if that was another.
class current_context {
public:
    explicit current_context(const device& d) : d_(d) {
        refuse_after_fork(d.label);
        context now = nullptr;
        check(d.api.current(&now), d.label, "asking for the current context");
        if (now == d.primary) return;
        if (now == nullptr) {
            check(d.api.set_current(d.primary), d.label, "making its context current");
        } else {
            check(d.api.push_current(d.primary), d.label, "making its context current");
            pop_ = true;
        }
    }
    ~current_context() {
        context mine = nullptr;
        if (pop_) d_.api.pop_current(&mine);
    }
    current_context(const current_context&) = delete;
    current_context& operator=(const current_context&) = delete;

private:
    const device& d_;
    bool pop_ = false;
};

}  // namespace frit::v0::detail::cuda
