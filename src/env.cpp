// Parsing of the FRIT_* environment variables: see env.hpp.
#include "src/env.hpp"

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <string_view>
#include <vector>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void bad_value(const char* name, std::string_view value, const std::string& allowed) {
    throw error(std::string(name) + "='" + std::string(value) + "': expected " + allowed);
}

template <class T>
struct named {
    std::string_view text;
    T value;
};

template <class T>
T one_of(const char* name, std::string_view value, std::initializer_list<named<T>> table) {
    std::string allowed;
    for (const named<T>& row : table) {
        if (row.text == value) return row.value;
        allowed += (allowed.empty() ? "" : ", ") + std::string(row.text);
    }
    bad_value(name, value, allowed);
}

bool whole_number(std::string_view text, std::uint64_t& out) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc() && end == text.data() + text.size();
}

device_choice parse_device(const char* name, std::string_view value) {
    if (value == "cpu") return {};
    if (value == "cuda") return {true, 0};
    std::uint64_t ordinal = 0;
    if (value.starts_with("cuda:") && whole_number(value.substr(5), ordinal) && ordinal < 1024)
        return {true, static_cast<int>(ordinal)};
    bad_value(name, value, "cpu, cuda or cuda:N");
}

std::uint64_t parse_size(const char* name, std::string_view value) {
    int shift = 0;
    std::string_view digits = value;
    if (!digits.empty()) {
        const char unit = digits.back();
        shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
        if (shift) digits.remove_suffix(1);
    }
    std::uint64_t n = 0;
    if (!whole_number(digits, n) || (n << shift) >> shift != n)
        bad_value(name, value, "a number of bytes, with K, M or G behind it if wanted");
    return n << shift;
}

std::uint32_t parse_log(const char* name, std::string_view value) {
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
        if (bit == 0) bad_value(name, word, "a list of " + known);
        mask |= bit;
    }
    return mask;
}

struct holder {
    std::mutex lock;
    std::atomic<const environment*> current{nullptr};
};
holder& held() {  // never destroyed: threads may still look while the process ends
    static holder* h = new holder;
    return *h;
}

}  // namespace

environment read_environment(const std::function<const char*(const char*)>& get) {
    environment e;
    const auto set = [&](const char* name) -> const char* {  // an empty variable is an unset one
        const char* v = get(name);
        return v && *v ? v : nullptr;
    };
    if (const char* v = set("FRIT_DEVICE")) e.device = parse_device("FRIT_DEVICE", v);
    if (const char* v = set("FRIT_CPU_ENGINE"))
        e.cpu_engine = one_of<engine_choice>("FRIT_CPU_ENGINE", v,
                                             {{"interpreter", engine_choice::interpreter}, {"cxx", engine_choice::cxx}});
    if (const char* v = set("FRIT_CPU_ISA"))
        e.cpu_isa = one_of<isa_choice>(
            "FRIT_CPU_ISA", v,
            {{"baseline", isa_choice::baseline}, {"avx2", isa_choice::avx2}, {"avx512", isa_choice::avx512}});
    if (const char* v = set("FRIT_NUM_THREADS")) {
        std::uint64_t n = 0;
        if (!whole_number(v, n) || n == 0 || n > 4096) bad_value("FRIT_NUM_THREADS", v, "a number from 1 to 4096");
        e.threads = static_cast<int>(n);
    }
    if (const char* v = get("FRIT_CACHE_DIR")) {
        if (std::string_view(v) != "0") e.cache_dir = v;  // set, but empty or "0": off
    } else if (const char* xdg = set("XDG_CACHE_HOME")) {
        e.cache_dir = std::string(xdg) + "/frit";
    } else if (const char* home = set("HOME")) {
        e.cache_dir = std::string(home) + "/.cache/frit";
    }
    if (const char* v = set("FRIT_CACHE_MAXSIZE")) e.cache_maxsize = parse_size("FRIT_CACHE_MAXSIZE", v);
    if (const char* v = set("FRIT_LOG")) e.log_mask = parse_log("FRIT_LOG", v);
    if (const char* v = set("FRIT_FUSION"))
        e.fusion = one_of<bool>("FRIT_FUSION", v, {{"on", true}, {"off", false}, {"1", true}, {"0", false}});
    if (const char* v = set("FRIT_SYNC")) e.sync = one_of<bool>("FRIT_SYNC", v, {{"1", true}, {"0", false}});
    if (const char* v = set("FRIT_DUMP")) e.dump_dir = v;
    return e;
}

const environment& env() {
    holder& h = held();
    if (const environment* e = h.current.load(std::memory_order_acquire)) return *e;
    const std::scoped_lock guard(h.lock);
    if (!h.current.load(std::memory_order_relaxed))
        h.current.store(new environment(read_environment([](const char* n) { return std::getenv(n); })),
                        std::memory_order_release);
    return *h.current.load(std::memory_order_relaxed);
}

void override_environment(const environment& e) {
    holder& h = held();
    const std::scoped_lock guard(h.lock);
    // The one before is kept: references to it may be held. Reachable for ever, as the current one is.
    static std::vector<const environment*>* before = new std::vector<const environment*>;
    before->push_back(h.current.exchange(new environment(e), std::memory_order_acq_rel));
}

}  // namespace frit::v0::detail
