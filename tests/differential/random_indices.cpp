// Arrays of indices in the random program: of every integer dtype, in memory or computed from what is held, alone and beside
// slices, integers, new axes and masks; what is picked by masks; and indices out of range, which must cost nothing but the
// error.
#include "tests/differential/op_cases.hpp"
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/from_values.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test {
namespace {

using frit::any_array;
using frit::array;
using frit::dtype;
using frit::op;
using kind = ref::subscript::kind;

constexpr dtype integers[] = {dtype::i8, dtype::i16, dtype::i32, dtype::i64, dtype::u8, dtype::u16, dtype::u32, dtype::u64};

any_array held(const ingredient& x) { return any_array(x.lazy); }

ref::array integer(std::int64_t v) { return constant(v); }

/// As frit::bounds, of indices of any size.
ref::array in_range(const ref::array& indices, std::int64_t n, frit::bounds mode) {
    ref::array r = indices;
    r.type = dtype::i64;
    for (ref::number& i : r.data) {
        const auto extent = static_cast<long double>(n);
        if (mode == frit::bounds::clip) i.v = std::clamp(i.v, 0.0L, extent - 1);
        if (mode == frit::bounds::wrap) i.v = i.v - extent * std::floor(i.v / extent);
    }
    return r;
}

const char* name_of_mode(frit::bounds mode) {
    return mode == frit::bounds::clip ? ", clip" : mode == frit::bounds::wrap ? ", wrap" : "";
}

ref::position without_some(generator& random, ref::position extents, bool keep) {
    for (std::int64_t& e : extents)
        if (!keep && random.chance(0.2)) e = 1;
    if (!extents.empty() && !keep && random.chance(0.2)) extents.erase(extents.begin());
    return extents;
}

}  // namespace

ingredient random_program::random_indices(const ref::position& extents, std::int64_t lo, std::int64_t hi) {
    const variable* const of = random_.chance(0.4) ? pick_for(extents) : nullptr;
    if (of && is_exact(of->plain) && lo <= hi) {  // computed: whatever it is, brought into range
        return std::visit(
            [&](const auto& a) -> ingredient {
                const ref::array wide = ref::cast(of->plain, dtype::i64);
                ref::array plain = ref::elementwise(op::remainder, {wide, integer(hi - lo + 1)});
                plain = ref::elementwise(op::add, {plain, integer(lo)});
                plain.inexact_reduction = false;
                return {recorded(remainder(frit::cast<std::int64_t>(a), hi - lo + 1) + lo), std::move(plain),
                        "remainder(" + of->name + ", " + std::to_string(hi - lo + 1) + ") + " + std::to_string(lo)};
            },
            of->lazy);
    }
    const dtype type = integers[random_.below(std::ssize(integers))];
    return by_type(type, [&]<class T>(T) -> ingredient {
        using limits = std::numeric_limits<T>;
        std::vector<T> values;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            const std::int64_t first = std::max(lo, std::is_signed_v<T> ? static_cast<std::int64_t>(limits::min()) : 0),
                               last = sizeof(T) == 8 ? hi : std::min(hi, static_cast<std::int64_t>(limits::max()));
            for (std::int64_t k = count(extents); k > 0; --k)
                values.push_back(static_cast<T>(first <= last ? random_.between(first, last) : 0));
        }
        std::size_t next = 0;
        ref::array plain = ref::generate(
            type, extents, [&](const auto&) { return ref::exactly(to_element<ref::value>(T(values[next++]))); });
        std::string text = std::string(name_of(type)) + "{";
        for (const T& v : values) text += (text.back() == '{' ? "" : ", ") + number_text(v);
        return {recorded(from_values(values, frit::shape(extents))), std::move(plain), text + "}" + text_of(extents)};
    });
}

