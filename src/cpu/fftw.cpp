// See fftw.hpp. FFTW's planner is one for the process and not made for threads: plans are made and destroyed under a lock.
#include "src/cpu/fftw.hpp"

#include <dlfcn.h>

#include <array>
#include <mutex>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/env.hpp"

namespace frit::inline v0::detail {
namespace {

/// fftw_iodim64: an axis, and its strides where it is read and written.
struct axis_of_plan {
    std::ptrdiff_t n, in, out;
};
constexpr unsigned may_destroy_input = 1U << 0, unaligned = 1U << 1, estimate = 1U << 6;  // FFTW_*
constexpr int forward_sign = -1, inverse_sign = 1;

template <class T>
struct library {
    using axes = const axis_of_plan*;
    using complex = std::complex<T>;
    void* (*plan)(int rank, axes, int batch_rank, axes, complex* in, complex* out, int sign, unsigned flags) = nullptr;
    void* (*plan_of_real)(int rank, axes, int batch_rank, axes, T* in, complex* out, unsigned flags) = nullptr;
    void* (*plan_to_real)(int rank, axes, int batch_rank, axes, complex* in, T* out, unsigned flags) = nullptr;
    void (*run)(void* plan, complex* in, complex* out) = nullptr;
    void (*run_of_real)(void* plan, T* in, complex* out) = nullptr;
    void (*run_to_real)(void* plan, complex* in, T* out) = nullptr;
    void (*destroy)(void* plan) = nullptr;
    int (*alignment_of)(T*) = nullptr;
    const char* version = nullptr;
    std::size_t alignment = 1;
    std::string why;

    library() {
        constexpr bool single = std::is_same_v<T, float>;
        const std::string file = single ? "libfftw3f.so.3" : "libfftw3.so.3";
        void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            why = file + " not found: install libfftw3-" + (single ? "single3" : "double3") + " (Debian, Ubuntu)";
            return;
        }
        const auto find = [&]<class F>(F*& member, const char* name) {
            const std::string symbol = (single ? "fftwf_" : "fftw_") + std::string(name);
            member = reinterpret_cast<F*>(::dlsym(handle, symbol.c_str()));
            if (!member && why.empty()) why = file + " has no " + symbol;
        };
        find(plan, "plan_guru64_dft");
        find(plan_of_real, "plan_guru64_dft_r2c");
        find(plan_to_real, "plan_guru64_dft_c2r");
        find(run, "execute_dft");
        find(run_of_real, "execute_dft_r2c");
        find(run_to_real, "execute_dft_c2r");
        find(destroy, "destroy_plan");
        find(alignment_of, "alignment_of");
        find(version, "version");
        // It says how far an address is behind an aligned one.
        if (why.empty())
            while (alignment < 64 && alignment_of(reinterpret_cast<T*>(alignment)) != 0) alignment *= 2;
    }
};

template <class T>
const library<T>& the_library() {
    static const auto* const l = new library<T>;  // never destroyed, as all singletons
    return *l;
}

constinit std::mutex planner;
static_assert(std::is_trivially_destructible_v<std::mutex>);  // threads may still plan while the process ends

}  // namespace

template <class T>
fftw_lines<T>::fftw_lines(line_kind kind, std::int64_t n, std::int64_t count, bool aligned) : kind_(kind) {
    const library<T>& by = the_library<T>();
    const std::int64_t half = n / 2 + 1;
    const axis_of_plan line{n, 1, 1},
        batch{count, kind == line_kind::to_real ? half : n, kind == line_kind::of_real ? half : n};
    // An estimate does not touch memory; that these are aligned, and two, is what it is told.
    alignas(64) std::array<std::complex<T>, 16> in, out;
    auto *const real_in = reinterpret_cast<T*>(in.data()), *const real_out = reinterpret_cast<T*>(out.data());
    const unsigned flags = estimate | (aligned ? 0 : unaligned);
    const std::scoped_lock guard(planner);
    switch (kind) {
        case line_kind::of_real: plan_ = by.plan_of_real(1, &line, 1, &batch, real_in, out.data(), flags); break;
        case line_kind::to_real:
            plan_ = by.plan_to_real(1, &line, 1, &batch, in.data(), real_out, flags | may_destroy_input);
            break;
        default:
            plan_ = by.plan(1, &line, 1, &batch, in.data(), out.data(),
                            kind == line_kind::forward ? forward_sign : inverse_sign, flags);
    }
    if (!plan_)
        throw device_error("cpu: FFTW makes no plan for " + std::to_string(count) + " lines of " + std::to_string(n) +
                           " elements");
}

template <class T>
fftw_lines<T>::~fftw_lines() {
    const std::scoped_lock guard(planner);
    the_library<T>().destroy(plan_);
}

template <class T>
void fftw_lines<T>::run(const void* from, void* out) const {
    const library<T>& by = the_library<T>();
    void* const in = const_cast<void*>(from);  // FFTW's interface knows no const
    using complex = std::complex<T>;
    switch (kind_) {
        case line_kind::of_real: return by.run_of_real(plan_, static_cast<T*>(in), static_cast<complex*>(out));
        case line_kind::to_real: return by.run_to_real(plan_, static_cast<complex*>(in), static_cast<T*>(out));
        default: return by.run(plan_, static_cast<complex*>(in), static_cast<complex*>(out));
    }
}

template <class T>
std::size_t fftw_lines<T>::alignment() {
    return the_library<T>().alignment;
}

template class fftw_lines<float>;
template class fftw_lines<double>;

namespace {
template <class T>
bool serves() {
    static const bool it_does = env().fftw && the_library<T>().why.empty();
    return it_does;
}
}  // namespace

bool has_fftw(dtype real) { return real == dtype::f32 ? serves<float>() : serves<double>(); }

void lock_fftw_for_fork() { planner.lock(); }
void unlock_fftw_after_fork() { planner.unlock(); }

found_library find_fftw() {
    found_library found{"FFTW", "fft on the CPU", false, ""};
    const auto& single = the_library<float>();
    const auto& twice = the_library<double>();
    if (single.why.empty() && twice.why.empty()) {
        found.found = true;
        found.text = std::string(twice.version) + ", " + file_of(reinterpret_cast<const void*>(twice.run)) + ", " +
                     file_of(reinterpret_cast<const void*>(single.run));
        if (!env().fftw) found.text += "; not used: FRIT_FFTW=off, frit's own transforms serve";
        return found;
    }
    for (const std::string& why : {twice.why, single.why})
        if (!why.empty()) found.text += (found.text.empty() ? "" : "; ") + why;
    found.text += "; frit's own transforms serve meanwhile, which take about twice as long";
    return found;
}

}  // namespace frit::v0::detail
