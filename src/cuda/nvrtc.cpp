// Finding NVRTC and running it: see nvrtc.hpp.
#include "src/cuda/nvrtc.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "frit/error.hpp"
#include "fusion/codegen/dialect.hpp"
#include "src/base/cpp_words.hpp"
#include "src/base/errors.hpp"
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

/// The toolkit's headers, which NVRTC does not look for by itself.
const toolkit_headers& headers_here() {
    static const auto* const found = new toolkit_headers(
        find_headers(file_of(reinterpret_cast<const void*>(needed_library().version)), needed_library().major));
    return *found;
}

std::vector<std::string> raw_options(const raw_source& of, int sm) {
    std::vector<std::string> words{"-arch=sm_" + std::to_string(sm), "-std=c++17"};
    words.insert(words.end(), of.flags.begin(), of.flags.end());
    for (const std::string& folder : headers_here().folders) words.push_back("-I" + folder);  // behind the program's
    return words;
}

/// What a compiler reads besides what it is given.
enum class reading : std::uint8_t { nothing, toolkit, files };

/// By a line of the preprocessor. Where that cannot be told, files.
reading read_by(cpp_word line, const raw_source& of) {
    const std::vector<cpp_word> words = words_of(line.substr(1));
    const cpp_word what = words.empty() ? cpp_word() : words[0];
    if (line.find("__has_include") != line.npos || line.find("__has_embed") != line.npos) return reading::files;
    if (what == "include_next" || what == "import" || what == "embed") return reading::files;
    if (what != "include") return reading::nothing;
    std::string_view name = line.substr(line.find("include") + what.size());
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    const std::size_t end = name.size() < 2 ? name.npos : name.find(name[0] == '<' ? '>' : '"', 1);
    if ((!name.starts_with('<') && !name.starts_with('"')) || end == name.npos) return reading::files;
    const std::string file(name.substr(1, end - 1));
    const auto is_it = [&](const auto& header) { return header.first == file; };
    if (std::any_of(of.headers.begin(), of.headers.end(), is_it)) return reading::nothing;
    return name[0] == '<' && headers_here().have(file) ? reading::toolkit : reading::files;
}

reading read_for(const raw_source& of) {
    auto all = reading::nothing;
    for (const std::string& flag : of.flags)  // --pre-include and --use-pch among them
        if (flag.starts_with("-I") || flag.find("include") != flag.npos || flag.find("pch") != flag.npos)
            return reading::files;
    const auto add = [&](const std::string& text) {
        const std::string joined = with_joined_lines(text);
        for (const cpp_word w : words_of(joined))  // outside of a line it may be %:include
            all = std::max(all, w == "include" ? reading::files : is_directive(w) ? read_by(w, of) : reading::nothing);
    };
    add(of.text);
    for (const auto& [name, header] : of.headers) add(header);
    return all;
}

}  // namespace

cache_key key_in_bundles(const raw_source& of, int sm) {
    std::string text;
    const auto add = [&text](const std::string& part) { text += std::to_string(part.size()) + ":" + part; };
    for (const auto& [name, header] : of.headers) {
        add(name);
        add(header);
    }
    add(of.name);
    for (const std::string& flag : of.flags) add(flag);
    return {"raw_cuda_c", text + "0:" + of.text, {}, "sm_" + std::to_string(sm), {}};
}

namespace {

cache_key raw_key(const raw_source& of, int sm, reading reads) {
    cache_key key = key_in_bundles(of, sm);
    key.options = reads == reading::toolkit ? "-std=c++17, headers of " + headers_here().version : "-std=c++17";
    key.compiler = nvrtc_name();
    return key;
}

/// @param binary  the symbol, a 0, the cubin @returns whether it is such
bool take_binary(const std::string& binary, origin from, compiled_raw& out) {
    const std::size_t end = binary.find('\0');
    if (end == std::string::npos) return false;
    out.symbol = binary.substr(0, end);
    out.cubin = binary.substr(end + 1);
    out.from = from;
    return out.good = true;
}

/// With NVRTC, now.
compiled_raw compile_raw_now(const raw_source& of, int sm) {
    const library& l = needed_library();
    compiled_raw out;
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    const nvrtc_program p(of.text, "raw_kernel.cu", of.headers);
    if (p.problem != 0 || l.add_name(p.get(), of.name.c_str()) != 0) {
        out.log = p.problem != 0 ? l.error_text_of(p.problem) : "\"" + of.name + "\" is no name expression";
        return out;
    }
    compile(p.get(), raw_options(of, sm), out);
    const char* symbol = nullptr;
    if (!out.good) return out;
    if (const int r = l.lowered_name(p.get(), of.name.c_str(), &symbol); r != 0) {
        out.good = false;
        out.log =
            std::string(l.error_text_of(r)) + ": it tells no symbol of " + of.name + (out.log.empty() ? "" : "\n") + out.log;
        return out;
    }
    out.symbol = symbol;
    return out;
}

}  // namespace

compiled_raw compile_raw(const raw_source& of, int sm, const std::string& who) {
    compiled_raw out;
    if (const auto found = bundles().find(key_in_bundles(of, sm)); found && take_binary(found->binary, origin::bundle, out))
        return out;
    if (std::string why; !has_nvrtc(why))
        throw device_error(who +
                           (bundles().loaded() ? "no bundle that was loaded holds " + title_of(of) + " for sm_" +
                                                     std::to_string(sm) + ", and "
                                               : title_of(of) + " needs NVRTC: ") +
                           why);
    const reading reads = read_for(of);
    const cache_key key = raw_key(of, sm, reads);
    if (reads != reading::files)
        if (const auto found = kernel_cache().load(key); found && take_binary(*found, origin::disk, out)) {
            bundles().keep(key, *found);
            return out;
        }
    out = compile_raw_now(of, sm);
    if (!out.good) return out;
    const std::string binary = out.symbol + '\0' + out.cubin;
    if (reads != reading::files) kernel_cache().store(key, binary, of.text, ".cu");
    bundles().keep(key, binary);
    return out;
}

std::string refusal_of(const raw_source& of, int sm, const compiled_raw& c) {
    return title_of(of) + place(of.where) + " does not compile for sm_" + std::to_string(sm) + ":\n" + c.log;
}

void keep_raw(const raw_source& of, int sm) {
    if (const compiled_raw c = compile_raw(of, sm); !c.good) throw compile_error(refusal_of(of, sm, c));
}

void forget_raw(const raw_source& of, int sm, origin from) {
    if (from == origin::disk) kernel_cache().remove(raw_key(of, sm, read_for(of)));
    bundles().forget(key_in_bundles(of, sm));
}

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
        out.from = origin::bundle;
        return out;
    }
    if (std::string why; bundles().loaded() && !has_nvrtc(why))
        throw device_error("no bundle that was loaded holds this kernel for " + out.key.architecture + ", and " + why);
    out.key = cubin_key(out.text, sm);
    if (auto found = kernel_cache().load(out.key)) {
        out.cubin = std::move(*found);
        out.from = origin::disk;
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
    if (c.from == origin::disk) kernel_cache().remove(c.key);
    bundles().forget(c.key);
}

}  // namespace frit::v0::detail::cuda
