// Reading and writing .npy files. A header is only believed as far as there are bytes behind it: what it promises is never
// allocated before it has been seen.
#include "frit/npy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <istream>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "src/base/errors.hpp"
#include "src/base/file.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/io/npy_file.hpp"
#include "src/io/npy_header.hpp"

namespace frit::inline v0::detail {
namespace {

// --- where bytes come from ---

class memory_source final : public byte_source {
public:
    explicit memory_source(std::span<const std::byte> bytes) : rest_(bytes) {}
    std::size_t read(char* to, std::size_t n) override {
        n = std::min(n, rest_.size());
        if (n > 0) std::memcpy(to, rest_.data(), n);
        rest_ = rest_.subspan(n);
        return n;
    }
    std::optional<std::uint64_t> left() const override { return rest_.size(); }

private:
    std::span<const std::byte> rest_;
};

class file_source final : public byte_source {
public:
    explicit file_source(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat info {};
        if (fd_ < 0 || ::fstat(fd_, &info) != 0) throw io_error(reason_of(errno));
        if (S_ISREG(info.st_mode)) left_ = static_cast<std::uint64_t>(info.st_size);
    }
    file_source(const file_source&) = delete;
    file_source& operator=(const file_source&) = delete;
    ~file_source() override {
        if (fd_ >= 0) ::close(fd_);
    }
    std::size_t read(char* to, std::size_t n) override {
        std::size_t done = 0;
        while (done < n) {
            const ssize_t step = ::read(fd_, to + done, n - done);
            if (step < 0 && errno == EINTR) continue;
            if (step < 0) throw io_error(reason_of(errno));
            if (step == 0) break;
            done += static_cast<std::size_t>(step);
        }
        if (left_) *left_ -= std::min<std::uint64_t>(*left_, done);
        return done;
    }
    std::optional<std::uint64_t> left() const override { return left_; }

private:
    int fd_;
    std::optional<std::uint64_t> left_;
};

class stream_source final : public byte_source {
public:
    explicit stream_source(std::istream& from) : from_(from) {}
    std::size_t read(char* to, std::size_t n) override {
        from_.read(to, static_cast<std::streamsize>(n));
        return static_cast<std::size_t>(from_.gcount());
    }
    bool holds_one_array() const override { return false; }

private:
    std::istream& from_;
};

// --- reading ---

npy_header read_header(byte_source& from) {
    char start[8];
    if (from.read(start, sizeof start) < sizeof start) throw io_error("it is too short for a .npy file");
    if (std::string_view(start, npy_magic.size()) != npy_magic) throw io_error("it does not begin as a .npy file does");
    const int major = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
    if (major < 1 || major > 3 || minor != 0)
        throw io_error("its version " + std::to_string(major) + "." + std::to_string(minor) + " is unknown");
    unsigned char digits[4] = {};
    const std::size_t width = major == 1 ? 2 : 4;
    if (from.read(reinterpret_cast<char*>(digits), width) < width) throw io_error("it ends within its header");
    std::uint32_t length = 0;
    for (std::size_t k = width; k-- > 0;) length = length << 8 | digits[k];
    if (length > longest_npy_header)
        throw io_error("its header of " + std::to_string(length) + " bytes is longer than " +
                       std::to_string(longest_npy_header));
    std::string dictionary(length, '\0');
    if (from.read(dictionary.data(), length) < length) throw io_error("it ends within its header");
    return parse_npy_header(dictionary);
}

/// `bytes` bytes of data. Where their number cannot be checked first, memory grows with what is there.
buffer_ref read_data(byte_source& from, std::size_t bytes) {
    const std::optional<std::uint64_t> left = from.left();
    const auto cut_short = [&](std::uint64_t there) {
        return io_error("it is cut short: " + std::to_string(there) + " bytes of data, its array has " +
                        std::to_string(bytes));
    };
    if (left && *left < bytes) throw cut_short(*left);
    std::size_t room = left ? bytes : std::min<std::size_t>(bytes, 1 << 20);
    buffer_ref memory = allocate_array(cpu_context(), room);
    for (std::size_t done = 0;;) {
        done += from.read(static_cast<char*>(memory->data) + done, room - done);
        if (done < room) throw cut_short(done);
        if (done == bytes) break;
        room = std::min(2 * room, bytes);
        buffer_ref larger = allocate_array(cpu_context(), room);
        std::memcpy(larger->data, memory->data, done);
        memory = std::move(larger);
    }
    if (!from.holds_one_array()) return memory;
    char more;
    if (from.read(&more, 1) > 0) throw io_error("something follows its array");
    return memory;
}

template <class T>
constexpr T bytes_reversed(T x) {
    T reversed = 0;
    for (std::size_t k = 0; k < sizeof x; ++k) reversed = static_cast<T>(reversed << 8 | (x >> 8 * k & 0xFF));
    return reversed;
}

template <class Word>
void swap_words(char* data, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
        Word w;
        std::memcpy(&w, data + at, sizeof w);
        w = bytes_reversed(w);
        std::memcpy(data + at, &w, sizeof w);
    }
}

void swap_bytes(char* data, std::size_t bytes, std::size_t width) {
    switch (width) {
        case 2: return swap_words<std::uint16_t>(data, bytes);
        case 4: return swap_words<std::uint32_t>(data, bytes);
        case 8: return swap_words<std::uint64_t>(data, bytes);
        default: break;
    }
}

template <class From, class To>
void convert(const void* from, void* to, std::size_t count) {
    const From* source = static_cast<const From*>(from);
    std::transform(source, source + count, static_cast<To*>(to), [](From x) { return static_cast<To>(x); });
}

/// Converts elements; null for dtypes that need a cast.
using converter = void (*)(const void*, void*, std::size_t);
template <dtype To>
converter converter_from(dtype from) {
    switch (from) {
#define FRIT_X(name, ctype)                                                                \
    case dtype::name:                                                                      \
        if constexpr (promote(dtype::name, To) == To) return convert<ctype, cpp_type<To>>; \
        break;
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: break;
    }
    return nullptr;
}
converter converter_between(dtype from, dtype to) {
    switch (to) {
#define FRIT_X(name, ctype) \
    case dtype::name: return converter_from<dtype::name>(from);
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: return nullptr;
    }
}

[[noreturn]] void refuse_dtype(const char* who, const std::string& name, dtype from, dtype to, source_line where) {
    const std::string problem = is_supported(from) ? ", which array<" + std::string(name_of(to)) + "> takes only with a cast"
                                                   : ", which frit does not compute with";
    throw dtype_error(std::string(who) + ": " + name + " holds " + std::string(name_of(from)) + problem + place(where));
}

}  // namespace

