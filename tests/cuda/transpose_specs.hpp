// Kernel specs of tiled transposes, written by hand: arrays in orders of dimensions of their own.
#pragma once

#include <algorithm>
#include <numeric>

#include "tests/cuda/specs.hpp"

namespace frit_test {

using axes = std::vector<int>;

/// A spec over dense arrays, each in an order of the domain's dimensions of its own (outermost first; some may be missing).
class transposed : public builder {
public:
    transposed(int rank, int tile, unsigned vector) : builder(rank) {
        spec.tile = static_cast<std::uint8_t>(tile + 1);
        spec.vector_width = static_cast<std::uint8_t>(vector);
    }
    std::uint16_t in(dtype type, const axes& order) {
        orders.push_back(order);
        return load(type, letters(order));
    }
    void out(int value, const axes& order) {
        orders.push_back(order);
        store(value, letters(order));
    }
    /// Into the memory of an operand.
    void over(int value, std::uint16_t pointer) {
        out(value, axes(orders[pointer]));
        orders.pop_back();
        spec.stores.back().to.pointer = pointer;
        --spec.pointers;
    }
    std::vector<axes> orders;  // by pointer

private:
    std::string letters(const axes& order) const {
        std::string all(spec.rank, '0');
        for (int d : order) all[static_cast<std::size_t>(d)] = d == order.back() ? '1' : 's';
        return all;
    }
};

inline unsigned widest(dtype t) { return std::min(4U, static_cast<unsigned>(16 / frit::size_of(t))); }

inline transposed sum_with_transposed(dtype t, int rank, const axes& order, unsigned vector) {
    transposed c(rank, order.back(), vector);
    axes straight(static_cast<std::size_t>(rank));
    std::iota(straight.begin(), straight.end(), 0);
    const int x = c.in(t, straight), y = c.in(t, order);
    c.out(c.apply(t == dtype::bool_ ? op::logical_xor : op::sub, t, x, y), straight);
    return c;
}

}  // namespace frit_test
