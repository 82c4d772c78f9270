// Printing, against the texts that NumPy printed for the same arrays (data/print_cases.txt), and the options: their ranges,
// their scopes, and how much of a large array printing reads.
#include <gtest/gtest.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {

using frit::array;
using frit::float_mode;
using frit::printoptions;
using frit::scoped_printoptions;
using frit::shape;

// --- NumPy's texts ---

struct print_case {
    int line = 0;
    std::string type, extents, values, text;
    std::vector<std::string> options;
};

std::vector<print_case> read_cases() {
    const std::string path = FRIT_TEST_SOURCE_DIR "/unit/data/print_cases.txt";
    std::ifstream in(path);
    EXPECT_TRUE(in) << path;
    std::vector<print_case> cases;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.starts_with('#')) continue;
        if (line.starts_with("case ")) {
            print_case& c = cases.emplace_back();
            c.line = number;
            std::istringstream words(line.substr(5));
            words >> c.type >> c.extents;
            for (std::string option; words >> option;) c.options.push_back(option);
        } else if (line.starts_with('=')) {
            cases.back().values = line.substr(1);
        } else {
            print_case& c = cases.back();
            c.text += (c.text.empty() ? "" : "\n") + line.substr(2);
        }
    }
    return cases;
}

printoptions options_of(const print_case& c) {
    printoptions o;
    for (const std::string& option : c.options) {
        const std::string name = option.substr(0, option.find('=')), value = option.substr(option.find('=') + 1);
        if (name == "precision")
            o.precision = std::stoi(value);
        else if (name == "threshold")
            o.threshold = std::stoll(value);
        else if (name == "edgeitems")
            o.edgeitems = std::stoi(value);
        else if (name == "linewidth")
            o.linewidth = std::stoi(value);
        else if (name == "suppress")
            o.suppress = value == "1";
        else if (name == "nanstr")
            o.nanstr = value;
        else if (name == "infstr")
            o.infstr = value;
        else if (name == "sign")
            o.sign = value == "space" ? ' ' : value[0];
        else if (value == "fixed")
            o.floatmode = float_mode::fixed;
        else if (value == "unique")
            o.floatmode = float_mode::unique;
        else if (value == "maxprec")
            o.floatmode = float_mode::maxprec;
        else if (value == "maxprec_equal")
            o.floatmode = float_mode::maxprec_equal;
        else
            ADD_FAILURE() << "line " << c.line << ": " << option;
    }
    return o;
}

shape extents_of(const print_case& c) {
    shape s;
    if (c.extents == "-") return s;
    std::istringstream in(c.extents);
    for (std::string extent; std::getline(in, extent, 'x');) s.push_back(std::stoll(extent));
    return s;
}

template <class T>
T parsed(const std::string& word) {
    if constexpr (std::is_same_v<T, float>)
        return std::strtof(word.c_str(), nullptr);
    else if constexpr (std::is_same_v<T, double> || frit::is_short(frit::dtype_of<T>))
        return static_cast<T>(std::strtod(word.c_str(), nullptr));
    else if constexpr (std::is_same_v<T, bool>)
        return word == "1";
    else if constexpr (frit::is_complex(frit::dtype_of<T>)) {
        using part = typename T::value_type;
        const std::size_t comma = word.find(',');
        return {parsed<part>(word.substr(0, comma)), parsed<part>(word.substr(comma + 1))};
    } else {
        T x{};
        EXPECT_EQ(std::from_chars(word.data(), word.data() + word.size(), x).ec, std::errc()) << word;
        return x;
    }
}

template <class T>
std::string printed(const print_case& c) {
    const shape extents = extents_of(c);
    const auto count = static_cast<std::size_t>(extents.size());
    std::unique_ptr<T[]> values(new T[count]());
    std::istringstream words(c.values);
    std::string word;
    if (c.values.starts_with(" arange")) {
        std::string start, step;
        words >> word >> start >> step;
        for (std::size_t k = 0; k < count; ++k)
            values[k] = static_cast<T>(parsed<T>(start) + static_cast<T>(k) * parsed<T>(step));
    } else {
        std::size_t given = 0;
        for (; words >> word; ++given) {
            if (given < count) values[given] = parsed<T>(word);
        }
        EXPECT_EQ(given, count);
    }
    return to_string(frit::from_host(values.get(), extents));
}

std::string printed(const print_case& c, frit::dtype type) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case frit::dtype::name: return printed<ctype>(c);
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("no case has this dtype");
    }
}

/// The dtype of a name that NumPy gives it.
frit::dtype dtype_named(const std::string& name) {
#define FRIT_X(row, ctype, kind, numpy_name) \
    if (name == numpy_name) return frit::dtype::row;
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    throw std::runtime_error("no dtype is called " + name);
}