std::optional<subscripts> random_program::random_subscripts(const ref::position& of) {
    static const std::vector<ref::position> shapes = {{}, {1}, {3}, {8}, {20}, {2, 3}, {4, 1}, {1, 5}, {0}, {2, 1, 3}};
    const auto rank = static_cast<std::int64_t>(of.size());
    const std::int64_t given = random_.between(1, rank), forced = random_.below(given);
    const bool nothing = std::find(of.begin(), of.begin() + given, 0) != of.begin() + given;
    ref::position to = nothing ? ref::position{0} : shapes[static_cast<std::size_t>(random_.below(std::ssize(shapes)))];
    const std::vector<ref::range> ranges = random_ranges(of);
    subscripts r;
    std::int64_t elements = 1;
    bool any = false;
    for (std::int64_t k = 0; k < rank; ++k) {
        const std::int64_t n = of[static_cast<std::size_t>(k)];
        if (k >= given) {
            elements *= n;
        } else if (!any && !nothing && random_.chance(0.15) && missing_library(op::cumsum).empty()) {
            const ingredient m = random_mask({n});  // one index for each true element, with which others broadcast
            const ref::array places = places_of(m.plain);
            r.items.push_back({m.lazy, {kind::indices, {}, places}, m.text});
            to = places.extents;
            any = true;
        } else if (k == forced || random_.chance(0.4)) {
            any = true;
            ingredient i = random_indices(without_some(random_, to, n == 0), -n, n - 1);
            r.items.push_back({i.lazy, {kind::indices, {}, i.plain}, i.text});
        } else if (n > 0 && random_.chance(0.3)) {
            const std::int64_t at = random_.between(-n, n - 1);
            r.items.push_back({frit::index(at), {kind::integer, {at, 0, 0}, {}}, std::to_string(at)});
        } else {
            const ref::range& along = ranges[static_cast<std::size_t>(k)];
            r.items.push_back({frit::index(to_slice(along)), {kind::slice, along, {}}, text_of(along)});
            elements *= along.count;
        }
    }
    if (r.items.size() < 3 && random_.chance(0.15)) {
        const auto before = random_.between(0, std::ssize(r.items));
        r.items.insert(r.items.begin() + before, {frit::index(frit::newaxis), {kind::newaxis, {}, {}}, "newaxis"});
    }
    if (elements * count(to) > largest) return {};
    std::vector<ref::subscript> plain;
    for (const subscripts::item& i : r.items) {
        plain.push_back(i.plain);
        r.text += (r.text.empty() ? "" : ", ") + i.text;
    }
    r.where = ref::select(of, plain);
    return r;
}

std::optional<ingredient> random_program::elsewhere(const ref::position& extents) {
    const variable v = pick();
    const ref::array& x = v.plain;
    const ingredient in = ingredient_of(v);
    if (x.rank() == 0 || x.rank() > 3 || count(extents) > largest) return {};
    if (x.extents == extents && random_.chance(0.4)) {
        const int axis = static_cast<int>(random_.below(x.rank()));
        const std::int64_t by = random_.between(-4, 4);
        return ingredient{recorded(roll(in.lazy, by, axis)), ref::roll(x, by, axis),
                          "roll(" + v.name + ", " + std::to_string(by) + ", " + std::to_string(axis) + ")"};
    }
    if (x.data.empty() && count(extents) > 0) return {};
    subscripts at;
    std::vector<ref::subscript> plain;
    for (const std::int64_t n : x.extents) {
        ingredient i = random_indices(without_some(random_, extents, n == 0), -n, n - 1);
        at.text += (at.text.empty() ? "" : ", ") + i.text;
        plain.push_back({kind::indices, {}, i.plain});
        at.items.push_back({i.lazy, plain.back(), i.text});
    }
    std::optional<ingredient> r;
    const ref::selection where = ref::select(x.extents, plain);
    with_subscripts(at, [&](const auto&... i) {
        r = {recorded(std::as_const(in.lazy)(i...)), ref::gather(x, where), v.name + "(" + at.text + ")"};
    });
    return r;
}

