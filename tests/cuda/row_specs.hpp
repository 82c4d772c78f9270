// Kernel specs over rows, written by hand: every schedule, class of row length, reduction and place of an operand.
#pragma once

#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "tests/cuda/spec_lists.hpp"

namespace frit_test {

/// A builder whose domain has `kept` dimensions and then `reduced` ones.
class row_builder : public builder {
public:
    row_builder(schedule_kind schedule, int kept = 1, int reduced = 1) : builder(kept + reduced, schedule) {
        spec.reduced = static_cast<std::uint8_t>(reduced);
    }
    /// Strides of an operand with the domain's own shape, of one with a value per row, and of one per place in the row.
    std::string all() const { return std::string(spec.rank - 1U, 's') + (along() ? "1" : "s"); }
    std::string per_row() const {
        return (kept() ? std::string(kept() - 1U, 's') + "1" : "") + std::string(spec.reduced, '0');
    }
    std::string per_place() const { return std::string(kept(), '0') + std::string(spec.reduced - 1U, 's') + "1"; }
    bool along() const { return spec.schedule == schedule_kind::reduce_inner || spec.schedule == schedule_kind::reduce_all; }

    /// A reduction; its total as an instruction of the row code.
    std::uint16_t total(op code, int value, int second = 0, int third = 0) {
        const dtype type = spec.body[static_cast<std::size_t>(value)].type;
        spec.reductions.push_back({code, type, static_cast<std::uint16_t>(value), static_cast<std::uint16_t>(second), true,
                                   static_cast<std::uint16_t>(third)});
        const auto& rule = frit::fusion::rule_of(spec.reductions.back());
        return row({op::total, rule.types[rule.result], static_cast<std::uint16_t>(spec.reductions.size() - 1)});
    }
    std::uint16_t row(instruction i) {
        spec.row.push_back(i);
        return static_cast<std::uint16_t>(spec.row.size() - 1);
    }
    std::uint16_t row(op code, dtype type, int a, int b = 0) {
        return row({code, type, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)});
    }
    /// A row value in the body.
    std::uint16_t of_row(int k) { return apply(op::row, spec.row[static_cast<std::size_t>(k)].type, k); }
    void store_row(int k) {
        spec.row_stores.push_back(
            {at(spec.row[static_cast<std::size_t>(k)].type, per_row(), spec.pointers++), static_cast<std::uint16_t>(k)});
    }
    /// The spec for rows of that length.
    kernel_spec of_length(std::int64_t length) const {
        kernel_spec s = spec;
        s.row_class = frit::fusion::row_class(s, length, {});
        return s;
    }

private:
    std::size_t kept() const { return static_cast<std::size_t>(spec.rank - spec.reduced); }
};

inline row_builder row_reduction(schedule_kind schedule, op code, dtype type, int kept = 1, int reduced = 1) {
    row_builder b(schedule, kept, reduced);
    int x = b.load(type, schedule == schedule_kind::reduce_tile ? b.per_place() : b.all());
    if (schedule == schedule_kind::reduce_tile && type != dtype::bool_) {
        const int y = b.load(type, b.per_row());
        x = b.apply(op::sub, type, x, y);
    }
    const bool thirds = frit::fusion::takes_thirds(code);
    int place = 0;
    if (frit::takes_places(code) || thirds || code == op::last) place = b.coord(dtype::i64, b.spec.rank - 1);
    b.store_row(b.total(code, x, thirds ? x : place, place));
    return b;
}

