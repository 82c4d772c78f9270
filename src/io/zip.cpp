// See zip.hpp. A directory is only believed as far as there are bytes behind it.
#include "src/io/zip.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "frit/error.hpp"
#include "src/io/npy_header.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view local_signature("PK\3\4", 4), central_signature("PK\1\2", 4), end_signature("PK\5\6", 4),
    end64_signature("PK\6\6", 4), locator_signature("PK\6\7", 4);
constexpr std::size_t local_bytes = 30, central_bytes = 46, end_bytes = 22, end64_bytes = 56, locator_bytes = 20;
constexpr std::uint64_t all16 = 0xFFFF, all32 = 0xFFFFFFFF;  // "see the 64-bit field"
constexpr std::uint16_t zip64_extra = 1, needs_zip64 = 45, needs_plain = 20;
constexpr std::uint16_t flag_encrypted = 1, flag_utf8 = 1 << 11, new_year_of_1980 = 1 << 5 | 1;

[[noreturn]] void damaged(const std::string& reason) { throw io_error("its zip directory is damaged: " + reason); }

// --- reading ---

/// Little-endian numbers, one after the other.
class fields {
public:
    explicit fields(std::string_view bytes) : rest_(bytes) {}
    std::uint64_t number(std::size_t width) {
        if (rest_.size() < width) damaged("it ends within an entry");
        std::uint64_t value = 0;
        for (std::size_t k = width; k-- > 0;) value = value << 8 | static_cast<unsigned char>(rest_[k]);
        rest_.remove_prefix(width);
        return value;
    }
    std::string_view text(std::uint64_t length) {
        if (rest_.size() < length) damaged("it ends within an entry");
        const std::string_view s = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return s;
    }
    bool empty() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

std::string bytes_at(const random_access& from, std::uint64_t at, std::uint64_t count) {
    if (at > from.size() || count > from.size() - at) damaged("it leads out of the file");
    std::string bytes(count, '\0');
    from.read(at, bytes.data(), bytes.size());
    return bytes;
}

struct directory_place {
    std::uint64_t entries = 0, size = 0, at = 0;
};

/// @param end  where the end record stands
directory_place read_end64(const random_access& from, std::uint64_t end) {
    if (end < locator_bytes) damaged("its end is missing");
    const std::string locator = bytes_at(from, end - locator_bytes, locator_bytes);
    fields in(locator);
    if (in.text(4) != locator_signature) damaged("its end is missing");
    if (in.number(4) != 0) damaged("it is split over several files");
    const std::uint64_t at = in.number(8);
    const std::string record = bytes_at(from, at, end64_bytes);
    fields last(record);
    if (last.text(4) != end64_signature) damaged("its end is missing");
    last.text(8 + 2 + 2);  // size, versions
    if (last.number(4) != 0 || last.number(4) != 0) damaged("it is split over several files");
    last.text(8);
    directory_place place;
    place.entries = last.number(8);
    place.size = last.number(8);
    place.at = last.number(8);
    return place;
}

directory_place find_directory(const random_access& from) {
    // The end record is followed by a comment of up to 64 KiB, whose length it tells.
    const std::uint64_t window = std::min<std::uint64_t>(from.size(), end_bytes + all16);
    const std::uint64_t start = from.size() - window;
    const std::string tail = bytes_at(from, start, window);
    for (std::size_t at = tail.rfind(end_signature); at != std::string::npos;
         at = at == 0 ? std::string::npos : tail.rfind(end_signature, at - 1)) {
        if (tail.size() - at < end_bytes) continue;
        fields in(std::string_view(tail).substr(at + end_signature.size()));
        const bool split = in.number(2) != 0 || in.number(2) != 0;
        in.text(2);
        directory_place place;
        place.entries = in.number(2);
        place.size = in.number(4);
        place.at = in.number(4);
        if (in.number(2) != tail.size() - at - end_bytes) continue;  // what looks like a record stands in the comment
        if (place.entries == all16 || place.size == all32 || place.at == all32) place = read_end64(from, start + at);
        if (split) damaged("it is split over several files");
        if (place.at > start + at || place.size > start + at - place.at) damaged("it leads out of the file");
        return place;
    }
    throw io_error("it is no zip archive, or cut short: the directory at its end is missing");
}

/// Fields that did not fit stand in an extra field, in this order.
void read_zip64(std::string_view extra, zip_entry& e) {
    const bool wanted[] = {e.size == all32, e.packed == all32, e.header_at == all32};
    std::uint64_t* const values[] = {&e.size, &e.packed, &e.header_at};
    for (fields in(extra); !in.empty();) {
        const std::uint64_t id = in.number(2);
        fields data(in.text(in.number(2)));
        if (id != zip64_extra) continue;
        for (int k = 0; k < 3; ++k)
            if (wanted[k]) *values[k] = data.number(8);
        return;
    }
}

zip_entry read_entry(fields& in) {
    zip_entry e;
    if (in.text(4) != central_signature) damaged("an entry does not begin as one");
    in.text(2 + 2);  // versions
    e.encrypted = (in.number(2) & flag_encrypted) != 0;
    e.method = static_cast<std::uint16_t>(in.number(2));
    in.text(2 + 2);  // time, date
    e.crc = static_cast<std::uint32_t>(in.number(4));
    e.packed = in.number(4);
    e.size = in.number(4);
    const std::uint64_t name = in.number(2), extra = in.number(2), comment = in.number(2);
    in.text(2 + 2 + 4);  // disk, attributes
    e.header_at = in.number(4);
    e.name = in.text(name);
    read_zip64(in.text(extra), e);
    in.text(comment);
    return e;
}

/// Else a small file could hold the same large array a thousand times.
void check_apart(const std::vector<zip_entry>& entries, std::uint64_t directory) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // from, to
    for (const zip_entry& e : entries) {
        const std::uint64_t header = local_bytes + e.name.size();
        if (e.header_at > directory || header > directory - e.header_at || e.packed > directory - e.header_at - header)
            damaged("its entry " + quoted(e.name) + " leads out of the file");
        ranges.emplace_back(e.header_at, e.header_at + header + e.packed);
    }
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t k = 1; k < ranges.size(); ++k)
        if (ranges[k].first < ranges[k - 1].second) damaged("two entries overlap");
}