any_array read_npy(byte_source& from, const char* who, const std::string& name, dtype asked, source_line where) {
    const npy_header h = read_header(from);
    const dtype type = asked == run_time ? h.type : asked;
    const converter as_asked = converter_between(h.type, type);
    if (!as_asked) refuse_dtype(who, name, h.type, type, where);
    std::vector<std::int64_t> outermost_first(h.extents.begin(), h.extents.end());
    if (h.fortran_order) std::reverse(outermost_first.begin(), outermost_first.end());
    const shape extents(outermost_first, where);
    const auto count = static_cast<std::size_t>(extents.size());

    buffer_ref memory = read_data(from, count * size_of(h.type));
    char* data = static_cast<char*>(memory->data);
    if (h.swapped) swap_bytes(data, count * size_of(h.type), size_of(real_dtype(h.type)));
    if (h.type == dtype::bool_)  // what is neither 0 nor 1 is true, as for NumPy
        std::transform(data, data + count, data, [](char c) { return static_cast<char>(c != 0); });
    if (h.type != type) {
        buffer_ref converted = allocate_array(cpu_context(), count * size_of(type));
        as_asked(data, converted->data, count);
        memory = std::move(converted);
    }
    context& home = default_context();
    const any_array stored(handle_ref(&home == &cpu_context()
                                          ? make_stored(home, std::move(memory), 0, type, extents, {}, where)
                                          : from_host(memory->data, type, extents, where)));
    return h.fortran_order && extents.rank() > 1 ? any_array(stored.T(where), where) : stored;
}

any_array load_npy(const std::string& path, dtype type, source_line where) try {
    return told_of("load_npy", path, where, [&] {
        file_source from(path);
        return read_npy(from, "load_npy", path, type, where);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npy", where);
}
any_array load_npy(std::istream& stream, dtype type, source_line where) try {
    return told_of("load_npy", "a stream", where, [&] {
        stream_source from(stream);
        return read_npy(from, "load_npy", "a stream", type, where);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npy", where);
}
any_array load_npy(std::span<const std::byte> bytes, dtype type, source_line where) try {
    return told_of("load_npy", "bytes in memory", where, [&] {
        memory_source from(bytes);
        return read_npy(from, "load_npy", "bytes in memory", type, where);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npy", where);
}

void save_npy(const std::string& path, node_head* n, source_line where) try {
    const host_bytes data(n);
    told_of("save_npy", path, where, [&] {
        const std::string header = npy_header_text(n->type, *n->extents);
        const std::string_view parts[] = {header, data.view()};
        if (const int failure = write_file(path, parts)) throw io_error(reason_of(failure));
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("save_npy", where);
}
void save_npy(std::ostream& to, node_head* n, source_line where) try {
    const host_bytes data(n);
    const std::string header = npy_header_text(n->type, *n->extents);
    told_of("save_npy", "a stream", where, [&] {
        for (const std::string_view part : {std::string_view(header), data.view()})
            to.write(part.data(), static_cast<std::streamsize>(part.size()));
        if (!to) throw io_error("the stream does not take it");
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("save_npy", where);
}

}  // namespace frit::v0::detail
