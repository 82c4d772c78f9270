// Functions of text against the host's compiler: random programs in the subset of C (random_c.hpp), each compiled as C++
// too, and run on the same arguments by every engine. They agree bit by bit.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/temporary_folder.hpp"
#include "tests/differential/random_c.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array, frit::dtype;
using frit_test::c_function;

constexpr int programs = 500, in_a_row = 4;  // that may call each other
constexpr std::int64_t n = 203;

/// What a program is given: numbers of all sizes, and the ends of their ranges.
struct arguments {
    std::vector<int> first;
    std::vector<double> second;
    std::vector<std::uint32_t> third;
    arguments() {
        frit_test::generator g(12);
        for (std::int64_t k = 0; k < n; ++k) {
            const int size = static_cast<int>(g.between(1, 31));
            first.push_back(static_cast<int>(g.between(-(std::int64_t{1} << size), (std::int64_t{1} << size) - 1)));
            second.push_back(static_cast<double>(g.between(-1000000, 1000000) >> g.between(0, 19)));
            third.push_back(static_cast<std::uint32_t>(g.next() >> g.between(32, 63)));
        }
        first[0] = 0, first[1] = INT32_MIN, first[2] = INT32_MAX, third[3] = UINT32_MAX, third[4] = 0;
    }
};

/// Programs as a shared library of the host's compiler.
class compiled_programs {
public:
    explicit compiled_programs(const std::vector<c_function>& all) {
        std::ofstream text(folder_ / "programs.cpp");
        text << "#include <cmath>\n#include <cstdint>\n";
        for (const c_function& f : all) {
            const std::string type = frit_test::c_name_of(f.result);
            text << "static " << type << ' ' << f.name << "(int x0, double x1, uint32_t x2) {\n"
                 << f.body << "}\n"
                 << "extern \"C\" void run_" << f.name << "(const int* a, const double* b, const uint32_t* c, void* to) {\n"
                 << "    for (int k = 0; k < " << n << "; ++k) static_cast<" << type << "*>(to)[k] = " << f.name
                 << "(a[k], b[k], c[k]);\n}\n";
        }
        text.close();
        const char* const chosen = std::getenv("CXX");
        const auto made = frit::detail::run_process({chosen && *chosen ? chosen : "c++", "-x", "c++", "-std=c++20", "-O1",
                                                     "-w", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC",
                                                     folder_ / "programs.cpp", "-o", folder_ / "programs.so"});
        if (made.status != 0) throw std::runtime_error("the programs do not compile: " + made.output);
        library_ = dlopen((folder_ / "programs.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library_) throw std::runtime_error(dlerror());
    }
    ~compiled_programs() {
        if (library_) dlclose(library_);
    }
    compiled_programs(const compiled_programs&) = delete;
    compiled_programs& operator=(const compiled_programs&) = delete;

    template <class T>
    std::vector<T> run(const c_function& f, const arguments& x) const {
        using function = void (*)(const int*, const double*, const std::uint32_t*, void*);
        std::vector<T> got(static_cast<std::size_t>(n));
        reinterpret_cast<function>(dlsym(library_, ("run_" + f.name).c_str()))(x.first.data(), x.second.data(),
                                                                               x.third.data(), got.data());
        return got;
    }

private:
    frit::detail::temporary_folder folder_{"test"};
    void* library_ = nullptr;
};

template <class T>
void expect_same(const c_function& f, const compiled_programs& by, const arguments& x, const std::string& who) {
    const frit::function<T(int, double, std::uint32_t)> function(f.name, f.body);
    const std::vector<T> want = by.run<T>(f, x);
    const std::vector<T> got =
        array<T>(function(frit::from_host(x.first), frit::from_host(x.second), frit::from_host(x.third))).to_vector();
    ASSERT_EQ(got.size(), want.size()) << who << "\n" << f.body;
    for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_EQ(got[k], want[k]) << who << ", " << f.name << "(" << x.first[k] << ", " << x.second[k] << ", " << x.third[k]
                                   << ")\n"
                                   << f.body;
}
void expect_same(const c_function& f, const compiled_programs& by, const arguments& x, const std::string& who) {
    switch (f.result) {
        case dtype::i32: return expect_same<int>(f, by, x, who);
        case dtype::u32: return expect_same<std::uint32_t>(f, by, x, who);
        case dtype::i64: return expect_same<std::int64_t>(f, by, x, who);
        case dtype::f32: return expect_same<float>(f, by, x, who);
        default: return expect_same<double>(f, by, x, who);
    }
}

/// Those of this run: all, or a sample of the rows.
std::vector<c_function> programs_of_this_run() {
    std::vector<c_function> all;
    for (int row = 0; row < programs / in_a_row; ++row) {
        if (!frit_test::sampled(static_cast<std::size_t>(row), 12)) continue;
        std::vector<c_function> earlier;
        for (int k = 0; k < in_a_row; ++k) {
            const int number = row * in_a_row + k;
            earlier.push_back(frit_test::random_c_function(static_cast<std::uint64_t>(number),
                                                           "program_" + std::to_string(number), earlier));
        }
        all.insert(all.end(), earlier.begin(), earlier.end());
    }
    return all;
}

TEST(CPrograms, ComputeWhatTheHostsCompilerComputes) {
    const std::vector<c_function> all = programs_of_this_run();
    const compiled_programs compiled(all);
    const arguments x;
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (const frit_test::engine e : frit_test::engines()) {
            if (e == frit_test::engine::cxx && k % 8 != 0 && !frit_test::thorough()) continue;  // a process each
            const frit_test::with_engine chosen(e);
            expect_same(all[k], compiled, x, name_of(e));
            if (HasFatalFailure()) return;
        }
    }
}
}  // namespace
