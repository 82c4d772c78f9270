// Finding and initialising the CUDA driver, once per process: see driver.hpp.
#include "src/cuda/driver.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <mutex>

#include "frit/error.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

std::atomic<bool> initialised{false}, forked{false};

struct loaded {
    driver functions;
    std::string why;  ///< empty: the driver is there
    loaded() {
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            why = "no CUDA driver: libcuda.so.1 not found";
            return;
        }
        const auto look = [&](auto& member, const char* symbol) {
            member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(::dlsym(library, symbol));
        };
        const auto find = [&](auto& member, const char* symbol) {
            look(member, symbol);
            if (!member && why.empty()) why = std::string("the CUDA driver is too old: libcuda.so.1 has no ") + symbol;
        };
#define FRIT_X(member, symbol, parameters) find(functions.member, #symbol);
        FRIT_CUDA_DRIVER(FRIT_X)
#undef FRIT_X
#define FRIT_X(member, symbol, parameters) look(functions.member, #symbol);
        FRIT_NEWER_CUDA_DRIVER(FRIT_X)
#undef FRIT_X
        if (!why.empty()) return;
        initialised.store(true);
        ::pthread_atfork(nullptr, nullptr, [] { forked.store(true); });
        if (const result r = functions.init(0); r != success) {
            const char* text = nullptr;
            functions.error_text(r, &text);
            why = "the CUDA driver does not start: " + std::string(text ? text : "unknown error") + " (error " +
                  std::to_string(r) + ")";
            return;
        }
        if (functions.driver_version(&functions.version) != success || functions.device_count(&functions.devices) != success)
            why = "the CUDA driver does not tell its version or devices";
    }
};

const loaded& load_once() {
    static const loaded* l = new loaded;  // never destroyed, as all singletons
    return *l;
}

}  // namespace

const driver* look_for_driver(std::string& why) {
    if (forked_after_init()) {
        why = "this process was forked after CUDA had been initialised: it can use the CPU only";
        return nullptr;
    }
    const loaded& l = load_once();
    why = l.why;
    return why.empty() ? &l.functions : nullptr;
}

const driver* find_driver(std::string& why) noexcept {
    try {
        return look_for_driver(why);
    } catch (...) {  // no memory for a text: then there is no driver either
        return nullptr;
    }
}

const driver& the_driver() {
    const loaded& l = load_once();
    if (!l.why.empty()) throw device_error(l.why);
    return l.functions;
}

bool forked_after_init() noexcept { return forked.load(std::memory_order_relaxed); }

void refuse_after_fork(const std::string& device) {
    if (forked_after_init())
        throw device_error(device + ": this process was forked after CUDA had been initialised: it can use the CPU only");
}

namespace {
/// A kernel's fault, behind which every call of this context fails: illegal address, time-out, assertion, stack,
/// instruction, misaligned address, address space, program counter, launch failure (CUDA driver API, CUresult).
bool is_fatal(result r) { return r == 700 || r == 702 || r == 710 || (r >= 714 && r <= 719); }
}  // namespace

std::string describe(result r) {
    const driver& d = the_driver();
    const char *name = nullptr, *text = nullptr;
    d.error_name(r, &name);
    d.error_text(r, &text);
    return std::string(text ? text : "unknown error") + " (" + (name ? name : std::to_string(r)) + ")" +
           (is_fatal(r) ? "; what lies on this device is lost: reset it, or begin a new process" : "");
}

void throw_failed(result r, const std::string& device, const char* doing) {
    throw device_error(device + ": " + doing + ": " + describe(r));
}

}  // namespace frit::v0::detail::cuda
