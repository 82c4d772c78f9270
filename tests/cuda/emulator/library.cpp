// See library.hpp. The library lies in memory (memfd): nothing is left behind, and addr2line can still read it.
#include "tests/cuda/emulator/library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "fusion/codegen/cuda_c.hpp"
#include "src/base/subprocess.hpp"
#include "src/cache/disk.hpp"
#include "tests/cuda/emulator/block.hpp"

namespace frit_test {
namespace {

using frit::detail::run_process;

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw std::runtime_error("cannot read " + path);
    return std::move(text).str();
}

std::string compiler() {
    const char* cxx = std::getenv("CXX");
    return cxx && *cxx ? cxx : "c++";
}

const std::vector<std::string>& options() {
    static const std::vector<std::string> all{
        "-std=c++17",
        "-O0",
        "-g1",
        "-w",
        "-fPIC",
        "-fvisibility=hidden",
        "-fno-exceptions",
        "-fno-rtti",
        "-ffp-contract=off",
        "-fno-strict-aliasing",
        "-fsanitize=thread",
        "-fsanitize=alignment,bounds,signed-integer-overflow,integer-divide-by-zero,shift,bool"};
    return all;
}

// One file: the folder's headers stand in it, so that the cache's key knows them.
std::string device_side() {
    const std::string folder = std::string(FRIT_TEST_SOURCE_DIR) + "/cuda/emulator/";
    const std::string all = file_text(folder + "abi.hpp") + file_text(folder + "device_side.hpp");
    return std::regex_replace(all, std::regex("#pragma once|#include \"[^\"]*\""), "");
}

// asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(w[0]), "r"(w[1]) : "memory") becomes
// emulated_ptx_store<32>(p, (w[0]), (w[1])), and asm volatile("ld.global.u32 %0, [%1];" : "=r"(w[0]) : "l"(p)) becomes
// emulated_ptx_load<32>((p), (w[0])); asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(a)) becomes
// emulated_cvt_rn_f16_f32((r.bits), (a)), and ex2.approx.ftz.f32 emulated_ex2; st.relaxed and ld.relaxed become
// emulated_relaxed_, atom.release emulated_release_; cache policies are left out. Other PTX is left, and the host's
// assembler says that it does not know it.
std::string without_ptx(const std::string& text) {
    static const std::regex store(
        "asm volatile\\(\"st\\.global[.a-z0-9]*\\.[busf](\\d+) \\[%0\\][^\"]*\"\\s*:\\s*:([^;]*?):\\s*\"memory\"\\)");
    static const std::regex load(
        "asm volatile\\(\"ld\\.global[.:_A-Za-z0-9]*\\.[busf](\\d+) [^\"]*\"\\s*:([^;]*?):\\s*\"l\"(\\([^;,]*?\\))(?:, "
        "\"l\"\\(frit_leaves_last\\(\\)\\))?\\)(?=;)");
    static const std::regex relaxed_store("asm volatile\\(\"st\\.relaxed[^\"]*\"\\s*::([^;]*?):\\s*\"memory\"\\)(?=;)");
    static const std::regex relaxed_load(
        "asm volatile\\(\"ld\\.relaxed[^\"]*\"\\s*:([^:]*?):([^;]*?):\\s*\"memory\"\\)(?=;)");
    static const std::regex release_add(
        "asm volatile\\(\"atom\\.release[.a-z]*\\.add[^\"]*\"\\s*:([^:]*?):([^;]*?):\\s*\"memory\"\\)(?=;)");
    static const std::regex policy("asm\\(\"createpolicy[^\"]*\" : \"=l\"\\((\\w+)\\)\\)(?=;)");
    static const std::regex conversion(
        "asm\\(\"cvt((?:\\.rn)?)\\.(\\w+)\\.(\\w+) %0, %1;\" : (\"[^:]*?) : (\"[^;]*?)\\)(?=;)");
    static const std::regex approximation("asm\\(\"(\\w+)\\.approx\\.ftz\\.f32 %0, %1;\" : (\"[^:]*?) : (\"[^;]*?)\\)(?=;)");
    static const std::regex constraint("\"=?[a-z]\"(?=\\()");
    std::string values = std::regex_replace(std::regex_replace(text, policy, "$1 = 0"), store, "emulated_ptx_store<$1>($2)");
    values = std::regex_replace(values, load, "emulated_ptx_load<$1>($3, $2)");
    values = std::regex_replace(values, relaxed_store, "emulated_relaxed_store($1)");
    values = std::regex_replace(values, relaxed_load, "emulated_relaxed_load($2, $1)");
    values = std::regex_replace(values, release_add, "emulated_release_add($2, $1)");
    values = std::regex_replace(values, conversion, "emulated_cvt_$2_$3($4, $5)");
    values = std::regex_replace(values, approximation, "emulated_$1($2, $3)");
    return std::regex_replace(values, constraint, "");
}

class temporary_folder {
public:
    temporary_folder() : path_((std::filesystem::temp_directory_path() / "frit-emulator-XXXXXX").string()) {
        if (!::mkdtemp(path_.data())) throw std::runtime_error("no temporary folder");
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string operator/(const char* name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// In two steps: asked to link with -fsanitize, the compiler would add the sanitizers' libraries.
std::string compiled(const std::string& source) {
    static const std::string version = run_process({compiler(), "--version"}).output;
    std::string all_options;
    for (const std::string& o : options()) all_options += o + " ";
    const frit::detail::cache_key key{"emulated_cuda_c", source, all_options, "host", version};
    if (auto known = frit::detail::kernel_cache().load(key)) return *std::move(known);
    const temporary_folder folder;
    std::ofstream(folder / "kernels.cpp") << source;
    std::vector<std::string> command{compiler()};
    command.insert(command.end(), options().begin(), options().end());
    command.insert(command.end(), {"-c", folder / "kernels.cpp", "-o", folder / "kernels.o"});
    const std::chrono::minutes limit(20);  // large text on a busy machine
    auto done = run_process(command, limit);
    if (done.status == 0)
        done = run_process({compiler(), "-shared", folder / "kernels.o", "-o", folder / "kernels.so"}, limit);
    if (done.status != 0) throw std::runtime_error("the host does not compile CUDA text:\n" + done.output);
    std::string binary = file_text(folder / "kernels.so");
    frit::detail::kernel_cache().store(key, binary, source, ".cpp");
    return binary;
}

template <class T>
T* symbol(void* library, const std::string& name) {
    void* const found = ::dlsym(library, name.c_str());
    if (!found) throw std::runtime_error("no " + name + " in the compiled CUDA text");
    return reinterpret_cast<T*>(found);
}

}  // namespace

emulated_library::emulated_library(const std::string& text, std::vector<std::string> names) : names_(std::move(names)) {
    source_ = device_side() + without_ptx(frit::fusion::cuda_prelude_for(text) + text);
    for (const std::string& name : names_)
        source_ += "FRIT_EMULATED_HOOK __attribute__((visibility(\"default\"))) void run_" + name +
                   "(const void* words) { " + name + "(*(const " + name + "_words*)words); }\n";
    const std::string binary = compiled(source_);
    file_ = ::memfd_create("emulated_cuda", MFD_CLOEXEC);
    const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
    std::ofstream(path, std::ios::binary) << binary;
    library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(std::string("compiled CUDA text does not load: ") + ::dlerror());
    place = symbol<emulated_place>(library_, "emulated_here");
    *symbol<emulated_calls>(library_, "emulated") = emulated_block::calls();
    for (const std::string& name : names_) entries_.push_back(symbol<emulated_entry>(library_, "run_" + name));
    one_shared_ = symbol<char*()>(library_, "emulated_shared");
    find_image();
}

emulated_library::~emulated_library() {
    if (library_) ::dlclose(library_);
    if (file_ >= 0) ::close(file_);
}

void emulated_library::find_image() {
    one_shared_();  // from now on this thread has them
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& mine = *static_cast<emulated_library*>(data);
            const char *begin = nullptr, *end = nullptr;
            std::size_t tls = 0;
            for (int k = 0; k < info->dlpi_phnum; ++k) {
                const auto& part = info->dlpi_phdr[k];
                const char* const at = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
                if (part.p_type == PT_TLS) tls = part.p_memsz;
                if (part.p_type != PT_LOAD) continue;
                if (!begin || at < begin) begin = at;
                if (at + part.p_memsz > end) end = at + part.p_memsz;
            }
            const char* const known = reinterpret_cast<const char*>(mine.place);
            if (!(begin <= known && known < end)) return 0;
            mine.image_begin_ = begin;
            mine.image_end_ = end;
            mine.shared_bytes_ = tls;
            mine.one_shared_at_ = mine.one_shared_() - static_cast<char*>(info->dlpi_tls_data);
            return 1;
        },
        this);
    if (!image_begin_) throw std::runtime_error("compiled CUDA text is nowhere in memory");
}

// All bits set: NaN, -1, and a bool that is none.
void emulated_library::spoil_shared() const { std::memset(shared_begin(), 0xff, shared_bytes_); }

const std::string& emulated_library::name_of(emulated_entry* entry) const {
    return names_[static_cast<std::size_t>(std::find(entries_.begin(), entries_.end(), entry) - entries_.begin())];
}

std::string emulated_library::in_text(const std::string& what, int line) const {
    std::istringstream lines(source_);
    std::string text;
    for (int k = 0; k < line && std::getline(lines, text); ++k) {
    }
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return what + " (line " + std::to_string(line) + ": " + text.substr(begin) + ")";
}

std::string emulated_library::where(const void* instruction) const {
    char offset[32];  // of the call, not of what it returns to
    std::snprintf(offset, sizeof offset, "%#tx", static_cast<const char*>(instruction) - 1 - image_begin_);
    const auto done =
        run_process({"addr2line", "-e", "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_), offset});
    const std::size_t colon = done.output.rfind(':');
    const int line = done.status == 0 && colon != std::string::npos ? std::atoi(done.output.c_str() + colon + 1) : 0;
    return line > 0 ? " " + in_text("there", line) : "";
}

}  // namespace frit_test
