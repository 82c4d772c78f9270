// Lists of specs that between them use every op, dtype and feature of a schedule: compiled by one test, run by another.
#pragma once

#include "tests/cuda/specs.hpp"

namespace frit_test {

inline constexpr dtype all_types[] = {
#define FRIT_X(name, type) dtype::name,
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
};
inline constexpr op all_reductions[] = {
#define FRIT_KIND_PLAIN(name) op::name,
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
};

// One kernel per op and dtype that the table allows.
inline std::vector<kernel_spec> every_op() {
    std::vector<kernel_spec> specs;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        const op code = static_cast<op>(k);
        for (dtype type : all_types) {
            const frit::op_dtypes rule = frit::resolve(code, type);
            if (!rule.valid || rule.code != code || rule.operand != type) continue;
            builder b;
            int operands[3] = {};
            for (int a = 0; a < frit::info(code).arity; ++a)
                operands[a] =
                    b.load(frit::info(code).result == frit::op_result::SELECT && a == 0 ? dtype::bool_ : type, "1");
            b.store(b.apply(code, rule.result, operands[0], operands[1], operands[2]), "1");
            specs.push_back(b.spec);
        }
    }
    return specs;
}

// Complex numbers read, written, taken apart and made; copied in packs of every width.
inline std::vector<kernel_spec> complex_numbers() {
    std::vector<kernel_spec> specs;
    for (const dtype type : {dtype::c64, dtype::c128}) {
        for (const op part : {op::real, op::imag}) {
            builder b;
            b.store(b.apply(part, real_dtype(type), b.load(type, "1")), "1");
            specs.push_back(b.spec);
        }
        for (int width = 1; width <= 16; width *= 2) {
            builder b;
            b.spec.vector_width = static_cast<std::uint8_t>(width);
            const int x = b.load(type, "1"), y = b.load(type, "1");
            b.store(x, "1");
            b.store(
                b.apply(op::complex, type, b.apply(op::imag, real_dtype(type), x), b.apply(op::real, real_dtype(type), y)),
                "1");
            specs.push_back(b.spec);
        }
    }
    return specs;
}

inline std::vector<kernel_spec> every_cast() {
    std::vector<kernel_spec> specs;
    for (dtype from : all_types)
        for (dtype to : all_types) {
            if (from == to) continue;
            builder b;
            const int x = b.load(from, "1");
            b.store(b.apply(op::cast, to, x), "1");
            specs.push_back(b.spec);
        }
    return specs;
}

inline std::vector<kernel_spec> every_vector_width() {
    std::vector<kernel_spec> specs;
    for (dtype type : all_types)
        for (int width = 1; width <= 16; width *= 2) {
            builder b;
            b.spec.vector_width = static_cast<std::uint8_t>(width);
            const int x = b.load(type, "1"), y = b.load(dtype::bool_, "1"), s = b.scalar(type);
            b.store(b.apply(op::where, type, y, x, s), "1");
            specs.push_back(b.spec);
        }
    return specs;
}

// Strides 0, 1, run-time and clamped in every place of ranks 1 to 5, coordinates, both index widths.
inline std::vector<kernel_spec> every_layout() {
    std::vector<kernel_spec> specs;
    for (int rank = 1; rank <= 5; ++rank)
        for (const schedule_kind schedule : {schedule_kind::pointwise, schedule_kind::reduce_all})
            for (const bool wide : {false, true}) {
                builder b(rank, schedule);
                b.spec.index64 = wide;
                const std::string last(static_cast<std::size_t>(rank) - 1, 's');
                const auto f = dtype::f32;
                int x = b.load(f, last + "1");
                for (int d = 0; d < rank; ++d) {
                    std::string broadcast = last + "s", padded = last + "s";
                    broadcast[static_cast<std::size_t>(d)] = '0';
                    padded[static_cast<std::size_t>(d)] = 'c';
                    const int y = b.load(f, broadcast);
                    x = b.apply(op::add, f, x, y);
                    const int z = b.load(f, padded);
                    x = b.apply(op::mul, f, x, z);
                    const int i = b.coord(d % 2 ? dtype::i64 : dtype::i32, d, d % 3 == 0);
                    const int as_float = b.apply(op::cast, f, i);
                    x = b.apply(op::add, f, x, as_float);
                }
                const int uniform = b.load(f, std::string(static_cast<std::size_t>(rank), '0'));
                x = b.apply(op::sub, f, x, uniform);
                b.store(x, last + "1");
                b.store(x, last + "s");
                if (schedule == schedule_kind::reduce_all) {
                    b.reduce(op::sum, x);
                    b.reduce(op::max, x);
                }
                specs.push_back(b.spec);
            }
    return specs;
}

