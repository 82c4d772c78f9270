// Kernel specs by hand for the tests of the CPU engines: build one, lay its operands out between guard pages, run it on any
// engine and level, and evaluate it one element at a time with the reference's arithmetic.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fusion/ir/word_map.hpp"
#include "fusion/schedules/host/host.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/llvm.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/values.hpp"

namespace cpu_test {

using frit::dtype;
using frit::op;
using frit::detail::cpu_engine;
using frit::detail::isa_level;
using memory_access = frit::fusion::access;  // unistd.h has a function `access`
using frit::fusion::access_dim;
using frit::fusion::coordinate;
using frit::fusion::instruction;
using frit::fusion::kernel_spec;
using frit::fusion::schedule_kind;
using frit::fusion::stride_class;

/// Memory whose last byte stands before an inaccessible page (or, `at_start`, whose first byte stands behind one): reading
/// or writing one element too many is a crash, in generated code as well.
class guarded {
public:
    guarded(std::size_t bytes, bool at_start) : bytes_(bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        inside_ = (bytes + page - 1) / page * page;
        all_ = inside_ + 2 * page;
        base_ = static_cast<std::byte*>(mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (base_ == MAP_FAILED) throw std::bad_alloc();
        if (inside_) mprotect(base_ + page, inside_, PROT_READ | PROT_WRITE);
        data_ = base_ + page + (at_start ? 0 : inside_ - bytes);
    }
    guarded(const guarded&) = delete;
    guarded& operator=(const guarded&) = delete;
    ~guarded() { munmap(base_, all_); }
    std::byte* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_, inside_ = 0, all_ = 0;
    std::byte *base_ = nullptr, *data_ = nullptr;
};

/// One clamped dimension's parameters.
struct clamping {
    std::int64_t step = 1, shift = 0, lo = 0, hi = 0;
    std::int64_t at(std::int64_t i) const { return std::clamp(step * i + shift, lo, hi); }
};
/// The run-time side of an access: strides in elements for every dimension (also where the class says it), clampings by
/// dimension, and the offset of element 0.
struct placement {
    std::vector<std::int64_t> strides;
    std::map<std::size_t, clamping> clamps;
    std::int64_t offset = 0;

    std::int64_t element(const std::vector<std::int64_t>& index) const {
        std::int64_t e = offset;
        for (std::size_t d = 0; d < strides.size(); ++d) {
            const auto c = clamps.find(d);
            e += strides[d] * (c == clamps.end() ? index[d] : c->second.at(index[d]));
        }
        return e;
    }
};

/// A spec with the values of its words.
struct launchable {
    kernel_spec spec;
    std::vector<std::int64_t> extents;
    std::vector<placement> loads, stores, row_stores;  ///< row_stores: may be left out where all is invariant
    std::vector<clamping> coords;
    std::vector<std::uint64_t> scalars;
    std::vector<std::byte*> pointers;  ///< [pointer word]: element 0 of the memory

