// .npy files: those that NumPy wrote (data/npy, made by data/make_npy_cases.py), files back byte for byte, and files that
// are none, or are damaged.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <frit/frit.hpp>

#include "src/io/npy_header.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/values.hpp"

namespace {

namespace fs = std::filesystem;
using frit::array;
using frit::shape;

std::string fixture(const std::string& name) { return FRIT_TEST_SOURCE_DIR "/unit/data/npy/" + name + ".npy"; }

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
array<T> from_bytes(const std::string& bytes) {
    return frit::load_npy<T>(std::as_bytes(std::span(bytes)));
}

template <class T>
std::string saved(const array<T>& x) {
    std::ostringstream to;
    frit::save_npy(to, x);
    return to.str();
}

/// Element k in C's order of every file that make_npy_cases.py wrote.
template <class T>
T element_of_file(int k) {
    const int x = 37 * k % 101;
    if constexpr (frit_test::is_complex<T>)
        return {element_of_file<typename T::value_type>(k), -element_of_file<typename T::value_type>(k + 3)};
    else if constexpr (std::is_same_v<T, bool>)
        return k % 3 == 0;
    else if constexpr (std::is_floating_point_v<T>)
        return k == 0   ? std::numeric_limits<T>::quiet_NaN()
               : k == 1 ? -std::numeric_limits<T>::infinity()
               : k == 2 ? -T{0}
                        : static_cast<T>(x - 49.75);
    else
        return static_cast<T>(std::is_signed_v<T> ? x - 50 : x);
}

template <class T>
void expect_file(const array<T>& x, const shape& extents, const std::string& what) {
    EXPECT_EQ(x.shape(), extents) << what;
    const auto values = x.to_vector();
    for (std::size_t k = 0; k < values.size(); ++k) {
        const T value = values[k], wanted = element_of_file<T>(static_cast<int>(k));
        EXPECT_EQ(std::memcmp(&value, &wanted, sizeof(T)), 0) << what << ", element " << k << ": " << value;
    }
}

template <class T>
class NpyOf : public testing::Test {};
template <class, class... T>
using types_of = testing::Types<T...>;
#define FRIT_X(name, ctype) , ctype
using numpy_types = types_of<void FRIT_COMPUTE_DTYPES(FRIT_X) FRIT_COMPLEX_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(NpyOf, numpy_types);

TYPED_TEST(NpyOf, BothByteOrdersAndBothLayouts) {
    using T = TypeParam;
    for (const std::string side : {"little", "big"}) {
        if (side == "big" && sizeof(T) == 1) continue;
        for (const std::string layout : {"C", "F"}) {
            const std::string name = std::string(frit::name_of(frit::dtype_of<T>)) + "_" + side + "_" + layout;
            expect_file(frit::load_npy<T>(fixture(name)), {3, 4}, name);
            expect_file(from_bytes<T>(contents(fixture(name))), {3, 4}, name);
            std::ifstream stream(fixture(name), std::ios::binary);
            expect_file(frit::load_npy<T>(stream), {3, 4}, name);
        }
    }
}

TYPED_TEST(NpyOf, SavedAsNumpySaves) {
    using T = TypeParam;
    const std::string name = std::string(frit::name_of(frit::dtype_of<T>)) + "_little_";
    const std::string written = contents(fixture(name + "C"));
    EXPECT_EQ(saved(frit::load_npy<T>(fixture(name + "C"))), written);
    EXPECT_EQ(saved(frit::load_npy<T>(fixture(name + "F"))), written);
}

// NumPy has float16; bfloat16 is written as the package ml_dtypes writes it.
TEST(Npy, ShortFloats) {
    const array<frit::half> x = frit::load_npy<frit::half>(fixture("float16"));
    ASSERT_EQ(x.size(), 3);
    EXPECT_TRUE(std::isnan(float{x(0).item()}));
    EXPECT_EQ(x(1).item().bits(), 0xfc00);
    EXPECT_EQ(x(2).item().bits(), 0x8000);
    EXPECT_EQ(saved(x), contents(fixture("float16")));
    EXPECT_EQ(frit::load_npy<double>(fixture("float16"))(1).item(), -INFINITY);
    const array<frit::half> big = frit::load_npy<frit::half>(fixture("float16_big"));
    EXPECT_TRUE(frit::array_equal(big, array<frit::half>{{1, -2.5}, {0.1, 65504}}));
    const array<frit::bfloat16> b = frit::load_npy<frit::bfloat16>(fixture("bfloat16"));
    EXPECT_TRUE(frit::array_equal(b, array<frit::bfloat16>{1, -2.5, 3.140625, INFINITY}));
    EXPECT_EQ(saved(b), contents(fixture("bfloat16")));
    EXPECT_EQ(frit::load_npy<float>(fixture("bfloat16"))(2).item(), 3.140625F);
    EXPECT_ERROR((void)frit::load_npy<frit::half>(fixture("bfloat16")), frit::dtype_error, "bfloat16", "array<float16>");
}

TEST(Npy, Versions) {
    for (const char* name : {"version_1", "version_2", "version_3"})
        expect_file(frit::load_npy<float>(fixture(name)), {5}, name);
}

TEST(Npy, ShapesAndTheirHeaders) {
    expect_file(frit::load_npy<int>(fixture("rank_0")), {}, "rank_0");
    expect_file(frit::load_npy<int>(fixture("rank_1_big")), {7}, "rank_1_big");
    expect_file(frit::load_npy<int>(fixture("rank_3_F")), {2, 3, 4}, "rank_3_F");
    EXPECT_EQ(frit::load_npy<int>(fixture("rank_16")).rank(), 16);
    EXPECT_EQ(frit::load_npy<double>(fixture("empty")).shape(), shape({0}));
    EXPECT_EQ(frit::load_npy<double>(fixture("empty_2d_F")).shape(), shape({3, 0}));
    for (const char* name : {"rank_0", "rank_16"})
        EXPECT_EQ(saved(frit::load_npy<int>(fixture(name))), contents(fixture(name))) << name;
    EXPECT_EQ(saved(frit::load_npy<double>(fixture("empty"))), contents(fixture("empty")));
    EXPECT_EQ(saved(frit::load_npy<float>(fixture("version_2"))), contents(fixture("version_1")));
}

TEST(Npy, ALoadedArrayIsLikeAnyOther) {
    const array<int> x = frit::load_npy<int>(fixture("rank_3_F"));
    EXPECT_EQ((x * 2)(1, 2, 3).item(), 2 * element_of_file<int>(23));
    EXPECT_EQ(frit::sum(x).item(), frit::sum(array<int>(x + 0)).item());
}

TEST(Npy, AnotherDtypeWhereArraysTakeItWithoutACast) {
    const array<double> x = frit::load_npy<double>(fixture("int32_big_C"));
    for (int k = 0; k < 12; ++k) EXPECT_EQ(x(k / 4, k % 4).item(), element_of_file<int>(k));
    EXPECT_EQ(frit::load_npy<double>(fixture("float32_little_F"))(2, 3).item(), element_of_file<float>(11));
    EXPECT_EQ(frit::load_npy<std::int64_t>(fixture("bool_little_C")).to_vector()[3], 1);
    EXPECT_EQ(frit::load_npy<double>(fixture("int64_little_C"))(0, 0).item(), -50);

    EXPECT_ERROR((void)frit::load_npy<float>(fixture("float64_little_C")), frit::dtype_error, "float64_little_C.npy",
                 "float64", "array<float32>", "test_npy.cpp");
    EXPECT_ERROR((void)frit::load_npy<float>(fixture("int32_little_C")), frit::dtype_error, "int32");
    EXPECT_ERROR((void)frit::load_npy<int>(fixture("int64_little_C")), frit::dtype_error, "int64");
    EXPECT_ERROR((void)frit::load_npy<int>(fixture("float32_little_C")), frit::dtype_error, "float32");
    EXPECT_ERROR((void)frit::load_npy<bool>(fixture("int8_little_C")), frit::dtype_error, "int8");
    EXPECT_ERROR((void)frit::load_npy<int>(fixture("float16")), frit::dtype_error, "float16", "only with a cast");
    EXPECT_ERROR((void)frit::load_npy<double>(fixture("complex64_little_C")), frit::dtype_error, "complex64");
}

TEST(Npy, WhatIsNoNumberIsRefused) {
    EXPECT_ERROR((void)frit::load_npy<float>(fixture("object")), frit::io_error, "object.npy", "'|O'", "none of frit's",
                 "test_npy.cpp");
    EXPECT_ERROR((void)frit::load_npy<float>(fixture("text")), frit::io_error, "'<U2'");
    EXPECT_ERROR((void)frit::load_npy<float>(fixture("time")), frit::io_error, "'<M8[D]'");
    EXPECT_ERROR((void)frit::load_npy<float>(fixture("records")), frit::io_error, "records");
    EXPECT_ERROR((void)frit::load_npy<int>(fixture("rank_17")), frit::io_error, "more than 16 dimensions");
}

TEST(Npy, BoolsAreTrueWhereTheByteIsNotZero) {
    std::string bytes = contents(fixture("bool_little_C"));
    bytes[bytes.size() - 1] = '\x80';
    bytes[bytes.size() - 2] = '\2';
    const std::vector<bool> values = from_bytes<bool>(bytes).to_vector();
    EXPECT_TRUE(values[10] && values[11]);
    EXPECT_EQ(frit::sum(from_bytes<bool>(bytes)).item(), 6);
}

// --- damaged files ---

/// A file with this dictionary, followed by `data` bytes.
std::string file_with(const std::string& dictionary, std::size_t data) {
    std::string bytes(frit::detail::npy_magic);
    bytes += {'\1', '\0', static_cast<char>(dictionary.size() % 256), static_cast<char>(dictionary.size() / 256)};
    return bytes + dictionary + std::string(data, '\0');
}
std::string file_of_shape(const std::string& extents, std::size_t data) {
    return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + extents + ", }\n", data);
}

