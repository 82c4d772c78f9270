// Integer products, see integer_product.hpp: every result is cut into tiles, which frit's threads share out. A tile adds up
// panels of b, copied together so that they stay in the cache and one loop (isa_table::add_products) fits every layout.
#include "src/cpu/integer_product.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "src/cpu/share_out.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::int64_t tile_rows = 128, panel_rows = 128, panel_bytes = 512;  // a panel takes 64 KiB: a part of the L2

/// Element (i, j) stands at i * row + j * column.
template <class T>
struct matrix {
    const T* data;
    std::int64_t row, column;
    matrix(const void* from, const matrix_layout& l)
        : data(static_cast<const T*>(from)), row(l.transposed ? 1 : l.ld), column(l.transposed ? l.ld : 1) {}
    matrix transposed() const {
        matrix t = *this;
        std::swap(t.row, t.column);
        return t;
    }
    matrix from(std::int64_t offset) const {
        matrix other = *this;
        other.data += offset;
        return other;
    }
    /// Rows [i, i + rows) and columns [j, j + columns), dense.
    void copy(T* to, std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t columns) const {
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* from = data + (i + r) * row + j * column;
            for (std::int64_t c = 0; c < columns; ++c) to[r * columns + c] = from[c * column];
        }
    }
};

template <class T>
void multiply(const matrix_product& c, matrix<T> a, matrix<T> b, T* result, product_loop add) {
    std::int64_t m = c.m, n = c.n;
    const bool transposed = n == 1 && m > 1;  // lanes along the longer
    if (transposed) {
        std::swap(m, n);
        a = std::exchange(b, a.transposed()).transposed();
    }
    constexpr std::int64_t tile_columns = panel_bytes / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t across = (n + tile_columns - 1) / tile_columns, down = (m + tile_rows - 1) / tile_rows;
    const std::int64_t matrices = c.matrices(), tiles = down * across;
    const double products =
        static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(c.k) * static_cast<double>(matrices);
    share_out(matrices * tiles, fusion::multiplication * products, [&](std::int64_t t) {
        alignas(64) T panel[panel_rows * tile_columns];
        T factors[panel_rows];
        const auto at = c.at(t / tiles);
        const matrix<T> left = a.from(transposed ? at.b : at.a), right = b.from(transposed ? at.a : at.b);
        T* const to = result + at.result;
        const std::int64_t i0 = t % tiles / across * tile_rows, rows = std::min(tile_rows, m - i0);
        const std::int64_t j0 = t % tiles % across * tile_columns, columns = std::min(tile_columns, n - j0);
        for (std::int64_t i = i0; i < i0 + rows; ++i)
            std::memset(to + i * n + j0, 0, static_cast<std::size_t>(columns) * sizeof(T));
        for (std::int64_t k = 0; k < c.k; k += panel_rows) {
            const std::int64_t count = std::min(panel_rows, c.k - k);
            right.copy(panel, k, count, j0, columns);
            for (std::int64_t i = i0; i < i0 + rows; ++i) {
                left.copy(factors, i, 1, k, count);
                add(to + i * n + j0, factors, panel, count, columns);
            }
        }
    });
}

}  // namespace

void integer_matmul(const matrix_product& c, const void* a, const void* b, void* result, const isa_table& table) {
    with_type(c.type, [&]<class T>() {
        using element = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;  // a bool is a byte, 0 or 1
        if constexpr (std::is_integral_v<T>)
            multiply(c, matrix<element>(a, c.a), matrix<element>(b, c.b), static_cast<element*>(result),
                     table.add_products[index_of(c.type)]);
    });
}

}  // namespace frit::v0::detail
