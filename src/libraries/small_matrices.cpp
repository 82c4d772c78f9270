// See small_matrices.hpp. A kernel finds its matrix along two axes of the batch; what has more, that are not one by their
// strides, is a launch for each place along the others.
#include "src/libraries/small_matrices.hpp"

#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail {
namespace {

/// What a launch has of a batch: the matrices of two axes.
struct small_part {
    std::int64_t first;         ///< of its matrices, by number
    matrix_product::place at;   ///< where that one is
    std::int64_t count, inner;  ///< all matrices, and those of the inner axis
    batch_axis outside, inside;
};

/// The batch of a call with one operand, or with a second that has the same batch, or none: that one is the same for all.
matrix_product batch_of(const fusion::library_call& c) {
    matrix_product all;
    const shape& of = c.operands[0].extents;
    const bool has_second = c.operands.size() > 1 && c.operands[1].extents.rank() == of.rank();
    for (int axis = 0; axis < batch_rank(of); ++axis) {
        const auto stride = [&](const fusion::call_operand& x) {
            return of[axis] == 1 ? 0 : x.strides[static_cast<std::size_t>(axis)];
        };
        all.add_axis({of[axis], stride(c.operands[0]), has_second ? stride(c.operands[1]) : 0});
    }
    return all;
}

template <class F>
void for_each_part(const fusion::library_call& c, F launch) {
    const matrix_product all = batch_of(c);
    const auto axis = [&](int from_last) {
        return from_last <= all.axes ? all.batch[static_cast<std::size_t>(all.axes - from_last)] : batch_axis{1, 0, 0};
    };
    const batch_axis inside = axis(1), outside = axis(2);
    const std::int64_t count = inside.extent * outside.extent;
    for (std::int64_t first = 0; first < all.matrices(); first += count)
        launch(small_part{first, all.at(first), count, inside.extent, outside, inside});
}

}  // namespace

void solve_small(cuda::libraries& on, const cuda::small_kernel& k, const fusion::library_call& c, const call_memory& at,
                 const small_solutions& to) {
    matrix_operand a(c.operands[0]), b(c.operands[1]);
    for_each_part(c, [&](small_part p) {
        const void *from = behind(at.operands[0], a.type, p.at.a), *side = behind(at.operands[1], b.type, p.at.b);
        void* x = to.x ? behind(to.x, a.type, p.first * a.rows * b.columns) : nullptr;
        std::int64_t* status = to.status ? to.status + p.first : nullptr;
        std::uint64_t* first = to.first;
        std::int64_t parts = x ? cuda::parts_of_sides(p.count, b.columns) : 1;
        void* parameters[] = {parameter(from),
                              parameter(a.row_stride),
                              parameter(a.column_stride),
                              parameter(p.outside.a),
                              parameter(p.inside.a),
                              parameter(side),
                              parameter(b.row_stride),
                              parameter(b.column_stride),
                              parameter(p.outside.b),
                              parameter(p.inside.b),
                              parameter(x),
                              parameter(b.columns),
                              parameter(parts),
                              parameter(status),
                              parameter(first),
                              parameter(p.first),
                              parameter(p.inner),
                              parameter(p.count)};
        launch_small(on, k, p.count * parts, parameters, at);
    });
}

void decompose_small(cuda::libraries& on, const cuda::small_kernel& k, const fusion::library_call& c, const call_memory& at,
                     std::span<const small_result> results) {
    matrix_operand a(c.operands[0]);
    for_each_part(c, [&](small_part p) {
        const void* from = behind(at.operands[0], a.type, p.at.a);
        std::vector<void*> to;
        for (const small_result& r : results)
            to.push_back(r.memory ? behind(r.memory, r.type, p.first * r.elements) : nullptr);
        std::vector<void*> parameters{parameter(from), parameter(a.row_stride), parameter(a.column_stride),
                                      parameter(p.outside.a), parameter(p.inside.a)};
        for (void*& x : to) parameters.push_back(parameter(x));
        parameters.push_back(parameter(p.inner));
        parameters.push_back(parameter(p.count));
        launch_small(on, k, p.count, parameters, at);
    });
}

void order_rows(cuda::libraries& on, const call_memory& at, const std::int64_t* exchanged, std::int64_t* rows,
                std::int64_t length, std::int64_t steps, std::int64_t count) {
    void* parameters[] = {parameter(exchanged), parameter(rows), parameter(length), parameter(steps), parameter(count)};
    launch_small(on, cuda::row_order(), length * count, parameters, at);
}

}  // namespace frit::v0::detail