TEST(Npy, DictionariesThatAreFine) {
    const std::string entries[] = {"'descr': '<f4'", "'fortran_order': False", "'shape': (2,)"};
    EXPECT_EQ(from_bytes<float>(file_with("{" + entries[2] + "," + entries[0] + "," + entries[1] + "}", 8)).size(), 2);
    EXPECT_EQ(
        from_bytes<float>(file_with("{\"descr\":\"f4\" , \"fortran_order\":True,\n\"shape\":( 1 , 2 ) }   \n", 8)).shape(),
        shape({1, 2}));
    EXPECT_EQ(from_bytes<float>(file_of_shape("(2L, 1L)", 8)).shape(), shape({2, 1}));  // Python 2
    EXPECT_EQ(from_bytes<float>(file_of_shape("(0, 1000000000000)", 0)).shape(), shape({0, 1000000000000}));
}

TEST(Npy, DamagedHeadersAreErrorsThatSayWhy) {
    const auto refused = [](const std::string& bytes, const std::string& reason) {
        EXPECT_ERROR((void)from_bytes<float>(bytes), frit::io_error, "load_npy: bytes in memory", reason, "test_npy.cpp");
    };
    const std::string good = contents(fixture("version_1"));
    refused("", "too short");
    refused("\x93NUMPY", "too short");
    refused("PK\3\4" + good, "does not begin");
    std::string bad = good;
    bad[6] = 4;
    refused(bad, "version 4.0");
    bad = good;
    bad[7] = 1;
    refused(bad, "version 1.1");
    bad = good;
    bad[9] = '\xFF';
    refused(bad, "longer than 10000");
    std::string absurd = contents(fixture("version_2"));
    absurd[11] = '\x7F';
    refused(absurd, "longer than 10000");
    refused(good.substr(0, 9), "within its header");
    refused(good.substr(0, 60), "within its header");

    const std::string a = "'descr': '<f4'", b = "'fortran_order': False", c = "'shape': (2,)";
    refused(file_with("", 8), "'{' is missing");
    refused(file_with("{" + a + ", " + b + "}", 8), "must have");
    refused(file_with("{}", 8), "must have");
    refused(file_with("{" + a + ", " + b + ", " + c + ", 'more': 1}", 8), "key 'more'");
    refused(file_with("{" + a + ", " + b + ", " + c + ", " + a + "}", 8), "'descr' is there twice");
    refused(file_with("{" + a + ", " + b + ", " + c, 8), "'}' is missing");
    refused(file_with("{" + a + " " + b + ", " + c + "}", 8), "'}' is missing");
    refused(file_with("{" + a + ", " + b + ", " + c + "} x", 8), "something follows");
    refused(file_with("{" + a + ", 'fortran_order': 1, " + c + "}", 8), "True nor False");
    refused(file_with("{'descr': '<f4, " + b + ", " + c + "}", 8), "its dtype '<f4, '");
    refused(file_with("{'descr", 8), "does not end");
    refused(file_with("{'descr': 4, " + b + ", " + c + "}", 8), "malformed");
    for (const std::string type : {"", "<", "f", "4", "<f3", "|f4", "<<f4", "<f4 ", "f8f8", "<f16", "|V3"})
        refused(file_with("{'descr': '" + type + "', " + b + ", " + c + "}", 8), "its dtype '" + type + "'");

    refused(file_with("{'descr': '\n" + std::string(5000, '7') + "'}", 8), "'?" + std::string(39, '7') + "...'");

    refused(file_of_shape("2", 8), "'(' is missing");
    refused(file_of_shape("(2)", 8), "no tuple");
    refused(file_of_shape("(2, x)", 8), "not an integer");
    refused(file_of_shape("(,)", 8), "not an integer");
    refused(file_of_shape("(2 3)", 8), "malformed");
    refused(file_of_shape("(-1,)", 8), "negative");
    refused(file_of_shape("(1e3,)", 8), "malformed");
    refused(file_of_shape("(99999999999999999999,)", 8), "too large");
    refused(file_of_shape("(4611686018427387904, 4)", 8), "more elements");
    refused(file_of_shape("(1000000, 1000000, 1000000, 1000000)", 8), "more elements");
}

