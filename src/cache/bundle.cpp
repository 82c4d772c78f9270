// A bundle's file is one entry of the kernel cache (entry.hpp), so damage and other versions are seen as there: its binary
// is the kernels, each a length-prefixed key and a length-prefixed binary, and its key names the versions. The functions
// that programs call stand here too.
#include "frit/bundle.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/errors.hpp"
#include "src/base/file.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cache/bundle.hpp"
#include "src/cache/entry.hpp"

namespace frit::inline v0 {
namespace detail {
namespace {

constexpr std::uint64_t largest_bundle = std::uint64_t{4} << 30;

// Text that frit generates may be another in another version, and then nothing would be found without a word.
std::string file_key() { return cache_key{"frit-bundle-1", FRIT_VERSION_STRING, "", "", ""}.bytes(); }

std::string place_of(const cache_key& k) { return cache_key{k.dialect, k.text, "", k.architecture, ""}.bytes(); }

std::string read_bundle(const std::string& path) {
    std::string bytes;
    const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) throw io_error("it cannot be opened: " + reason_of(errno));
    if (!read_file(file.get(), largest_bundle, bytes)) throw io_error("it is no regular file, or cannot be read");
    return bytes;
}

std::vector<bundled_kernel> kernels_in(std::string_view bytes) {
    const opened_entry opened = open_entry(bytes, file_key());
    if (opened.now == opened_entry::state::damaged) throw io_error("it is no bundle of kernels, is damaged, or cut short");
    if (opened.now == opened_entry::state::of_another)
        throw io_error("it was not written by this version of frit (" FRIT_VERSION_STRING "), whose kernels may be others");
    std::vector<bundled_kernel> all;
    for (std::string_view rest = bytes.substr(0, opened.binary_size); !rest.empty();) {
        const std::optional<std::string_view> key = next_field(rest), binary = next_field(rest);
        std::optional<cache_key> read = key ? cache_key::of_bytes(*key) : std::nullopt;
        if (!read || !binary) throw io_error("one of its kernels is damaged");
        all.push_back({std::move(*read), std::string(*binary)});
    }
    return all;
}

}  // namespace

std::shared_ptr<const bundled_kernel> kernel_bundles::find(const cache_key& key) {
    if (!loaded() && !recording()) return nullptr;
    const std::string place = place_of(key);
    const std::scoped_lock guard(lock_);
    for (const kernel_map* all : {&loaded_, &recorded_}) {
        const auto at = all->find(place);
        if (at == all->end()) continue;
        if (recording()) recorded_.emplace(*at);
        if (all == &loaded_) counters_now.bundle_hits.fetch_add(1, std::memory_order_relaxed);
        return at->second;
    }
    return nullptr;
}

bool kernel_bundles::loaded_for(std::string_view dialect, std::string_view architecture) const {
    const std::scoped_lock guard(lock_);
    return std::any_of(loaded_.begin(), loaded_.end(), [&](const auto& at) {
        return at.second->key.dialect == dialect && at.second->key.architecture == architecture;
    });
}

std::size_t kernel_bundles::count() const {
    const std::scoped_lock guard(lock_);
    return loaded_.size();
}

void kernel_bundles::forget(const cache_key& key) {
    const std::scoped_lock guard(lock_);
    for (kernel_map* all : {&loaded_, &recorded_}) all->erase(place_of(key));
    log(log_channel::cache, "a bundle's kernel does not load here, left out");
}

std::size_t kernel_bundles::load(const std::string& path) {
    kernel_map fresh;
    std::vector<bundled_kernel> kernels = kernels_in(read_bundle(path));
    const std::size_t count = kernels.size();
    for (bundled_kernel& k : kernels) {
        std::string place = place_of(k.key);
        fresh.emplace(std::move(place), std::make_shared<const bundled_kernel>(std::move(k)));
    }
    const std::scoped_lock guard(lock_);
    loaded_.merge(fresh);  // what is there stays
    loaded_now_.store(!loaded_.empty(), std::memory_order_release);
    if (log_enabled(log_channel::cache)) log(log_channel::cache, "bundle: " + path);
    return count;
}

bool kernel_bundles::start() {
    const std::scoped_lock guard(lock_);
    return !recording_now_.exchange(true);
}

void kernel_bundles::stop() noexcept {
    kernel_map kernels;
    decltype(noted_) specs;
    decltype(noted_raw_) raw;
    const std::scoped_lock guard(lock_);
    recording_now_.store(false);
    noted_raw_.swap(raw);
    recorded_.swap(kernels);
    noted_.swap(specs);
    incomplete_ = false;
}

void kernel_bundles::note(backend& engine, const fusion::kernel_spec& spec) noexcept {
    const std::scoped_lock guard(lock_);
    try {
        std::pair key(&engine, spec.key());
        if (recording() && !noted_.contains(key)) noted_.emplace(std::move(key), spec);
    } catch (const std::bad_alloc&) {  // a plan may be half run: it goes on
        incomplete_ = true;
    }
}

void kernel_bundles::note(const raw_source& kernel, int sm, raw_maker make) noexcept {
    const std::scoped_lock guard(lock_);
    try {
        if (recording()) noted_raw_.try_emplace({&kernel, sm}, make);
    } catch (const std::bad_alloc&) {
        incomplete_ = true;
    }
}

void kernel_bundles::keep(const cache_key& key, std::string_view binary) {
    if (!recording()) return;
    std::string place = place_of(key);
    auto kept = std::make_shared<const bundled_kernel>(bundled_kernel{key, std::string(binary)});
    const std::scoped_lock guard(lock_);
    if (recording()) recorded_.insert_or_assign(std::move(place), std::move(kept));
}

std::size_t kernel_bundles::write(const std::string& path, std::span<const int> gpus) {
    decltype(noted_) wanted;
    decltype(noted_raw_) wanted_raw;
    {
        const std::scoped_lock guard(lock_);
        if (incomplete_) throw std::bad_alloc();
        wanted = noted_;
        wanted_raw = noted_raw_;
    }
    for (const auto& [key, spec] : wanted) key.first->compile_for_bundle(spec, gpus);  // which keeps what it makes or finds
    for (const auto& [of, make] : wanted_raw) {
        make(*of.first, of.second);
        for (const int sm : gpus) make(*of.first, sm);
    }
    kernel_map kernels;
    {
        const std::scoped_lock guard(lock_);
        kernels = recorded_;
    }
    std::string body;
    for (const auto& [place, k] : kernels) {
        append_field(body, k->key.bytes());
        append_field(body, k->binary);
    }
    const std::string file = file_of_entry(body, file_key());
    const std::string_view parts[] = {file};
    if (const int failure = write_file(path, parts)) throw io_error("it cannot be written: " + reason_of(failure));
    return kernels.size();
}

kernel_bundles& bundles() {
    static auto* const all = new kernel_bundles;  // never destroyed, as all singletons
    return *all;
}

namespace {

template <class F>
auto told_of(const char* who, const std::string& path, source_line where, F&& act) try {
    return act();
} catch (const io_error& problem) {
    throw io_error(std::string(who) + ": " + path + ": " + problem.what() + place(where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace
}  // namespace detail

kernel_recording::kernel_recording(kernel_recording&& other) noexcept
    : path_(std::exchange(other.path_, {})), gpus_(std::move(other.gpus_)) {}

kernel_recording::~kernel_recording() {
    if (!path_.empty()) detail::bundles().stop();
}

std::size_t kernel_recording::close(source_line where) {
    if (path_.empty()) throw error("kernel_recording: it has been closed" + detail::place(where));
    const std::size_t count =
        detail::told_of("record_kernels", path_, where, [&] { return detail::bundles().write(path_, gpus_); });
    detail::bundles().stop();
    path_.clear();
    return count;
}

kernel_recording record_kernels(std::string path, std::vector<int> gpus, source_line where) {
    return detail::told_of("record_kernels", path, where, [&] {
        if (path.empty()) throw error("record_kernels: the file has no name" + detail::place(where));
        for (const int sm : gpus)
            if (sm < 10 || sm > 999)
                throw error("record_kernels: " + std::to_string(sm) + " is no compute capability, 90 is that of 9.0" +
                            detail::place(where));
        if (!detail::bundles().start())
            throw error("record_kernels: " + path + ": another recording goes on, one at a time" + detail::place(where));
        return kernel_recording(std::move(path), std::move(gpus));
    });
}

std::size_t load_kernels(const std::string& path, source_line where) {
    return detail::told_of("load_kernels", path, where, [&] { return detail::bundles().load(path); });
}

}  // namespace frit::v0
