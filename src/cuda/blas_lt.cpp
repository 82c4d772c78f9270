// cuBLASLt behind blas_lt.hpp, by its C ABI. It is column-major, as cuBLAS is: operands change places, and n is the number
// of rows, to whose elements cuBLASLt's bias belongs.
#include "src/cuda/blas_lt.hpp"

#include <algorithm>
#include <string>

#include "frit/error.hpp"
#include "src/cuda/toolkit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

using handle = void*;
using description = void*;  // of a product, of a matrix, of what an algorithm must be like
constexpr int status_success = 0, status_no_memory = 3, status_not_supported = 15;
constexpr int sum_in_float = 68, real_float = 0;  // CUBLAS_COMPUTE_32F, which has no TF32; CUDA_R_32F

// CUBLASLT_*: what of a description is set.
enum of_product : int { transpose_a = 3, transpose_b = 4, epilogue = 7, bias_pointer = 8 };
enum of_matrix : int { batch_count = 5, batch_distance = 6 };
enum of_choice : int {
    most_workspace = 1,
    reduction_schemes = 3,
    alignment_a = 5,
    alignment_b = 6,
    alignment_c = 7,
    alignment_d = 8
};
constexpr std::uint32_t no_epilogue = 1, epilogue_bias = 4;
// CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE: sums that blocks share meet in the workspace, in a step of its own. In the
// other schemes they meet in the result, in an order that is not promised, or are rounded to its dtype before.
constexpr std::uint32_t in_workspace = 2;

struct algorithm {
    std::uint64_t data[8];
};
/// As cublasLtMatmulHeuristicResult_t is.
struct choice {
    algorithm chosen{};
    std::size_t workspace = 0;
    int status = status_success;
    float waves = 0;
    int reserved[4] = {};
};

struct library {
    int (*create)(handle*);
    int (*get_property)(int, int*);
    const char* (*text_of)(int);
    int (*create_product)(description*, int compute_type, int scale_type);
    int (*destroy_product)(description);
    int (*set_product)(description, int, const void*, std::size_t);
    int (*create_matrix)(description*, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld);
    int (*destroy_matrix)(description);
    int (*set_matrix)(description, int, const void*, std::size_t);
    int (*create_wishes)(description*);
    int (*destroy_wishes)(description);
    int (*set_wish)(description, int, const void*, std::size_t);
    int (*choose)(handle, description product, description a, description b, description c, description d,
                  description wishes, int most, choice*, int* found);
    int (*multiply)(handle, description product, const void* alpha, const void* a, description of_a, const void* b,
                    description of_b, const void* beta, const void* c, description of_c, void* d, description of_d,
                    const algorithm*, void* workspace, std::size_t workspace_bytes, stream);
    std::string why;

    library() {
        toolkit_library file("cuBLASLt", names_by_driver("libcublasLt.so.", 13, 12));
        file.find(create, "cublasLtCreate");
        file.find(get_property, "cublasLtGetProperty");
        file.find(text_of, "cublasLtGetStatusString");
        file.find(create_product, "cublasLtMatmulDescCreate");
        file.find(destroy_product, "cublasLtMatmulDescDestroy");
        file.find(set_product, "cublasLtMatmulDescSetAttribute");
        file.find(create_matrix, "cublasLtMatrixLayoutCreate");
        file.find(destroy_matrix, "cublasLtMatrixLayoutDestroy");
        file.find(set_matrix, "cublasLtMatrixLayoutSetAttribute");
        file.find(create_wishes, "cublasLtMatmulPreferenceCreate");
        file.find(destroy_wishes, "cublasLtMatmulPreferenceDestroy");
        file.find(set_wish, "cublasLtMatmulPreferenceSetAttribute");
        file.find(choose, "cublasLtMatmulAlgoGetHeuristic");
        file.find(multiply, "cublasLtMatmul");
        why = file.why_not();
    }
};

const library& the_library() {
    static const library* l = new library;  // never destroyed, as all singletons
    return *l;
}

void check_status(int status, const device& d, const lt_product& p, const char* doing) {
    if (status == status_success) return;
    const std::string what = (p.count > 1 ? std::to_string(p.count) + " times " : "") + std::to_string(p.m) + " x " +
                             std::to_string(p.k) + " and " + std::to_string(p.k) + " x " + std::to_string(p.n);
    if (status == status_no_memory) throw out_of_memory(d.label + ": out of memory: cuBLASLt's plan for " + what);
    throw device_error(d.label + ": cuBLASLt refuses " + doing + " a product of " + what + " float32" +
                       (p.row ? " with a bias: " : ": ") + the_library().text_of(status));
}

/// What kernels may ask of addresses so many floats apart: they read 16 bytes at most at once.
std::uint32_t alignment_of(const void* p, std::int64_t apart = 0) {
    const auto at = reinterpret_cast<std::uintptr_t>(p) | static_cast<std::uintptr_t>(apart) * sizeof(float);
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(at & (~at + 1), 16));
}

}  // namespace

/// An algorithm, and how it is told of the problem. a is the left operand of the row-major product.
struct blas_lt::planned {
    description product = nullptr, a = nullptr, b = nullptr, result = nullptr;
    choice how;
    planned() = default;
    planned(const planned&) = delete;
    planned& operator=(const planned&) = delete;
    ~planned() {
        const library& lib = the_library();
        if (product) lib.destroy_product(product);
        for (const description of : {a, b, result})
            if (of) lib.destroy_matrix(of);
    }
};

