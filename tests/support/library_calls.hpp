// Library calls as the planner makes them, for tests that call engines directly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/engine/matrix_product.hpp"
#include "src/libraries/libraries.hpp"

namespace frit_test {

using frit::fusion::library_call;

/// A product of an m x k and a k x n matrix in these layouts.
inline library_call product_call(frit::dtype type, std::int64_t m, std::int64_t k, std::int64_t n,
                                 frit::detail::matrix_layout a, frit::detail::matrix_layout b) {
    const auto strides = [](const frit::detail::matrix_layout& l) {
        return l.transposed ? std::vector<std::int64_t>{1, l.ld} : std::vector<std::int64_t>{l.ld, 1};
    };
    return {.of = &frit::detail::routine_of(frit::op::matmul),
            .code = frit::op::matmul,
            .operands = {{type, frit::shape{m, k}, strides(a)}, {type, frit::shape{k, n}, strides(b)}},
            .results = {{true, type, frit::shape{m, n}}}};
}

/// Products of two batches, whose axes broadcast. Their matrices are as far apart as they need memory: `a_size`, `b_size`.
inline library_call batch_call(frit::dtype type, std::int64_t m, std::int64_t k, std::int64_t n,
                               frit::detail::matrix_layout a, std::vector<std::int64_t> a_batch, std::int64_t a_size,
                               frit::detail::matrix_layout b, std::vector<std::int64_t> b_batch, std::int64_t b_size) {
    library_call c = product_call(type, m, k, n, a, b);
    const std::vector<std::int64_t>* const batches[] = {&a_batch, &b_batch};
    std::int64_t sizes[] = {a_size, b_size};
    std::vector<std::int64_t> extents(std::max(a_batch.size(), b_batch.size()), 1);
    for (std::size_t x = 0; x < 2; ++x) {
        frit::fusion::call_operand& operand = c.operands[x];
        const std::vector<std::int64_t>& batch = *batches[x];
        std::vector<std::int64_t> all = batch;
        for (int axis = 0; axis < operand.extents.rank(); ++axis) all.push_back(operand.extents[axis]);
        operand.extents = frit::shape(all);
        for (std::size_t axis = 1; axis <= batch.size(); ++axis) {  // from the last one on
            const std::int64_t extent = batch[batch.size() - axis];
            operand.strides.insert(operand.strides.begin(), extent == 1 ? 0 : sizes[x]);
            sizes[x] *= extent;
            if (extent != 1) extents[extents.size() - axis] = extent;
        }
    }
    extents.push_back(m);
    extents.push_back(n);
    c.results[0].extents = frit::shape(extents);
    return c;
}

/// A scan or a sort of `rows` rows. The results that `also` adds to that of `code` are asked for too.
inline library_call row_call(frit::op code, frit::dtype type, std::int64_t rows, std::int64_t length,
                             std::vector<frit::op> also = {}) {
    const auto& of = frit::detail::routine_of(code);
    library_call c{.of = &of,
                   .code = code,
                   .operands = {{type, frit::shape{rows, length}, {length, 1}}},
                   .results = std::vector<frit::fusion::call_result>(static_cast<std::size_t>(of.results))};
    also.push_back(code);
    for (const frit::op o : also)
        c.results[frit::library(o).result] = {true, frit::library_dtypes_of(o, type).result, frit::shape{rows, length}};
    return c;
}

/// A selection from `rows` rows at `count` ranks, the same for all rows or their own, or of the `count` largest.
inline library_call selection_call(frit::op code, frit::dtype type, std::int64_t rows, std::int64_t length,
                                   std::int64_t count, bool alike = true, std::vector<frit::op> also = {}) {
    library_call c = row_call(code, type, rows, length, also);
    const bool is_largest = frit::detail::routine_of(code).name == "largest";
    if (is_largest)
        c.operands.push_back({type, frit::shape{rows, count}, {length, 1}});
    else
        c.operands.push_back({frit::dtype::i64, frit::shape{rows, count}, {alike ? 0 : count, 1}});
    if (is_largest || code == frit::op::at_ranks)
        for (frit::fusion::call_result& r : c.results) r.extents = frit::shape{rows, count};
    return c;
}

/// What a mask picks, `count` of `length` elements.
inline library_call compress_call(frit::dtype type, std::int64_t length, std::int64_t count) {
    return {.of = &frit::detail::routine_of(frit::op::compressed),
            .code = frit::op::compressed,
            .operands = {{type, frit::shape{length}, {1}},
                         {frit::dtype::bool_, frit::shape{length}, {1}},
                         {frit::dtype::bool_, frit::shape{count}, {1}}},
            .results = {{true, type, frit::shape{count}}}};
}

}  // namespace frit_test
