// A program's CUDA kernel as a library op of GPUs: see frit/raw_kernel.hpp. Behind its arrays a call is given the launch's
// shape and the kernel's numbers.
#include <bit>
#include <cstring>
#include <functional>
#include <memory>

#include "frit/error.hpp"
#include "frit/half.hpp"
#include "src/base/grow_only_set.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/kernels.hpp"

namespace frit::inline v0::detail {
namespace {

constinit grow_only_set<kernel_routine, 64> routines;

const raw_source& source_of(const fusion::library_call& c) { return *static_cast<const kernel_routine&>(*c.of).raw; }

/// A number as the kernel takes it: a 16-bit float is computed with as float32.
std::uint64_t as_parameter(std::uint64_t word, dtype type) {
    const auto wide = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(word)); };
    if (type == dtype::f16) return std::bit_cast<std::uint16_t>(half(wide()));
    if (type == dtype::bf16) return std::bit_cast<std::uint16_t>(bfloat16(wide()));
    return word;
}

void refuse_cpu(const fusion::library_call& c) {
    throw device_error("raw_kernel " + source_of(c).name + ": CUDA C runs on a GPU: a host_kernel is for the CPU");
}
void require(cuda::libraries& on, const fusion::library_call& c) { on.programs.ready(source_of(c)); }
std::size_t workspace(cuda::libraries&, const fusion::library_call& c) { return unasked_bytes(c); }

void run(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const raw_source& source = source_of(c);
    const std::span<const std::uint64_t> given = own_numbers(at);
    const std::string formula = formula_of(at);
    raw_launch shape{};
    for (std::size_t k = 0; k < 3; ++k) {
        shape.grid[k] = static_cast<unsigned>(given[k]);
        shape.block[k] = static_cast<unsigned>(given[3 + k]);
    }
    shape.shared = static_cast<unsigned>(given[6]);
    on.programs.admit(source, shape, formula);  // before anything is written
    std::vector<void*> arrays = arrays_of(c, at, [&](void* to, const void* from, std::size_t bytes) {
        const cuda::current_context here(on.device);
        cuda::check(on.device.api.copy_on_device(reinterpret_cast<std::uint64_t>(to), reinterpret_cast<std::uint64_t>(from),
                                                 bytes, on.device.work),
                    on.device.label, "copying");
    });
    std::vector<std::uint64_t> numbers(given.begin() + raw_launch_numbers, given.end());
    std::vector<void*> parameters;
    std::size_t array = 0, number = 0;
    for (const raw_parameter& p : source.parameters) {
        if (!p.is_pointer) numbers[number] = as_parameter(numbers[number], *p.type);
        parameters.push_back(p.is_pointer ? static_cast<void*>(&arrays[array++]) : &numbers[number++]);
    }
    on.programs.launch(source, shape, parameters, formula);
}

}  // namespace

const kernel_routine& raw_routine(const raw_source& raw) {
    const auto is_it = [&](const kernel_routine& r) { return r.raw == &raw; };
    return routines.find_or_add(std::hash<const raw_source*>{}(&raw), is_it, [&] {
        std::vector<int> in_place;
        int arrays = 0, numbers = raw_launch_numbers;
        for (const raw_parameter& p : raw.parameters) {
            if (p.is_pointer && !p.is_const) in_place.push_back(arrays);
            ++(p.is_pointer ? arrays : numbers);
        }
        auto made = std::make_unique<kernel_routine>(raw.name, std::move(in_place), numbers);
        made->raw = &raw;
        made->on_cpu = {.require = refuse_cpu, .workspace = nullptr, .run = nullptr};
        made->on_gpu = {.require = require, .workspace = workspace, .run = run};
        return made;
    });
}

}  // namespace frit::v0::detail
