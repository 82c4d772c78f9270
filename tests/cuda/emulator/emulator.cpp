// See emulator.hpp.
#include "tests/cuda/emulator/emulator.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "src/base/errors.hpp"
#include "src/base/stats.hpp"
#include "src/cuda/device.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/host_columns.hpp"

namespace frit_test {

using frit::detail::buffer;
using frit::detail::buffer_ref;
using frit::detail::kernel;
using frit::fusion::access;
using frit::fusion::kernel_spec;

frit::fusion::target emulated_target() {
    frit::fusion::target t = frit::detail::cuda::facts_of(90, 3, 13000);
    return t;
}

std::vector<emulated_kernel> compile_emulated(std::span<const kernel_spec> specs, const frit::fusion::target& t) {
    // A library's start costs the compiler as much as several kernels; but all processors should have one.
    const std::size_t most =
        std::clamp<std::size_t>(specs.size() / std::max(1U, std::thread::hardware_concurrency()), 1, 48);
    std::vector<emulated_kernel> all(specs.size());
    std::mutex lock;
    std::string failures;
    on_all_processors((specs.size() + most - 1) / most, [&](std::size_t part) {
        const std::size_t begin = part * most, end = std::min(begin + most, specs.size());
        std::string text;
        std::vector<std::string> names;
        for (std::size_t k = begin; k < end; ++k) {
            names.push_back("k" + std::to_string(k - begin));
            text += frit::fusion::cuda_kernel_text(specs[k], t, names.back());
        }
        try {
            const auto library = std::make_shared<emulated_library>(text, names);
            for (std::size_t k = begin; k < end; ++k) all[k] = {library, library->entries()[k - begin]};
        } catch (const std::exception& e) {
            const std::scoped_lock guard(lock);
            failures += e.what();
        }
    });
    if (!failures.empty()) throw std::runtime_error(failures);
    return all;
}

namespace {

/// What a kernel's text says of its pointers: the narrowest type of an access, and which ones are written.
struct pointer_use {
    unsigned granule = 16;
    bool written = false;
};

}  // namespace

namespace {

// The arrays that its pointer words point into, and how a launch of the spec may touch them.
std::vector<watched_range> ranges_of(const kernel_spec& spec, std::span<const std::uint64_t> words,
                                     std::span<const memory_block> memory) {
    std::vector<pointer_use> uses(spec.pointers);
    const auto use = [&](const auto& a, bool writes) {
        pointer_use& u = uses[a.pointer];
        u.granule = std::min(u.granule, static_cast<unsigned>(frit::size_of(a.type)));
        u.written = u.written || writes;
    };
    for (const access& a : spec.loads) use(a, false);
    for (const auto& s : spec.stores) use(s.to, true);
    for (const auto& s : spec.row_stores) use(s.to, true);
    for (const auto& t : spec.tallies) use(t, true);
    for (const auto& c : spec.columns) use(c, true);
    for (const auto* code : {&spec.body, &spec.row})
        for (const auto& i : *code)
            if (frit::looks_up(i.code)) {
                const frit::dtype type = frit::is_search(i.code) ? (*code)[i.a].type : i.type;
                pointer_use& u = uses[pointer_of(i)];
                u.granule = std::min(u.granule, static_cast<unsigned>(frit::size_of(type)));
            }
    const std::uint32_t first = frit::fusion::word_layout(spec).pointers;
    std::vector<watched_range> ranges;
    for (std::size_t k = 0; k < uses.size(); ++k) {
        const char* const p = reinterpret_cast<const char*>(words[first + k]);
        const memory_block* holds = nullptr;  // an array that begins there rather than one that ends there
        for (const memory_block& m : memory)
            if (m.data <= p && p <= m.data + m.bytes && (!holds || m.data > holds->data)) holds = &m;
        if (!holds) throw emulation_error("pointer " + std::to_string(k) + " points at no array: " + to_string(spec));
        const auto same = std::find_if(ranges.begin(), ranges.end(), [&](auto& r) { return r.begin == holds->data; });
        if (same == ranges.end()) {
            ranges.push_back({holds->data, holds->data + holds->bytes, uses[k].written, uses[k].granule,
                              "the array of pointer " + std::to_string(k)});
        } else {
            same->writable = same->writable || uses[k].written;
            same->granule = std::min(same->granule, uses[k].granule);
            same->name += " and " + std::to_string(k);
        }
    }
    return ranges;
}

}  // namespace

host_launch::host_launch(const kernel_spec& spec, std::span<const std::uint64_t> given, const frit::fusion::target& t,
                         std::span<const memory_block> memory, std::vector<std::uint64_t>& scratch, unsigned granule)
    : words(given.begin(), given.end()) {
    const frit::fusion::word_layout layout(spec);
    if (words.size() != layout.size) throw emulation_error("words that are not the spec's: " + to_string(spec));
    const frit::fusion::gpu_schedule& by = frit::fusion::gpu_schedule_of(spec);
    shape = gpu_launch_shape(by, spec, words.data() + layout.extents, t);
    if (shape.grid[0] == 0) return;
    const auto [bytes, of_zeros] = gpu_scratch_of(by, spec, words.data() + layout.extents, t);
    std::vector<std::uint64_t>& now = of_zeros ? zeros : scratch;
    if (now.size() * 8 < bytes) now.resize((bytes + 7) / 8);
    if (has_indices(spec)) fault.resize(frit::fusion::fault_words);
    words[0] = reinterpret_cast<std::uint64_t>(fault.data());
    words[1] = reinterpret_cast<std::uint64_t>(now.data());
    ranges = ranges_of(spec, given, memory);
    const char* const left = reinterpret_cast<const char*>(now.data());
    if (bytes > 0) ranges.push_back({left, left + bytes, true, granule, "the scratch memory"});
    const char* const record = reinterpret_cast<const char*>(fault.data());
    if (!fault.empty()) ranges.push_back({record, record + 8 * fault.size(), true, 8, "the fault record"});
}

void host_launch::check(std::string_view formula) const {
    if (!fault.empty() && fault[0] != 0)
        throw frit::index_error(
            frit::detail::index_fault(static_cast<std::int64_t>(fault[1]), static_cast<std::int64_t>(fault[2]), formula));
    if (std::any_of(zeros.begin(), zeros.end(), [](std::uint64_t word) { return word != 0; }))
        throw emulation_error("a launch did not leave the zeros that it found");
}

void run_emulated(const emulated_kernel& k, const kernel_spec& spec, std::span<const std::uint64_t> words,
                  const frit::fusion::target& t, std::span<const memory_block> memory, std::vector<std::uint64_t>& scratch,
                  unsigned seed, std::string_view formula) {
    static std::mutex one_at_a_time;  // a library has one threadIdx
    static emulated_block block;
    static memory_watch watch;
    const std::scoped_lock guard(one_at_a_time);
    host_launch now(spec, words, t, memory, scratch, 1);
    const frit::fusion::launch_shape& s = now.shape;
    if (s.grid[0] == 0) return;
    now.ranges.push_back({k.library->shared_begin(), k.library->shared_end(), true, 1, "shared memory", true});
    watch.start_launch(std::move(now.ranges));

    std::vector<unsigned> order(std::size_t{s.grid[0]} * s.grid[1] * s.grid[2]);
    std::iota(order.begin(), order.end(), 0U);
    std::minstd_rand random(seed);
    if (seed != 0) std::shuffle(order.begin(), order.end(), random);
    k.library->place->gridDim = {s.grid[0], s.grid[1], s.grid[2]};
    for (const unsigned b : order) {
        const emulated_index at{b % s.grid[0], b / s.grid[0] % s.grid[1], b / s.grid[0] / s.grid[1]};
        try {
            block.run(*k.library, k.entry, now.words.data(), {s.block[0], s.block[1], s.block[2]}, at, watch,
                      seed != 0 ? static_cast<unsigned>(random()) : 0);
        } catch (const emulation_error& e) {
            throw emulation_error(std::string(e.what()) + "\n" + to_string(spec));
        }
    }
    now.check(formula);
}

namespace {

struct kernel_of_backend final : kernel {
    emulated_kernel code;
    std::string source() const override { return code.library->text(); }
};

}  // namespace

void cuda_emulator::compile(std::span<const kernel_spec> specs) {
    std::vector<kernel_spec> missing;
    {
        const std::scoped_lock guard(lock_);
        std::set<std::string> met;
        for (const kernel_spec& s : specs)
            if (!kernels_.contains(s.key()) && met.insert(s.key()).second) missing.push_back(s);
    }
    const std::vector<emulated_kernel> made = compile_emulated(missing, facts_);
    const std::scoped_lock guard(lock_);
    for (std::size_t k = 0; k < missing.size(); ++k) {
        auto one = std::make_shared<kernel_of_backend>();
        one->code = made[k];
        kernels_[missing[k].key()] = one;
    }
}

void cuda_emulator::compile_recorded() {
    recording_ = false;
    compile(recorded_);
    recorded_.clear();
}

std::shared_ptr<kernel> cuda_emulator::prepare(const kernel_spec& spec) {
    if (recording_) {
        const std::scoped_lock guard(lock_);
        recorded_.push_back(spec);
        return prepare_on_host(host_, spec);
    }
    compile(std::span(&spec, 1));
    const std::scoped_lock guard(lock_);
    return kernels_.at(spec.key());
}

std::vector<memory_block> cuda_emulator::memory() const {
    std::vector<memory_block> all;
    for (const auto& [data, bytes] : memory_) all.push_back({data, bytes});
    return all;
}

void cuda_emulator::launch(const kernel& k, const kernel_spec& spec, std::span<std::uint64_t> words,
                           std::string_view formula) {
    const auto* const emulated = dynamic_cast<const kernel_of_backend*>(&k);
    if (!emulated) return launch_on_host(host_, k, spec, words, formula, facts_);  // planned while recording
    const std::scoped_lock guard(lock_);
    try {
        run_emulated(emulated->code, spec, words, facts_, memory(), scratch_, ++launches_, formula);
    } catch (const emulation_error& e) {
        throw emulation_error(e.what() + std::string(formula));
    }
}

// The memory is the host's, but this backend's to the library: it looks whose memory it may reuse in place.
buffer_ref cuda_emulator::allocate(std::size_t bytes) {
    buffer_ref b = host_.allocate(bytes);
    b->owner = this;
    const std::scoped_lock guard(lock_);
    memory_[static_cast<const char*>(b->data)] = bytes;
    return b;
}

void cuda_emulator::give_back(buffer* b) noexcept {
    {
        const std::scoped_lock guard(lock_);
        memory_.erase(static_cast<const char*>(b->data));
    }
    b->owner = &host_;
    host_.give_back(b);
}

void cuda_emulator::upload(buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
    host_.upload(to, offset, from, bytes);
    frit::detail::counters_now.host_to_device_bytes.fetch_add(bytes);
}

void cuda_emulator::download(void* to, const buffer& from, std::size_t offset, std::size_t bytes) {
    host_.download(to, from, offset, bytes);
    frit::detail::counters_now.device_to_host_bytes.fetch_add(bytes);
}

}  // namespace frit_test
