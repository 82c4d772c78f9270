// Generated text to machine code: NVRTC, loaded at run time. It needs no GPU, so kernels for any GPU can be compiled (and
// put into the disk cache) on any machine with the toolkit's libnvrtc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"
#include "src/base/found_library.hpp"
#include "src/cache/disk.hpp"
#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail::cuda {

/// Whether NVRTC is there; `why` says where it was looked for when it is not.
bool has_nvrtc(std::string& why);
/// "nvrtc 13.0". @throws device_error "NVRTC not found: looked in ..."
std::string nvrtc_name();

/// For frit::info().
found_library find_nvrtc();

struct compiled {
    bool good = false;
    std::string cubin;
    std::string log;  ///< the compiler's words, also where it succeeded
};
/// How much the compiler does for a kernel's speed: all it can; or less in half the time, where only that it compiles is
/// asked.
enum class effort : bool { all, less };
/// @param sm 90 for sm_90. Thread-safe; holds no lock. @throws device_error where there is no NVRTC
compiled compile_to_cubin(const std::string& text, int sm, effort = effort::all);

/// Where a kernel's machine code comes from.
enum class origin : std::uint8_t { compiler, bundle, disk };
/// How often what a bundle or the disk had is made anew where the driver refuses it: a folder that nobody can write keeps
/// it.
inline constexpr int most_refusals = 2;

/// A kernel brought as text, by NVRTC's usual options and its own; none of those of generated text.
struct compiled_raw : compiled {
    std::string symbol;  ///< of the kernel in the cubin: its mangled name
    origin from = origin::compiler;
};
/// From a bundle, which takes no NVRTC, from the disk cache, or compiled now, counted, and stored there unless it reads
/// files that may change. The headers of NVRTC's toolkit are found where that is installed.
/// @param who  "cuda:0: ", what an error begins with @throws device_error where there is no NVRTC
compiled_raw compile_raw(const raw_source&, int sm, const std::string& who = {});
/// What a bundle knows it by: all that the program says of it.
cache_key key_in_bundles(const raw_source&, int sm);
/// "raw_kernel axpy [file:line] does not compile for sm_90: ..."
std::string refusal_of(const raw_source&, int sm, const compiled_raw&);
/// Compiles it for the bundle that is being recorded, or finds it. @throws compile_error, device_error
void keep_raw(const raw_source&, int sm);
/// Forgets one that came from a bundle or from disk: the driver would not have it.
void forget_raw(const raw_source&, int sm, origin);

/// What the disk cache knows a kernel by: nothing in it depends on the driver or on a path.
cache_key cubin_key(const std::string& text, int sm, effort = effort::all);

struct ready_cubin {
    std::string text, cubin;
    cache_key key;
    origin from = origin::compiler;
};
/// A spec's cubin: from a bundle, which takes no NVRTC, from the disk cache, or compiled now, counted, and stored there.
/// Works without a GPU, which is how bundle and cache are filled for a machine that has one.
/// @throws compile_error with text and log, device_error where there is no NVRTC
ready_cubin cubin_of(const fusion::kernel_spec&, int sm);
/// Forgets one that came from a bundle or from disk: the driver would not have it.
void forget(const ready_cubin&);

}  // namespace frit::v0::detail::cuda
