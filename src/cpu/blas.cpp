// OpenBLAS behind blas.hpp. It computes on the thread that calls it (openblas.hpp): frit cuts a product into tiles and hands
// them to its own pool. So there is one set of threads, FRIT_NUM_THREADS holds for products too, and since the tiles depend
// on the shape and the machine, not on how many threads there are, so do the bits.
#include "src/cpu/blas.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/isa.hpp"
#include "src/cpu/share_out.hpp"
#include "src/cpu/tiles.hpp"

namespace frit::inline v0::detail {
namespace {

// The part of CBLAS that is used, by its C ABI (a Debian build has 32-bit integers).
using blas_int = int;
enum cblas_order : int { row_major = 101 };
enum cblas_transpose : int {
    as_it_is = 111,
    transposed = 112,
    adjoint = 113,
    conjugated = 114
};  // the last is OpenBLAS's own
enum cblas_triangle : int { upper = 121 };
cblas_transpose operation_of(const matrix_layout& l) {
    if (l.transposed) return l.conjugated ? adjoint : transposed;
    return l.conjugated ? conjugated : as_it_is;
}

template <class T>
inline constexpr bool is_complex_number = is_complex(dtype_of<T>);
// Complex numbers are taken and given by address.
template <class T>
using scalar = std::conditional_t<is_complex_number<T>, const T*, T>;
template <class T>
scalar<T> as_scalar(const T& x) {
    if constexpr (is_complex_number<T>)
        return &x;
    else
        return x;
}
template <class T>
using dot_function =
    std::conditional_t<is_complex_number<T>,
                       void (*)(blas_int n, const T* x, blas_int incx, const T* y, blas_int incy, T* result),
                       T (*)(blas_int n, const T* x, blas_int incx, const T* y, blas_int incy)>;

template <class T>
struct functions {
    void (*gemm)(cblas_order, cblas_transpose, cblas_transpose, blas_int m, blas_int n, blas_int k, scalar<T> alpha,
                 const T* a, blas_int lda, const T* b, blas_int ldb, scalar<T> beta, T* c, blas_int ldc);
    void (*gemv)(cblas_order, cblas_transpose, blas_int m, blas_int n, scalar<T> alpha, const T* a, blas_int lda, const T* x,
                 blas_int incx, scalar<T> beta, T* y, blas_int incy);
    dot_function<T> dot;
    void (*syrk)(cblas_order, cblas_triangle, cblas_transpose, blas_int n, blas_int k, scalar<T> alpha, const T* a,
                 blas_int lda, scalar<T> beta, T* c, blas_int ldc);
};

// The dtypes that it multiplies, by the letter of their functions.
#define FRIT_BLAS_DTYPES(X)                      \
    X(f32, float, "s", "dot")                    \
    X(f64, double, "d", "dot")                   \
    X(c64, std::complex<float>, "c", "dotu_sub") \
    X(c128, std::complex<double>, "z", "dotu_sub")

struct openblas {
#define FRIT_X(name, type, letter, dot) functions<type> name;
    FRIT_BLAS_DTYPES(FRIT_X)
#undef FRIT_X
    openblas_threads threads;
    char* (*get_config)();
};

openblas load(openblas_names names) {
    const openblas_file file(names, "matmul");
    openblas all{};
#define FRIT_X(name, type, letter, dot_name)           \
    file.find(all.name.gemm, "cblas_" letter "gemm");  \
    file.find(all.name.gemv, "cblas_" letter "gemv");  \
    file.find(all.name.dot, "cblas_" letter dot_name); \
    file.find(all.name.syrk, "cblas_" letter "syrk");
    FRIT_BLAS_DTYPES(FRIT_X)
#undef FRIT_X
    all.threads.find(file);
    file.find(all.get_config, "openblas_get_config");
    return all;
}

const openblas& the_openblas() {
    static const auto* const library = new openblas(load({usual_openblas[0], usual_openblas[1]}));  // tried again if missing
    return *library;
}

// Elements of a dot product that are added up in one go; the partial results are added in index order.
constexpr std::int64_t dot_block = std::int64_t{1} << 18;

/// An operand as BLAS wants it: rows (of memory) of `length` elements, `ld` apart.
struct stored_matrix {
    std::int64_t rows, length, ld;
};
stored_matrix check(std::int64_t rows, std::int64_t columns, const matrix_layout& l) {
    stored_matrix s{l.transposed ? columns : rows, l.transposed ? rows : columns, l.ld};
    if (s.rows <= 1) s.ld = std::max<std::int64_t>(s.length, 1);  // no second row: any distance would do
    constexpr std::int64_t most = std::numeric_limits<blas_int>::max();
    if (s.ld < s.length || s.ld < 1)
        throw shape_error("matmul: rows of " + std::to_string(s.length) + " elements overlap at a leading dimension of " +
                          std::to_string(s.ld));
    if (s.ld > most || rows > most || columns > most)
        throw shape_error("matmul: OpenBLAS takes extents and leading dimensions up to " + std::to_string(most) + ", not (" +
                          std::to_string(rows) + ", " + std::to_string(columns) + ") with " + std::to_string(s.ld));
    return s;
}

constexpr std::int64_t smallest_tile = 128;  // along an axis that is cut: what keeps a core busy

/// About an n-th of an extent, as kernels like it.
std::int64_t tile_of(std::int64_t extent, std::int64_t n) {
    return std::max(smallest_tile, ((extent + n - 1) / n + 63) / 64 * 64);
}
/// Hardware threads of the machine, whoever may use them.
std::int64_t processors() {
    static const std::int64_t n = std::max<std::int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1);
    return n;
}

/// Of a matrix and a vector.
std::int64_t tile_of(std::int64_t extent) { return tile_of(extent, 2 * processors()); }

struct tile_sides {
    std::int64_t rows, columns;
};
/// The tiles of a product. Few processors have one each, or so many that none waits long for the last ones; large ones are
/// cut four times as often, since that costs nothing and processors may be slowed down by others. They are wide: OpenBLAS
/// packs an operand anew for each call, and wide tiles cost one thread least (1024 x 1024 float64 in 64 tiles took 1.36 of
/// one call's time, in 4 of 256 x 1024 1.05, in 4 of 1024 x 256 1.20). Many processors wait for memory, and square tiles
/// have least to pack (1024 x 1024 to 4096 x 4096 float64 in 64 wide ones took 16 of them 1.16 to 1.23 of the time).
tile_sides tiles_of(std::int64_t m, std::int64_t n) {
    constexpr std::int64_t large = std::int64_t{1} << 21, few = 4, along = 8;
    if (processors() > few) return {tile_of(m, along), tile_of(n, along)};
    tile_sides t{std::max<std::int64_t>(m, 1), std::max<std::int64_t>(n, 1)};
    for (;;) {
        const std::int64_t tiles = ((m + t.rows - 1) / t.rows) * ((n + t.columns - 1) / t.columns);
        const std::int64_t rounds = (tiles + processors() - 1) / processors();
        const bool all_busy = 20 * tiles >= 17 * rounds * processors();
        if (tiles >= 4 * processors() || (all_busy && t.rows * t.columns < large)) return t;
        const bool narrow = t.columns < 2 * smallest_tile;
        if (t.rows >= 2 * smallest_tile && (narrow || 2 * t.rows >= t.columns))
            t.rows = tile_of(t.rows, 2);
        else if (!narrow)
            t.columns = tile_of(t.columns, 2);
        else
            return t;
    }
}

/// Nanoseconds that all of a batch take on one thread.
/// @param calls  of OpenBLAS, for each of them
template <class T>
double cost_of(const matrix_product& c, std::int64_t calls) {
    constexpr double term = (is_complex_number<T> ? 4 : 1) * fusion::multiplication, call = 100;
    const auto number = [](std::int64_t x) { return static_cast<double>(x); };  // an exact count may not fit 64 bits
    return number(c.matrices()) * (term * number(c.m) * number(c.n) * number(c.k) + call * number(calls));
}

/// The end of a product's tiles.
template <class T>
class tile_end {
public:
    explicit tile_end(const product_end& e) : e_(e), alpha_(static_cast<T>(e.alpha)), beta_(static_cast<T>(e.beta)) {}

