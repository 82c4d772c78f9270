// See raw_kernels.hpp. A module stays loaded for ever, as those of generated kernels do.
#include "src/cuda/raw_kernels.hpp"

#include <string>

#include "frit/error.hpp"
#include "src/base/errors.hpp"
#include "src/cuda/nvrtc.hpp"

namespace frit::inline v0::detail::cuda {

function raw_kernels::ready(const raw_source& of) {
    std::shared_ptr<entry> e;
    {
        const std::scoped_lock guard(lock_);
        std::shared_ptr<entry>& known = known_[&of];
        if (!known) known = std::make_shared<entry>();
        e = known;
    }
    const std::scoped_lock guard(e->compiling);
    if (!e->ready) e->ready = made(of);  // if this throws, the next who asks tries again
    return e->ready;
}

function raw_kernels::made(const raw_source& of) {
    const int sm = device_.facts.sm;
    const auto who = [&] { return device_.label + ": raw_kernel " + of.name + place(of.where); };
    const current_context here(device_);
    for (bool again = true;; again = false) {
        const compiled_raw c = compile_raw(of, sm);
        if (!c.good) throw compile_error(who() + " does not compile for sm_" + std::to_string(sm) + ":\n" + c.log);
        module_handle module = nullptr;
        const result r = device_.api.module_load(&module, c.cubin.data());
        if (r == success) {
            function f = nullptr;
            check(device_.api.module_function(&f, module, c.symbol.c_str()), device_.label,
                  "finding a kernel in its module");
            return f;
        }
        if (!c.from_disk || !again) throw compile_error(who() + ": the driver does not load it: " + describe(r));
        forget_raw(of, sm);  // whole, and yet the driver will not have it: made afresh once
    }
}

void raw_kernels::make_room(function f, std::size_t shared) {
    if (shared > usual_shared)
        check(device_.api.set_function_attribute(f, function_dynamic_shared, static_cast<int>(shared)), device_.label,
              "asking for so much dynamic shared memory");
}

void raw_kernels::launch(const raw_source& of, const raw_launch& l, std::span<void*> parameters, std::string_view formula) {
    const function f = ready(of);
    const current_context here(device_);
    make_room(f, l.shared);
    const result r = device_.api.launch_kernel(f, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                                               l.shared, device_.work, parameters.data(), nullptr);
    if (r != success) throw device_error(device_.label + ": launching " + std::string(formula) + ": " + describe(r));
}

int raw_kernels::registers(const raw_source& of) {
    const function f = ready(of);
    const current_context here(device_);
    int count = 0;
    check(device_.api.function_attribute(&count, function_registers, f), device_.label, "asking for a kernel's registers");
    return count;
}

int raw_kernels::blocks(const raw_source& of, int threads, std::size_t shared) {
    const function f = ready(of);
    const current_context here(device_);
    make_room(f, shared);
    int count = 0;
    check(device_.api.blocks_per_processor(&count, f, threads, shared), device_.label, "asking for a kernel's occupancy");
    return count;
}

int raw_kernels::threads_of_processor() const {
    const current_context here(device_);
    int count = 0;
    check(device_.api.device_attribute(&count, attribute_threads_of_processor, device_.id), device_.label,
          "asking for the threads of a multiprocessor");
    return count;
}

}  // namespace frit::v0::detail::cuda
