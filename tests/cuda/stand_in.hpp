// The GPU's path through the library on a machine without a GPU: a backend that the planner takes for an H200, so that it
// plans and lowers what a GPU would run, while the CPU interpreter runs it. Every kernel's CUDA text is kept for NVRTC.
#pragma once

#include <memory>
#include <string>

#include "src/engine/backend.hpp"
#include "tests/cuda/host_call.hpp"
#include "tests/cuda/host_columns.hpp"

namespace frit_test {

class cuda_stand_in final : public frit::detail::backend {
public:
    /// @param host runs the kernels: a CPU backend
    /// @param folder where each new kernel's text goes, one file a kernel; empty: nowhere
    cuda_stand_in(frit::detail::backend& host, std::string folder);

    const frit::fusion::target& target() const override { return facts_; }
    std::string name() const override { return "cuda:0 stand-in"; }
    std::string engine() const override { return host_.engine(); }

    std::shared_ptr<frit::detail::kernel> prepare(const frit::fusion::kernel_spec&) override;
    void launch(const frit::detail::kernel&, const frit::fusion::kernel_spec&, std::span<std::uint64_t> words,
                std::string_view formula) override;
    void reserve(const frit::detail::kernel& k, const frit::fusion::kernel_spec& spec,
                 std::span<const std::uint64_t> words) override {
        reserve_on_host(host_, k, spec, words);
    }
    void require(const frit::fusion::library_call& c) override { host_.require(c); }
    std::size_t workspace(const frit::fusion::library_call& c) override { return host_.workspace(c); }
    void call(const frit::fusion::library_call& c, const frit::detail::call_memory& memory,
              std::string_view formula) override {
        call_on_host(host_, c, memory, formula);
    }
    // The memory is the host's, but this backend's to the library: it looks whose memory it may reuse in place.
    frit::detail::buffer_ref allocate(std::size_t bytes) override {
        frit::detail::buffer_ref b = host_.allocate(bytes);
        b->owner = this;
        return b;
    }
    void give_back(frit::detail::buffer* b) noexcept override {
        b->owner = &host_;
        host_.give_back(b);
    }
    frit::detail::live_buffers& live() noexcept override { return host_.live(); }
    void upload(frit::detail::buffer& to, std::size_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, const frit::detail::buffer& from, std::size_t offset, std::size_t bytes) override;
    void copy(frit::detail::buffer& to, std::size_t to_offset, const frit::detail::buffer& from, std::size_t from_offset,
              std::size_t bytes) override {
        host_.copy(to, to_offset, from, from_offset, bytes);
    }
    void synchronize() override { host_.synchronize(); }

private:
    void keep(const std::string& text);

    frit::detail::backend& host_;
    std::string folder_;
    frit::fusion::target facts_;
};

/// Makes cuda:0 the stand-in and the default device, if $FRIT_TEST_STAND_IN names a folder for the kernels' texts. If
/// $FRIT_TEST_EMULATE is set, it is the emulator, and the tests run twice: the first time notes which kernels there are. If
/// $FRIT_TEST_INTERPRET is, it interprets the kernels' loops.
void use_stand_in_if_asked();

}  // namespace frit_test
