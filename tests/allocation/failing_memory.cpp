// The replacements: see failing_memory.hpp. Under AddressSanitizer they stand in front of its own, which then sees what was
// granted, and nothing of what was refused. They are called before it has started, so this file is not instrumented.
#include "tests/allocation/failing_memory.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

#ifdef FRIT_TEST_SANITIZED
#define FRIT_REAL(name) __interceptor_##name
#define FRIT_REAL_ALIGNED __interceptor_memalign
#define FRIT_SANITIZERS_HELPER "/libc.so"
#else
#define FRIT_REAL(name) __libc_##name
#define FRIT_REAL_ALIGNED __libc_memalign
#define FRIT_SANITIZERS_HELPER "libquadmath"
#endif

extern "C" {  // NOLINTBEGIN(bugprone-reserved-identifier): glibc's, or the sanitizer's
void* FRIT_REAL(malloc)(std::size_t);
void* FRIT_REAL(calloc)(std::size_t, std::size_t);
void* FRIT_REAL(realloc)(void*, std::size_t);
void* FRIT_REAL_ALIGNED(std::size_t alignment, std::size_t);
}  // NOLINTEND(bugprone-reserved-identifier)

namespace frit_test {
namespace {

std::atomic<bool> armed{false}, threads_refused{false};
std::atomic<int> granting{0};
std::atomic<std::int64_t> count{0}, refused{0};
std::atomic<refusing> how{refusing::one};
thread_local int outside = 0;  // a thread that frit has started never says anything: it is inside

/// What others allocate behind frit's back, and do not take no for an answer: the loader, OpenBLAS, FFTW, a sanitizer
/// that asks for a new thread's stack.
bool is_of_others(const void* caller) noexcept {
    Dl_info info{};
    if (dladdr(caller, &info) == 0 || !info.dli_fname) return false;
    for (const char* name : {"/ld-linux", "libopenblas", "libfftw3", "libgfortran", "libgomp", FRIT_SANITIZERS_HELPER})
        if (std::strstr(info.dli_fname, name)) return true;
    return false;
}

bool is_refused(const void* caller) noexcept {
    if (!armed.load(std::memory_order_relaxed) || outside > 0 || granting.load() > 0) return false;
    const std::int64_t n = count.fetch_add(1) + 1, k = refused.load();
    if (k == 0) return false;
    return (how.load() == refusing::one ? n == k : n >= k) && !is_of_others(caller);
}

void* refuse() noexcept {
    errno = ENOMEM;
    return nullptr;
}

void* new_block(std::size_t bytes, std::size_t alignment, const void* caller) {
    void* p = nullptr;
    if (!is_refused(caller)) p = alignment ? FRIT_REAL_ALIGNED(alignment, bytes) : FRIT_REAL(malloc)(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    return p;
}

}  // namespace

void refuse_memory(std::int64_t k, refusing what) noexcept {
    count.store(0);
    refused.store(k);
    how.store(what);
    armed.store(true);
}
std::int64_t grant_memory() noexcept {
    armed.store(false);
    return count.load();
}

void thread_of_the_test() noexcept { outside = 1; }
inside_frit::inside_frit() noexcept { --outside; }
inside_frit::~inside_frit() { ++outside; }
memory_granted::memory_granted() noexcept { granting.fetch_add(1); }
memory_granted::~memory_granted() { granting.fetch_sub(1); }
void refuse_threads(bool refuse) noexcept { threads_refused.store(refuse); }

}  // namespace frit_test

using frit_test::is_refused;
using frit_test::new_block;

#define FRIT_CALLER __builtin_return_address(0)

extern "C" {
void* malloc(std::size_t bytes) { return is_refused(FRIT_CALLER) ? frit_test::refuse() : FRIT_REAL(malloc)(bytes); }
void* calloc(std::size_t n, std::size_t bytes) {
    return is_refused(FRIT_CALLER) ? frit_test::refuse() : FRIT_REAL(calloc)(n, bytes);
}
void* realloc(void* p, std::size_t bytes) {
    return is_refused(FRIT_CALLER) ? frit_test::refuse() : FRIT_REAL(realloc)(p, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return is_refused(FRIT_CALLER) ? frit_test::refuse() : FRIT_REAL_ALIGNED(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
    return is_refused(FRIT_CALLER) ? frit_test::refuse() : FRIT_REAL_ALIGNED(alignment, bytes);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
    void* const p = is_refused(FRIT_CALLER) ? nullptr : FRIT_REAL_ALIGNED(alignment, bytes);
    if (!p) return ENOMEM;
    *to = p;
    return 0;
}

int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*f)(void*), void* x) {
    using create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static auto* const real = reinterpret_cast<create*>(dlsym(RTLD_NEXT, "pthread_create"));
    return frit_test::threads_refused.load() ? EAGAIN : real(t, a, f, x);
}
}

void* operator new(std::size_t bytes) { return new_block(bytes, 0, FRIT_CALLER); }
void* operator new[](std::size_t bytes) { return new_block(bytes, 0, FRIT_CALLER); }
void* operator new(std::size_t bytes, std::align_val_t a) {
    return new_block(bytes, static_cast<std::size_t>(a), FRIT_CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
    return new_block(bytes, static_cast<std::size_t>(a), FRIT_CALLER);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return is_refused(FRIT_CALLER) ? nullptr : FRIT_REAL(malloc)(bytes ? bytes : 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return is_refused(FRIT_CALLER) ? nullptr : FRIT_REAL(malloc)(bytes ? bytes : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
