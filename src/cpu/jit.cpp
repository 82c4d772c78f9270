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

/// Which LLVM made an object does not matter to who runs it.
cache_key key_of(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    return {"llvm", fusion::llvm_text(fusion::host_loops(spec, target, entry_name), target), std::string(llvm_options()),
            std::string(name_of(level)), "llvm"};
}

std::shared_ptr<cpu_kernel> loaded(const fusion::kernel_spec& spec, const std::string& text, std::string_view object,
                                   isa_level level) {
    const std::shared_ptr<loaded_object> code = loaded_object::load(object, jit_function);
    return make_kernel_of(
        spec, text, code, [&](const std::string& symbol) { return code->find(symbol); }, level);
}

std::shared_ptr<cpu_kernel> in_bundle(const cache_key& key, const fusion::kernel_spec& spec, isa_level level) {
    return kernel_in_bundle(key, [&](const std::string& object) { return loaded(spec, key.text, object, level); });
}

std::shared_ptr<cpu_kernel> find(const cache_key& key, const fusion::kernel_spec& spec, isa_level level) {
    if (auto k = in_bundle(key, spec, level)) return k;
    return kernel_on_disk(key, [&](const cached_binary& found) { return loaded(spec, key.text, found.bytes, level); });
}

}  // namespace

std::shared_ptr<cpu_kernel> find_bundled_jitted(const fusion::kernel_spec& spec, const fusion::target& target,
                                                isa_level level) {
    return in_bundle(key_of(spec, target, level), spec, level);
}

std::shared_ptr<cpu_kernel> find_jitted(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    return find(key_of(spec, target, level), spec, level);
}

std::shared_ptr<cpu_kernel> make_jitted(const fusion::kernel_spec& spec, const fusion::target& target, isa_level level) {
    const cache_key key = key_of(spec, target, level);
    if (auto k = find(key, spec, level)) return k;
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    if (log_enabled(log_channel::codegen)) log(log_channel::codegen, "cpu: a kernel through " + llvm_version());
    const std::string object = compile_ir(key.text, level);
    auto k = loaded(spec, key.text, object, level);
    if (!k) throw compile_error("cpu engine jit: LLVM made an object without an entry point");
    keep_kernel(key, object, key.text, ".ll");
    return k;
}

}  // namespace frit::v0::detail
