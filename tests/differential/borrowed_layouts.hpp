// Other people's memory in every layout that strides can say, as data: extents, strides and the first element's place in a
// block of numbers. An array over it, and a row-major copy of what it shows, made without frit's help.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <frit/dlpack.hpp>
#include <frit/frit.hpp>

#include "src/io/dlpack_layout.hpp"
#include "tests/support/from_values.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

struct borrowed_layout {
    const char* name;
    std::vector<std::int64_t> extents, strides;
    std::int64_t first = 0;
};

inline const std::vector<borrowed_layout>& borrowed_layouts() {
    static const std::vector<borrowed_layout> all = {
        {"row-major", {6, 7}, {7, 1}},
        {"offset", {6, 7}, {7, 1}, 5},
        {"strided", {6, 7}, {27, 3}, 1},
        {"column-major", {6, 7}, {1, 6}},
        {"reversed", {6, 7}, {-7, -1}, 41},
        {"rows reversed", {6, 7}, {-7, 1}, 35},
        {"column-major, reversed", {6, 6}, {-1, 6}, 5},
        {"one row repeated", {6, 7}, {0, 1}, 2},
        {"one column repeated", {6, 7}, {1, 0}},
        {"one element repeated", {6, 7}, {0, 0}, 3},
        {"overlapping windows", {6, 7}, {1, 1}},
        {"overlapping, reversed", {6, 7}, {2, -1}, 6},
        {"no rows", {0, 7}, {7, 1}},
        {"no columns", {6, 0}, {-3, 5}, 20},
        {"0-d", {}, {}, 4},
        {"vector, strided", {37}, {3}},
        {"vector, reversed", {37}, {-1}, 36},
        {"axes of one element", {1, 7, 1}, {1'000'000'007, 2, -99}},
        {"one element", {1, 1}, {5, -5}, 3},
        {"three axes, permuted", {3, 4, 5}, {5, 15, 1}},
        {"three axes, one repeated, one reversed", {3, 4, 5}, {-10, 0, 2}, 24},
        {"long rows, interleaved", {3, 4100}, {1, 3}},
        {"long columns", {4100, 3}, {1, 4100}},
    };
    return all;
}

/// Numbers whose sums and products are exact in any order, as far as a few thousand of them go.
template <class T>
std::vector<T> exact_numbers(generator& g, std::size_t count) {
    std::vector<T> r(count);
    const auto number = [&g] { return (g.chance(0.5) ? 1 : -1) * (g.chance(0.6) ? 1 : g.chance(0.5) ? 2 : 0.5); };
    for (T& x : r)
        if constexpr (std::is_same_v<T, bool>)
            x = g.chance(0.5);
        else if constexpr (frit::is_complex(frit::dtype_of<T>))
            x = static_cast<T>(std::complex<double>(number(), number()));
        else if constexpr (frit::is_float(frit::dtype_of<T>))
            x = static_cast<T>(number());
        else
            x = static_cast<T>(g.between(std::is_signed_v<T> ? -3 : 0, 3));
    return r;
}

/// An array over strided memory, and its row-major twin.
template <class T>
struct twins {
    frit::array<T> odd, plain;
};

/// On the host borrow() lends the memory. On a device borrow() copies, and only DLPack brings strides there.
template <class T>
frit::array<T> lend(std::shared_ptr<std::vector<T>> memory, const borrowed_layout& l) {
    if (frit::default_device().is_cpu()) return frit::borrow(memory->data() + l.first, l.extents, memory, l.strides);
    struct lent {
        DLManagedTensor tensor{};
        borrowed_layout layout;
        DLManagedTensor* numbers;  // the device's own memory
    };
    auto* const t = new lent{{}, l, frit::to_dlpack<DLManagedTensor>(from_values(*memory, frit::shape(memory->size())))};
    t->tensor.dl_tensor = t->numbers->dl_tensor;
    t->tensor.dl_tensor.data = static_cast<T*>(t->numbers->dl_tensor.data) + l.first;
    t->tensor.dl_tensor.ndim = static_cast<std::int32_t>(l.extents.size());
    t->tensor.dl_tensor.shape = t->layout.extents.data();
    t->tensor.dl_tensor.strides = t->layout.strides.data();
    t->tensor.manager_ctx = t;
    t->tensor.deleter = [](DLManagedTensor* self) {
        auto* const lent_one = static_cast<lent*>(self->manager_ctx);
        lent_one->numbers->deleter(lent_one->numbers);
        delete lent_one;
    };
    return frit::from_dlpack<T>(&t->tensor);
}

template <class T>
twins<T> twins_of(const borrowed_layout& l, std::uint64_t seed) {
    std::size_t count = 1, memory_size = 64;
    for (std::size_t k = 0; k < l.extents.size(); ++k) {
        count *= static_cast<std::size_t>(l.extents[k]);
        if (l.strides[k] > 0 && l.extents[k] > 1) memory_size += static_cast<std::size_t>(l.strides[k] * (l.extents[k] - 1));
    }
    generator g(seed);
    auto memory = std::make_shared<std::vector<T>>(exact_numbers<T>(g, memory_size));
    std::vector<T> values;
    for (std::size_t n = 0; n < count; ++n) {
        std::int64_t rest = static_cast<std::int64_t>(n), place = l.first;
        for (std::size_t k = l.extents.size(); k-- > 0; rest /= l.extents[k]) place += rest % l.extents[k] * l.strides[k];
        values.push_back(memory->at(static_cast<std::size_t>(place)));
    }
    return {lend(memory, l), from_values(values, frit::shape(l.extents))};
}

}  // namespace frit_test