bool blas_lt::found() { return the_library().why.empty(); }

void blas_lt::require() {
    const library& lib = the_library();
    if (!lib.why.empty()) throw device_error(device_.label + ": a product with a bias needs cuBLASLt: " + lib.why);
    if (handle_) return;
    const current_context here(device_);
    const int r = lib.create(&handle_);
    if (r == status_no_memory) throw out_of_memory(device_.label + ": out of memory: cuBLASLt does not start");
    if (r != status_success) throw device_error(device_.label + ": cuBLASLt does not start: " + lib.text_of(r));
}

std::shared_ptr<const blas_lt::planned> blas_lt::plan(const problem& asked, std::size_t workspace_bytes) {
    const auto make = [&]() -> std::shared_ptr<const planned> {
        const library& lib = the_library();
        const lt_product& p = asked.product;
        const auto checked = [&](int r) { check_status(r, device_, p, "to plan"); };
        auto made = std::make_shared<planned>();
        const auto describe = [&](description& of, std::int64_t rows, std::int64_t columns, const matrix_layout& l,
                                  std::int64_t next) {
            checked(lib.create_matrix(&of, real_float, static_cast<std::uint64_t>(l.transposed ? rows : columns),
                                      static_cast<std::uint64_t>(l.transposed ? columns : rows), l.ld));
            if (p.count == 1) return;
            const auto count = static_cast<std::int32_t>(p.count);
            checked(lib.set_matrix(of, batch_count, &count, sizeof count));
            checked(lib.set_matrix(of, batch_distance, &next, sizeof next));
        };
        describe(made->a, p.m, p.k, p.a, p.next_a);
        describe(made->b, p.k, p.n, p.b, p.next_b);
        describe(made->result, p.m, p.n, {p.n, false}, p.next_result);
        checked(lib.create_product(&made->product, sum_in_float, real_float));
        const std::int32_t turn_a = p.b.transposed, turn_b = p.a.transposed;  // CUBLAS_OP_N, CUBLAS_OP_T
        checked(lib.set_product(made->product, transpose_a, &turn_a, sizeof turn_a));
        checked(lib.set_product(made->product, transpose_b, &turn_b, sizeof turn_b));
        const std::uint32_t end = p.row ? epilogue_bias : no_epilogue;
        checked(lib.set_product(made->product, epilogue, &end, sizeof end));
        const auto aligned = std::uintptr_t{asked.row};  // an address no better aligned: all that is asked of it here
        if (p.row) checked(lib.set_product(made->product, bias_pointer, &aligned, sizeof aligned));
        struct wishes {
            const library& lib;
            description of = nullptr;
            ~wishes() {
                if (of) lib.destroy_wishes(of);
            }
        } wish{lib};
        checked(lib.create_wishes(&wish.of));
        const auto bytes = static_cast<std::uint64_t>(workspace_bytes);
        checked(lib.set_wish(wish.of, most_workspace, &bytes, sizeof bytes));
        checked(lib.set_wish(wish.of, reduction_schemes, &in_workspace, sizeof in_workspace));
        checked(lib.set_wish(wish.of, alignment_a, &asked.b, sizeof asked.b));
        checked(lib.set_wish(wish.of, alignment_b, &asked.a, sizeof asked.a));
        for (const of_choice of : {alignment_c, alignment_d})
            checked(lib.set_wish(wish.of, of, &asked.result, sizeof asked.result));
        int found = 0;
        const int r =
            lib.choose(handle_, made->product, made->b, made->a, made->result, made->result, wish.of, 1, &made->how, &found);
        if (r != status_not_supported) checked(r);
        if (found == 0) made->how.status = status_not_supported;
        return made;
    };
    return plans_.get(asked, make, [](const planned& p) { return sizeof p; });
}

bool blas_lt::multiply(const lt_product& p, const memory& at) {
    require();
    const current_context here(device_);
    problem asked{p, alignment_of(at.a, p.next_a), alignment_of(at.b, p.next_b)};
    if (p.row) asked.row = alignment_of(at.row);
    asked.result = alignment_of(at.result, p.next_result);
    const std::shared_ptr<const planned> how = plan(asked, at.workspace_bytes);
    if (how->how.status == status_not_supported && !p.row) return false;
    check_status(how->how.status, device_, p, "to plan");
    const library& lib = the_library();
    if (p.row) check_status(lib.set_product(how->product, bias_pointer, &at.row, sizeof at.row), device_, p, "to run");
    const float one = 1, zero = 0;  // what is multiplied by 0 is not read
    check_status(lib.multiply(handle_, how->product, &one, at.b, how->b, at.a, how->a, &zero, at.result, how->result,
                              at.result, how->result, &how->how.chosen, at.workspace, at.workspace_bytes, device_.work),
                 device_, p, "to run");
    return true;
}

found_library find_cublaslt() {
    const library& l = the_library();
    return found_in_toolkit("cuBLASLt", "products with a bias on GPUs", l.why, l.get_property);
}

}  // namespace frit::v0::detail::cuda
