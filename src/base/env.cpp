// Parsing of the FRIT_* environment variables: see env.hpp.
#include "src/base/env.hpp"

#include <sys/auxv.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void bad_value(const variable& v, std::string_view value, const std::string& allowed) {
    throw error(std::string(v.name) + "='" + std::string(value) + "': expected " + allowed);
}

template <class T>
struct named {
    std::string_view text;
    T value;
};
constexpr named<engine_choice> engines[] = {{"auto", engine_choice::automatic},
                                            {"interpreter", engine_choice::interpreter},
                                            {"cxx", engine_choice::cxx},
                                            {"jit", engine_choice::jit}};
constexpr named<isa_choice> levels[] = {
    {"baseline", isa_choice::baseline}, {"avx2", isa_choice::avx2}, {"avx512", isa_choice::avx512}};
constexpr named<bool> switches[] = {{"on", true}, {"off", false}, {"1", true}, {"0", false}};
constexpr named<bool> flags[] = {{"1", true}, {"0", false}};

template <class T, std::size_t N>
T one_of(const variable& v, std::string_view value, const named<T> (&table)[N]) {
    std::string allowed;
    for (const named<T>& row : table) {
        if (row.text == value) return row.value;
        allowed += (allowed.empty() ? "" : ", ") + std::string(row.text);
    }
    bad_value(v, value, allowed);
}
/// The first name of a value; "automatic" for one that has none.
template <class T, std::size_t N>
std::string name_in(const named<T> (&table)[N], T value) {
    for (const named<T>& row : table)
        if (row.value == value) return std::string(row.text);
    return "automatic";
}

bool whole_number(std::string_view text, std::uint64_t& out) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc() && end == text.data() + text.size();
}

frit::device parse_device(const variable& v, std::string_view value) {
    try {
        return frit::device::parse(value);
    } catch (const device_error&) {
        bad_value(v, value, "cpu, cuda or cuda:N");
    }
}

int parse_threads(const variable& v, std::string_view value) {
    std::uint64_t n = 0;
    if (!whole_number(value, n) || n == 0 || n > most_threads)
        bad_value(v, value, "a number from 1 to " + std::to_string(most_threads));
    return static_cast<int>(n);
}

std::chrono::seconds parse_seconds(const variable& v, std::string_view value) {
    constexpr std::uint64_t day = 24 * 60 * 60;
    std::uint64_t n = 0;
    if (!whole_number(value, n) || n > day) bad_value(v, value, "a number of seconds, from 0 to " + std::to_string(day));
    return std::chrono::seconds(n);
}

std::uint64_t parse_size(const variable& v, std::string_view value) {
    int shift = 0;
    std::string_view digits = value;
    if (!digits.empty()) {
        const char unit = digits.back();
        shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
        if (shift) digits.remove_suffix(1);
    }
    std::uint64_t n = 0;
    if (!whole_number(digits, n) || (n << shift) >> shift != n)
        bad_value(v, value, "a number of bytes, with K, M or G behind it if wanted");
    return n << shift;
}

std::uint32_t parse_log(const variable& v, std::string_view value) {
    std::uint32_t mask = 0;
    while (!value.empty()) {
        const std::size_t comma = value.find(',');
        const std::string_view word = value.substr(0, comma);
        value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
        if (word.empty()) continue;
        std::uint32_t bit = 0;
        std::string known;
        for (int k = 0; k < static_cast<int>(std::size(log_channel_names)); ++k) {
            if (log_channel_names[k] == word) bit = 1U << k;
            known += (k ? ", " : "") + std::string(log_channel_names[k]);
        }
        if (bit == 0) bad_value(v, word, "a list of " + known);
        mask |= bit;
    }
    return mask;
}
std::string show_log(std::uint32_t mask) {
    std::string list;
    for (int k = 0; k < static_cast<int>(std::size(log_channel_names)); ++k)
        if (mask >> k & 1U) list += (list.empty() ? "" : ",") + std::string(log_channel_names[k]);
    return list;
}

// The rows' types, so that a lambda there shows only what is its own.
using env_t = environment;
using row_t = variable;
using text_t = std::string_view;

