// What .npy files and the .npz files that hold them share: a source of bytes, and reading one array from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/npy.hpp"
#include "src/base/errors.hpp"
#include "src/base/file.hpp"
#include "src/io/transfer.hpp"

namespace frit::inline v0::detail {

class byte_source {
public:
    virtual ~byte_source() = default;
    /// Fewer than n bytes only at the end.
    virtual std::size_t read(char* to, std::size_t n) = 0;
    /// How many are left, if that is known.
    virtual std::optional<std::uint64_t> left() const { return std::nullopt; }
    /// Whether nothing may follow the array.
    virtual bool holds_one_array() const { return true; }
};

/// One array, on the default device. @param asked  its dtype; run_time: the file's
/// @throws io_error with the reason alone; dtype_error that says `who` reads what of `name`
any_array read_npy(byte_source& from, const char* who, const std::string& name, dtype asked, source_line);

/// What goes wrong is said of this file, or stream.
template <class F>
auto told_of(const char* who, const std::string& name, source_line where, F&& act) {
    try {
        return act();
    } catch (const io_error& problem) {
        throw io_error(std::string(who) + ": " + name + ": " + problem.what() + place(where));
    }
}

/// A stored node's elements, row-major, on the host.
class host_bytes {
public:
    explicit host_bytes(node_head* head) {
        store_for_reading(head);
        const node& n = *as_node(head);
        if (n.home == &cpu_context() && !n.strides) {
            view_ = {static_cast<const char*>(n.data()), n.bytes()};
        } else {
            copy_.resize(n.bytes());
            read(head, copy_.data(), unknown_line);
            view_ = {copy_.data(), copy_.size()};
        }
    }
    host_bytes(const host_bytes&) = delete;
    host_bytes& operator=(const host_bytes&) = delete;
    std::string_view view() const { return view_; }

private:
    std::vector<char> copy_;
    std::string_view view_;
};

}  // namespace frit::v0::detail
