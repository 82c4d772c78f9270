// Launches of frit::host_kernel: what its function's parameters take.
#include "frit/host_kernel.hpp"

#include "src/functions/launch.hpp"
#include "src/libraries/kernels.hpp"

namespace frit::inline v0::detail {
namespace {

kernel_parameter parameter_of(const host_parameter& p) {
    using role = kernel_parameter::role;
    const std::string type(name_of(p.type));
    switch (p.role) {
        case host_role::in: return {role::in, p.type, {}, "a span of const " + type};
        case host_role::inout: return {role::inout, p.type, {}, "a span of " + type};
        default: return {role::number, p.type, {}, type};
    }
}

}  // namespace

void launch_host(const host_function_ref& f, std::span<kernel_argument> arguments) {
    const source_line where = line_of(arguments, f->where);
    or_out_of_memory(f->name, where, [&] {
        std::vector<kernel_parameter> parameters;
        std::vector<int> in_place;
        int arrays = 0, numbers = 1;  // the function itself
        for (const host_parameter& p : f->parameters) {
            parameters.push_back(parameter_of(p));
            if (p.role == host_role::inout) in_place.push_back(arrays);
            ++(p.role == host_role::number ? numbers : arrays);
        }
        const kept_object keeps{
            f.get(), [](const void* p) noexcept { host_function_ref::retain(static_cast<const host_function*>(p)); },
            [](const void* p) noexcept { host_function_ref::release(static_cast<const host_function*>(p)); }};
        const call_number itself{dtype::u64, {reinterpret_cast<std::uintptr_t>(f.get()), 0}};
        launch({"host_kernel " + f->name, f->where, false, host_routine(f->name, in_place, numbers), parameters},
               {&itself, 1}, keeps, arguments);
    });
}

}  // namespace frit::v0::detail
