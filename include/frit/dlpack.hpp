// DLPack: arrays to and from other array libraries (NumPy, PyTorch, CuPy, JAX, ...) without a copy, on the CPU and on CUDA.
// Not part of frit.hpp. Only pointers to DLPack's structs appear here: who looks inside them includes a dlpack.h.
#pragma once

#include <type_traits>

#include "frit/any_array.hpp"
#include "frit/array.hpp"

struct DLManagedTensor;           // the form before DLPack 1.0 (a Python capsule "dltensor")
struct DLManagedTensorVersioned;  // since DLPack 1.0 ("dltensor_versioned")

namespace frit::inline v0 {

namespace detail {
FRIT_API DLManagedTensorVersioned* to_dlpack_versioned(node_head*, source_line);
FRIT_API DLManagedTensor* to_dlpack_unversioned(node_head*, source_line);
FRIT_API node_head* from_dlpack(DLManagedTensorVersioned*, dtype, source_line);
FRIT_API node_head* from_dlpack(DLManagedTensor*, dtype, source_line);

template <class Tensor>
concept dlpack_tensor = std::is_same_v<Tensor, DLManagedTensor> || std::is_same_v<Tensor, DLManagedTensorVersioned>;
}  // namespace detail

/// Hands an array to another library, without a copy.
///
/// ```cpp
/// frit::array<float> x{1, 2, 3};
/// DLManagedTensorVersioned* t = frit::to_dlpack(x);             // for a capsule "dltensor_versioned"
/// DLManagedTensor* old = frit::to_dlpack<DLManagedTensor>(x);   // "dltensor": NumPy before 2.1, CuPy before 14
/// x = {};
/// auto y = frit::from_dlpack<float>(t), z = frit::from_dlpack<float>(old);
/// std::cout << y + z << " " << (y.span().data() == z.span().data()) << "\n";
/// ```
/// ```text
/// [2. 4. 6.] 1
/// ```
///
/// Evaluates x and waits, so any stream of the GPU may read the memory at once. The tensor keeps the memory alive and as it
/// is, whatever becomes of x, until its deleter is called: by anybody, on any thread, once. frit's values are immutable, so
/// the tensor says read-only; the older form cannot say so, and its reader must not write all the same. On a GPU the
/// deleter waits until nothing that was queued on the device reads the memory any more.
/// @throws what evaluating x throws
template <detail::dlpack_tensor Tensor = DLManagedTensorVersioned, detail::operand A>
Tensor* to_dlpack(const A& x, source_line where = {}) {
    const auto& node = detail::handle_of(x, where);
    if constexpr (std::is_same_v<Tensor, DLManagedTensor>)
        return detail::to_dlpack_unversioned(node.get(), where);
    else
        return detail::to_dlpack_versioned(node.get(), where);
}

/// Another library's tensor as an array on the tensor's own device, without a copy; any strides and offset.
///
/// The array has taken over the tensor: its deleter is called once, by the thread that ends the last use of the memory
/// (arrays and pending formulas count), on a GPU after the kernels that read it. frit never writes there, and the other
/// library must not either while frit reads. On a GPU the data must be ready for the legacy default stream (Python:
/// `x.__dlpack__()`, or `stream=1`), which frit's stream waits for.
/// After an exception the tensor still belongs to the caller.
/// @throws dtype_error unless its elements are T's (frit::dlpack_dtype tells), device_error for memory that frit cannot
///         read (neither the host's nor a CUDA device's), shape_error for extents that no array has and strides that lead
///         out of the address space, error for unaligned or missing data and another major version
template <element T, detail::dlpack_tensor Tensor>
array<T> from_dlpack(Tensor* tensor, source_line where = {}) {
    return array<T>(detail::handle_ref(detail::from_dlpack(tensor, dtype_of<T>, where)));
}

/// The same of whatever elements the tensor has. @throws dtype_error if frit computes with none of their kind
template <detail::dlpack_tensor Tensor>
any_array from_dlpack(Tensor* tensor, source_line where = {}) {
    return any_array(detail::handle_ref(detail::from_dlpack(tensor, detail::run_time, where)));
}

/// The dtype of a tensor's elements. @throws dtype_error if frit has none for them
FRIT_API dtype dlpack_dtype(const DLManagedTensorVersioned&);
/// The dtype of a tensor's elements. @throws dtype_error if frit has none for them
FRIT_API dtype dlpack_dtype(const DLManagedTensor&);

}  // namespace frit::v0
