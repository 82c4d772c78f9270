// Zip archives as far as .npz files need them: the directory, read and written, and where an entry's bytes stand. Nothing is
// unpacked here, and names are only names: no path is made of them.
// Source of the format: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3, with zip64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// Bytes that can be read anywhere.
class random_access {
public:
    virtual ~random_access() = default;
    virtual std::uint64_t size() const = 0;
    /// @throws io_error with the reason alone where n bytes from `at` on are not all there
    virtual void read(std::uint64_t at, char* to, std::size_t n) const = 0;
};

inline constexpr std::uint16_t zip_stored = 0, zip_deflated = 8;

struct zip_entry {
    std::string name;
    std::uint64_t header_at = 0;  ///< of its local header
    std::uint64_t packed = 0;     ///< bytes of data, as they are in the archive
    std::uint64_t size = 0;       ///< bytes of data
    std::uint32_t crc = 0;
    std::uint16_t method = zip_stored;
    bool encrypted = false;
};

/// The entries, in the directory's order. All that they say of places and sizes is within the archive, and no two overlap.
/// @throws io_error with the reason alone
std::vector<zip_entry> read_zip_directory(const random_access&);
/// Where an entry's data begins. @throws io_error with the reason alone
std::uint64_t zip_data_at(const random_access&, const zip_entry&);

/// What stands before the data of a stored entry.
std::string zip_local_header(const zip_entry&);
/// What stands behind the last entry, which ends at `at`.
std::string zip_directory(std::span<const zip_entry>, std::uint64_t at);

}  // namespace frit::v0::detail
