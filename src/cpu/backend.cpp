// The CPU behind the engine interface: kernels cached per engine, launches cut into tasks for the thread pool, arrays from
// the host pool. Host memory is device memory here, so transfers are copies and count as no traffic between the two.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "frit/error.hpp"
#include "fusion/ir/row_passes.hpp"
#include "src/base/env.hpp"
#include "src/base/errors.hpp"
#include "src/base/interruption.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/thread_scratch.hpp"
#include "src/base/threads.hpp"
#include "src/cache/bundle.hpp"
#include "src/cache/disk.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/fourier.hpp"
#include "src/cpu/improving.hpp"
#include "src/cpu/openblas.hpp"
#include "src/cpu/pool.hpp"
#include "src/engine/prepare_hook.hpp"
#include "src/memory/live_buffers.hpp"
#include "src/memory/spare.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view engine_names[] = {"interpreter", "cxx", "jit", "auto"};
constexpr std::int64_t grain = fusion::reduce_block;  // tasks begin at multiples of it
// Rows of a task where lanes run along them; where they run across, rows_of_a_task.
constexpr std::int64_t narrow_group = 16;
// Whether neighbouring rows lie closer together than the elements of one.
bool strided_rows(const fusion::kernel_spec& spec) {
    if (spec.schedule != fusion::schedule_kind::reduce_inner) return false;
    const std::size_t kept = spec.rank - std::size_t{spec.reduced};
    return std::any_of(spec.loads.begin(), spec.loads.end(), [&](const fusion::access& a) {
        return a.dims[kept - 1].stride == fusion::stride_class::one && a.dims.back().stride == fusion::stride_class::runtime;
    });
}

// Where blocks leave their values: kept by the launching thread.
std::uint64_t* partials_of(std::size_t count) {
    struct partials;
    return reinterpret_cast<std::uint64_t*>(thread_scratch<partials>::get(count * sizeof(std::uint64_t)));
}

class cpu_device final : public backend {
public:
    cpu_device(cpu_engine engine, isa_level level) : level_(level), table_(table_of(level)), engine_(engine) {
        target_.device = fusion::target::kind::cpu;
        target_.processors = thread_pool::instance().size();
        target_.vector_bytes = table_.vector_bytes;
        target_.has_fma = table_.has_fma;
    }

    const fusion::target& target() const override { return target_; }
    std::string name() const override { return "cpu"; }
    std::string engine() const override {
        return std::string(engine_names[static_cast<int>(engine_.load())]) + " " + std::string(name_of(level_));
    }
    std::uint32_t variant() const override { return static_cast<std::uint32_t>(engine_.load()); }
    void set_engine(cpu_engine e) { engine_.store(e); }
    const isa_table& table() const noexcept { return table_; }

    std::shared_ptr<kernel> prepare(const fusion::kernel_spec& spec) override {
        call_prepare_hook(spec);
        const cpu_engine engine = engine_.load();
        std::shared_ptr<entry> e;
        {
            const std::lock_guard guard(cache_lock_);
            auto& kernels = cache_[static_cast<int>(engine)];
            std::string key = spec.key();
            auto at = kernels.find(key);
            if (at == kernels.end()) at = kernels.emplace(std::move(key), std::make_shared<entry>()).first;
            e = at->second;
        }
        const std::lock_guard guard(e->making);
        if (!e->ready) e->ready = make(spec, engine);  // if this throws, the next who asks tries again
        return e->ready;
    }

    void launch(const kernel& k, const fusion::kernel_spec& spec, std::span<std::uint64_t> words,
                std::string_view formula) override {
        std::uint64_t fault[fusion::fault_words] = {};
        const bool checks = static_cast<const cpu_kernel&>(k).checks_indices;
        const bool interruptible = static_cast<const cpu_kernel&>(k).interruptible;
        if (bundles().recording()) bundles().note(*this, spec);
        words[0] = checks ? reinterpret_cast<std::uint64_t>(fault) : 0;
        interruption asks{};
        if (interruptible) asks = interruption::of_this_thread();
        words[1] = interruptible ? reinterpret_cast<std::uint64_t>(&asks) : 0;
        try {
            run(k, spec, words);
        } catch (const std::bad_alloc&) {
            throw out_of_memory("cpu: out of memory: no room for a kernel's scratch memory");
        }
        if (interruptible && asks.is_asked_for()) throw_interrupted(formula);  // first: indices may be anything then
        if (fault[0] != 0)
            throw index_error(
                index_fault(static_cast<std::int64_t>(fault[1]), static_cast<std::int64_t>(fault[2]), formula));
    }