    /// Of `count` elements of the result from `first` on, in place.
    void operator()(T* result, std::int64_t first, std::int64_t count) const {
        if (e_.what == form::none) return;
        constexpr std::int64_t at_once = 1024;
        for (std::int64_t end = first + count; first < end; first += at_once)
            piece(result + first, static_cast<const T*>(e_.addend) + (e_.addend ? first : 0),
                  std::min(at_once, end - first));
    }

private:
    using form = fusion::epilogue::form;
    static constexpr int second_is_one = 2;  // of the loops' operands one element for all

    loop of(op code, int spread) const {
        return e_.loops->elementwise[static_cast<int>(code)][index_of(dtype_of<T>)][spread];
    }

    void piece(T* x, const T* y, std::int64_t n) const {
        T scaled[1024];
        const auto times = [&](T* to, const T* from, const T& factor) {
            of(op::mul, second_is_one)(to, from, &factor, nullptr, n);
        };
        switch (e_.what) {
            case form::scaled: return times(x, x, alpha_);
            case form::rounded:
                times(scaled, y, beta_);
                times(x, x, alpha_);
                return of(op::add, 0)(x, x, scaled, nullptr, n);
            case form::product_first: times(scaled, y, beta_); return of(op::fma, second_is_one)(x, x, &alpha_, scaled, n);
            case form::addend_first: times(x, x, alpha_); return of(op::fma, second_is_one)(x, y, &beta_, x, n);
            case form::none:
            case form::magnitude: break;  // products of real numbers have none
        }
    }

