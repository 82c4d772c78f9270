// A C++ function of a program as a library op of the CPU: see frit/host_kernel.hpp. The function itself is a number of the
// call, its address, so that another one of the same kind plans nothing; who recorded the call keeps it.
#include "frit/host_kernel.hpp"

#include <exception>
#include <functional>
#include <memory>

#include "frit/error.hpp"
#include "src/base/grow_only_set.hpp"
#include "src/base/interruption.hpp"
#include "src/base/threads.hpp"
#include "src/libraries/kernels.hpp"

namespace frit::inline v0::detail {
namespace {

constinit grow_only_set<kernel_routine, 64> routines;

[[noreturn]] void throw_failed(const host_function& f, const std::string& formula, const std::string& what) {
    std::throw_with_nested(error(f.name + ": the function has thrown: " + what + "; in " + formula));
}

void run(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const std::vector<void*> arrays = arrays_of(c, at, copy_in_parallel);
    std::vector<const shape*> extents;
    for (const fusion::call_operand& x : c.operands) extents.push_back(&x.extents);
    // A copy: the function may evaluate other arrays, whose calls have their pointers and numbers where these are.
    const std::vector<std::uint64_t> all(at.numbers.begin(), at.numbers.end());
    call_memory copied = at;
    copied.numbers = all;
    const std::span<const std::uint64_t> numbers = own_numbers(copied);
    const auto& function = *reinterpret_cast<const host_function*>(static_cast<std::uintptr_t>(numbers[0]));
    try {
        function.run({arrays.data(), extents.data(), numbers.data() + 1});
    } catch (const interrupted&) {
        throw_interrupted(formula_of(copied));  // an evaluation in the midst of this one
    } catch (const std::exception& e) {
        throw_failed(function, formula_of(copied), e.what());
    } catch (...) {
        throw_failed(function, formula_of(copied), "no std::exception");
    }
}

}  // namespace

host_function::~host_function() = default;

const kernel_routine& host_routine(std::string_view name, const std::vector<int>& in_place, int numbers) {
    std::uint64_t hash = std::hash<std::string_view>{}(name);
    for (const int k : in_place) hash = hash * 31 + static_cast<std::uint64_t>(k);
    const auto is_it = [&](const kernel_routine& r) {
        return r.label == name && r.works_on == in_place && r.own_numbers == numbers;
    };
    return routines.find_or_add(hash, is_it, [&] {
        auto made = std::make_unique<kernel_routine>(name, in_place, numbers);
        made->on_cpu = {.require = nullptr, .workspace = unasked_bytes, .run = run};
        return made;
    });
}

}  // namespace frit::v0::detail