    void compile_for_bundle(const fusion::kernel_spec& spec, std::span<const int>) override {
        if (has_cumulative(spec)) return;  // always interpreted
        kernel_source source(spec, target_, level_);
        if (engine_.load() == cpu_engine::cxx || !jitted_if_it_can(source)) make_compiled(source);
    }

    void reserve(const kernel& k, const fusion::kernel_spec& spec, std::span<const std::uint64_t> words) override {
        const auto& code = static_cast<const cpu_kernel&>(k);
        const std::int64_t rows = rows_of(spec, words.data()), length = length_of(spec, words.data());
        if (spec.schedule == fusion::schedule_kind::reduce_all)
            partials_of(partial_words(code, 1, rows * length));
        else if (spec.schedule != fusion::schedule_kind::pointwise && may_run_blocks(code, spec, rows, length))
            partials_of(partial_words(code, rows, length));
        code.reserve(words.data(), rows);
    }

    void require(const fusion::library_call& c) override {
        if (const auto load = routine_of(c).on_cpu.require) load(c);
    }
    std::size_t workspace(const fusion::library_call& c) override {
        const auto bytes = routine_of(c).on_cpu.workspace;
        return bytes ? bytes(c) : 0;
    }
    void call(const fusion::library_call& c, const call_memory& memory, std::string_view formula) override {
        call_memory named = memory;
        named.formula = formula;
        try {
            routine_of(c).on_cpu.run(c, named, table_);
        } catch (const linalg_error& e) {
            throw linalg_error(e.what() + (", in " + std::string(formula)));
        }
    }

    buffer_ref allocate(std::size_t bytes) override {
        const host_pool::block block = take(bytes);
        try {
            return live_.enter(*this, block.data, bytes, block.capacity);
        } catch (...) {
            pool_.give_back(block);
            throw;
        }
    }
    void give_back(buffer* b) noexcept override {
        const host_pool::block block{b->data, b->capacity};
        live_.leave(b);
        pool_.give_back(block);
    }
    live_buffers& live() noexcept override { return live_; }

    void upload(buffer& to, std::size_t offset, const void* host, std::size_t bytes) override {
        if (bytes) std::memcpy(static_cast<std::byte*>(to.data) + offset, host, bytes);
    }
    void download(void* host, const buffer& from, std::size_t offset, std::size_t bytes) override {
        if (bytes) std::memcpy(host, static_cast<const std::byte*>(from.data) + offset, bytes);
    }
    void copy(buffer& to, std::size_t to_offset, const buffer& from, std::size_t from_offset, std::size_t bytes) override {
        if (bytes)
            std::memmove(static_cast<std::byte*>(to.data) + to_offset,
                         static_cast<const std::byte*>(from.data) + from_offset, bytes);
    }
    void synchronize() override {}
    void wait_for_compilers() noexcept override { wait_for_background(); }

