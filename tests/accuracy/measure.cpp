// How far every op that is not exact lies from the truth, in units in the last place, on the default device ($FRIT_DEVICE;
// of the CPU also $FRIT_CPU_ENGINE and $FRIT_CPU_ISA): at least 2^17 points of each row's domain, its ends and its small
// numbers among them, in float and double, and all numbers of the 16-bit dtypes there, through the public API and against
// long double. Fails if a row's `ulp` is exceeded; with --markdown it prints the table of the documentation.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/formulas.hpp"
#include "tests/support/ulp.hpp"
#include "tests/support/values.hpp"

namespace {

constexpr std::size_t point_count = std::size_t{1} << 17;

/// The domain's ends and their neighbours, then in equal shares: numbers spread evenly, numbers whose magnitude is spread
/// evenly, and numbers close to either end.
template <class T>
std::vector<T> points(double lo, double hi, std::uint64_t seed) {
    const T first = static_cast<T>(lo), last = static_cast<T>(hi);
    const T low = static_cast<double>(first) < lo ? std::nextafter(first, last) : first;
    const T high = static_cast<double>(last) > hi ? std::nextafter(last, first) : last;
    std::vector<T> r = {low, high, std::nextafter(low, high), std::nextafter(high, low)};
    frit_test::generator g(seed);
    const double reach = std::fmax(std::fabs(lo), std::fabs(hi));
    while (r.size() < point_count) {
        const double small = std::exp2(g.uniform(-40, 0));
        double x = g.uniform(lo, hi);
        switch (g.below(4)) {
            case 0: break;
            case 1: x = g.chance(0.5) ? reach * small : -reach * small; break;
            case 2: x = lo + (hi - lo) * small; break;
            default: x = hi - (hi - lo) * small; break;
        }
        const T v = static_cast<T>(x);
        if (v >= low && v <= high) r.push_back(v);
    }
    return r;
}

/// All numbers of 16 bits in the domain; in another order for another seed.
template <class T>
requires(frit::is_short(frit::dtype_of<T>)) std::vector<T> points(double lo, double hi, std::uint64_t seed) {
    std::vector<T> r;
    for (int bits = 0; bits < 0x10000; ++bits)
        if (const T x = T::from_bits(static_cast<std::uint16_t>(bits)); x >= lo && x <= hi) r.push_back(x);
    frit_test::generator g(seed);
    for (auto k = static_cast<std::int64_t>(r.size()); seed > 1 && k > 1; --k)
        std::swap(r[static_cast<std::size_t>(k - 1)], r[static_cast<std::size_t>(g.below(k))]);
    return r;
}

/// What a result may be off by: of 16 bits it is a float32's, of the op's short form, rounded once.
template <class T>
long double bound(frit::op code) {
    if constexpr (!frit::is_short(frit::dtype_of<T>)) return info(code).ulp;
    return 0.5L + std::ldexp(static_cast<long double>(info(short_form(code)).ulp),
                             std::numeric_limits<T>::digits - std::numeric_limits<float>::digits);
}

struct finding {
    long double error = 0;
    double x = 0, y = 0;
};

template <class T, class Op, class Formula>
finding measure(const frit::op_info& row, Op apply, Formula formula) {
    const std::vector<T> x = points<T>(row.lo, row.hi, 1), y = points<T>(row.lo, row.hi, 2);
    const frit::array<T> a = frit::from_host(x), b = frit::from_host(y);
    const std::vector<T> got = apply(a, b).to_vector();
    finding worst;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const long double want = formula(static_cast<long double>(x[k]), static_cast<long double>(y[k]));
        const long double error = frit_test::ulp_distance(got[k], want);
        if (error > worst.error) worst = {error, static_cast<double>(x[k]), static_cast<double>(y[k])};
    }
    return worst;
}

bool markdown = false;

std::string text(const finding& f, int arity, int digits = 2) {
    char buffer[128];
    if (markdown)
        std::snprintf(buffer, sizeof buffer, "%.*Lf", digits, f.error);
    else if (arity == 1)
        std::snprintf(buffer, sizeof buffer, "%6.*Lf at %-22.17g", digits, f.error, f.x);
    else
        std::snprintf(buffer, sizeof buffer, "%6.*Lf at %.17g, %.17g", digits, f.error, f.x, f.y);
    return buffer;
}

/// Measures one row in all floating dtypes, prints it, and counts it; rows that are exact have no measure.
struct tally {
    std::string only;  ///< a row's name; empty: all
    int rows = 0, failures = 0;

