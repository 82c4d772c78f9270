// The texts that are compiled; calls of generated code by the rules of fusion/schedules/host/host.hpp, and its pointers into
// the vector math table.
#include "src/cpu/compiled_kernel.hpp"

#include "fusion/codegen/dialect.hpp"
#include "fusion/codegen/host_c.hpp"
#include "fusion/codegen/llvm_loops.hpp"
#include "fusion/schedules/host/host.hpp"

namespace frit::inline v0::detail {
namespace {

using pointwise_function = void (*)(const std::uint64_t*, std::int64_t, std::int64_t);
using rows_function = void (*)(const std::uint64_t*, std::int64_t first, std::int64_t last, std::int64_t block,
                               std::int64_t stop, std::uint64_t* partials);
constexpr std::int64_t all_blocks = std::int64_t{1} << 48;

class compiled_kernel final : public cpu_kernel {
public:
    compiled_kernel(const fusion::kernel_spec& spec, std::string text, std::shared_ptr<void> code, const symbol_finder& find,
                    const isa_table& table)
        : text_(std::move(text)),
          code_(std::move(code)),
          entry_(find(entry_name)),
          reduces_(spec.schedule == fusion::schedule_kind::reduce_all) {
        if (spec.schedule != fusion::schedule_kind::pointwise) row_code_ = make_interpreted(spec, table);
        each_instruction(spec, [&](const fusion::instruction& i) {
            for (const op function : fusion::host_math_functions(i.code, i.type)) {
                const std::string variable = fusion::host_math_variable(function, i.type);
                if (void* const place = find(variable))
                    *static_cast<math_function*>(place) = table.math[static_cast<int>(function)][i.type == dtype::f64];
            }
        });
    }
    bool complete() const { return entry_ != nullptr; }
    std::string source() const override { return text_; }
    void reserve(const std::uint64_t* words, std::int64_t rows) const override {
        if (row_code_) row_code_->reserve(words, rows);
    }
    void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
             std::int64_t) const override {
        if (!reduces_) return reinterpret_cast<pointwise_function>(entry_)(words, begin, end);
        constexpr std::int64_t block = fusion::reduce_block;
        rows(words, 0, 1, begin / block, (end + block - 1) / block, partials);
    }
    void finish(const std::uint64_t* words, const std::uint64_t* totals, std::uint64_t* values) const override {
        row_code_->finish(words, totals, values);
    }
    void run_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last) const override {
        rows(words, first, last, 0, all_blocks, nullptr);
    }
    void run_block(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block,
                   std::uint64_t* partials) const override {
        rows(words, first, last, block, block + 1, partials);
    }
    void finish_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last,
                     const std::uint64_t* partials) const override {
        row_code_->finish_rows(words, first, last, partials);
    }

private:
    void rows(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block, std::int64_t stop,
              std::uint64_t* partials) const {
        reinterpret_cast<rows_function>(entry_)(words, first, last, block, stop, partials);
    }

    std::string text_;
    std::shared_ptr<void> code_;
    void* entry_;
    bool reduces_;
    std::shared_ptr<cpu_kernel> row_code_;  // pointwise work on few rows: the interpreter's loops give the same bits
};

}  // namespace

const std::string& kernel_source::host_text() {
    if (host_.empty()) host_ = fusion::emit(spec, fusion::host_c(), target, entry_name);
    return host_;
}
const std::string& kernel_source::llvm_text() {
    if (llvm_.empty()) llvm_ = fusion::llvm_text(fusion::host_loops(spec, target, entry_name), target);
    return llvm_;
}
void kernel_source::drop_texts() noexcept {
    for (std::string* const text : {&host_, &llvm_}) std::string().swap(*text);
}

std::shared_ptr<cpu_kernel> make_kernel_of(const kernel_source& of, std::string text, std::shared_ptr<void> code,
                                           const symbol_finder& find) {
    auto k = std::make_shared<compiled_kernel>(of.spec, std::move(text), std::move(code), find, table_of(of.level));
    return k->complete() ? k : nullptr;
}

}  // namespace frit::v0::detail
