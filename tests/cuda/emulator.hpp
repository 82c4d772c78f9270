// Generated CUDA text run without a GPU: the host's compiler takes the text as C++ behind a few definitions, and a launch
// goes through the grid block by block. Slow, and no judge of what only a GPU does (memory order, warps that part ways), but
// indices, tails, strides, unrolling and the reduction's tree are the text's own.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/backend.hpp"

namespace frit_test {

class cuda_emulator final : public frit::detail::backend {
public:
    /// @param host lends the memory and the facts that do not matter here
    explicit cuda_emulator(frit::detail::backend& host);

    const frit::fusion::target& target() const override { return facts_; }
    std::string name() const override { return "cuda text on the host"; }
    std::string engine() const override { return "emulator"; }

    /// Compiles many kernels at once: prepare() then finds them.
    void compile(std::span<const frit::fusion::kernel_spec>);
    std::shared_ptr<frit::detail::kernel> prepare(const frit::fusion::kernel_spec&) override;
    void launch(const frit::detail::kernel&, const frit::fusion::kernel_spec&, std::span<std::uint64_t> words,
                std::string_view formula) override;
    void require(const frit::fusion::library_call& c) override { host_.require(c); }
    void call(const frit::fusion::library_call& c, std::span<const void* const> operands, void* result,
              std::string_view formula) override {
        host_.call(c, operands, result, formula);
    }

    frit::detail::buffer_ref allocate(std::size_t bytes) override { return host_.allocate(bytes); }
    void give_back(frit::detail::buffer* b) noexcept override { host_.give_back(b); }
    void upload(frit::detail::buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
        host_.upload(to, offset, from, bytes);
    }
    void download(void* to, const frit::detail::buffer& from, std::size_t offset, std::size_t bytes) override {
        host_.download(to, from, offset, bytes);
    }
    void copy(frit::detail::buffer& to, std::size_t to_offset, const frit::detail::buffer& from, std::size_t from_offset,
              std::size_t bytes) override {
        host_.copy(to, to_offset, from, from_offset, bytes);
    }
    void synchronize() override {}

private:
    frit::detail::backend& host_;
    frit::fusion::target facts_;
    std::map<std::string, std::shared_ptr<frit::detail::kernel>> kernels_;  // by key
    std::vector<std::uint64_t> scratch_;
};

}  // namespace frit_test
