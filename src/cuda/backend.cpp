// The CUDA backend's kernels, launches and faults: see backend.hpp.
#include "src/cuda/backend.hpp"

#include <algorithm>
#include <vector>

#include "frit/error.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "src/base/env.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cache/bundle.hpp"
#include "src/cuda/nvrtc.hpp"
#include "src/cuda/profiler.hpp"
#include "src/engine/prepare_hook.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t first_extent = 2;  // fusion::word_layout

using cuda::check;
using cuda::current_context;

/// A function on the device. Its module stays loaded for ever, as the kernel caches never forget.
class cuda_kernel final : public kernel {
public:
    cuda_kernel(cuda::function f, const fusion::kernel_spec& spec, std::string text)
        : code(f), schedule(fusion::gpu_schedule_of(spec)), checks(has_indices(spec)), text_(std::move(text)) {}
    std::string source() const override { return text_; }
    const cuda::function code;
    const fusion::gpu_schedule& schedule;
    const bool checks;  ///< indices

private:
    std::string text_;
};

}  // namespace

cuda_engine::cuda_engine(int ordinal)
    : device_(ordinal),
      pool_(device_),
      staging_(device_),
      faults_([this] {
          std::string why;
          const std::string architecture = "sm_" + std::to_string(device_.facts.sm);
          if (!cuda::has_nvrtc(why) && !bundles().loaded_for("cuda_c", architecture) &&
              !bundles().loaded_for("raw_cuda_c", architecture))
              throw device_error(device_.label + " asked for: " + why);
          const current_context here(device_);
          return cuda::fault_records(device_);
      }()),
      libraries_{device_, faults_, {device_, pool_}} {}

// --- kernels ---

std::shared_ptr<kernel> cuda_engine::prepare(const fusion::kernel_spec& spec) {
    call_prepare_hook(spec);
    cuda::refuse_after_fork(device_.label);
    std::shared_ptr<entry> e;
    {
        const std::scoped_lock guard(cache_lock_);
        std::shared_ptr<entry>& place = cache_[spec.key()];
        if (!place) place = std::make_shared<entry>();
        e = place;
    }
    const std::scoped_lock guard(e->compiling);
    if (!e->ready) e->ready = build(spec);  // if this throws, the next who asks tries again
    return e->ready;
}

std::shared_ptr<kernel> cuda_engine::build(const fusion::kernel_spec& spec) {
    cuda::ready_cubin ready = cuda::cubin_of(spec, device_.facts.sm);
    const current_context here(device_);
    cuda::module_handle module = nullptr;
    cuda::result r = device_.api.module_load(&module, ready.cubin.data());
    using cuda::origin;
    // whole, and yet the driver will not have it
    for (int refused = 0; r != cuda::success && ready.from != origin::compiler && refused < cuda::most_refusals; ++refused) {
        cuda::forget(ready);
        ready = cuda::cubin_of(spec, device_.facts.sm);
        r = device_.api.module_load(&module, ready.cubin.data());
    }
    if (r != cuda::success)
        throw compile_error(device_.label + ": the driver (" + std::to_string(device_.api.version) +
                            ") does not load a kernel made by " + ready.key.compiler + ": " + cuda::describe(r) + "\n" +
                            ready.text);
    cuda::function f = nullptr;
    check(device_.api.module_function(&f, module, "frit_kernel"), device_.label, "finding a kernel in its module");
    return std::make_shared<cuda_kernel>(f, spec, std::move(ready.text));
}

void cuda_engine::compile_for_bundle(const fusion::kernel_spec& spec, std::span<const int> gpus) {
    cuda::cubin_of(spec, device_.facts.sm);
    for (const int sm : gpus) cuda::cubin_of(spec, sm);
}

