// Where to cut, what is known between two cuts, and the spec and words that follow from it.
#include "src/cpu/cut_domain.hpp"

#include <algorithm>

namespace frit::inline v0::detail {
namespace {

using fusion::access_dim;
using fusion::dim_words;
using fusion::instruction;
using fusion::kernel_spec;
using fusion::stride_class;

enum fact : std::uint8_t { unknown, no, yes, invariant, steps_by_one, steps };

std::size_t clamped_dim(const kernel_spec& spec) {
    std::size_t first = spec.rank;
    for (const fusion::access& a : spec.loads)
        for (std::size_t d = 0; d < first; ++d)
            if (a.dims[d].clamped) first = d;
    for (const fusion::coordinate& c : spec.coords)
        if (c.clamped) first = std::min<std::size_t>(first, c.dim);
    return first;
}

// What a line is between two ends of its clamp, one of which is `first`: element i at (step * i + shift) * stride.
void resolve(line& l, std::int64_t first) {
    if (!l.clamped) return;
    const std::int64_t index = l.step * first + l.shift;
    if (l.step == 0 || index < l.lo || index > l.hi) {
        l.shift = std::clamp(index, l.lo, l.hi);
        l.step = 0;
    }
}

// The body with what is known put in: [instruction] = the one that has its value.
std::vector<std::uint16_t> values_of(std::vector<instruction>& body, std::vector<fact> known) {
    std::vector<std::uint16_t> value(body.size());
    for (std::uint16_t k = 0; k < body.size(); ++k) {
        instruction& i = body[k];
        value[k] = k;
        const int operands = fusion::operands_of(i);
        if (operands > 0) i.a = value[i.a];
        if (operands > 1) i.b = value[i.b];
        if (operands > 2) i.c = value[i.c];
        if (i.code == op::bit_and && i.type == dtype::bool_) {
            if (known[i.a] == no || known[i.b] == no)
                known[k] = no;
            else if (known[i.a] == yes)
                value[k] = i.b;
            else if (known[i.b] == yes)
                value[k] = i.a;
        }
        if (i.code == op::where && known[i.a] != unknown) value[k] = known[i.a] == yes ? i.b : i.c;
        if (value[k] != k) known[k] = known[value[k]];
    }
    return value;
}

}  // namespace

domain_cut::domain_cut(const walk& w) : walk_(w), dim_(clamped_dim(w.spec)) {
    const auto& body = w.spec.body;
    const auto is_index = [&](std::uint16_t k) { return body[k].code == op::coord && w.spec.coords[body[k].a].dim == dim_; };
    for (std::uint16_t k = 0; k < body.size(); ++k)
        if (body[k].code == op::eq && is_index(body[k].a) && is_index(body[k].b)) comparisons_.push_back(k);
}

line domain_cut::line_of_load(std::size_t load, const std::uint64_t* words) const {
    return line_of(walk_.spec.loads[load].dims[dim_], walk_.map.loads[load][dim_], words);
}

line domain_cut::line_of_coordinate(std::size_t coord, const std::uint64_t* words) const {
    const dim_words& w = walk_.map.coords[coord];
    const auto value = [words](std::uint32_t at) { return static_cast<std::int64_t>(words[at]); };
    line l{0, walk_.spec.coords[coord].clamped, value(w.step), value(w.shift), 0, 0};
    if (l.clamped) l.lo = value(w.lo), l.hi = value(w.hi);
    return l;
}

std::size_t domain_cut::parts(const std::uint64_t* words, std::int64_t* ends) const {
    const auto extent = static_cast<std::int64_t>(words[walk_.extents[dim_]]);
    std::int64_t* last = ends;
    *last++ = 0;
    *last++ = extent;
    const auto add = [&](std::int64_t end) {
        if (end <= 0 || end >= extent) return;
        std::int64_t* at = ends + 1;
        while (*at < end) ++at;
        if (*at == end) return;
        std::copy_backward(at, last, last + 1);
        *at = end;
        ++last;
    };
    const auto add_ends = [&](const line& l) {
        if (!l.clamped || l.step == 0) return;
        const index_range in = limits(l);
        add(in.first);
        add(in.last);
    };
    for (std::size_t a = 0; a < walk_.spec.loads.size(); ++a)
        if (walk_.spec.loads[a].dims[dim_].clamped) add_ends(line_of_load(a, words));
    for (std::size_t c = 0; c < walk_.spec.coords.size(); ++c)
        if (walk_.spec.coords[c].dim == dim_) add_ends(line_of_coordinate(c, words));
    return static_cast<std::size_t>(last - ends) - 1;
}

void domain_cut::find_facts(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::uint8_t* to) const {
    for (std::size_t a = 0; a < walk_.spec.loads.size(); ++a) {
        *to = unknown;
        if (walk_.spec.loads[a].dims[dim_].clamped) {
            line l = line_of_load(a, words);
            resolve(l, first);
            *to = l.step == 0 ? invariant : l.step * l.stride == 1 ? steps_by_one : steps;
        }
        ++to;
    }
    for (const std::uint16_t k : comparisons_) {
        const instruction& i = walk_.spec.body[k];
        line a = line_of_coordinate(walk_.spec.body[i.a].a, words), b = line_of_coordinate(walk_.spec.body[i.b].a, words);
        resolve(a, first);
        resolve(b, first);
        // Both are straight lines, hence equal everywhere if they are so at both ends, and nowhere if one of them is
        // larger at both.
        const auto lead = [&](std::int64_t at) { return (a.step - b.step) * at + (a.shift - b.shift); };
        const std::int64_t begin = lead(first), end = lead(last - 1);
        *to++ = begin == 0 && end == 0 ? yes : (begin > 0 && end > 0) || (begin < 0 && end < 0) ? no : unknown;
    }
}

/// What a part computes: what is stored, where `value` stands for what is known to be it; and as every engine checks an
/// index, read or not, all indices.
std::vector<bool> domain_cut::needed_of(const std::vector<instruction>& body,
                                        const std::vector<std::uint16_t>& value) const {
    std::vector<bool> needed(body.size(), false);
    for (const fusion::store& s : walk_.spec.stores) needed[value[s.value]] = true;
    for (std::size_t k = 0; k < body.size(); ++k)
        if (body[k].code == op::index) needed[k] = true;
    for (std::size_t k = body.size(); k-- > 0;)
        for (int n = 0; needed[k] && n < fusion::operands_of(body[k]); ++n) needed[fusion::operand(body[k], n)] = true;
    return needed;
}

part_spec domain_cut::make(const std::uint8_t* facts) const {
    const kernel_spec& whole = walk_.spec;
    std::vector<instruction> body = whole.body;
    std::vector<fact> known(body.size(), unknown);
    for (std::size_t k = 0; k < comparisons_.size(); ++k)
        known[comparisons_[k]] = static_cast<fact>(facts[whole.loads.size() + k]);
    const std::vector<std::uint16_t> value = values_of(body, std::move(known));

    const std::vector<bool> needed = needed_of(body, value);
    part_spec part;
    kernel_spec& spec = part.spec;
    spec.rank = whole.rank;
    spec.index64 = whole.index64;
    spec.scalars = whole.scalars;
    spec.loops = whole.loops;
    const auto with_pointer = [&spec](fusion::access a) {
        a.pointer = spec.pointers++;
        return a;
    };
    const auto gathered = [&](std::uint16_t pointer) {
        const auto is_it = [pointer](const auto& known) { return known.second == pointer; };
        const auto known = std::find_if(part.gathered.begin(), part.gathered.end(), is_it);
        if (known != part.gathered.end()) return known->first;
        part.gathered.emplace_back(spec.pointers++, pointer);
        return part.gathered.back().first;
    };
    std::vector<std::uint16_t> place(body.size());
    for (std::uint16_t k = 0; k < body.size(); ++k) {
        if (!needed[k]) continue;
        place[k] = static_cast<std::uint16_t>(spec.body.size());
        instruction i = body[k];
        if (i.code == op::load) {
            fusion::access a = with_pointer(whole.loads[i.a]);
            if (facts[i.a] != unknown)
                a.dims[dim_] = {facts[i.a] == invariant      ? stride_class::zero
                                : facts[i.a] == steps_by_one ? stride_class::one
                                                             : stride_class::runtime};
            part.loads.push_back(i.a);
            i.a = static_cast<std::uint16_t>(spec.loads.size());
            spec.loads.push_back(a);
        } else if (i.code == op::coord) {
            fusion::coordinate c = whole.coords[i.a];
            if (c.dim == dim_) c.clamped = false;
            part.coords.push_back(i.a);
            i.a = static_cast<std::uint16_t>(spec.coords.size());
            spec.coords.push_back(c);
        } else {
            const int operands = fusion::operands_of(i);
            if (operands > 0) i.a = place[i.a];
            if (operands > 1) i.b = place[i.b];
            if (operands > 2) i.c = place[i.c];
            if (looks_up(i.code)) pointer_of(i) = gathered(pointer_of(i));
        }
        spec.body.push_back(i);
    }
    for (const fusion::store& s : whole.stores) spec.stores.push_back({with_pointer(s.to), place[value[s.value]]});
    return part;
}

void domain_cut::write_words(const std::uint64_t* words, std::int64_t first, std::int64_t last, const part_spec& part,
                             const walk& p, std::uint64_t* to) const {
    const auto word = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    to[0] = words[0];
    to[1] = words[1];
    for (const auto& [pointer, whole] : part.gathered)
        to[p.map.layout.pointers + pointer] = words[walk_.map.layout.pointers + whole];
    for (std::size_t d = 0; d < walk_.extents.size(); ++d) to[p.extents[d]] = words[walk_.extents[d]];
    to[p.extents[dim_]] = word(last - first);

    const auto write_access = [&](const fusion::access& whole, const std::vector<dim_words>& from, const fusion::access& a,
                                  const std::vector<dim_words>& at) {
        line l = line_of(whole.dims[dim_], from[dim_], words);
        to[p.map.layout.pointers + a.pointer] =
            words[walk_.map.layout.pointers + whole.pointer] + word(l.offset(first)) * size_of(a.type);
        resolve(l, first);
        for (std::size_t d = 0; d < at.size(); ++d) {
            if (a.dims[d].stride == stride_class::runtime) to[at[d].stride] = words[from[d].stride];
            if (!a.dims[d].clamped) continue;
            to[at[d].step] = words[from[d].step];
            to[at[d].shift] = words[from[d].shift];
            to[at[d].lo] = words[from[d].lo];
            to[at[d].hi] = words[from[d].hi];
        }
        if (a.dims[dim_].stride == stride_class::runtime)
            to[at[dim_].stride] = word(l.clamped ? l.step * l.stride : l.stride);
    };
    for (std::size_t a = 0; a < part.loads.size(); ++a)
        write_access(walk_.spec.loads[part.loads[a]], walk_.map.loads[part.loads[a]], p.spec.loads[a], p.map.loads[a]);
    for (std::size_t a = 0; a < p.spec.stores.size(); ++a)
        write_access(walk_.spec.stores[a].to, walk_.map.stores[a], p.spec.stores[a].to, p.map.stores[a]);

    for (std::size_t c = 0; c < part.coords.size(); ++c) {
        line l = line_of_coordinate(part.coords[c], words);
        const dim_words& at = p.map.coords[c];
        const bool here = p.spec.coords[c].dim == dim_;
        if (here) resolve(l, first);
        to[at.step] = word(l.step);
        to[at.shift] = word(here ? l.step * first + l.shift : l.shift);
        if (p.spec.coords[c].clamped) to[at.lo] = word(l.lo), to[at.hi] = word(l.hi);
    }
    std::copy(words + walk_.map.layout.scalars, words + walk_.map.layout.size, to + p.map.layout.scalars);
}

}  // namespace frit::v0::detail
