// FFTW, loaded at the first transform, so that frit neither needs it to build nor is bound by its licence: one library a
// precision. What is declared here is its documented C interface.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>

#include "frit/dtype.hpp"
#include "src/base/found_library.hpp"
#include "src/cpu/mixed_radix.hpp"

namespace frit::inline v0::detail {

/// One length, kind and number of lines.
template <class T>
class fftw_lines {
public:
    /// @param count  lines, one after the other and without gaps
    /// @param aligned  only for memory that is_aligned: several times as fast
    /// @throws device_error, std::bad_alloc
    fftw_lines(line_kind, std::int64_t n, std::int64_t count, bool aligned);
    ~fftw_lines();
    fftw_lines(const fftw_lines&) = delete;
    fftw_lines& operator=(const fftw_lines&) = delete;

    /// Any threads may do this at once. What is transformed to real numbers is overwritten.
    void run(const void* in, void* out) const;
    /// Bytes of which the address of aligned memory is a multiple. 1 without FFTW.
    static std::size_t alignment();

private:
    line_kind kind_;
    void* plan_ = nullptr;
};

extern template class fftw_lines<float>;
extern template class fftw_lines<double>;

/// Whether FFTW serves transforms of this real dtype: it is there, and FRIT_FFTW does not say off. Decided once, since what
/// is planned goes by it.
bool has_fftw(dtype real);

/// Around fork(): nobody makes a plan in the parent, so the child finds FFTW's planner whole.
void lock_fftw_for_fork();
void unlock_fftw_after_fork();

/// For frit::info().
found_library find_fftw();

}  // namespace frit::v0::detail
