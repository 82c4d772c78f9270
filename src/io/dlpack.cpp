// DLPack: see frit/dlpack.hpp. An export is one allocation with the tensor in front, holding the buffer; an import is
// borrowed memory whose lender is the tensor's deleter.
#include "frit/dlpack.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "src/base/errors.hpp"
#include "src/graph/mirror.hpp"
#include "src/io/dlpack_layout.hpp"
#include "src/io/transfer.hpp"

namespace frit::inline v0 {
namespace detail {
namespace {

// --- dtypes ---

constexpr DLDataTypeCode code_of(dtype t) {
    switch (kind_of(t)) {
        case dtype_kind::boolean: return kDLBool;
        case dtype_kind::integer: return kDLInt;
        case dtype_kind::unsigned_integer: return kDLUInt;
        case dtype_kind::floating: return t == dtype::bf16 ? kDLBfloat : kDLFloat;
        default: return kDLComplex;
    }
}
constexpr DLDataType dlpack_type(dtype t) { return {code_of(t), static_cast<std::uint8_t>(8 * size_of(t)), 1}; }

dtype dtype_from(DLDataType d, source_line where) try {
#define FRIT_X(name, type, kind, text) \
    if (d.lanes == 1 && d.code == code_of(dtype::name) && d.bits == 8 * sizeof(type)) return dtype::name;
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    throw dtype_error("from_dlpack: no dtype of frit's has DLPack's type code " + std::to_string(d.code) + " with " +
                      std::to_string(d.bits) + " bits and " + std::to_string(d.lanes) + " lanes" + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("from_dlpack", where);
}

/// The alignment that loads of one element need: on a GPU a complex number is one access.
std::size_t alignment_of(dtype t, bool on_gpu) { return size_of(on_gpu ? t : real_dtype(t)); }

// --- out ---

template <class Tensor>
struct exported {
    Tensor tensor{};
    buffer_ref memory;
    backend& engine;
    std::int64_t extents[max_rank], strides[max_rank];

    explicit exported(const node& n) : memory(n.memory), engine(n.home->engine) {
        memory->exports.fetch_add(1, std::memory_order_relaxed);
        forget_mirrors_of(*memory.get());
        const shape& s = *n.extents;
        std::copy(s.begin(), s.end(), extents);
        std::int64_t dense = 1;
        for (int k = s.rank(); k-- > 0; dense *= s[k])
            strides[k] = n.strides ? (*n.strides)[static_cast<std::size_t>(k)] : dense;
        const int gpu = n.home->cuda_ordinal;
        DLTensor& t = tensor.dl_tensor;
        t.data = s.size() == 0 ? nullptr : n.data();
        t.device = gpu < 0 ? DLDevice{kDLCPU, 0} : DLDevice{kDLCUDA, gpu};
        t.ndim = s.rank();
        t.dtype = dlpack_type(n.type);
        t.shape = extents;
        t.strides = strides;
        tensor.manager_ctx = this;
        tensor.deleter = [](Tensor* self) { delete static_cast<exported*>(self->manager_ctx); };
    }
    ~exported() {
        engine.wait();  // the reader may have queued kernels on streams of its own
        memory->exports.fetch_sub(1, std::memory_order_release);
    }
    exported(const exported&) = delete;
    exported& operator=(const exported&) = delete;
};

template <class Tensor>
Tensor* export_as(node_head* head, source_line where) try {
    if (!head) throw_empty("to_dlpack", run_time, where);
    store_for_reading(head);
    const node& n = *as_node(head);
    n.home->engine.synchronize();
    return &(new exported<Tensor>(n))->tensor;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("to_dlpack", where);
}

// --- in ---

std::string device_text(DLDevice d) {
    constexpr const char* names[] = {"",       "cpu",    "cuda",    "cuda host", "OpenCL",    "",          "",
                                     "Vulkan", "Metal",  "VPI",     "ROCm",      "ROCm host", "extension", "cuda managed",
                                     "oneAPI", "WebGPU", "Hexagon", "MAIA",      "Trainium"};
    const auto type = static_cast<std::size_t>(d.device_type);
    const char* name = type < std::size(names) ? names[type] : "";
    return *name ? name : "of type " + std::to_string(static_cast<std::int32_t>(d.device_type));
}

context& context_of(DLDevice d, source_line where) {
    switch (d.device_type) {
        case kDLCPU:
        case kDLCUDAHost: return cpu_context();
        case kDLCUDA:
        case kDLCUDAManaged: return context_on(device::cuda(d.device_id, where), where);
    }
    throw device_error("from_dlpack: the memory is on a device that frit has no access to (" + device_text(d) +
                       "): copy it to the host or a CUDA device first" + place(where));
}

template <class Tensor>
void give_back(void* p) {
    Tensor* const t = static_cast<Tensor*>(p);
    if (t->deleter) t->deleter(t);
}
template <class Tensor>
void give_back_on_gpu(void* p) {
    try {
        cuda_context(static_cast<Tensor*>(p)->dl_tensor.device.device_id).engine.wait();  // for the kernels that read it
    } catch (const error&) {  // a forked child: nothing runs there
    }
    give_back<Tensor>(p);
}

template <class Tensor>
node_head* import_from(Tensor* tensor, dtype wanted, source_line where) try {
    if (!tensor) throw error("from_dlpack: no tensor (a null pointer)" + place(where));
    if constexpr (std::is_same_v<Tensor, DLManagedTensorVersioned>)
        if (tensor->version.major != dlpack_major_version)
            throw error("from_dlpack: the tensor has DLPack version " + std::to_string(tensor->version.major) + "." +
                        std::to_string(tensor->version.minor) + ", frit reads version " +
                        std::to_string(dlpack_major_version) + place(where));
    const DLTensor& t = tensor->dl_tensor;
    context& home = context_of(t.device, where);
    const dtype type = dtype_from(t.dtype, where);
    if (wanted == run_time ? !is_supported(type) : type != wanted) {
        const dtype types[] = {type, wanted == run_time ? type : wanted};
        throw_dtype_error("from_dlpack", "the tensor's elements are not what was asked for", types, where);
    }
    if (t.ndim < 0) throw shape_error("from_dlpack: a tensor of rank " + std::to_string(t.ndim) + place(where));
    if (t.ndim > 0 && !t.shape) throw shape_error("from_dlpack: the tensor has axes and no shape" + place(where));
    const auto rank = static_cast<std::size_t>(t.ndim);
    const shape extents(std::span<const std::int64_t>(t.shape, rank), where);
    if (extents.size() > 0 && !t.data) throw error("from_dlpack: the tensor has elements and no data" + place(where));
    if (t.byte_offset > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(t.data))
        throw error("from_dlpack: the offset of " + std::to_string(t.byte_offset) + " bytes leads out of the address space" +
                    place(where));
    const char* const data = static_cast<const char*>(t.data) + t.byte_offset;
    if (constexpr std::uintptr_t no_address = std::uintptr_t{1} << 56; reinterpret_cast<std::uintptr_t>(data) >= no_address)
        throw error("from_dlpack: " + std::to_string(t.byte_offset) + " bytes from its data there is no memory" +
                    place(where));
    if (extents.size() > 0 && reinterpret_cast<std::uintptr_t>(data) % alignment_of(type, home.cuda_ordinal >= 0) != 0)
        throw error("from_dlpack: the data is not aligned to its elements (" + std::string(name_of(type)) + ")" +
                    place(where));
    const std::span<const std::int64_t> strides(t.strides, t.strides ? rank : 0);
    check_memory("from_dlpack", data, type, extents, strides, where);
    return lend(home, data, type, extents, strides, tensor,
                home.cuda_ordinal < 0 ? give_back<Tensor> : give_back_on_gpu<Tensor>);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("from_dlpack", where);
}

}  // namespace

DLManagedTensorVersioned* to_dlpack_versioned(node_head* n, source_line where) {
    auto* const t = export_as<DLManagedTensorVersioned>(n, where);
    t->version = {dlpack_major_version, dlpack_minor_version};
    t->flags = dlpack_flag_read_only;
    return t;
}
DLManagedTensor* to_dlpack_unversioned(node_head* n, source_line where) { return export_as<DLManagedTensor>(n, where); }

node_head* from_dlpack(DLManagedTensorVersioned* t, dtype wanted, source_line where) {
    return import_from(t, wanted, where);
}
node_head* from_dlpack(DLManagedTensor* t, dtype wanted, source_line where) { return import_from(t, wanted, where); }

}  // namespace detail

dtype dlpack_dtype(const DLManagedTensorVersioned& t) { return detail::dtype_from(t.dl_tensor.dtype, detail::unknown_line); }
dtype dlpack_dtype(const DLManagedTensor& t) { return detail::dtype_from(t.dl_tensor.dtype, detail::unknown_line); }

}  // namespace frit::v0