void random_program::gather() {
    const variable v = pick();
    const ref::array& x = v.plain;
    const ingredient in = ingredient_of(v);
    const auto how = random_.below(5);
    if (how <= 1) {
        if (!can_be_indexed(x)) return;
        const std::optional<subscripts> at = random_subscripts(x.extents);
        if (!at) return;
        const any_array from = held(in);
        return with_subscripts(*at, [&](const auto&... i) {
            add(any_array(from(i...)), ref::gather(x, at->where), v.name + "(" + at->text + ")");
        });
    }
    if (x.data.empty()) return;
    if (how == 2) {  // of the elements in row-major order
        const ingredient i = random_indices(random_.chance(0.3) ? ref::position{2, 3} : x.extents, -x.size(), x.size() - 1);
        const ref::selection where = ref::select({x.size()}, {{kind::indices, {}, i.plain}});
        return add(any_array(take(in.lazy, i.lazy)), ref::gather(x, where), "take(" + v.name + ", " + i.text + ")");
    }
    if (x.rank() == 0) return;
    const int axis = static_cast<int>(random_.below(x.rank()));
    const std::int64_t n = x.extents[static_cast<std::size_t>(axis)];
    const frit::bounds mode =
        std::vector{frit::bounds::raise, frit::bounds::clip, frit::bounds::wrap}[static_cast<std::size_t>(random_.below(3))];
    const std::int64_t reach = mode == frit::bounds::raise ? n : random_.chance(0.1) ? INT64_MAX / 2 : 3 * n;
    ref::position to{random_.between(0, 9)};
    if (how == 4) {
        to = without_some(random_, x.extents, false);
        to.insert(to.begin(), x.extents.size() - to.size(), 1);
        to[static_cast<std::size_t>(axis)] = random_.between(0, 9);
    }
    if (x.size() / n * to.back() > largest || x.size() / n * 9 > largest) return;
    const ingredient i = random_indices(to, -reach, reach - 1);
    if (how == 4 && i.plain.rank() != x.rank()) return;
    const ref::array ranged = in_range(i.plain, n, mode);
    const std::string text = v.name + ", " + i.text + ", " + std::to_string(axis) + name_of_mode(mode) + ")";
    if (how == 4)
        return add(any_array(take_along_axis(in.lazy, i.lazy, axis, mode)),
                   ref::gather(x, ref::select_along(x.extents, ranged, axis)), "take_along_axis(" + text);
    std::vector<ref::subscript> plain;
    for (int k = 0; k < axis; ++k) plain.push_back({kind::slice, {0, x.extents[static_cast<std::size_t>(k)], 1}, {}});
    plain.push_back({kind::indices, {}, ranged});
    std::visit(
        [&](const auto& a) {
            add(array(take(a, i.lazy, axis, mode)), ref::gather(x, ref::select(x.extents, plain)), "take(" + text);
        },
        v.lazy);
}

/// Known bools: a comparison of what is held, or new ones.
ingredient random_program::random_mask(const ref::position& extents) {
    for (const variable& v : held_) {
        if (v.plain.extents != extents || !is_exact(v.plain) || frit::is_complex(v.plain.type) || !random_.chance(0.5))
            continue;
        return std::visit(
            [&](const auto& a) -> ingredient {
                using T = typename std::decay_t<decltype(a)>::value_type;
                if constexpr (is_complex<T>)
                    throw std::logic_error("complex numbers have been left out");
                else
                    return {recorded(a < T(1)), ref::elementwise(op::lt, {v.plain, constant(T(1))}), v.name + " < 1"};
            },
            v.lazy);
    }
    std::vector<bool> values;
    const double often = random_.uniform(0, 1);
    for (std::int64_t k = count(extents); k > 0; --k) values.push_back(random_.chance(often));
    std::size_t next = 0;
    ref::array plain = ref::generate(dtype::bool_, extents, [&](const auto&) {
        return ref::number{values[next++] ? 1.0L : 0.0L, 0, 0};
    });
    return {recorded(from_values(values, frit::shape(extents))), std::move(plain), "mask" + text_of(extents)};
}

