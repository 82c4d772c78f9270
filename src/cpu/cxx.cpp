// The $CXX engine: generated host text through the user's compiler into a shared object, kept in the disk cache and opened
// from there. It runs generated code where there is no GPU, at the speed of compiled loops.
#include <dlfcn.h>

#include <fstream>
#include <map>

#include "frit/error.hpp"
#include "src/base/env.hpp"
#include "src/base/file.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/temporary_folder.hpp"
#include "src/cpu/compiled_kernel.hpp"
#include "src/cpu/facts.hpp"
#include "src/cpu/shared_object.hpp"

namespace frit::inline v0::detail {
namespace {

struct host_compiler {
    std::vector<std::string> command;  // CXX may carry options or a launcher: "ccache g++"
    std::string version;               // first line of --version
};

// $CXX as a shell without quotes would read it: blanks separate, so its paths and options cannot hold any.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

// $CXX, else the first of the usual names that answers.
host_compiler find_compiler(const std::string& chosen) {
    std::vector<std::vector<std::string>> candidates = {{"c++"}, {"g++"}, {"clang++"}};
    if (!chosen.empty()) candidates = {words_of(chosen)};
    std::string tried;
    for (const auto& command : candidates) {
        auto ask = command;
        ask.push_back("--version");
        const process_result answer = run_process(ask, env().compile_timeout);
        if (answer.status == 0) return {command, answer.output.substr(0, answer.output.find('\n'))};
        tried += (tried.empty() ? "" : "; ") + command_line(ask) + ": " +
                 (answer.timed_out ? "no end within " + std::to_string(env().compile_timeout.count()) + " s"
                                   : answer.output.substr(0, answer.output.find('\n')));
    }
    throw compile_error("cpu engine cxx: no C++ compiler answers (set CXX, or FRIT_CPU_ENGINE=interpreter): " + tried);
}

// Asked once for every value that CXX takes; a failure is not remembered.
host_compiler compiler() {
    static auto* const found = new std::map<std::string, host_compiler>;
    const char* const variable = environment_variable("CXX");
    const std::string chosen = variable ? variable : "";
    {
        const std::lock_guard guard(compiler_lock());
        if (const auto known = found->find(chosen); known != found->end()) return known->second;
    }
    const host_compiler answers = find_compiler(chosen);  // without the lock: who forks takes it, and must not wait so long
    const std::lock_guard guard(compiler_lock());
    return found->emplace(chosen, answers).first->second;
}

std::vector<std::string> options_for(isa_level level) {
    std::vector<std::string> options = {"-x",
                                        "c++",
                                        "-std=c++17",
                                        "-O2",
                                        "-shared",
                                        "-fPIC",
                                        "-fwrapv",
                                        "-ffp-contract=off",
                                        "-fno-math-errno",
                                        "-fno-strict-aliasing",  // memory that a result takes over held another dtype
                                        "-w"};
#if defined(__x86_64__)
    constexpr const char* march[] = {"-march=x86-64", "-march=x86-64-v3", "-march=x86-64-v4"};
    options.push_back(march[static_cast<int>(level)]);
#else
    static_cast<void>(level);
#endif
    return options;
}

// The kernel's text through the compiler; the descriptor and bytes of what it made.
struct made_library {
    std::string path, bytes;
    descriptor file;
};
constexpr std::uint64_t largest_library = std::uint64_t{256} << 20;  // a file that says it is larger is no kernel

made_library compile(const temporary_folder& folder, const std::string& text, const std::vector<std::string>& command) {
    const std::string source = folder / "kernel.cpp";
    made_library made{folder / "kernel.so", {}, {}};
    if (!(std::ofstream(source) << text).flush()) throw io_error("cpu engine cxx: cannot write " + source);
    std::vector<std::string> all = command;
    all.insert(all.end(), {"-o", made.path, source, "-lm"});
    const std::string line = command_line(all);
    if (log_enabled(log_channel::codegen)) log(log_channel::codegen, "cpu: " + line);
    const process_result ran = run_process(all, env().compile_timeout);
    if (ran.timed_out)
        throw compile_error("cpu engine cxx: " + line + " took too long (FRIT_COMPILE_TIMEOUT sets the limit):\n" +
                            ran.output);
    if (ran.status != 0)
        throw compile_error("cpu engine cxx: " + line + " failed (status " + std::to_string(ran.status) + "):\n" +
                            ran.output);
    made.file = open_to_read(AT_FDCWD, made.path);
    if (!made.file || !read_file(made.file.get(), largest_library, made.bytes))
        throw compile_error("cpu engine cxx: " + line + " made no library, or an absurdly large one:\n" + ran.output);
    return made;
}

}  // namespace

found_library find_host_compiler() {
    found_library l{"C++ compiler", "the engine cxx", true, ""};
    try {
        const host_compiler c = compiler();
        l.text = c.version + ", " + command_line(c.command);
    } catch (const compile_error& e) {
        l.found = false;
        l.text = std::string(e.what()) + "; install one (Debian: g++)";
    }
    return l;
}

std::mutex& compiler_lock() {
    static std::mutex lock;
    return lock;
}

namespace {

/// All that is known before bundles are looked at, and with the compiler's command and version, before the disk is.
struct wanted_kernel {
    std::vector<std::string> command;
    cache_key key;
};
wanted_kernel wanted_of_any_compiler(kernel_source& of) {
    return {{}, {"host_c", of.host_text(), {}, std::string(name_of(of.level)), {}}};
}
void ask_compiler(wanted_kernel& w, isa_level level) {
    host_compiler cxx = compiler();
    const std::vector<std::string> options = options_for(level);
    std::vector<std::string> key_options(cxx.command.begin() + 1, cxx.command.end());  // $CXX's own come first
    key_options.insert(key_options.end(), options.begin(), options.end());
    cxx.command.insert(cxx.command.end(), options.begin(), options.end());
    w.command = std::move(cxx.command);
    w.key.options = command_line(key_options);
    w.key.compiler = cxx.version;
}

std::shared_ptr<cpu_kernel> opened(const kernel_source& of, const std::string& text, const descriptor& file,
                                   const std::string& path) {
    void* const library = open_shared_object(file.get(), path);
    if (!library) return nullptr;
    return make_kernel_of(of, text, {library, [](void* l) { dlclose(l); }},
                          [library](const std::string& symbol) { return dlsym(library, symbol.c_str()); });
}

// The dynamic loader takes files.
std::shared_ptr<cpu_kernel> in_bundle(const cache_key& key, const kernel_source& of) {
    return kernel_in_bundle(key, [&](const std::string& library) {
        const temporary_folder folder("cpu engine cxx");
        const int failure = write_file(folder / "kernel.so", std::span<const std::string_view>({std::string_view(library)}));
        const descriptor file = failure == 0 ? open_to_read(AT_FDCWD, folder / "kernel.so") : descriptor();
        if (!file) throw io_error("cpu engine cxx: cannot write " + folder / "kernel.so");
        return opened(of, key.text, file, folder / "kernel.so");
    });
}

std::shared_ptr<cpu_kernel> on_disk(const cache_key& key, const kernel_source& of) {
    return kernel_on_disk(key, [&](const cached_binary& found) { return opened(of, key.text, found.file, found.path); });
}

}  // namespace

std::shared_ptr<cpu_kernel> find_bundled_compiled(kernel_source& of) {
    return in_bundle(wanted_of_any_compiler(of).key, of);
}

std::shared_ptr<cpu_kernel> make_compiled(kernel_source& of) {
    wanted_kernel w = wanted_of_any_compiler(of);
    if (auto k = in_bundle(w.key, of)) return k;
    ask_compiler(w, of.level);
    if (auto k = on_disk(w.key, of)) return k;
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    const temporary_folder folder("cpu engine cxx");
    const made_library made = compile(folder, w.key.text, w.command);
    auto k = opened(of, w.key.text, made.file, made.path);
    if (!k) {
        const char* const why = dlerror();
        throw compile_error("cpu engine cxx: " + command_line(w.command) +
                            " made a library that does not load: " + (why ? why : "no entry point"));
    }
    keep_kernel(w.key, made.bytes, w.key.text, ".cpp");
    return k;
}

}  // namespace frit::v0::detail