/// Rows x of a matrix that are added up, weighted by sum(x w) - y: row code and column sums, in one pass each.
/// @param stores  the weights and their products with x are stored too
inline row_builder weighted_rows(dtype f, bool stores) {
    row_builder b(schedule_kind::reduce_inner);
    const int x = b.load(f, b.all()), w = b.load(f, b.per_place());
    const int dot = b.total(op::sum, b.apply(op::mul, f, x, w));
    b.spec.loads.push_back(b.at(f, b.per_row(), b.spec.pointers++));
    const int y = b.row({op::load, f, static_cast<std::uint16_t>(b.spec.loads.size() - 1)});
    const int weight = b.row(op::sub, f, dot, y);
    const int product = b.apply(op::mul, f, x, b.of_row(weight));
    b.spec.columns.push_back({f, b.spec.pointers++, static_cast<std::uint16_t>(product)});
    if (!stores) return b;
    b.store(product, b.all());
    b.store_row(weight);
    return b;
}
inline constexpr std::int64_t lengths_once[] = {2, 3, 7, 16, 32, 100, 128, 250, 500, 1000, 1024};
/// Those of every class and width of their accesses; two sums of one kernel, a place that must be the first, and no totals.
inline std::vector<kernel_spec> every_column_sum() {
    std::vector<kernel_spec> specs;
    for (const dtype f : {dtype::f32, dtype::f64})
        for (const std::int64_t length : lengths_once)
            for (const bool stores : {false, true}) {
                specs.push_back(weighted_rows(f, stores).of_length(length));
                if (length % 4 == 0) specs.back().vector_width = static_cast<std::uint8_t>(16 / size_of(f));
                specs.back().index64 = stores && length == 100;
            }
    row_builder several(schedule_kind::reduce_inner), alone(schedule_kind::reduce_inner);
    const int x = several.load(dtype::f32, several.all()), at = several.coord(dtype::i64, 1);
    const int first = several.row(op::cast, dtype::f32, several.total(op::argmax, x, at));
    const int far = several.apply(op::sub, dtype::f32, several.apply(op::cast, dtype::f32, at), several.of_row(first));
    for (const int value : {far, x})
        several.spec.columns.push_back({dtype::f32, several.spec.pointers++, static_cast<std::uint16_t>(value)});
    specs.push_back(several.of_length(60));
    const int z = alone.load(dtype::f32, alone.all());
    alone.spec.columns.push_back({dtype::f32, alone.spec.pointers++, static_cast<std::uint16_t>(z)});
    specs.push_back(alone.of_length(60));
    return specs;
}

inline row_builder softmax(schedule_kind schedule, dtype f = dtype::f32) {
    row_builder b(schedule);
    const int x = b.load(f, b.all());
    const int top = b.of_row(b.total(op::max, x));
    const int e = b.apply(op::exp, f, b.apply(op::sub, f, x, top));
    const int sum = b.of_row(b.total(op::sum, e));
    b.store(b.apply(op::div, f, e, sum), b.all());
    return b;
}

/// (x - mean) / sqrt(var + scalar) * g + b, and the row's deviation.
inline row_builder layer_norm(schedule_kind schedule, dtype f = dtype::f32) {
    row_builder b(schedule);
    const int x = b.load(f, b.all()), g = b.load(f, b.per_place()), shift = b.load(f, b.per_place());
    const int sum = b.total(op::sum, x), m2 = b.total(op::square_deviations, x);
    const int count = b.row(op::scalar, f, 0), small = b.row(op::scalar, f, 1);
    b.spec.scalars = {f, f};
    const int mean = b.row(op::div, f, sum, count), var = b.row(op::div, f, m2, count);
    const int deviation = b.row(op::sqrt, f, b.row(op::add, f, var, small));
    const int d = b.apply(op::sub, f, x, b.of_row(mean));
    const int n = b.apply(op::div, f, d, b.of_row(deviation));
    b.store(b.apply(op::fma, f, n, g, shift), b.all());
    b.store_row(deviation);
    return b;
}

inline row_builder pairwise(dtype f = dtype::f32) {
    row_builder b(schedule_kind::reduce_tile);
    const int x = b.load(f, b.per_row()), y = b.load(f, b.per_place());
    b.store_row(b.total(op::sum, b.apply(op::abs, f, b.apply(op::sub, f, x, y))));
    return b;
}

/// Accelerations of bodies: three sums over all others.
inline row_builder nbody() {
    row_builder b(schedule_kind::reduce_tile);
    const auto f = dtype::f32;
    int d[3];
    for (int& k : d) {
        const int mine = b.load(f, b.per_row());
        b.spec.loads.push_back(b.at(f, b.per_place(), b.spec.loads[b.spec.loads.size() - 1].pointer));
        const int other = b.apply(op::load, f, static_cast<int>(b.spec.loads.size() - 1));
        k = b.apply(op::sub, f, other, mine);
    }
    const int m = b.load(f, b.per_place()), small = b.scalar(f);
    int r = b.apply(op::mul, f, d[0], d[0]);
    for (int k : {1, 2}) r = b.apply(op::fma, f, d[k], d[k], r);
    const int i = b.apply(op::rsqrt, f, b.apply(op::add, f, r, small));
    const int w = b.apply(op::mul, f, b.apply(op::mul, f, b.apply(op::mul, f, m, i), i), i);
    for (int k : d) b.store_row(b.total(op::sum, b.apply(op::mul, f, w, k)));
    return b;
}

