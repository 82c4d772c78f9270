// OpenBLAS as a shared library, which carries BLAS and LAPACK: opened at run time, so that frit neither needs it to build
// nor to start, and kept to the thread that calls it while frit computes with it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

using openblas_names = std::initializer_list<const char*>;
/// What it is called where a package installed it.
inline constexpr const char* usual_openblas[] = {"libopenblas.so.0", "libopenblas.so"};

class openblas_file {
public:
    /// Opens the first of these that is there. @throws device_error naming `who`, all of them, and Debian's package
    openblas_file(openblas_names, std::string_view who);

    /// @throws device_error naming `who` and the function
    template <class F>
    void find(F*& function, const std::string& symbol) const {
        function = reinterpret_cast<F*>(address_of(symbol));
    }

private:
    void* address_of(const std::string& symbol) const;

    void* library_ = nullptr;
    std::string who_;
};

/// How it is told its number of threads.
struct openblas_threads {
    int (*get)();
    void (*set)(int);
    void find(const openblas_file&);
};

/// While any lives, OpenBLAS uses one thread a call in the whole process; afterwards again as many as before, because others
/// (NumPy) may use the same library.
class openblas_use {
public:
    explicit openblas_use(const openblas_threads&);
    ~openblas_use();
    openblas_use(const openblas_use&) = delete;
    openblas_use& operator=(const openblas_use&) = delete;

private:
    const openblas_threads& threads_;
};

/// Around fork(): nobody uses it in the parent, so the child finds OpenBLAS's own locks free.
void lock_openblas_for_fork();
void unlock_openblas_after_fork();

}  // namespace frit::v0::detail