// Kernels of one stream run one after the other, so one scratch serves all. When it grows, the old one stays: a launch on
// another thread may have read its address already. It doubles, so what is left behind is less than what is used.
std::uint64_t cuda_engine::scratch_for(const kernel& k, const fusion::kernel_spec& spec,
                                       std::span<const std::uint64_t> words) {
    const auto [bytes, zeros] = fusion::gpu_scratch_of(static_cast<const cuda_kernel&>(k).schedule, spec,
                                                       words.data() + first_extent, device_.facts);
    if (bytes == 0) return 0;
    const std::scoped_lock guard(scratch_lock_);
    kept_scratch& kept = scratch_[zeros];
    if (bytes > kept.bytes) {
        const std::size_t grown = std::max(bytes, 2 * kept.bytes);
        const cuda::memory_pool::block b = pool_.take(grown);
        const current_context here(device_);
        check(device_.api.set_bytes(b.data, 0, grown, device_.work), device_.label, "clearing the kernels' scratch");
        kept = {grown, b.data};
    }
    return kept.address;
}

void cuda_engine::reserve(const kernel& k, const fusion::kernel_spec& spec, std::span<const std::uint64_t> words) {
    scratch_for(k, spec, words);
}

void cuda_engine::require(const fusion::library_call& c) {
    cuda::refuse_after_fork(device_.label);
    if (const auto load = routine_of(c).on_gpu.require) load(libraries_, c);
}

std::size_t cuda_engine::workspace(const fusion::library_call& c) {
    const auto bytes = routine_of(c).on_gpu.workspace;
    return bytes ? bytes(libraries_, c) : 0;
}

void cuda_engine::call(const fusion::library_call& c, const call_memory& memory, std::string_view formula) {
    const cuda::profiler_range range(formula);
    call_memory named = memory;
    named.formula = formula;
    routine_of(c).on_gpu.run(libraries_, c, named);
    if (env().sync) find_fault(formula);
}

void cuda_engine::launch(const kernel& k, const fusion::kernel_spec& spec, std::span<std::uint64_t> words,
                         std::string_view formula) {
    const auto& made = static_cast<const cuda_kernel&>(k);
    const fusion::launch_shape s = fusion::gpu_launch_shape(made.schedule, spec, words.data() + first_extent, device_.facts);
    if (s.grid[0] == 0) return;
    words[1] = scratch_for(made, spec, words);
    if (bundles().recording()) bundles().note(*this, spec);
    const current_context here(device_);
    const cuda::profiler_range range(formula);
    {  // a block: find_fault takes the lock that the record holds
        const auto record = made.checks ? faults_.take(formula) : cuda::fault_records::ticket();
        words[0] = record.address;
        void* parameters[] = {words.data()};  // the driver copies them
        check(device_.api.launch_kernel(made.code, s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1], s.block[2], 0,
                                        device_.work, parameters, nullptr),
              device_.label, "launching a kernel");
    }
    if (log_enabled(log_channel::launch))
        log(log_channel::launch, device_.label + ": grid (" + std::to_string(s.grid[0]) + ", " + std::to_string(s.grid[1]) +
                                     "), block (" + std::to_string(s.block[0]) + ", " + std::to_string(s.block[1]) + ")");
    if (env().sync) find_fault(formula, &spec);
}

cuda_engine::fault_marks cuda_engine::mark_faults() { return {faults_.mark(), libraries_.faults.mark()}; }

void cuda_engine::check_faults(const fault_marks& before) {
    faults_.check(before.indices);
    libraries_.faults.check(before.matrices);
}

/// Waits, so that what went wrong is known to have been this launch's doing.
void cuda_engine::find_fault(std::string_view formula, const fusion::kernel_spec* spec) {
    const current_context here(device_);
    const auto queued = mark_faults();
    if (const cuda::result r = device_.api.stream_synchronize(device_.work); r != cuda::success)
        throw device_error(device_.label + ": " + (formula.empty() ? "a kernel" : std::string(formula)) +
                           " failed: " + cuda::describe(r) + (spec ? "\n" + to_string(*spec) : ""));
    check_faults(queued);
}

// --- memory ---

buffer_ref cuda_engine::allocate(std::size_t bytes) {
    cuda::refuse_after_fork(device_.label);
    cuda::memory_pool::block block;
    try {
        block = pool_.take(bytes);
    } catch (const out_of_memory& e) {
        throw out_of_memory(e.what() + live_.text());
    }
    try {
        return live_.enter(*this, reinterpret_cast<void*>(block.data), bytes, block.capacity);
    } catch (...) {
        pool_.give_back(block);
        throw;
    }
}

