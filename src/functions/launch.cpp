// See launch.hpp.
#include "src/functions/launch.hpp"

#include <algorithm>
#include <bit>

#include "src/base/errors.hpp"
#include "src/base/file_names.hpp"
#include "src/graph/context.hpp"
#include "src/graph/node.hpp"
#include "src/libraries/kernels.hpp"

namespace frit::inline v0::detail {
namespace {

using role = kernel_parameter::role;

/// "argument 2, x, is const float*".
std::string described(std::size_t k, const kernel_parameter& p) {
    return "argument " + std::to_string(k + 1) + (p.name.empty() ? "" : ", " + p.name + ",") + " is " + p.text;
}

template <dtype D>
scalar_bits bits_as(const weak_number& n) {
    const std::uint64_t low = n.bits.low;
    switch (n.type) {
        case dtype::f64: return scalar_to_bits<D>(std::bit_cast<double>(low));
        case dtype::u64: return scalar_to_bits<D>(low);
        case dtype::i64: return scalar_to_bits<D>(static_cast<std::int64_t>(low));
        default: return scalar_to_bits<D>(low != 0);
    }
}

/// A number in a parameter's dtype, as an assignment converts it.
call_number number_for(const kernel_parameter& p, std::size_t k, const weak_number& n, const launched_kernel& of,
                       source_line where) {
    const dtype types[] = {n.type, *p.type};
    if (!may_write({true, n.type}, *p.type))
        throw_dtype_error(of.who, described(k, p) + ", and is given a number of C++ that it does not hold", types, where);
    call_number made{*p.type, {}};
    switch (*p.type) {
#define FRIT_X(name, ...) \
    case dtype::name: made.bits = bits_as<dtype::name>(n); break;
        FRIT_DTYPES(FRIT_X)
#undef FRIT_X
        default: break;
    }
    const std::string who = of.who + ": argument " + std::to_string(k + 1);
    if (made.bits.high != 0) throw_scalar_range(made.bits, *p.type, where, who.c_str());
    return made;
}

void check_array(const kernel_parameter& p, std::size_t k, const kernel_argument& a, const launched_kernel& of,
                 source_line where) {
    const auto refuse = [&](const std::string& why) {
        throw_dtype_error(of.who, described(k, p) + ", " + why, {&a.array->meant, 1}, where);
    };
    if (p.is == role::number) refuse("and is given an array: it takes a number of C++");
    if (p.is == role::inout && !a.target) refuse("which the kernel may write: name the array by frit::inout");
    if (p.is == role::in && a.target) refuse("which the kernel does not write: give it the array without frit::inout");
    if (!p.type || *p.type == a.array->meant) return;
    const dtype types[] = {a.array->meant, *p.type};
    throw_dtype_error(of.who,
                      described(k, p) + ", " + std::string(name_of(*p.type)) + ", and is given an array of " +
                          std::string(name_of(a.array->meant)) + ": nothing is converted on the way to a kernel",
                      types, where);
}

void check_device(const kernel_argument& a, const launched_kernel& of, source_line where) {
    const context& home = *as_node(a.array.get())->home;
    if ((home.engine.target().device == fusion::target::kind::cuda) == of.on_gpu) return;
    throw device_error(of.who + ": its arrays are on " + home.engine.name() + "; " +
                       (of.on_gpu ? "CUDA C runs on a GPU: move them there by x.to(frit::device::cuda(0)), or write a "
                                    "frit::host_kernel for the CPU"
                                  : "a function of the host's memory runs on the CPU: move them there by "
                                    "x.to(frit::device::cpu())") +
                       place(where));
}

}  // namespace

source_line line_of(std::span<const kernel_argument> arguments, source_line otherwise) {
    for (const kernel_argument& a : arguments)
        if (a.target) return a.where;
    return otherwise;
}

void launch(const launched_kernel& of, std::span<const call_number> leading, kept_object keeps,
            std::span<kernel_argument> arguments) {
    const source_line where = line_of(arguments, of.where);
    if (arguments.size() != of.parameters.size())
        throw_dtype_error(
            of.who,
            "takes " + std::to_string(of.parameters.size()) + " arguments, and is given " + std::to_string(arguments.size()),
            {}, where);
    std::vector<user_ref> arrays;
    std::vector<call_number> numbers;
    for (const std::uint64_t n : numbers_of_line(kept(where))) numbers.push_back({dtype::u64, {n, 0}});
    numbers.insert(numbers.end(), leading.begin(), leading.end());
    std::vector<const kernel_argument*> written;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const kernel_argument& a = arguments[k];
        const kernel_parameter& p = of.parameters[k];
        if (!a.array) {
            if (p.is != role::number)
                throw_dtype_error(of.who, described(k, p) + ", an array, and is given a number of C++", {&a.number.type, 1},
                                  where);
            numbers.push_back(number_for(p, k, a.number, of, where));
            continue;
        }
        check_array(p, k, a, of, where);
        arrays.push_back(a.array);
        if (!a.target) continue;
        if (std::any_of(written.begin(), written.end(), [&](const kernel_argument* w) { return w->target == a.target; }))
            throw error(of.who + ": " + described(k, p) + ", and is an array that is another argument's frit::inout" +
                        place(where));
        written.push_back(&a);
    }
    for (const kernel_argument& a : arguments)
        if (a.array) check_device(a, of, where);
    if (written.empty()) throw error(of.who + ": writes no array, and so has no result" + place(where));
    if (arrays.size() + numbers.size() > most_call_operands)
        throw error(of.who + ": has more arguments than a statement holds" + place(where));
    const std::vector<user_ref> results = record_call(of.routine, arrays, numbers, keeps, where);
    for (std::size_t k = 0; k < results.size(); ++k) written[k]->rebind(written[k]->target, handle_ref(results[k].get()));
}

}  // namespace frit::v0::detail