    std::int64_t size() const {
        std::int64_t n = 1;
        for (std::int64_t e : extents) n *= e;
        return n;
    }
    std::vector<std::uint64_t> words() const {
        const frit::fusion::word_map map(spec);
        std::vector<std::uint64_t> w(map.layout.size);
        const auto put = [&w](std::uint32_t at, std::int64_t x) { w[at] = static_cast<std::uint64_t>(x); };
        for (std::size_t d = 0; d < extents.size(); ++d) put(map.layout.extents + static_cast<std::uint32_t>(d), extents[d]);
        const auto place = [&](const memory_access& a, const placement& p, const std::vector<frit::fusion::dim_words>& at) {
            const auto address = reinterpret_cast<std::uintptr_t>(pointers[a.pointer]);
            put(map.layout.pointers + a.pointer,
                static_cast<std::int64_t>(address) + p.offset * static_cast<std::int64_t>(frit::size_of(a.type)));
            for (std::size_t d = 0; d < a.dims.size(); ++d) {
                if (a.dims[d].stride == stride_class::runtime) put(at[d].stride, p.strides[d]);
                if (!a.dims[d].clamped) continue;
                const clamping& c = p.clamps.at(d);
                put(at[d].step, c.step), put(at[d].shift, c.shift), put(at[d].lo, c.lo), put(at[d].hi, c.hi);
            }
        };
        for (std::size_t k = 0; k < loads.size(); ++k) place(spec.loads[k], loads[k], map.loads[k]);
        for (std::size_t k = 0; k < stores.size(); ++k) place(spec.stores[k].to, stores[k], map.stores[k]);
        for (std::size_t k = 0; k < spec.row_stores.size(); ++k)
            place(spec.row_stores[k].to, k < row_stores.size() ? row_stores[k] : placement{}, map.row_stores[k]);
        for (std::size_t k = 0; k < coords.size(); ++k) {
            const auto& at = map.coords[k];
            put(at.step, coords[k].step), put(at.shift, coords[k].shift);
            if (spec.coords[k].clamped) put(at.lo, coords[k].lo), put(at.hi, coords[k].hi);
        }
        for (std::size_t k = 0; k < scalars.size(); ++k) w[map.scalars[k]] = scalars[k];
        return w;
    }
    void run(frit::detail::backend& on) const {
        auto w = words();
        EXPECT_EQ(check(frit::fusion::host_loops(spec, on.target(), "kernel")), "");
        on.launch(*on.prepare(spec), spec, w);
    }
};

template <class T>
std::uint64_t word_of(T x) {
    std::uint64_t w = 0;
    std::memcpy(&w, &x, sizeof x);
    return w;
}

inline memory_access flat(dtype t, int pointer, stride_class c = stride_class::one) {
    memory_access a;
    a.type = t;
    a.pointer = static_cast<std::uint16_t>(pointer);
    a.dims = {{c, false}};
    return a;
}

/// Backends of one engine for every level of this machine, made once: their kernel caches are worth keeping.
inline frit::detail::backend& backend_of(cpu_engine engine, isa_level level) {
    static std::unique_ptr<frit::detail::backend> made[3][frit::detail::isa_levels];
    auto& b = made[static_cast<int>(engine)][static_cast<int>(level)];
    if (!b) b = frit::detail::make_cpu_backend(engine, level);
    return *b;
}
/// The engines that compile, and all: jit where this machine has LLVM.
inline std::vector<cpu_engine> compiled_engines() {
    if (frit::detail::find_llvm().found) return {cpu_engine::cxx, cpu_engine::jit};
    return {cpu_engine::cxx};
}
inline std::vector<cpu_engine> engines() {
    std::vector<cpu_engine> all = compiled_engines();
    all.insert(all.begin(), cpu_engine::interpreter);
    return all;
}
inline std::vector<isa_level> levels() {
    std::vector<isa_level> all;
    for (int k = 0; k <= static_cast<int>(frit::detail::machine_isa()); ++k) all.push_back(static_cast<isa_level>(k));
    return all;
}

/// Calls f.template operator()<T>() with the C++ type of a compute dtype.
template <class F>
auto visit(dtype t, F f) {
    switch (t) {
#define FRIT_X(name, type) \
    case dtype::name: return f.template operator()<type>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("not a compute dtype");
    }
}
inline constexpr dtype compute_dtypes[] = {
#define FRIT_X(name, type) dtype::name,
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
};

inline ref::number read(const std::byte* base, dtype t, std::int64_t element) {
    return visit(t, [&]<class T>() {
        T x;
        std::memcpy(&x, base + element * static_cast<std::int64_t>(sizeof(T)), sizeof x);
        return ref::number{static_cast<long double>(x), 0, 0};
    });
}

/// The values of all instructions of `code` for one element; `leaf` gives loads, coords, scalars and totals.
template <class Leaf>
std::vector<ref::number> evaluate(const std::vector<instruction>& code, Leaf leaf) {
    std::vector<ref::number> v;
    for (const instruction& i : code) {
        if (i.code == op::cast) {
            v.push_back(ref::convert(v[i.a], code[i.a].type, i.type));
        } else if (frit::is_elementwise(i.code)) {
            const std::uint16_t typed = frit::info(i.code).result == frit::op_result::SELECT ? i.b : i.a;
            v.push_back(ref::apply(i.code, code[typed].type, v[i.a], v[i.b], v[i.c]));
        } else {
            v.push_back(leaf(i));
        }
    }
    return v;
}

}  // namespace cpu_test
