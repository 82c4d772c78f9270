// Elements at other places in the random program: what is joined, stacked, rolled, repeated, tiled, padded and seen through
// windows, of what is held and before it is evaluated.
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test {
namespace {

using frit::any_array;
using frit::op;

std::string list_of(const std::vector<ingredient>& parts) {
    std::string s;
    for (const ingredient& p : parts) s += ", " + p.text;
    return s;
}

constexpr std::pair<frit::pad_mode, ref::around> modes[] = {{frit::pad_mode::constant, ref::around::constant},
                                                            {frit::pad_mode::edge, ref::around::edge},
                                                            {frit::pad_mode::reflect, ref::around::reflect},
                                                            {frit::pad_mode::symmetric, ref::around::symmetric},
                                                            {frit::pad_mode::wrap, ref::around::wrap}};
constexpr const char* mode_names[] = {"constant", "edge", "reflect", "symmetric", "wrap"};

}  // namespace

void random_program::pad(const variable& v) {
    const ref::array& x = v.plain;
    if (x.rank() < 1 || x.rank() > 2 || x.data.empty() || x.size() * 3 > largest) return;
    const std::int64_t most = x.size() < 60 && random_.chance(0.3) ? 20 : 3;  // several times around, too
    std::vector<std::pair<std::int64_t, std::int64_t>> widths;
    std::int64_t elements = 1;
    for (const std::int64_t e : x.extents) {
        widths.emplace_back(random_.between(0, most), random_.between(0, most));
        elements *= e + widths.back().first + widths.back().second;
    }
    if (elements > largest) return;
    const auto how = static_cast<std::size_t>(random_.below(std::ssize(modes)));
    std::string text = "pad(" + v.name + ", {";
    for (const auto& [before, after] : widths)
        text += (text.back() == '{' ? "{" : ", {") + std::to_string(before) + ", " + std::to_string(after) + "}";
    text += "}, " + std::string(mode_names[how]) + ")";
    const auto [mode, around] = modes[how];
    std::visit(
        [&](const auto& a) {
            using T = typename std::decay_t<decltype(a)>::value_type;
            const auto [b0, a0] = widths[0];
            const auto [b1, a1] = widths.back();
            const ref::array want = ref::pad(x, widths, around, constant(T(1)).data[0]);
            add(x.rank() == 1 ? frit::array(frit::pad(a, {{b0, a0}}, mode, T(1)))
                              : frit::array(frit::pad(a, {{b0, a0}, {b1, a1}}, mode, T(1))),
                want, text);
        },
        v.lazy);
}

// Two to four, or so many that each is written where it goes.
void random_program::join() {
    const variable v = pick();
    const ref::array& x = v.plain;
    if (x.rank() == 0) return;
    const bool stacked = random_.chance(0.3);
    const int axis = static_cast<int>(random_.below(x.rank() + stacked));
    const auto fits = [&](const ref::array& y) {
        if (y.rank() != x.rank()) return false;
        for (int k = 0; k < x.rank(); ++k)
            if ((stacked || k != axis) && y.extents[static_cast<std::size_t>(k)] != x.extents[static_cast<std::size_t>(k)])
                return false;
        return true;
    };
    std::vector<ingredient> parts{ingredient_of(v)};
    const std::int64_t wanted = random_.chance(0.1) ? random_.between(8, 10) : random_.between(1, 4);
    std::int64_t elements = x.size();
    for (int tries = 0; tries < 40 && std::ssize(parts) < wanted; ++tries) {
        const variable other = pick();
        if (!fits(other.plain) || elements + other.plain.size() > largest) continue;
        elements += other.plain.size();
        parts.push_back(ingredient_of(other));
        if (random_.chance(0.5)) {  // a formula
            const bool negates = frit::is_float(other.plain.type);
            if (negates)
                parts.back() = {recorded(-parts.back().lazy), ref::elementwise(op::neg, {other.plain}), "-" + other.name};
        }
    }
    std::vector<ref::array> plain;
    std::vector<frit::composed<frit::detail::run_time>> lazy;
    for (const ingredient& p : parts) {
        ref::position extents = p.plain.extents;
        if (stacked) extents.insert(extents.begin() + axis, 1);
        plain.push_back(ref::stored(ref::reshape(p.plain, extents)));
        lazy.push_back(p.lazy);
    }
    const std::string text = "(" + std::to_string(axis) + list_of(parts) + ")";
    if (stacked) return add(any_array(stack(axis, lazy)), ref::concatenate(plain, axis), "stack" + text);
    const ref::array want = ref::concatenate(plain, axis);
    if (lazy.size() == 2) return add(any_array(concatenate(axis, lazy[0], lazy[1])), want, "concatenate" + text);
    add(any_array(concatenate(axis, lazy)), want, "concatenate" + text);
}

void random_program::move_elements() {
    const variable v = pick();
    const ref::array& x = v.plain;
    const ingredient in = ingredient_of(v);
    const auto how = random_.below(6);
    if (how <= 1) return join();
    if (x.rank() == 0) return;
    const int axis = static_cast<int>(random_.below(x.rank()));
    const std::int64_t n = x.extents[static_cast<std::size_t>(axis)];
    const std::string at = ", " + std::to_string(axis) + ")";
    if (how == 2) {
        const std::int64_t by = random_.between(-2 * n - 1, 2 * n + 1);
        const ref::array flat = ref::roll(ref::reshape(x, {x.size()}), by, 0);
        const std::string text = "roll(" + v.name + ", " + std::to_string(by);
        if (random_.chance(0.4)) return add(any_array(roll(in.lazy, by)), ref::reshape(flat, x.extents), text + ")");
        return add(any_array(roll(in.lazy, by, axis)), ref::roll(x, by, axis), text + at);
    }
    if (how == 3) {
        const std::int64_t times = random_.between(0, 3);
        std::vector<std::int64_t> counts(static_cast<std::size_t>(n), times);
        if (x.size() * 3 > largest) return;
        if (random_.chance(0.5) || !missing_library(op::cumsum).empty())
            return add(any_array(repeat(in.lazy, times, axis)), ref::repeat(x, counts, axis),
                       "repeat(" + v.name + ", " + std::to_string(times) + at);
        const ingredient c = random_indices({n}, 0, 3);
        if (c.plain.extents != ref::position{n}) return;
        for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<std::int64_t>(c.plain.data[k].v);
        return add(any_array(repeat(in.lazy, c.lazy, axis)), ref::repeat(x, counts, axis),
                   "repeat(" + v.name + ", " + c.text + at);
    }
    if (how == 4) {
        std::vector<std::int64_t> counts;
        std::int64_t elements = x.size();
        for (std::int64_t k = random_.between(1, x.rank() + (x.rank() < 3)); k > 0; --k) {
            counts.push_back(random_.between(0, 3));
            elements *= counts.back();
        }
        if (elements > largest) return;
        return add(any_array(tile(in.lazy, counts)), ref::tile(x, counts), "tile(" + v.name + ", " + text_of(counts) + ")");
    }
    std::vector<std::int64_t> window{random_.between(0, std::min<std::int64_t>(n, 5))};
    std::vector<int> along{axis};
    if (x.rank() == 2 && random_.chance(0.4)) {
        const int other = 1 - axis;
        window.push_back(random_.between(
            1, std::max<std::int64_t>(1, std::min<std::int64_t>(x.extents[static_cast<std::size_t>(other)], 3))));
        along.push_back(other);
    }
    for (std::size_t k = 0; k < window.size(); ++k)
        if (window[k] > x.extents[static_cast<std::size_t>(along[k])]) return;
    if (x.size() * count(window) > largest || x.rank() + std::ssize(window) > 4) return;
    add(any_array(sliding_window_view(in.lazy, window, along)), ref::windows(x, window, along),
        "sliding_window_view(" + v.name + ", " + text_of(window) + ", " + text_of(along) + ")");
}

}  // namespace frit_test