    void meet_fork() override {
        lock_background_for_fork();
        unlock_background_after_fork(false);
        lock_openblas_for_fork();
        unlock_openblas_after_fork();
        lock_fourier_for_fork();
        unlock_fourier_after_fork();
        kernel_cache();
    }
    void lock_for_fork() override {
        lock_background_for_fork();
        lock_openblas_for_fork();
        lock_fourier_for_fork();
        cache_lock_.lock();
        compiler_lock().lock();
        kernel_cache().lock_for_fork();
        bundles().lock_for_fork();
        pool_.lock_for_fork();
        live_.lock_for_fork();
        lock_pipes_for_fork();
    }
    void unlock_after_fork(bool child) override {
        // A kernel in the making stays so where its maker is gone: the child makes it afresh.
        if (child)
            for (auto& kernels : cache_)
                std::erase_if(kernels, [](const auto& k) {
                    const std::unique_lock made(k.second->making, std::try_to_lock);
                    return !made.owns_lock();
                });
        unlock_pipes_after_fork(child);
        live_.unlock_after_fork();
        pool_.unlock_after_fork();
        bundles().unlock_after_fork();
        kernel_cache().unlock_after_fork();
        compiler_lock().unlock();
        cache_lock_.unlock();
        unlock_fourier_after_fork();
        unlock_openblas_after_fork();
        unlock_background_after_fork(child);
    }

private:
    struct entry {
        std::mutex making;
        std::shared_ptr<kernel> ready;
    };

    static std::shared_ptr<cpu_kernel> described(std::shared_ptr<cpu_kernel> k, const fusion::kernel_spec& spec,
                                                 const isa_table& table, cpu_engine engine) {
        if (!k) return nullptr;
        k->nanoseconds_per_element = fusion::cpu_nanoseconds(spec, engine == cpu_engine::interpreter, table.vector_bytes);
        k->combiners = combiners_of(spec, table);
        k->row_words = spec.row.size() * row_value_words;
        k->one_pass = fusion::row_passes(spec).single() && !has_running(spec);
        k->strided_rows = strided_rows(spec);
        k->compiled = engine != cpu_engine::interpreter;
        k->checks_indices = has_indices(spec);
        k->interruptible = is_interruptible(spec);
        k->recurs = has_recurrences(spec);
        return k;
    }
    // Null where LLVM refuses, or is not there: what it refuses is one kernel's matter.
    static std::shared_ptr<cpu_kernel> jitted_if_it_can(kernel_source& source) {
        try {
            return make_jitted(source);
        } catch (const compile_error& e) {
            if (log_enabled(log_channel::codegen)) log(log_channel::codegen, std::string("cpu: not by LLVM: ") + e.what());
        }
        return nullptr;
    }
    template <kernel_maker from>
    static std::shared_ptr<cpu_kernel> compiled(kernel_source& source) {
        return described(from(source), source.spec, table_of(source.level), cpu_engine::cxx);
    }
    std::shared_ptr<cpu_kernel> make(const fusion::kernel_spec& spec, cpu_engine engine) const {
        // Each running sum waits for the one before, which takes longer than the steps of an interpreter.
        const bool stays = engine == cpu_engine::interpreter || has_cumulative(spec);
        if (stays) return described(make_interpreted(spec, table_), spec, table_, cpu_engine::interpreter);
        kernel_source source(spec, target_, level_);
        if (engine == cpu_engine::cxx) return compiled<make_compiled>(source);
        if (engine == cpu_engine::jit) return compiled<make_jitted>(source);
        if (engine == cpu_engine::automatic && bundles().loaded())
            for (const kernel_maker find : {compiled<find_bundled_jitted>, compiled<find_bundled_compiled>})
                if (auto k = find(source)) return k;
        auto k = described(make_interpreted(spec, table_), spec, table_, cpu_engine::interpreter);
        const double compiled_nanoseconds = fusion::cpu_nanoseconds(spec, false, table_.vector_bytes);
        // LLVM is not loaded before something is compiled.
        static constexpr improvement ways[] = {
            {fusion::worth_a_look, compiled<find_jitted>},
            {fusion::worth_compiling(fusion::compiler::llvm), compiled<jitted_if_it_can>},
            {fusion::worth_compiling(fusion::compiler::cxx), compiled<make_compiled>},
        };
        return described(make_improving(std::move(k), compiled_nanoseconds, std::move(source), ways), spec, table_,
                         cpu_engine::interpreter);
    }