// --- writing ---

void append(std::string& to, std::uint64_t value, std::size_t width) {
    for (std::size_t k = 0; k < width; ++k) to += static_cast<char>(value >> 8 * k & 0xFF);
}
std::uint64_t capped(std::uint64_t value, std::uint64_t most) { return std::min(value, most); }
bool is_ascii(std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// What local header and directory say alike: from the version needed to the length of the name.
void append_common(std::string& to, const zip_entry& e, std::uint16_t needs) {
    append(to, needs, 2);
    append(to, is_ascii(e.name) ? 0 : flag_utf8, 2);
    append(to, zip_stored, 2);
    append(to, 0, 2);
    append(to, new_year_of_1980, 2);
    append(to, e.crc, 4);
    for (int k = 0; k < 2; ++k) append(to, capped(e.size, all32), 4);
    append(to, e.name.size(), 2);
}

}  // namespace

std::vector<zip_entry> read_zip_directory(const random_access& from) {
    const directory_place place = find_directory(from);
    if (place.entries > place.size / central_bytes) damaged("it is too short for its entries");
    const std::string directory = bytes_at(from, place.at, place.size);
    fields in(directory);
    std::vector<zip_entry> entries;
    entries.reserve(place.entries);
    for (std::uint64_t k = 0; k < place.entries; ++k) entries.push_back(read_entry(in));
    if (!in.empty()) damaged("something follows its entries");
    check_apart(entries, place.at);
    return entries;
}

std::uint64_t zip_data_at(const random_access& from, const zip_entry& e) {
    const std::string header = bytes_at(from, e.header_at, local_bytes);
    fields in(header);
    if (in.text(4) != local_signature) damaged("an entry is not where it says");
    in.text(22);
    const std::uint64_t at = e.header_at + local_bytes + in.number(2) + in.number(2);
    if (at > from.size() || e.packed > from.size() - at) damaged("an entry leads out of the file");
    return at;
}

std::string zip_local_header(const zip_entry& e) {
    const bool large = e.size >= all32;
    std::string text(local_signature);
    append_common(text, e, large ? needs_zip64 : needs_plain);
    append(text, large ? 4 + 16 : 0, 2);
    text += e.name;
    if (large) {
        append(text, zip64_extra, 2);
        append(text, 16, 2);
        for (int k = 0; k < 2; ++k) append(text, e.size, 8);
    }
    return text;
}

std::string zip_directory(std::span<const zip_entry> entries, std::uint64_t at) {
    constexpr std::uint64_t unix_rights = std::uint64_t{0100600} << 16, made_by_unix = 3 << 8 | needs_zip64;
    std::string text;
    for (const zip_entry& e : entries) {
        const bool large = e.size >= all32, far = e.header_at >= all32;
        std::string extra;
        if (large)
            for (int k = 0; k < 2; ++k) append(extra, e.size, 8);
        if (far) append(extra, e.header_at, 8);
        text += central_signature;
        append(text, made_by_unix, 2);
        append_common(text, e, large || far ? needs_zip64 : needs_plain);
        append(text, extra.empty() ? 0 : 4 + extra.size(), 2);
        append(text, 0, 2 + 2 + 2);  // comment, disk, internal attributes
        append(text, unix_rights, 4);
        append(text, capped(e.header_at, all32), 4);
        text += e.name;
        if (!extra.empty()) {
            append(text, zip64_extra, 2);
            append(text, extra.size(), 2);
            text += extra;
        }
    }
    const std::uint64_t size = text.size(), count = entries.size();
    if (count >= all16 || size >= all32 || at >= all32) {
        text += end64_signature;
        append(text, end64_bytes - 12, 8);
        append(text, made_by_unix, 2);
        append(text, needs_zip64, 2);
        append(text, 0, 4 + 4);
        append(text, count, 8);
        append(text, count, 8);
        append(text, size, 8);
        append(text, at, 8);
        text += locator_signature;
        append(text, 0, 4);
        append(text, at + size, 8);
        append(text, 1, 4);
    }
    text += end_signature;
    append(text, 0, 4);
    append(text, capped(count, all16), 2);
    append(text, capped(count, all16), 2);
    append(text, capped(size, all32), 4);
    append(text, capped(at, all32), 4);
    append(text, 0, 2);
    return text;
}

}  // namespace frit::v0::detail
