// Every public function over borrowed memory in every layout against the same function over a row-major copy: the elements,
// bit for bit, and everything through which results leave the library. Results are row-major, whatever was given.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "src/io/transfer.hpp"
#include "tests/differential/borrowed_layouts.hpp"
#include "tests/differential/layout_functions.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array;
using frit::detail::handle_ref;
using frit::detail::node_head;
using frit_test::borrowed_layout;
using frit_test::layout_operands;
using frit_test::made;

template <class T>
struct operands {
    layout_operands<T> odd, plain;
};

template <class T>
array<bool> mask_of(const array<T>& n) {
    if constexpr (is_complex(frit::dtype_of<T>))
        return frit::real(n) > 0;
    else
        return n > T(0);
}

template <class T>
operands<T> operands_of(const borrowed_layout& l) {
    const auto x = frit_test::twins_of<T>(l, 1), y = frit_test::twins_of<T>(l, 2), z = frit_test::twins_of<T>(l, 3);
    const auto n = frit_test::twins_of<T>(l, 4);
    return {{x.odd, y.odd, z.odd, mask_of(n.odd)}, {x.plain, y.plain, z.plain, mask_of(n.plain)}};
}

/// An element as what counts of it: NaN is NaN.
bool same_element(ref::value a, ref::value b, bool rounds) {
    return ref::same(a, b) || (rounds && std::abs(a - b) <= 2e-5L * std::max(1.0L, std::abs(a)));
}

void expect_same_elements(const std::vector<ref::value>& got, const std::vector<ref::value>& want, bool rounds,
                          const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_TRUE(same_element(got[k], want[k], rounds))
            << what << ": element " << k << " is " << got[k] << ", of a row-major copy " << want[k];
}

/// What is stored leaves the library in many ways; all of them show the same.
void expect_same_ways_out(node_head* got, node_head* want, const std::string& what) {
    EXPECT_EQ(frit::detail::print(got), frit::detail::print(want)) << what << ", printed";
    std::ostringstream got_file, want_file;
    frit::detail::save_npy(got_file, got, {});
    frit::detail::save_npy(want_file, want, {});
    EXPECT_EQ(got_file.str(), want_file.str()) << what << ", as .npy";
    const handle_ref host = frit::detail::on_host(got, {});
    const auto count = static_cast<std::size_t>(got->extents->size());
    const auto elements = frit_test::read_back(want);
    expect_same_elements(
        frit_test::widened(got->type, static_cast<const unsigned char*>(frit::detail::data_of(host.get())), count), elements,
        false, what + ", as a span");

    DLManagedTensorVersioned* const t = frit::detail::to_dlpack_versioned(got, {});
    const DLTensor& d = t->dl_tensor;
    ASSERT_EQ(d.ndim, got->extents->rank()) << what;
    if (d.device.device_type == kDLCPU) {
        std::vector<ref::value> exported;
        for (std::size_t n = 0; n < count; ++n) {
            std::int64_t rest = static_cast<std::int64_t>(n), at = 0;
            for (int k = d.ndim; k-- > 0; rest /= d.shape[k]) at += rest % d.shape[k] * d.strides[k];
            const auto* first = static_cast<const unsigned char*>(d.data) + d.byte_offset;
            exported.push_back(
                frit_test::widened(got->type, first + at * static_cast<std::int64_t>(size_of(got->type)), 1)[0]);
        }
        expect_same_elements(exported, elements, false, what + ", through DLPack");
    }
    t->deleter(t);
}

/// Into the caller's memory: row-major, and with room between the elements, backwards.
void expect_same_into(const made& dense, const made& spread, const std::vector<ref::value>& want, const std::string& what) {
    const frit::dtype type = dense.node->type;
    const auto count = want.size();
    const std::size_t width = size_of(type);
    std::vector<unsigned char> to(count * width + 1), wide(3 * count * width + 1);
    frit::detail::eval_into(dense.node.get(), to.data(), {}, {});
    expect_same_elements(frit_test::widened(type, to.data(), count), want, dense.rounds, what + ", into memory");
    if (count == 0) return;
    std::vector<std::int64_t> strides(static_cast<std::size_t>(dense.node->extents->rank()));
    std::int64_t step = -3;
    for (std::size_t k = strides.size(); k-- > 0; step *= (*dense.node->extents)[k]) strides[k] = step;
    unsigned char* const first = wide.data() + 3 * (count - 1) * width;
    frit::detail::eval_into(spread.node.get(), first, strides, {});
    expect_same_elements(frit_test::widened(type, first, count, -3), want, spread.rounds, what + ", into strided memory");
}