void random_program::pick_by_mask() {
    if (!missing_library(op::cumsum).empty()) return;
    const variable v = pick();
    const ref::array& x = v.plain;
    const ingredient in = ingredient_of(v);
    const auto rows_of = [&](const ref::array& rows, const ref::array& mask) {
        return ref::gather(rows, ref::select(rows.extents, {{kind::indices, {}, places_of(mask)}}));
    };
    switch (random_.below(4)) {
        case 0: {
            const auto masked = random_.between(0, x.rank());
            const ingredient m = random_mask(ref::position(x.extents.begin(), x.extents.begin() + masked));
            ref::position rows(x.extents.begin() + masked, x.extents.end());
            rows.insert(rows.begin(), m.plain.size());
            return add(any_array(std::as_const(in.lazy)(m.lazy)), rows_of(ref::reshape(x, rows), m.plain),
                       v.name + "(" + m.text + ")");
        }
        case 1: {
            if (x.rank() == 0) return;
            const int axis = static_cast<int>(random_.below(x.rank()));
            const std::int64_t n = x.extents[static_cast<std::size_t>(axis)];
            const ingredient m = random_mask({random_.chance(0.5) ? n : random_.between(0, n)});
            std::vector<ref::subscript> at;
            for (int k = 0; k < axis; ++k) at.push_back({kind::slice, {0, x.extents[static_cast<std::size_t>(k)], 1}, {}});
            at.push_back({kind::indices, {}, places_of(m.plain)});
            return add(any_array(compress(m.lazy, in.lazy, axis)), ref::gather(x, ref::select(x.extents, at)),
                       "compress(" + m.text + ", " + v.name + ", " + std::to_string(axis) + ")");
        }
        case 2: {
            const ingredient m = random_mask({x.size()});
            return add(any_array(compress(m.lazy, in.lazy)), rows_of(ref::reshape(x, {x.size()}), m.plain),
                       "compress(" + m.text + ", " + v.name + ")");
        }
        default: {
            const ref::array truth = ref::cast(x, dtype::bool_);
            if (!is_exact(truth)) return;
            add(any_array(flatnonzero(in.lazy)), places_of(truth), "flatnonzero(" + v.name + ")");
        }
    }
}

// One index of many is wrong. On a GPU the error comes once, at the next read.
void random_program::make_mistake() {
    const variable v = pick(), other = pick();
    const ref::array& x = v.plain;
    if (x.rank() == 0 || x.data.empty()) return;
    const int axis = static_cast<int>(random_.below(x.rank()));
    const std::int64_t n = x.extents[static_cast<std::size_t>(axis)];
    const std::int64_t wrong[] = {n, -n - 1, n + 1000, INT64_MAX, INT64_MIN, std::int64_t{1} << 40};
    std::vector<std::int64_t> at;
    for (std::int64_t k = random_.between(1, 40); k > 0; --k) at.push_back(random_.between(-n, n - 1));
    const std::int64_t index = wrong[random_.below(std::ssize(wrong))];
    at[static_cast<std::size_t>(random_.below(std::ssize(at)))] = index;
    const any_array from = held(ingredient_of(v));
    const array<std::int64_t> i = frit::from_host(at);
    const bool writes = !frit::is_complex(x.type) && random_.chance(0.5);
    any_array w;
    if (writes)
        w = scatter_max(from, i, from(std::vector<frit::index>(static_cast<std::size_t>(x.rank()), 0)), axis);
    else
        w = take(from, i, axis);
    say(std::string(writes ? "scatter_max" : "take") + "(" + v.name + ", an index " + std::to_string(index) + ", axis " +
        std::to_string(axis) + "), which is an error");
    const bool together = random_.chance(0.5);
    try {
        if (together) frit::eval(w, held(ingredient_of(other)));
        (void)read_back(w.handle().get());
    } catch (const frit::index_error& e) {
        const std::string text = e.what();
        if (text.find("index " + std::to_string(index) + " is out of range") != std::string::npos) return;
        throw std::logic_error("an index error that says: " + text);
    }
    throw std::logic_error("no index_error");
}

}  // namespace frit_test