constexpr variable table[] = {
    {"FRIT_DEVICE", "cpu, cuda or cuda:N", "where arrays live", false,
     [](env_t& e, const row_t& v, text_t value) { e.device = parse_device(v, value); },
     [](const env_t& e) { return e.device ? to_string(*e.device) : "a GPU where there is one"; }},
    {"FRIT_CPU_ENGINE", "auto, interpreter, cxx or jit", "what runs kernels on the CPU; auto: compiled once it pays", false,
     [](env_t& e, const row_t& v, text_t value) { e.cpu_engine = one_of(v, value, engines); },
     [](const env_t& e) { return name_in(engines, e.cpu_engine); }},
    {"FRIT_CPU_ISA", "baseline, avx2 or avx512", "instruction set of the CPU engines", false,
     [](env_t& e, const row_t& v, text_t value) { e.cpu_isa = one_of(v, value, levels); },
     [](const env_t& e) { return name_in(levels, e.cpu_isa); }},
    {"FRIT_NUM_THREADS", "1 to 4096", "threads of the CPU engines, the caller's among them", false,
     [](env_t& e, const row_t& v, text_t value) { e.threads = parse_threads(v, value); },
     [](const env_t& e) { return e.threads ? std::to_string(e.threads) : "as many as the process may use"; }},
    {"FRIT_MEMORY_LIMIT", "bytes, or with K, M or G", "the most that a device's arrays may take; 0: no limit", false,
     [](env_t& e, const row_t& v, text_t value) { e.memory_limit = parse_size(v, value); },
     [](const env_t& e) { return std::to_string(e.memory_limit); }},
    {"FRIT_FUSION", "on or off", "off: every operation is a kernel of its own", false,
     [](env_t& e, const row_t& v, text_t value) { e.fusion = one_of(v, value, switches); },
     [](const env_t& e) { return name_in(switches, e.fusion); }},
    {"FRIT_LOG", "list of plan, codegen, cache, launch, mem", "what happens, on standard error", false,
     [](env_t& e, const row_t& v, text_t value) { e.log_mask = parse_log(v, value); },
     [](const env_t& e) { return show_log(e.log_mask); }},
    {"FRIT_DUMP", "folder", "graph, plan and source of every new plan, as files", false,
     [](env_t& e, const row_t&, text_t value) { e.dump_dir = value; }, [](const env_t& e) { return e.dump_dir; }},
    {"FRIT_SYNC", "0 or 1", "1: wait after every launch, so that a fault names its kernel", false,
     [](env_t& e, const row_t& v, text_t value) { e.sync = one_of(v, value, flags); },
     [](const env_t& e) { return name_in(flags, e.sync); }},
    {"FRIT_CACHE_DIR", "folder; empty or 0: none", "where compiled kernels are kept", true,
     [](env_t& e, const row_t&, text_t value) { e.cache_dir = value == "0" ? text_t() : value; },
     [](const env_t& e) { return e.cache_dir; }},
    {"FRIT_CACHE_MAXSIZE", "bytes, or with K, M or G", "how much of them", false,
     [](env_t& e, const row_t& v, text_t value) { e.cache_maxsize = parse_size(v, value); },
     [](const env_t& e) { return std::to_string(e.cache_maxsize); }},
    {"FRIT_COMPILE_TIMEOUT", "seconds; 0: no limit", "how long $CXX may take for a kernel", false,
     [](env_t& e, const row_t& v, text_t value) { e.compile_timeout = parse_seconds(v, value); },
     [](const env_t& e) { return std::to_string(e.compile_timeout.count()); }},
    {"FRIT_LLVM", "path of its library", "the LLVM that compiles kernels in the process", false,
     [](env_t& e, const row_t&, text_t value) { e.llvm = value; },
     [](const env_t& e) { return e.llvm.empty() ? "the first that is found" : e.llvm; }},
    {"FRIT_FFTW", "on or off", "off: Fourier transforms on the CPU are frit's own", false,
     [](env_t& e, const row_t& v, text_t value) { e.fftw = one_of(v, value, switches); },
     [](const env_t& e) { return name_in(switches, e.fftw); }},
};

struct holder {
    std::mutex lock;
    std::atomic<const environment*> current{nullptr};
    std::vector<const environment*>* before = nullptr;  ///< never let go, for references to them may be held
};
constinit holder held;  // threads may still look while the process ends
static_assert(std::is_trivially_destructible_v<holder>);

}  // namespace

bool privileged() { return ::getauxval(AT_SECURE) != 0; }

const char* environment_variable(const char* name) { return privileged() ? nullptr : std::getenv(name); }

std::span<const variable> variables() { return table; }

environment read_environment(const std::function<const char*(const char*)>& get) {
    environment e;
    const auto set = [&](const char* name) -> const char* {
        const char* v = get(name);
        return v && *v ? v : nullptr;
    };
    if (const char* xdg = set("XDG_CACHE_HOME"))
        e.cache_dir = std::string(xdg) + "/frit";
    else if (const char* home = set("HOME"))
        e.cache_dir = std::string(home) + "/.cache/frit";
    for (const variable& v : table)
        if (const char* value = v.empty_counts ? get(v.name) : set(v.name)) v.read(e, v, value);
    return e;
}

const environment& env() {
    if (const environment* e = held.current.load(std::memory_order_acquire)) return *e;
    const std::scoped_lock guard(held.lock);
    if (!held.current.load(std::memory_order_relaxed))
        held.current.store(new environment(read_environment(environment_variable)), std::memory_order_release);
    return *held.current.load(std::memory_order_relaxed);
}

void override_environment(const environment& e) {
    const std::scoped_lock guard(held.lock);
    if (!held.before) held.before = new std::vector<const environment*>;
    held.before->push_back(held.current.exchange(new environment(e), std::memory_order_acq_rel));
}

void lock_environment_for_fork() { held.lock.lock(); }
void unlock_environment_after_fork() { held.lock.unlock(); }

}  // namespace frit::v0::detail
