// A library with a C interface around frit's DLPack and .npz functions, for test_dlpack.py and test_npz.py to load: arrays
// are opaque handles, tensors plain pointers that Python wraps in capsules. A null result means an error, whose text
// interop_error() gives.
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <frit/dlpack.hpp>
#include <frit/frit.hpp>
#include <frit/npz.hpp>

#include "src/io/dlpack_layout.hpp"

// The interpreter's; it loads this library, so they are there.
extern "C" __attribute__((weak)) int PyCapsule_IsValid(void* capsule, const char* name);
extern "C" __attribute__((weak)) void* PyCapsule_GetPointer(void* capsule, const char* name);

namespace {

#define FRIT_X(name, T) , frit::array<T>
template <class, class... A>
using variant_of = std::variant<A...>;
using any_array = variant_of<void FRIT_COMPUTE_DTYPES(FRIT_X)>;
#undef FRIT_X

thread_local std::string last_error;

template <class F>
auto guarded(F f) noexcept -> decltype(f()) {
    try {
        return f();
    } catch (const std::exception& e) {
        last_error = e.what();
        return {};
    }
}

template <class T>
any_array* hold(frit::array<T> a) {
    return new any_array(std::move(a));
}

/// f(T{}) for the C++ type of a dtype.
template <class F>
any_array* for_dtype(frit::dtype t, F f) {
#define FRIT_X(name, T) \
    if (t == frit::dtype::name) return f(T{});
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
    throw frit::dtype_error("no arrays of " + std::string(frit::name_of(t)));
}

template <class Tensor>
any_array* import_tensor(Tensor* t) {
    return for_dtype(frit::dlpack_dtype(*t), [&](auto zero) { return hold(frit::from_dlpack<decltype(zero)>(t)); });
}

}  // namespace

#define INTEROP extern "C" __attribute__((visibility("default")))

INTEROP const char* interop_error() { return last_error.c_str(); }

/// Makes "cpu" or "cuda:0" this thread's default device, for good; 0 if there is none.
INTEROP int interop_use(const char* device) {
    return guarded([&] {
        frit::detail::exchange_default_device(frit::device::parse(device), frit::detail::unknown_line);
        return 1;
    });
}

/// 0, 1, 2, ... as rows x columns of the dtype with this name, evaluated (bool: 0, 1, 1, ...).
INTEROP any_array* interop_make(const char* dtype, std::int64_t rows, std::int64_t columns) {
    return guarded([&]() -> any_array* {
#define FRIT_X(name, T)                                                                                        \
    if (frit::name_of(frit::dtype::name) == std::string_view(dtype)) {                                         \
        frit::array<T> a = frit::cast<T>(frit::arange<std::int64_t>(rows * columns).reshape({rows, columns})); \
        a.eval();                                                                                              \
        return hold(std::move(a));                                                                             \
    }
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        throw frit::dtype_error("no dtype " + std::string(dtype));
    });
}

/// Reads a .npz file and writes what was read to another: 1, or 0 where that cannot be.
INTEROP int interop_copy_npz(const char* from, const char* to) {
    return guarded([&] {
        std::vector<frit::named_array> arrays;
        for (const auto& [name, value] : frit::load_npz(from)) arrays.emplace_back(name, value);
        frit::save_npz(to, arrays);
        return 1;
    });
}

INTEROP void interop_free(any_array* a) { delete a; }

INTEROP void* interop_export(const any_array* a, int versioned) {
    return guarded([&]() -> void* {
        return std::visit(
            [&](const auto& x) -> void* {
                if (versioned) return frit::to_dlpack(x);
                return frit::to_dlpack<DLManagedTensor>(x);
            },
            *a);
    });
}

/// The destructor of a capsule: a tensor that nobody took over is given back. Python calls it, holding its lock and perhaps
/// an exception, so no Python may run here.
INTEROP void interop_destroy_capsule(void* capsule) {
    const auto give_back = [](auto* t) { t->deleter(t); };
    if (PyCapsule_IsValid(capsule, "dltensor"))
        give_back(static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor")));
    else if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        give_back(static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned")));
}

/// Takes the tensor over, unless it returns null.
INTEROP any_array* interop_import(void* tensor, int versioned) {
    return guarded([&] {
        return versioned ? import_tensor(static_cast<DLManagedTensorVersioned*>(tensor))
                         : import_tensor(static_cast<DLManagedTensor*>(tensor));
    });
}

/// 2 x + 1 (bool: not x), evaluated: asynchronous on a GPU.
INTEROP any_array* interop_compute(const any_array* a) {
    return guarded([&] {
        return std::visit(
            []<class T>(const frit::array<T>& x) {
                frit::array<T> y;
                if constexpr (std::is_same_v<T, bool>)
                    y = !x;
                else
                    y = frit::cast<T>(x * T(2) + T(1));
                y.eval();
                return hold(std::move(y));
            },
            *a);
    });
}

/// Where the elements are, on the array's device.
INTEROP std::uintptr_t interop_address(const any_array* a) {
    return guarded([&] {
        DLManagedTensorVersioned* t = std::visit([](const auto& x) { return frit::to_dlpack(x); }, *a);
        const auto at = reinterpret_cast<std::uintptr_t>(t->dl_tensor.data) + t->dl_tensor.byte_offset;
        t->deleter(t);
        return at;
    });
}

/// Bytes of frit's memory that are in use.
INTEROP std::int64_t interop_live_bytes() { return static_cast<std::int64_t>(frit::stats().live_bytes); }
INTEROP std::int64_t interop_bytes_moved() {
    return static_cast<std::int64_t>(frit::stats().host_to_device_bytes + frit::stats().device_to_host_bytes);
}
