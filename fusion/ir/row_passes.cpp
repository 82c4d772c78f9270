// A value's pass is the largest of its operands'; a total is known one pass after its reduction's operand.
#include "fusion/ir/row_passes.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {
row_passes::row_passes(const kernel_spec& spec) : first(spec.body.size()) {
    // Body and row code depend on each other, but in one order: both lists are walked until nothing is left to wait for.
    constexpr std::uint8_t unknown = 255;
    std::vector<std::uint8_t> row(spec.row.size(), unknown), body(spec.body.size(), unknown);
    const auto operands = [&](const reduction_spec& r) {
        std::uint8_t pass = body[r.value];
        if (has_second(r)) pass = std::max(pass, body[r.second]);
        if (has_third(r)) pass = std::max(pass, body[r.third]);
        return pass;
    };
    const auto place = [&](const std::vector<instruction>& code, std::vector<std::uint8_t>& at, std::size_t k) {
        const instruction& i = code[k];
        if (at[k] != unknown) return false;
        std::uint8_t pass = 0;
        if (i.code == op::row) pass = row[i.a];
        if (i.code == op::total) {
            const reduction_spec& r = spec.reductions[i.a];
            pass = operands(r);
            if (pass != unknown) ++pass;
        }
        for (int n = 0; n < operands_of(i); ++n) pass = std::max(pass, at[operand(i, n)]);
        at[k] = pass;
        return pass != unknown;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t k = 0; k < row.size(); ++k) moved |= place(spec.row, row, k);
        for (std::size_t k = 0; k < body.size(); ++k) moved |= place(spec.body, body, k);
    }
    first = body;

    std::vector<std::uint8_t> of_reduction;
    std::uint8_t last = 0;
    for (const reduction_spec& r : spec.reductions) {
        const std::uint8_t pass = operands(r);
        of_reduction.push_back(pass);
        last = std::max(last, pass);
    }
    for (const store& s : spec.stores) last = std::max(last, body[s.value]);
    for (const column_sum& c : spec.columns) last = std::max(last, body[c.value]);
    passes.resize(last + std::size_t{1});
    for (std::uint16_t k = 0; k < row.size(); ++k) (row[k] <= last ? passes[row[k]].row : row_at_end).push_back(k);
    for (std::uint16_t k = 0; k < of_reduction.size(); ++k) passes[of_reduction[k]].reductions.push_back(k);
    for (std::size_t p = 0; p < passes.size(); ++p) {
        std::vector<char> needed(body.size(), 0);
        for (std::uint16_t k : passes[p].reductions) {
            needed[spec.reductions[k].value] = 1;
            if (has_second(spec.reductions[k])) needed[spec.reductions[k].second] = 1;
            if (has_third(spec.reductions[k])) needed[spec.reductions[k].third] = 1;
        }
        if (p == last) {
            for (const store& s : spec.stores) needed[s.value] = 1;
            for (const column_sum& c : spec.columns) needed[c.value] = 1;
        }
        for (std::size_t k = body.size(); k-- > 0;)
            for (int n = 0; needed[k] && n < operands_of(spec.body[k]); ++n) needed[operand(spec.body[k], n)] = 1;
        for (std::uint16_t k = 0; k < body.size(); ++k)
            if (needed[k]) passes[p].body.push_back(k);
    }
}

bool row_code_reads(const kernel_spec& spec, std::size_t k) {
    return std::any_of(spec.row.begin(), spec.row.end(),
                       [k](const instruction& i) { return i.code == op::load && i.a == k; });
}

}  // namespace frit::v0::fusion
