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
#include "src/cpu/blas.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/pool.hpp"
#include "src/cpu/threads.hpp"
#include "src/disk_cache.hpp"
#include "src/env.hpp"
#include "src/log.hpp"
#include "src/mirror.hpp"
#include "src/prepare_hook.hpp"
#include "src/stats.hpp"
#include "src/thread_scratch.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view engine_names[] = {"interpreter", "cxx"};
constexpr std::int64_t grain = fusion::reduce_block;  // tasks begin at multiples of it
// What a parallel launch must be worth, in nanoseconds of serial work: hand-over to spinning and to sleeping workers, and
// the least that one task should be.
constexpr double worth_if_awake = 2000, worth_if_asleep = 40000, least_task = 2000;

// Rough time of one element in cache: table costs at the rate of vector code, plus what an interpreter pays for every step
// (a trip through L1), plus the traffic.
double cost_of(const fusion::kernel_spec& spec, cpu_engine engine, int vector_bytes) {
    double time = 0;
    for (const fusion::instruction& i : spec.body) {
        if (!is_elementwise(i.code) && i.code != op::cast) continue;
        const double lanes =
            static_cast<double>(vector_bytes) / static_cast<double>(std::max<std::size_t>(size_of(i.type), 4));
        time += ((is_elementwise(i.code) ? info(i.code).cost : 1) * 0.15 + (engine == cpu_engine::interpreter ? 0.8 : 0)) /
                lanes;
    }
    std::size_t bytes = 0;
    for (const fusion::access& a : spec.loads) bytes += size_of(a.type);
    for (const fusion::store& s : spec.stores) bytes += size_of(s.to.type);
    return time + 0.01 * static_cast<double>(bytes);
}

// Where reduce_all's blocks leave their values: kept by the launching thread.
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

    std::shared_ptr<kernel> prepare(const fusion::kernel_spec& spec) override {
        call_prepare_hook(spec);
        const cpu_engine engine = engine_.load();
        std::shared_ptr<entry> e;
        {
            const std::lock_guard guard(cache_lock_);
            std::shared_ptr<entry>& place = cache_[static_cast<int>(engine)][spec.key()];
            if (!place) place = std::make_shared<entry>();
            e = place;
        }
        const std::lock_guard guard(e->making);
        if (!e->ready) {  // if this throws, the next who asks tries again
            auto k =
                engine == cpu_engine::interpreter ? make_interpreted(spec, table_) : make_compiled(spec, target_, level_);
            k->nanoseconds_per_element = cost_of(spec, engine, table_.vector_bytes);
            e->ready = std::move(k);
        }
        return e->ready;
    }

    void launch(const kernel& k, const fusion::kernel_spec& spec, std::span<std::uint64_t> words,
                std::string_view) override {
        try {
            run(k, spec, words);
        } catch (const std::bad_alloc&) {
            throw out_of_memory("cpu: out of memory: no room for a kernel's scratch memory");
        }
    }

    void require(const fusion::library_call& c) override { require_library(c); }
    void call(const fusion::library_call& c, std::span<const void* const> operands, void* result,
              std::string_view) override {
        call_library(c, operands, result);
    }

    buffer_ref allocate(std::size_t bytes) override {
        auto b = std::make_unique<buffer>();
        const host_pool::block block = take(bytes);
        b->data = block.data;
        b->bytes = bytes;
        b->capacity = block.capacity;
        b->owner = this;
        count_live(static_cast<std::int64_t>(bytes));
        return buffer_ref(b.release());
    }
    void give_back(buffer* b) noexcept override {
        count_live(-static_cast<std::int64_t>(b->bytes));
        pool_.give_back({b->data, b->capacity});
        delete b;
    }

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

    void lock_for_fork() override {
        lock_blas_for_fork();
        cache_lock_.lock();
        compiler_lock().lock();
        kernel_cache().lock_for_fork();
        pool_.lock_for_fork();
    }
    void unlock_after_fork(bool child) override {
        // A kernel in the making stays so where its maker is gone: the child makes it afresh.
        if (child)
            for (auto& kernels : cache_)
                std::erase_if(kernels, [](const auto& k) {
                    const std::unique_lock made(k.second->making, std::try_to_lock);
                    return !made.owns_lock();
                });
        pool_.unlock_after_fork();
        kernel_cache().unlock_after_fork();
        compiler_lock().unlock();
        cache_lock_.unlock();
        unlock_blas_after_fork();
    }