    const product_end& e_;
    const T alpha_, beta_;
};
/// Products of complex numbers have none.
template <class T>
requires is_complex_number<T>
class tile_end<T> {
public:
    explicit tile_end(const product_end&) {}
    void operator()(T*, std::int64_t, std::int64_t) const {}
};

/// @param worth_it  that several threads share its blocks
template <class T>
T dot(const functions<T>& blas, std::int64_t n, const T* x, std::int64_t incx, const T* y, std::int64_t incy,
      bool worth_it) {
    constexpr std::int64_t at_once = 1024;  // blocks, whose results need no memory
    const std::int64_t blocks = (n + dot_block - 1) / dot_block;
    const auto sum_of_block = [&](std::int64_t b) {
        const std::int64_t first = b * dot_block, count = std::min(dot_block, n - first);
        const auto dot = [&](auto... result) {
            return blas.dot(static_cast<blas_int>(count), x + first * incx, static_cast<blas_int>(incx), y + first * incy,
                            static_cast<blas_int>(incy), result...);
        };
        if constexpr (is_complex_number<T>) {
            T sum;
            dot(&sum);
            return sum;
        } else {
            return dot();
        }
    };
    if (blocks == 1) return sum_of_block(0);
    T partial[at_once], sum{};
    for (std::int64_t done = 0; done < blocks; done += at_once) {
        const std::int64_t now = std::min(at_once, blocks - done);
        parallel(now, worth_it, [&](std::int64_t b) { partial[b] = sum_of_block(done + b); });
        for (std::int64_t b = 0; b < now; ++b) sum = done + b == 0 ? partial[0] : sum + partial[b];
    }
    return sum;
}

/// Two vectors of each of the batch. There are blocks to share, or pairs.
template <class T>
void dots(const matrix_product& c, const functions<T>& blas, const T* a, std::int64_t step_a, const T* b,
          std::int64_t step_b, T* result, const tile_end<T>& finish) {
    const std::int64_t count = c.matrices(), blocks = (c.k + dot_block - 1) / dot_block;
    const auto one = [&](std::int64_t i, bool worth_it) {
        const auto at = c.at(i);
        result[i] = dot(blas, c.k, a + at.a, step_a, b + at.b, step_b, worth_it);
        finish(result, i, 1);
    };
    if (blocks > count)
        for (std::int64_t i = 0; i < count; ++i) one(i, true);
    else
        share_out(count, cost_of<T>(c, 1), [&](std::int64_t i) { one(i, false); });
}

/// A matrix and a vector of each of the batch: y (m) = a (m x k) times x, whose elements stand incx apart.
/// @param a_at  where matrix i of them is; x_at: its vector
template <class T>
void matrix_vectors(const matrix_product& c, const functions<T>& blas, std::int64_t m, matrix_layout a_layout, const T* a,
                    std::int64_t matrix_product::place::*a_at, const T* x, std::int64_t matrix_product::place::*x_at,
                    std::int64_t incx, T* y, const tile_end<T>& finish) {
    const std::int64_t tile = tile_of(m), tiles = (m + tile - 1) / tile;
    const T one(1), zero(0);
    const auto columns = static_cast<blas_int>(c.k), ld = static_cast<blas_int>(a_layout.ld),
               step = static_cast<blas_int>(incx);
    share_out(c.matrices() * tiles, cost_of<T>(c, tiles), [&](std::int64_t t) {
        const auto at = c.at(t / tiles);
        const std::int64_t first = t % tiles * tile;
        const auto rows = static_cast<blas_int>(std::min(tile, m - first));
        const T *const matrix = a + at.*a_at, *const vector = x + at.*x_at;
        T* const to = y + at.result + first;
        std::fill_n(to, rows, T());  // some kernels scale what is there, and 0 * NaN is NaN
        if (a_layout.transposed)
            blas.gemv(row_major, operation_of(a_layout), columns, rows, as_scalar(one), matrix + first, ld, vector, step,
                      as_scalar(zero), to, 1);
        else
            blas.gemv(row_major, operation_of(a_layout), rows, columns, as_scalar(one), matrix + first * a_layout.ld, ld,
                      vector, step, as_scalar(zero), to, 1);
        finish(y, at.result + first, rows);
    });
}

/// A product of matrices, tile by tile.
template <class T>
class product_tiles {
public:
    product_tiles(const matrix_product& c, const functions<T>& blas, std::int64_t lda, std::int64_t ldb, const T* a,
                  const T* b, T* result)
        : c_(c), blas_(blas), lda_(lda), ldb_(ldb), a_(a), b_(b), result_(result) {}

