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
    for (const fusion::tally_spec& t : code.spec.tallies) ++uses[t.place];
    for (const fusion::reduction_spec& r : code.spec.reductions) {
        ++uses[r.value], ++uses[r.second];
        if (has_third(r)) ++uses[r.third];
    }
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

class program_builder {
public:
    program_builder(const program_code& code, const isa_table& table, block_program& to)
        : code_(code), spec_(code.spec), body_(spec_.body), table_(table), to_(to) {
        for (const instruction& i : body_) types_.push_back(i.type);
        to_.slots = count_;
    }

    void run() {
        find_scalars();
        find_fills();
        to_.polynomials = find_polynomials(code_, to_.is_scalar);
        is_link_.assign(count_, false);
        for (block_program::polynomial& p : to_.polynomials) place_polynomial(p);
        for (const std::uint16_t k : code_.reductions) {
            sums_.push_back(find_own_sum(code_, spec_.reductions[k], to_.is_scalar));
            for (const std::uint16_t link : sums_.back().links) is_link_[link] = true;
        }
        for (std::uint16_t k = 0; k < count_; ++k)
            if (evaluates(code_, k) && operands_of(body_[k]) > 0 && !is_link_[k]) add_step(k);
        for (std::size_t n = 0; n < sums_.size(); ++n) add_total(n);
        if (code_.stores)
            for (std::uint16_t k = 0; k < spec_.stores.size(); ++k) add_output(k);
        for (const fusion::tally_spec& t : spec_.tallies)
            to_.tallies.push_back({to_.is_scalar[t.place] ? copied(t.place) : t.place, t.amount});
        find_last_uses();
        find_direct_outputs();
        assign_registers();
        choose_block_size();
    }

private:
    // Scalars: parameters, and in row mode what does not move along a row; then whatever is made of scalars alone.
    bool is_scalar(const instruction& i) const {
        const bool rows = code_.mode == block_mode::rows;
        switch (i.code) {
            case op::scalar: return true;
            case op::load: {
                const fusion::access_dim& d = spec_.loads[i.a].dims[inner_];
                return rows && d.stride == stride_class::zero && !d.clamped;
            }
            case op::coord: return rows && spec_.coords[i.a].dim != inner_;
            case op::row: return rows && !code_.row_values_move;
            default: break;
        }
        if (operands_of(i) == 0 || is_running(i.code)) return false;
        for (int n = 0; n < operands_of(i); ++n)
            if (!to_.is_scalar[operand(i, n)]) return false;
        return true;
    }
    void find_scalars() {
        to_.is_scalar.assign(count_, false);
        in_buffer_.assign(count_, false);
        for (std::uint16_t k = 0; k < count_; ++k) {
            const bool given = !code_.given.empty() && code_.given[k];
            in_buffer_[k] = given || (evaluates(code_, k) && !code_.kept.empty() && code_.kept[k]);
            if (in_buffer_[k]) to_.buffered.push_back(k);
            if (!given && evaluates(code_, k)) to_.is_scalar[k] = is_scalar(body_[k]);
        }
    }

    void find_fills() {
        for (std::uint16_t k = 0; k < count_; ++k) {
            if (!evaluates(code_, k)) continue;
            const instruction& i = body_[k];
            if (i.code == op::row) to_.row_values.push_back({k, i.a});
            if (i.code == op::load) (to_.is_scalar[k] ? to_.row_loads : to_.block_loads).push_back({k, i.a});
            if (i.code == op::coord) (to_.is_scalar[k] ? to_.row_coords : to_.block_coords).push_back({k, i.a});
        }
    }

    std::uint16_t new_slot(dtype type, bool scalar) {
        types_.push_back(type);
        to_.is_scalar.push_back(scalar);
        return to_.slots++;
    }

    /// What lies inside a polynomial has no step of its own.
    void place_polynomial(block_program::polynomial& p) {
        p.slot = new_slot(types_[p.value], true);
        for (std::uint16_t k = p.value;;) {  // back along the chain
            const std::uint16_t link = body_[k].a == p.x ? body_[k].b : body_[k].a;
            if (link == p.start) break;
            is_link_[link] = true;
            k = link;
        }
    }