private:
    struct entry {
        std::mutex making;
        std::shared_ptr<kernel> ready;
    };
    struct job {
        const cpu_kernel& code;
        const std::uint64_t* words;
        std::int64_t size, blocks;
        std::uint64_t* partials;
        std::int64_t step;                 // elements of a task
        std::atomic<bool> starved{false};  // a task found no memory
    };

    void run(const kernel& k, const fusion::kernel_spec& spec, std::span<std::uint64_t> words) {
        words[0] = words[1] = 0;
        job j{static_cast<const cpu_kernel&>(k), words.data(), 1, 0, nullptr, 0};
        for (int d = 0; d < spec.rank; ++d) j.size *= static_cast<std::int64_t>(words[2 + static_cast<std::size_t>(d)]);
        const std::size_t totals = spec.reductions.size();
        if (spec.schedule == fusion::schedule_kind::reduce_all) {
            j.blocks = (j.size + fusion::reduce_block - 1) / fusion::reduce_block;
            j.partials = partials_of(totals * static_cast<std::size_t>(j.blocks + 1));
        }
        if (j.size > 0) run(j);
        if (spec.schedule == fusion::schedule_kind::reduce_all) {
            std::uint64_t* const results = j.partials + totals * static_cast<std::size_t>(j.blocks);
            for (std::size_t r = 0; r < totals; ++r)
                results[r] =
                    combine_blocks(spec.reductions[r], j.partials + r * static_cast<std::size_t>(j.blocks), j.blocks);
            j.code.finish(words.data(), results);
        }
        if (log_enabled(log_channel::launch))
            log(log_channel::launch,
                "cpu: " + std::to_string(j.size) + " elements in " + std::to_string(j.size ? tasks_of(j) : 0) + " tasks");
    }

    static std::int64_t tasks_of(const job& j) {
        thread_pool& pool = thread_pool::instance();
        const double work = static_cast<double>(j.size) * j.code.nanoseconds_per_element;
        if (pool.size() == 1 || work < worth_if_awake || (work < worth_if_asleep && !pool.awake())) return 1;
        const std::int64_t useful = std::max<std::int64_t>(2, static_cast<std::int64_t>(work / least_task));
        return std::min({useful, std::int64_t{4} * pool.size(), (j.size + grain - 1) / grain});
    }

    static void run(job& j) {
        const std::int64_t tasks = tasks_of(j);
        if (tasks == 1) return j.code.run(j.words, 0, j.size, j.partials, j.blocks);
        j.step = (j.size / tasks + grain - 1) / grain * grain;
        thread_pool::instance().run((j.size + j.step - 1) / j.step,
                                    [](void* context, std::int64_t task) {
                                        job& part = *static_cast<job*>(context);
                                        const std::int64_t begin = task * part.step;
                                        try {
                                            part.code.run(part.words, begin, std::min(begin + part.step, part.size),
                                                          part.partials, part.blocks);
                                        } catch (const std::bad_alloc&) {
                                            part.starved.store(true);
                                        }
                                    },
                                    &j);
        if (j.starved.load()) throw std::bad_alloc();
    }

    // Blocks as a pairwise tree in index order: neighbours first, a last one without a neighbour moves up as it is. That is
    // the tree whose left half is the largest power of two below the count.
    std::uint64_t combine_blocks(const fusion::reduction_spec& r, std::uint64_t* values, std::int64_t count) const {
        if (count == 0) return identity_word(r.code, r.type);
        const loop combine = combine_loop(table_, r.code, r.type);
        for (; count > 1; count = (count + 1) / 2) {
            for (std::int64_t k = 0; k < count / 2; ++k) combine(values + k, values + 2 * k, values + 2 * k + 1, nullptr, 1);
            if (count % 2) values[count / 2] = values[count - 1];
        }
        return values[0];
    }

    /// Before memory is refused, the copies of what GPUs have are given up.
    host_pool::block take(std::size_t bytes) {
        try {
            return pool_.take(bytes);
        } catch (const out_of_memory&) {
            if (!forget_mirrors()) throw;
        }
        return pool_.take(bytes);
    }

    const isa_level level_;
    const isa_table& table_;
    std::atomic<cpu_engine> engine_;
    fusion::target target_;
    host_pool pool_;
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
        new cpu_device(env().cpu_engine == engine_choice::cxx ? cpu_engine::cxx : cpu_engine::interpreter, chosen_isa());
    return *device;
}

}  // namespace

backend& cpu_backend() { return process_device(); }

void set_cpu_engine(std::string_view name) {
    for (std::size_t k = 0; k < std::size(engine_names); ++k)
        if (name == engine_names[k]) return process_device().set_engine(static_cast<cpu_engine>(k));
    throw error("unknown CPU engine '" + std::string(name) + "': the choices are interpreter and cxx");
}

std::unique_ptr<backend> make_cpu_backend(cpu_engine engine, isa_level level) {
    if (level > machine_isa())
        throw device_error("this machine has no " + std::string(name_of(level)) + ", only " +
                           std::string(name_of(machine_isa())));
    return std::make_unique<cpu_device>(engine, level);
}

}  // namespace frit::v0::detail