/// log(sum(exp)) of differences: two passes over a tile, with a row value in the second.
inline row_builder logsumexp_of_differences() {
    row_builder b(schedule_kind::reduce_tile);
    const auto f = dtype::f32;
    const int x = b.load(f, b.per_row()), y = b.load(f, b.per_place());
    const int d = b.apply(op::sub, f, x, y), top = b.total(op::max, d);
    const int sum = b.total(op::sum, b.apply(op::exp, f, b.apply(op::sub, f, d, b.of_row(top))));
    b.store_row(b.row(op::add, f, top, b.row(op::log, f, sum)));
    return b;
}

inline constexpr schedule_kind row_schedules[] = {schedule_kind::reduce_inner, schedule_kind::reduce_outer,
                                                  schedule_kind::reduce_tile};
inline constexpr op reductions_of_every_kind[] = {
#define FRIT_REDUCTION(name, ...) op::name,
#include "frit/ops.def"
};

/// A spec with a domain to run it on.
struct row_case {
    kernel_spec spec;
    std::vector<std::int64_t> extents;
};
inline row_case of_shape(const row_builder& b, std::vector<std::int64_t> extents) {
    std::int64_t length = 1;
    for (std::size_t d = static_cast<std::size_t>(b.spec.rank - b.spec.reduced); d < extents.size(); ++d)
        length *= extents[d];
    return {b.of_length(length), std::move(extents)};
}

/// Every class of row length: one pass, and several that stay in registers or are walked again.
inline std::vector<row_case> every_row_class() {
    std::vector<row_case> cases;
    std::vector<row_builder> all;
    for (const schedule_kind s : row_schedules) all.push_back(row_reduction(s, op::sum, dtype::f32));
    for (const schedule_kind s : {schedule_kind::reduce_inner, schedule_kind::reduce_outer}) {
        all.push_back(softmax(s));
        all.push_back(layer_norm(s));
    }
    all.push_back(softmax(schedule_kind::reduce_inner, dtype::f64));
    all.push_back(pairwise());
    all.push_back(nbody());
    all.push_back(logsumexp_of_differences());
    for (row_builder& b : all)
        for (const std::uint8_t vector : {1, 4}) {
            if (vector > 1 && !b.along()) continue;
            b.spec.vector_width = vector;
            int before = -1;
            for (std::int64_t length : {1, 3, 7, 13, 32, 61, 100, 250, 300, 700, 2000, 4095, 8000, 16384, 20000}) {
                length = (length + vector - 1) / vector * vector;
                row_case c = of_shape(b, {length < 100 ? 70 : 3, length});
                if (c.spec.row_class == before) continue;
                before = c.spec.row_class;
                cases.push_back(std::move(c));
            }
        }
    return cases;
}

/// Sums of a row's elements before each.
inline row_builder running_sums(schedule_kind schedule, dtype type) {
    row_builder b(schedule);
    const int x = b.load(type, b.all());
    b.store(b.apply(op::sub, type, b.apply(frit::running_in_kernel(op::cumsum), type, x), x), b.all());
    return b;
}

/// h <- h s + x along a row, from a value of the row's on. Rows with recurrences are computed side by side, wherever they
/// lie.
/// @param along  elements of a row are neighbours in memory
inline row_builder recurrence(dtype f, bool along) {
    row_builder b(schedule_kind::reduce_outer);
    const std::string strides = along ? "s1" : b.all();
    b.spec.loops.push_back({.inputs = {f, f, f},
                            .code = {{op::load, f, 0}, {op::load, f, 1}, {op::load, f, 2}, {op::fma, f, 0, 2, 1}},
                            .next = {3}});
    const int before = b.load(f, b.per_row()), x = b.load(f, strides), s = b.scalar(f);
    int fed = b.apply(op::feed, f, before, before);
    for (const int input : {x, s}) {
        const int last = fed;
        fed = b.apply(op::feed, f, input, last);
    }
    b.store(b.apply(op::state, f, b.apply(op::scan_along, dtype::i32, fed, 0), 0), strides);
    return b;
}

/// Rows whose elements come one after the other: every class of them, along memory and across it. Sums of floats are of
/// short rows, for each engine rounds in an order of its own.
inline std::vector<row_case> every_ordered_row() {
    std::vector<row_case> cases;
    for (const dtype type : {dtype::f32, dtype::f64, dtype::i32, dtype::i64})
        for (const std::int64_t length : {1, 100, 5000, 70000}) {
            if (length > 100 && (frit::is_float(type) || (length > 5000 && type != dtype::i32))) continue;
            cases.push_back(of_shape(running_sums(schedule_kind::reduce_inner, type), {length > 100 ? 2 : 70, length}));
            if (length <= 100) cases.push_back(of_shape(running_sums(schedule_kind::reduce_outer, type), {70, length}));
        }
    for (const dtype f : {dtype::f32, dtype::f64})
        for (const bool along : {false, true})
            for (const std::int64_t length : {1, 33, 100}) cases.push_back(of_shape(recurrence(f, along), {70, length}));
    return cases;
}