    template <frit::op Code, class Op, class Formula>
    void add(Op apply, Formula formula) {
        if constexpr (info(Code).ulp > 0) {
            const frit::op_info& row = info(Code);
            if (!only.empty() && only != row.name) return;
            const finding f32 = measure<float>(row, apply, formula), f64 = measure<double>(row, apply, formula);
            const finding f16 = measure<frit::half>(row, apply, formula),
                          bf16 = measure<frit::bfloat16>(row, apply, formula);
            const bool kept = f32.error <= bound<float>(Code) && f64.error <= bound<double>(Code) &&
                              f16.error <= bound<frit::half>(Code) && bf16.error <= bound<frit::bfloat16>(Code);
            std::printf(markdown ? "| `%s` | %g .. %g | %g | %s | %s | %s | %s |%s\n"
                                 : "%-10s [%g, %g] <= %g: float32 %s float64 %s float16 %s bfloat16 %s%s\n",
                        std::string(row.name).c_str(), row.lo, row.hi, row.ulp, text(f32, row.arity).c_str(),
                        text(f64, row.arity).c_str(), text(f16, row.arity, 4).c_str(), text(bf16, row.arity, 4).c_str(),
                        kept ? "" : "  TOO MUCH");
            std::fflush(stdout);
            ++rows, failures += !kept;
        }
    }
};

using truth = ref::floating_formulas<long double>;
#define FRIT_MEASURE_1(name)                                                        \
    t.add<frit::op::name>([](const auto& a, const auto&) { return frit::name(a); }, \
                          [](long double a, long double) { return truth::name(a); });
#define FRIT_MEASURE_2(name)                                                             \
    t.add<frit::op::name>([](const auto& a, const auto& b) { return frit::name(a, b); }, \
                          [](long double a, long double b) { return truth::name(a, b); });
#define FRIT_MEASURE_3(name) static_assert(info(frit::op::name).ulp == 0, #name ": three operands are not measured");
#define FRIT_EXACT(arity, name) static_assert(info(frit::op::name).ulp == 0, #name ": not measured");
#define FRIT_CALLED(arity, name) FRIT_MEASURE_##arity(name)
#define FRIT_FORM_INFIX FRIT_EXACT
#define FRIT_FORM_PREFIX FRIT_EXACT
// Of hidden rows normal_isf alone is not exact.
#define FRIT_HIDDEN_1(name)                                                                                 \
    t.add<frit::op::name>([](const auto& a, const auto&) { return frit::detail::make<frit::op::name>(a); }, \
                          [](long double a, long double) { return truth::name(a); });
#define FRIT_HIDDEN_2(name) FRIT_EXACT(2, name)
#define FRIT_HIDDEN_3(name) FRIT_EXACT(3, name)
#define FRIT_FORM_HIDDEN(arity, name) FRIT_HIDDEN_##arity(name)
#define FRIT_FORM_CALL FRIT_CALLED
#define FRIT_ROW_NUM(form, arity, name) FRIT_FORM_##form(arity, name)
#define FRIT_ROW_ANY(form, arity, name) FRIT_EXACT(arity, name)
#define FRIT_ROW_INT(form, arity, name) FRIT_EXACT(arity, name)
#define FRIT_ROW_WORD(form, arity, name) FRIT_EXACT(arity, name)
#define FRIT_ROW_PARTS(form, arity, name) FRIT_FORM_##form(arity, name)
#define FRIT_ROW_SHORT(...)  // over every number of 16 bits: tests/differential/test_short_floats.cpp
#define FRIT_ROW_COMPLEX(form, arity, name) FRIT_FORM_##form(arity, name)
#define FRIT_ROW_FLT(form, arity, name) FRIT_FORM_##form(arity, name)

void measure_all(tally& t) {
#define FRIT_OP(name, arity, form, token, types, ...) FRIT_ROW_##types(form, arity, name)
#include "frit/ops.def"
}

}  // namespace

int main(int argc, char** argv) {
    tally t;
    for (int k = 1; k < argc; ++k)
        if (std::strcmp(argv[k], "--markdown") == 0)
            markdown = true;
        else
            t.only = argv[k];
    try {
        std::printf("%s\n\n", frit::default_device().description().c_str());
        if (markdown)
            std::puts("| op | domain | bound | float32 | float64 | float16 | bfloat16 |\n|---|---|---|---|---|---|---|");
        measure_all(t);
        return t.rows > 0 && t.failures == 0 ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