    /// A scalar among vectors selects the loop's variant that splats it.
    void add_step(std::uint16_t k) {
        const instruction& i = body_[k];
        if (i.code == op::index || looks_up(i.code)) return add_step_of_gather(k);
        if (is_cumulative(i.code)) return add_step_of_running(k);
        if (i.code == op::iterate || i.code == op::scan_along) return add_step_of_loop(k);
        if (i.code == op::feed || i.code == op::state) return;  // the iterate reads the operands, and gives the states
        const auto p = std::find_if(to_.polynomials.begin(), to_.polynomials.end(),
                                    [k](const block_program::polynomial& q) { return q.value == k; });
        if (p != to_.polynomials.end()) {
            const loop run = table_.horner[i.type == dtype::f64][p->coefficients.size()][to_.is_scalar[p->start]];
            to_.block.push_back({run, k, p->start, p->x, p->slot});
            return;
        }
        int splats = 0;
        if (!to_.is_scalar[k])
            for (int n = 0; n < operands_of(i); ++n) splats |= to_.is_scalar[operand(i, n)] ? 1 << n : 0;
        loop run;
        if (is_conversion(i.code)) {
            run = table_.conversion(i.code, body_[i.a].type, i.type);
        } else {
            const std::uint16_t typed = info(i.code).result == op_result::SELECT ? i.b : i.a;
            run = table_.elementwise[static_cast<int>(i.code)][index_of(body_[typed].type)][splats];
        }
        (to_.is_scalar[k] ? to_.once : to_.block).push_back({run, k, i.a, i.b, i.c});
    }

    void add_step_of_running(std::uint16_t k) {
        const instruction& i = body_[k];
        const std::uint16_t from = to_.is_scalar[i.a] ? copied(i.a) : i.a;
        const auto number = static_cast<std::uint16_t>(to_.running.size());
        to_.block.push_back({nullptr, k, from, 0, number, block_program::kind::running});
        to_.running.emplace_back(i.code, i.type, table_);
    }

    void add_step_of_loop(std::uint16_t k) {
        const fusion::loop_spec& loop = spec_.loops[body_[k].b];
        loop_instructions at(k, body_, loop.next.size());
        const bool scalar = to_.is_scalar[k];
        for (std::uint16_t& x : at.operands)
            if (to_.is_scalar[x] && !scalar) x = copied(x);
        for (std::uint16_t& s : at.states)
            if (s != loop_instructions::nobody && !evaluates(code_, s)) s = block_program::no_register;
        const auto number = static_cast<std::uint16_t>(to_.iterates.size());
        to_.iterates.push_back({loop_code(loop, table_), std::move(at.operands), std::move(at.states)});
        const bool rounds = body_[k].code == op::iterate;
        (scalar ? to_.once : to_.block)
            .push_back({nullptr, number, 0, 0, 0, rounds ? block_program::kind::iterate : block_program::kind::recurrence});
    }

    void add_step_of_gather(std::uint16_t k) {
        const instruction& i = body_[k];
        auto& steps = to_.is_scalar[k] ? to_.once : to_.block;
        const bool checks = i.code == op::index;
        const std::uint32_t word = checks ? 0 : fusion::word_layout(spec_).pointers + pointer_of(i);
        const std::uint16_t address = new_slot(dtype::u64, true);
        to_.addresses.push_back({address, static_cast<std::uint16_t>(word)});
        if (checks)
            steps.push_back({table_.index, k, i.a, i.b, address});
        else if (is_search(i.code))
            steps.push_back({table_.search[i.code == op::search_right][index_of(types_[i.a])], k, i.a, i.b, address});
        else
            steps.push_back({table_.gather[std::countr_zero(size_of(i.type))], k, i.a, address, 0});
    }

