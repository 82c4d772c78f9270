// The engine jit: a kernel's loops as LLVM's text, compiled in this process into an object, which is loaded from memory and
// kept in the disk cache. What comes from there needs no LLVM.
#include "frit/error.hpp"
#include "fusion/codegen/llvm_loops.hpp"
#include "fusion/schedules/host/host.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cpu/compiled_kernel.hpp"
#include "src/cpu/jit_functions.hpp"
#include "src/cpu/llvm.hpp"
#include "src/cpu/object.hpp"

namespace frit::inline v0::detail {
namespace {

/// All that is known before the disk is looked at. Which LLVM made an object does not matter to who runs it.
struct wanted_kernel {
    std::string text;
    cache_key key;
};
wanted_kernel wanted(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    std::string text = fusion::llvm_text(fusion::host_loops(spec, target, entry_name), target);
    cache_key key{"llvm", text, std::string(llvm_options()), std::string(name_of(level)), "llvm"};
    return {std::move(text), std::move(key)};
}

std::shared_ptr<cpu_kernel> loaded(const fusion::kernel_spec& spec, const std::string& text, std::string_view object,
                                   isa_level level) {
    const std::shared_ptr<loaded_object> code = loaded_object::load(object, jit_function);
    return make_kernel_of(
        spec, text, code, [&](const std::string& symbol) { return code->find(symbol); }, level);
}

std::shared_ptr<cpu_kernel> in_bundle(const wanted_kernel& w, const fusion::kernel_spec& spec, isa_level level) {
    return kernel_in_bundle(w.key, [&](const std::string& object) { return loaded(spec, w.text, object, level); });
}

std::shared_ptr<cpu_kernel> find(const wanted_kernel& w, const fusion::kernel_spec& spec, isa_level level) {
    if (auto k = in_bundle(w, spec, level)) return k;
    return kernel_on_disk(w.key, [&](const cached_binary& found) { return loaded(spec, w.text, found.bytes, level); });
}

}  // namespace

std::shared_ptr<cpu_kernel> find_bundled_jitted(const fusion::kernel_spec& spec, const fusion::target& target,
                                                isa_level level) {
    return in_bundle(wanted(spec, target, level), spec, level);
}

std::shared_ptr<cpu_kernel> find_jitted(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    return find(wanted(spec, target, level), spec, level);
}

std::shared_ptr<cpu_kernel> make_jitted(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    const wanted_kernel w = wanted(spec, target, level);
    if (auto k = find(w, spec, level)) return k;
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    if (log_enabled(log_channel::codegen)) log(log_channel::codegen, "cpu: a kernel through " + llvm_version());
    const std::string object = compile_ir(w.text, level);
    auto k = loaded(spec, w.text, object, level);
    if (!k) throw compile_error("cpu engine jit: LLVM made an object without an entry point");
    keep_kernel(w.key, object, w.text, ".ll");
    return k;
}

}  // namespace frit::v0::detail
