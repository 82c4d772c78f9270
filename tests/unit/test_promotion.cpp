// The dtypes of results: NumPy 2's rules with weak scalars, against the cells that NumPy itself printed.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"
#include "tests/unit/numpy_promotion.hpp"

namespace {
using frit::array;
using frit::dtype;
using frit::op;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
array<T> one() {
    return frit::ones<T>({2});
}
template <class T, class E>
void expect_dtype(const E& e) {
    EXPECT_EQ(e.dtype(), frit::dtype_of<T>);
    const array<T> stored = e;  // array<T> accepts no other dtype of equal or larger kind
    EXPECT_EQ(stored.dtype(), frit::dtype_of<T>);
}

/// A table of numpy_promotion.hpp by the names of its row and column; empty where it has no such row.
std::string cell(const char* table, std::string_view row, std::string_view column) {
    std::istringstream lines(table);
    std::string line, word;
    std::getline(lines, line);  // the text begins behind its delimiter
    std::getline(lines, line);
    std::istringstream heads(line);
    int at = -1, found = -1;
    for (; heads >> word; ++at)
        if (word == column) found = at;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        words >> word;
        if (word != row) continue;
        for (int k = 0; k <= found; ++k) words >> word;
        return found < 0 ? std::string() : word;
    }
    return {};
}

/// The same by dtypes. NumPy has no bfloat16: it promotes as float16 does, and to float32 beside it.
std::string cell(const char* table, std::string_view row, dtype column) {
    if (column != dtype::bf16) return cell(table, row, name_of(column));
    const std::string as = cell(table, row, "float16");
    return as == "float16" ? "bfloat16" : as;
}
std::string cell(const char* table, dtype a, dtype b) {
    if (frit::is_short(a) && frit::is_short(b) && a != b) return cell(table, "float32", "float32");
    if (a == dtype::bf16) std::swap(a, b);
    return cell(table, a == dtype::bf16 ? "float16" : name_of(a), b);
}

// Where frit differs from NumPy on purpose: it makes no float16 of integers, and an op of floating point first promotes its
// operands with each other (int16 and uint16 to int32, hence float64; NumPy asks for a float that holds each of them). What
// it computes of bools as numbers, a power, is int32, and an angle of them float32.
bool is_a_known_difference(const std::string& numpy, const std::string& got, dtype promoted) {
    return (numpy == "float16" && got == "float32" && !frit::is_float(promoted)) ||
           (promoted == dtype::bool_ && ((numpy == "int8" && got == "int32") || (numpy == "float64" && got == "float32"))) ||
           (numpy == "float32" && got == "float64" && promoted == dtype::i32);
}

const char* numpy_table(op o, dtype promoted) {
    const frit::op_info& row = info(o);
    if (frit::is_complex(promoted) && (o == op::div || o == op::pow)) return numpy::add;  // its own quotient
    if (row.result == frit::op_result::BOOL) return numpy::less;
    if (row.types == frit::op_types::FLT) return numpy::arctan2;
    if (row.types == frit::op_types::INT) return o == op::shl || o == op::shr ? numpy::left_shift : numpy::bitwise_and;
    if (o == op::sub) return numpy::subtract;
    const bool as_number = row.on_bool == frit::on_bool_rule::error || row.on_bool == frit::on_bool_rule::widen;
    return as_number ? numpy::floor_divide : numpy::add;
}

template <class F>
void for_each_type(F&& f) {
#define FRIT_X(name, type) f(std::type_identity<type>());
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}
constexpr dtype every_dtype[] = {
#define FRIT_X(name, ...) dtype::name,
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
};
std::string text(dtype t) { return std::string(name_of(t)); }
template <class T>
std::string name() {
    return text(frit::dtype_of<T>);
}

TEST(Promotion, ResultTypeOfAllDtypes) {
    int cells = 0;
    for (dtype a : every_dtype)
        for (dtype b : every_dtype) {
            EXPECT_EQ(frit::promote(a, b), frit::promote(b, a)) << name_of(a) << ' ' << name_of(b);
            const std::string want = cell(numpy::result_type, name_of(a), name_of(b));
            if (want.empty()) continue;  // NumPy has no bfloat16
            EXPECT_EQ(name_of(frit::promote(a, b)), want) << name_of(a) << ' ' << name_of(b);
            ++cells;
        }
    EXPECT_EQ(cells, 14 * 14);
    static_assert(frit::promote(dtype::f16, dtype::bf16) == dtype::f32);
}