    // A value that must be a whole block of its own: a scalar to be reduced or stored, and, where there are several
    // outputs, a value that is read in place, because another output may overwrite it.
    std::uint16_t copied(std::uint16_t value) {
        const loop copy = table_.copy[index_of(types_[value])][to_.is_scalar[value]];
        const std::uint16_t slot = new_slot(types_[value], false);
        to_.block.push_back({copy, slot, value, 0, 0});
        return slot;
    }
    void add_total(std::size_t n) {
        const std::uint16_t k = code_.reductions[n];
        const fusion::reduction_spec& r = spec_.reductions[k];
        if (const own_sum& s = sums_[n]; s.kind != summand::value) {
            const int splats = (to_.is_scalar[s.a] ? 1 : 0) | (to_.is_scalar[s.b] ? 2 : 0);
            to_.totals.push_back({k, s.a, s.a, s.b, &table_.sums[r.type == dtype::f64][static_cast<int>(s.kind)][splats]});
            return;
        }
        const std::uint16_t value = to_.is_scalar[r.value] ? copied(r.value) : r.value;
        const std::uint16_t second = !has_second(r) ? value : to_.is_scalar[r.second] ? copied(r.second) : r.second;
        const std::uint16_t third = !has_third(r) ? value : to_.is_scalar[r.third] ? copied(r.third) : r.third;
        to_.totals.push_back({k, value, second, third, nullptr});
    }
    void add_output(std::uint16_t k) {
        std::uint16_t value = spec_.stores[k].value;
        if (to_.is_scalar[value] || (spec_.stores.size() > 1 && body_[value].code == op::load)) value = copied(value);
        const int type = index_of(types_[value]);
        to_.outputs.push_back({k, value, false, table_.copy[type][0], table_.stream[type], block_program::no_register});
    }

    bool is_load(std::uint16_t slot) const { return slot < count_ && body_[slot].code == op::load; }
    static bool is_loop(const block_program::step& s) {
        return s.what == block_program::kind::iterate || s.what == block_program::kind::recurrence;
    }
    /// Calls f with each slot that a step reads.
    template <class F>
    void each_operand(const block_program::step& s, F f) const {
        if (is_loop(s)) {
            std::for_each(to_.iterates[s.d].operands.begin(), to_.iterates[s.d].operands.end(), f);
            return;
        }
        const std::uint16_t from[] = {s.a, s.b, s.c};
        std::for_each(from, from + (s.d >= count_ ? 1 : operands_of(body_[s.d])), f);
    }
    /// The same of those that it makes.
    template <class F>
    void each_result(const block_program::step& s, F f) const {
        if (!is_loop(s)) return f(s.d);
        for (const std::uint16_t state : to_.iterates[s.d].states)
            if (state != block_program::no_register) f(state);
    }

    /// In steps; what outputs and totals read lives to the end.
    void find_last_uses() {
        const int end = static_cast<int>(to_.block.size());
        last_use_.assign(to_.slots, -1);
        made_by_.assign(to_.slots, -1);
        const auto read = [&](std::uint16_t slot, int at) {
            last_use_[slot] = at;
            if (is_load(slot)) last_memory_read_ = at;
        };
        for (int s = 0; s < end; ++s) {
            const block_program::step& now = to_.block[static_cast<std::size_t>(s)];
            each_operand(now, [&](std::uint16_t slot) { read(slot, s); });
            each_result(now, [&](std::uint16_t slot) { made_by_[slot] = s; });
        }
        for (const block_program::output& o : to_.outputs) read(o.value, end);
        for (const block_program::total& t : to_.totals)
            for (const std::uint16_t slot : {t.value, t.second, t.other}) read(slot, end);
        for (const block_program::tally& t : to_.tallies) read(t.place, end);
    }

    /// An output's maker may write into the array itself once nothing is read from arrays any more: the array may be the
    /// memory of an input (donation).
    void find_direct_outputs() {
        writes_array_ = in_buffer_;  // what goes to a row buffer needs no register either
        writes_array_.resize(to_.slots, false);
        for (block_program::output& o : to_.outputs) {
            const fusion::access_dim& d = spec_.stores[o.store].to.dims[inner_];
            const bool first = !writes_array_[o.value];
            const int maker = made_by_[o.value];
            o.direct = first && code_.mode == block_mode::rows && d.stride == stride_class::one && maker >= 0 &&
                       maker >= last_memory_read_;
            if (o.direct) writes_array_[o.value] = true;
        }
    }

