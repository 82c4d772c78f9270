// Finding LLVM and running it: see llvm.hpp. What LLVM does where it cannot go on, ending the process, it does not do here:
// its two handlers throw, through its own frames, which have unwind tables but run no destructors. So what a failed
// compilation held is left alone, never taken apart; and LLVM's lazy initialisation, whose locks would stay locked, happens
// in a first compilation of no use, after whose failure LLVM is not used again.
#include "src/cpu/llvm.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <chrono>
#include <thread>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "frit/error.hpp"
#include "src/base/env.hpp"
#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {
namespace {

using context = struct context_tag*;
using module_ref = struct module_tag*;
using buffer_of_llvm = struct buffer_tag*;
using diagnostic = struct diagnostic_tag*;
using target = struct target_tag*;
using target_machine = struct target_machine_tag*;
using target_data = struct target_data_tag*;
using pass_options = struct pass_options_tag*;
using failure = struct failure_tag*;
using diagnostic_handler = void (*)(diagnostic, void*);
using no_memory_handler = void (*)(void*, const char*, bool);

// X(result, member, exported symbol, parameters): the same from LLVM 14 on.
#define FRIT_LLVM(X)                                                                                              \
    X(context, make_context, LLVMContextCreate, ())                                                               \
    X(void, dispose_context, LLVMContextDispose, (context))                                                       \
    X(void, set_diagnostic_handler, LLVMContextSetDiagnosticHandler, (context, diagnostic_handler, void*))        \
    X(int, severity_of, LLVMGetDiagInfoSeverity, (diagnostic))                                                    \
    X(char*, text_of, LLVMGetDiagInfoDescription, (diagnostic))                                                   \
    X(buffer_of_llvm, wrap, LLVMCreateMemoryBufferWithMemoryRange, (const char*, std::size_t, const char*, int))  \
    X(const char*, start_of, LLVMGetBufferStart, (buffer_of_llvm))                                                \
    X(std::size_t, size_of, LLVMGetBufferSize, (buffer_of_llvm))                                                  \
    X(void, dispose_buffer, LLVMDisposeMemoryBuffer, (buffer_of_llvm))                                            \
    X(int, parse, LLVMParseIRInContext, (context, buffer_of_llvm, module_ref*, char**))                           \
    X(int, verify, LLVMVerifyModule, (module_ref, int, char**))                                                   \
    X(void, dispose_module, LLVMDisposeModule, (module_ref))                                                      \
    X(void, set_triple, LLVMSetTarget, (module_ref, const char*))                                                 \
    X(void, set_layout, LLVMSetModuleDataLayout, (module_ref, target_data))                                       \
    X(int, find_target, LLVMGetTargetFromTriple, (const char*, target*, char**))                                  \
    X(target_machine, make_machine, LLVMCreateTargetMachine,                                                      \
      (target, const char*, const char*, const char*, int, int, int))                                             \
    X(void, dispose_machine, LLVMDisposeTargetMachine, (target_machine))                                          \
    X(target_data, make_layout, LLVMCreateTargetDataLayout, (target_machine))                                     \
    X(void, dispose_layout, LLVMDisposeTargetData, (target_data))                                                 \
    X(pass_options, make_pass_options, LLVMCreatePassBuilderOptions, ())                                          \
    X(void, dispose_pass_options, LLVMDisposePassBuilderOptions, (pass_options))                                  \
    X(failure, run_passes, LLVMRunPasses, (module_ref, const char*, target_machine, pass_options))                \
    X(int, emit, LLVMTargetMachineEmitToMemoryBuffer, (target_machine, module_ref, int, char**, buffer_of_llvm*)) \
    X(char*, text_of_failure, LLVMGetErrorMessage, (failure))                                                     \
    X(void, dispose_failure_text, LLVMDisposeErrorMessage, (char*))                                               \
    X(void, dispose_text, LLVMDisposeMessage, (char*))                                                            \
    X(void, set_fatal_error_handler, LLVMInstallFatalErrorHandler, (void (*)(const char*)))                       \
    X(void, add_target_info, LLVMInitializeX86TargetInfo, ())                                                     \
    X(void, add_target, LLVMInitializeX86Target, ())                                                              \
    X(void, add_target_code, LLVMInitializeX86TargetMC, ())                                                       \
    X(void, add_printer, LLVMInitializeX86AsmPrinter, ())

// Values of LLVM's enumerations.
constexpr int return_status = 2, severity_of_errors = 0, level_default = 2, relocation_pic = 2, code_model_small = 3,
              object_file = 1;
constexpr const char* triple = "x86_64-unknown-linux-gnu";
constexpr const char* cpu_names[isa_levels] = {"x86-64", "x86-64-v3", "x86-64-v4"};
// What default<O1> leaves of generated text, in a fifth of its time: vectors are explicit and loops unrolled already.
constexpr const char* passes = "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm))";

struct library {
#define FRIT_X(result, member, symbol, parameters) result(*member) parameters = nullptr;
    FRIT_LLVM(FRIT_X)
#undef FRIT_X
    void (*use_opaque_pointers)(context) = nullptr;  // LLVM 14 alone, where they are a context's choice
    void (*set_no_memory_handler)(no_memory_handler, void*) = nullptr;
    std::string file, version;

