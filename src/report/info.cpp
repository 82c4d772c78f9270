// frit::info(): puts together what the parts of the library know about this machine.
#include "frit/info.hpp"

#include <initializer_list>
#include <string_view>
#include <vector>

#include "frit/device.hpp"
#include "frit/error.hpp"
#include "src/base/env.hpp"
#include "src/base/log.hpp"
#include "src/base/threads.hpp"
#include "src/cache/bundle.hpp"
#include "src/cache/disk.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/facts.hpp"
#include "src/cpu/fftw.hpp"
#include "src/cpu/llvm.hpp"
#include "src/cuda/blas.hpp"
#include "src/cuda/cub.hpp"
#include "src/cuda/facts.hpp"
#include "src/cuda/fourier.hpp"
#include "src/cuda/nvrtc.hpp"
#include "src/cuda/profiler.hpp"
#include "src/cuda/solver.hpp"
#include "src/engine/backend.hpp"

namespace frit::inline v0 {
namespace {

using namespace detail;

void row(std::string& text, std::string_view name, std::string_view what) {
    constexpr std::size_t column = 20;
    text += "  ";
    text += name;
    text.append(name.size() < column ? column - name.size() : 1, ' ');
    text += what;
    text += '\n';
}

std::string counted(int n, const char* one) { return std::to_string(n) + ' ' + one + (n == 1 ? "" : "s"); }

void add_devices(std::string& text) {
    text += "\ndevices\n";
    const cpu_facts cpu = facts_of_this_cpu();
    std::string line = cpu.model;
    if (cpu.cores > 0) line += ", " + counted(cpu.cores, "core");
    line += ", " + counted(cpu.threads, "hardware thread") + " for this process; frit uses " +
            counted(thread_pool::instance().size(), "thread");
    row(text, "cpu", line);
    const std::vector<cuda::gpu_facts> gpus = cuda::facts_of_gpus();
    for (std::size_t k = 0; k < gpus.size(); ++k)
        row(text, "cuda:" + std::to_string(k),
            gpus[k].name + ", " + readable_bytes(gpus[k].bytes) + ", compute capability " + std::to_string(gpus[k].major) +
                "." + std::to_string(gpus[k].minor) + ", " + counted(gpus[k].processors, "multiprocessor"));
    try {
        row(text, "default", to_string(default_device()));
    } catch (const device_error& e) {  // a GPU was asked for, or is there, and cannot be used: that is what this text is for
        row(text, "default", std::string("none: ") + e.what());
    }
}

void add_engines(std::string& text, const found_library& compiler, const found_library& llvm, const found_library& driver,
                 const found_library& nvrtc) {
    text += "\nengines\n";
    const auto needs = [](std::initializer_list<found_library> libraries) {
        std::string missing;
        for (const found_library& l : libraries)
            if (!l.found) missing += (missing.empty() ? "missing: " : ", ") + l.name;
        return missing.empty() ? "ready" : missing;
    };
    row(text, "interpreter", needs({}));
    row(text, "jit", needs({llvm}));
    row(text, "cxx", needs({compiler}));
    row(text, "nvrtc", needs({driver, nvrtc}));
    row(text, "in use on the CPU",
        cpu_backend().engine() + " (this machine has " + std::string(name_of(machine_isa())) + ")");
}

void add_cache(std::string& text) {
    text += "\nkernel cache\n";
    if (bundles().loaded()) row(text, "bundles", counted(static_cast<int>(bundles().count()), "kernel"));
    const disk_cache& cache = kernel_cache();
    if (cache.folder().empty()) return row(text, "folder", "none: kernels are not kept on disk");
    const disk_cache::usage used = cache.used();
    const std::string problem = cache.problem();
    row(text, "folder", cache.folder() + (problem.empty() ? "" : " (not used: " + problem + ")"));
    row(text, "kernels", std::to_string(used.kernels));
    row(text, "size", readable_bytes(used.bytes) + " of at most " + readable_bytes(cache.max_bytes()));
}

void add_environment(std::string& text) {
    text += "\nenvironment\n";
    for (const variable& v : variables()) {
        const char* const set = environment_variable(v.name);
        const std::string shown = v.show(env());
        const bool is_set = set && (*set || v.empty_counts);
        row(text, v.name, (shown.empty() ? "none" : shown) + (is_set ? ", set" : "") + " [" + std::string(v.meaning) + "]");
    }
}

}  // namespace

std::string info() try {
    const found_library compiler = find_host_compiler(), llvm = find_llvm(), driver = cuda::find_driver_library(),
                        nvrtc = cuda::find_nvrtc();
    std::string text = "frit " FRIT_VERSION_STRING "\n";
    add_devices(text);
    add_engines(text, compiler, llvm, driver, nvrtc);
    add_cache(text);
    text += "\nlibraries\n";
    for (const found_library& l :
         {find_libmvec(), find_openblas(), find_fftw(), compiler, llvm, driver, nvrtc, cuda::find_cublas(),
          cuda::find_cublaslt(), cuda::find_cusolver(), cuda::find_cufft(), cuda::find_cub(), cuda::find_nvtx()})
        row(text, l.name, (l.found ? l.text : "missing: " + l.text) + " [" + l.use + "]");
    add_environment(text);
    return text;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("info", detail::unknown_line);
}

}  // namespace frit::v0
