// Contraction to fma of what a formula says, as one explicit pass that looks at nothing but ops and dtypes: the compilers
// behind the engines run with contraction off. Products have their sums' shapes (graph::add_op). What a reduction adds up is
// contracted by its rule (ir/reduction_rule), and a tile of products by its schedule (schedules/gpu/row_tiles), in the same
// way.
#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {

void contract(graph& g, const target& t) {
    if (!t.has_fma) return;
    for (value& v : g.values) {
        if ((v.code != op::add && v.code != op::sub) || !is_float(v.type)) continue;
        const value_id a = g.made_part(v.in[0]), b = g.made_part(v.in[1]);
        auto is_product = [&](value_id x) { return g.values[x].code == op::mul && g.values[x].type == v.type; };
        if (is_product(a)) {
            v.code = v.code == op::add ? op::fma : op::fms;
            v.in = {g.values[a].in[0], g.values[a].in[1], b};
        } else if (is_product(b)) {
            v.code = v.code == op::add ? op::fma : op::fnma;
            v.in = {g.values[b].in[0], g.values[b].in[1], a};
        }
    }
}

}  // namespace frit::v0::fusion
