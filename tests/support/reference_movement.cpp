// Elements at other places, in the reference: what is joined, padded, repeated, rolled and seen through windows. Each says
// for an element of the result which one of the operand it is.
#include <algorithm>
#include <cmath>

#include "tests/support/reference.hpp"

namespace ref {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

/// Which of n elements stands k places behind the first one, where there may be none. @pre n > 0
std::int64_t beside(around how, std::int64_t k, std::int64_t n) {
    switch (how) {
        case around::wrap: return modulo(k, n);
        case around::symmetric: {
            const std::int64_t at = modulo(k, 2 * n);
            return at < n ? at : 2 * n - 1 - at;
        }
        case around::reflect: {
            if (n == 1) return 0;
            const std::int64_t at = modulo(k, 2 * n - 2);
            return at < n ? at : 2 * n - 2 - at;
        }
        default: return std::clamp<std::int64_t>(k, 0, n - 1);
    }
}

}  // namespace

array pad(const array& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, around how, const number& fill) {
    position extents;
    for (std::size_t k = 0; k < widths.size(); ++k) extents.push_back(x.extents[k] + widths[k].first + widths[k].second);
    array r = generate(x.type, extents, [&](position i) {
        bool inside = true;
        for (std::size_t k = 0; k < i.size(); ++k) {
            i[k] -= widths[k].first;
            inside = inside && i[k] >= 0 && i[k] < x.extents[k];
            if (how != around::constant) i[k] = beside(how, i[k], x.extents[k]);
        }
        return inside || how != around::constant ? x.at(i) : fill;
    });
    r.inexact_reduction = x.inexact_reduction;
    return r;
}

array concatenate(const std::vector<array>& parts, int axis) {
    const auto along = static_cast<std::size_t>(axis);
    dtype type = parts[0].type;
    array r{type, parts[0].extents, {}, false};
    r.extents[along] = 0;
    for (const array& p : parts) {
        type = frit::promote(type, p.type);
        r.extents[along] += p.extents[along];
        r.inexact_reduction = r.inexact_reduction || p.inexact_reduction;
    }
    r.type = type;
    for_each_index(r.extents, [&](position i) {
        std::size_t part = 0;
        for (; i[along] >= parts[part].extents[along]; ++part) i[along] -= parts[part].extents[along];
        r.data.push_back(convert(parts[part].at(i), parts[part].type, type));
    });
    return r;
}

array repeat(const array& x, const std::vector<std::int64_t>& counts, int axis) {
    const auto along = static_cast<std::size_t>(axis);
    position sources;  // of each place of the axis
    for (std::size_t k = 0; k < counts.size(); ++k)
        sources.insert(sources.end(), static_cast<std::size_t>(counts[k]), static_cast<std::int64_t>(k));
    position extents = x.extents;
    extents[along] = static_cast<std::int64_t>(sources.size());
    return rearranged(x, extents, [&](position i) {
        i[along] = sources[static_cast<std::size_t>(i[along])];
        return i;
    });
}

array tile(const array& x, const std::vector<std::int64_t>& counts) {
    const std::size_t rank = std::max(x.extents.size(), counts.size());
    position own(rank - x.extents.size(), 1), extents;
    own.insert(own.end(), x.extents.begin(), x.extents.end());
    for (std::size_t k = 0; k < rank; ++k)
        extents.push_back(own[k] * (k + counts.size() < rank ? 1 : counts[k + counts.size() - rank]));
    return rearranged(x, extents, [&](const position& i) {
        position from;
        for (std::size_t k = rank - x.extents.size(); k < rank; ++k) from.push_back(i[k] % own[k]);
        return from;
    });
}

array roll(const array& x, std::int64_t shift, int axis) {
    const auto along = static_cast<std::size_t>(axis);
    return rearranged(x, x.extents, [&](position i) {
        i[along] = modulo(i[along] - shift, x.extents[along]);
        return i;
    });
}

array windows(const array& x, const std::vector<std::int64_t>& window, const std::vector<int>& along) {
    position extents = x.extents;
    for (std::size_t k = 0; k < window.size(); ++k) extents[static_cast<std::size_t>(along[k])] -= window[k] - 1;
    extents.insert(extents.end(), window.begin(), window.end());
    return rearranged(x, extents, [&](const position& i) {
        position from(i.begin(), i.begin() + x.rank());
        for (std::size_t k = 0; k < window.size(); ++k) from[static_cast<std::size_t>(along[k])] += i[from.size() + k];
        return from;
    });
}

}  // namespace ref
