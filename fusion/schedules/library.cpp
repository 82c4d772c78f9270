// See library.hpp. Views are absorbed as far as BLAS goes: a matrix may be transposed or a part of a larger one, as long as
// one of its strides is 1; scans and sorts take dense rows.
#include "fusion/schedules/library.hpp"

#include <algorithm>
#include <limits>

#include "fusion/ir/alignment.hpp"

namespace frit::inline v0::fusion {
namespace {

/// How an operand lies in memory over its own axes; null where its views have no strided access.
std::optional<strided> access_of(const graph& g, value_id operand) {
    path_table paths;
    std::uint32_t path = 0;
    value_id v = operand;
    for (; g.values[v].code == op::view; v = g.values[v].in[0]) path = paths.append(path, g.attributes[g.values[v].index]);
    auto at = paths.resolve(layout_of(g, v), g.extents(v), path);
    if (!at || std::any_of(at->axes.begin(), at->axes.end(), [](const axis_term& t) { return t.clamped; })) return {};
    at->axes.resize(static_cast<std::size_t>(g.extents(operand).rank()));
    return at;
}

constexpr std::int64_t longest_ld = std::numeric_limits<std::int32_t>::max();  // BLAS counts in 32 bits

/// A rows x columns matrix whose element (i, j) is at i * row_stride + j * column_stride, as BLAS sees it.
std::optional<matrix_layout> layout_of_matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                              std::int64_t column_stride) {
    if (rows == 1) row_stride = std::max<std::int64_t>(columns, 1);
    if (columns == 1) column_stride = 1;
    if (column_stride == 1 && row_stride >= columns && row_stride <= longest_ld)
        return matrix_layout{std::max<std::int64_t>(row_stride, 1), false};
    if (rows == 1) row_stride = 1;
    if (columns == 1) column_stride = std::max<std::int64_t>(rows, 1);
    if (row_stride == 1 && column_stride >= rows && column_stride <= longest_ld)
        return matrix_layout{std::max<std::int64_t>(column_stride, 1), true};
    return {};
}

/// Operand k of a matmul as a matrix: a vector on the left is one row, on the right one column.
std::optional<matrix_layout> matrix_of(const shape& extents, const strided& at, int k) {
    const auto stride = [&](int axis) { return extents[axis] == 1 ? 1 : at.axes[static_cast<std::size_t>(axis)].stride; };
    if (extents.rank() == 2) return layout_of_matrix(extents[0], extents[1], stride(0), stride(1));
    return k == 0 ? layout_of_matrix(1, extents[0], extents[0], stride(0)) : layout_of_matrix(extents[0], 1, stride(0), 1);
}

bool is_dense(const shape& extents, const strided& at) {
    const std::vector<std::int64_t> dense = row_major(extents);
    for (int k = 0; k < extents.rank(); ++k)
        if (extents[k] > 1 && at.axes[static_cast<std::size_t>(k)].stride != dense[static_cast<std::size_t>(k)])
            return false;
    return true;
}

bool understands(const graph& g, value_id v, int k, const strided& at) {
    const shape& extents = g.extents(g.values[v].in[k]);
    return library(g.values[v].code).kind == library_kind::MATMUL ? matrix_of(extents, at, k).has_value()
                                                                  : is_dense(extents, at);
}

class library_lowering {
public:
    library_lowering(const graph& g, value_id v, const std::vector<char>& stored) : g_(g), v_(v), stored_(stored) {}

    lowered run() {
        const value& x = g_.values[v_];
        library_call call{.code = x.code, .type = g_.values[x.in[0]].type, .result = x.type, .a = {}, .b = {}};
        if (library(x.code).kind == library_kind::MATMUL) {
            const shape &a = g_.extents(x.in[0]), &b = g_.extents(x.in[1]);
            call.m = a.rank() == 2 ? a[0] : 1;
            call.k = b[0];
            call.n = b.rank() == 2 ? b[1] : 1;
        } else {
            call.length = x.extents->rank() > 0 ? (*x.extents)[x.extents->rank() - 1] : 1;
            call.rows = call.length > 0 ? x.extents->size() / call.length : 0;
        }
        for (int k = 0; k < x.inputs; ++k) read(k, call);
        r_.out.accesses.push_back({v_, x.type, layout_of(g_, v_), true});
        r_.out.pointers.push_back({{false, v_}, 0});
        r_.out.bytes_written = x.extents->size() * static_cast<std::int64_t>(size_of(x.type));
        r_.out.call = call;
        r_.out.domain = x.extents;
        r_.out.roots = {v_};
        return std::move(r_);
    }

private:
    void read(int k, library_call& call) {
        const value_id operand = g_.values[v_].in[k], memory = operand_in_memory(g_, v_, k);
        const value& source = g_.values[memory];
        if (source.code != op::leaf && !stored_[memory]) {
            r_.unreachable.push_back(memory);
            return;
        }
        const bool whole = memory == operand;
        const strided at = whole ? layout_of(g_, memory) : *access_of(g_, operand);
        if (library(call.code).kind == library_kind::MATMUL)
            (k == 0 ? call.a : call.b) = *matrix_of(g_.extents(operand), at, k);
        const auto width = static_cast<std::int64_t>(size_of(source.type));
        const bool again = std::any_of(r_.out.accesses.begin(), r_.out.accesses.end(),
                                       [&](const traced_access& a) { return a.source == memory; });
        if (!again) r_.out.bytes_read += g_.extents(operand).size() * width;
        r_.out.accesses.push_back({memory, source.type, at, false});
        r_.out.pointers.push_back({{source.code == op::leaf, memory}, at.offset * width});
    }

    const graph& g_;
    const value_id v_;
    const std::vector<char>& stored_;
    lowered r_;
};

}  // namespace

value_id operand_in_memory(const graph& g, value_id v, int k) {
    const value_id operand = g.values[v].in[k], below = below_views(g, operand);
    if (below == operand || g.values[below].code == op::scalar || g.values[below].code == op::coord) return operand;
    const auto at = access_of(g, operand);
    return at && understands(g, v, k, *at) ? below : operand;
}

lowered lower_library(const graph& g, value_id v, const std::vector<char>& stored) {
    return library_lowering(g, v, stored).run();
}

}  // namespace frit::v0::fusion
