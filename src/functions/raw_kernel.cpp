// frit::raw_kernel: its text, its launches, and what it needs of a GPU.
#include "frit/raw_kernel.hpp"

#include <functional>
#include <memory>

#include "src/base/errors.hpp"
#include "src/base/file_names.hpp"
#include "src/base/grow_only_set.hpp"
#include "src/cuda/backend.hpp"
#include "src/functions/launch.hpp"
#include "src/functions/signature.hpp"
#include "src/graph/context.hpp"
#include "src/libraries/kernels.hpp"

namespace frit::inline v0::detail {
namespace {

struct known_source : raw_source {
    const known_source* next = nullptr;
};
constinit grow_only_set<known_source, 64> sources;

std::string called(const raw_source& of) { return "raw_kernel " + of.name; }

kernel_parameter parameter_of(const raw_parameter& p) {
    using role = kernel_parameter::role;
    const role is = !p.is_pointer ? role::number : p.is_const ? role::in : role::inout;
    return {is, p.type, p.name, p.text};
}

/// One of a launch's sizes, at most what any GPU has (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability").
void check_sizes(const raw_source& of, const char* what, const shape& sizes, const std::int64_t (&most)[3],
                 source_line where) {
    const auto refuse = [&](const std::string& why) {
        throw_shape_error(called(of), std::string(what) + " " + why, {&sizes, 1}, where);
    };
    if (sizes.rank() < 1 || sizes.rank() > 3) refuse("has one to three sizes");
    for (int k = 0; k < sizes.rank(); ++k) {
        if (sizes[k] < 1) refuse("has a size of 0");
        if (sizes[k] > most[k]) refuse("has a size beyond " + std::to_string(most[k]));
    }
}

constexpr std::int64_t most_blocks[] = {2147483647, 65535, 65535}, most_threads[] = {1024, 1024, 64};
constexpr std::int64_t most_threads_of_block = 1024, most_shared = 227 * 1024;

void check_block(const raw_source& of, const shape& block, std::int64_t shared, source_line where) {
    check_sizes(of, "a block", block, most_threads, where);
    if (block.size() > most_threads_of_block)
        throw_shape_error(called(of), "a block has at most " + std::to_string(most_threads_of_block) + " threads",
                          {&block, 1}, where);
    if (shared < 0 || shared > most_shared)
        throw shape_error(called(of) + ": " + std::to_string(shared) + " bytes of shared memory: a block has at most " +
                          std::to_string(most_shared) + place(where));
}

std::uint64_t size_of_axis(const shape& s, int axis) { return axis < s.rank() ? static_cast<std::uint64_t>(s[axis]) : 1; }

/// The kernels of the default device. @throws device_error where that is no GPU
cuda::raw_kernels& kernels_here(const raw_source& of, source_line where) {
    auto* const engine = dynamic_cast<cuda_engine*>(&default_context().engine);
    if (!engine)
        throw device_error(called(of) + ": the default device is " + default_context().engine.name() + ", which is no GPU" +
                           place(where));
    return engine->libraries().programs;
}

}  // namespace

const raw_source* parse_raw_kernel(std::string_view name, std::string_view source, const nvrtc_options& options,
                                   source_line where) try {
    const auto is_it = [&](const known_source& k) {
        return k.name == name && k.text == source && k.flags == options.flags && k.headers == options.headers;
    };
    return &sources.find_or_add(std::hash<std::string_view>{}(source), is_it, [&] {
        auto made = std::make_unique<known_source>();
        made->parameters = parameters_of(name, source);
        made->name = name;
        made->text = source;
        made->flags = options.flags;
        made->headers = options.headers;
        made->where = kept(where);
        return made;
    });
} catch (const signature_error& e) {
    throw compile_error("raw_kernel " + std::string(name) + ": " + e.what() + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("raw_kernel", where);
}

void launch_raw(const raw_source& of, const shape& grid, const shape& block, std::int64_t shared,
                std::span<kernel_argument> arguments) {
    const source_line where = line_of(arguments, of.where);
    or_out_of_memory(of.name, where, [&] {
        check_sizes(of, "a grid", grid, most_blocks, where);
        check_block(of, block, shared, where);
        std::vector<call_number> leading;
        for (const shape* s : {&grid, &block})
            for (int axis = 0; axis < 3; ++axis) leading.push_back({dtype::u64, {size_of_axis(*s, axis), 0}});
        leading.push_back({dtype::u64, {static_cast<std::uint64_t>(shared), 0}});
        std::vector<kernel_parameter> parameters;
        for (const raw_parameter& p : of.parameters) parameters.push_back(parameter_of(p));
        launch({called(of), of.where, true, raw_routine(of), parameters}, leading, {}, arguments);
    });
}

int registers_of(const raw_source& of, source_line where) {
    return or_out_of_memory(of.name, where, [&] { return kernels_here(of, where).registers(of); });
}

kernel_occupancy occupancy_of(const raw_source& of, const shape& block, std::int64_t shared, source_line where) {
    return or_out_of_memory(of.name, where, [&] {
        check_block(of, block, shared, where);
        cuda::raw_kernels& here = kernels_here(of, where);
        const int blocks = here.blocks(of, static_cast<int>(block.size()), static_cast<std::size_t>(shared));
        return kernel_occupancy{blocks, static_cast<double>(blocks * block.size()) / here.threads_of_processor()};
    });
}

}  // namespace frit::v0::detail
