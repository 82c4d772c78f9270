// See shared_object.hpp. Debuggers and profilers that go by the memory map see the file under its own name.
#include "src/cpu/shared_object.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>

namespace frit::inline v0::detail {
namespace {

/// The descriptor's name in /proc, spelled as never before: dlopen takes a name that it has seen for the library that had
/// it, and numbers of descriptors come again.
std::string new_name_of(int file) {
    static std::atomic<std::uint64_t> count{0};
    std::string name = "/proc";
    for (std::uint64_t n = count.fetch_add(1) + 1; n > 0; n >>= 1) name += n & 1 ? "/." : "//";
    return name + "/self/fd/" + std::to_string(file);
}

bool same_file(int file, const std::string& name) {
    struct stat a {
    }, b{};
    return ::fstat(file, &a) == 0 && ::stat(name.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

void* open_shared_object(int file, const std::string& path) {
    const std::string name = new_name_of(file);
    return ::dlopen(same_file(file, name) ? name.c_str() : path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace frit::v0::detail
