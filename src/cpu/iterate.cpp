// See iterate.hpp.
#include "src/cpu/iterate.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace frit::inline v0::detail {

using fusion::instruction;

namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
constexpr std::int32_t last_round = std::numeric_limits<std::int32_t>::max();  // behind it everybody is done

}  // namespace

/// What is still going on, in scratch memory: each input, each state's next value, each computed value, how many rounds at
/// most, and where in the results its states belong.
struct loop_code::elements {
    std::byte **inputs, **next, **values;
    const void** operands;  ///< of the loop inside that runs
    void** states;
    std::byte* inner;
    std::int32_t* most;
    std::int64_t *place, count;
    const std::uint64_t* words;
};

loop_code::loop_code(const fusion::loop_spec& spec, const isa_table& table) : spec_(spec) {
    std::vector<bool> early(spec.code.size(), false);
    if (spec.until != fusion::loop_spec::never) early[spec.until] = true;
    for (std::size_t k = spec.code.size(); k-- > 0;)
        for (int n = 0; early[k] && n < operands_of(spec.code[k]); ++n) early[operand(spec.code[k], n)] = true;
    for (std::uint16_t k = 0; k < spec.code.size(); ++k) {
        const instruction& i = spec.code[k];
        if (i.code == op::load || is_part_of_loop(i)) {
            if (i.code == op::iterate) add_step(k, table, early[k] ? test_ : step_);
            continue;
        }
        scratch_bytes_ += padded(most_elements * size_of(i.type));
        // A state may be wanted where its loop already runs for another.
        if (early[k] || i.code == op::state) made_.push_back(k);
        if (i.code != op::state) add_step(k, table, early[k] ? test_ : step_);
    }
    for (const dtype t : spec.inputs) scratch_bytes_ += padded(most_elements * size_of(t));
    for (std::size_t k = 0; k < spec.next.size(); ++k) scratch_bytes_ += padded(most_elements * size_of(spec.inputs[k]));
    scratch_bytes_ += padded(most_elements * sizeof(std::int32_t)) + padded(most_elements * sizeof(std::int64_t));
    scratch_bytes_ += padded((spec.inputs.size() + spec.next.size() + spec.code.size()) * sizeof(std::byte*));
    scratch_bytes_ += 2 * padded(most_pointers_ * sizeof(void*)) + padded(inner_bytes_);
}

void loop_code::add_step(std::uint16_t k, const isa_table& table, std::vector<step>& to) {
    const instruction& i = spec_.code[k];
    if (i.code == op::iterate) {
        const fusion::loop_spec& loop = spec_.loops[i.b];
        loops_.push_back({{k, spec_.code, loop.next.size()}, std::make_shared<const loop_code>(loop, table)});
        inner_bytes_ = std::max(inner_bytes_, loops_.back().code->scratch_bytes());
        most_pointers_ = std::max({most_pointers_, loops_.back().where.operands.size(), loop.next.size()});
        to.push_back({nullptr, static_cast<std::uint16_t>(loops_.size() - 1), 0, 0, 0});
        return;
    }
    const bool converts = is_conversion(i.code);
    const dtype from = spec_.code[!converts && info(i.code).result == op_result::SELECT ? i.b : i.a].type;
    const loop run =
        converts ? table.conversion(i.code, from, i.type) : table.elementwise[static_cast<int>(i.code)][index_of(from)][0];
    to.push_back({run, k, i.a, i.b, i.c});
}

