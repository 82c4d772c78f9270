// Scratch memory of a thread, kept from call to call, so that warm launches allocate nothing. It may also be used when the
// thread's other thread-local objects are gone: arrays outlive static destruction, and static objects die after main's
// thread-locals.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// One block a thread for each Tag.
template <class Tag>
class thread_scratch {
public:
    /// At least this much, 64-byte aligned; what was there before is lost when it grows. @throws std::bad_alloc
    static std::byte* get(std::size_t bytes) {
        if (memory_.size < bytes) {
            release();
            memory_.begin = static_cast<std::byte*>(::operator new(bytes, alignment));
            memory_.size = bytes;
            static_cast<void>(&at_exit_);  // from here on there is something to free
        }
        return memory_.begin;
    }

private:
    static constexpr std::align_val_t alignment{64};
    static void release() noexcept {
        memory_.size = 0;
        if (memory_.begin) ::operator delete(std::exchange(memory_.begin, nullptr), alignment);
    }
    // Without a destructor, so it stays what it is while the thread ends; what is made after at_exit_ is not freed.
    struct block {
        std::byte* begin;
        std::size_t size;
    };
    struct releaser {
        ~releaser() { release(); }
    };
    static inline thread_local constinit block memory_{nullptr, 0};
    static inline thread_local releaser at_exit_;
};

}  // namespace frit::v0::detail
