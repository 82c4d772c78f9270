// Finding the plugin and calling it: see cub.hpp. It stands beside libfrit, in the build tree as where it is installed;
// else the loader's search path is asked.
#include "src/cuda/cub.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <functional>

#include "frit/error.hpp"

#define FRIT_TEXT_OF(x) #x
#define FRIT_TEXT(x) FRIT_TEXT_OF(x)

namespace frit::inline v0::detail::cuda {
namespace {

constexpr const char* file_name = "libfrit_cub.so." FRIT_TEXT(FRIT_VERSION_MAJOR) "." FRIT_TEXT(FRIT_VERSION_MINOR);

struct plugin {
    frit_cub_workspace_function* workspace = nullptr;
    frit_cub_run_function* run = nullptr;
    frit_cub_text_function* text_of = nullptr;
    frit_cub_scatter_workspace_function* scatter_workspace = nullptr;
    frit_cub_scatter_run_function* scatter_run = nullptr;
    frit_cub_select_workspace_function* select_workspace = nullptr;
    frit_cub_select_run_function* select_run = nullptr;
    frit_cub_compress_workspace_function* compress_workspace = nullptr;
    frit_cub_compress_run_function* compress_run = nullptr;
    std::string why;

    plugin() {
        static const char here = 0;
        const std::string own = file_of(&here), beside = own.substr(0, own.rfind('/') + 1) + file_name;
        void* library = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) library = ::dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
#if defined(FRIT_HAS_CUB)
            why = "the component frit_cub is missing: " + beside + " not found, nor in the loader's search path";
#else
            why = "the component frit_cub is missing: this frit was built without nvcc";
#endif
            return;
        }
        const auto find = [&]<class F>(F*& member, const char* symbol) {
            member = reinterpret_cast<F*>(::dlsym(library, symbol));
            return member != nullptr;
        };
        frit_cub_interface_function* interface = nullptr;
        if (!find(interface, "frit_cub_interface") || interface() != FRIT_CUB_INTERFACE ||
            !find(workspace, "frit_cub_workspace") || !find(run, "frit_cub_run") || !find(text_of, "frit_cub_text") ||
            !find(scatter_workspace, "frit_cub_scatter_workspace") || !find(scatter_run, "frit_cub_scatter_run") ||
            !find(select_workspace, "frit_cub_select_workspace") || !find(select_run, "frit_cub_select_run") ||
            !find(compress_workspace, "frit_cub_compress_workspace") || !find(compress_run, "frit_cub_compress_run"))
            why = "the component frit_cub is another version's: " + file_of(reinterpret_cast<const void*>(interface));
    }
};

const plugin& the_plugin() {
    static const plugin* p = new plugin;  // never destroyed, as all singletons
    return *p;
}

char kind_of_elements(dtype t) {
    if (t == dtype::bf16) return 'h';
    switch (kind_of(t)) {
        case dtype_kind::boolean: return 'b';
        case dtype_kind::integer: return 'i';
        case dtype_kind::unsigned_integer: return 'u';
        case dtype_kind::complex: return 'c';
        default: return 'f';
    }
}

frit_cub_call plain(const cub_call& c) {
    return {c.operation, kind_of_elements(c.rows.type), static_cast<int>(size_of(c.rows.type)), c.rows.rows, c.rows.length,
            c.results};
}

void check_status(int status, const device& d, op code, const dense_rows& rows) {
    if (status != 0)
        throw device_error(d.label + ": " + std::string(name_of(code)) + " of " + std::to_string(rows.rows) + " rows of " +
                           std::to_string(rows.length) + " " + std::string(name_of(rows.type)) + ": " +
                           the_plugin().text_of(status));
}

frit_cub_select plain(const select_call& c) {
    return {c.operation,
            kind_of_elements(c.rows.type),
            static_cast<int>(size_of(c.rows.type)),
            c.rows.rows,
            c.rows.length,
            c.count,
            c.alike,
            c.results};
}

frit_cub_scatter plain(const scatter_call& c) {
    return {c.operation, kind_of_elements(c.type), static_cast<int>(size_of(c.type)), c.size, c.count, c.narrow, c.indices,
            c.one_value};
}