/// Everything in scratch memory.
loop_code::elements loop_code::placed(std::byte* scratch, const std::uint64_t* words) const {
    const auto take = [&scratch](std::size_t bytes) {
        std::byte* const piece = scratch;
        scratch += padded(bytes);
        return piece;
    };
    const std::size_t inputs = spec_.inputs.size();
    elements e{};
    e.words = words;
    e.inputs = reinterpret_cast<std::byte**>(take((inputs + spec_.next.size() + spec_.code.size()) * sizeof(std::byte*)));
    e.next = e.inputs + inputs;
    e.values = e.next + spec_.next.size();
    e.operands = reinterpret_cast<const void**>(take(most_pointers_ * sizeof(void*)));
    e.states = reinterpret_cast<void**>(take(most_pointers_ * sizeof(void*)));
    e.inner = take(inner_bytes_);
    e.most = reinterpret_cast<std::int32_t*>(take(most_elements * sizeof(std::int32_t)));
    e.place = reinterpret_cast<std::int64_t*>(take(most_elements * sizeof(std::int64_t)));
    for (std::size_t k = 0; k < inputs; ++k) e.inputs[k] = take(most_elements * size_of(spec_.inputs[k]));
    for (std::size_t k = 0; k < spec_.next.size(); ++k) e.next[k] = take(most_elements * size_of(spec_.inputs[k]));
    for (std::size_t k = 0; k < spec_.code.size(); ++k) {
        const instruction& i = spec_.code[k];
        e.values[k] = i.code == op::load   ? e.inputs[i.a]
                      : is_part_of_loop(i) ? nullptr
                                           : take(most_elements * size_of(i.type));
    }
    return e;
}

void loop_code::run(const void* const* operands, void* const* states, std::int64_t n, std::byte* scratch,
                    const std::uint64_t* words) const {
    const auto* const asks = spec_.interruptible ? reinterpret_cast<const interruption*>(words[1]) : nullptr;
    elements e = placed(scratch, words);
    const std::size_t inputs = spec_.inputs.size();
    for (std::int64_t first = 0; first < n; first += most_elements) {
        e.count = std::min(most_elements, n - first);
        const auto bring_in = [&](void* to, const void* from, std::size_t size) {
            std::memcpy(to, static_cast<const std::byte*>(from) + static_cast<std::size_t>(first) * size,
                        static_cast<std::size_t>(e.count) * size);
        };
        bring_in(e.most, operands[0], sizeof(std::int32_t));
        for (std::size_t k = 0; k < inputs; ++k) bring_in(e.inputs[k], operands[k + 1], size_of(spec_.inputs[k]));
        for (std::int64_t k = 0; k < e.count; ++k) e.place[k] = first + k;
        for (std::int32_t round = 0; e.count > 0; ++round) {
            run_steps(test_, e);
            drop_done(e, states, asks && asks->is_asked_for() ? last_round : round);
            if (e.count == 0) break;
            run_steps(step_, e);
            advance(e);
        }
    }
}

void loop_code::run_steps(const std::vector<step>& steps, const elements& e) const {
    for (const step& s : steps) {
        if (s.run) {
            s.run(e.values[s.d], e.values[s.a], e.values[s.b], e.values[s.c], e.count);
            continue;
        }
        const inside& loop = loops_[s.d];
        for (std::size_t k = 0; k < loop.where.operands.size(); ++k) e.operands[k] = e.values[loop.where.operands[k]];
        for (std::size_t k = 0; k < loop.where.states.size(); ++k)
            e.states[k] = loop.where.states[k] == loop_instructions::nobody ? nullptr : e.values[loop.where.states[k]];
        loop.code->run(e.operands, e.states, e.count, e.inner, e.words);
    }
}

/// Elements that are done give away their states; the others move together.
void loop_code::drop_done(elements& e, void* const* states, std::int32_t round) const {
    const bool ends_early = spec_.until != fusion::loop_spec::never;
    const bool* const until = ends_early ? reinterpret_cast<const bool*>(e.values[spec_.until]) : nullptr;
    const auto is_done = [&](std::int64_t k) { return e.most[k] <= round || (until && until[k]); };
    const auto move = [](std::byte* to, std::int64_t at, const std::byte* from, std::int64_t k, dtype t) {
        const auto size = static_cast<std::int64_t>(size_of(t));
        std::memmove(to + at * size, from + k * size, static_cast<std::size_t>(size));
    };
    std::int64_t kept = 0;
    while (kept < e.count && !is_done(kept)) ++kept;
    for (std::int64_t k = kept; k < e.count; ++k) {
        if (is_done(k)) {
            for (std::size_t s = 0; s < spec_.next.size(); ++s)
                if (states[s]) move(static_cast<std::byte*>(states[s]), e.place[k], e.inputs[s], k, spec_.inputs[s]);
            continue;
        }
        for (std::size_t x = 0; x < spec_.inputs.size(); ++x) move(e.inputs[x], kept, e.inputs[x], k, spec_.inputs[x]);
        for (const std::uint16_t v : made_) move(e.values[v], kept, e.values[v], k, spec_.code[v].type);
        e.most[kept] = e.most[k];
        e.place[kept++] = e.place[k];
    }
    e.count = kept;
}

