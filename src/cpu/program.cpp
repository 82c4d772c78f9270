// From SSA to steps: which values are scalars, which loop each instruction is, and which register each value lives in
// (linear scan: the list is straight-line code, so a register is free again after its value's last use).
#include "src/cpu/program.hpp"

#include <algorithm>
#include <bit>

#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {
namespace {

using fusion::instruction;
using fusion::kernel_spec;
using fusion::stride_class;

bool evaluates(const program_code& code, std::size_t k) { return code.body.empty() || code.body[k]; }

// How often each value is read, by other instructions, totals, outputs and row buffers.
std::vector<int> uses_of(const program_code& code) {
    const auto& body = code.spec.body;
    std::vector<int> uses(body.size(), 0);
    for (std::uint16_t k = 0; k < body.size(); ++k) {
        if (!evaluates(code, k)) continue;
        if (!code.kept.empty() && code.kept[k]) ++uses[k];
        for (int n = 0; n < operands_of(body[k]); ++n) ++uses[operand(body[k], n)];
    }
    for (const fusion::store& s : code.spec.stores) ++uses[s.value];
    for (const fusion::reduction_spec& r : code.spec.reductions) ++uses[r.value], ++uses[r.index];
    return uses;
}

// Chains r = fma(r, x, c) with one x and scalar c, at least two long, each link used by the next alone. They run as one
// step: the interpreter's loops are bound by the stores between steps, and polynomials are what formulas have most of.
// Every link is rounded as before.
std::vector<block_program::polynomial> find_polynomials(const program_code& code, const std::vector<bool>& is_scalar) {
    const kernel_spec& spec = code.spec;
    const auto& body = spec.body;
    const std::vector<int> uses = uses_of(code);
    std::vector<block_program::polynomial> chains;
    std::vector<int> chain_of(body.size(), -1);
    for (std::uint16_t k = 0; k < body.size(); ++k) {
        const instruction& i = body[k];
        if (!evaluates(code, k) || i.code != op::fma || is_scalar[k] || !is_scalar[i.c]) continue;
        const auto extends = [&](std::uint16_t link, std::uint16_t x) {
            if (chain_of[link] < 0 || uses[link] != 1) return false;
            block_program::polynomial& p = chains[static_cast<std::size_t>(chain_of[link])];
            if (p.coefficients.size() == horner_terms) return false;
            if (p.coefficients.size() == 1 && p.start == x)
                std::swap(p.start, p.x);  // a product of two arrays has two readings
            if (p.x != x) return false;
            p.coefficients.push_back(i.c);
            p.value = k;
            chain_of[k] = chain_of[link];
            return true;
        };
        if (extends(i.a, i.b) || extends(i.b, i.a)) continue;
        chain_of[k] = static_cast<int>(chains.size());
        const bool a_moves = !is_scalar[i.a];
        chains.push_back({0, k, a_moves ? i.b : i.a, a_moves ? i.a : i.b, {i.c}});
    }
    std::erase_if(chains, [&](const block_program::polynomial& p) { return p.coefficients.size() < 2 || is_scalar[p.x]; });
    return chains;
}

// What a sum of floats may take in without a step of its own: the sums of norms and distances.
struct own_sum {
    summand kind = summand::value;
    std::uint16_t a, b;
    std::vector<std::uint16_t> links;  // instructions that need no step
};
own_sum find_own_sum(const program_code& code, const fusion::reduction_spec& r, const std::vector<bool>& is_scalar) {
    const auto& body = code.spec.body;
    own_sum s{summand::value, r.value, r.value, {}};
    const bool floats = r.type == dtype::f32 || r.type == dtype::f64;
    if (!code.own_sums || r.code != op::sum || !floats || is_scalar[r.value]) return s;
    const std::vector<int> uses = uses_of(code);
    // `of`: how often it is read by the one instruction that reads it
    const auto inside = [&](std::uint16_t k, int of) { return uses[k] == of && evaluates(code, k) && !is_scalar[k]; };
    const instruction& last = body[r.value];
    const bool square = last.code == op::square || (last.code == op::mul && last.a == last.b);
    if (!inside(r.value, 1) || (last.code != op::abs && last.code != op::mul && !square)) return s;
    const bool two = last.code == op::mul;
    s = {last.code == op::abs ? summand::absolute : summand::product, last.a, two ? last.b : last.a, {r.value}};
    const instruction& before = body[last.a];
    if ((square || last.code == op::abs) && before.code == op::sub && inside(last.a, two ? 2 : 1)) {
        s.kind = square ? summand::squared_difference : summand::absolute_difference;
        s.links.push_back(last.a);
        s.a = before.a, s.b = before.b;
    }
    return s;
}

constexpr int l1_budget = 24 << 10;  // of scratch registers; what is read and written in place needs the rest

}  // namespace

