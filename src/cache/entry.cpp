// See entry.hpp.
#include "src/cache/entry.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

namespace frit::inline v0::detail {
namespace {

struct trailer {
    char magic[8];
    std::uint64_t binary_size, key_size, checksum_low, checksum_high;
};
static_assert(sizeof(trailer) == entry_trailer_size);
constexpr char magic[8] = {'F', 'R', 'I', 'T', 'B', 'I', 'N', '1'};

std::uint64_t mix(std::uint64_t x) {  // the finaliser of MurmurHash3
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

}  // namespace

// Two multiply-and-rotate lanes over 8-byte words.
hash128 hash_of(std::string_view bytes) {
    std::uint64_t a = 0x9e3779b97f4a7c15ULL ^ bytes.size(), b = 0xd1b54a32d192ed03ULL + bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        a = (a ^ word) * 0x9fb21c651e98df25ULL;
        a = (a << 29) | (a >> 35);
        b = (b + word) * 0xff51afd7ed558ccdULL;
        b = (b << 31) | (b >> 33);
        b ^= a;
    }
    return {mix(a ^ (b >> 1)), mix(b + a)};
}

std::string hex(hash128 h) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::uint64_t word : {h.high, h.low})
        for (int shift = 60; shift >= 0; shift -= 4) text += digits[(word >> shift) & 15];
    return text;
}

void append_field(std::string& to, std::string_view field) {
    to += std::to_string(field.size());
    to += ':';
    to += field;
}

std::optional<std::string_view> next_field(std::string_view& from) {
    std::size_t size = 0;
    const char* const end = from.data() + from.size();
    const auto [colon, problem] = std::from_chars(from.data(), end, size);
    if (problem != std::errc() || colon == end || *colon != ':') return std::nullopt;
    from.remove_prefix(static_cast<std::size_t>(colon - from.data()) + 1);
    if (size > from.size()) return std::nullopt;
    const std::string_view field = from.substr(0, size);
    from.remove_prefix(size);
    return field;
}

std::string file_of_entry(std::string_view binary, std::string_view key) {
    std::string file;
    file.reserve(binary.size() + key.size() + sizeof(trailer));
    file.append(binary).append(key);
    const hash128 sum = hash_of(file);
    trailer end{};
    std::memcpy(end.magic, magic, sizeof magic);
    end.binary_size = binary.size();
    end.key_size = key.size();
    end.checksum_low = sum.low;
    end.checksum_high = sum.high;
    return file.append(reinterpret_cast<const char*>(&end), sizeof end);
}

bool describes(std::string_view bytes, std::uint64_t file_size) {
    trailer end{};
    if (bytes.size() != sizeof end || file_size < sizeof end) return false;
    std::memcpy(&end, bytes.data(), sizeof end);
    const std::uint64_t body = file_size - sizeof end;
    return std::memcmp(end.magic, magic, sizeof magic) == 0 && end.key_size <= body &&
           end.binary_size == body - end.key_size;
}

opened_entry open_entry(std::string_view file, std::string_view key) {
    using state = opened_entry::state;
    trailer end{};
    if (file.size() < sizeof end) return {state::damaged};
    const std::string_view body = file.substr(0, file.size() - sizeof end);
    std::memcpy(&end, file.data() + body.size(), sizeof end);
    if (!describes(file.substr(body.size()), file.size()) || hash_of(body) != hash128{end.checksum_low, end.checksum_high})
        return {state::damaged};
    if (body.substr(end.binary_size) != key) return {state::of_another};
    return {state::good, static_cast<std::size_t>(end.binary_size)};
}

}  // namespace frit::v0::detail