/// What the formulas themselves say, of one op a class; the rules of all others are checked below.
template <class A, class B>
void check_formulas() {
    const array<A> x;  // empty: it is the formulas' types that say
    const array<B> y;
    const array<bool> m;
    const std::string where = name<A>() + " with " + name<B>();
    const auto expect = [&](const char* table, dtype got) {
        EXPECT_EQ(name_of(got), cell(table, frit::dtype_of<A>, frit::dtype_of<B>)) << where;
    };
    constexpr dtype promoted = frit::promote(frit::dtype_of<A>, frit::dtype_of<B>);
    expect(numpy::add, decltype(x + y)::dtype());
    expect(numpy::add, decltype(x * y)::dtype());
    expect(numpy::add, decltype(frit::where(m, x, y))::dtype());
    expect(numpy::less, decltype(x != y)::dtype());
    if constexpr (promoted != dtype::bool_) expect(numpy::subtract, decltype(x - y)::dtype());
    // C++'s division: of integers an integer, where NumPy's gives float64.
    if constexpr (promoted != dtype::bool_) expect(numpy_table(op::div, promoted), decltype(x / y)::dtype());
    if constexpr (kind_of(promoted) < frit::dtype_kind::floating) expect(numpy::bitwise_and, decltype(x & y)::dtype());
    if constexpr (frit::is_integer(promoted)) expect(numpy::left_shift, decltype(x << y)::dtype());
    expect(numpy::add, decltype(frit::maximum(x, y))::dtype());
    expect(numpy::less, decltype(x < y)::dtype());
    if constexpr (!frit::is_complex(promoted)) {
        const std::string angle(name_of(decltype(atan2(x, y))::dtype())),
            numpy = cell(numpy::arctan2, frit::dtype_of<A>, frit::dtype_of<B>);
        EXPECT_TRUE(angle == numpy || is_a_known_difference(numpy, angle, promoted)) << where << angle;
    }
}

TEST(Promotion, ArrayWithArray) {
    for_each_type([]<class A>(std::type_identity<A>) {
        for_each_type([]<class B>(std::type_identity<B>) { check_formulas<A, B>(); });
    });
}

TEST(Promotion, EveryOpOfTwoOperands) {
    for (const dtype a : every_dtype)
        for (const dtype b : every_dtype) {
            const dtype promoted = frit::promote(a, b);
            for (int k = 0; k < frit::detail::count_ops; ++k) {
                const op o = static_cast<op>(k);
                if (info(o).arity != 2 || info(o).form == frit::op_form::HIDDEN) continue;
                const frit::op_dtypes got = resolve(o, promoted);
                const std::string want = cell(numpy_table(o, promoted), a, b);
                const std::string what = std::string(name_of(o)) + " of " + text(a) + " and " + text(b);
                ASSERT_FALSE(want.empty()) << what;
                // In int8 NumPy computes what frit refuses of two bools.
                const bool widens = info(o).on_bool == frit::on_bool_rule::widen;
                const bool refused = want == "error" || (promoted == dtype::bool_ && want == "int8" && !widens);
                EXPECT_EQ(got.valid, !refused) << what;
                if (refused) continue;
                const std::string type(name_of(got.result));
                EXPECT_TRUE(type == want || is_a_known_difference(want, type, promoted))
                    << what << " is " << type << ", NumPy's " << want;
            }
        }
}

TEST(Promotion, EveryOpOfOneOperand) {
    for (const dtype a : every_dtype)
        for (int k = 0; k < frit::detail::count_ops; ++k) {
            const op o = static_cast<op>(k);
            if (info(o).arity != 1) continue;
            const frit::op_dtypes got = resolve(o, a);
            std::string want = cell(numpy::unary, name_of(o), a);
            // Those that NumPy has not, or not in floating point (of integers, floor and ceil give integers there).
            if (want.empty() && info(o).types == frit::op_types::FLT && takes(o, a)) want = cell(numpy::unary, "sqrt", a);
            // bool is no number here but where it has parts: see the compile-time tests
            const bool has_parts = o == op::real || o == op::imag || o == op::conj || o == op::arg;
            if (want.empty() || (a == dtype::bool_ && !has_parts)) continue;
            const std::string what = std::string(name_of(o)) + " of " + text(a);
            EXPECT_EQ(got.valid, want != "error") << what;
            if (!got.valid) continue;
            const std::string type(name_of(got.result));
            EXPECT_TRUE(type == want || is_a_known_difference(want, type, a))
                << what << " is " << type << ", NumPy's " << want;
        }
}

template <class T, class S>
void check_scalar(const char* python, S s) {
    const array<T> x = one<T>();
    const bool is_bf16 = frit::dtype_of<T> == dtype::bf16;
    std::string want = cell(numpy::weak, is_bf16 ? "float16" : name<T>(), python);
    if (is_bf16 && want == "float16") want = "bfloat16";
    const std::string where = name<T>() + " with " + python;
    EXPECT_EQ(name_of((x + s).dtype()), want) << where;
    EXPECT_EQ(name_of((s * x).dtype()), want) << where;
    EXPECT_EQ(name_of(frit::where(one<bool>(), x, s).dtype()), want) << where;
    EXPECT_EQ((x == s).dtype(), dtype::bool_) << where;
    EXPECT_EQ(name_of(frit::maximum(s, x).dtype()), want) << where;
    EXPECT_EQ((x < s).dtype(), dtype::bool_) << where;
}

