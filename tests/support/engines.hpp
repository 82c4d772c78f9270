// Running a test under another engine, or without fusion, and putting things back.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frit/device.hpp"
#include "src/base/env.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/llvm.hpp"
#include "src/graph/eval.hpp"
#include "tests/support/thorough.hpp"

namespace frit_test {

enum class engine { automatic, interpreter, cxx, jit };  // as frit::detail::engine_choice

inline const char* name_of(engine e) {
    constexpr const char* names[] = {"auto", "interpreter", "cxx", "jit"};
    return names[static_cast<int>(e)];
}

/// The engines that compile, and all that tests compare: jit where this machine has LLVM.
inline const std::vector<engine>& compiled_engines() {
    static const std::vector<engine> all =
        frit::detail::find_llvm().found ? std::vector{engine::cxx, engine::jit} : std::vector{engine::cxx};
    return all;
}
inline const std::vector<engine>& engines() {
    static const std::vector<engine> all = [] {
        std::vector<engine> list = compiled_engines();
        list.insert(list.begin(), engine::interpreter);
        return list;
    }();
    return all;
}

/// The CPU's engine, for the life of the object.
class with_engine {
public:
    explicit with_engine(engine e) : before_(now()) { change(e); }
    ~with_engine() { change(before_); }
    with_engine(const with_engine&) = delete;
    with_engine& operator=(const with_engine&) = delete;

private:
    static engine& now() {
        static engine current = static_cast<engine>(frit::detail::env().cpu_engine);
        return current;
    }
    static void change(engine e) {
        now() = e;
        frit::detail::set_cpu_engine(name_of(e));
    }
    engine before_;
};

/// Every op its own kernel, for the life of the object.
class without_fusion {
public:
    without_fusion() { frit::detail::set_fusion(false); }
    ~without_fusion() { frit::detail::set_fusion(true); }
    without_fusion(const without_fusion&) = delete;
    without_fusion& operator=(const without_fusion&) = delete;
};

/// Whether case number `k` of a product is compiled by the host's compiler too, which is a process of a tenth of a second to
/// two for each kernel: where LLVM sees every case, one in `of`, another one for each commit.
inline bool host_compiler_takes(std::size_t k, std::size_t of = 3) {
    return sampled(k, of) || compiled_engines().size() == 1;
}

/// Calls check(name) under every engine of the CPU, and without fusion; once where tests run on a GPU, or on what stands in.
inline void everywhere(const std::function<void(const std::string&)>& check) {
    if (frit::default_device() != frit::device::cpu()) return check("cuda");
    static std::size_t calls = 0;
    const bool with_host_compiler = host_compiler_takes(calls++);
    for (const engine e : engines()) {
        if (e == engine::cxx && !with_host_compiler) continue;
        const with_engine with(e);
        check(name_of(e));
    }
    const without_fusion off;
    const with_engine with(engine::interpreter);
    check("without fusion");
}

}  // namespace frit_test
