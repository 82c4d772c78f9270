// einsum, tensordot, vecdot, multi_dot: random specifications against a plain loop over all indices, NumPy's documented
// examples, exact counts of kernels and library calls, dtypes, the order in which many operands are combined, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frit/frit.hpp"

#include "src/formulas/contraction_path.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::any_array;
using frit::array;
using frit::dtype;
using frit::einsum;
using frit::shape;
using frit::tensordot;
namespace linalg = frit::linalg;

// --- random specifications against a plain loop ---

using number = std::complex<double>;  // of whole numbers, so that sums are exact whatever their order

struct plain {
    std::vector<std::int64_t> extents{};
    std::vector<number> values{};
};

struct problem {
    std::string text;
    std::vector<dtype> types;
    std::vector<plain> operands;
    std::vector<std::string> axes;  // by letters; an ellipsis' axes are capital letters here, from Z down
    std::string result;
};

std::int64_t count_of(const std::vector<std::int64_t>& extents) {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    return n;
}

/// Sums the products of all values of all indices. `sizes`: sums of magnitudes, for bounds of rounding.
plain summed(const problem& p, std::vector<double>& sizes) {
    std::map<char, std::int64_t> extent;
    for (std::size_t k = 0; k < p.operands.size(); ++k)
        for (std::size_t axis = 0; axis < p.axes[k].size(); ++axis) {
            std::int64_t& e = extent.try_emplace(p.axes[k][axis], 1).first->second;
            if (e == 1) e = p.operands[k].extents[axis];
        }
    std::string all;
    std::vector<std::int64_t> extents;
    for (const auto& [name, e] : extent) all += name, extents.push_back(e);
    plain result;
    for (const char c : p.result) result.extents.push_back(extent[c]);
    result.values.resize(static_cast<std::size_t>(count_of(result.extents)));
    sizes.assign(result.values.size(), 0);
    std::map<char, std::int64_t> at;
    const auto place = [&](const std::string& axes, const std::vector<std::int64_t>& of) {
        std::int64_t i = 0;
        for (std::size_t k = 0; k < axes.size(); ++k) i = i * of[k] + (of[k] == 1 ? 0 : at[axes[k]]);
        return static_cast<std::size_t>(i);
    };
    for (std::int64_t i = 0; i < count_of(extents); ++i) {
        std::int64_t rest = i;
        for (std::size_t k = all.size(); k-- > 0;) at[all[k]] = rest % extents[k], rest /= extents[k];
        number product = 1;
        for (std::size_t k = 0; k < p.operands.size(); ++k)
            product *= p.operands[k].values[place(p.axes[k], p.operands[k].extents)];
        const std::size_t to = place(p.result, result.extents);
        result.values[to] += product;
        sizes[to] += std::abs(product);
    }
    return result;
}

class random_problems {
public:
    explicit random_problems(unsigned seed) : engine_(seed) {}

    problem next() {
        problem p;
        names_ = std::string("abcdef").substr(0, static_cast<std::size_t>(between(3, 6)));
        for (const char c : names_) extent_[c] = between(0, 30) == 0 ? 0 : between(1, 4);
        ellipsis_ = between(0, 3) == 0 ? between(0, 2) : -1;
        for (const char c : {'Z', 'Y'}) extent_[c] = between(1, 3);
        const std::vector<dtype> types = some_types();
        const int count = between(0, 9) == 0 ? between(4, 6) : between(1, 3);
        for (int k = 0; k < count; ++k) add_operand(p, pick(types), k > 0);
        choose_result(p);
        return p;
    }

