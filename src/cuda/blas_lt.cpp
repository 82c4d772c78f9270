// cublasLt behind blas_lt.hpp, by its C ABI. Column-major, as blas.cpp says.
#include "src/cuda/blas_lt.hpp"

#include <algorithm>
#include <utility>

#include "src/cuda/toolkit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

// What stands in cublasLt.h: attributes of a product, of what is looked for, and types.
constexpr int transpose_a = 3, transpose_b = 4;
constexpr int most_workspace = 1, sums_between_blocks = 3, alignment_of_a = 5;  // of b, c and the result: the next ones
constexpr std::uint32_t in_compute_type = 2;                                    // no atomics, and not rounded to 16 bits
constexpr int sum_in_float = 68, float_scale = 0;

/// cublasLtMatmulHeuristicResult_t
struct found_algorithm {
    std::array<std::uint64_t, 8> algorithm;
    std::size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

struct library {
    int (*create)(void** handle);
    int (*describe)(void** product, int compute_type, int scale_type);
    int (*set)(void* product, int attribute, const void*, std::size_t bytes);
    int (*forget)(void* product);
    int (*describe_matrix)(void** matrix, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld);
    int (*forget_matrix)(void* matrix);
    int (*describe_wish)(void** wish);
    int (*set_wish)(void* wish, int attribute, const void*, std::size_t bytes);
    int (*forget_wish)(void* wish);
    int (*find_algorithms)(void* handle, void* product, void* a, void* b, void* c, void* d, void* wish, int most,
                           found_algorithm*, int* count);
    int (*multiply)(void* handle, void* product, const void* alpha, const void* a, void* of_a, const void* b, void* of_b,
                    const void* beta, const void* c, void* of_c, void* d, void* of_d, const void* algorithm, void* workspace,
                    std::size_t bytes, stream);
    bool there;

    library() {
        std::vector<std::string> names{"libcublasLt.so.12"};
        std::string no_driver;
        if (const driver* d = find_driver(no_driver); !d || d->version >= 13000)
            names.insert(names.begin(), "libcublasLt.so.13");
        toolkit_library file("cublasLt", names);
        file.find(create, "cublasLtCreate");
        file.find(describe, "cublasLtMatmulDescCreate");
        file.find(set, "cublasLtMatmulDescSetAttribute");
        file.find(forget, "cublasLtMatmulDescDestroy");
        file.find(describe_matrix, "cublasLtMatrixLayoutCreate");
        file.find(forget_matrix, "cublasLtMatrixLayoutDestroy");
        file.find(describe_wish, "cublasLtMatmulPreferenceCreate");
        file.find(set_wish, "cublasLtMatmulPreferenceSetAttribute");
        file.find(forget_wish, "cublasLtMatmulPreferenceDestroy");
        file.find(find_algorithms, "cublasLtMatmulAlgoGetHeuristic");
        file.find(multiply, "cublasLtMatmul");
        there = file.why_not().empty();
    }
};

const library& the_library() {
    static const library* l = new library;  // never destroyed, as all singletons
    return *l;
}

}  // namespace

light_products::choice light_products::choose(const problem& p, std::size_t workspace_bytes) {
    const library& lib = the_library();
    choice made{.of = p};
    auto& [product, a, b, c] = made.described;  // cuBLAS's a is the right operand
    const int type = p.type == dtype::f16 ? 2 : 14, on_a = p.b_transposed, on_b = p.a_transposed;
    const auto size = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    const auto matrix = [&](void*& to, bool transposed, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
        if (transposed) std::swap(rows, columns);
        return lib.describe_matrix(&to, type, size(rows), size(columns), ld) == 0;
    };
    void* wish = nullptr;
    bool right =
        lib.describe(&product, sum_in_float, float_scale) == 0 && lib.set(product, transpose_a, &on_a, sizeof on_a) == 0 &&
        lib.set(product, transpose_b, &on_b, sizeof on_b) == 0 && matrix(a, p.b_transposed, p.n, p.k, p.ldb) &&
        matrix(b, p.a_transposed, p.k, p.m, p.lda) && matrix(c, false, p.n, p.m, p.n) && lib.describe_wish(&wish) == 0 &&
        lib.set_wish(wish, most_workspace, &workspace_bytes, sizeof workspace_bytes) == 0 &&
        lib.set_wish(wish, sums_between_blocks, &in_compute_type, sizeof in_compute_type) == 0;
    for (int k = 0; k < 4; ++k)
        right = right && lib.set_wish(wish, alignment_of_a + k, &p.alignment, sizeof p.alignment) == 0;
    found_algorithm best{};
    int count = 0;
    made.there = right && lib.find_algorithms(handle_, product, a, b, c, c, wish, 1, &best, &count) == 0 && count == 1 &&
                 best.state == 0;
    made.algorithm = best.algorithm;
    if (wish) lib.forget_wish(wish);
    return made;
}

std::optional<int> light_products::multiply(const matrix_product& c, const void* a, const void* b, void* result,
                                            void* workspace, std::size_t workspace_bytes, stream on) {
    const library& lib = the_library();
    if (!lib.there || (!handle_ && lib.create(&handle_) != 0)) return {};
    const auto ld = [](std::int64_t rows, std::int64_t columns, const matrix_layout& l) {  // of one row any would do
        return (l.transposed ? columns : rows) <= 1 ? std::max<std::int64_t>(l.transposed ? rows : columns, 1) : l.ld;
    };
    const auto address = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                         reinterpret_cast<std::uintptr_t>(result) | 256;
    const problem p{c.type,
                    c.m,
                    c.n,
                    c.k,
                    ld(c.m, c.k, c.a),
                    ld(c.k, c.n, c.b),
                    c.a.transposed,
                    c.b.transposed,
                    static_cast<std::uint32_t>(address & -address)};
    auto at = std::find_if(known_.begin(), known_.end(), [&](const choice& x) { return x.described[0] && x.of == p; });
    if (at == known_.end()) {
        at = known_.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_, (next_ + 1) % known_.size()));
        for (std::size_t k = 0; k < 4; ++k)
            if (at->described[k]) (k == 0 ? lib.forget : lib.forget_matrix)(at->described[k]);
        *at = choose(p, workspace_bytes);
    }
    if (!at->there) return {};
    const auto& [product, of_a, of_b, of_c] = at->described;
    const float one = 1, zero = 0;
    return lib.multiply(handle_, product, &one, b, of_a, a, of_b, &zero, result, of_c, result, of_c, at->algorithm.data(),
                        workspace, workspace_bytes, on);
}

}  // namespace frit::v0::detail::cuda
