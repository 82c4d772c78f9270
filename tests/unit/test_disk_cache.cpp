// The disk cache of compiled kernels: hits, damage, folders that cannot be used, several processes, the size bound.
#include "src/cache/disk.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "src/base/stats.hpp"
#include "src/cache/entry.hpp"

namespace {

namespace fs = std::filesystem;
using frit::detail::cache_key;
using frit::detail::counters_now;
using frit::detail::disk_cache;

constexpr std::uint64_t plenty = 1 << 30;

class DiskCache : public ::testing::Test {
protected:
    void SetUp() override {
        umask_before = ::umask(0022);  // files that the tests write must be fit to be read
        std::string pattern = (fs::temp_directory_path() / "frit-cache-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override {
        ::umask(umask_before);
        fs::remove_all(folder);
    }

    fs::path only_file(const char* extension) const {
        fs::path found;
        int count = 0;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == extension) found = entry.path(), ++count;
        EXPECT_EQ(count, 1) << "files with extension " << extension;
        return found;
    }
    fs::path folder;
    mode_t umask_before = 0;
};

cache_key key_of(const std::string& text) { return {"cuda_c", text, "--fmad=false", "sm_90", "nvrtc 13.0"}; }

std::string contents(const fs::path& p) {
    std::ifstream in(p, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(DiskCache, GivesBackWhatWasStoredAndCountsIt) {
    const std::string binary(
        "\x7f"
        "ELF\0\1\2",
        7);
    disk_cache(folder.string(), plenty).store(key_of("kernel"), binary, "kernel", ".cu");

    disk_cache later(folder.string(), plenty);
    const auto before = counters_now.disk_hits.load();
    EXPECT_EQ(later.load(key_of("kernel")), binary);
    EXPECT_EQ(counters_now.disk_hits.load(), before + 1);
    EXPECT_EQ(later.load(key_of("another kernel")), std::nullopt);
    EXPECT_EQ(counters_now.disk_hits.load(), before + 1);
    EXPECT_EQ(contents(only_file(".cu")), "kernel");
}

TEST_F(DiskCache, EveryFieldIsPartOfTheKey) {
    disk_cache cache(folder.string(), plenty);
    const cache_key key = key_of("kernel");
    cache.store(key, "binary", "kernel", ".cu");
    for (std::string cache_key::*field :
         {&cache_key::dialect, &cache_key::text, &cache_key::options, &cache_key::architecture, &cache_key::compiler}) {
        cache_key other = key;
        other.*field += "x";
        EXPECT_EQ(cache.load(other), std::nullopt);
    }
    // The same bytes split differently over two fields are another key.
    EXPECT_NE((cache_key{"a", "bc", "", "", ""}.bytes()), (cache_key{"ab", "c", "", "", ""}.bytes()));
    EXPECT_EQ(cache.load(key), "binary");
}

TEST_F(DiskCache, OpenGivesAFileThatBeginsWithTheBinary) {
    disk_cache cache(folder.string(), plenty);
    const cache_key key = key_of("kernel");
    EXPECT_FALSE(cache.open(key));
    cache.store(key, "shared object", "kernel", ".cpp");
    const auto found = cache.open(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->bytes, "shared object");
    EXPECT_TRUE(contents(found->path).starts_with("shared object"));
    // The file is the one that was read, whatever stands under its name by now.
    fs::remove(found->path);
    std::ofstream(found->path) << "something else";
    std::string still;
    EXPECT_TRUE(frit::detail::read_at(found->file.get(), 0, 13, still));
    EXPECT_EQ(still, "shared object");
}

TEST_F(DiskCache, ADamagedFileIsAMissIsRemovedAndIsRebuilt) {
    disk_cache cache(folder.string(), plenty);
    const cache_key key = key_of("kernel");
    const std::string binary(1000, 'b');
    cache.store(key, binary, "kernel", ".cu");
    const fs::path file = only_file(".bin");
    const std::string good = contents(file);
    for (std::size_t at : {std::size_t{0}, binary.size() / 2, binary.size() + 3, good.size() - 1}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        std::ofstream(file, std::ios::binary) << bad;
        EXPECT_EQ(cache.load(key), std::nullopt) << "byte " << at << " changed";
        EXPECT_FALSE(fs::exists(file));
        cache.store(key, binary, "kernel", ".cu");
        EXPECT_EQ(cache.load(key), binary);
    }
}

TEST_F(DiskCache, ATruncatedFileIsAMissIsRemovedAndIsRebuilt) {
    disk_cache cache(folder.string(), plenty);
    const cache_key key = key_of("kernel");
    cache.store(key, "binary", "kernel", ".cu");
    const fs::path file = only_file(".bin");
    const auto whole = fs::file_size(file);
    for (std::uintmax_t size : {std::uintmax_t{0}, std::uintmax_t{5}, whole / 2, whole - 1}) {
        fs::resize_file(file, size);
        EXPECT_EQ(cache.load(key), std::nullopt) << "cut to " << size << " bytes";
        EXPECT_FALSE(fs::exists(file));
        cache.store(key, "binary", "kernel", ".cu");
        EXPECT_EQ(cache.load(key), "binary");
    }
}

TEST_F(DiskCache, NoDamageIsEverLoaded) {
    disk_cache cache(folder.string(), 1 << 20);
    const cache_key key = key_of("kernel");
    const std::string binary(3000, 'b');
    cache.store(key, binary, "kernel", ".cu");
    const fs::path file = only_file(".bin");
    const std::string good = contents(file);
    std::mt19937_64 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int k = 0; k < 400; ++k) {
        std::string bad = good;
        switch (k % 5) {
            case 0: bad[below(bad.size())] = static_cast<char>(bad[0] + 1 + k % 255); break;
            case 1: bad.resize(below(bad.size())); break;
            case 2: bad.insert(below(bad.size()), 1 + below(100), 'x'); break;
            case 3: bad.erase(below(bad.size() - 100), 1 + below(100)); break;
            default:  // the trailer, with its sizes
                for (std::size_t at = 0; at < 8; ++at)
                    bad[bad.size() - 1 - below(frit::detail::entry_trailer_size)] = static_cast<char>(random());
        }
        if (bad == good) continue;
        std::ofstream(file, std::ios::binary) << bad;
        ASSERT_EQ(cache.load(key), std::nullopt) << "damage " << k;
        ASSERT_FALSE(fs::exists(file)) << "damage " << k;
    }
    cache.store(key, binary, "kernel", ".cu");
    EXPECT_EQ(cache.load(key), binary);
}

// What a file says about its size is not believed: four terabytes of nothing, also with a trailer that describes them.
TEST_F(DiskCache, AFileOfAbsurdSizeIsNotReadAndIsRemoved) {
    disk_cache cache(folder.string(), std::uint64_t{1} << 50);
    const cache_key key = key_of("kernel");
    cache.store(key, "binary", "kernel", ".cu");
    const fs::path file = only_file(".bin");
    const std::string trailer = contents(file).substr(fs::file_size(file) - frit::detail::entry_trailer_size);
    constexpr std::uint64_t absurd = std::uint64_t{4} << 40;
    for (const bool described : {false, true}) {
        cache.store(key, "binary", "kernel", ".cu");
        if (::truncate(file.c_str(), absurd) != 0) GTEST_SKIP() << "no sparse files of this size in " << folder;
        if (described) {
            std::string end = trailer;
            const std::uint64_t key_size = key.bytes().size(), binary_size = absurd - end.size() - key_size;
            std::memcpy(end.data() + 8, &binary_size, 8);
            ASSERT_TRUE(frit::detail::describes(end, absurd));
            std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
            f.seekp(static_cast<std::streamoff>(absurd - end.size()));
            f << end;
        }
        EXPECT_EQ(cache.load(key), std::nullopt);
        EXPECT_FALSE(fs::exists(file));
    }
}

// It is removed first where room is made, and not as one that pushes all others out.
TEST_F(DiskCache, AFileOfAbsurdSizePushesNothingOut) {
    { disk_cache(folder.string(), plenty).store(key_of("kernel"), "binary", "kernel", ".cu"); }
    const fs::path absurd = folder / (std::string(32, 'a') + ".bin");
    std::ofstream(absurd) << "x";
    if (::truncate(absurd.c_str(), std::int64_t{4} << 40) != 0) GTEST_SKIP() << "no sparse files of this size here";
    disk_cache later(folder.string(), plenty);
    later.store(key_of("another"), "binary", "kernel", ".cu");
    EXPECT_FALSE(fs::exists(absurd));
    EXPECT_EQ(later.load(key_of("kernel")), "binary");
}

TEST_F(DiskCache, WhatIsMadeIsForThisUserAloneWhateverTheUmask) {
    const auto mode_of = [](const fs::path& p) { return static_cast<unsigned>(fs::status(p).permissions()); };
    for (const mode_t umask : {0000, 0022, 0777}) {
        const fs::path parent = folder / std::to_string(umask), made = parent / "frit";
        ::umask(umask);
        disk_cache cache(made.string(), plenty);
        cache.store(key_of("kernel"), "binary", "kernel", ".cu");
        ::umask(0022);
        EXPECT_EQ(mode_of(parent), 0700U) << umask;
        EXPECT_EQ(mode_of(made), 0700U) << umask;
        int files = 0;
        for (const auto& entry : fs::directory_iterator(made)) {
            EXPECT_EQ(mode_of(entry.path()), 0600U) << umask;
            ++files;
        }
        EXPECT_EQ(files, 2);
        EXPECT_EQ(cache.load(key_of("kernel")), "binary");
    }
}

TEST_F(DiskCache, AFolderThatIsRemovedIsMadeAnew) {
    disk_cache cache((folder / "frit").string(), plenty);
    for (int round = 0; round < 3; ++round) {
        cache.store(key_of("kernel"), "binary", "kernel", ".cu");
        EXPECT_EQ(cache.load(key_of("kernel")), "binary");
        fs::remove_all(folder / "frit");
        EXPECT_EQ(cache.load(key_of("kernel")), std::nullopt);
    }
}

TEST_F(DiskCache, AFolderThatCannotBeMadeOrWrittenIsNoError) {
    std::ofstream(folder / "file") << "not a folder";
    disk_cache below_a_file((folder / "file" / "cache").string(), plenty);
    below_a_file.store(key_of("kernel"), "binary", "kernel", ".cu");
    EXPECT_EQ(below_a_file.load(key_of("kernel")), std::nullopt);

    if (::geteuid() != 0) {  // permissions do not bind root
        const fs::path locked = folder / "locked";
        fs::create_directory(locked);
        fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
        disk_cache cache(locked.string(), plenty);
        cache.store(key_of("kernel"), "binary", "kernel", ".cu");
        EXPECT_EQ(cache.load(key_of("kernel")), std::nullopt);
        fs::permissions(locked, fs::perms::owner_all);
    }

    disk_cache off("", plenty);
    off.store(key_of("kernel"), "binary", "kernel", ".cu");
    EXPECT_EQ(off.load(key_of("kernel")), std::nullopt);
}

TEST_F(DiskCache, TwoProcessesAtOnceSeeWholeFilesOnly) {
    constexpr int kernels = 4, rounds = 100;
    const auto binary_of = [](int k) {
        return std::string(static_cast<std::size_t>(5000 + 777 * k), static_cast<char>('a' + k));
    };
    const auto work = [&] {
        disk_cache cache(folder.string(), plenty);
        for (int round = 0; round < rounds; ++round)
            for (int k = 0; k < kernels; ++k) {
                const cache_key key = key_of("kernel " + std::to_string(k));
                if (const auto found = cache.load(key); found && *found != binary_of(k)) return 1;
                cache.store(key, binary_of(k), "source", ".cu");
                const auto found = cache.load(key);
                if (!found || *found != binary_of(k)) return 2;
            }
        return 0;
    };
    pid_t children[2];
    for (pid_t& child : children) {
        child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) ::_exit(work());
    }
    for (pid_t child : children) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0) << "1: foreign contents, 2: own entry lost";
    }
    for (const auto& entry : fs::directory_iterator(folder)) EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST_F(DiskCache, StaysWithinItsBoundAndKeepsWhatIsUsed) {
    constexpr std::uint64_t bound = 100'000;
    const std::string binary(10'000, 'x');
    disk_cache cache(folder.string(), bound);
    cache.store(key_of("in use"), binary, "s", ".cu");
    for (int k = 0; k < 40; ++k) {
        // File times may be as coarse as a few milliseconds: the order of use must not hang on them.
        ::usleep(5000);
        ASSERT_EQ(cache.load(key_of("in use")), binary) << "after " << k << " others";
        ::usleep(5000);
        cache.store(key_of("kernel " + std::to_string(k)), binary, "s", ".cu");
        std::uint64_t total = 0;
        for (const auto& entry : fs::directory_iterator(folder)) total += entry.file_size();
        EXPECT_LE(total, bound);
    }
    EXPECT_EQ(cache.load(key_of("kernel 0")), std::nullopt);
    EXPECT_EQ(cache.load(key_of("kernel 39")), binary);
}

TEST_F(DiskCache, FilesOfOthersAreNeitherCountedNorRemoved) {
    const std::string hex(32, 'a');
    const std::string foreign[] = {"thesis.tex",       "draft.tmp", hex,          hex + ".tex",        hex + "a.bin",
                                   hex + ".bin.1.tmp", "abc.bin",   hex + ".tmp", hex + ".bin.1.x.tmp"};
    const std::string left_over = hex + ".bin.123.4.tmp", fresh = hex + ".cu.123.5.tmp";
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 365);
    for (const std::string& name : foreign) {
        std::ofstream(folder / name) << std::string(50'000, 'x');
        fs::last_write_time(folder / name, long_ago);
    }
    for (const std::string& name : {left_over, fresh}) std::ofstream(folder / name) << "x";
    fs::last_write_time(folder / left_over, long_ago);

    disk_cache cache(folder.string(), 40'000);
    for (int k = 0; k < 10; ++k) cache.store(key_of("kernel " + std::to_string(k)), std::string(10'000, 'x'), "s", ".cu");
    for (const std::string& name : foreign) EXPECT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_FALSE(fs::exists(folder / left_over));
    EXPECT_TRUE(fs::exists(folder / fresh));
    EXPECT_EQ(cache.load(key_of("kernel 0")), std::nullopt);
    EXPECT_TRUE(cache.load(key_of("kernel 9")));
}

TEST_F(DiskCache, AnEntryLargerThanTheBoundIsNotStored) {
    disk_cache cache(folder.string(), 40'000);
    cache.store(key_of("small"), "binary", "s", ".cu");
    cache.store(key_of("large"), std::string(50'000, 'x'), "s", ".cu");
    EXPECT_EQ(cache.load(key_of("large")), std::nullopt);
    EXPECT_EQ(cache.load(key_of("small")), "binary");
}

}  // namespace