    void run(const kernel& k, const fusion::kernel_spec& spec, std::span<std::uint64_t> words) {
        const std::int64_t rows = rows_of(spec, words.data()), length = length_of(spec, words.data());
        const auto& as_made = static_cast<const cpu_kernel&>(k);
        const std::int64_t worth = (rows + (as_made.recurs ? fusion::elements_of_a_step : 0)) * length;
        const cpu_kernel& code = as_made.for_launch(worth, line_of(spec, words.data()));
        (code.compiled ? counters_now.kernels_compiled : counters_now.kernels_interpreted)
            .fetch_add(1, std::memory_order_relaxed);
        if (spec.schedule == fusion::schedule_kind::pointwise)
            run_elements(code, words.data(), rows * length, nullptr, 0);
        else if (spec.schedule == fusion::schedule_kind::reduce_all)
            run_reduce_all(code, words.data(), rows * length);
        else
            run_rows(code, spec, words.data(), rows, length);
    }

    static std::int64_t extents(const std::uint64_t* words, int first, int last) {
        std::int64_t n = 1;
        for (int d = first; d < last; ++d) n *= static_cast<std::int64_t>(words[2 + static_cast<std::size_t>(d)]);
        return n;
    }
    static std::int64_t rows_of(const fusion::kernel_spec& spec, const std::uint64_t* words) {
        return extents(words, 0, spec.rank - spec.reduced);
    }
    static std::int64_t length_of(const fusion::kernel_spec& spec, const std::uint64_t* words) {
        return extents(words, spec.rank - spec.reduced, spec.rank);
    }
    // Elements of a line that compiled code of a pointwise kernel takes alone; of others, all.
    static std::int64_t line_of(const fusion::kernel_spec& spec, const std::uint64_t* words) {
        const bool in_lines = spec.schedule == fusion::schedule_kind::pointwise && spec.rank > 1;
        return extents(words, in_lines ? spec.rank - 1 : 0, spec.rank);
    }
    static std::int64_t blocks_of(std::int64_t length) { return (length + grain - 1) / grain; }
    // The row code's values, totals, and what the blocks of so many rows leave behind.
    static std::size_t partial_words(const cpu_kernel& code, std::int64_t rows, std::int64_t length) {
        std::int64_t parts = 0;
        for (const combiner& c : code.combiners) parts += c.parts();
        return code.row_words + code.combiners.size() + static_cast<std::size_t>(parts * blocks_of(length) * rows);
    }

    static std::int64_t tasks_of(const cpu_kernel& code, std::int64_t elements, std::int64_t most) {
        thread_pool& pool = thread_pool::instance();
        const double work = static_cast<double>(elements) * code.nanoseconds_per_element;
        return std::clamp<std::int64_t>(fusion::worth_tasks(work, pool.size(), pool.awake()), 1,
                                        std::max<std::int64_t>(1, most));
    }

    // Calls f(begin, end) for all of [0, size) in parts of `step`, shared out among the pool's threads. What a part needs of
    // memory each thread takes before its first one: this thread throws where there is none, a worker leaves its share.
    template <class F>
    static void run_parts(const cpu_kernel& code, const std::uint64_t* words, std::int64_t rows, std::int64_t size,
                          std::int64_t step, const F& f) {
        if (size <= step) {
            if (size > 0) f(std::int64_t{0}, size);
            return;
        }
        struct job {
            const F& f;
            const cpu_kernel& code;
            const std::uint64_t* words;
            std::int64_t rows, size, step;
        } j{f, code, words, rows, size, step};
        code.reserve(words, rows);
        thread_pool::instance().run((size + step - 1) / step,
                                    [](void* context, std::int64_t task) {
                                        const job& all = *static_cast<job*>(context);
                                        const std::int64_t begin = task * all.step;
                                        all.f(begin, std::min(begin + all.step, all.size));
                                    },
                                    &j,
                                    [](void* context) {
                                        const job& all = *static_cast<job*>(context);
                                        try {
                                            all.code.reserve(all.words, all.rows);
                                        } catch (const std::bad_alloc&) {
                                            return false;
                                        }
                                        return true;
                                    });
    }
    static void log_tasks(std::int64_t elements, std::int64_t size, std::int64_t step) {
        if (log_enabled(log_channel::launch))
            log(log_channel::launch, "cpu: " + std::to_string(elements) + " elements in " +
                                         std::to_string(step > 0 ? (size + step - 1) / step : 0) + " tasks");
    }

