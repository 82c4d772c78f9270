// `2 * matmul(a, b) + 3 * c` as one call, and `-matmul(a, b)`: BLAS's alpha and beta. What is rounded, and when, is what the
// formula says, as contraction has left it; the call is told which form that is. The sum stays a kernel's where a kernel
// would read it: that one reads the product and the addend as well as their sum. The addend is something that lies in memory
// in any case, whole or as one row that is seen in all of them (a bias).
// And `abs(rfft(x * w))`, whoever reads it: a kernel has less to read of magnitudes. The window is one row, as a bias is.
// Both it and x lie in memory, or take less of it than their product: a window's formula, a signal's whose frames overlap.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/library_op.hpp"
#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {
namespace {

/// A value times what.
struct term {
    value_id x = no_value;
    factor times = factor::one;
    value_id number = no_value;
};
term operator-(term t) {
    t.times = negative(t.times);
    return t;
}

class absorber {
public:
    absorber(graph& g, const target& t)
        : g_(g), t_(t), readers_(g.values.size()), kept_(g.values.size()), in_kernel_(g.values.size()) {
        std::vector<char> live(g.values.size());
        for (std::size_t k = 0; k < g.outputs.size(); ++k) {
            live[g.outputs[k]] = kept_[g.outputs[k]] = 1;
            // A kernel writes into a caller's memory, whatever its strides.
            if (k < g.output_strides.size() && g.output_strides[k]) in_kernel_[g.outputs[k]] = 1;
        }
        for (auto v = static_cast<value_id>(g.values.size()); v-- > 0;) {
            const value& x = g.values[v];
            if (!live[v]) continue;
            for (const value_id from : x.in) {
                live[from] = 1;
                ++readers_[from];
                if (x.code == op::view ? in_kernel_[v] != 0 : !is_library(x.code)) in_kernel_[from] = 1;
            }
        }
    }

    void run() {
        for (value_id v = 0; v < g_.values.size(); ++v) {
            if ((readers_[v] == 0 && !kept_[v]) || g_.values[v].stored) continue;
            if (is_library(g_.values[v].code))
                begin_with_window(v);
            else if (g_.values[v].code == op::hypot)
                end_with_magnitude(v);
            else if (!in_kernel_[v])
                look_at(v);
        }
    }

private:
    using form = epilogue::form;

    void look_at(value_id v) {
        const value x = g_.values[v];
        switch (x.code) {
            case op::mul:
            case op::rounded_mul:
                if (const term t = product(v); is_absorbable(t.x)) end_with(v, form::scaled, t, {});
                break;
            case op::neg: end_with(v, form::scaled, -part(x.in[0]), {}); break;
            case op::add:
            case op::sub: {
                const term a = part(x.in[0]), b = x.code == op::sub ? -part(x.in[1]) : part(x.in[1]);
                if (!end_with(v, form::rounded, a, b)) end_with(v, form::rounded, b, a);
                break;
            }
            case op::fma:
            case op::fms:
            case op::fnma: {
                const term whole = scaled(x.in[0], x.in[1]);
                if (whole.x == no_value) break;
                const term a = x.code == op::fnma ? -whole : whole, b = x.code == op::fms ? -part(x.in[2]) : part(x.in[2]);
                if (!end_with(v, form::product_first, a, b)) end_with(v, form::addend_first, b, a);
                break;
            }
            default: break;
        }
    }

    /// A number of rank 0, also where it is repeated in the shape of what it multiplies; else none.
    value_id number(value_id v) const {
        if (g_.values[v].code == op::view) v = g_.values[v].in[0];
        return g_.values[v].code == op::scalar ? v : no_value;
    }
    term scaled(value_id a, value_id b) const {
        if (const value_id n = number(b); n != no_value) return {a, factor::number, n};
        if (const value_id n = number(a); n != no_value) return {b, factor::number, n};
        return {};
    }
    term product(value_id v) const { return scaled(g_.values[v].in[0], g_.values[v].in[1]); }
    /// One side of a sum: itself, or what is negated or multiplied by a number there and nowhere else.
    term part(value_id v) const {
        const value& x = g_.values[v];
        if (readers_[v] != 1 || kept_[v]) return {v};
        if (x.code == op::neg) return -part(x.in[0]);
        if (x.code != op::mul && x.code != op::rounded_mul) return {v};
        const term t = product(v);
        return t.x == no_value ? term{v} : t;
    }

    const library_op& op_of(value_id v) const { return *g_.libraries[g_.values[v].index].of; }
    bool is_absorbable(value_id v, std::uint32_t readers = 1) const {
        if (v == no_value || !is_library(g_.values[v].code)) return false;
        return readers_[v] == readers && !kept_[v] && !g_.values[v].stored && op_of(v).with != nullptr &&
               op_of(v).after.what == form::none;
    }
    bool is_addend(value_id v, const value& sum) const {
        const value& x = g_.values[v];
        const bool in_memory = x.code == op::leaf ? g_.leaves[x.index].strides.empty() : is_library(x.code);
        return in_memory && x.type == sum.type && x.extents == sum.extents;
    }
    /// Something in memory that is seen in the sum's shape.
    bool is_spread(value_id v, const value& sum) const {
        const value &x = g_.values[v], &below = g_.values[below_views(g_, v)];
        return x.code == op::view && (below.code == op::leaf || is_library(below.code)) && x.type == sum.type &&
               x.extents == sum.extents;
    }
    /// Whether such a call reads a factor of a product in memory, where it is already or where it takes less than the
    /// product does.
    bool is_smaller(const library_op& of, value_id v, const value& product) const {
        const value& x = g_.values[memory_below(g_, of, v)];
        if (x.code == op::leaf || is_library(x.code)) return true;
        return x.code != op::scalar && x.code != op::coord && x.extents->size() < product.extents->size();
    }
    /// Whether a call reads an operand where it lies.
    bool is_read(const library_op& of, int k, value_id v) const {
        const value_id memory = memory_below(g_, of, v);
        const auto at = memory == v ? layout_of(g_, v) : access_of(g_, v, memory);
        return at && of.reads(k, g_.extents(v), *at);
    }