TEST(PrintAsNumpy, EveryCase) {
    std::set<frit::dtype> seen;
    for (const print_case& c : read_cases()) {
        const frit::dtype type = dtype_named(c.type);
        seen.insert(type);
        const scoped_printoptions guard(options_of(c));
        EXPECT_EQ(printed(c, type), c.text) << "print_cases.txt:" << c.line;
    }
#define FRIT_X(name, ctype) EXPECT_TRUE(seen.contains(frit::dtype::name)) << frit::name_of(frit::dtype::name);
    FRIT_COMPUTE_DTYPES(FRIT_X)
    FRIT_COMPLEX_DTYPES(FRIT_X)
#undef FRIT_X
    EXPECT_TRUE(seen.contains(frit::dtype::f16));
}

// NumPy has none: the fewest digits that read back, as of its own floats, and exponents where digits end.
TEST(PrintAsNumpy, Bfloat16) {
    EXPECT_EQ(to_string(frit::array<frit::bfloat16>{0.1, 1, -2.5}), "[ 0.1  1.  -2.5]");
    EXPECT_EQ(to_string(frit::array<frit::bfloat16>{3.14159}), "[3.14]");
    EXPECT_EQ(to_string(frit::array<frit::bfloat16>{1e30}), "[1.e+30]");
    EXPECT_EQ(to_string(frit::scalar(frit::bfloat16(99.5))), "99.5");
    EXPECT_EQ(to_string(frit::scalar(frit::bfloat16(128))), "1.28e+02");
}

// By each notation, alone and in an array.
TEST(PrintAsNumpy, ShortFloatsReadBack) {
    const auto check = [](auto number) {
        using T = decltype(number);
        for (int bits = 0; bits < 0x10000; ++bits) {
            const T x = T::from_bits(static_cast<std::uint16_t>(bits));
            if (x != x || std::abs(float{x}) > float{std::numeric_limits<T>::max()}) continue;
            std::string in_array = to_string(array<T>{x});
            ASSERT_EQ(in_array.back(), ']');
            for (const std::string& text : {to_string(frit::scalar(x)), in_array.substr(1)}) {
                double read = 0;
                std::from_chars(text.data(), text.data() + text.size(), read);
                ASSERT_EQ(T(read).bits(), x.bits()) << text;
            }
        }
    };
    const scoped_printoptions all_digits({.precision = 12});
    check(frit::half());
    check(frit::bfloat16());
}

// --- the options ---

const double pi = 3.14159265358979;

TEST(PrintOptions, DefaultsAreNumpys) {
    const printoptions o = frit::get_printoptions();
    EXPECT_EQ(o.precision, 8);
    EXPECT_EQ(o.threshold, 1000);
    EXPECT_EQ(o.edgeitems, 3);
    EXPECT_EQ(o.linewidth, 75);
    EXPECT_EQ(o.suppress, false);
    EXPECT_EQ(o.nanstr, "nan");
    EXPECT_EQ(o.infstr, "inf");
    EXPECT_EQ(o.sign, '-');
    EXPECT_EQ(o.floatmode, float_mode::maxprec);
}

TEST(PrintOptions, WhatIsNotGivenStays) {
    const array<double> x{pi, 1e-9};
    const printoptions before = frit::get_printoptions();
    frit::set_printoptions({.precision = 3});
    frit::set_printoptions({.suppress = true});
    EXPECT_EQ(to_string(x), "[3.142 0.   ]");
    EXPECT_EQ(frit::get_printoptions().precision, 3);
    frit::set_printoptions(before);
    EXPECT_EQ(to_string(x), "[3.14159265e+00 1.00000000e-09]");
}

TEST(PrintOptions, ScopesNestAndEnd) {
    const array<double> x{pi};
    {
        const scoped_printoptions outer({.precision = 3});
        EXPECT_EQ(to_string(x), "[3.142]");
        {
            const scoped_printoptions inner({.sign = '+'});
            EXPECT_EQ(to_string(x), "[+3.142]");
            frit::set_printoptions({.precision = 1});  // of the innermost scope
            EXPECT_EQ(to_string(x), "[+3.1]");
        }
        EXPECT_EQ(to_string(x), "[3.142]");
    }
    EXPECT_EQ(to_string(x), "[3.14159265]");
}

TEST(PrintOptions, AScopeIsItsThreadsAlone) {
    const scoped_printoptions guard({.precision = 1});
    int elsewhere = 0;
    std::thread([&] { elsewhere = frit::get_printoptions().precision.value(); }).join();
    EXPECT_EQ(elsewhere, 8);
}

