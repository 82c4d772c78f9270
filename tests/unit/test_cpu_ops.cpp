// Every op of the table on every dtype that it takes, on both CPU engines and every instruction-set level of this machine:
// against the reference, engine against engine bit for bit, with operands as arrays and as scalars.
#include "tests/support/engines.hpp"
#include "tests/support/ulp.hpp"
#include "tests/unit/cpu_support.hpp"

namespace {

using namespace cpu_test;

// An op on operands of one dtype, as the planner would leave it.
struct row {
    op code;
    dtype operand, result;
    int arity;
    bool selects;
};
std::vector<row> rows_of(dtype t) {
    std::vector<row> rows;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        const op o = static_cast<op>(k);
        const frit::op_dtypes r = frit::resolve(o, t);
        if (!r.valid || r.code != o || r.operand != t || frit::is_complex(r.result)) continue;
        rows.push_back({o, t, r.result, frit::info(o).arity, frit::info(o).result == frit::op_result::SELECT});
    }
    return rows;
}

constexpr std::int64_t n = 1037;  // full blocks, full vectors and an odd tail on every level

// One kernel with every op of a dtype as an output. `splats`: bit k makes operand k a scalar.
class op_kernel {
public:
    op_kernel(dtype t, int splats) : rows(rows_of(t)) {
        visit(t, [&]<class T>() {
            frit_test::generator g(2024);
            for (int k = 0; k < 3; ++k) inputs.push_back(bytes_of(frit_test::sample<T>(g, n, 0.3)));
            inputs.push_back(bytes_of(frit_test::sample<bool>(g, n, 0)));
        });
        auto& spec = run.spec;
        const auto add = [&](instruction i) {
            spec.body.push_back(i);
            return static_cast<std::uint16_t>(spec.body.size() - 1);
        };
        std::uint16_t operand[4];
        const dtype types[] = {t, t, t, dtype::bool_};
        for (int k = 0; k < 4; ++k) {
            const int place = k == 3 ? 0 : k;  // the bool stands where operand 0 does
            if (splats >> place & 1) {
                std::uint64_t word = 0;
                std::memcpy(&word, inputs[static_cast<std::size_t>(k)].data(), frit::size_of(types[k]));
                spec.scalars.push_back(types[k]);
                run.scalars.push_back(word);
                operand[k] = add({op::scalar, types[k], static_cast<std::uint16_t>(spec.scalars.size() - 1)});
            } else {
                spec.loads.push_back(flat(types[k], static_cast<int>(run.pointers.size())));
                run.loads.push_back({{1}, {}, 0});
                memory.push_back(std::make_unique<guarded>(inputs[static_cast<std::size_t>(k)].size(), k % 2 == 0));
                std::memcpy(memory.back()->data(), inputs[static_cast<std::size_t>(k)].data(), memory.back()->bytes());
                run.pointers.push_back(memory.back()->data());
                operand[k] = add({op::load, types[k], static_cast<std::uint16_t>(spec.loads.size() - 1)});
            }
        }
        for (const row& r : rows) {
            const std::uint16_t first = r.selects ? operand[3] : operand[0];
            const std::uint16_t value = add({r.code, r.result, first, r.arity > 1 ? operand[1] : std::uint16_t{0},
                                             r.arity > 2 ? operand[2] : std::uint16_t{0}});
            output(value, r.result);
        }
        for (dtype to : compute_dtypes) output(add({op::cast, to, operand[0]}), to);
        spec.pointers = static_cast<std::uint16_t>(run.pointers.size());
        run.extents = {n};
    }

    // What the kernel made, all outputs one after the other.
    std::vector<std::byte> result(frit::detail::backend& on) const {
        for (std::size_t k = 0; k < outputs.size(); ++k) std::memset(outputs[k]->data(), 0x5a, outputs[k]->bytes());
        run.run(on);
        std::vector<std::byte> all;
        for (const auto& o : outputs) all.insert(all.end(), o->data(), o->data() + o->bytes());
        return all;
    }

