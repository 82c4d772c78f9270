// Devices: a plain value that names one, this thread's default, and the guard that changes it for a scope. The default of a
// new thread is $FRIT_DEVICE ("cpu", "cuda", "cuda:1"), else the first GPU, else the CPU.
#pragma once

#include <climits>
#include <string>
#include <string_view>

#include "frit/config.hpp"
#include "frit/detail/record.hpp"

namespace frit::inline v0 {

namespace detail {
[[noreturn]] FRIT_API void throw_ordinal(std::int64_t ordinal, source_line);
}

/// The CPU or one GPU. Naming a device does not need it to exist: using it does.
class device {
public:
    /// The CPU.
    static constexpr device cpu() noexcept { return device(-1); }
    /// The GPU of this number, as the driver counts them. @throws device_error for what can be none: a negative number
    static constexpr device cuda(detail::any_integer ordinal = 0, source_line where = {}) {
        if (ordinal < 0 || ordinal > INT_MAX) detail::throw_ordinal(ordinal, where);
        return device(static_cast<int>(ordinal.value));
    }
    /// The number of GPUs that can be used; 0 without a driver.
    FRIT_API static int cuda_count() noexcept;
    /// "cpu", "cuda" or "cuda:1". @throws device_error for any other text
    FRIT_API static device parse(std::string_view text, source_line where = {});

    /// Whether it is the CPU.
    constexpr bool is_cpu() const noexcept { return ordinal_ < 0; }
    /// Whether it is a GPU.
    constexpr bool is_cuda() const noexcept { return ordinal_ >= 0; }
    /// The GPU's number; 0 for the CPU.
    constexpr int index() const noexcept { return is_cpu() ? 0 : ordinal_; }
    /// The device's own name and the engine that runs on it. @throws device_error if it does not exist
    FRIT_API std::string description(source_line where = {}) const;
    /// Whether both name the same device.
    friend constexpr bool operator==(device, device) noexcept = default;

private:
    explicit constexpr device(int ordinal) noexcept : ordinal_(ordinal) {}
    int ordinal_;  // -1: the CPU
};

/// "cpu", "cuda:0".
FRIT_API std::string to_string(device);

/// The device on which this thread's arrays are made.
FRIT_API device default_device();

/// Makes d the default of this thread until the end of the scope. @throws device_error if d does not exist
class scoped_device {
public:
    /// @throws device_error if d does not exist
    [[nodiscard]] explicit scoped_device(device d, source_line where = {})
        : before_(detail::exchange_default_device(d, where)) {}
    scoped_device(const scoped_device&) = delete;
    scoped_device& operator=(const scoped_device&) = delete;
    ~scoped_device() { detail::exchange_default_device(before_, detail::unknown_line); }

private:
    device before_;
};

}  // namespace frit::v0
