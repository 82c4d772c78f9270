// Finding NVRTC and running it: see nvrtc.hpp.
#include "src/cuda/nvrtc.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "frit/error.hpp"
#include "fusion/codegen/dialect.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cache/bundle.hpp"
#include "src/cuda/toolkit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

using program = struct program_tag*;

// X(member, exported symbol, parameters)
#define FRIT_NVRTC(X)                                                                                                \
    X(version, nvrtcVersion, (int*, int*))                                                                           \
    X(error_text_of, nvrtcGetErrorString, (int))                                                                     \
    X(create, nvrtcCreateProgram, (program*, const char*, const char*, int, const char* const*, const char* const*)) \
    X(destroy, nvrtcDestroyProgram, (program*))                                                                      \
    X(compile, nvrtcCompileProgram, (program, int, const char* const*))                                              \
    X(add_name, nvrtcAddNameExpression, (program, const char*))                                                      \
    X(lowered_name, nvrtcGetLoweredName, (program, const char*, const char**))                                       \
    X(log_size, nvrtcGetProgramLogSize, (program, std::size_t*))                                                     \
    X(get_log, nvrtcGetProgramLog, (program, char*))                                                                 \
    X(cubin_size, nvrtcGetCUBINSize, (program, std::size_t*))                                                        \
    X(get_cubin, nvrtcGetCUBIN, (program, char*))

// nvrtcGetErrorString alone returns text instead of a code.
template <class>
struct returns {
    using type = int;
};
template <>
struct returns<int(int)> {
    using type = const char*;
};

struct library {
#define FRIT_X(member, symbol, parameters) returns<int parameters>::type(*member) parameters = nullptr;
    FRIT_NVRTC(FRIT_X)
#undef FRIT_X
    int major = 0, minor = 0;
    std::string why;

    library() {
        toolkit_library file("NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12"});
#define FRIT_X(member, symbol, parameters) file.find(member, #symbol);
        FRIT_NVRTC(FRIT_X)
#undef FRIT_X
        why = file.why_not();
        if (why.empty()) version(&major, &minor);
    }
};

const library& the_library() {
    static const library* l = new library;  // never destroyed, as all singletons
    return *l;
}

const library& needed_library() {
    const library& l = the_library();
    if (!l.why.empty()) throw device_error(l.why);
    return l;
}

std::vector<std::string> options(int sm, effort spent) {
    // No contraction: fma is the planner's decision. Division and square root are exact and subnormals kept by default.
    std::vector<std::string> out{"-arch=sm_" + std::to_string(sm), "-std=c++17", "--fmad=false"};
    if (the_library().major >= 13) out.push_back("-minimal");  // skips built-in headers that generated text does not use
    if (the_library().major >= 13 && spent == effort::less) out.push_back("--Ofast-compile=mid");
    return out;
}

}  // namespace

bool has_nvrtc(std::string& why) {
    why = the_library().why;
    return why.empty();
}

std::string nvrtc_name() {
    const library& l = needed_library();
    return "nvrtc " + std::to_string(l.major) + "." + std::to_string(l.minor);
}

found_library find_nvrtc() {
    const library& l = the_library();
    if (!l.why.empty()) return {"NVRTC", "kernels on GPUs", false, l.why + " (or install its libnvrtc alone)"};
    return {
        "NVRTC", "kernels on GPUs", true,
        std::to_string(l.major) + "." + std::to_string(l.minor) + ", " + file_of(reinterpret_cast<const void*>(l.version))};
}

namespace {

/// A program of NVRTC's, destroyed at its end.
class nvrtc_program {
public:
    nvrtc_program(const std::string& text, const char* file,
                  std::span<const std::pair<std::string, std::string>> headers = {}) {
        std::vector<const char*> names, texts;
        for (const auto& [name, header] : headers) {
            names.push_back(name.c_str());
            texts.push_back(header.c_str());
        }
        problem = l_.create(&p_, text.c_str(), file, static_cast<int>(headers.size()), texts.data(), names.data());
    }
    nvrtc_program(const nvrtc_program&) = delete;
    nvrtc_program& operator=(const nvrtc_program&) = delete;
    ~nvrtc_program() {
        if (p_) l_.destroy(&p_);
    }
    program get() const { return p_; }
    int problem;  ///< of making it

private:
    const library& l_ = needed_library();
    program p_ = nullptr;
};

void compile(program p, const std::vector<std::string>& words, compiled& out) {
    const library& l = needed_library();
    std::vector<const char*> arguments;
    arguments.reserve(words.size());
    for (const std::string& w : words) arguments.push_back(w.c_str());
    const int r = l.compile(p, static_cast<int>(arguments.size()), arguments.data());
    std::size_t size = 0;
    if (l.log_size(p, &size) == 0 && size > 1) {
        out.log.resize(size);
        l.get_log(p, out.log.data());
        out.log.resize(size - 1);  // its terminating zero
    }
    if (r != 0) {
        out.log = std::string(l.error_text_of(r)) + (out.log.empty() ? "" : "\n" + out.log);
        return;
    }
    if (l.cubin_size(p, &size) == 0 && size > 0) {
        out.cubin.resize(size);
        out.good = l.get_cubin(p, out.cubin.data()) == 0;
    }
}

}  // namespace