TEST(Npy, AnArrayIsAllOfItsFileAndNoMore) {
    const std::string good = contents(fixture("int32_little_C"));
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_THROW((void)from_bytes<int>(good.substr(0, size)), frit::io_error) << size;
    EXPECT_ERROR((void)from_bytes<int>(good.substr(0, good.size() - 1)), frit::io_error, "cut short", "47 bytes", "48");
    EXPECT_ERROR((void)from_bytes<int>(good + "x"), frit::io_error, "something follows");
}

TEST(Npy, WhatAHeaderPromisesIsNotAllocated) {
    const std::string promises = file_of_shape("(1000000, 1000000, 1000)", 100);  // 4 petabytes
    frit::reset_stats();
    const std::uint64_t before = frit::stats().live_bytes;
    EXPECT_ERROR((void)from_bytes<float>(promises), frit::io_error, "cut short: 100 bytes");
    EXPECT_EQ(frit::stats().peak_bytes, before);
    std::istringstream stream(promises);  // whose length nobody knows
    EXPECT_ERROR((void)frit::load_npy<float>(stream), frit::io_error, "a stream", "cut short: 100 bytes");
    EXPECT_LE(frit::stats().peak_bytes, before + (1 << 20));
}

// --- streams and files ---

TEST(Npy, StreamsHoldOneArrayAfterTheOther) {
    std::stringstream stream;
    frit::save_npy(stream, array<int>{1, 2, 3});
    frit::save_npy(stream, array<float>{{1.5F}, {2.5F}});
    EXPECT_EQ(frit::load_npy<int>(stream).to_vector(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(frit::load_npy<float>(stream).shape(), shape({2, 1}));
    EXPECT_ERROR((void)frit::load_npy<int>(stream), frit::io_error, "a stream", "too short");
}

TEST(Npy, LongStreams) {
    const array<double> x = frit::arange<double>(0, 300'000);  // longer than what is read at once
    std::stringstream stream;
    frit::save_npy(stream, x);
    EXPECT_TRUE(frit::array_equal(frit::load_npy<double>(stream), x));
}

TEST(Npy, StreamsThatDoNotTakeIt) {
    std::ofstream nowhere("/nonexistent/x.npy");
    EXPECT_ERROR(frit::save_npy(nowhere, array<int>{1}), frit::io_error, "save_npy: a stream");
}

class NpyFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "frit-npy-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string at(const char* name) const { return (folder / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    fs::path folder;
};

TEST_F(NpyFiles, SavingReplacesWholeFiles) {
    frit::save_npy(at("x.npy"), array<int>{1, 2, 3});
    frit::save_npy(at("x.npy"), array<float>{4.5F});
    EXPECT_EQ(frit::load_npy<float>(at("x.npy")).to_vector(), std::vector<float>{4.5F});
    EXPECT_EQ(files(), 1U);
    const array<int> x{{1, 2}, {3, 4}};
    frit::save_npy(at("view.npy"), x.T()(frit::slice(frit::none, frit::none, -1)));
    EXPECT_EQ(frit::load_npy<int>(at("view.npy")).to_vector(), (std::vector<int>{2, 4, 1, 3}));
    frit::save_npy(at("x.npy"), frit::load_npy<float>(at("x.npy")) * 2);  // onto what it was read from
    EXPECT_EQ(frit::load_npy<float>(at("x.npy")).item(), 9);
}

TEST_F(NpyFiles, BorrowedMemoryByItsStrides) {
    auto owner = std::make_shared<std::vector<int>>(std::vector<int>{1, 2, 3, 4, 5, 6});
    frit::save_npy(at("x.npy"), frit::borrow(owner->data(), {3, 2}, owner, {1, 3}));
    EXPECT_EQ(frit::load_npy<int>(at("x.npy")).to_vector(), (std::vector<int>{1, 4, 2, 5, 3, 6}));
}

TEST_F(NpyFiles, LinksAreFollowedAndPermissionsStay) {
    frit::save_npy(at("x.npy"), array<int>{1});
    fs::permissions(at("x.npy"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("x.npy", at("link.npy"));
    frit::save_npy(at("link.npy"), array<int>{2});
    EXPECT_TRUE(fs::is_symlink(at("link.npy")));
    EXPECT_EQ(frit::load_npy<int>(at("x.npy")).item(), 2);
    EXPECT_EQ(fs::status(at("x.npy")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(NpyFiles, ThroughAPipe) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    std::thread writer([&] { frit::save_npy(at("pipe"), array<int>{7, 8}); });
    const array<int> x = frit::load_npy<int>(at("pipe"));
    writer.join();
    EXPECT_EQ(x.to_vector(), (std::vector<int>{7, 8}));
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(NpyFiles, ErrorsNameFileAndReason) {
    EXPECT_ERROR((void)frit::load_npy<int>(at("none.npy")), frit::io_error, "load_npy", "none.npy", "No such file",
                 "test_npy.cpp");
    EXPECT_ERROR((void)frit::load_npy<int>(folder.string()), frit::io_error, folder.string(), "directory");
    EXPECT_ERROR(frit::save_npy(at("no/folder.npy"), array<int>{1}), frit::io_error, "save_npy", "no/folder.npy",
                 "No such file", "test_npy.cpp");
    EXPECT_ERROR(frit::save_npy(folder.string(), array<int>{1}), frit::io_error, "directory");
    EXPECT_ERROR(frit::save_npy(at("x.npy"), array<int>()), frit::error, "empty array");
    EXPECT_EQ(files(), 0U);
}

TEST_F(NpyFiles, AFullDiskLeavesNothingBehind) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    EXPECT_ERROR(frit::save_npy("/dev/full", array<int>{1}), frit::io_error, "/dev/full", "No space left");
    frit::save_npy(at("x.npy"), array<int>{1});
    const rlimit none{256, RLIM_INFINITY};
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
    EXPECT_ERROR(frit::save_npy(at("x.npy"), frit::zeros<float>(1000)), frit::io_error, "x.npy", "too large");
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(frit::load_npy<int>(at("x.npy")).item(), 1);
}

}  // namespace