TEST(PrintOptions, ManyThreadsAtOnce) {
    const array<double> x{pi};
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int k = 0; k < 200; ++k) {
                frit::set_printoptions({.nanstr = std::string(static_cast<std::size_t>(t) + 20, 'n')});
                const scoped_printoptions guard({.precision = t});
                wrong += to_string(x).size() != 4 + static_cast<std::size_t>(t);
            }
        });
    for (std::thread& t : threads) t.join();
    frit::set_printoptions({.nanstr = "nan"});
    EXPECT_EQ(wrong, 0);
}

TEST(PrintOptions, OutOfRangeChangesNothing) {
    EXPECT_ERROR(frit::set_printoptions({.precision = 2, .edgeitems = 0}), frit::error, "edgeitems", "at least 1",
                 "test_print.cpp");
    EXPECT_ERROR(frit::set_printoptions({.precision = -1}), frit::error, "precision", "1074");
    EXPECT_ERROR(frit::set_printoptions({.precision = 1075}), frit::error, "precision");
    EXPECT_ERROR(frit::set_printoptions({.threshold = -1}), frit::error, "threshold");
    EXPECT_ERROR(frit::set_printoptions({.precision = 2, .sign = '*'}), frit::error, "sign");
    EXPECT_THROW(const scoped_printoptions guard({.precision = -1}), frit::error);
    EXPECT_EQ(frit::get_printoptions().precision, 8);
}

// --- what is read ---

/// Bytes that printing x copies from the device; 0 where the device is the CPU, whose memory is read in place.
template <class A>
std::uint64_t bytes_of_printing(const A& x) {
    x.eval();
    const std::uint64_t before = frit::stats().device_to_host_bytes;
    (void)to_string(x);
    return frit::stats().device_to_host_bytes - before;
}
std::uint64_t on_a_gpu(std::uint64_t bytes) { return frit::default_device().is_cpu() ? 0 : bytes; }

TEST(PrintReads, OnlyWhatItShows) {
    EXPECT_EQ(bytes_of_printing(array<float>(frit::arange<float>(0, 1e6F))), on_a_gpu(6 * 4));
    EXPECT_EQ(bytes_of_printing(array<double>(frit::zeros<double>({300, 400}))), on_a_gpu(36 * 8));
    EXPECT_EQ(bytes_of_printing(array<int>(frit::zeros<int>({5, 300, 2, 30}))), on_a_gpu(5 * 6 * 2 * 6 * 4));
    EXPECT_EQ(bytes_of_printing(array<float>(frit::zeros<float>(1000))), on_a_gpu(1000 * 4));
    EXPECT_EQ(bytes_of_printing(array<bool>(frit::full({}, true))), on_a_gpu(1));
    EXPECT_EQ(bytes_of_printing(array<float>(frit::zeros<float>({0, 5}))), 0U);
}

TEST(PrintReads, TheRightOnes) {
    const array<int> x = frit::arange<int>(0, 20 * 30 * 40).reshape({20, 30, 40});
    const scoped_printoptions guard({.edgeitems = 1});
    EXPECT_EQ(to_string(x),
              "[[[    0 ...    39]\n  ...\n  [ 1160 ...  1199]]\n\n ...\n\n"
              " [[22800 ... 22839]\n  ...\n  [23960 ... 23999]]]");
}

TEST(PrintReads, BorrowedMemoryByItsStrides) {
    auto owner = std::make_shared<std::vector<int>>(6000);
    for (int k = 0; k < 6000; ++k) (*owner)[static_cast<std::size_t>(k)] = k;
    const array<int> columns = frit::borrow(owner->data(), {100, 60}, owner, {1, 100});
    const scoped_printoptions guard({.edgeitems = 2});
    EXPECT_EQ(to_string(columns),
              "[[   0  100 ... 5800 5900]\n [   1  101 ... 5801 5901]\n ...\n [  98  198 ... 5898 5998]\n"
              " [  99  199 ... 5899 5999]]");
    const array<int> backwards = frit::borrow(owner->data() + 5999, {6000}, owner, {-1});
    EXPECT_EQ(to_string(backwards), "[5999 5998 ...    1    0]");
}

TEST(PrintReads, AStreamTakesTheSameText) {
    const array<int> x{{1, 2}, {3, 4}};
    std::ostringstream s;
    s << x << " and " << x * 2;
    EXPECT_EQ(s.str(), "[[1 2]\n [3 4]] and [[2 4]\n [6 8]]");
}

TEST(PrintReads, AnEmptyHandleIsSaidToBeOne) { EXPECT_ERROR((void)to_string(array<float>()), frit::error, "empty array"); }

}  // namespace
