// The C structs of DLPack 1.1, in which array libraries hand memory to each other, written to the published layout
// (dmlc/dlpack, include/dlpack/dlpack.h). Private: users who look inside a tensor include their own dlpack.h, which names
// the same structs.
#pragma once

#include <cstdint>

inline constexpr std::uint32_t dlpack_major_version = 1, dlpack_minor_version = 1;

/// Where memory lies.
enum DLDeviceType : std::int32_t { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLCUDAManaged = 13 };
struct DLDevice {
    DLDeviceType device_type;
    std::int32_t device_id;
};

enum DLDataTypeCode : std::uint8_t { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };
struct DLDataType {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};

struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null (before version 1.2): row-major
    std::uint64_t byte_offset;
};

/// The form before version 1.0: it cannot say that memory is read-only.
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);  ///< may be null
};

struct DLPackVersion {
    std::uint32_t major, minor;
};
inline constexpr std::uint64_t dlpack_flag_read_only = 1, dlpack_flag_is_copied = 2;
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);  ///< may be null
    std::uint64_t flags;
    DLTensor dl_tensor;
};

static_assert(sizeof(DLTensor) == 48 && sizeof(DLManagedTensor) == 64 && sizeof(DLManagedTensorVersioned) == 80);