    ref::number input(int k, std::int64_t i, dtype t, int splats) const {
        const int place = k == 3 ? 0 : k;
        return read(inputs[static_cast<std::size_t>(k)].data(), t, splats >> place & 1 ? 0 : i);
    }

    std::vector<row> rows;
    launchable run;
    std::vector<std::vector<std::byte>> inputs;
    std::vector<std::unique_ptr<guarded>> memory, outputs;
    std::vector<dtype> output_types;

private:
    template <class T>
    static std::vector<std::byte> bytes_of(const std::vector<T>& values) {
        std::vector<std::byte> b;
        for (const T x : values) {
            const auto* p = reinterpret_cast<const std::byte*>(&x);
            b.insert(b.end(), p, p + sizeof(T));
        }
        return b;
    }
    void output(std::uint16_t value, dtype t) {
        outputs.push_back(std::make_unique<guarded>(n * frit::size_of(t), false));
        output_types.push_back(t);
        run.spec.stores.push_back({flat(t, static_cast<int>(run.pointers.size())), value});
        run.stores.push_back({{1}, {}, 0});
        run.pointers.push_back(outputs.back()->data());
    }
};

// Equal but for which NaN it is.
bool same_values(const op_kernel& k, const std::vector<std::byte>& a, const std::vector<std::byte>& b, std::string& where) {
    std::size_t at = 0;
    for (std::size_t o = 0; o < k.outputs.size(); ++o) {
        const bool same = visit(k.output_types[o], [&]<class T>() {
            for (std::int64_t i = 0; i < n; ++i) {
                T x, y;
                std::memcpy(&x, a.data() + at + static_cast<std::size_t>(i) * sizeof(T), sizeof x);
                std::memcpy(&y, b.data() + at + static_cast<std::size_t>(i) * sizeof(T), sizeof y);
                if (frit_test::same_bits(x, y)) continue;
                where = "output " + std::to_string(o) + " (" +
                        (o < k.rows.size() ? std::string(frit::name_of(k.rows[o].code)) : "cast") + ") element " +
                        std::to_string(i) + ": " + std::to_string(x) + " and " + std::to_string(y);
                return false;
            }
            return true;
        });
        if (!same) return false;
        at += k.outputs[o]->bytes();
    }
    return true;
}