    /// Of two operands, with indices of every kind: of both in the result, of one, of none.
    problem next_contraction() {
        problem p;
        std::string axes[2];
        names_ = std::string("abcdef").substr(0, static_cast<std::size_t>(between(3, 6)));
        for (std::size_t k = 0; k < names_.size(); ++k) {
            const char c = names_[k];
            extent_[c] = between(2, 3);
            const int role = k < 3 ? static_cast<int>(k) : between(0, 3);  // the left one's, the right one's, summed, both's
            if (role != 1) axes[0] += c;
            if (role != 0) axes[1] += c;
            if (role != 2) p.result += c;
        }
        std::shuffle(p.result.begin(), p.result.end(), engine_);
        const std::vector<dtype> types = some_types();
        for (std::string& a : axes) {
            std::shuffle(a.begin(), a.end(), engine_);
            std::vector<std::int64_t> extents;
            for (const char c : a) extents.push_back(extent_[c]);
            p.types.push_back(pick(types));
            p.operands.push_back(random_values(extents, p.types.back()));
            p.axes.push_back(a);
        }
        p.text = axes[0] + ',' + axes[1] + "->" + p.result;
        return p;
    }

private:
    int between(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
    template <class C>
    typename C::value_type pick(const C& from) {
        return from[static_cast<std::size_t>(between(0, static_cast<int>(from.size()) - 1))];
    }

    std::vector<dtype> some_types() {
        switch (between(0, 6)) {
            case 0: return {dtype::f32};
            case 1: return {dtype::f64, dtype::f32, dtype::i32};
            case 2: return {dtype::c64, dtype::c128, dtype::f64};
            case 3: return {dtype::i8, dtype::u8, dtype::i32, dtype::bool_};
            case 4: return {dtype::bool_};
            case 5: return {dtype::f16, dtype::bf16};
            default: return {dtype::i64};
        }
    }

    plain random_values(std::vector<std::int64_t> extents, dtype type) {
        plain x{std::move(extents), {}};
        const int lowest = type == dtype::bool_ || type == dtype::u8 ? 0 : -2, most = type == dtype::bool_ ? 1 : 3;
        for (std::int64_t k = count_of(x.extents); k-- > 0;)
            x.values.emplace_back(between(lowest, most), frit::is_complex(type) ? between(-2, 2) : 0);
        return x;
    }

    void add_operand(problem& p, dtype type, bool comma) {
        std::string axes, text;
        std::vector<std::int64_t> extents;
        const int named = between(between(0, 5) == 0 ? 0 : 2, 3), before = ellipsis_ < 0 ? -1 : between(0, named);
        for (int k = 0; k <= named; ++k) {
            if (k == before) {
                text += "...";
                const int open = between(0, ellipsis_);
                for (int axis = open; axis-- > 0;) {
                    axes += static_cast<char>('Z' - axis);
                    extents.push_back(between(0, 3) == 0 ? 1 : extent_[axes.back()]);
                }
            }
            if (k == named) break;
            const char c = pick(names_);
            const bool again = axes.find(c) != axes.npos, short_one = !again && between(0, 9) == 0;
            text += c;
            if (between(0, 9) == 0) text += ' ';
            extents.push_back(again ? extents[axes.find(c)] : short_one ? 1 : extent_[c]);
            axes += c;
        }
        p.text += (comma ? "," : "") + text;
        p.types.push_back(type);
        p.operands.push_back(random_values(extents, type));
        p.axes.push_back(axes);
    }

    void choose_result(problem& p) {
        std::string all, open;
        for (const std::string& axes : p.axes) all += axes;
        for (const char c : {'Y', 'Z'})
            if (all.find(c) != all.npos) open += c;
        if (open == "Y") open = "YZ";  // cannot be: axes are counted from the last one
        std::string named;
        for (const char c : names_)
            if (all.find(c) != all.npos) named += c;
        if (between(0, 2) == 0) {  // implied
            p.result = open;
            for (const char c : named)
                if (std::count(all.begin(), all.end(), c) == 1) p.result += c;
            return;
        }
        const auto goes = [&](char c) { return between(0, 9) < (std::count(all.begin(), all.end(), c) == 1 ? 2 : 6); };
        std::erase_if(named, goes);  // mostly what several have, as in products
        std::shuffle(named.begin(), named.end(), engine_);
        const bool ellipsis = !open.empty() || (ellipsis_ >= 0 && between(0, 1) == 0);
        const auto at = static_cast<std::size_t>(between(0, static_cast<int>(named.size())));
        p.text += "->" + named.substr(0, at) + (ellipsis ? "..." : "") + named.substr(at);
        p.result = named.substr(0, at) + open + named.substr(at);
    }

    std::mt19937 engine_;
    std::string names_;
    std::map<char, std::int64_t> extent_;
    int ellipsis_ = -1;  // the most axes that one stands for; none where negative
};

any_array lazy(const plain& x, dtype type) {
    std::vector<double> re, im;
    for (const number& v : x.values) re.push_back(v.real()), im.push_back(v.imag());
    const array<double> real = frit::from_host(re, shape(x.extents));
    if (!frit::is_complex(type)) return frit::cast(any_array(real), type);
    return frit::cast(any_array(frit::complex(real, frit::from_host(im, shape(x.extents)))), type);
}

std::vector<number> values_of(const any_array& x) { return any_array(frit::cast(x, dtype::c128)).to_vector<number>(); }

/// What a dtype holds of an exact sum: integers wrap, bools are whether there is any product.
number as_type(const number& v, dtype type) {
    if (type == dtype::bool_) return v != 0.0;
    if (frit::kind_of(type) >= frit::dtype_kind::floating) return v;
    const std::vector<double> one{v.real()};
    return values_of(frit::cast(frit::cast(any_array(frit::from_host(one, shape{})), dtype::i64), type))[0];
}

double rounding_of(dtype type) { return type == dtype::bf16 ? 1.0 / 128 : type == dtype::f16 ? 1.0 / 1024 : 0; }

void check(const problem& p) {
    dtype type = p.types[0];
    std::vector<any_array> operands;
    for (std::size_t k = 0; k < p.operands.size(); ++k) {
        type = frit::promote(type, p.types[k]);
        operands.push_back(lazy(p.operands[k], p.types[k]).eval());
    }
    std::string shapes;
    for (const any_array& x : operands) shapes += ' ' + std::string(frit::name_of(x.dtype())) + to_string(x.shape());
    SCOPED_TRACE(p.text + shapes);
    const any_array got = einsum(p.text, operands);
    std::vector<double> sizes;
    const plain want = summed(p, sizes);
    ASSERT_EQ(got.dtype(), type);
    ASSERT_EQ(got.shape(), shape(want.extents));
    const std::vector<number> values = values_of(got);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (const double rounding = rounding_of(type); rounding > 0)
            ASSERT_LE(std::abs(values[k] - want.values[k]), 4 * rounding * sizes[k]) << "element " << k;
        else
            ASSERT_EQ(values[k], as_type(want.values[k], type)) << "element " << k;
}

void check_some(unsigned seed, std::uint64_t count, std::uint64_t contractions) {
    random_problems problems(seed);
    for (std::uint64_t k = 0; k < count && !testing::Test::HasFatalFailure(); ++k) check(problems.next());
    frit::reset_stats();
    for (std::uint64_t k = 0; k < contractions && !testing::Test::HasFatalFailure(); ++k) check(problems.next_contraction());
    const std::uint64_t least = frit::default_device().is_cpu() ? contractions : 1;  // a GPU multiplies integers by kernels
    EXPECT_GE(frit::stats().library_calls, least);
}

TEST(Einsum, RandomSpecifications) {
    FRIT_SKIP_WITHOUT(matmul);
    if (!frit::default_device().is_cpu()) return check_some(7, 100, 30);  // where every kernel is compiled
    const frit_test::with_engine with(frit_test::engine::interpreter);
    check_some(7, 2000, 600);
}

TEST(Einsum, RandomSpecificationsCompiled) {
    FRIT_SKIP_WITHOUT(matmul);
    if (!frit::default_device().is_cpu()) GTEST_SKIP() << "of the CPU's engines";
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        const frit_test::with_engine with(e);
        if (e == frit_test::engine::cxx)
            check_some(8, 3, 3);
        else
            check_some(9, 40, 20);
    }
}