    static void run_elements(const cpu_kernel& code, const std::uint64_t* words, std::int64_t size, std::uint64_t* partials,
                             std::int64_t blocks) {
        const std::int64_t tasks = tasks_of(code, size, (size + grain - 1) / grain);
        const std::int64_t step = tasks > 1 ? (size / tasks + grain - 1) / grain * grain : size;
        log_tasks(size, size, step);
        run_parts(code, words, size, size, step,
                  [&](std::int64_t begin, std::int64_t end) { code.run(words, begin, end, partials, blocks); });
    }

    static void run_reduce_all(const cpu_kernel& code, const std::uint64_t* words, std::int64_t size) {
        const std::int64_t blocks = blocks_of(size);
        std::uint64_t* const values = partials_of(partial_words(code, 1, size));
        std::uint64_t* const totals = values + code.row_words;
        std::uint64_t* part = totals + code.combiners.size();
        run_elements(code, words, size, part, blocks);
        for (std::size_t r = 0; r < code.combiners.size(); part += code.combiners[r++].parts() * blocks)
            totals[r] = combine_blocks(code.combiners[r], part, blocks);
        code.finish(words, totals, values);
    }

    // Blocks as a pairwise tree in index order: neighbours first, a last one without a neighbour moves up as it is. That is
    // the tree whose left half is the largest power of two below the count.
    static std::uint64_t combine_blocks(const combiner& c, std::uint64_t* values, std::int64_t blocks) {
        const int result = c.rule().result;
        if (blocks == 0) return c.rule().identity[result];
        const auto place = [&](std::int64_t block) {
            part_arrays at;
            for (int p = 0; p < c.parts(); ++p) at.of[p] = reinterpret_cast<std::byte*>(values + p * blocks + block);
            return at;
        };
        for (std::int64_t count = blocks; count > 1; count = (count + 1) / 2)
            for (std::int64_t k = 0; k < (count + 1) / 2; ++k) {
                if (2 * k + 1 < count) c.combine(place(2 * k), place(2 * k + 1), 1);
                for (int p = 0; p < c.parts(); ++p) values[p * blocks + k] = values[p * blocks + 2 * k];
            }
        return values[result * blocks];
    }

    static bool lanes_across(const fusion::kernel_spec& spec) {
        return spec.schedule != fusion::schedule_kind::reduce_inner;
    }
    static std::int64_t rows_of_a_block(const fusion::kernel_spec& spec) {
        return lanes_across(spec) ? fusion::rows_of_a_task : narrow_group;
    }
    // Where there are threads enough, at least.
    static bool may_run_blocks(const cpu_kernel& code, const fusion::kernel_spec& spec, std::int64_t rows,
                               std::int64_t length) {
        if (!code.one_pass || blocks_of(length) <= 1) return false;
        const std::int64_t width = rows_of_a_block(spec), groups = (rows + width - 1) / width;
        const bool few = (lanes_across(spec) ? groups : rows) < std::int64_t{4} * thread_pool::instance().size();
        return few || (rows > 1 && code.strided_rows);
    }

    // By rows; where the rows are too few for the threads, or would each read the memory of all (columns of a narrow array
    // as strided rows), by blocks of rows.
    static void run_rows(const cpu_kernel& code, const fusion::kernel_spec& spec, const std::uint64_t* words,
                         std::int64_t rows, std::int64_t length) {
        const std::int64_t threads = thread_pool::instance().size(), size = rows * std::max<std::int64_t>(length, 1);
        const bool across = lanes_across(spec);
        if (may_run_blocks(code, spec, rows, length)) {
            const std::int64_t width = rows_of_a_block(spec);
            const std::int64_t tasks = tasks_of(code, size, blocks_of(length) * ((rows + width - 1) / width));
            if (tasks > 1 || (rows > 1 && code.strided_rows))
                return run_blocks(code, words, rows, blocks_of(length), width, tasks);
        }
        std::int64_t tasks = tasks_of(code, size, rows);
        if (across) tasks = std::min(tasks, std::max(threads, rows / fusion::rows_of_a_task));
        std::int64_t step = (rows + tasks - 1) / tasks;
        // Parts of whole vectors and cache lines, where that leaves every thread its share.
        for (const std::int64_t unit : {64, 16})
            if (step >= 2 * unit) {
                step = (step + unit - 1) / unit * unit;
                break;
            }
        log_tasks(size, rows, step);
        run_parts(code, words, step, rows, step,
                  [&](std::int64_t first, std::int64_t last) { code.run_rows(words, first, last); });
    }