void expect_near(const row& r, dtype type, const std::byte* got, const ref::number& want, std::int64_t i,
                 const ref::number (&operands)[3]) {
    visit(type, [&]<class T>() {
        T x;
        std::memcpy(&x, got + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
        if (!want.known()) return;
        for (int k = 0; frit::is_elementwise(r.code) && k < r.arity; ++k) {  // a bound holds in the row's domain
            const frit::op_info& rule = frit::info(r.code);
            const long double at = operands[k].v;
            if (rule.ulp > 0 && std::isfinite(at) &&
                (at < static_cast<long double>(rule.lo) || at > static_cast<long double>(rule.hi)))
                return;
        }
        const long double v = static_cast<long double>(x);
        // The reference has more exponents than the dtype: infinity stands one step above the largest number.
        const auto finite = [](long double z) {
            if constexpr (!std::is_floating_point_v<T>) return z;
            const long double top = std::ldexp(1.0L, std::numeric_limits<T>::max_exponent);
            return std::clamp(z, -top, top);
        };
        const bool nan = want.v != want.v;
        const bool right = nan ? v != v : finite(v) == finite(want.v) || std::fabs(finite(v) - finite(want.v)) <= want.err;
        EXPECT_TRUE(right) << frit::name_of(r.code) << " on " << frit::name_of(r.operand) << " ("
                           << static_cast<double>(operands[0].v) << ", " << static_cast<double>(operands[1].v) << ", "
                           << static_cast<double>(operands[2].v) << ") gave " << static_cast<double>(v) << ", want "
                           << static_cast<double>(want.v) << " +- " << static_cast<double>(want.err);
    });
}

class CpuOps : public testing::TestWithParam<dtype> {};

TEST_P(CpuOps, MatchTheReferenceOnEveryLevel) {
    const dtype t = GetParam();
    for (int splats = 0; splats < 7; ++splats) {
        const op_kernel k(t, splats);
        for (isa_level level : levels()) {
            SCOPED_TRACE(std::string(frit::detail::name_of(level)) + ", scalar operands " + std::to_string(splats));
            const auto got = k.result(backend_of(cpu_engine::interpreter, level));
            std::size_t at = 0;
            for (std::size_t o = 0; o < k.outputs.size(); ++o) {
                const bool is_op = o < k.rows.size();
                const row r = is_op ? k.rows[o] : row{op::cast, t, k.output_types[o], 1, false};
                for (std::int64_t i = 0; i < n && !HasFailure(); ++i) {
                    const ref::number operands[3] = {
                        r.selects ? k.input(3, i, dtype::bool_, splats) : k.input(0, i, t, splats), k.input(1, i, t, splats),
                        k.input(2, i, t, splats)};
                    const ref::number want = is_op ? ref::apply(r.code, t, operands[0], operands[1], operands[2])
                                                   : ref::convert(operands[0], t, r.result);
                    expect_near(r, k.output_types[o], got.data() + at, want, i, operands);
                }
                at += k.outputs[o]->bytes();
            }
        }
    }
}

TEST_P(CpuOps, AreTheSameBitsCompiled) {
    const dtype t = GetParam();
    auto turn = static_cast<std::size_t>(t);
    for (int splats : {0, 2, 5}) {
        const op_kernel k(t, splats);
        for (isa_level level : levels()) {
            SCOPED_TRACE(std::string(frit::detail::name_of(level)) + ", scalar operands " + std::to_string(splats));
            std::string where;
            const auto interpreted = k.result(backend_of(cpu_engine::interpreter, level));
            const bool host = frit_test::host_compiler_takes(turn++);
            for (cpu_engine engine : compiled_engines()) {
                if (engine == cpu_engine::cxx && !host) continue;
                const auto compiled = k.result(backend_of(engine, level));
                EXPECT_TRUE(same_values(k, interpreted, compiled, where)) << where;
            }
        }
    }
}

// exp is code of our own: beyond the domain that the table's test draws from, where results are subnormal, 0 or infinite.
template <class T>
void check_exp(isa_level level, cpu_engine engine) {
    using limits = std::numeric_limits<T>;
    std::vector<T> x = {0,
                        -T(0),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN(),
                        limits::max(),
                        limits::lowest(),
                        limits::min(),
                        -limits::denorm_min(),
                        limits::epsilon() / 4};
    const long double ln2 = std::log(2.0L);
    const T ends[] = {static_cast<T>(limits::max_exponent * ln2), static_cast<T>((limits::min_exponent - 1) * ln2),
                      static_cast<T>((limits::min_exponent - limits::digits - 1) * ln2)};
    for (const T end : ends)
        for (int k = -200; k <= 200; ++k) x.push_back(end + static_cast<T>(k) / 16);
    for (const T end : ends) x.push_back(std::nextafter(end, T(0))), x.push_back(std::nextafter(end, 2 * end));
    std::vector<T> got(x.size());
    launchable l;
    constexpr dtype t = frit::dtype_of<T>;
    l.spec.body = {{op::load, t, 0}, {op::exp, t, 0}};
    l.spec.loads = {flat(t, 0)};
    l.spec.stores = {{flat(t, 1), 1}};
    l.spec.pointers = 2;
    l.extents = {static_cast<std::int64_t>(x.size())};
    l.loads = l.stores = {{{1}, {}, 0}};
    l.pointers = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(got.data())};
    l.run(backend_of(engine, level));
    for (std::size_t k = 0; k < x.size(); ++k)
        EXPECT_LE(frit_test::ulp_distance(got[k], std::exp(static_cast<long double>(x[k]))), 2) << "exp(" << x[k] << ')';
}
TEST(CpuExp, HoldsItsBoundWhereverTheArgumentLies) {
    for (isa_level level : levels())
        for (cpu_engine engine : engines()) {
            check_exp<float>(level, engine);
            check_exp<double>(level, engine);
        }
}