inline std::vector<kernel_spec> every_reduction() {
    std::vector<kernel_spec> specs;
    for (op code : all_reductions)
        for (dtype type : all_types) {
            const dtype result = frit::reduction_dtype(code, type);
            builder b(1, schedule_kind::reduce_all);
            const int x = b.load(type, "1");
            b.reduce(code, result == type ? x : b.apply(op::cast, result, x));
            specs.push_back(b.spec);
        }
    return specs;
}

inline std::vector<kernel_spec> workloads() {
    std::vector<kernel_spec> specs;
    for (int width : {1, 4}) {
        specs.push_back(axpb(width));
        specs.push_back(chain12(width));
        specs.push_back(black_scholes(width));
        specs.push_back(trig(width));
        specs.push_back(sum_of_squares(width));
    }
    specs.push_back(sum_of_squares(2, dtype::f64));
    // So heavy a body that its lanes are not unrolled.
    builder b;
    b.spec.vector_width = 4;
    int x = b.load(dtype::f32, "1");
    for (int k = 0; k < 28; ++k) x = b.apply(op::sin, dtype::f32, x);
    b.store(x, "1");
    specs.push_back(b.spec);
    return specs;
}

/// Of each dtype, elements of vectors and of several dimensions, both index widths; and one whose places are mended.
inline std::vector<kernel_spec> every_tally() {
    std::vector<kernel_spec> specs;
    const auto tally = [&specs](builder& b, int place, dtype type) {
        const std::uint16_t amount = b.scalar(type), count = b.scalar(dtype::i64);
        b.spec.tallies.push_back({type, b.spec.pointers++, static_cast<std::uint16_t>(place), amount, count});
        specs.push_back(b.spec);
    };
    for (const dtype type : {dtype::i32, dtype::u32, dtype::i64, dtype::u64})
        for (const int rank : {1, 2})
            for (const bool wide : {false, true}) {
                builder b(rank);
                b.spec.vector_width = rank == 1 ? 4 : 1;
                b.spec.index64 = wide;
                const int x = b.load(dtype::i32, rank == 1 ? "1" : "s1"), at = b.coord(dtype::i32, rank - 1);
                tally(b, b.apply(op::bit_and, dtype::i32, x, at), type);
            }
    builder b;
    b.spec.vector_width = 16;
    const auto f = dtype::f64;
    const int x = b.load(dtype::u8, "1"), limit = b.scalar(dtype::i32), place = b.apply(op::cast, dtype::i32, x);
    int y = b.apply(op::cast, f, place);
    for (int k = 0; k < 7; ++k) y = b.apply(op::mul, f, y, y);
    const int mended = b.apply(op::cast, dtype::i32, y), doubtful = b.apply(op::lt, dtype::bool_, place, limit);
    tally(b, b.apply(op::where, dtype::i32, doubtful, mended, place), dtype::i64);
    return specs;
}

inline std::vector<kernel_spec> with_row_code() {  // mean and a norm from two totals, beside a stored array
    builder b(1, schedule_kind::reduce_all);
    b.spec.vector_width = 4;
    const auto f = dtype::f32;
    const int x = b.load(f, "1"), square = b.apply(op::mul, f, x, x);
    b.store(square, "1");
    b.reduce(op::sum, x);
    b.reduce(op::sum, square);
    const int count = b.scalar(f);
    auto& e = b.spec.row;
    e.push_back({op::scalar, f, b.spec.body[static_cast<std::size_t>(count)].a});
    const auto last = static_cast<std::uint16_t>(e.size() - 1);
    e.push_back({op::div, f, 0, last});
    e.push_back({op::sqrt, f, 1});
    e.push_back({op::cast, dtype::f64, static_cast<std::uint16_t>(last + 1)});
    b.spec.row_stores.push_back({b.at(dtype::f64, "0", b.spec.pointers++), static_cast<std::uint16_t>(last + 3)});
    b.spec.row_stores.push_back({b.at(f, "0", b.spec.pointers++), static_cast<std::uint16_t>(last + 2)});
    return {b.spec};
}

}  // namespace frit_test
