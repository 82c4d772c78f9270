// CUDA text of kernels over rows: every schedule, class of row length, reduction and layout compiles for a GPU; run (on the
// host where there is no GPU), it gives what the interpreter gives. A row's bits depend on the row alone.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/batch.hpp"
#include "tests/cuda/on_device.hpp"
#include "tests/cuda/row_specs.hpp"
#include "tests/cuda/run_spec.hpp"
#include "tests/support/values.hpp"

namespace {

using namespace frit_test;
using frit::detail::backend;

TEST(CudaRows, EveryClassOfRowLengthCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(every_row_class())), 90);
}
TEST(CudaRows, OrderedRowsCompile) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(every_ordered_row())), 90);
}
TEST(CudaRows, EveryReductionCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(every_row_reduction())), 90);
}
TEST(CudaRows, EveryLayoutCompiles) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(every_row_layout())), 90);
}
TEST(CudaRows, StoredDtypesCompile) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(stored_dtypes())), 90);
}
TEST(CudaRows, SumsOfNarrowProductsCompile) {
    FRIT_NEEDS_NVRTC();
    FRIT_EXPECT_COMPILES(texts_of(specs_of(narrow_products())), 90);
}

template <class F>
void with_type(dtype type, F f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: FAIL() << "a dtype without arithmetic";
    }
}

/// Operands of a case: an array holds what its access reaches, densely; clamped indices are one too high.
std::vector<operand> operands_of(const row_case& c, std::uint64_t seed, bool same_rows = false) {
    std::vector<operand> all(c.spec.pointers);
    const auto make = [&](const frit::fusion::access& a, bool random) {
        operand o;
        std::int64_t size = 1;
        o.strides.resize(a.dims.size());
        for (std::size_t d = a.dims.size(); d-- > 0;) {
            const bool moves = a.dims[d].stride != stride_class::zero;
            o.strides[d] = moves ? size : 0;
            if (moves) size *= c.extents[d];
            o.step.push_back(1);
            o.shift.push_back(1);
            o.lo.push_back(0);
        }
        for (const std::int64_t e : c.extents) o.hi.push_back(e - 1);
        std::int64_t row = 1;
        for (std::size_t d = static_cast<std::size_t>(c.spec.rank - c.spec.reduced); d < a.dims.size(); ++d)
            if (o.strides[d]) row *= c.extents[d];
        o.bytes.resize(static_cast<std::size_t>(size) * frit::size_of(a.type));
        generator g(seed + a.pointer);
        if (random)
            with_type(a.type, [&]<class T>() {
                T* v = reinterpret_cast<T*>(o.bytes.data());
                for (std::int64_t k = 0; k < size; ++k) {
                    const double x = g.uniform(-2, 2);
                    v[k] = same_rows && k >= row ? v[k - row]
                                                 : static_cast<T>(frit::is_float(a.type) ? x : std::floor(std::fabs(x) * 2));
                }
            });
        if (o.bytes.size() >= all[a.pointer].bytes.size()) all[a.pointer] = std::move(o);  // two loads of one array
    };
    for (const frit::fusion::access& a : c.spec.loads) make(a, true);
    for (const auto* list : {&c.spec.stores, &c.spec.row_stores})
        for (const auto& s : *list)
            if (all[s.to.pointer].strides.empty()) make(s.to, false);  // else in place
    return all;
}

struct row_run : prepared_run {
    row_run(backend& b, const row_case& c, const std::vector<operand>& operands)
        : prepared_run(b, c.spec, c.extents, operands, scalars_of(c), coords_of(c)) {
        launch();
    }
    static std::vector<std::uint64_t> scalars_of(const row_case& c) {
        std::vector<std::uint64_t> words;
        for (const dtype type : c.spec.scalars) {
            const double value = words.empty() && c.spec.scalars.size() > 1 ? static_cast<double>(c.extents.back()) : 1e-3;
            words.push_back(type == dtype::f32 ? word_of(static_cast<float>(value)) : word_of(value));
        }
        return words;
    }
    static std::vector<std::int64_t> coords_of(const row_case& c) {
        std::vector<std::int64_t> words;
        for (const auto& k : c.spec.coords) {
            words.insert(words.end(), {1, 0});
            if (k.clamped) words.insert(words.end(), {0, 2});
        }
        return words;
    }
};