// Chains of fma with scalar coefficients, which the interpreter runs as one step: every length, both readings of x * x,
// links that are used twice, and a chain whose x changes on the way.
TEST(CpuPolynomials, AreFmaAfterFma) {
    for (isa_level level : levels())
        for (cpu_engine engine : engines())
            for (int length : {1, 2, 3, 8, 9, 20})
                for (int form = 0; form < 4; ++form) {
                    if (engine != cpu_engine::interpreter && (level != frit::detail::machine_isa() || length % 9 > 2))
                        continue;
                    std::vector<double> x(301), y(301), got(301), middle(301);
                    for (std::size_t k = 0; k < x.size(); ++k) x[k] = 0.01 * static_cast<double>(k), y[k] = 1.5 - x[k];
                    launchable l;
                    auto& body = l.spec.body;
                    const auto add = [&](instruction i) {
                        body.push_back(i);
                        return static_cast<std::uint16_t>(body.size() - 1);
                    };
                    const auto scalar = [&](double v) {
                        l.spec.scalars.push_back(dtype::f64);
                        l.scalars.push_back(word_of(v));
                        return add({op::scalar, dtype::f64, static_cast<std::uint16_t>(l.scalars.size() - 1)});
                    };
                    const std::uint16_t in[] = {add({op::load, dtype::f64, 0}), add({op::load, dtype::f64, 1})};
                    std::uint16_t r = form == 0 ? scalar(0.1) : form == 1 ? in[0] : in[1];
                    const std::uint16_t first = r;
                    std::uint16_t shared = 0;
                    for (int k = 0; k < length; ++k) {
                        const std::uint16_t at = form == 3 && k >= length / 2 ? in[1] : in[0];
                        const std::uint16_t c = scalar(1.0 / (k + 3));
                        r = k % 2 ? add({op::fma, dtype::f64, at, r, c}) : add({op::fma, dtype::f64, r, at, c});
                        if (k == length / 2) shared = r;
                    }
                    l.spec.loads = {flat(dtype::f64, 0), flat(dtype::f64, 1)};
                    l.spec.stores = {{flat(dtype::f64, 2), r}};
                    l.loads = {{{1}, {}, 0}, {{1}, {}, 0}};
                    l.stores = {{{1}, {}, 0}};
                    l.pointers = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data()),
                                  reinterpret_cast<std::byte*>(got.data())};
                    if (form == 2) {  // a link that leaves the kernel
                        l.spec.stores.push_back({flat(dtype::f64, 3), shared});
                        l.stores.push_back({{1}, {}, 0});
                        l.pointers.push_back(reinterpret_cast<std::byte*>(middle.data()));
                    }
                    l.spec.pointers = static_cast<std::uint16_t>(l.pointers.size());
                    l.extents = {static_cast<std::int64_t>(x.size())};
                    l.run(backend_of(engine, level));
                    for (std::size_t i = 0; i < x.size(); ++i) {
                        double want = first == in[0] ? x[i] : first == in[1] ? y[i] : 0.1;
                        for (int k = 0; k < length; ++k) {
                            want = std::fma(want, form == 3 && k >= length / 2 ? y[i] : x[i], 1.0 / (k + 3));
                            if (form == 2 && k == length / 2) {
                                ASSERT_EQ(middle[i], want);
                            }
                        }
                        ASSERT_EQ(got[i], want) << "length " << length << " form " << form;
                    }
                }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, CpuOps, testing::ValuesIn(compute_dtypes),
                         [](const auto& p) { return std::string(frit::name_of(p.param)); });

}  // namespace