    std::mutex starting;
    bool started = false;
    std::string broken;  // why it is not used again
};

// What LLVM says before it would end the process.
struct fatal_error {
    std::string text;
};

thread_local bool compiles_here = false;

// Others in the process may use the same library: their errors end it as they did before.
void on_fatal_error(const char* reason) {
    if (compiles_here) throw fatal_error{reason};
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
}
void on_no_memory(void*, const char* reason, bool) {
    if (compiles_here) throw std::bad_alloc();
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
    std::abort();
}

// --- finding it ---

constexpr int oldest = 14, newest = 22;  // newer ones may do; FRIT_LLVM names them

std::vector<std::string> candidates() {
    if (!env().llvm.empty()) return {env().llvm};
    std::vector<std::string> names;
    for (int major = oldest; major <= newest; ++major) {
        const std::string n = std::to_string(major);
        if (major >= 18) names.push_back("libLLVM.so." + n + ".1");
        if (major < 18) names.push_back("libLLVM-" + n + ".so.1");
        names.push_back("libLLVM-" + n + ".so");
    }
    return names;
}

/// "14.0.6" out of whatever follows the last "LLVM" of a text: "LLVM version 14.0.6", ".../libLLVM-14.so.1".
std::string version_in(const std::string& text) {
    const std::size_t name = text.rfind("LLVM");
    const std::size_t first = text.find_first_of("0123456789", name == std::string::npos ? 0 : name);
    if (first == std::string::npos) return "of unknown version";
    const std::size_t end = text.find_first_not_of("0123456789.", first);
    const std::string digits = text.substr(first, end == std::string::npos ? end : end - first);
    return digits.substr(0, digits.find_last_not_of('.') + 1);
}

template <class F>
F function_of(void* handle, const char* symbol) {
    return reinterpret_cast<F>(::dlsym(handle, symbol));
}

std::string version_of(void* handle, const std::string& file) {
    if (const auto ask = function_of<void (*)(unsigned*, unsigned*, unsigned*)>(handle, "LLVMGetVersion")) {  // since 16
        unsigned part[3] = {};
        ask(&part[0], &part[1], &part[2]);
        return std::to_string(part[0]) + "." + std::to_string(part[1]) + "." + std::to_string(part[2]);
    }
    // llvm::LTOCodeGenerator::getVersionString(), which is static and returns a literal
    if (const auto ask = function_of<const char* (*)()>(handle, "_ZN4llvm16LTOCodeGenerator16getVersionStringEv"))
        return version_in(ask());
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(file.c_str(), nullptr), &std::free);
    return version_in(real ? real.get() : file);
}

/// Room in this thread's heap for what LLVM's constructors take (half a megabyte) while it is loaded: what they throw where
/// there is none ends the process. A last piece keeps the heap from giving the others back to the system.
class room_for_constructors {
public:
    room_for_constructors() {
        std::vector<std::unique_ptr<char[]>> pieces(128);
        for (auto& p : pieces) p.reset(new char[std::size_t{16} << 10]);
        last_ = std::move(pieces.back());
    }

private:
    std::unique_ptr<char[]> last_;
};

// Not RTLD_DEEPBIND: LLVM's functions are bound within their library as it is (it is linked so, and its symbols have
// versions), but malloc and free would come from libc where a program brings its own, and strdup's memory be freed by the
// other one.
void* open(std::string& file) {
    std::string tried, why;
    const room_for_constructors room;
    for (const std::string& name : candidates()) {
        if (void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            file = name;
            return handle;
        }
        const std::string problem = ::dlerror();
        if (!problem.starts_with(name + ": cannot open shared object file")) why += "; " + problem;
        tried += (tried.empty() ? "" : ", ") + name;
    }
    throw compile_error(
        "cpu engine jit: no LLVM found (set FRIT_LLVM to its library, or install libllvm14 (Debian, Ubuntu); "
        "or FRIT_CPU_ENGINE=interpreter): tried " +
        tried + why);
}

