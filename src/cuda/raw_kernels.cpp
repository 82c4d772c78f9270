// See raw_kernels.hpp. A module stays loaded for ever, as those of generated kernels do.
#include "src/cuda/raw_kernels.hpp"

#include "frit/error.hpp"
#include "src/base/errors.hpp"
#include "src/cache/bundle.hpp"
#include "src/cuda/nvrtc.hpp"
#include "src/engine/backend.hpp"

namespace frit::inline v0::detail::cuda {

raw_kernels::entry& raw_kernels::entry_of(const raw_source& of) {
    entry* e = nullptr;
    {
        const std::scoped_lock guard(lock_);
        std::unique_ptr<entry>& known = known_[&of];
        if (!known) known = std::make_unique<entry>();
        e = known.get();
    }
    const std::scoped_lock guard(e->lock);
    if (!e->code) {  // if this throws, the next who asks tries again
        const current_context here(device_);
        const function f = made(of);
        e->own_shared = attribute_of(f, function_static_shared);
        e->most_threads = attribute_of(f, function_threads);
        e->code = f;
    }
    return *e;
}

function raw_kernels::made(const raw_source& of) {
    const int sm = device_.facts.sm;
    const std::string who = device_.label + ": " + title_of(of) + place(of.where);
    for (int refused = 0;; ++refused) {
        const compiled_raw c = compile_raw(of, sm, device_.label + ": ");
        if (!c.good) throw compile_error(device_.label + ": " + refusal_of(of, sm, c));
        module_handle module = nullptr;
        const result r = device_.api.module_load(&module, c.cubin.data());
        if (r == success) {
            function f = nullptr;
            check(device_.api.module_function(&f, module, c.symbol.c_str()), device_.label,
                  "finding a kernel in its module");
            compare_parameters(of, f, who);
            return f;
        }
        if (c.from == origin::compiler || refused == most_refusals)
            throw compile_error(who + ": the driver does not load it: " + describe(r));
        forget_raw(of, sm, c.from);  // whole, and yet the driver will not have it
    }
}

/// The text may mean other types than were read of it, by a macro or a header: what a launch handed over then would be read
/// beyond its end.
void raw_kernels::compare_parameters(const raw_source& of, function f, const std::string& who) const {
    if (!device_.api.parameter_info) return;
    for (std::size_t k = 0;; ++k) {
        std::size_t offset = 0, bytes = 0;
        const result r = device_.api.parameter_info(f, k, &offset, &bytes);
        if (r == error_invalid_value && k == of.parameters.size()) return;
        if (r != success && (r != error_invalid_value || k == 0)) return;  // the driver does not tell
        if (r == error_invalid_value || k == of.parameters.size())
            throw compile_error(who + ": has " + std::to_string(of.parameters.size()) + " parameters by its text, and " +
                                (r == success ? "more" : std::to_string(k)) + " as it was compiled");
        const raw_parameter& p = of.parameters[k];
        if (const std::size_t read = p.is_pointer ? sizeof(void*) : size_of(*p.type); bytes != read)
            throw compile_error(who + ": parameter " + std::to_string(k + 1) + ", " + p.text + " " + p.name + ", has " +
                                std::to_string(read) + " bytes by its text, and " + std::to_string(bytes) +
                                " as it was compiled");
    }
}

int raw_kernels::attribute_of(function f, int which) const {
    int value = 0;
    check(device_.api.function_attribute(&value, which, f), device_.label, "asking for a kernel's attributes");
    return value;
}

int raw_kernels::attribute_of_device(int which) const {
    const current_context here(device_);
    int value = 0;
    check(device_.api.device_attribute(&value, which, device_.id), device_.label, "asking for its attributes");
    return value;
}

void raw_kernels::make_room(entry& e, int shared) {
    const std::scoped_lock guard(e.lock);
    if (e.own_shared + shared <= usual_shared || shared <= e.asked) return;
    check(device_.api.set_function_attribute(e.code, function_dynamic_shared, shared), device_.label,
          "asking for so much dynamic shared memory");
    e.asked = shared;
}

void raw_kernels::admit(const raw_source& of, const raw_launch& l, std::string_view formula) {
    entry& e = entry_of(of);
    const current_context here(device_);
    const auto refuse = [&](const std::string& why) {
        throw refused_launch(device_.label + ": launching " + std::string(formula) + ": " + why);
    };
    const int threads = static_cast<int>(l.block[0] * l.block[1] * l.block[2]), shared = static_cast<int>(l.shared);
    if (threads > e.most_threads)
        refuse("a block of " + std::to_string(threads) + " threads: by its registers this kernel takes at most " +
               std::to_string(e.most_threads));
    if (e.own_shared + shared <= usual_shared) return;
    if (const int most = attribute_of_device(attribute_most_shared); e.own_shared + shared > most)
        refuse(std::to_string(shared) + " bytes of dynamic shared memory beside the kernel's own " +
               std::to_string(e.own_shared) + ": a block of this device has at most " + std::to_string(most));
    make_room(e, shared);
}

void raw_kernels::launch(const raw_source& of, const raw_launch& l, std::span<void*> parameters, std::string_view formula) {
    const function f = entry_of(of).code;
    if (bundles().recording()) bundles().note(of, device_.facts.sm, keep_raw);
    const current_context here(device_);
    const result r = device_.api.launch_kernel(f, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                                               l.shared, device_.work, parameters.data(), nullptr);
    if (r != success) throw device_error(device_.label + ": launching " + std::string(formula) + ": " + describe(r));
}

int raw_kernels::registers(const raw_source& of) {
    const function f = entry_of(of).code;
    const current_context here(device_);
    return attribute_of(f, function_registers);
}

int raw_kernels::blocks(const raw_source& of, int threads, std::size_t shared) {
    entry& e = entry_of(of);
    const current_context here(device_);
    make_room(e, static_cast<int>(shared));
    int count = 0;
    check(device_.api.blocks_per_processor(&count, e.code, threads, shared), device_.label,
          "asking for a kernel's occupancy");
    return count;
}

}  // namespace frit::v0::detail::cuda
