// Finding and loading: see toolkit.hpp.
#include "src/cuda/toolkit.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "src/base/env.hpp"
#include "src/cuda/driver.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

namespace fs = std::filesystem;

/// Folders of toolkits.
std::vector<std::string> homes() {
    std::vector<std::string> all;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = environment_variable(variable); home && *home) all.emplace_back(home);
    std::vector<std::string> installed;
    std::error_code problem;
    for (fs::directory_iterator it("/usr/local", problem), last; !problem && it != last; it.increment(problem))
        if (it->path().filename().string().starts_with("cuda")) installed.push_back(it->path().string());
    std::sort(installed.rbegin(), installed.rend());  // the newest version first
    all.insert(all.end(), installed.begin(), installed.end());
    return all;
}

std::vector<std::string> folders() {
    std::vector<std::string> all{""};  // the loader's own search path
    for (const std::string& home : homes()) all.push_back(home + "/lib64/");
    return all;
}

/// CUDA_VERSION, as a folder of headers defines it; empty where it has none.
std::string version_in(const std::string& folder) {
    constexpr std::string_view definition = "#define CUDA_VERSION ";
    std::ifstream in(folder + "/cuda.h");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(definition)) return line.substr(definition.size());
    return {};
}

bool is_file(const std::string& path) {
    std::error_code problem;
    return fs::is_regular_file(path, problem);
}

}  // namespace

bool toolkit_headers::have(const std::string& name) const {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& f) { return is_file(f + "/" + name); });
}

toolkit_headers find_headers(const std::string& library, int major) {
    const fs::path beside = fs::path(library).parent_path() / "..";
    std::vector<std::string> all{(beside / "include").lexically_normal().string(),
                                 (beside / "../cuda_runtime/include").lexically_normal().string()};  // Python's packages
    for (const std::string& home : homes()) all.push_back(home + "/include");
    for (const std::string& folder : all) {
        const std::string version = is_file(folder + "/cuda_fp16.h") ? version_in(folder) : std::string();
        if (version.size() < 5 || version.substr(0, version.size() - 3) != std::to_string(major)) continue;
        return {{folder, folder + "/cccl"}, version};  // where CUDA 13 has cuda/std
    }
    return {};
}

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

void* toolkit_library::address_or_null(const char* symbol) const { return handle_ ? ::dlsym(handle_, symbol) : nullptr; }

void* toolkit_library::address(const char* symbol) {
    void* const found = address_or_null(symbol);
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

found_library found_in_toolkit(const char* name, const char* purpose, const std::string& why_not,
                               int (*get_property)(int part, int* value)) {
    found_library found{name, purpose, why_not.empty(), why_not};
    if (!found.found) return found;
    int version[3] = {};
    for (int part = 0; part < 3; ++part) get_property(part, &version[part]);  // MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL
    found.text = std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]) + ", " +
                 file_of(reinterpret_cast<const void*>(get_property));
    return found;
}

}  // namespace frit::v0::detail::cuda