    /// Rows from i on, columns from j on.
    void multiply(const matrix_product::place& at, std::int64_t i, std::int64_t j, tile_sides t) const {
        const T one(1), zero(0);
        blas_.gemm(row_major, operation_of(c_.a), operation_of(c_.b), static_cast<blas_int>(t.rows),
                   static_cast<blas_int>(t.columns), static_cast<blas_int>(c_.k), as_scalar(one),
                   a_ + at.a + i * (c_.a.transposed ? 1 : lda_), static_cast<blas_int>(lda_),
                   b_ + at.b + j * (c_.b.transposed ? ldb_ : 1), static_cast<blas_int>(ldb_), as_scalar(zero),
                   result_ + at.result + i * c_.n + j, static_cast<blas_int>(c_.n));
    }

    /// Whether it is a matrix times its own transpose, and symmetric, and so large that half of the work is less.
    bool is_symmetric() const {
        if (is_complex_number<T> || a_ != b_ || lda_ != ldb_ || c_.a.transposed == c_.b.transposed || c_.m != c_.n)
            return false;
        for (int axis = 0; axis < c_.axes; ++axis)
            if (c_.batch[static_cast<std::size_t>(axis)].a != c_.batch[static_cast<std::size_t>(axis)].b) return false;
        constexpr double least_terms = 1 << 20;
        return c_.n >= 64 && static_cast<double>(c_.n * c_.n) * static_cast<double>(c_.k) >= least_terms;
    }
    /// Of such a product the tile from (i, j) on, j >= i, and the one from (j, i) on.
    void multiply_symmetric(const matrix_product::place& at, std::int64_t i, std::int64_t j, tile_sides t) const {
        T* const tile = result_ + at.result + i * c_.n + j;
        if (i == j) {
            const T one(1), zero(0);
            for (std::int64_t row = 0; row < t.rows; ++row)  // some versions scale what is there, and 0 * NaN is NaN
                std::fill_n(tile + row * c_.n, t.columns, T());
            blas_.syrk(row_major, upper, c_.a.transposed ? transposed : as_it_is, static_cast<blas_int>(t.rows),
                       static_cast<blas_int>(c_.k), as_scalar(one), a_ + at.a + i * (c_.a.transposed ? 1 : lda_),
                       static_cast<blas_int>(lda_), as_scalar(zero), tile, static_cast<blas_int>(c_.n));
        } else {
            multiply(at, i, j, t);
        }
        T* const mirrored = result_ + at.result + j * c_.n + i;
        for_each_in_tiles(t.columns, t.rows, [&](std::int64_t row, std::int64_t column) {
            if (i != j || row > column) mirrored[row * c_.n + column] = tile[column * c_.n + row];
        });
    }

private:
    const matrix_product& c_;
    const functions<T>& blas_;
    const std::int64_t lda_, ldb_;
    const T *const a_, *const b_;
    T* const result_;
};

/// The end of a tile of the result, which begins at element `first`.
template <class T>
void finish_tile(const tile_end<T>& finish, T* result, std::int64_t first, std::int64_t n, tile_sides t) {
    if (t.columns == n) return finish(result, first, t.rows * n);
    for (std::int64_t row = 0; row < t.rows; ++row) finish(result, first + row * n, t.columns);
}

/// Tiles of a symmetric product above the diagonal and on it. On two processors two are half the work of the third.
template <class T>
void multiply_symmetric(const matrix_product& c, const product_tiles<T>& by, T* result, const tile_end<T>& finish) {
    const auto across = static_cast<std::int64_t>(std::ceil(std::sqrt(2 * static_cast<double>(processors()))));
    const std::int64_t side = tile_of(c.n, across), sides = (c.n + side - 1) / side, tiles = sides * (sides + 1) / 2;
    share_out(c.matrices() * tiles, cost_of<T>(c, tiles) / 2, [&](std::int64_t t) {
        const auto at = c.at(t / tiles);
        std::int64_t row = 0, column = t % tiles;  // of tiles: those of a row begin on the diagonal
        for (; column >= sides - row; ++row) column -= sides - row;
        const std::int64_t i = row * side, j = (row + column) * side;
        const tile_sides of{std::min(side, c.n - i), std::min(side, c.n - j)};
        by.multiply_symmetric(at, i, j, of);
        finish_tile(finish, result, at.result + i * c.n + j, c.n, of);
        if (i != j) finish_tile(finish, result, at.result + j * c.n + i, c.n, {of.columns, of.rows});
    });
}

/// Each of a batch is cut as it is alone, and the pieces of all are shared out: no bit depends on the others.
template <class T>
void multiply(const matrix_product& c, functions<T> openblas::*of_dtype, const T* a, const T* b, T* result,
              const tile_end<T>& finish) {
    if (c.k == 0) {
        std::fill_n(result, c.matrices() * c.m * c.n, T());
        return;
    }
    const openblas& library = the_openblas();
    const functions<T>& blas = library.*of_dtype;
    const std::int64_t lda = check(c.m, c.k, c.a).ld, ldb = check(c.k, c.n, c.b).ld;
    const std::int64_t step_a = c.a.transposed ? lda : 1, step_b = c.b.transposed ? 1 : ldb;  // along k, of vectors
    using place = matrix_product::place;
    const openblas_use under_way(library.threads);
    if (c.m == 1 && c.n == 1) return dots(c, blas, a, step_a, b, step_b, result, finish);
    if (c.n == 1)
        return matrix_vectors(c, blas, c.m, {lda, c.a.transposed, c.a.conjugated}, a, &place::a, b, &place::b, step_b,
                              result, finish);
    if (c.m == 1)
        return matrix_vectors(c, blas, c.n, {ldb, !c.b.transposed, c.b.conjugated}, b, &place::b, a, &place::a, step_a,
                              result, finish);
    const product_tiles<T> by(c, blas, lda, ldb, a, b, result);
    if (by.is_symmetric()) return multiply_symmetric(c, by, result, finish);
    const tile_sides tile = tiles_of(c.m, c.n);
    const std::int64_t across = (c.n + tile.columns - 1) / tile.columns;
    const std::int64_t tiles = (c.m + tile.rows - 1) / tile.rows * across;
    share_out(c.matrices() * tiles, cost_of<T>(c, tiles), [&](std::int64_t t) {
        const auto at = c.at(t / tiles);
        const std::int64_t i = t % tiles / across * tile.rows, j = t % tiles % across * tile.columns;
        const tile_sides of{std::min(tile.rows, c.m - i), std::min(tile.columns, c.n - j)};
        by.multiply(at, i, j, of);
        finish_tile(finish, result, at.result + i * c.n + j, c.n, of);
    });
}

}  // namespace

void blas_matmul(const matrix_product& c, const void* a, const void* b, void* result, const product_end& end) {
    switch (c.type) {
#define FRIT_X(name, type, ...)                                                                             \
    case dtype::name:                                                                                       \
        return multiply<type>(c, &openblas::name, static_cast<const type*>(a), static_cast<const type*>(b), \
                              static_cast<type*>(result), tile_end<type>(end));
        FRIT_BLAS_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw dtype_error("cpu: OpenBLAS does not multiply " + std::string(name_of(c.type)));
    }
}

void require_blas(const matrix_product& c) {
    the_openblas();
    if (c.k > 0) check(c.m, c.k, c.a), check(c.k, c.n, c.b);
}

std::string blas_description() { return the_openblas().get_config(); }

void find_blas(openblas_names names) { load(names); }

}  // namespace frit::v0::detail