std::unique_ptr<library> load() {
#if !defined(__x86_64__)
    throw compile_error("cpu engine jit: for x86-64 alone (set FRIT_CPU_ENGINE=cxx or interpreter)");
#endif
    auto l = std::make_unique<library>();
    std::string name, missing;
    void* const handle = open(name);
#define FRIT_X(result, member, symbol, parameters)                  \
    l->member = function_of<result(*) parameters>(handle, #symbol); \
    if (!l->member) missing += (missing.empty() ? "" : ", ") + std::string(#symbol);
    FRIT_LLVM(FRIT_X)
#undef FRIT_X
    if (!missing.empty())
        throw compile_error("cpu engine jit: " + name + " is no LLVM from 14 on for x86-64: it has no " + missing);
    // llvm::LLVMContext::enableOpaquePointers() const. The option of that name would be for all who use the library.
    l->use_opaque_pointers = function_of<void (*)(context)>(handle, "_ZNK4llvm11LLVMContext20enableOpaquePointersEv");
    l->file = file_of(reinterpret_cast<const void*>(l->make_context));
    l->version = version_of(handle, l->file);
    if (const int major = std::atoi(l->version.c_str()); major > 0 && major < oldest)
        throw compile_error("cpu engine jit: " + l->file + " is LLVM " + l->version +
                            ", which is too old: " + std::to_string(oldest) + " or newer");
    // llvm::install_bad_alloc_error_handler(): the C interface has none
    l->set_no_memory_handler =
        function_of<void (*)(no_memory_handler, void*)>(handle, "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
    return l;
}

// --- forks ---

// Threads in LLVM. They are gone in a forked child, and locks of LLVM's may be held there for ever.
struct {
    pid_t process = 0;
    int running = 0;
    bool lost = false, ended = false;
} uses;  // under compiler_lock(), which nobody else holds when the process forks

class use {
public:
    use() {
        const std::lock_guard guard(compiler_lock());
        if (const pid_t self = ::getpid(); uses.process != self) {
            uses.lost = uses.lost || uses.running > 0;
            uses.running = 0;
            uses.process = self;
        }
        if (uses.lost)
            throw compile_error(
                "cpu engine jit: this process was forked while another thread compiled with LLVM, which cannot "
                "be used any more (FRIT_CPU_ENGINE=cxx or interpreter can)");
        if (uses.ended) throw compile_error("cpu engine jit: the process ends, and LLVM with it");
        ++uses.running;
    }
    ~use() {
        const std::lock_guard guard(compiler_lock());
        --uses.running;
    }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
};

// LLVM's statics go before what was registered before it was loaded: who compiles then is waited for, for a while, and who
// comes later is refused.
void wait_for_compilations() {
    for (int tries = 0; tries < 500; ++tries) {
        {
            const std::lock_guard guard(compiler_lock());
            uses.ended = true;
            if (uses.running == 0) return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// The library that FRIT_LLVM names, or the first of the usual names; within a `use`. A failure is not remembered.
library& needed_library() {
    static std::mutex lock;
    static auto* const found = new std::map<std::string, std::unique_ptr<library>>;  // never unloaded
    const std::lock_guard guard(lock);
    std::unique_ptr<library>& l = (*found)[env().llvm];
    if (!l) {
        l = load();
        std::atexit(wait_for_compilations);
    }
    return *l;
}

// --- compiling ---

/// A compilation: everything LLVM makes for it, gone at its end unless an exception came through LLVM.
class compilation {
public:
    compilation(library& l, isa_level level) : l_(l), level_(level) {}
    compilation(const compilation&) = delete;
    compilation& operator=(const compilation&) = delete;
    ~compilation() {
        if (lost_) return;
        if (object_) l_.dispose_buffer(object_);
        if (options_) l_.dispose_pass_options(options_);
        if (layout_) l_.dispose_layout(layout_);
        if (module_) l_.dispose_module(module_);
        if (machine_) l_.dispose_machine(machine_);
        if (context_) l_.dispose_context(context_);
    }

    std::string run(const std::string& text) {
        compiles_here = true;
        try {
            std::string object = steps(text);
            compiles_here = false;
            return object;
        } catch (const fatal_error& e) {
            lost_ = true;
            compiles_here = false;
            throw refusal(e.text);
        } catch (const std::bad_alloc&) {
            lost_ = true;
            compiles_here = false;
            throw;
        } catch (...) {
            compiles_here = false;
            throw;
        }
    }

private:
    std::string steps(const std::string& text) {
        context_ = l_.make_context();
        if (l_.use_opaque_pointers) l_.use_opaque_pointers(context_);
        l_.set_diagnostic_handler(context_, &compilation::hear, this);
        char* why = nullptr;
        // The buffer is the parser's from then on.
        if (l_.parse(context_, l_.wrap(text.data(), text.size(), "kernel", 1), &module_, &why) != 0) fail(why);
        make_machine();
        if (l_.verify(module_, return_status, &why) != 0) fail(why);
        if (why) l_.dispose_text(why);
        why = nullptr;
        options_ = l_.make_pass_options();
        if (const failure f = l_.run_passes(module_, passes, machine_, options_)) {
            char* const said = l_.text_of_failure(f);
            const std::string reason = said;
            l_.dispose_failure_text(said);
            throw refusal(reason);
        }
        if (l_.emit(machine_, module_, object_file, &why, &object_) != 0) fail(why);
        if (!heard_.empty()) throw refusal(heard_);
        if (!object_) throw std::bad_alloc();  // there was no room for the copy that it gives
        return {l_.start_of(object_), l_.size_of(object_)};
    }

    void make_machine() {
        target t = nullptr;
        char* why = nullptr;
        if (l_.find_target(triple, &t, &why) != 0) fail(why);
        machine_ = l_.make_machine(t, triple, cpu_names[static_cast<int>(level_)], "", level_default, relocation_pic,
                                   code_model_small);
        if (!machine_) throw refusal(std::string("no machine for ") + triple);
        layout_ = l_.make_layout(machine_);
        l_.set_triple(module_, triple);
        l_.set_layout(module_, layout_);
    }

    // Without a handler of the context's own an error would end the process.
    static void hear(diagnostic d, void* self) {
        const library& l = static_cast<compilation*>(self)->l_;
        if (l.severity_of(d) != severity_of_errors) return;
        char* const said = l.text_of(d);
        static_cast<compilation*>(self)->heard_ += said;
        l.dispose_text(said);
    }

    [[noreturn]] void fail(char* why) const {
        const std::string reason = why ? why : "no reason given";
        if (why) l_.dispose_text(why);
        throw refusal(heard_.empty() ? reason : reason + "\n" + heard_);
    }
    compile_error refusal(const std::string& reason) const {
        return compile_error("cpu engine jit: LLVM " + l_.version + ": " + reason);
    }

    library& l_;
    isa_level level_;
    context context_ = nullptr;
    module_ref module_ = nullptr;
    target_machine machine_ = nullptr;
    target_data layout_ = nullptr;
    pass_options options_ = nullptr;
    buffer_of_llvm object_ = nullptr;
    std::string heard_;
    bool lost_ = false;
};

/// What LLVM sets up at its first use it sets up here: a kernel's usual constructs, for nobody.
void start(library& l) {
    constexpr const char* text = R"(
@table = private constant [2 x <4 x float>] [<4 x float> zeroinitializer, <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>]
@function = global ptr null
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
define void @first(ptr %words, i64 %begin, i64 %end) nounwind {
entry:
  %place = alloca <4 x float>, align 16
  %some = icmp slt i64 %begin, %end
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %begin, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %words, i64 %i
  %x = load <4 x float>, ptr %at, align 4
  store <4 x float> %x, ptr %place, align 16
  %c = load <4 x float>, ptr getelementptr ([2 x <4 x float>], ptr @table, i64 0, i64 1), align 16
  %f = load ptr, ptr @function, align 8
  %y = call <4 x float> %f(<4 x float> %x)
  %z = call <4 x float> @llvm.fma.v4f32(<4 x float> %y, <4 x float> %c, <4 x float> %x)
  store <4 x float> %z, ptr %at, align 4
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";
    const std::lock_guard guard(l.starting);
    if (!l.broken.empty()) throw compile_error("cpu engine jit: " + l.file + " could not be started before: " + l.broken);
    if (l.started) return;
    l.broken = "no memory";
    try {
        l.set_fatal_error_handler(on_fatal_error);
        if (l.set_no_memory_handler) l.set_no_memory_handler(on_no_memory, nullptr);
        l.add_target_info();
        l.add_target();
        l.add_target_code();
        l.add_printer();
        compilation(l, isa_level::baseline).run(text);
    } catch (const compile_error& e) {
        l.broken = e.what();
        throw;
    }
    l.broken.clear();
    l.started = true;
}

}  // namespace

found_library find_llvm() {
    found_library found{"LLVM", "the engine jit", true, ""};
    try {
        const use now;
        const library& l = needed_library();
        found.text = l.version + ", " + l.file;
    } catch (const compile_error& e) {  // names Debian's package
        found.found = false;
        found.text = e.what();
    }
    return found;
}

std::string_view llvm_options() noexcept { return passes; }

std::string llvm_version() {
    const use now;
    return "LLVM " + needed_library().version;
}

std::string compile_ir(const std::string& text, isa_level level) {
    const use now;
    library& l = needed_library();
    start(l);
    return compilation(l, level).run(text);
}

}  // namespace frit::v0::detail
