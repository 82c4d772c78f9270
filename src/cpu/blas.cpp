// OpenBLAS behind blas.hpp. It computes on the thread that calls it (openblas.hpp): frit cuts a product into tiles and hands
// them to its own pool. So there is one set of threads, FRIT_NUM_THREADS holds for products too, and since the tiles depend
// on the shape alone, so do the bits.
#include "src/cpu/blas.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>

#include "frit/error.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/isa.hpp"
#include "src/cpu/share_out.hpp"

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
#define FRIT_X(name, type, letter, dot_name)          \
    file.find(all.name.gemm, "cblas_" letter "gemm"); \
    file.find(all.name.gemv, "cblas_" letter "gemv"); \
    file.find(all.name.dot, "cblas_" letter dot_name);
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

/// The side of a tile: up to 8 tiles along an axis, none smaller than what keeps a core busy.
std::int64_t tile_of(std::int64_t extent) { return std::max<std::int64_t>(128, ((extent + 7) / 8 + 63) / 64 * 64); }

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
            case form::none: break;
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
    const std::int64_t tile_m = tile_of(c.m), tile_n = tile_of(c.n), across = (c.n + tile_n - 1) / tile_n;
    const std::int64_t tiles = (c.m + tile_m - 1) / tile_m * across;
    const T one(1), zero(0);
    share_out(c.matrices() * tiles, cost_of<T>(c, tiles), [&](std::int64_t t) {
        const auto at = c.at(t / tiles);
        const std::int64_t i = t % tiles / across * tile_m, j = t % tiles % across * tile_n;
        const std::int64_t rows = std::min(tile_m, c.m - i), columns = std::min(tile_n, c.n - j);
        blas.gemm(row_major, operation_of(c.a), operation_of(c.b), static_cast<blas_int>(rows),
                  static_cast<blas_int>(columns), static_cast<blas_int>(c.k), as_scalar(one),
                  a + at.a + i * (c.a.transposed ? 1 : lda), static_cast<blas_int>(lda),
                  b + at.b + j * (c.b.transposed ? ldb : 1), static_cast<blas_int>(ldb), as_scalar(zero),
                  result + at.result + i * c.n + j, static_cast<blas_int>(c.n));
        if (columns == c.n) return finish(result, at.result + i * c.n, rows * c.n);
        for (std::int64_t row = i; row < i + rows; ++row) finish(result, at.result + row * c.n + j, columns);
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
