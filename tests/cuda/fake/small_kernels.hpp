// The kernels for many small problems on the fake driver: it runs them in the emulator.
#pragma once

#include <cxxabi.h>

#include <complex>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/cuda/real_rows.hpp"
#include "src/cuda/small_matrices.hpp"
#include "tests/cuda/emulated_source.hpp"
#include "tests/cuda/fake/fixture.hpp"

namespace frit_test {

/// "small_solve<float, 16, 1, 16, 128>" of the kernel's symbol; those of templates have a type of result too.
inline std::string name_of_symbol(const std::string& symbol) {
    int failed = 0;
    char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed);
    const std::string all = failed == 0 ? text : symbol;
    std::free(text);
    const std::size_t begin = all.starts_with("void ") ? 5 : 0;
    return all.substr(begin, all.find('(') - begin);
}

/// A kernel's source with another name: texts are the same for all sizes.
inline frit::detail::raw_source small_source(const std::string& name) {
    namespace cuda = frit::detail::cuda;
    const auto f32 = frit::dtype::f32;
    if (name == "rows_behind_exchanges") return *cuda::row_order().source;
    frit::detail::raw_source s = *(name.starts_with("small_solve<") ? cuda::small_solve(f32, 1, 1)
                                   : name.starts_with("real_rows<") ? cuda::real_rows(64, true, true)
                                   : name.starts_with("small_svd<") ? cuda::small_svd(f32, 1, 1, true, false)
                                                                    : cuda::small_eigh(f32, 1, true))
                                      .source;
    s.name = name;
    return s;
}

/// The blocks of the device's memory that pointers among the parameters point into.
inline std::vector<watched_range> pointed_into(const frit::detail::raw_source& of, void** parameters) {
    std::vector<watched_range> memory;
    for (const auto& [at, bytes] : fake().on_device) {
        const char* const begin = reinterpret_cast<const char*>(at);
        for (std::size_t k = 0; k < of.parameters.size(); ++k) {
            if (!of.parameters[k].is_pointer) continue;
            const char* const p = *static_cast<const char**>(parameters[k]);
            if (p < begin || p >= begin + bytes) continue;
            memory.push_back({begin, begin + bytes, true, 4, "the device's memory"});
            break;
        }
    }
    return memory;
}

/// What the fake driver does in the place of the kernel that was launched last.
inline void run_small_kernel(void** parameters) {
    struct kernel {
        frit::detail::raw_source source;
        emulated_source code;
        explicit kernel(const std::string& name) : source(small_source(name)), code(source) {}
    };
    static auto& known = *new std::map<std::string, std::unique_ptr<kernel>>;
    const std::string name = name_of_symbol(fake().launched.back());
    std::unique_ptr<kernel>& it = known[name];
    if (!it) it = std::make_unique<kernel>(name);
    it->code.run(fake().grid, fake().block, parameters, pointed_into(it->source, parameters),
                 static_cast<unsigned>(fake().launches));
}

/// A fake driver that runs these kernels.
class SmallKernels : public FakeDriver {
protected:
    void SetUp() override {
        FakeDriver::SetUp();
        if (!IsSkipped()) fake().program = run_small_kernel;
    }
    void TearDown() override {
        if (gpu) fake().program = nullptr;
    }
};

template <class F>
void for_each_type(F f) {
    f(float());
    f(double());
    f(std::complex<float>());
    f(std::complex<double>());
}

}  // namespace frit_test