    /// The call's op with such ends, if it has one. @param type  of the result
    const library_op* op_with(const value& call, bool window, const epilogue& after, dtype type) const {
        std::vector<const shape*> extents;
        for (const value_id k : call.in) extents.push_back(g_.values[k].extents);
        return g_.libraries[call.index].of->with({call.code, window, after, type, extents}, t_);
    }
    /// Makes v a call of that op. @param type  of its result
    void put(value_id v, const value& call, dtype type, const library_op* of, std::span<const value_id> operands) {
        g_.values[v] = {.code = call.code,
                        .type = type,
                        .index = static_cast<std::uint32_t>(g_.libraries.size()),
                        .extents = call.extents,
                        .in = operand_list(operands)};
        g_.libraries.push_back({of, 0});
    }

    /// f(x * w), where only the call reads the product.
    void begin_with_window(value_id v) {
        const value call = g_.values[v];
        if (!op_of(v).with || op_of(v).window) return;
        const value_id first = call.in[0];
        const value& product = g_.values[first];
        if ((product.code != op::mul && product.code != op::rounded_mul) || readers_[first] != 1 || kept_[first]) return;
        const library_op* const of = op_with(call, true, {}, call.type);
        for (const auto& [x, w] : {std::pair{product.in[0], product.in[1]}, {product.in[1], product.in[0]}}) {
            if (!of || !is_smaller(*of, x, product) || !is_smaller(*of, w, product)) continue;
            if (!is_read(*of, 0, x) || !is_read(*of, call.in.size(), w)) continue;
            std::vector<value_id> operands(call.in.begin(), call.in.end());
            operands[0] = x;
            operands.push_back(w);
            return put(v, call, call.type, of, operands);
        }
    }

    /// hypot(real(z), imag(z)), where z is a call, or views of one, and nobody else reads these: they are of magnitudes
    /// then.
    void end_with_magnitude(value_id v) {
        const value x = g_.values[v], re = g_.values[x.in[0]], im = g_.values[x.in[1]];
        if (re.code != op::real || im.code != op::imag || re.in[0] != im.in[0]) return;
        if (readers_[x.in[0]] != 1 || readers_[x.in[1]] != 1 || kept_[x.in[0]] || kept_[x.in[1]]) return;
        value_id z = re.in[0];
        std::uint32_t readers = 2;
        std::vector<value_id> views;
        for (; g_.values[z].code == op::view && readers_[z] == readers && !kept_[z]; z = g_.values[z].in[0], readers = 1)
            views.push_back(z);
        if (!is_absorbable(z, readers)) return;
        const value call = g_.values[z];
        const library_op& known = op_of(z);
        const library_op* const of = op_with(call, known.window, {epilogue::form::magnitude}, x.type);
        // Nothing is put in order for this call that the other one reads where it lies.
        if (!of || is_read(*of, 0, call.in[0]) < is_read(known, 0, call.in[0])) return;
        for (const value_id view : views) {  // each in the place of what reads it, from the last one on
            const value& moved = g_.values[view];
            g_.values[v] = {.code = op::view,
                            .type = x.type,
                            .index = moved.index,
                            .extents = moved.extents,
                            .in = operand_list(std::array{view})};
            v = view;
        }
        put(v, call, x.type, of, std::vector<value_id>(call.in.begin(), call.in.end()));
    }

    /// Makes v the call of x with that end, if there is one. @param y  none of what is only scaled
    bool end_with(value_id v, form what, const term& x, const term& y) {
        const value sum = g_.values[v];
        if (!is_absorbable(x.x)) return false;
        epilogue end{what, x.times, what == form::scaled ? factor::one : y.times};
        end.row = end.has_addend() && !is_addend(y.x, sum);
        if (end.row && !is_spread(y.x, sum)) return false;
        const value call = g_.values[x.x];
        if (call.type != sum.type || call.extents != sum.extents) return false;
        const library_op* const of = op_with(call, op_of(x.x).window, end, sum.type);
        if (!of || (end.row && !is_read(*of, call.in.size(), y.x))) return false;
        std::vector<value_id> operands(call.in.begin(), call.in.end());
        if (end.has_addend()) operands.push_back(y.x);
        for (const term* const t : {&x, &y})
            if (t->number != no_value) operands.push_back(t->number);
        put(v, call, sum.type, of, operands);
        return true;
    }

    graph& g_;
    const target& t_;
    std::vector<std::uint32_t> readers_;
    std::vector<char> kept_, in_kernel_;  ///< results; what a kernel reads, through views or not
};

}  // namespace

void absorb_epilogues(graph& g, const target& t) {
    const auto has_ends = [](const library_result& of) { return of.of->with != nullptr; };
    if (std::any_of(g.libraries.begin(), g.libraries.end(), has_ends)) absorber(g, t).run();
}

}  // namespace frit::v0::fusion
