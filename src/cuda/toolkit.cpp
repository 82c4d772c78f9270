// Finding and loading: see toolkit.hpp.
#include "src/cuda/toolkit.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "src/base/env.hpp"
#include "src/cuda/driver.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> folders() {
    std::vector<std::string> all{""};  // the loader's own search path
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = environment_variable(variable); home && *home) all.push_back(std::string(home) + "/lib64/");
    std::vector<std::string> installed;
    std::error_code problem;
    for (fs::directory_iterator it("/usr/local", problem), last; !problem && it != last; it.increment(problem))
        if (it->path().filename().string().starts_with("cuda")) installed.push_back(it->path().string() + "/lib64/");
    std::sort(installed.rbegin(), installed.rend());  // the newest version first
    all.insert(all.end(), installed.begin(), installed.end());
    return all;
}

}  // namespace

toolkit_library::toolkit_library(std::string what, const std::vector<std::string>& names) : what_(std::move(what)) {
    std::string looked;
    const std::vector<std::string> places = folders();
    for (const std::string& name : names)
        for (const std::string& folder : places) {
            file_ = folder + name;
            handle_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (handle_) return;
            looked += (looked.empty() ? "" : ", ") + file_;
        }
    why_ = what_ + " not found: looked in " + looked + "; set CUDA_HOME to a CUDA toolkit";
}

void* toolkit_library::address(const char* symbol) {
    void* const found = handle_ ? ::dlsym(handle_, symbol) : nullptr;
    if (!found && why_.empty()) why_ = what_ + " is too old: " + file_ + " has no " + symbol;
    return found;
}

std::vector<std::string> names_by_driver(const std::string& name, int of_cuda_13, int of_cuda_12) {
    std::vector<std::string> names{name + std::to_string(of_cuda_12)};
    // The one made for a newer driver than this does not start.
    std::string no_driver;
    if (const driver* d = find_driver(no_driver); !d || d->version >= 13000)
        names.insert(names.begin(), name + std::to_string(of_cuda_13));
    return names;
}

}  // namespace frit::v0::detail::cuda
