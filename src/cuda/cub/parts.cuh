// What the plugin's files share: its parts, and how a call's block of memory is dealt out among its buffers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "src/cuda/cub/frit_cub.h"

namespace frit_cub {

/// The same code counts and deals: with a null base it counts.
class workspace {
public:
    explicit workspace(void* base) : base_(static_cast<char*>(base)) {}

    template <class T>
    T* take(std::size_t count) {
        T* const place = base_ ? reinterpret_cast<T*>(base_ + used_) : nullptr;
        used_ += (count * sizeof(T) + 255) / 256 * 256;
        return place;
    }
    std::size_t bytes() const { return used_; }
    bool counts() const { return base_ == nullptr; }

private:
    char* base_;
    std::size_t used_ = 0;
};

/// With a workspace that counts, nothing but that is done.
cudaError_t scan(const frit_cub_call&, const void* from, void* to, workspace&, cudaStream_t);
/// Null for the result that is not asked for.
cudaError_t sort(const frit_cub_call&, const void* from, void* values, std::int64_t* places, workspace&, cudaStream_t);

/// Null for the result that is not asked for.
cudaError_t places(const frit_cub_call&, const void* from, std::int64_t* to, std::int64_t* count, workspace&, cudaStream_t);

cudaError_t compress(const frit_cub_compress&, const void* mask, const void* from, void* to, workspace&, cudaStream_t);

/// `to` is read where results are asked for, and not with a workspace that counts.
cudaError_t select(const frit_cub_select&, const void* from, const std::int64_t* ranks, void* const* to, workspace&,
                   cudaStream_t);

cudaError_t scatter(const frit_cub_scatter&, const void* base, const void* at, const void* values, void* to,
                    std::uint64_t* fault, workspace&, cudaStream_t);

}  // namespace frit_cub
