// Reading and writing .npz files: .npy files in a zip archive, as they are or deflated. zlib unpacks and checks; the archive
// is zip.cpp's, the arrays are npy.cpp's. Memory follows the bytes that are there, packed ones too.
#include "frit/npz.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#ifdef FRIT_HAS_ZLIB
#include <zlib.h>
#endif

#include "src/base/file.hpp"
#include "src/io/npy_file.hpp"
#include "src/io/npy_header.hpp"
#include "src/io/zip.hpp"

namespace frit::inline v0::detail {

#ifdef FRIT_HAS_ZLIB

namespace {

constexpr std::string_view suffix = ".npy";

/// `before` goes on over `bytes`. For zlib a null pointer, as empty arrays have, would mean to begin anew.
uLong checksum(uLong before, std::string_view bytes) {
    if (bytes.empty()) return before;
    return ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

class file_bytes final : public random_access {
public:
    explicit file_bytes(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        struct stat info {};
        if (!file_ || ::fstat(file_.get(), &info) != 0) throw io_error(reason_of(errno));
        if (!S_ISREG(info.st_mode)) throw io_error("it is no regular file");
        size_ = static_cast<std::uint64_t>(info.st_size);
    }
    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t at, char* to, std::size_t n) const override {
        while (n > 0) {
            const ssize_t step = ::pread(file_.get(), to, n, static_cast<off_t>(at));
            if (step < 0 && errno == EINTR) continue;
            if (step < 0) throw io_error(reason_of(errno));
            if (step == 0) throw io_error("it got shorter while it was read");
            to += step;
            at += static_cast<std::uint64_t>(step);
            n -= static_cast<std::size_t>(step);
        }
    }

private:
    descriptor file_;
    std::uint64_t size_ = 0;
};

class memory_bytes final : public random_access {
public:
    explicit memory_bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void read(std::uint64_t at, char* to, std::size_t n) const override {
        if (at > bytes_.size() || n > bytes_.size() - at) throw io_error("it is cut short");
        if (n > 0) std::memcpy(to, bytes_.data() + at, n);
    }

private:
    std::span<const std::byte> bytes_;
};

/// An entry's data as it was before it was packed.
class entry_source final : public byte_source {
public:
    entry_source(const random_access& from, const zip_entry& e) : from_(from), entry_(e), at_(zip_data_at(from, e)) {
        if (e.encrypted) throw io_error("it is encrypted");
        if (e.method != zip_stored && e.method != zip_deflated)
            throw io_error("it is packed by method " + std::to_string(e.method) + "; stored and deflated ones are read");
        if (e.method == zip_stored && e.packed != e.size) throw io_error("its two sizes differ");
        constexpr std::uint64_t most_per_byte = 1032;  // zlib's manual: no byte stands for more
        if (e.size / most_per_byte > e.packed) throw io_error("so few bytes cannot hold what it promises");
        packed_left_ = e.packed;
        if (e.method == zip_deflated && ::inflateInit2(&inflater_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    entry_source(const entry_source&) = delete;
    entry_source& operator=(const entry_source&) = delete;
    ~entry_source() override {
        if (entry_.method == zip_deflated) ::inflateEnd(&inflater_);
    }

    std::size_t read(char* to, std::size_t n) override {
        const std::size_t there = entry_.method == zip_stored ? take(to, n) : inflated(to, n);
        crc_ = checksum(crc_, {to, there});
        done_ += there;
        if (done_ > entry_.size) throw io_error("it is longer than its directory says");
        return there;
    }
    /// Of deflated data nothing is known before it is there.
    std::optional<std::uint64_t> left() const override {
        if (entry_.method == zip_stored) return packed_left_;
        return std::nullopt;
    }
    /// All was read: is it what was packed?
    void check() const {
        if (done_ != entry_.size || packed_left_ != 0) throw io_error("its sizes are not those of the directory");
        if (crc_ != entry_.crc) throw io_error("it is damaged: its checksum is another");
    }

private:
    std::size_t take(char* to, std::size_t n) {
        n = static_cast<std::size_t>(std::min<std::uint64_t>(n, packed_left_));
        from_.read(at_, to, n);
        at_ += n;
        packed_left_ -= n;
        return n;
    }
    std::size_t inflated(char* to, std::size_t n) {
        std::size_t there = 0;
        while (there < n && !ended_) {
            if (inflater_.avail_in == 0) {
                inflater_.avail_in = static_cast<uInt>(take(packed_, sizeof packed_));
                inflater_.next_in = reinterpret_cast<Bytef*>(packed_);
            }
            const std::size_t room = std::min<std::size_t>(n - there, 1 << 30);  // zlib counts in unsigned int
            inflater_.next_out = reinterpret_cast<Bytef*>(to + there);
            inflater_.avail_out = static_cast<uInt>(room);
            const int status = ::inflate(&inflater_, Z_NO_FLUSH);
            there += room - inflater_.avail_out;
            if (status == Z_MEM_ERROR) throw std::bad_alloc();
            ended_ = status == Z_STREAM_END;
            // Z_BUF_ERROR: it could not go on, for there is nothing more to read
            if (!ended_ && status != Z_OK) throw io_error("its deflated data is damaged or cut short");
        }
        if (ended_ && inflater_.avail_in != 0) throw io_error("something follows its deflated data");
        return there;
    }

    const random_access& from_;
    const zip_entry& entry_;
    std::uint64_t at_, packed_left_ = 0, done_ = 0;
    uLong crc_ = 0;
    z_stream inflater_{};
    bool ended_ = false;
    char packed_[1 << 14];
};

loaded_npy read_entry(const random_access& from, const zip_entry& e, const std::string& file, std::optional<dtype> asked,
                      source_line where) {
    try {
        const auto source = std::make_unique<entry_source>(from, e);
        loaded_npy loaded = read_npy(*source, "load_npz", file + ", " + quoted(e.name), asked, where);
        source->check();
        return loaded;
    } catch (const io_error& problem) {
        throw io_error("its entry " + quoted(e.name) + ": " + problem.what());
    }
}

/// In C's order.
handle_ref as_stored(const loaded_npy& x, source_line where) {
    if (!x.reversed) return x.node;
    switch (x.node->type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return as_saved<ctype>(x, where).handle();
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: return x.node;
    }
}

std::map<std::string, any_array> load_all(const random_access& from, const std::string& file, source_line where) {
    std::map<std::string, any_array> arrays;
    for (const zip_entry& e : read_zip_directory(from)) {
        if (!e.name.ends_with(suffix)) throw io_error("its entry " + quoted(e.name) + " is no .npy file");
        const std::string name = e.name.substr(0, e.name.size() - suffix.size());
        if (arrays.contains(name)) throw io_error("its entry " + quoted(e.name) + " is there twice");
        arrays.emplace(name, any_array(as_stored(read_entry(from, e, file, std::nullopt, where), where)));
    }
    return arrays;
}

loaded_npy load_one(const random_access& from, const std::string& file, const std::string& name, dtype type,
                    source_line where) {
    const std::vector<zip_entry> entries = read_zip_directory(from);
    const auto is_it = [&](const zip_entry& e) { return e.name == name + std::string(suffix); };
    const auto found = std::find_if(entries.begin(), entries.end(), is_it);
    if (found == entries.end()) throw io_error("there is no array " + quoted(name) + " in it");
    if (std::find_if(found + 1, entries.end(), is_it) != entries.end())
        throw io_error("its entry " + quoted(found->name) + " is there twice");
    return read_entry(from, *found, file, type, where);
}

void check_names(std::span<const named_array> arrays) {
    std::vector<std::string_view> names;
    for (const named_array& a : arrays) {
        constexpr std::size_t longest = 0xFFFF;
        if (a.name().empty()) throw io_error("an array has an empty name");
        if (a.name().size() > longest - suffix.size()) throw io_error("the name " + quoted(a.name()) + " is too long");
        if (a.name().find('\0') != std::string::npos) throw io_error("the name " + quoted(a.name()) + " holds a zero byte");
        names.push_back(a.name());
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) throw io_error("the name " + quoted(*twice) + " is there twice");
}

/// An array's part of the file.
struct written_entry {
    std::string header, npy_header;
    std::unique_ptr<host_bytes> data;
};

/// @param place  where the part begins
written_entry to_write(const named_array& a, std::uint64_t place, zip_entry& e) {
    written_entry w;
    w.npy_header = npy_header_text(a.node()->type, *a.node()->extents);
    w.data = std::make_unique<host_bytes>(a.node());
    e.name = a.name() + std::string(suffix);
    e.header_at = place;
    e.size = e.packed = w.npy_header.size() + w.data->view().size();
    uLong crc = 0;
    for (const std::string_view part : {std::string_view(w.npy_header), w.data->view()}) crc = checksum(crc, part);
    e.crc = static_cast<std::uint32_t>(crc);
    w.header = zip_local_header(e);
    return w;
}

constexpr const char* in_memory = "bytes in memory";

}  // namespace

std::map<std::string, any_array> load_npz(const std::string& path, source_line where) try {
    return told_of("load_npz", path, where, [&] { return load_all(file_bytes(path), path, where); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npz", where);
}
std::map<std::string, any_array> load_npz(std::span<const std::byte> bytes, source_line where) try {
    return told_of("load_npz", in_memory, where, [&] { return load_all(memory_bytes(bytes), in_memory, where); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npz", where);
}
loaded_npy load_npz(const std::string& path, const std::string& name, dtype type, source_line where) try {
    return told_of("load_npz", path, where, [&] { return load_one(file_bytes(path), path, name, type, where); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npz", where);
}
loaded_npy load_npz(std::span<const std::byte> bytes, const std::string& name, dtype type, source_line where) try {
    return told_of("load_npz", in_memory, where,
                   [&] { return load_one(memory_bytes(bytes), in_memory, name, type, where); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("load_npz", where);
}

void save_npz(const std::string& path, std::span<const named_array> arrays, source_line where) try {
    told_of("save_npz", path, where, [&] { check_names(arrays); });
    std::vector<node_head*> nodes;
    for (const named_array& a : arrays) nodes.push_back(a.node());
    eval(nodes, where);
    std::vector<zip_entry> entries(arrays.size());
    std::vector<written_entry> written;
    std::uint64_t place = 0;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        written.push_back(to_write(arrays[k], place, entries[k]));
        place += written[k].header.size() + entries[k].packed;
    }
    const std::string directory = zip_directory(entries, place);
    std::vector<std::string_view> parts;
    for (const written_entry& w : written) parts.insert(parts.end(), {w.header, w.npy_header, w.data->view()});
    parts.push_back(directory);
    told_of("save_npz", path, where, [&] {
        if (const int failure = write_file(path, parts)) throw io_error(reason_of(failure));
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("save_npz", where);
}

#else  // without zlib

namespace {
[[noreturn]] void throw_no_zlib(const char* who, source_line where) try {
    throw io_error(std::string(who) +
                   ": this build of frit has no zlib, which .npz files need: build it where zlib's header " +
                   "is (Debian, Ubuntu: zlib1g-dev)" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}
}  // namespace

std::map<std::string, any_array> load_npz(const std::string&, source_line where) { throw_no_zlib("load_npz", where); }
std::map<std::string, any_array> load_npz(std::span<const std::byte>, source_line where) {
    throw_no_zlib("load_npz", where);
}
loaded_npy load_npz(const std::string&, const std::string&, dtype, source_line where) { throw_no_zlib("load_npz", where); }
loaded_npy load_npz(std::span<const std::byte>, const std::string&, dtype, source_line where) {
    throw_no_zlib("load_npz", where);
}
void save_npz(const std::string&, std::span<const named_array>, source_line where) { throw_no_zlib("save_npz", where); }

#endif

}  // namespace frit::v0::detail