block_program::block_program(const program_code& code, const isa_table& loops) : table(loops) {
    const kernel_spec& spec = code.spec;
    const block_mode mode = code.mode;
    const auto& body = spec.body;
    const auto count = static_cast<std::uint16_t>(body.size());
    const std::size_t inner = spec.rank - 1U;

    // Scalars: parameters, and in row mode what does not move along a row; then whatever is made of scalars alone.
    is_scalar.assign(count, false);
    std::vector<bool> in_buffer(count, false);
    for (std::uint16_t k = 0; k < count; ++k) {
        const bool given = !code.given.empty() && code.given[k];
        in_buffer[k] = given || (evaluates(code, k) && !code.kept.empty() && code.kept[k]);
        if (in_buffer[k]) buffered.push_back(k);
        if (given || !evaluates(code, k)) continue;
        const instruction& i = body[k];
        const bool rows = mode == block_mode::rows;
        if (i.code == op::scalar) is_scalar[k] = true;
        if (i.code == op::load) {
            const fusion::access_dim& d = spec.loads[i.a].dims[inner];
            is_scalar[k] = rows && d.stride == stride_class::zero && !d.clamped;
        }
        if (i.code == op::coord) is_scalar[k] = rows && spec.coords[i.a].dim != inner;
        if (i.code == op::row) is_scalar[k] = rows && !code.row_values_move;
        if (operands_of(i) > 0) {
            is_scalar[k] = true;
            for (int n = 0; n < operands_of(i); ++n)
                if (!is_scalar[operand(i, n)]) is_scalar[k] = false;
        }
    }

    for (std::uint16_t k = 0; k < count; ++k) {
        if (!evaluates(code, k)) continue;
        if (body[k].code == op::row) row_values.push_back({k, body[k].a});
        if (body[k].code == op::load) (is_scalar[k] ? row_loads : block_loads).push_back({k, body[k].a});
        if (body[k].code == op::coord) (is_scalar[k] ? row_coords : block_coords).push_back({k, body[k].a});
    }

    std::vector<dtype> types(count);
    for (std::uint16_t k = 0; k < count; ++k) types[k] = body[k].type;
    slots = count;
    polynomials = find_polynomials(code, is_scalar);
    std::vector<bool> is_link(count, false);  // inside a polynomial: no step of its own
    for (polynomial& p : polynomials) {
        p.slot = slots++;
        types.push_back(types[p.value]);
        is_scalar.push_back(true);
        for (std::uint16_t k = p.value;;) {  // back along the chain
            const std::uint16_t link = body[k].a == p.x ? body[k].b : body[k].a;
            if (link == p.start) break;
            is_link[link] = true;
            k = link;
        }
    }

    std::vector<own_sum> sums;  // [code.reductions]
    for (const std::uint16_t k : code.reductions) {
        sums.push_back(find_own_sum(code, spec.reductions[k], is_scalar));
        for (const std::uint16_t link : sums.back().links) is_link[link] = true;
    }

    // Steps. A scalar among vectors selects the loop's variant that splats it.
    for (std::uint16_t k = 0; k < count; ++k) {
        const instruction& i = body[k];
        if (!evaluates(code, k) || operands_of(i) == 0 || is_link[k]) continue;
        const auto p =
            std::find_if(polynomials.begin(), polynomials.end(), [k](const polynomial& q) { return q.value == k; });
        if (p != polynomials.end()) {
            block.push_back({table.horner[i.type == dtype::f64][p->coefficients.size()][is_scalar[p->start]], k, p->start,
                             p->x, p->slot});
            continue;
        }
        int splats = 0;
        if (!is_scalar[k])
            for (int n = 0; n < operands_of(i); ++n) splats |= is_scalar[operand(i, n)] ? 1 << n : 0;
        loop run;
        if (i.code == op::cast) {
            run = table.cast[index_of(body[i.a].type)][index_of(i.type)];
        } else {
            const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
            run = table.elementwise[static_cast<int>(i.code)][index_of(body[typed].type)][splats];
        }
        (is_scalar[k] ? once : block).push_back({run, k, i.a, i.b, i.c});
    }

    // A value that must be a whole block of its own: a scalar to be reduced or stored, and, where there are several
    // outputs, a value that is read in place, because another output may overwrite it.
    const auto copied = [&](std::uint16_t value) {
        block.push_back({table.copy[index_of(types[value])][is_scalar[value]], slots, value, 0, 0});
        types.push_back(types[value]);
        is_scalar.push_back(false);
        return slots++;
    };
    for (std::size_t n = 0; n < sums.size(); ++n) {
        const std::uint16_t k = code.reductions[n];
        const fusion::reduction_spec& r = spec.reductions[k];
        if (const own_sum& s = sums[n]; s.kind != summand::value) {
            const int splats = (is_scalar[s.a] ? 1 : 0) | (is_scalar[s.b] ? 2 : 0);
            totals.push_back({k, s.a, s.a, s.b, &table.sums[r.type == dtype::f64][static_cast<int>(s.kind)][splats]});
            continue;
        }
        const std::uint16_t value = is_scalar[r.value] ? copied(r.value) : r.value;
        const std::uint16_t place = !has_index(r) ? value : is_scalar[r.index] ? copied(r.index) : r.index;
        totals.push_back({k, value, place, value, nullptr});
    }
    for (std::uint16_t k = 0; code.stores && k < spec.stores.size(); ++k) {
        std::uint16_t value = spec.stores[k].value;
        if (is_scalar[value] || (spec.stores.size() > 1 && body[value].code == op::load)) value = copied(value);
        const auto size = static_cast<unsigned>(size_of(types[value]));
        outputs.push_back(
            {k, value, false, table.copy[index_of(types[value])][0], table.stream[std::countr_zero(size)], no_register});
    }

    // Last uses, in steps; what outputs and totals read lives to the end.
    const int end = static_cast<int>(block.size());
    std::vector<int> last_use(slots, -1), made_by(slots, -1);
    int last_memory_read = -1;  // the last step that looks into an array
    const auto is_load = [&](std::uint16_t slot) { return slot < count && body[slot].code == op::load; };
    const auto step_operands = [&](const step& s) {
        if (s.d >= count) return 1;
        return operands_of(body[s.d]);
    };
    for (int s = 0; s < end; ++s) {
        const std::uint16_t from[] = {block[s].a, block[s].b, block[s].c};
        for (int n = 0; n < step_operands(block[s]); ++n) {
            last_use[from[n]] = s;
            if (is_load(from[n])) last_memory_read = s;
        }
        made_by[block[s].d] = s;
    }
    for (const output& o : outputs) {
        last_use[o.value] = end;
        if (is_load(o.value)) last_memory_read = end;
    }
    for (const total& t : totals) {
        for (const std::uint16_t read : {t.value, t.place, t.other}) {
            last_use[read] = end;
            if (is_load(read)) last_memory_read = end;
        }
    }

    // An output's maker may write into the array itself once nothing is read from arrays any more: the array may be the
    // memory of an input (donation).
    std::vector<bool> writes_array = in_buffer;  // what goes to a row buffer needs no register either
    writes_array.resize(slots, false);
    for (output& o : outputs) {
        const fusion::access_dim& d = spec.stores[o.store].to.dims[inner];
        const bool first = !writes_array[o.value];
        const int maker = made_by[o.value];
        o.direct =
            first && mode == block_mode::rows && d.stride == stride_class::one && maker >= 0 && maker >= last_memory_read;
        if (o.direct) writes_array[o.value] = true;
    }

    // Registers. Loads and inner coordinates come before the first step, hence they are live from the start.
    registers_of.assign(slots, no_register);
    std::vector<std::uint16_t> free_registers;
    const auto take = [&] {
        if (free_registers.empty()) return registers++;
        const std::uint16_t r = free_registers.back();
        free_registers.pop_back();
        return r;
    };
    std::size_t widest = 1;
    for (std::uint16_t k = 0; k < slots; ++k)
        if (!is_scalar[k]) widest = std::max(widest, size_of(types[k]));
    for (std::uint16_t k = 0; k < count; ++k) {
        if (is_scalar[k] || in_buffer[k] || made_by[k] >= 0 || last_use[k] < 0) continue;
        const bool contiguous = is_load(k)
                                    ? spec.loads[body[k].a].dims[inner] == fusion::access_dim{stride_class::one, false}
                                    : body[k].code == op::row;
        const bool in_place = contiguous && mode == block_mode::rows;
        if (!in_place) registers_of[k] = take();
    }
    for (int s = 0; s < end; ++s) {
        const step& now = block[s];
        const std::uint16_t from[] = {now.a, now.b, now.c};
        const auto release = [&](bool wide) {
            for (int n = 0; n < step_operands(now); ++n) {
                const std::uint16_t slot = from[n];
                const bool repeated = std::find(from, from + n, slot) != from + n;
                if (repeated || last_use[slot] != s || registers_of[slot] == no_register) continue;
                // The result may take the register of an operand of its own or a larger size: the loop reads ahead of
                // what it writes. A smaller operand would be overwritten before it is read.
                if ((size_of(types[slot]) >= size_of(types[now.d])) == wide) free_registers.push_back(registers_of[slot]);
            }
        };
        release(true);
        if (!writes_array[now.d]) registers_of[now.d] = take();
        release(false);
        if (last_use[now.d] < 0 && !writes_array[now.d]) free_registers.push_back(registers_of[now.d]);
    }

    const std::uint16_t used = registers;
    for (output& o : outputs)
        if (o.direct) o.spare = registers++;
    block_size = used == 0 ? 4096 : 1024;  // nothing but reading in place: no scratch to fit the cache
    while (used > 0 && block_size > 256 &&
           static_cast<std::size_t>(used) * widest * static_cast<std::size_t>(block_size) > l1_budget)
        block_size /= 2;
    // Five lines more than the block: registers a page apart would share their place in the cache, and of those a line
    // apart in their pages the next loads would look like the last stores.
    register_bytes = static_cast<int>(widest) * block_size + 5 * 64;
}

}  // namespace frit::v0::detail