    static void run_blocks(const cpu_kernel& code, const std::uint64_t* words, std::int64_t rows, std::int64_t blocks,
                           std::int64_t width, std::int64_t tasks) {
        std::uint64_t* const partials = partials_of(partial_words(code, rows, blocks * grain));
        const std::int64_t groups = (rows + width - 1) / width, count = blocks * groups;
        const std::int64_t step = (count + tasks - 1) / tasks;
        log_tasks(rows * blocks * grain, count, step);
        code.reserve(words, rows);  // for the second part too, behind element stores of the first
        run_parts(code, words, width, count, step, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t k = begin; k < end; ++k) {  // neighbours share the block, hence its memory
                const std::int64_t first = k % groups * width;
                code.run_block(words, first, std::min(first + width, rows), k / groups, partials);
            }
        });
        const std::int64_t share = std::max((rows + tasks - 1) / tasks, grain / blocks);
        run_parts(code, words, width, rows, share,
                  [&](std::int64_t first, std::int64_t last) { code.finish_rows(words, first, last, partials); });
    }

    /// Before memory is refused, the copies of what GPUs have are given up.
    host_pool::block take(std::size_t bytes) {
        try {
            return pool_.take(bytes);
        } catch (const out_of_memory& e) {
            if (!let_go_of_spare_memory()) throw out_of_memory(e.what() + live_.text());
        }
        try {
            return pool_.take(bytes);
        } catch (const out_of_memory& e) {
            throw out_of_memory(e.what() + live_.text());
        }
    }

    const isa_level level_;
    const isa_table& table_;
    std::atomic<cpu_engine> engine_;
    fusion::target target_;
    host_pool pool_;
    live_buffers live_;
    std::mutex cache_lock_;
    std::unordered_map<std::string, std::shared_ptr<entry>> cache_[std::size(engine_names)];
};

isa_level chosen_isa() {
    const isa_choice wanted = env().cpu_isa;
    if (wanted == isa_choice::automatic) return machine_isa();
    const auto level = static_cast<isa_level>(static_cast<int>(wanted) - static_cast<int>(isa_choice::baseline));
    if (level > machine_isa())
        throw device_error("FRIT_CPU_ISA=" + std::string(name_of(level)) + ": this machine has only " +
                           std::string(name_of(machine_isa())));
    return level;
}

cpu_device& process_device() {
    static cpu_device* const device =
        new cpu_device(env().cpu_engine == engine_choice::cxx           ? cpu_engine::cxx
                       : env().cpu_engine == engine_choice::jit         ? cpu_engine::jit
                       : env().cpu_engine == engine_choice::interpreter ? cpu_engine::interpreter
                                                                        : cpu_engine::automatic,
                       chosen_isa());
    return *device;
}

}  // namespace

backend& cpu_backend() { return process_device(); }

const isa_table& process_table() { return process_device().table(); }

void set_cpu_engine(std::string_view name) {
    for (std::size_t k = 0; k < std::size(engine_names); ++k)
        if (name == engine_names[k]) return process_device().set_engine(static_cast<cpu_engine>(k));
    throw error("unknown CPU engine '" + std::string(name) + "': the choices are auto, interpreter, cxx and jit");
}

std::unique_ptr<backend> make_cpu_backend(cpu_engine engine, isa_level level) {
    if (level > machine_isa())
        throw device_error("this machine has no " + std::string(name_of(level)) + ", only " +
                           std::string(name_of(machine_isa())));
    return std::make_unique<cpu_device>(engine, level);
}

}  // namespace frit::v0::detail