inline std::vector<row_case> every_row_reduction() {
    std::vector<row_case> cases;
    for (const schedule_kind s : row_schedules)
        for (const op code : reductions_of_every_kind)
            for (const dtype type : all_types) {
                if (s != schedule_kind::reduce_inner && type != dtype::f32 && type != dtype::u8 && type != dtype::bool_)
                    continue;
                const auto kind = frit::reduction(code).kind;
                const bool of_floats = kind == frit::reduction_kind::DEVIATIONS || kind == frit::reduction_kind::PAIR;
                if (of_floats && !frit::is_float(type)) continue;
                if (kind == frit::reduction_kind::PLAIN && frit::reduction_dtype(code, type) != type) continue;
                cases.push_back(of_shape(row_reduction(s, code, type), {5, 1100}));
                if (s != schedule_kind::reduce_inner) continue;
                const schedule_kind all = schedule_kind::reduce_all;
                cases.push_back(of_shape(row_reduction(all, code, type, 0, 1), {11003}));
            }
    return cases;
}

/// Rows that blocks share, of length 0, of one element, one row, none.
inline std::vector<row_case> corner_cases() {
    std::vector<row_case> cases;
    for (const schedule_kind s : row_schedules)
        for (const op code : {op::sum, op::argmin, op::square_deviations}) {
            const row_builder b = row_reduction(s, code, dtype::f32);
            const std::int64_t longer = s == schedule_kind::reduce_inner ? 150001 : 2501;
            for (const std::vector<std::int64_t>& extents :
                 {std::vector<std::int64_t>{3, longer}, {1, longer}, {4, 0}, {0, 4}, {1, 1}, {300, 1}})
                cases.push_back(of_shape(b, extents));
            if (s != schedule_kind::reduce_inner) continue;
            for (const std::int64_t length : {0, 1, 3, 4099})
                cases.push_back(of_shape(row_reduction(schedule_kind::reduce_all, code, dtype::f32, 0, 1), {length}));
            cases.push_back(of_shape(row_reduction(schedule_kind::reduce_all, code, dtype::f32, 0, 2), {7, 401}));
        }
    return cases;
}

/// Outputs in the memory of inputs: elements of elements, row values of row values.
inline std::vector<row_case> in_place_cases() {
    std::vector<row_case> cases;
    const auto f = dtype::f32;
    for (const schedule_kind s : {schedule_kind::reduce_inner, schedule_kind::reduce_outer})
        for (const std::int64_t length : {1, 30, 100, 700, 3000, 17001}) {
            row_builder a = softmax(s);
            a.spec.stores[0].to.pointer = 0;
            a.spec.pointers = 1;
            cases.push_back(of_shape(a, {9, length}));
            row_builder b(s);
            const int x = b.load(f, b.all()), y = b.load(f, b.per_row());
            const int top = b.total(op::max, b.apply(op::mul, f, x, y));
            const int scaled = b.apply(op::sub, f, x, b.of_row(top));
            b.store(scaled, b.all());
            const int bias = b.row({op::load, f, 1});
            b.store_row(b.row(op::add, f, top, bias));
            b.spec.stores[0].to.pointer = 0;
            b.spec.row_stores[0].to.pointer = 1;
            b.spec.pointers = 2;
            cases.push_back(of_shape(b, {9, length}));
        }
    return cases;
}