void compare_rows(backend& gpu, const row_case& c) {
    const std::vector<operand> operands = operands_of(c, 7);
    const row_run a(gpu, c, operands), b(frit::detail::cpu_backend(), c, operands);
    double length = 1;
    for (std::size_t d = static_cast<std::size_t>(c.spec.rank - c.spec.reduced); d < c.extents.size(); ++d)
        length *= static_cast<double>(c.extents[d]);
    const auto check = [&](const frit::fusion::access& to) {
        with_type(to.type, [&]<class T>() {
            const operand left = a.result(to.pointer), right = b.result(to.pointer);
            const T *got = reinterpret_cast<const T*>(left.bytes.data()),
                    *want = reinterpret_cast<const T*>(right.bytes.data());
            int shown = 0;
            for (std::size_t k = 0; k < right.bytes.size() / sizeof(T) && shown < 3; ++k) {
                const double x = static_cast<double>(got[k]), y = static_cast<double>(want[k]);
                const double epsilon = frit::is_float(to.type) ? static_cast<double>(std::numeric_limits<T>::epsilon()) : 0;
                const bool good = std::isnan(y)
                                      ? std::isnan(x)
                                      : x == y || std::fabs(x - y) <= 40 * epsilon * (std::fabs(y) + std::sqrt(length));
                if (!good) ++shown, ADD_FAILURE() << k << ": " << x << ", not " << y << "\n" << to_string(c.spec);
            }
        });
    };
    for (const auto& s : c.spec.stores) check(s.to);
    for (const auto& s : c.spec.row_stores) check(s.to);
}

class CudaRowsRun : public frit_test::on_device {
protected:
    void prepare(const std::vector<row_case>& cases) {
        if (auto* emulator = dynamic_cast<cuda_emulator*>(device)) emulator->compile(specs_of(cases));
    }
    void check(const std::vector<row_case>& cases) {
        prepare(cases);
        for (const row_case& c : cases) compare_rows(*device, c);
    }
};
INSTANTIATE_TEST_SUITE_P(, CudaRowsRun, ::testing::Values("interpreted", "emulated", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(CudaRowsRun, EveryClassOfRowLengthGivesWhatTheInterpreterGives) { check(every_row_class()); }
TEST_P(CudaRowsRun, OrderedRowsGiveWhatTheInterpreterGives) { check(every_ordered_row()); }
TEST_P(CudaRowsRun, EveryReductionGivesWhatTheInterpreterGives) { check(every_row_reduction()); }
TEST_P(CudaRowsRun, EveryLayoutGivesWhatTheInterpreterGives) { check(every_row_layout()); }
TEST_P(CudaRowsRun, SumsOfNarrowProductsGiveWhatTheInterpreterGives) { check(narrow_products()); }
TEST_P(CudaRowsRun, CornerCasesGiveWhatTheInterpreterGives) { check(corner_cases()); }

TEST_P(CudaRowsRun, InPlaceGivesWhatTheInterpreterGives) { check(in_place_cases()); }

// The text and the loops that it is printed from, where functions of the host are none of a GPU's: sums of floats too.
TEST(CudaRows, TextAndLoopsGiveTheSameBits) {
    cuda_emulator emulator(frit::detail::cpu_backend());
    loops_interpreter interpreter(frit::detail::cpu_backend());
    for (auto cases : {every_row_class(), every_row_reduction()}) {
        std::erase_if(cases, [](const row_case& c) {
            return std::any_of(c.spec.body.begin(), c.spec.body.end(),
                               [](const auto& i) { return frit::is_elementwise(i.code) && frit::info(i.code).ulp > 0; });
        });
        emulator.compile(specs_of(cases));
        for (const row_case& c : cases) {
            const std::vector<operand> operands = operands_of(c, 7);
            const row_run a(emulator, c, operands), b(interpreter, c, operands);
            for (const auto* list : {&c.spec.stores, &c.spec.row_stores})
                for (const auto& s : *list)
                    ASSERT_EQ(a.result(s.to.pointer).bytes, b.result(s.to.pointer).bytes) << to_string(c.spec);
        }
    }
}

TEST_P(CudaRowsRun, ARowsBitsDependOnTheRowAlone) {
    std::vector<std::vector<row_case>> groups;
    for (const schedule_kind s : row_schedules)
        for (const std::int64_t length : {60, 5000, 80000}) {
            if (length > 5000 && s != schedule_kind::reduce_inner) continue;
            std::vector<row_case>& group = groups.emplace_back();
            for (const std::uint8_t vector : {1, 4})
                for (const std::int64_t rows : {1, 3, 40}) {
                    row_builder b = row_reduction(s, op::sum, dtype::f32);
                    if (b.along()) b.spec.vector_width = vector;
                    group.push_back(of_shape(b, {rows, length}));
                }
        }
    for (const auto& group : groups) {
        prepare(group);
        float first = 0;
        for (const row_case& c : group) {
            const row_run r(*device, c, operands_of(c, 3, true));
            const auto sums = values_of<float>(r.result(c.spec.row_stores[0].to.pointer));
            if (&c == &group[0]) first = sums[0];
            for (const float sum : sums) ASSERT_EQ(sum, first) << to_string(c.spec);
        }
    }
}

}  // namespace