    std::uint16_t take_register() {
        if (free_registers_.empty()) return to_.registers++;
        const std::uint16_t r = free_registers_.back();
        free_registers_.pop_back();
        return r;
    }
    /// Of operands that this step reads last. @param wide  those at least as wide as the result, else the others
    void release_operands(int s, bool wide) {
        const block_program::step& now = to_.block[static_cast<std::size_t>(s)];
        const bool many = is_loop(now);  // its results are not made element by element
        std::vector<std::uint16_t> met;
        each_operand(now, [&](std::uint16_t slot) {
            const bool repeated = std::find(met.begin(), met.end(), slot) != met.end();
            met.push_back(slot);
            if (repeated || last_use_[slot] != s || to_.registers_of[slot] == block_program::no_register) return;
            const bool at_least = !many && size_of(types_[slot]) >= size_of(types_[now.d]);
            if (at_least == wide) free_registers_.push_back(to_.registers_of[slot]);
        });
    }
    /// Loads and inner coordinates come before the first step, hence they are live from the start.
    void assign_registers() {
        to_.registers_of.assign(to_.slots, block_program::no_register);
        for (std::uint16_t k = 0; k < count_; ++k) {
            if (to_.is_scalar[k] || in_buffer_[k] || made_by_[k] >= 0 || last_use_[k] < 0) continue;
            const bool contiguous =
                is_load(k) ? spec_.loads[body_[k].a].dims[inner_] == fusion::access_dim{stride_class::one, false}
                           : body_[k].code == op::row;
            const bool in_place = contiguous && code_.mode == block_mode::rows;
            if (!in_place) to_.registers_of[k] = take_register();
        }
        for (int s = 0; s < static_cast<int>(to_.block.size()); ++s) {
            // The result may take the register of an operand of its own or a larger size: the loop reads ahead of what it
            // writes. A smaller operand would be overwritten before it is read.
            release_operands(s, true);
            const block_program::step& now = to_.block[static_cast<std::size_t>(s)];
            each_result(now, [&](std::uint16_t d) {
                if (!writes_array_[d]) to_.registers_of[d] = take_register();
            });
            release_operands(s, false);
            each_result(now, [&](std::uint16_t d) {
                if (last_use_[d] < 0 && !writes_array_[d]) free_registers_.push_back(to_.registers_of[d]);
            });
        }
    }

    void choose_block_size() {
        std::size_t widest = 1;
        for (std::uint16_t k = 0; k < to_.slots; ++k)
            if (!to_.is_scalar[k]) widest = std::max(widest, size_of(types_[k]));
        const std::uint16_t used = to_.registers;
        for (block_program::output& o : to_.outputs)
            if (o.direct) o.spare = to_.registers++;
        to_.block_size = used == 0 ? 4096 : 1024;  // nothing but reading in place: no scratch to fit the cache
        while (used > 0 && to_.block_size > 256 &&
               static_cast<std::size_t>(used) * widest * static_cast<std::size_t>(to_.block_size) > l1_budget)
            to_.block_size /= 2;
        // Five lines more than the block: registers a page apart would share their place in the cache, and of those a line
        // apart in their pages the next loads would look like the last stores.
        to_.register_bytes = static_cast<int>(widest) * to_.block_size + 5 * 64;
    }

    const program_code& code_;
    const kernel_spec& spec_;
    const std::vector<instruction>& body_;
    const isa_table& table_;
    block_program& to_;
    const std::uint16_t count_ = static_cast<std::uint16_t>(body_.size());
    const std::size_t inner_ = spec_.rank - 1U;
    std::vector<bool> in_buffer_;     // [instruction]
    std::vector<bool> is_link_;       // [instruction]: part of another one's step
    std::vector<own_sum> sums_;       // [code.reductions]
    std::vector<dtype> types_;        // [slot]
    std::vector<int> last_use_;       // [slot]: a step
    std::vector<int> made_by_;        // [slot]: a step
    std::vector<bool> writes_array_;  // [slot]
    int last_memory_read_ = -1;       // the last step that looks into an array
    std::vector<std::uint16_t> free_registers_;
};

}  // namespace

block_program::block_program(const program_code& code, const isa_table& loops) : table(loops) {
    program_builder(code, loops, *this).run();
}

}  // namespace frit::v0::detail