/// A state may be the next value of another: all are replaced when all have been found.
void loop_code::advance(elements& e) const {
    for (std::size_t s = 0; s < spec_.next.size(); ++s)
        std::memcpy(e.next[s], e.values[spec_.next[s]], static_cast<std::size_t>(e.count) * size_of(spec_.inputs[s]));
    for (std::size_t s = 0; s < spec_.next.size(); ++s) std::swap(e.inputs[s], e.next[s]);
    point_to_inputs(e);
}
void loop_code::point_to_inputs(elements& e) const {
    for (std::size_t k = 0; k < spec_.code.size(); ++k)
        if (spec_.code[k].code == op::load) e.values[k] = e.inputs[spec_.code[k].a];
}

void loop_code::run_along(const void* const* operands, std::byte* const* before, void* const* states, std::int64_t rows,
                          std::int64_t count, std::byte* scratch, const std::uint64_t* words) const {
    elements e = placed(scratch, words);
    const std::size_t moving = spec_.next.size();
    for (std::int64_t first = 0; first < rows; first += most_elements) {
        e.count = std::min(most_elements, rows - first);
        for (std::int64_t k = 0; k < count; ++k) {
            const auto place = [&](auto* of, dtype t) {
                return of + (k * rows + first) * static_cast<std::int64_t>(size_of(t));
            };
            for (std::size_t s = 0; s < moving; ++s)
                e.inputs[s] = before[s] + first * static_cast<std::int64_t>(size_of(spec_.inputs[s]));
            for (std::size_t x = moving; x < spec_.inputs.size(); ++x)  // they are only read
                e.inputs[x] = const_cast<std::byte*>(place(static_cast<const std::byte*>(operands[x]), spec_.inputs[x]));
            point_to_inputs(e);
            run_steps(step_, e);
            for (std::size_t s = 0; s < moving; ++s)
                std::memcpy(e.next[s], e.values[spec_.next[s]],
                            static_cast<std::size_t>(e.count) * size_of(spec_.inputs[s]));
            for (std::size_t s = 0; s < moving; ++s) {
                const std::size_t bytes = static_cast<std::size_t>(e.count) * size_of(spec_.inputs[s]);
                std::memcpy(e.inputs[s], e.next[s], bytes);
                if (states[s]) std::memcpy(place(static_cast<std::byte*>(states[s]), spec_.inputs[s]), e.next[s], bytes);
            }
        }
    }
}

row_loops::row_loops(const fusion::kernel_spec& spec, const isa_table& table) {
    for (std::uint16_t k = 0; k < spec.row.size(); ++k) {
        if (spec.row[k].code != op::iterate) continue;
        const fusion::loop_spec& loop = spec.loops[spec.row[k].b];
        all.push_back({k, {k, spec.row, loop.next.size()}, {loop, table}});
        scratch_bytes = std::max(scratch_bytes, all.back().code.scratch_bytes());
        most_operands = std::max(most_operands, all.back().where.operands.size());
        most_states = std::max(most_states, all.back().where.states.size());
    }
}

const row_loop& row_loops::at(std::uint16_t instruction) const {
    return *std::find_if(all.begin(), all.end(), [=](const row_loop& l) { return l.at == instruction; });
}

loop_instructions::loop_instructions(std::uint16_t iterate, const std::vector<instruction>& code, std::size_t count)
    : states(count, nobody) {
    for (const std::uint16_t feed : feeds_of(code[iterate], code)) operands.push_back(code[feed].a);
    for (std::uint16_t k = iterate; k < code.size(); ++k)
        if (code[k].code == op::state && code[k].a == iterate) states[code[k].b] = k;
}

}  // namespace frit::v0::detail
