// The CUDA backend: src/engine/backend.hpp over one GPU. Kernels come from NVRTC, memory from a pool, host data through
// pinned staging; everything runs on one stream in the order in which it was asked for.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "src/cuda/device.hpp"
#include "src/cuda/faults.hpp"
#include "src/cuda/libraries.hpp"
#include "src/cuda/pool.hpp"
#include "src/cuda/staging.hpp"
#include "src/engine/backend.hpp"
#include "src/memory/live_buffers.hpp"

namespace frit::inline v0::detail {

class cuda_engine final : public backend {
public:
    explicit cuda_engine(int ordinal);  ///< @throws device_error

    const fusion::target& target() const override { return device_.facts; }
    std::string name() const override { return device_.label + " " + device_.name; }
    std::string engine() const override { return "nvrtc sm_" + std::to_string(device_.facts.sm); }

    std::shared_ptr<kernel> prepare(const fusion::kernel_spec&) override;
    void launch(const kernel&, const fusion::kernel_spec&, std::span<std::uint64_t> words,
                std::string_view formula) override;
    void compile_for_bundle(const fusion::kernel_spec&, std::span<const int> gpus) override;
    void reserve(const kernel&, const fusion::kernel_spec&, std::span<const std::uint64_t> words) override;
    void require(const fusion::library_call&) override;
    std::size_t workspace(const fusion::library_call&) override;
    void call(const fusion::library_call&, const call_memory&, std::string_view formula) override;

    buffer_ref allocate(std::size_t bytes) override;
    void give_back(buffer*) noexcept override;
    live_buffers& live() noexcept override { return live_; }

    void upload(buffer&, std::size_t offset, const void* host, std::size_t bytes) override;
    void download(void* host, const buffer&, std::size_t offset, std::size_t bytes) override;
    void copy(buffer& to, std::size_t to_offset, const buffer& from, std::size_t from_offset, std::size_t bytes) override;
    void synchronize() override;
    void wait() noexcept override;

    cuda::libraries& libraries() noexcept { return libraries_; }

private:
    struct entry {
        std::mutex compiling;  // held by the one thread that compiles this key; others who want it wait here
        std::shared_ptr<kernel> ready;
    };
    std::shared_ptr<kernel> build(const fusion::kernel_spec&);
    /// The address for one launch. @throws out_of_memory
    std::uint64_t scratch_for(const kernel&, const fusion::kernel_spec&, std::span<const std::uint64_t> words);
    /// What kernels and libraries may have found wrong by then: taken before what is waited for, looked at afterwards.
    struct fault_marks {
        cuda::fault_records::mark_type indices;
        cuda::matrix_faults::mark_type matrices;
    };
    fault_marks mark_faults();
    void check_faults(const fault_marks&);  ///< @throws index_error, linalg_error
    void find_fault(std::string_view formula, const fusion::kernel_spec* = nullptr);

    cuda::device device_;
    cuda::memory_pool pool_;
    live_buffers live_;
    cuda::staging staging_;
    cuda::fault_records faults_;
    cuda::libraries libraries_;

    std::mutex cache_lock_;  // of the map only, never held while compiling
    std::unordered_map<std::string, std::shared_ptr<entry>> cache_;

    // What the blocks of a kernel leave for each other: word 1, behind that of a fault record.
    struct kept_scratch {
        std::size_t bytes = 0;
        std::uint64_t address = 0;
    };
    std::mutex scratch_lock_;
    kept_scratch scratch_[2];  // [fusion::gpu_scratch::zeros]
};

/// For tests: what cuda_backend(0) gives instead of a GPU's backend; null ends it. Not owned.
void set_cuda_stand_in(backend*) noexcept;

}  // namespace frit::v0::detail