void check_status(int status, const device& d, const scatter_call& c) {
    if (status != 0)
        throw device_error(d.label + ": " + std::string(name_of(c.code)) + " of " + std::to_string(c.count) + " values " +
                           std::string(name_of(c.type)) + ": " + the_plugin().text_of(status));
}

frit_cub_compress plain(const compress_call& c) { return {static_cast<int>(size_of(c.type)), c.length, c.count}; }

/// Null would ask the plugin to count; of a workspace of nothing it takes nothing.
void* workspace_of(const call_memory& at) {
    return at.workspace ? at.workspace : *std::find_if(at.results.begin(), at.results.end(), std::identity());
}

}  // namespace

void require_cub(const device& d, op code) {
    if (!the_plugin().why.empty())
        throw device_error(d.label + ": " + std::string(name_of(code)) + " needs CUB: " + the_plugin().why);
}

std::size_t cub_workspace(const device& d, const cub_call& c) {
    if (!the_plugin().why.empty()) return 0;
    const frit_cub_call call = plain(c);
    const current_context here(d);
    std::size_t bytes = 0;
    check_status(the_plugin().workspace(&call, &bytes), d, c.code, c.rows);
    return bytes;
}

void call_cub(const device& d, const cub_call& c, const call_memory& at) {
    require_cub(d, c.code);
    const frit_cub_call call = plain(c);
    const current_context here(d);
    check_status(the_plugin().run(&call, at.operands[0], at.results.data(), workspace_of(at), d.work), d, c.code, c.rows);
}

std::size_t cub_workspace(const device& d, const select_call& c) {
    if (!the_plugin().why.empty()) return 0;
    const frit_cub_select call = plain(c);
    const current_context here(d);
    std::size_t bytes = 0;
    check_status(the_plugin().select_workspace(&call, &bytes), d, c.code, c.rows);
    return bytes;
}

void call_cub(const device& d, const select_call& c, const call_memory& at) {
    require_cub(d, c.code);
    const frit_cub_select call = plain(c);
    const current_context here(d);
    const auto* const ranks = c.operation == FRIT_CUB_LARGEST ? nullptr : static_cast<const std::int64_t*>(at.operands[1]);
    check_status(the_plugin().select_run(&call, at.operands[0], ranks, at.results.data(), workspace_of(at), d.work), d,
                 c.code, c.rows);
}

std::size_t cub_workspace(const device& d, const scatter_call& c) {
    if (!the_plugin().why.empty()) return 0;
    const frit_cub_scatter call = plain(c);
    const current_context here(d);
    std::size_t bytes = 0;
    check_status(the_plugin().scatter_workspace(&call, &bytes), d, c);
    return bytes;
}

void call_cub(const device& d, const scatter_call& c, const call_memory& at, std::uint64_t fault) {
    require_cub(d, c.code);
    const frit_cub_scatter call = plain(c);
    const current_context here(d);
    void* const workspace = at.workspace ? at.workspace : at.results[0];  // null would ask the plugin to count
    check_status(the_plugin().scatter_run(&call, at.operands[0], at.operands[1], at.operands[2], at.results[0],
                                          reinterpret_cast<std::uint64_t*>(fault), workspace, d.work),
                 d, c);
}

std::size_t cub_workspace(const device& d, const compress_call& c) {
    if (!the_plugin().why.empty()) return 0;
    const frit_cub_compress call = plain(c);
    const current_context here(d);
    std::size_t bytes = 0;
    check_status(the_plugin().compress_workspace(&call, &bytes), d, c.code, {c.type, 1, c.length});
    return bytes;
}

void call_cub(const device& d, const compress_call& c, const call_memory& at) {
    require_cub(d, c.code);
    const frit_cub_compress call = plain(c);
    const current_context here(d);
    check_status(the_plugin().compress_run(&call, at.operands[1], at.operands[0], at.results[0], workspace_of(at), d.work),
                 d, c.code, {c.type, 1, c.length});
}

found_library find_cub() {
    const plugin& p = the_plugin();
    return {"frit_cub", "scans, sorts, selections and scatters on GPUs", p.why.empty(),
            p.why.empty() ? file_of(reinterpret_cast<const void*>(p.run)) : p.why};
}

}  // namespace frit::v0::detail::cuda
