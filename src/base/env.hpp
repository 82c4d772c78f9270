// The environment variables that steer frit, read once and checked: every FRIT_* variable is one row of the table in env.cpp
// and one field here, so that a misspelt value is one clear error instead of a silent default.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frit/device.hpp"

namespace frit::inline v0::detail {

/// What FRIT_LOG may name.
enum class log_channel : std::uint8_t { plan, codegen, cache, launch, mem };
inline constexpr std::string_view log_channel_names[] = {"plan", "codegen", "cache", "launch", "mem"};

enum class engine_choice : std::uint8_t { automatic, interpreter, cxx, jit };
enum class isa_choice : std::uint8_t { automatic, baseline, avx2, avx512 };

/// The most threads that FRIT_NUM_THREADS may ask for, and that the pool ever starts.
inline constexpr int most_threads = 4096;

struct environment {
    std::optional<frit::device> device;                   ///< FRIT_DEVICE=cpu|cuda|cuda:N; empty: the best there is
    engine_choice cpu_engine = engine_choice::automatic;  ///< FRIT_CPU_ENGINE=auto|interpreter|cxx|jit
    isa_choice cpu_isa = isa_choice::automatic;           ///< FRIT_CPU_ISA=baseline|avx2|avx512
    int threads = 0;                                      ///< FRIT_NUM_THREADS; 0: as many as the machine has
    std::string cache_dir;  ///< FRIT_CACHE_DIR, default $XDG_CACHE_HOME/frit or ~/.cache/frit; empty: no disk cache
    std::uint64_t cache_maxsize = std::uint64_t{1} << 30;  ///< FRIT_CACHE_MAXSIZE in bytes, with K, M or G behind
    std::uint64_t memory_limit = 0;                        ///< FRIT_MEMORY_LIMIT in bytes, as before; 0: none
    std::uint32_t log_mask = 0;                            ///< FRIT_LOG=plan,codegen,...: one bit a channel
    bool fusion = true;                                    ///< FRIT_FUSION=off: every op is its own kernel
    bool sync = false;                          ///< FRIT_SYNC=1: wait after every launch and name the kernel that failed
    std::string dump_dir;                       ///< FRIT_DUMP=dir: graph, plan and source of every evaluation; empty: none
    std::chrono::seconds compile_timeout{120};  ///< FRIT_COMPILE_TIMEOUT: how long $CXX may take; 0: as long as it likes
    std::string llvm;                           ///< FRIT_LLVM: the library to compile with; empty: the first that is found
    bool fftw = true;                           ///< FRIT_FFTW=off: frit's own Fourier transforms on the CPU
};

/// One variable, as people set it.
struct variable {
    const char* name;
    std::string_view values;   ///< what it may be
    std::string_view meaning;  ///< one line
    bool empty_counts;         ///< set, but empty is a value; else it is as unset
    void (*read)(environment&, const variable&, std::string_view value);
    std::string (*show)(const environment&);  ///< the value in force, set or not
};
/// All there are, in the order of the documentation.
std::span<const variable> variables();

/// Whether this process has more rights than whoever started it (set-user-id, file capabilities): what it was given then,
/// its environment and the programs on its PATH, is not to be trusted.
bool privileged();
/// A variable of the process's environment; null if it is not set, and always in a privileged process. The one way to ask.
const char* environment_variable(const char* name);

/// Reads variables through `get` (null: not set).
/// @throws frit::error naming the variable, its value and what is allowed
environment read_environment(const std::function<const char*(const char*)>& get);

/// The process's environment, read at the first call. @throws frit::error as read_environment, at every call until it is
/// read
const environment& env();

/// Replaces what env() returns: for tests that need two settings in one process. Not for concurrent use.
void override_environment(const environment&);

void lock_environment_for_fork();
void unlock_environment_after_fork();

}  // namespace frit::v0::detail
