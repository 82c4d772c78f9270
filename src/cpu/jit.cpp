// The engine jit: a kernel's loops as LLVM's text, compiled in this process into an object, which is loaded from memory and
// kept in the disk cache. What comes from there needs no LLVM.
#include "frit/error.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cpu/compiled_kernel.hpp"
#include "src/cpu/jit_functions.hpp"
#include "src/cpu/llvm.hpp"
#include "src/cpu/object.hpp"

namespace frit::inline v0::detail {
namespace {

/// Which LLVM made an object does not matter to who runs it.
cache_key key_of(kernel_source& of) {
    return {"llvm", of.llvm_text(), std::string(llvm_options()), std::string(name_of(of.level)), "llvm"};
}

std::shared_ptr<cpu_kernel> loaded(const kernel_source& of, const std::string& text, std::string_view object) {
    const std::shared_ptr<loaded_object> code = loaded_object::load(object, jit_function);
    return make_kernel_of(of, text, code, [&](const std::string& symbol) { return code->find(symbol); });
}

std::shared_ptr<cpu_kernel> in_bundle(const cache_key& key, const kernel_source& of) {
    return kernel_in_bundle(key, [&](const std::string& object) { return loaded(of, key.text, object); });
}

std::shared_ptr<cpu_kernel> find(const cache_key& key, const kernel_source& of) {
    if (auto k = in_bundle(key, of)) return k;
    return kernel_on_disk(key, [&](const cached_binary& found) { return loaded(of, key.text, found.bytes); });
}

}  // namespace

std::shared_ptr<cpu_kernel> find_bundled_jitted(kernel_source& of) { return in_bundle(key_of(of), of); }

std::shared_ptr<cpu_kernel> find_jitted(kernel_source& of) { return find(key_of(of), of); }

std::shared_ptr<cpu_kernel> make_jitted(kernel_source& of) {
    const cache_key key = key_of(of);
    if (auto k = find(key, of)) return k;
    counters_now.compilations.fetch_add(1, std::memory_order_relaxed);
    if (log_enabled(log_channel::codegen)) log(log_channel::codegen, "cpu: a kernel through " + llvm_version());
    const std::string object = compile_ir(key.text, of.level);
    auto k = loaded(of, key.text, object);
    if (!k) throw compile_error("cpu engine jit: LLVM made an object without an entry point");
    keep_kernel(key, object, key.text, ".ll");
    return k;
}

}  // namespace frit::v0::detail