void cuda_engine::give_back(buffer* b) noexcept {
    // In a forked child the memory is the parent's, and a lock may have been held by a thread that is not here: then the
    // header stays in the list.
    if (cuda::forked_after_init()) return count_live(-static_cast<std::int64_t>(b->bytes));
    const cuda::memory_pool::block block{reinterpret_cast<std::uint64_t>(b->data), b->capacity};
    live_.leave(b);
    pool_.give_back(block);
}

void cuda_engine::upload(buffer& to, std::size_t offset, const void* host, std::size_t bytes) {
    const current_context here(device_);
    staging_.upload(reinterpret_cast<std::uint64_t>(to.data) + offset, host, bytes);
    counters_now.host_to_device_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void cuda_engine::download(void* host, const buffer& from, std::size_t offset, std::size_t bytes) {
    const current_context here(device_);
    if (bytes == 0) return;  // it would not wait, so there is nothing to check either
    const auto queued = mark_faults();
    staging_.download(host, reinterpret_cast<std::uint64_t>(from.data) + offset, bytes);
    counters_now.device_to_host_bytes.fetch_add(bytes, std::memory_order_relaxed);
    check_faults(queued);
}

void cuda_engine::copy(buffer& to, std::size_t to_offset, const buffer& from, std::size_t from_offset, std::size_t bytes) {
    if (to.owner != this || from.owner != this)
        throw device_error(device_.label + ": a copy on the device was asked for between memory of two devices");
    const current_context here(device_);
    check(device_.api.copy_on_device(reinterpret_cast<std::uint64_t>(to.data) + to_offset,
                                     reinterpret_cast<std::uint64_t>(from.data) + from_offset, bytes, device_.work),
          device_.label, "copying");
}

void cuda_engine::synchronize() {
    const current_context here(device_);
    const auto queued = mark_faults();
    if (const cuda::result r = device_.api.stream_synchronize(device_.work); r != cuda::success)
        throw device_error(device_.label + ": a kernel or copy queued before failed: " + cuda::describe(r) +
                           "; FRIT_SYNC=1 names its formula");
    check_faults(queued);
}

void cuda_engine::wait() noexcept {
    if (cuda::forked_after_init()) return;
    try {
        const current_context here(device_);
        device_.api.context_synchronize();
    } catch (const device_error&) {  // no context to wait for: the driver is on its way out
    }
}

// --- the backends of the process ---

namespace {

std::atomic<backend*> stand_in{nullptr};

}  // namespace

void set_cuda_stand_in(backend* b) noexcept { stand_in.store(b); }

int count_cuda_devices() {
    if (stand_in.load()) return 1;
    std::string why;
    const cuda::driver* d = cuda::look_for_driver(why);
    return d ? d->devices : 0;
}

int cuda_device_count() noexcept {
    if (stand_in.load()) return 1;
    std::string why;
    const cuda::driver* d = cuda::find_driver(why);
    return d ? d->devices : 0;
}

backend& cuda_backend(int ordinal) {
    if (backend* b = stand_in.load(); b && ordinal == 0) return *b;
    struct opened {
        std::mutex lock;
        std::vector<std::unique_ptr<cuda_engine>> engines;
    };
    static opened* all = new opened;  // never destroyed: arrays may outlive static destruction
    const std::string label = "cuda:" + std::to_string(ordinal);
    cuda::refuse_after_fork(label);
    const std::scoped_lock guard(all->lock);
    const auto index = static_cast<std::size_t>(ordinal);
    if (ordinal >= 0 && index < all->engines.size() && all->engines[index]) return *all->engines[index];
    auto fresh = std::make_unique<cuda_engine>(ordinal);  // refuses an ordinal that is no device
    if (index >= all->engines.size()) all->engines.resize(index + 1);
    all->engines[index] = std::move(fresh);
    return *all->engines[index];
}

}  // namespace frit::v0::detail