compiled compile_to_cubin(const std::string& text, int sm, effort spent) {
    compiled out;
    const nvrtc_program p(text, "kernel.cu");
    if (p.problem == 0)
        compile(p.get(), options(sm, spent), out);
    else
        out.log = needed_library().error_text_of(p.problem);
    return out;
}

namespace {

std::vector<std::string> raw_options(const raw_source& of, int sm) {
    std::vector<std::string> words{"-arch=sm_" + std::to_string(sm), "-std=c++17"};
    words.insert(words.end(), of.flags.begin(), of.flags.end());
    return words;
}

/// Whether the compiler reads files: what stands in them may change, and no key knows of it.
bool reads_folders(const raw_source& of) {
    return std::any_of(of.flags.begin(), of.flags.end(), [](const std::string& flag) {
        return flag.starts_with("-I") || flag.find("include") != std::string::npos;
    });
}

cache_key raw_key(const raw_source& of, int sm) {
    std::string text, joined;
    const auto add = [&text](const std::string& part) { text += std::to_string(part.size()) + ":" + part; };
    for (const auto& [name, header] : of.headers) {
        add(name);
        add(header);
    }
    add(of.name);
    for (const std::string& w : raw_options(of, sm)) joined += std::to_string(w.size()) + ":" + w;
    return {"raw_cuda_c", text + of.text, joined, "sm_" + std::to_string(sm), nvrtc_name()};
}

}  // namespace

compiled_raw compile_raw(const raw_source& of, int sm) {
    const library& l = needed_library();
    compiled_raw out;
    const bool kept = !reads_folders(of);
    if (kept) {
        if (auto found = kernel_cache().load(raw_key(of, sm))) {  // the symbol, a 0, the cubin
            const std::size_t end = found->find('\0');
            if (end != std::string::npos) {
                out.symbol = found->substr(0, end);
                out.cubin = found->substr(end + 1);
                out.good = out.from_disk = true;
                return out;
            }
        }
    }
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    const nvrtc_program p(of.text, "raw_kernel.cu", of.headers);
    if (p.problem != 0 || l.add_name(p.get(), of.name.c_str()) != 0) {
        out.log = p.problem != 0 ? l.error_text_of(p.problem) : "\"" + of.name + "\" is no name expression";
        return out;
    }
    compile(p.get(), raw_options(of, sm), out);
    const char* symbol = nullptr;
    if (!out.good || l.lowered_name(p.get(), of.name.c_str(), &symbol) != 0) {
        out.good = false;
        return out;
    }
    out.symbol = symbol;
    if (kept) kernel_cache().store(raw_key(of, sm), out.symbol + '\0' + out.cubin, of.text, ".cu");
    return out;
}

void forget_raw(const raw_source& of, int sm) { kernel_cache().remove(raw_key(of, sm)); }

cache_key cubin_key(const std::string& text, int sm, effort spent) {
    std::string joined;
    for (const std::string& w : options(sm, spent)) joined += w + " ";
    return {"cuda_c", text, joined, "sm_" + std::to_string(sm), nvrtc_name()};
}

ready_cubin cubin_of(const fusion::kernel_spec& spec, int sm) {
    fusion::target t;
    t.device = fusion::target::kind::cuda;
    t.sm = sm;
    ready_cubin out;
    out.text = fusion::emit(spec, fusion::cuda_c(), t);
    out.key = {"cuda_c", out.text, {}, "sm_" + std::to_string(sm), {}};
    if (log_enabled(log_channel::codegen)) log(log_channel::codegen, to_string(spec) + out.text);
    if (const auto found = bundles().find(out.key)) {
        out.key = found->key;
        out.cubin = found->binary;
        out.from = ready_cubin::origin::bundle;
        return out;
    }
    if (std::string why; bundles().loaded() && !has_nvrtc(why))
        throw device_error("no bundle that was loaded holds this kernel for " + out.key.architecture + ", and " + why);
    out.key = cubin_key(out.text, sm);
    if (auto found = kernel_cache().load(out.key)) {
        out.cubin = std::move(*found);
        out.from = ready_cubin::origin::disk;
        bundles().keep(out.key, out.cubin);
        return out;
    }
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    compiled c = compile_to_cubin(out.text, sm);
    if (!c.good)
        throw compile_error("sm_" + std::to_string(sm) + ": a generated kernel did not compile:\n" + c.log + "\n" +
                            out.text);
    out.cubin = std::move(c.cubin);
    kernel_cache().store(out.key, out.cubin, out.text, ".cu");
    bundles().keep(out.key, out.cubin);
    return out;
}

void forget(const ready_cubin& c) {
    if (c.from == ready_cubin::origin::disk) kernel_cache().remove(c.key);
    bundles().forget(c.key);
}

}  // namespace frit::v0::detail::cuda
