// Kernel specs written by hand, without the planner: the five workloads that the GPU's speed is judged by, and a small
// builder for one feature of a schedule at a time.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit_test {

using frit::dtype;
using frit::op;
using frit::fusion::access;
using frit::fusion::access_dim;
using frit::fusion::instruction;
using frit::fusion::kernel_spec;
using frit::fusion::schedule_kind;
using frit::fusion::stride_class;

/// Builds a spec instruction by instruction; values are instruction numbers.
class builder {
public:
    explicit builder(int rank = 1, schedule_kind schedule = schedule_kind::pointwise) {
        spec.rank = static_cast<std::uint8_t>(rank);
        spec.schedule = schedule;
    }
    /// `strides` has one letter a dimension: 0, 1, s (run-time), c (run-time and clamped).
    access at(dtype type, const std::string& strides, int pointer) const {
        access a;
        a.type = type;
        a.pointer = static_cast<std::uint16_t>(pointer);
        for (char c : strides)
            a.dims.push_back(c == '0'   ? access_dim{stride_class::zero, false}
                             : c == '1' ? access_dim{stride_class::one, false}
                                        : access_dim{stride_class::runtime, c == 'c'});
        return a;
    }
    std::uint16_t load(dtype type, const std::string& strides) {
        spec.loads.push_back(at(type, strides, spec.pointers++));
        return push({op::load, type, static_cast<std::uint16_t>(spec.loads.size() - 1)});
    }
    std::uint16_t scalar(dtype type) {
        spec.scalars.push_back(type);
        return push({op::scalar, type, static_cast<std::uint16_t>(spec.scalars.size() - 1)});
    }
    std::uint16_t coord(dtype type, int dim, bool clamped = false) {
        spec.coords.push_back({static_cast<std::uint8_t>(dim), clamped});
        return push({op::coord, type, static_cast<std::uint16_t>(spec.coords.size() - 1)});
    }
    std::uint16_t apply(op code, dtype type, int a, int b = 0, int c = 0) {
        return push(
            {code, type, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)});
    }
    void store(int value, const std::string& strides) {
        const dtype type = spec.body[static_cast<std::size_t>(value)].type;
        spec.stores.push_back({at(type, strides, spec.pointers++), static_cast<std::uint16_t>(value)});
    }
    /// A reduction whose total is stored as it is.
    void reduce(op code, int value) {
        const dtype type = spec.body[static_cast<std::size_t>(value)].type;
        spec.reductions.push_back({code, type, static_cast<std::uint16_t>(value)});
        spec.row.push_back({op::total, type, static_cast<std::uint16_t>(spec.reductions.size() - 1)});
        spec.row_stores.push_back(
            {at(type, std::string(spec.rank, '0'), spec.pointers++), static_cast<std::uint16_t>(spec.row.size() - 1)});
    }

    kernel_spec spec;

private:
    std::uint16_t push(instruction i) {
        spec.body.push_back(i);
        return static_cast<std::uint16_t>(spec.body.size() - 1);
    }
};

inline kernel_spec axpb(int vector = 4) {
    builder b;
    b.spec.vector_width = static_cast<std::uint8_t>(vector);
    const auto f = dtype::f32;
    const int x = b.load(f, "1"), p = b.scalar(f), q = b.scalar(f);
    b.store(b.apply(op::add, f, b.apply(op::mul, f, p, x), q), "1");
    return b.spec;
}

inline kernel_spec chain12(int vector = 4) {
    builder k;
    k.spec.vector_width = static_cast<std::uint8_t>(vector);
    const auto f = dtype::f32;
    const int a = k.load(f, "1"), b = k.load(f, "1"), c = k.load(f, "1");
    const auto add = [&](int x, int y) { return k.apply(op::add, f, x, y); };
    const auto mul = [&](int x, int y) { return k.apply(op::mul, f, x, y); };
    const int t = add(mul(a, b), c);
    const int u = k.apply(op::sub, f, mul(a, a), mul(b, c));
    const int half = k.scalar(f), one = k.scalar(f);
    const int v = add(mul(t, u), half);
    const int w = add(mul(u, u), one);
    k.store(add(mul(k.apply(op::div, f, v, w), c), b), "1");
    return k.spec;
}

inline kernel_spec black_scholes(int vector = 4) {
    builder k;
    k.spec.vector_width = static_cast<std::uint8_t>(vector);
    const auto f = dtype::f32;
    const int S = k.load(f, "1"), K = k.load(f, "1"), T = k.load(f, "1"), r = k.load(f, "1"), s = k.load(f, "1");
    const auto add = [&](int x, int y) { return k.apply(op::add, f, x, y); };
    const auto sub = [&](int x, int y) { return k.apply(op::sub, f, x, y); };
    const auto mul = [&](int x, int y) { return k.apply(op::mul, f, x, y); };
    const auto div = [&](int x, int y) { return k.apply(op::div, f, x, y); };
    const int st = mul(s, k.apply(op::sqrt, f, T));
    const int half = k.scalar(f), one = k.scalar(f), root_half = k.scalar(f);
    const int drift = mul(add(r, mul(mul(half, s), s)), T);
    const int d1 = div(add(k.apply(op::log, f, div(S, K)), drift), st);
    const int d2 = sub(d1, st);
    const auto normal = [&](int d) { return mul(half, add(one, k.apply(op::erf, f, mul(d, root_half)))); };
    const int n1 = normal(d1), n2 = normal(d2);
    const int ke = mul(K, k.apply(op::exp, f, mul(k.apply(op::neg, f, r), T)));
    k.store(sub(mul(S, n1), mul(ke, n2)), "1");
    k.store(sub(mul(ke, sub(one, n2)), mul(S, sub(one, n1))), "1");
    return k.spec;
}

inline kernel_spec trig(int vector = 4) {
    builder k;
    k.spec.vector_width = static_cast<std::uint8_t>(vector);
    const auto f = dtype::f32;
    const int x = k.load(f, "1"), y = k.load(f, "1");
    const int two = k.scalar(f);
    const int wave = k.apply(op::mul, f, k.apply(op::sin, f, x), two);
    const int bell = k.apply(op::exp, f, k.apply(op::mul, f, k.apply(op::neg, f, y), y));
    k.store(k.apply(op::add, f, wave, bell), "1");
    return k.spec;
}

inline kernel_spec sum_of_squares(int vector = 4, dtype f = dtype::f32) {
    builder k(1, schedule_kind::reduce_all);
    k.spec.vector_width = static_cast<std::uint8_t>(vector);
    const int x = k.load(f, "1"), y = k.load(f, "1");
    const int d = k.apply(op::sub, f, x, y);
    k.reduce(op::sum, k.apply(op::mul, f, d, d));
    return k.spec;
}

}  // namespace frit_test