TEST(Promotion, ScalarsAreWeak) {
    for_each_type([]<class T>(std::type_identity<T>) {
        check_scalar<T>("True", true);
        check_scalar<T>("1", 1);
        check_scalar<T>("1", 1U);
        check_scalar<T>("1", i64{1});
        check_scalar<T>("1", std::uint8_t{1});
        check_scalar<T>("1.0", 1.0F);
        check_scalar<T>("1.0", 1.0);
        check_scalar<T>("1j", std::complex<float>(0, 1));
        check_scalar<T>("1j", std::complex<double>(0, 1));
    });
    expect_dtype<float>(frit::clip(one<float>(), 0, 1));
    expect_dtype<int>(frit::where(one<bool>(), 1, 0));
}

TEST(Promotion, AnIntegerScalarThatDoesNotFit) {
    EXPECT_ERROR(array<i32> y = one<i32>() + (i64{1} << 40), frit::dtype_error, "int32", "1099511627776");
    EXPECT_ERROR(array<i32> y = one<i32>() * std::numeric_limits<std::uint64_t>::max(), frit::dtype_error, "int32");
    EXPECT_NO_THROW(array<i64> y = one<i64>() + (i64{1} << 40));
    EXPECT_NO_THROW(array<i32> y = one<i32>() + i64{std::numeric_limits<i32>::min()});
}

TEST(Promotion, FunctionsOfIntegers) {
    expect_dtype<double>(sqrt(one<i32>()));
    expect_dtype<double>(exp(one<i64>()));
    expect_dtype<float>(sin(one<bool>()));
    expect_dtype<float>(floor(one<float>()));
    expect_dtype<i32>(abs(one<i32>()));
    expect_dtype<i32>(-one<i32>());
}

TEST(Promotion, Reductions) {
    for_each_type([]<class T>(std::type_identity<T>) {
        const array<T> x = one<T>();
        const auto expect = [](const char* row, dtype got) {
            EXPECT_EQ(name_of(got), cell(numpy::reductions, row, frit::dtype_of<T>)) << row << " of " << name<T>();
        };
#define FRIT_KIND_PLAIN(name) \
    if constexpr (takes(op::name, frit::dtype_of<T>)) expect(#name, frit::name(x).dtype());
#define FRIT_KIND_INDEX(name)
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
        expect("mean", frit::mean(x).dtype());
        for (int k = 0; k < frit::detail::count_library_ops; ++k) {
            const op o = static_cast<op>(frit::detail::count_ops + frit::detail::count_reductions + k);
            const std::string row(name_of(o));
            if (!cell(numpy::reductions, row, frit::dtype_of<T>).empty() && takes(o, frit::dtype_of<T>))
                expect(row.c_str(), frit::library_dtypes_of(o, frit::dtype_of<T>).result);
        }
    });
}

TEST(Promotion, SumsOfIntegersAreWide) {
    const std::vector<i32> big(3, std::numeric_limits<i32>::max());
    EXPECT_EQ(frit::sum(frit::from_host(big)).item(), 3 * i64{std::numeric_limits<i32>::max()});
}

TEST(Promotion, Casts) {
    expect_dtype<i32>(frit::cast<i32>(one<double>()));
    expect_dtype<bool>(frit::cast<bool>(one<float>()));
    const array<double> x{1.9, -1.9, 3e9, -3e9, std::numeric_limits<double>::quiet_NaN(), 0.0};
    EXPECT_EQ(frit::cast<i32>(x).to_vector(), (std::vector<i32>{1, -1, INT32_MAX, INT32_MIN, 0, 0}));
    EXPECT_EQ(frit::cast<bool>(x).to_vector(), (std::vector<bool>{true, true, true, true, true, false}));
}

TEST(Promotion, WritingCastsWithinAKind) {
    array<float> x{1, 2, 3};
    const array<double> y{0.5, 0.25};
    x(frit::slice(1, 3)) = y;
    EXPECT_EQ(x.to_vector(), (std::vector<float>{1, 0.5F, 0.25F}));
    x += array<double>{1, 1, 1};
    EXPECT_EQ(x.to_vector(), (std::vector<float>{2, 1.5F, 1.25F}));
    array<i32> k{1, 2};
    k += array<i64>{5, 6};
    EXPECT_EQ(k.to_vector(), (std::vector<i32>{6, 8}));
}

TEST(Promotion, LogicOnBool) {
    const array<bool> a{false, false, true, true}, b{false, true, false, true};
    using bools = std::vector<bool>;
    EXPECT_EQ((a & b).to_vector(), (bools{0, 0, 0, 1}));
    EXPECT_EQ((a | b).to_vector(), (bools{0, 1, 1, 1}));
    EXPECT_EQ((a ^ b).to_vector(), (bools{0, 1, 1, 0}));
    EXPECT_EQ((~a).to_vector(), (bools{1, 1, 0, 0}));
    EXPECT_EQ((!a).to_vector(), (bools{1, 1, 0, 0}));
    EXPECT_EQ((a + b).to_vector(), (bools{0, 1, 1, 1}));
    EXPECT_EQ((a < b).to_vector(), (bools{0, 1, 0, 0}));
}

}  // namespace