/// Each function by itself, so that each result has a plan of its own.
template <class T>
void check_one_by_one(const borrowed_layout& l) {
    const operands<T> o = operands_of<T>(l);
    const std::vector<made> got = every_function(o.odd), want = every_function(o.plain);
    const std::vector<made> dense = every_function(o.odd), spread = every_function(o.odd);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        const std::string what = want[k].name + " of " + std::string(name_of(frit::dtype_of<T>)) + ", " + l.name;
        ASSERT_EQ(got[k].refusal, want[k].refusal) << what;
        if (!want[k].node) continue;
        ASSERT_EQ(*got[k].node->extents, *want[k].node->extents) << what;
        ASSERT_EQ(got[k].node->type, want[k].node->type) << what;
        node_head* const nodes[] = {got[k].node.get()};
        frit::detail::eval(nodes, {});
        frit::detail::store_for_reading(want[k].node.get());
        EXPECT_EQ(frit::detail::strides_of(nodes[0]), frit::detail::strides_of(want[k].node.get())) << what;
        const std::vector<ref::value> elements = frit_test::read_back(want[k].node.get());
        expect_same_elements(frit_test::read_back(nodes[0]), elements, want[k].rounds, what);
        if (testing::Test::HasFatalFailure()) return;
        if (elements.size() < 1000 || frit_test::thorough()) {
            if (!want[k].rounds) expect_same_ways_out(nodes[0], want[k].node.get(), what);
            expect_same_into(dense[k], spread[k], elements, what);
        }
        if (testing::Test::HasFatalFailure()) return;
    }
}

/// All of them in one plan, or every n-th.
template <class T>
void check_together(const borrowed_layout& l, const std::string& how, std::size_t n = 1) {
    const operands<T> o = operands_of<T>(l);
    const std::vector<made> got = every_function(o.odd), want = every_function(o.plain);
    std::vector<node_head*> nodes;
    for (std::size_t k = 0; k < got.size(); k += n)
        if (got[k].node) nodes.push_back(got[k].node.get());
    frit::detail::eval(nodes, {});
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    for (std::size_t k = 0; k < got.size(); k += n) {
        const std::string what = want[k].name + " of " + std::string(name_of(frit::dtype_of<T>)) + ", " + l.name + how;
        ASSERT_EQ(got[k].refusal, want[k].refusal) << what;
        if (!want[k].node) continue;
        expect_same_elements(frit_test::read_back(got[k].node.get()), frit_test::read_back(want[k].node.get()),
                             want[k].rounds, what);
        if (testing::Test::HasFatalFailure()) return;
    }
}

/// All layouts, or those that `chosen` names.
template <class F>
void for_layouts(bool (*chosen)(const borrowed_layout&), F&& f) {
    for (const borrowed_layout& l : frit_test::borrowed_layouts())
        if (frit_test::thorough() || chosen(l)) f(l);
}
bool is_small(const borrowed_layout& l) {
    return std::none_of(l.extents.begin(), l.extents.end(), [](std::int64_t e) { return e > 1000; });
}
bool is_reversed_and_repeated(const borrowed_layout& l) {
    return l.extents.size() == 3 && std::count(l.strides.begin(), l.strides.end(), 0) > 0;
}

TEST(BorrowedLayouts, OneByOneOnTheInterpreter) {
    if (frit::default_device().is_cuda()) GTEST_SKIP() << "thousands of kernels to compile: see TogetherCompiled";
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    for_layouts(is_small, [](const borrowed_layout& l) {
        check_one_by_one<float>(l);
        check_one_by_one<std::int32_t>(l);
    });
}

TEST(BorrowedLayouts, TogetherOnTheInterpreter) {
    if (frit::default_device().is_cuda()) GTEST_SKIP() << "thousands of kernels to compile: see TogetherCompiled";
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    // Elements of 4, 2 and 16 bytes: a dtype every other layout, another one for each commit.
    std::size_t k = 0;
    for (const borrowed_layout& l : frit_test::borrowed_layouts()) {
        if (frit_test::sampled(k, 8)) check_together<float>(l, ", together");
        if (frit_test::sampled(k + 1, 8)) check_together<frit::half>(l, ", together");
        if (frit_test::sampled(k + 2, 8)) check_together<std::complex<double>>(l, ", together");
        const frit_test::without_fusion off;
        if (frit_test::sampled(k + 3, 8)) check_together<std::int32_t>(l, ", together, unfused");
        ++k;
    }
}

TEST(BorrowedLayouts, TogetherCompiled) {
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        const frit_test::with_engine here(e);
        const std::size_t sample = frit_test::thorough() ? 1 : e == frit_test::engine::jit ? 4 : 12;
        for_layouts(is_reversed_and_repeated,
                    [sample](const borrowed_layout& l) { check_together<float>(l, ", compiled", sample); });
    }
}

}  // namespace
