// See openblas.hpp.
#include "src/cpu/openblas.hpp"

#include <dlfcn.h>

#include <condition_variable>
#include <mutex>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

// Computations under way.
struct openblas_gate {
    std::mutex lock;
    std::condition_variable idle;
    int uses = 0, threads_before = 1;
};
openblas_gate& gate() {
    static auto* const g = new openblas_gate;
    return *g;
}

}  // namespace

openblas_file::openblas_file(openblas_names names, std::string_view who) : who_(who) {
    std::string tried;
    for (const char* name : names) {
        if (!library_) library_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        tried += (tried.empty() ? "" : ", ") + std::string(name);
    }
    if (!library_)
        throw device_error("cpu: " + who_ + " needs OpenBLAS, and there is none (" + tried +
                           "): install libopenblas0-pthread (Debian, Ubuntu)");
}

void* openblas_file::address_of(const std::string& symbol) const {
    void* const found = ::dlsym(library_, symbol.c_str());
    if (!found) throw device_error("cpu: " + who_ + " needs OpenBLAS, and the one found has no " + symbol);
    return found;
}

void openblas_threads::find(const openblas_file& file) {
    file.find(get, "openblas_get_num_threads");
    file.find(set, "openblas_set_num_threads");
}

openblas_use::openblas_use(const openblas_threads& threads) : threads_(threads) {
    const std::lock_guard guard(gate().lock);
    if (gate().uses++ > 0) return;
    gate().threads_before = threads_.get();
    if (gate().threads_before != 1) threads_.set(1);
}

openblas_use::~openblas_use() {
    const std::lock_guard guard(gate().lock);
    if (--gate().uses > 0) return;
    if (gate().threads_before != 1) threads_.set(gate().threads_before);
    gate().idle.notify_all();
}

void lock_openblas_for_fork() {
    std::unique_lock held(gate().lock);
    gate().idle.wait(held, [] { return gate().uses == 0; });
    held.release();
}

void unlock_openblas_after_fork() { gate().lock.unlock(); }

}  // namespace frit::v0::detail