/// Several kept and reduced dimensions, clamped and still operands, coordinates, element stores, both index widths.
inline std::vector<row_case> every_row_layout() {
    std::vector<row_case> cases;
    const auto f = dtype::f32;
    for (const schedule_kind s : row_schedules)
        for (int kept = 1; kept <= 3; ++kept)
            for (int reduced = 1; reduced <= 3; ++reduced) {
                row_builder b(s, kept, reduced);
                b.spec.index64 = (kept + reduced) % 2 != 0;
                const bool tile = s == schedule_kind::reduce_tile;
                int x = b.load(f, tile ? b.per_place() : b.all());
                std::string padded = tile ? b.per_place() : b.all();
                padded.back() = 'c';
                const int other = b.load(f, padded), mine = b.load(f, b.per_row());
                const int uniform = b.load(f, std::string(static_cast<std::size_t>(kept + reduced), '0'));
                x = b.apply(op::mul, f, b.apply(op::add, f, x, other), b.apply(op::sub, f, mine, uniform));
                for (int d = 0; d < kept + reduced; ++d)
                    x = b.apply(op::add, f, x, b.apply(op::cast, f, b.coord(dtype::i32, d, d % 2 == 0)));
                const int total = b.total(op::sum, x);
                const int k = b.row({op::load, f, 2});
                b.spec.coords.push_back({0, false});
                const int i = b.row({op::coord, dtype::i64, static_cast<std::uint16_t>(b.spec.coords.size() - 1)});
                const int mean = b.row(op::mul, f, b.row(op::add, f, total, b.row(op::cast, f, i)), k);
                b.store_row(mean);
                b.store(x, b.all());
                const std::vector<std::int64_t> rows = kept == 1   ? std::vector<std::int64_t>{37}
                                                       : kept == 2 ? std::vector<std::int64_t>{3, 11}
                                                                   : std::vector<std::int64_t>{2, 3, 5};
                const auto with = [&](std::vector<std::int64_t> row) {
                    row.insert(row.begin(), rows.begin(), rows.end());
                    return row;
                };
                const std::vector<std::int64_t> short_row = reduced == 1   ? std::vector<std::int64_t>{58}
                                                            : reduced == 2 ? std::vector<std::int64_t>{7, 9}
                                                                           : std::vector<std::int64_t>{3, 5, 4};
                std::vector<std::int64_t> long_row = short_row;
                long_row[0] *= s == schedule_kind::reduce_inner ? 300 : 40;
                cases.push_back(of_shape(b, with(short_row)));
                if (kept < 3) cases.push_back(of_shape(b, with(long_row)));
                b.store(b.apply(op::sub, f, x, b.of_row(mean)), b.all());
                cases.push_back(of_shape(b, with(short_row)));
                if (kept < 3) cases.push_back(of_shape(b, with(long_row)));
            }
    return cases;
}

/// 64-bit sums of products of narrow integers, multiplied in 64 or in 32 bits, and of counts of bits.
inline std::vector<row_case> narrow_products() {
    std::vector<row_case> cases;
    const std::pair<dtype, dtype> factors[] = {
        {dtype::i8, dtype::i8}, {dtype::u8, dtype::i16}, {dtype::bool_, dtype::u8}, {dtype::u64, dtype::u64}};
    for (const schedule_kind s :
         {schedule_kind::reduce_all, schedule_kind::reduce_inner, schedule_kind::reduce_outer, schedule_kind::reduce_tile})
        for (const auto& [left, right] : factors)
            for (const dtype product : {dtype::i64, dtype::i32}) {
                const bool whole = s == schedule_kind::reduce_all, tile = s == schedule_kind::reduce_tile;
                row_builder b(s, whole ? 0 : 1);
                if (b.along()) b.spec.vector_width = 4;
                int x = b.load(left, tile ? b.per_row() : b.all()), y = b.load(right, tile ? b.per_place() : b.all());
                if (left == dtype::u64) {
                    x = b.apply(op::popcount, left, x);
                    y = b.apply(op::popcount, right, y);
                }
                int xy = b.apply(op::mul, product, b.apply(op::cast, product, x), b.apply(op::cast, product, y));
                if (product != dtype::i64) xy = b.apply(op::cast, dtype::i64, xy);
                if (left == dtype::i8) xy = b.apply(op::bit_cast, dtype::u64, xy);
                b.store_row(b.total(op::sum, xy));
                cases.push_back(whole ? of_shape(b, {4096}) : of_shape(b, {3, 2000}));
            }
    return cases;
}

/// Operands of dtypes that no register has: one that moves along the row, one with a value per row, one with a single value.
inline std::vector<row_case> stored_dtypes() {
    std::vector<row_case> cases;
    const auto f = dtype::f32;
    for (const schedule_kind s : row_schedules)
        for (const dtype type : {dtype::f16, dtype::bf16, dtype::c64, dtype::c128}) {
            row_builder b(s);
            const dtype real = frit::is_complex(type) ? frit::real_dtype(type) : f;
            const auto read = [&](const std::string& strides) {
                return b.apply(frit::is_complex(type) ? op::real : op::cast, real, b.load(type, strides));
            };
            const int x = read(s == schedule_kind::reduce_tile ? b.per_place() : b.all());
            b.store_row(b.total(op::sum, b.apply(op::fma, real, x, read(b.per_row()), read("00"))));
            for (const std::int64_t length : {60, 5000, 80000}) cases.push_back(of_shape(b, {7, length}));
        }
    return cases;
}

inline std::vector<kernel_spec> specs_of(const std::vector<row_case>& cases) {
    std::vector<kernel_spec> specs;
    for (const row_case& c : cases) specs.push_back(c.spec);
    return specs;
}

}  // namespace frit_test
