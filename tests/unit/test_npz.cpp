// .npz files: those that NumPy wrote (data/npz, made by data/make_npz_cases.py), files back, and archives that are none, or
// are damaged. That NumPy reads what is written here: tests/interop/test_npz.py.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <frit/frit.hpp>
#include <frit/npz.hpp>

#include "src/io/zip.hpp"
#include "tests/support/kernels.hpp"

namespace {

namespace fs = std::filesystem;
using frit::array;
using frit::shape;
using ints = std::vector<int>;

std::string fixture(const std::string& name) { return FRIT_TEST_SOURCE_DIR "/unit/data/npz/" + name + ".npz"; }

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

std::span<const std::byte> bytes_of(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }

/// Skipped where frit was built without zlib, which its functions must then say.
class Npz : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "frit-npz-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        try {
            frit::save_npz(at("try.npz"), {});
            fs::remove(at("try.npz"));
        } catch (const frit::io_error& e) {
            ASSERT_NE(std::string(e.what()).find("this build of frit has no zlib"), std::string::npos) << e.what();
            GTEST_SKIP() << e.what();
        }
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string at(const char* name) const { return (folder / name).string(); }
    fs::path folder;
};

TEST_F(Npz, WhatNumpyWrote) {
    for (const char* name : {"stored", "deflated", "zip64"}) {
        SCOPED_TRACE(name);
        const auto all = frit::load_npz(fixture(name));
        ASSERT_EQ(all.size(), 9U);
        EXPECT_EQ(all.at("x").dtype(), frit::dtype::f64);
        EXPECT_EQ(all.at("x").shape(), shape({2, 3}));
        EXPECT_EQ(all.at("x").as<double>().to_vector(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(all.at("k").as<int>().to_vector(), (ints{-2, -1, 0, 1}));
        EXPECT_EQ(all.at("big").as<std::uint32_t>().to_vector(), (std::vector<std::uint32_t>{1, 2, 70000}));
        EXPECT_EQ(all.at("fortran").shape(), shape({2, 3}));
        EXPECT_EQ(all.at("fortran").as<float>().to_vector(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(all.at("mask").as<bool>().to_vector(), (std::vector<bool>{true, false, true}));
        EXPECT_EQ(all.at("rank_0").as<std::int64_t>().item(), -7);
        EXPECT_EQ(all.at("none").shape(), shape({0, 3}));
        EXPECT_EQ(all.at("a/b").as<std::uint8_t>().to_vector(), (std::vector<std::uint8_t>{1, 1}));
        EXPECT_EQ(all.at("\u00fc").as<std::int16_t>().item(), 1);
        EXPECT_EQ(frit::load_npz(bytes_of(contents(fixture(name)))).size(), 9U);
        EXPECT_EQ(frit::load_npz<double>(fixture(name), "fortran").to_vector(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(frit::load_npz<double>(bytes_of(contents(fixture(name))), "k")(0).item(), -2);
    }
    EXPECT_TRUE(frit::load_npz(fixture("nothing")).empty());
    EXPECT_EQ(frit::load_npz<int>(fixture("comment"), "x").rank(), 0);
    const array<std::int64_t> x = frit::load_npz<std::int64_t>(fixture("long"), "x");
    EXPECT_TRUE(frit::array_equal(x, frit::arange<std::int64_t>(20000) % 100));
}

TEST_F(Npz, WhatIsNotRead) {
    EXPECT_ERROR((void)frit::load_npz<int>(fixture("float16"), "h"), frit::dtype_error, "load_npz", "float16",
                 "only with a cast", "test_npz.cpp");
    EXPECT_TRUE(frit::array_equal(frit::load_npz(fixture("float16")).at("h").as<frit::half>(), frit::ones<frit::half>(3)));
    EXPECT_EQ(frit::load_npz<double>(fixture("float16"), "x").size(), 3);
    EXPECT_ERROR((void)frit::load_npz<int>(fixture("stored"), "x"), frit::dtype_error, "float64", "array<int32>");
    EXPECT_ERROR((void)frit::load_npz(fixture("text")), frit::io_error, "'readme.txt' is no .npy file");
    EXPECT_EQ(frit::load_npz<int>(fixture("text"), "x").rank(), 0);
    EXPECT_ERROR((void)frit::load_npz(fixture("bzip2")), frit::io_error, "its entry 'x.npy'", "method 12");
    EXPECT_ERROR((void)frit::load_npz(fixture("twice")), frit::io_error, "'x.npy' is there twice");
    EXPECT_ERROR((void)frit::load_npz<int>(fixture("twice"), "x"), frit::io_error, "'x.npy' is there twice");
    EXPECT_ERROR((void)frit::load_npz<int>(fixture("stored"), "y"), frit::io_error, "stored.npz", "no array 'y'");
    EXPECT_ERROR((void)frit::load_npz(at("none.npz")), frit::io_error, "none.npz", "No such file", "test_npz.cpp");
    EXPECT_ERROR((void)frit::load_npz(folder.string()), frit::io_error, "no regular file");
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    EXPECT_ERROR((void)frit::load_npz(at("pipe")), frit::io_error, "no regular file");
}

TEST_F(Npz, SavedAndReadBack) {
    const array<double> x{{1, 2}, {3, 4}};
    frit::save_npz(at("x.npz"), {{"x", x}});
    EXPECT_EQ(frit::load_npz<double>(at("x.npz"), "x").to_vector(), x.to_vector());

    const array<double> y = x + 1.0;
    frit::reset_stats();
    frit::save_npz(at("x.npz"), {{"y", y}, {"product", y * 2.0}, {"view", x.T()}, {"mask", x > 2.0}});
    EXPECT_EQ(frit::stats().kernels_launched, 1U);  // one plan
    const auto all = frit::load_npz(at("x.npz"));   // replaced as a whole
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all.at("product").as<double>().to_vector(), (std::vector<double>{4, 6, 8, 10}));
    EXPECT_EQ(all.at("view").as<double>().to_vector(), (std::vector<double>{1, 3, 2, 4}));
    EXPECT_EQ(all.at("mask").as<bool>().to_vector(), (std::vector<bool>{false, false, true, true}));

    std::vector<frit::named_array> list;
    for (const auto& [name, value] : frit::load_npz(fixture("deflated"))) list.emplace_back(name, value);
    frit::save_npz(at("list.npz"), list);
    const auto again = frit::load_npz(at("list.npz")), before = frit::load_npz(fixture("stored"));
    ASSERT_EQ(again.size(), before.size());
    for (const auto& [name, value] : again) {
        EXPECT_EQ(value.dtype(), before.at(name).dtype()) << name;
        EXPECT_EQ(value.shape(), before.at(name).shape()) << name;
    }
    EXPECT_EQ(again.at("fortran").as<float>().to_vector(), before.at("fortran").as<float>().to_vector());
    EXPECT_EQ(static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator())), 2U);
    frit::save_npz(at("twice.npz"), list);
    EXPECT_EQ(contents(at("twice.npz")), contents(at("list.npz")));  // no clock is in it
}

TEST_F(Npz, NamesAreOnlyNames) {
    const array<int> one{1};
    frit::save_npz(at("x.npz"), {{"../../up", one}, {"/root", one}, {"x.npy", one}, {"\xc3\xbc b", one}});
    const auto all = frit::load_npz(at("x.npz"));
    EXPECT_EQ(all.size(), 4U);
    for (const char* name : {"../../up", "/root", "x.npy", "\xc3\xbc b"})
        EXPECT_EQ(all.at(name).as<int>().item(), 1) << name;
    EXPECT_ERROR(frit::save_npz(at("y.npz"), {{"", one}}), frit::io_error, "save_npz", "empty name", "test_npz.cpp");
    EXPECT_ERROR(frit::save_npz(at("y.npz"), {{"a", one}, {"b", one}, {"a", one}}), frit::io_error, "'a' is there twice");
    EXPECT_ERROR(frit::save_npz(at("y.npz"), {{std::string(65532, 'x'), one}}), frit::io_error, "too long");
    EXPECT_ERROR(frit::save_npz(at("y.npz"), {{std::string("a\0b", 3), one}}), frit::io_error, "zero byte");
    EXPECT_ERROR(frit::save_npz(at("no/y.npz"), {{"a", one}}), frit::io_error, "no/y.npz", "No such file");
    EXPECT_ERROR(frit::save_npz(at("y.npz"), {{"a", array<int>()}}), frit::error, "empty array");
    EXPECT_FALSE(fs::exists(at("y.npz")));
}

TEST_F(Npz, AnyArray) {
    frit::save_npz(at("one.npz"), {{"x", array<short>{1, 2}}});
    const frit::any_array one = frit::load_npz(at("one.npz"), "x");
    EXPECT_EQ(one.dtype(), frit::dtype::i16);
    EXPECT_EQ((one * 2).to_vector<short>(), (std::vector<short>{2, 4}));
    const frit::any_array none, x = array<float>{1, 2};
    EXPECT_TRUE(none.empty());
    EXPECT_FALSE(x.empty());
    EXPECT_ERROR((void)none.dtype(), frit::error, "any_array: an operand is an empty array", "test_npz.cpp");
    EXPECT_ERROR((void)none.as<int>(), frit::error, "any_array: an operand is an empty array", "test_npz.cpp");
    EXPECT_ERROR((void)x.as<double>(), frit::dtype_error, "float32", "float64", "cast", "test_npz.cpp");
    EXPECT_EQ(x.as<float>().to_vector(), (std::vector<float>{1, 2}));
}

// --- damaged archives ---

void refused(const std::string& bytes, const std::string& reason) {
    SCOPED_TRACE(reason);
    EXPECT_ERROR((void)frit::load_npz(bytes_of(bytes)), frit::io_error, "load_npz: bytes in memory", reason, "test_npz.cpp");
}
std::string changed(std::string bytes, std::size_t at, const std::string& to) { return bytes.replace(at, to.size(), to); }

TEST_F(Npz, EveryCutIsAnError) {
    for (const char* name : {"stored", "deflated", "zip64"}) {
        const std::string good = contents(fixture(name));
        for (std::size_t size = 0; size < good.size(); ++size)
            EXPECT_THROW((void)frit::load_npz(bytes_of(good.substr(0, size))), frit::io_error) << name << ", " << size;
        refused(good + "x", "the directory at its end is missing");
        refused("x" + good, "damaged");
    }
}

TEST_F(Npz, EveryChangedByteOfDataIsAnError) {
    for (const char* name : {"stored", "deflated"}) {
        const std::string good = contents(fixture(name));
        const std::size_t directory = good.find("PK\1\2"), first = good.find("PK\3\4", 4);
        ASSERT_LT(first, directory);
        const std::size_t data = 30 + std::string("x.npy").size() + 20;  // its header with zip64's sizes, which NumPy writes
        for (std::size_t at = data; at < first; ++at) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0x40);
            try {  // the last byte of deflated data has bits that mean nothing
                EXPECT_EQ(frit::load_npz<double>(bytes_of(bad), "x").to_vector(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
                EXPECT_EQ(at, first - 1);
                EXPECT_STREQ(name, "deflated");
            } catch (const frit::io_error&) {
            }
        }
        refused(changed(good, directory + 16, "abcd"), "checksum");
    }
}

TEST_F(Npz, DamagedDirectories) {
    const std::string good = contents(fixture("stored"));
    const std::size_t entry = good.find("PK\1\2"), end = good.rfind("PK\5\6");
    const std::string four_ones(4, '\1'), zero(4, '\0');
    refused("", "no zip archive");
    refused(std::string(100, 'x'), "no zip archive");
    refused(changed(good, entry, "PK\1\3"), "does not begin as one");
    refused(changed(good, entry + 8, "\1"), "encrypted");
    refused(changed(good, entry + 10, "\x63"), "method 99");
    refused(changed(good, entry + 20, four_ones), "leads out of the file");
    refused(changed(good, entry + 24, four_ones), "two sizes differ");
    refused(changed(good, entry + 28, "\xff\xff"), "damaged");  // the name's length
    refused(changed(good, entry + 30, "\xff\xff"), "damaged");  // the extra field's
    refused(changed(good, entry + 42, four_ones), "leads out of the file");
    refused(changed(good, entry + 42, std::string("\1\0\0\0", 4)), "not where it says");
    refused(changed(good, end + 4, "\1"), "several files");
    refused(changed(good, end + 10, "\xfe\xff"), "too short for its entries");
    refused(changed(good, end + 10, "\x08"), "something follows");
    refused(changed(good, end + 10, "\x0a"), "damaged");
    refused(changed(good, end + 12, four_ones), "leads out of the file");
    refused(changed(good, end + 16, four_ones), "leads out of the file");
    refused(changed(good, end + 16, std::string(4, '\xff')), "its end is missing");  // there is no 64-bit record
    refused(changed(good, end + 20, "\1"), "the directory at its end is missing");
    // Every entry of the directory once more: the same data would be read again.
    const std::size_t second = good.find("PK\1\2", entry + 4);
    refused(changed(good, second + 42, good.substr(entry + 42, 4)), "overlap");
    const std::string large = contents(fixture("zip64"));
    const std::size_t locator = large.rfind("PK\6\7"), end64 = large.rfind("PK\6\6");
    refused(changed(large, locator, "PK\6\6"), "its end is missing");
    refused(changed(large, locator + 8, std::string(8, '\xff')), "leads out of the file");
    refused(changed(large, locator + 4, "\1"), "several files");
    refused(changed(large, end64, "PK\6\5"), "its end is missing");
    refused(changed(large, end64 + 32, std::string(8, '\xff')), "too short for its entries");
    refused(changed(large, end64 + 40, std::string(8, '\xff')), "leads out of the file");
    refused(changed(large, end64 + 48, std::string(8, '\xff')), "leads out of the file");
}

TEST_F(Npz, WhatADirectoryPromisesIsNotAllocated) {
    const std::string good = contents(fixture("long"));
    const std::size_t entry = good.find("PK\1\2");
    frit::reset_stats();
    const std::uint64_t before = frit::stats().live_bytes;
    refused(changed(good, entry + 24, "\xfe\xff\xff\xff"), "so few bytes cannot hold");
    refused(changed(good, entry + 24, std::string("\1\0\0\0", 4)), "longer than its directory says");
    EXPECT_LE(frit::stats().peak_bytes, before + (1 << 20));
}

/// Six GiB of zeros, then a directory.
class sparse final : public frit::detail::random_access {
public:
    explicit sparse(std::string directory) : directory_(std::move(directory)) {}
    static constexpr std::uint64_t start = std::uint64_t{6} << 30;
    std::uint64_t size() const override { return start + directory_.size(); }
    void read(std::uint64_t at, char* to, std::size_t n) const override {
        for (std::size_t k = 0; k < n; ++k) to[k] = at + k < start ? '\0' : directory_[at + k - start];
    }

private:
    std::string directory_;
};

TEST(ZipArchives, WhereThirtyTwoBitsDoNotDo) {
    frit::detail::zip_entry far{.name = "far.npy", .header_at = std::uint64_t{5} << 30, .packed = 10, .size = 10, .crc = 7};
    frit::detail::zip_entry large{.name = "large.npy", .packed = std::uint64_t{1} << 32, .size = std::uint64_t{1} << 32};
    const std::vector<frit::detail::zip_entry> entries{large, far};
    const auto read = frit::detail::read_zip_directory(sparse(frit::detail::zip_directory(entries, sparse::start)));
    ASSERT_EQ(read.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(read[k].name, entries[k].name);
        EXPECT_EQ(read[k].header_at, entries[k].header_at);
        EXPECT_EQ(read[k].packed, entries[k].packed);
        EXPECT_EQ(read[k].size, entries[k].size);
        EXPECT_EQ(read[k].crc, entries[k].crc);
    }
    EXPECT_EQ(frit::detail::zip_local_header(large).size(), 30 + large.name.size() + 20);
    EXPECT_EQ(frit::detail::zip_local_header(far).size(), 30 + far.name.size());
    const std::vector<frit::detail::zip_entry> many(70000);
    EXPECT_EQ(frit::detail::zip_directory(many, 0).size(), 70000U * 46 + 56 + 20 + 22);
}

}  // namespace
