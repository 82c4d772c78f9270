// Reads the CPU's facts from the system: see facts.hpp.
#include "src/cpu/facts.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <fstream>
#include <set>
#include <utility>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/blas.hpp"

namespace frit::inline v0::detail {

// A processor is a paragraph of "name : value" lines. On x86 it names its model and core, elsewhere often neither.
cpu_facts facts_of_this_cpu() {
    cpu_facts facts;
    std::set<std::pair<std::string, std::string>> cores;
    std::ifstream file("/proc/cpuinfo");
    std::string line, package;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string name = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : std::string();
        if (name == "model name" && facts.model.empty()) facts.model = value;
        if (name == "physical id") package = value;
        if (name == "core id") cores.emplace(package, value);
    }
    if (facts.model.empty()) {
        utsname system{};
        facts.model = uname(&system) == 0 ? system.machine : "unknown";
    }
    facts.cores = static_cast<int>(cores.size());
    facts.threads = usable_processors();
    return facts;
}

found_library find_libmvec() {
    found_library l{"libmvec", "vector math on the CPU", false, ""};
#if defined(__x86_64__)
    // Stays open: the engines use it too, and it is open already once a kernel has run.
    if (void* const handle = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL)) {
        l.found = true;
        l.text = std::string("glibc ") + gnu_get_libc_version() + ", " + file_of(dlsym(handle, "_ZGVbN4v_sinf"));
    } else {
        l.text = "libmvec.so.1 not found, math runs lane by lane; install glibc's (Debian: libc6)";
    }
#else
    l.text = "not used on this architecture: math runs lane by lane";
#endif
    return l;
}

found_library find_openblas() {
    try {
        return {"OpenBLAS", "matmul and linalg on the CPU", true, blas_description()};
    } catch (const device_error& e) {  // names Debian's package
        return {"OpenBLAS", "matmul and linalg on the CPU", false, e.what()};
    }
}

}  // namespace frit::v0::detail