TEST(Einsum, RandomSpecificationsWithoutFusion) {
    FRIT_SKIP_WITHOUT(matmul);
    const frit_test::without_fusion off;
    check_some(10, frit::default_device().is_cpu() ? 100 : 10, frit::default_device().is_cpu() ? 50 : 10);
}

// --- NumPy's documentation ---

template <class E>
std::vector<double> doubles(const E& x) {
    return any_array(frit::cast(any_array(x), dtype::f64)).template to_vector<double>();
}
using values = std::vector<double>;

TEST(Einsum, ExamplesOfNumPysDocumentation) {
    FRIT_SKIP_WITHOUT(matmul);
    const array<int> a = frit::arange(25).reshape({5, 5}), b = frit::arange(5), c = frit::arange(6).reshape({2, 3});
    EXPECT_EQ(doubles(einsum("ii", a)), values{60});
    EXPECT_EQ(doubles(einsum("ii->i", a)), (values{0, 6, 12, 18, 24}));
    EXPECT_EQ(doubles(einsum("ij->i", a)), (values{10, 35, 60, 85, 110}));
    EXPECT_EQ(doubles(einsum("...j->...", a)), (values{10, 35, 60, 85, 110}));
    EXPECT_EQ(doubles(einsum("ji", c)), (values{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(doubles(einsum("ij->ji", c)), (values{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(doubles(einsum("i,i", b, b)), values{30});
    EXPECT_EQ(doubles(einsum("ij,j", a, b)), (values{30, 80, 130, 180, 230}));
    EXPECT_EQ(doubles(einsum("...j,j", a, b)), (values{30, 80, 130, 180, 230}));
    EXPECT_EQ(doubles(einsum("..., ...", frit::scalar(3), c)), (values{0, 3, 6, 9, 12, 15}));
    EXPECT_EQ(doubles(einsum(",ij", frit::scalar(3), c)), (values{0, 3, 6, 9, 12, 15}));
    EXPECT_EQ(doubles(einsum("i,j", array<int>(frit::arange(2) + 1), b)), (values{0, 1, 2, 3, 4, 0, 2, 4, 6, 8}));
    EXPECT_EQ(doubles(einsum("i...->...", a)), (values{50, 55, 60, 65, 70}));
    const array<double> x = frit::arange(60.0).reshape({3, 4, 5}), y = frit::arange(24.0).reshape({4, 3, 2});
    const values contracted{4400, 4730, 4532, 4874, 4664, 5018, 4796, 5162, 4928, 5306};
    EXPECT_EQ(doubles(einsum("ijk,jil->kl", x, y)), contracted);
    EXPECT_EQ(doubles(tensordot(x, y, {1, 0}, {0, 1})), contracted);
    const array<int> u = frit::arange(6).reshape({3, 2}), v = frit::arange(12).reshape({4, 3});
    const values product{10, 28, 46, 64, 13, 40, 67, 94};
    EXPECT_EQ(doubles(einsum("ki,jk->ij", u, v)), product);
    EXPECT_EQ(doubles(einsum("ki,...k->i...", u, v)), product);
    EXPECT_EQ(doubles(einsum("k...,jk", u, v)), product);
}

// --- what the plan is ---

struct plan_counts {
    std::size_t kernels, calls;
    friend bool operator==(const plan_counts&, const plan_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const plan_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class A>
plan_counts planned(const A& x) {
    const frit::plan p = frit::make_plan(x);
    return {p.kernels().size(), p.library_calls().size()};
}
array<float> ones(const shape& extents) { return array<float>(frit::ones<float>(extents)).eval(); }

TEST(Einsum, ContractionsAreOneCall) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr plan_counts call{0, 1};
    const auto a = ones({6, 7}), b = ones({7, 8});
    EXPECT_EQ(planned(einsum("ij,jk->ik", a, b)), call);
    EXPECT_EQ(planned(einsum("ij,jk->ki", a, b)), call);
    EXPECT_EQ(planned(einsum("ji,jk->ik", ones({7, 6}), b)), call);
    EXPECT_EQ(planned(einsum("ij,kj->ik", a, ones({8, 7}))), call);
    EXPECT_EQ(planned(einsum("ij,kj->ik", a.T(), ones({6, 8}).T())), call);
    EXPECT_EQ(planned(einsum("bij,bjk->bik", ones({5, 6, 9}), ones({5, 9, 8}))), call);
    EXPECT_EQ(planned(einsum("bij,jk->bik", ones({5, 6, 7}), b)), call);
    EXPECT_EQ(planned(einsum("...ij,...jk->...ik", ones({5, 6, 7}), ones({4, 1, 7, 8}))), call);
    // attention: the batch between rows and columns, and axes that are two
    const auto q = ones({2, 9, 3, 10}), k = ones({2, 8, 3, 10});
    EXPECT_EQ(planned(einsum("bqhd,bkhd->bhqk", q, k)), call);
    EXPECT_EQ(planned(einsum("btd,dhk->bthk", ones({2, 9, 5}), ones({5, 3, 4}))), call);
    EXPECT_EQ(planned(einsum("ijk,kjl->il", ones({3, 4, 5}), ones({5, 4, 2}))), (plan_counts{1, 1}));  // one is turned
    // axes on both sides of one that is summed over are no one side of a matrix: a batch, which shares the other
    EXPECT_EQ(planned(einsum("ijk,jl->ikl", ones({3, 40, 50}), ones({40, 20}))), call);
    EXPECT_EQ(planned(einsum("jl,ijk->ikl", ones({40, 20}), ones({3, 40, 50}))), call);
    EXPECT_EQ(planned(tensordot(ones({3, 4, 5}), ones({4, 5, 2}))), call);
    EXPECT_EQ(planned(tensordot(ones({3, 4, 5}), ones({5, 2}), 1)), call);
}

TEST(Einsum, SumsOfProductsAreOneKernel) {
    constexpr plan_counts kernel{1, 0};
    const auto a = ones({6, 7}), b = ones({6, 7}), v = ones({7});
    EXPECT_EQ(planned(einsum("ij,ij->", a, b)), kernel);
    EXPECT_EQ(planned(einsum("ij,ij->ij", a, b)), kernel);
    EXPECT_EQ(planned(einsum("ij,ij->i", a, b)), kernel);
    EXPECT_EQ(planned(einsum("ij,ij->j", a, b)), kernel);
    EXPECT_EQ(planned(einsum("ij->j", a)), kernel);
    EXPECT_EQ(planned(einsum("ij,j->i", a, v)), kernel);
    EXPECT_EQ(planned(einsum("ij,j", a, v)), kernel);
    EXPECT_EQ(planned(einsum("i,ij->j", ones({6}), a)), kernel);
    EXPECT_EQ(planned(einsum("i,j->ij", v, v)), kernel);
    EXPECT_EQ(planned(einsum("i,i,i->", v, v, v)), kernel);
    EXPECT_EQ(planned(einsum("ij,ij,ij->j", a, b, a)), kernel);
    EXPECT_EQ(planned(einsum("ii->", ones({5, 5}))), kernel);
    EXPECT_EQ(planned(einsum("i,ij,j->", ones({6}), a, v)), kernel);
    EXPECT_EQ(planned(einsum("ij,j->i", a * 2.F + 1.F, v) * 3.F), kernel);
}

TEST(Einsum, CountsOfAnEvaluation) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = ones({6, 7}), b = ones({7, 8}), c = ones({8, 3});
    frit::reset_stats();
    const auto y = einsum("ij,jk,kl->il", a, b, c).eval();
    EXPECT_EQ(frit::stats().library_calls, 2U);
    EXPECT_EQ(frit::stats().kernels_launched, 0U);
    EXPECT_EQ(y.to_vector(), std::vector<float>(6 * 3, 56.F));
}

TEST(Einsum, ChainsAreMultipliedInTheCheapestOrder) {
    FRIT_SKIP_WITHOUT(matmul);
    // (a b) v would be 1000 times a (b v)
    const auto a = ones({100, 90}), b = ones({90, 80}), v = ones({80, 2});
    const auto written = [](const auto& x) { return frit::make_plan(x).bytes_written(); };
    EXPECT_EQ(written(einsum("ij,jk,kl->il", a, b, v)), (90U * 2 + 100 * 2) * 4);
    EXPECT_EQ(written(linalg::multi_dot(a, b, v)), (90U * 2 + 100 * 2) * 4);
    EXPECT_EQ(written(linalg::multi_dot(v.T(), b.T(), a.T())), (90U * 2 + 100 * 2) * 4);
}

// --- the path ---

frit::detail::subscript_set set_of(const std::string& letters) {
    frit::detail::subscript_set s;
    for (const char c : letters) s.set(static_cast<std::size_t>(c - 'a'));
    return s;
}
std::vector<frit::detail::contraction_step> path(const std::vector<std::string>& operands, const std::string& result,
                                                 const std::vector<std::int64_t>& extents) {
    std::vector<frit::detail::subscript_set> sets;
    for (const std::string& o : operands) sets.push_back(set_of(o));
    return frit::detail::contraction_path(sets, set_of(result), extents);
}
using steps = std::vector<frit::detail::contraction_step>;

TEST(EinsumPath, TwoOperandsAndOne) {
    EXPECT_EQ(path({"a"}, "", {3}), steps{});
    EXPECT_EQ(path({"ab", "bc"}, "ac", {3, 3, 3}), (steps{{0, 1}}));
}
TEST(EinsumPath, ChainsOfThree) {
    EXPECT_EQ(path({"ab", "bc", "cd"}, "ad", {10, 100, 5, 50}), (steps{{0, 1}, {0, 1}}));
    EXPECT_EQ(path({"ab", "bc", "cd"}, "ad", {50, 10, 100, 5}), (steps{{1, 2}, {0, 1}}));
}

/// What the steps cost: multiplications, and elements of results times what one costs to store and to read.
double cost_of(std::vector<std::string> list, const std::string& result, const std::vector<std::int64_t>& extents,
               const steps& path) {
    const auto size = [&](const std::string& letters) {
        double n = 1;
        for (const char c : letters) n *= static_cast<double>(extents[static_cast<std::size_t>(c - 'a')]);
        return n;
    };
    const auto kept_of = [&](const std::string& letters) {  // of an array that is not in the list
        std::string kept;
        for (const char c : letters) {
            bool stays = result.find(c) != result.npos;
            for (const std::string& other : list) stays = stays || other.find(c) != other.npos;
            if (stays) kept += c;
        }
        return kept;
    };
    for (std::size_t k = 0; k < list.size(); ++k) {  // what one operand alone has is summed before
        const std::string own = std::exchange(list[k], "");
        list[k] = kept_of(own);
    }
    double cost = 0;
    for (const auto& [left, right] : path) {
        std::string both = list[left];
        for (const char c : list[right])
            if (both.find(c) == both.npos) both += c;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(right));
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(left));
        const std::string kept = kept_of(both);
        cost += size(both) + 8 * size(kept);
        list.push_back(kept);
    }
    EXPECT_EQ(list.size(), 1U);
    return cost;
}
/// The least cost of all orders.
double least_cost(const std::vector<std::string>& list, const std::string& result, const std::vector<std::int64_t>& extents,
                  const steps& so_far, std::size_t left) {
    if (left == 1) return cost_of(list, result, extents, so_far);
    double least = 1e300;
    for (std::size_t b = 1; b < left; ++b)
        for (std::size_t a = 0; a < b; ++a) {
            steps next = so_far;
            next.push_back({a, b});
            least = std::min(least, least_cost(list, result, extents, next, left - 1));
        }
    return least;
}

TEST(EinsumPath, UpToEightAreAsCheapAsCanBe) {
    std::mt19937 engine(3);
    const auto between = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
    for (int round = 0; round < 20; ++round) {
        const int count = between(3, 5);
        std::vector<std::string> operands;
        std::vector<std::int64_t> extents;
        for (char c = 'a'; c <= 'g'; ++c) extents.push_back(between(1, 12));
        for (int k = 0; k < count; ++k) {
            std::string letters;
            for (char c = 'a'; c <= 'g'; ++c)
                if (between(0, 2) == 0) letters += c;
            operands.push_back(letters);
        }
        std::string result, all;
        for (const std::string& o : operands) all += o;
        for (char c = 'a'; c <= 'g'; ++c)
            if (all.find(c) != all.npos && between(0, 3) == 0) result += c;
        EXPECT_EQ(cost_of(operands, result, extents, path(operands, result, extents)),
                  least_cost(operands, result, extents, {}, operands.size()));
    }
}

TEST(EinsumPath, ManyOperands) {
    FRIT_SKIP_WITHOUT(matmul);
    std::vector<array<double>> matrices;
    std::string text = "a";
    for (int k = 0; k < 12; ++k) {
        matrices.push_back(k % 3 == 0   ? frit::ones<double>({2, 3})
                           : k % 3 == 1 ? frit::ones<double>({3, 4})
                                        : frit::ones<double>({4, 2}));
        text += static_cast<char>('b' + k);
        if (k < 11) text += std::string(",") + static_cast<char>('b' + k);
    }
    text += "->am";
    // ones(m, k) ones(k, n) = k ones(m, n)
    EXPECT_EQ(einsum(text, matrices).to_vector(), std::vector<double>(4, 3. * 4 * 2 * 3 * 4 * 2 * 3 * 4 * 2 * 3 * 4));
}

// --- dtypes ---

TEST(Einsum, DtypesPromoteWhenCompiled) {
    FRIT_SKIP_WITHOUT(matmul);
    const array<float> f = frit::ones<float>({2, 2});
    const array<int> i = frit::ones<int>({2, 2});
    const array<bool> b = frit::ones<bool>({2, 2});
    static_assert(decltype(einsum("ij,jk", f, f))::dtype() == dtype::f32);
    static_assert(decltype(einsum("ij,jk", f, i))::dtype() == dtype::f64);
    static_assert(decltype(einsum("ij,jk", b, b))::dtype() == dtype::bool_);
    static_assert(decltype(einsum("ij->", i))::dtype() == dtype::i32);
    static_assert(decltype(tensordot(f, i, 1))::dtype() == dtype::f64);
    static_assert(decltype(frit::vecdot(i, i))::dtype() == dtype::i32);
    static_assert(decltype(linalg::multi_dot(f, f, i))::dtype() == dtype::f64);
    EXPECT_EQ(einsum("ij,jk", f, i).to_vector(), std::vector<double>(4, 2));
    EXPECT_EQ(einsum("ij,jk->", b, b).to_vector(), std::vector<bool>{true});
    EXPECT_EQ(any_array(einsum("ij,jk", any_array(f), any_array(i))).dtype(), dtype::f64);
    // what wraps only in a narrower dtype does not: all operands are converted before any two are multiplied
    const array<std::int8_t> large = frit::full({2, 2}, std::int8_t{100});
    EXPECT_EQ(einsum("ij,jk,kl->", large, large, frit::ones<double>({2, 2})).item(), 8. * 2 * 100 * 100);
    EXPECT_EQ(linalg::multi_dot(large, large, frit::ones<double>({2, 2})).to_vector()[0], 4. * 100 * 100);
}

TEST(Einsum, AProductIsRoundedBeforeTheCallersSum) {
    const array<float> x = frit::full({3}, 1.F / 3), y = frit::full({3}, -1.F / 9);
    const array<float> product = array<float>(einsum("i,i->i", x, x)).eval();
    EXPECT_EQ(array<float>(einsum("i,i->i", x, x) + y).to_vector(), array<float>(product + y).to_vector());
}

// --- tensordot, vecdot, matrix_transpose, multi_dot ---

TEST(Tensordot, Shapes) {
    const auto a = ones({3, 4, 5}), b = ones({4, 5, 6});
    EXPECT_EQ(tensordot(a, b).shape(), (shape{3, 6}));
    EXPECT_EQ(tensordot(a, ones({5, 2}), 1).shape(), (shape{3, 4, 2}));
    EXPECT_EQ(tensordot(a, ones({2}), 0).shape(), (shape{3, 4, 5, 2}));
    const array<float> u{1, 2}, v{3, 4, 5};
    EXPECT_EQ(tensordot(u, v, {}, {}).to_vector(), frit::outer(u, v).to_vector());
    EXPECT_EQ(tensordot(u, v, std::vector<int>{}, std::vector<int>{}).shape(), (shape{2, 3}));
    EXPECT_EQ(tensordot(a, b, {2, 1}, {1, 0}).shape(), (shape{3, 6}));
    EXPECT_EQ(tensordot(a, b, -1, -2).shape(), (shape{3, 4, 4, 6}));
    EXPECT_EQ(tensordot(a, a, 3).shape(), shape{});
    EXPECT_EQ(linalg::tensordot(a, a, {0, 1, 2}, {0, 1, 2}).item(), 60.F);
    EXPECT_EQ(tensordot(any_array(a), any_array(b)).shape(), (shape{3, 6}));
}

TEST(Vecdot, ConjugatesAndBroadcasts) {
    using complex = std::complex<double>;
    const array<complex> z{{complex(1, 2), complex(3, -1)}, {complex(0, 1), complex(2, 2)}};
    const array<complex> w{complex(1, 1), complex(2, 0)};
    const auto along_rows = frit::vecdot(z, w), along_columns = frit::vecdot(z, w, 0);
    EXPECT_EQ(planned(along_rows), (plan_counts{1, 0}));
    EXPECT_EQ(along_rows.to_vector(), (std::vector<complex>{complex(9, 1), complex(5, -5)}));
    EXPECT_EQ(along_columns.shape(), shape{2});
    EXPECT_EQ(along_columns.to_vector()[0],
              std::conj(complex(1, 2)) * complex(1, 1) + std::conj(complex(0, 1)) * complex(2, 0));
    const array<int> i = frit::arange(6).reshape({2, 3});
    EXPECT_EQ(frit::vecdot(i, i).to_vector(), (std::vector<int>{5, 50}));
    EXPECT_EQ(linalg::vecdot(i, frit::ones<int>({4, 1, 3})).shape(), (shape{4, 2}));
    EXPECT_EQ(frit::vecdot(any_array(i), any_array(i), 0).to_vector<int>(), (std::vector<int>{9, 17, 29}));
}

TEST(MatrixTranspose, IsAView) {
    const auto x = ones({2, 3, 4});
    EXPECT_EQ(frit::matrix_transpose(x).shape(), (shape{2, 4, 3}));
    EXPECT_EQ(linalg::matrix_transpose(any_array(x)).shape(), (shape{2, 4, 3}));
    EXPECT_EQ(frit::matrix_transpose(array<int>{{1, 2}, {3, 4}}).to_vector(), (std::vector<int>{1, 3, 2, 4}));
    EXPECT_EQ(linalg::diagonal(x).shape(), (shape{2, 3}));
    EXPECT_EQ(linalg::diagonal(array<int>{{1, 2}, {3, 4}}, 1).to_vector(), std::vector<int>{2});
}

TEST(MultiDot, VectorsAtTheEnds) {
    FRIT_SKIP_WITHOUT(matmul);
    const array<double> a{{1, 2}, {3, 4}}, v{1, 1};
    EXPECT_EQ(linalg::multi_dot(a, a, v).to_vector(), (values{17, 37}));
    EXPECT_EQ(linalg::multi_dot(v, a, a).to_vector(), (values{22, 32}));
    EXPECT_EQ(linalg::multi_dot(v, a, a, v).shape(), shape{});
    EXPECT_EQ(linalg::multi_dot(v, a, a, v).item(), 54);
    EXPECT_EQ(linalg::multi_dot(v, v).item(), 2);
    EXPECT_EQ(linalg::multi_dot(a, a).to_vector(), frit::matmul(a, a).to_vector());
    EXPECT_EQ(linalg::multi_dot(std::vector<any_array>{a, a, a}).to_vector<double>(), (values{37, 54, 81, 118}));
}

// --- errors ---

#define EXPECT_REFUSED(statement, ...) EXPECT_ERROR((void)(statement), frit::shape_error, __VA_ARGS__, "test_einsum.cpp:")

TEST(Einsum, Errors) {
    const auto a = ones({2, 3}), b = ones({4, 5});
    EXPECT_REFUSED(einsum("ij,jk->ik", a, b), "einsum", "\"ij,jk->ik\"", "index j", "3 long in operand 0", "4 in operand 1",
                   "(2, 3), (4, 5)");
    EXPECT_REFUSED(einsum("i%,jk", a, b), "'%' at place 1");
    EXPECT_REFUSED(einsum("ij.,jk", a, b), "'.' at place 2");
    EXPECT_REFUSED(einsum("ij-ij", a), "'-' at place 2");
    EXPECT_REFUSED(einsum("......", a), "two ellipses");
    EXPECT_REFUSED(einsum("ij->i->j", a), "-> stands there twice");
    EXPECT_REFUSED(einsum("ij->i,j", a), "no comma behind ->");
    EXPECT_REFUSED(einsum("ij->ik", a), "an index k that no operand has");
    EXPECT_REFUSED(einsum("ij->ii", a), "has the index i twice");
    EXPECT_REFUSED(einsum("ij,jk", a), "it is of 2 operands, and there are 1");
    EXPECT_REFUSED(einsum("ij", a, b), "it is of 1 operand, and there are 2");
    EXPECT_REFUSED(einsum("i", a), "operand 0 has rank 2, and 1 index");
    EXPECT_REFUSED(einsum("ij,klm", a, b), "operand 1 has rank 2, and 3 indices");
    EXPECT_REFUSED(einsum("ijk...", a), "operand 0 has rank 2, and 3 indices");
    EXPECT_REFUSED(einsum("ii", a), "index i is twice in operand 0, and is 2 and 3 long there");
    EXPECT_REFUSED(einsum("...,...", a, b), "index ... (axis -2 of it) is 2 long in operand 0 and 4 in operand 1");
    EXPECT_REFUSED(einsum("...j->j", a), "the result lacks the ellipsis, which stands for 1 axis");
    EXPECT_REFUSED(einsum("ij,jk->ik", any_array(a), any_array(b)), "index j", "(2, 3), (4, 5)");
    EXPECT_REFUSED(einsum("ij,jk->ik", std::vector<any_array>{a, b}), "index j", "(2, 3), (4, 5)");
    EXPECT_REFUSED(einsum("", std::vector<any_array>{}), "there are no arrays");
}

TEST(Tensordot, Errors) {
    const auto a = ones({2, 3}), b = ones({4, 5});
    EXPECT_REFUSED(tensordot(a, b), "tensordot", "axis 0 of the first array and axis 0 of the second differ in length",
                   "(2, 3), (4, 5)");
    EXPECT_REFUSED(tensordot(a, b, 3), "3 axes cannot be summed over");
    EXPECT_REFUSED(tensordot(a, b, -1), "-1 axes cannot be summed over");
    EXPECT_REFUSED(tensordot(a, b, {}, {0}), "0 axes of the first array and 1 of the second");
    EXPECT_REFUSED(tensordot(a, b, {0, 1}, {0}), "2 axes of the first array and 1 of the second");
    EXPECT_ERROR((void)tensordot(a, b, 2, 0), frit::index_error, "axis 2 is out of range");
    EXPECT_ERROR((void)tensordot(a, a, {0, 0}, {0, 1}), frit::index_error, "axis 0 is given twice");
}

TEST(Vecdot, Errors) {
    EXPECT_REFUSED(frit::vecdot(ones({2, 3}), ones({2, 4})), "vecdot", "the vectors differ in length", "(2, 3), (2, 4)");
    EXPECT_REFUSED(frit::vecdot(ones({2, 3}), ones({2, 1})), "the vectors differ in length");
    EXPECT_REFUSED(frit::vecdot(ones({2, 3}), ones({4, 3})), "vecdot");
    EXPECT_ERROR((void)frit::vecdot(ones({2, 3}), ones({3}), -2), frit::index_error, "vecdot", "axis -2 is out of range");
    EXPECT_REFUSED(frit::matrix_transpose(ones({3})), "matrix_transpose", "takes matrices");
}

TEST(MultiDot, Errors) {
    const auto a = ones({2, 3});
    EXPECT_REFUSED(linalg::multi_dot(a, a), "multi_dot", "array 0 has not as many columns as array 1 has rows",
                   "(2, 3), (2, 3)");
    EXPECT_REFUSED(linalg::multi_dot(a, ones({3}), ones({3, 2})), "array 1 is no matrix", "(3,)");
    EXPECT_REFUSED(linalg::multi_dot(ones({2, 2, 2}), a), "array 0 is no matrix");
    EXPECT_REFUSED(linalg::multi_dot(std::vector<array<float>>{a}), "takes two arrays or more");
}

}  // namespace
