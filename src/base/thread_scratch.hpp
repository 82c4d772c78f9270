// Scratch memory of a thread, kept from call to call, so that warm launches allocate nothing. It may also be used when the
// thread's thread-local objects are going or gone: arrays outlive static destruction, and static objects die after main's
// thread-locals. So it is plain data, and a key of POSIX ends it with the thread, as often as there is memory again. A
// thread_local object would be destroyed once, and what is used after it would stay; and where glibc has no memory to enter
// its end in the thread's list, it aborts.
#pragma once

#include <pthread.h>

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
            if (!memory_.has_end && pthread_setspecific(key(), &memory_) != 0) throw std::bad_alloc();
            memory_.has_end = true;
            memory_.begin = static_cast<std::byte*>(::operator new(bytes, alignment));
            memory_.size = bytes;
        }
        return memory_.begin;
    }

    static std::size_t size() noexcept { return memory_.size; }

private:
    static constexpr std::align_val_t alignment{64};
    static void release() noexcept {
        memory_.size = 0;
        if (memory_.begin) ::operator delete(std::exchange(memory_.begin, nullptr), alignment);
    }
    static void end(void*) noexcept {
        memory_.has_end = false;
        release();
    }
    static pthread_key_t key() {
        static const pthread_key_t made = [] {
            pthread_key_t k{};
            if (pthread_key_create(&k, end) != 0) throw std::bad_alloc();
            return k;
        }();
        return made;
    }
    struct block {
        std::byte* begin;
        std::size_t size;
        bool has_end;
    };
    static inline thread_local constinit block memory_{nullptr, 0, false};
};

}  // namespace frit::v0::detail
