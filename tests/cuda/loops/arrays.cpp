// See arrays.hpp.
#include "tests/cuda/loops/arrays.hpp"

#include <algorithm>
#include <cstring>

namespace frit_test {
namespace {

constexpr std::size_t most_aligned = 256;

std::uintptr_t number_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

// A shared array is aligned as it says and no better, so that who takes it for more is found out.
arrays::arrays(const loops::kernel& k, std::vector<watched_range> memory)
    : kernel_(k), f_(k.entry), shared_(f_.variables.size()) {
    std::vector<std::size_t> places(f_.variables.size());
    std::size_t end = 0;
    for (std::size_t v = 0; v < places.size(); ++v) {
        const loops::variable& of = f_.variables[v];
        if (of.in != loops::storage::shared) continue;
        const std::size_t aligned = of.aligned * frit::size_of(of.is.of);
        places[v] = (end + aligned - 1) / aligned * aligned;
        if (places[v] / aligned % 2 == 0) places[v] += aligned;
        const std::size_t bytes = static_cast<std::size_t>(of.count) * size_of(of.is);
        end = places[v] + bytes;
        shared_[v].written.resize(bytes);
    }
    shared_bytes_.resize(end + most_aligned);
    unsigned char* const first =
        shared_bytes_.data() + (most_aligned - number_of(shared_bytes_.data()) % most_aligned) % most_aligned;
    for (std::size_t v = 0; v < places.size(); ++v) shared_[v].bytes = first + places[v];
    const char* const begin = reinterpret_cast<const char*>(first);
    if (end > 0) memory.push_back({begin, begin + end, true, 1, "shared memory", true});
    watch.start_launch(std::move(memory));
}

void arrays::start_block(unsigned threads) {
    watch.start_block(threads);
    for (kept_array& a : shared_) std::fill(a.written.begin(), a.written.end(), char{0});
}

void arrays::declare(std::vector<kept_array>& registers, loops::variable_id v, bool zeros) {
    const loops::variable& of = f_.variables[v];
    if (of.in == loops::storage::shared) return;
    const std::size_t bytes = static_cast<std::size_t>(of.count) * size_of(of.is);
    registers[v].own.assign(bytes, 0);
    registers[v].bytes = registers[v].own.data();
    registers[v].written.assign(bytes, zeros);
}

bool arrays::in_memory(const datum& address) const {
    return address.word[1] == 0 || f_.variables[address.word[1] - 1].in == loops::storage::shared;
}

void arrays::in_array(const loops::variable& of, kept_array& a, const datum& address, std::size_t bytes, bool writes) const {
    const std::int64_t first = address.index(), end = first + static_cast<std::int64_t>(bytes);
    const auto size = static_cast<std::int64_t>(size_of(of.is));
    if (first < 0 || end > of.count * size)
        throw mistake{"element " + std::to_string(first / size) + " of " + of.name + ", which has " +
                      std::to_string(of.count)};
    char* const begin = a.written.data() + first;
    if (writes)
        std::memset(begin, 1, bytes);
    else if (std::memchr(begin, 0, bytes))
        throw mistake{"reads element " + std::to_string(first / size) + " of " + of.name + ", which nobody wrote"};
}

void arrays::prefetch(const datum& from, std::size_t bytes) {
    if (!in_memory(from) || from.word[1] > 0 || from.word[0] % 16 != 0 || bytes % 16 != 0 ||
        !watch.is_there(reinterpret_cast<const char*>(from.word[0]), bytes))
        throw mistake{"a prefetch of " + std::to_string(bytes) + " bytes, beyond memory or misaligned"};
}

std::uint64_t arrays::add(unsigned thread, const datum& to, std::size_t bytes, std::uint64_t by) {
    if (!in_memory(to)) throw mistake{"an atomic operation on registers"};
    unsigned char* at = reinterpret_cast<unsigned char*>(to.word[0]);
    if (to.word[1] > 0) {
        const std::size_t v = to.word[1] - 1;
        in_array(f_.variables[v], shared_[v], to, bytes, false);
        at = shared_[v].bytes + to.index();
    }
    std::string wrong = watch.atomic(thread, reinterpret_cast<const char*>(at), bytes);
    if (!wrong.empty()) throw mistake{std::move(wrong)};
    std::uint64_t before = 0;
    std::memcpy(&before, at, bytes);
    const std::uint64_t sum = before + by;
    std::memcpy(at, &sum, bytes);
    return before;
}

void arrays::access(unsigned thread, std::vector<kept_array>& registers, const datum& address, std::size_t bytes, void* to,
                    const void* from) {
    unsigned char* at = reinterpret_cast<unsigned char*>(address.word[0]);
    if (address.word[1] > 0) {
        const std::size_t v = address.word[1] - 1;
        kept_array& a = in_memory(address) ? shared_[v] : registers[v];
        in_array(f_.variables[v], a, address, bytes, from != nullptr);
        at = a.bytes + address.index();
    }
    if (in_memory(address)) {
        if (number_of(at) % bytes != 0) throw mistake{"a misaligned access of " + std::to_string(bytes) + " bytes"};
        std::string wrong = watch.access(thread, reinterpret_cast<const char*>(at), bytes, from != nullptr);
        if (!wrong.empty()) throw mistake{std::move(wrong)};
    }
    if (from)
        std::memcpy(at, from, bytes);
    else
        std::memcpy(to, at, bytes);
}

}  // namespace frit_test
