// See library.hpp. Views are absorbed as far as the library goes: each op says which strides it reads.
#include "fusion/schedules/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/library_op.hpp"

namespace frit::inline v0::fusion {
namespace {

const library_op& op_of(const graph& g, value_id v) { return *g.libraries[g.values[v].index].of; }

class library_lowering {
public:
    library_lowering(const graph& g, const group& gr, const std::vector<char>& stored)
        : g_(g), roots_(gr.roots), op_(op_of(g, gr.roots[0])), stored_(stored) {}

    lowered run() {
        const value& first = g_.values[roots_[0]];
        library_call call{.of = &op_, .code = first.code};
        const int arrays = arrays_of_call(g_, roots_[0]);
        for (int k = 0; k < arrays; ++k) read(k, call);
        for (int k = arrays; k < first.in.size(); ++k) take_number(g_.values[first.in[k]]);
        call.results.resize(static_cast<std::size_t>(op_.results));
        for (std::size_t k = 0; k < call.results.size(); ++k)
            for (const value_id v : roots_)
                if (g_.libraries[g_.values[v].index].result == k) write(v, call.results[k]);
        for (std::size_t k = 0; k < call.results.size() && r_.unreachable.empty(); ++k) write_unasked(k, call);
        r_.out.call = std::move(call);
        r_.out.domain = first.extents;
        r_.out.roots = roots_;
        return std::move(r_);
    }

private:
    void read(int k, library_call& call) {
        const value_id operand = g_.values[roots_[0]].in[k], memory = operand_in_memory(g_, roots_[0], k);
        const value& source = g_.values[memory];
        if (source.code != op::leaf && !stored_[memory]) {
            r_.unreachable.push_back(memory);
            return;
        }
        const shape& extents = g_.extents(operand);
        const bool whole = memory == operand;
        const strided at = whole ? layout_of(g_, memory) : *access_of(g_, operand, memory);
        std::optional<std::vector<std::int64_t>> strides = op_.reads(k, extents, at);
        if (!strides) throw std::logic_error(std::string(op_.name) + " does not read what lies in memory for it");
        call.operands.push_back({source.type, extents, std::move(*strides)});
        const auto width = static_cast<std::int64_t>(size_of(source.type));
        const bool again = std::any_of(r_.out.accesses.begin(), r_.out.accesses.end(),
                                       [&](const traced_access& a) { return a.source == memory; });
        if (!again) r_.out.bytes_read += distinct(extents, at) * width;
        r_.out.accesses.push_back({memory, source.type, at, false});
        r_.out.pointers.push_back({{source.code == op::leaf, memory}, at.offset * width});
    }

    void take_number(const value& x) {
        const bool is_constant = x.index >= constant_scalar;
        r_.out.scalars.push_back(std::min(x.index, constant_scalar));
        r_.out.words.push_back(is_constant ? g_.constants[x.index - constant_scalar] : 0);
    }

    /// Elements that are read: those of an axis whose steps are shorter than what lies between two of them without gaps, as
    /// of frames that overlap, are read once.
    static std::int64_t distinct(const shape& extents, const strided& at) {
        if (extents.size() == 0) return 0;
        std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // strides, extents
        for (int k = 0; k < extents.rank(); ++k)
            axes.emplace_back(std::abs(at.axes[static_cast<std::size_t>(k)].stride), extents[k]);
        std::sort(axes.begin(), axes.end());
        std::int64_t elements = 1, reach = 1;
        for (const auto& [stride, extent] : axes) {
            const bool overlaps = stride < reach && elements == reach;
            if (stride == 0) continue;
            reach += (extent - 1) * stride;
            elements = overlaps ? reach : elements * extent;
        }
        return elements;
    }

    void write(value_id v, call_result& to) {
        const value& x = g_.values[v];
        to = {true, x.type, *x.extents};
        r_.out.accesses.push_back({v, x.type, layout_of(g_, v), true});
        r_.out.pointers.push_back({{false, v}, 0});
        r_.out.bytes_written += x.extents->size() * static_cast<std::int64_t>(size_of(x.type));
    }

    /// What a call works on in place is copied into scratch memory where nobody asks for it.
    void write_unasked(std::size_t k, const library_call& call) {
        if (call.results[k].asked || op_.overwritten(k) < 0) return;
        const call_operand& from = call.operands[static_cast<std::size_t>(op_.overwritten(k))];
        const std::int64_t bytes = from.extents.size() * static_cast<std::int64_t>(size_of(from.type));
        r_.out.bytes_read += bytes;
        r_.out.bytes_written += 2 * bytes;
    }

    const graph& g_;
    const std::vector<value_id>& roots_;
    const library_op& op_;
    const std::vector<char>& stored_;
    lowered r_;
};

}  // namespace

value_id operand_in_memory(const graph& g, value_id v, int k) {
    const value_id operand = g.values[v].in[k], below = memory_below(g, op_of(g, v), operand);
    if (below == operand || g.values[below].code == op::coord) return operand;
    const auto is_read = [&](value_id memory) {
        const auto at = access_of(g, operand, memory);
        return at && op_of(g, v).reads(k, g.extents(operand), *at);
    };
    // A few frames of many are put in memory themselves, not all of them.
    if (g.values[below].code == op::gather && g.extents(below).size() > g.extents(operand).size()) return operand;
    if (is_read(below)) return below;
    // What a reshape without strides reads must be in memory in any case: it need not be copied once more behind it.
    for (value_id x = operand; g.values[x].code == op::view; x = g.values[x].in[0])
        if (const value_id from = g.values[x].in[0];
            g.attributes[g.values[x].index]->what == detail::attribute::kind::reshape && from != below && is_read(from))
            return from;
    return operand;
}

int arrays_of_call(const graph& g, value_id v) { return g.values[v].in.size() - numbers_of(op_of(g, v)); }

bool share_a_call(const graph& g, value_id a, value_id b) {
    const value &x = g.values[a], &y = g.values[b];
    if (!is_library(x.code) || !is_library(y.code) || x.in != y.in) return false;
    const library_result &of_x = g.libraries[x.index], &of_y = g.libraries[y.index];
    return of_x.of == of_y.of && of_x.result != of_y.result;
}

lowered lower_library(const graph& g, const group& gr, const std::vector<char>& stored) {
    return library_lowering(g, gr, stored).run();
}

}  // namespace frit::v0::fusion
