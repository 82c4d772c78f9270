// A cuBLASLt for the fake driver: products by their definition in column-major order, with a bias or without, over memory
// that is the host's. An algorithm serves the problem that it was chosen for and no other, and what it was promised of
// alignments is held against the addresses that it gets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int success = 0, invalid_value = 7, not_supported = 15;
int products = 0, choices = 0, descriptions = 0;

struct handle {};
struct matrix {
    std::int64_t rows, columns, ld;
    std::int32_t count = 1;
    std::int64_t distance = 0;
    friend bool operator==(const matrix&, const matrix&) = default;
};
struct product {
    std::int32_t turn_a = 0, turn_b = 0;
    std::uint32_t epilogue = 1;
    const float* bias = nullptr;
};
struct wishes {
    std::uint64_t workspace = 0;
    std::uint32_t schemes = 7, alignment_a = 256, alignment_b = 256, alignment_c = 256, alignment_d = 256;
};
/// What an algorithm was chosen for, kept for ever.
struct problem {
    matrix a, b, c;
    std::int32_t turn_a, turn_b;
    std::uint32_t epilogue, bias_alignment;
    wishes wish;
};
struct algorithm {
    const problem* of;
    std::uint64_t rest[7];
};
struct choice {
    algorithm chosen;
    std::size_t workspace;
    int status;
    float waves;
    int reserved[4];
};

std::uint32_t alignment_of(const void* p) {
    const auto at = reinterpret_cast<std::uintptr_t>(p);
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(at & (~at + 1), 256));
}

template <class T>
int set(T& to, const void* from, std::size_t bytes) {
    if (bytes != sizeof to) return invalid_value;
    std::memcpy(&to, from, bytes);
    return success;
}
template <class T>
int destroy(T* x) {
    --descriptions;
    delete x;
    return success;
}
bool fits(const matrix& a, const matrix& b, const matrix& c, int turn_a, int turn_b) {
    const std::int64_t m = turn_a ? a.columns : a.rows, k = turn_a ? a.rows : a.columns;
    return (turn_b ? b.columns : b.rows) == k && (turn_b ? b.rows : b.columns) == c.columns && m == c.rows &&
           a.ld >= a.rows && b.ld >= b.rows && c.ld >= c.rows && a.ld >= 1 && b.ld >= 1 && k >= 1 && a.count == c.count &&
           b.count == c.count && a.distance >= 0 && b.distance >= 0 && (c.count == 1 || c.distance >= c.ld * c.columns);
}

}  // namespace

FAKE int fake_cublaslt_products_of_this_process() { return products; }
FAKE int fake_cublaslt_choices_of_this_process() { return choices; }
FAKE int fake_cublaslt_descriptions_of_this_process() { return descriptions; }

FAKE int cublasLtCreate(handle** h) { return *h = new handle, success; }
FAKE int cublasLtGetProperty(int, int* v) { return *v = 13, success; }
FAKE const char* cublasLtGetStatusString(int r) {
    return r == invalid_value ? "the fake cuBLASLt refuses" : r == not_supported ? "the fake cuBLASLt cannot" : "success";
}

FAKE int cublasLtMatrixLayoutCreate(matrix** l, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
    if (type != 0 || rows > INT32_MAX || columns > INT32_MAX) return invalid_value;
    ++descriptions;
    return *l = new matrix{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), ld}, success;
}
FAKE int cublasLtMatrixLayoutDestroy(matrix* l) { return destroy(l); }
FAKE int cublasLtMatrixLayoutSetAttribute(matrix* l, int what, const void* from, std::size_t bytes) {
    switch (what) {
        case 5: return set(l->count, from, bytes);
        case 6: return set(l->distance, from, bytes);
        default: return invalid_value;
    }
}

FAKE int cublasLtMatmulDescCreate(product** p, int compute_type, int scale_type) {
    if (compute_type != 68 || scale_type != 0) return invalid_value;
    ++descriptions;
    return *p = new product, success;
}
FAKE int cublasLtMatmulDescDestroy(product* p) { return destroy(p); }
FAKE int cublasLtMatmulDescSetAttribute(product* p, int what, const void* from, std::size_t bytes) {
    switch (what) {
        case 3: return set(p->turn_a, from, bytes);
        case 4: return set(p->turn_b, from, bytes);
        case 7: return set(p->epilogue, from, bytes);
        case 8: return set(p->bias, from, bytes);
        default: return invalid_value;
    }
}

FAKE int cublasLtMatmulPreferenceCreate(wishes** w) { return ++descriptions, *w = new wishes, success; }
FAKE int cublasLtMatmulPreferenceDestroy(wishes* w) { return destroy(w); }
FAKE int cublasLtMatmulPreferenceSetAttribute(wishes* w, int what, const void* from, std::size_t bytes) {
    switch (what) {
        case 1: return set(w->workspace, from, bytes);
        case 3: return set(w->schemes, from, bytes);
        case 5: return set(w->alignment_a, from, bytes);
        case 6: return set(w->alignment_b, from, bytes);
        case 7: return set(w->alignment_c, from, bytes);
        case 8: return set(w->alignment_d, from, bytes);
        default: return invalid_value;
    }
}

/// Of a product with 13 or 17 rows the fake knows no algorithm, and says so in the two ways that there are.
FAKE int cublasLtMatmulAlgoGetHeuristic(handle* h, product* p, matrix* a, matrix* b, matrix* c, matrix* d, wishes* w,
                                        int most, choice* to, int* found) {
    constexpr std::uint32_t by_workspace = 2;
    *found = 0;
    if (!h || c != d || most != 1 || !fits(*a, *b, *c, p->turn_a, p->turn_b)) return invalid_value;
    if (w->schemes != by_workspace || w->workspace < (std::size_t{4} << 20)) return invalid_value;
    if (c->rows == 13) return success;
    if (c->rows == 17) return not_supported;
    ++choices;
    *found = 1;
    static std::deque<problem> known;
    known.push_back({*a, *b, *c, p->turn_a, p->turn_b, p->epilogue, alignment_of(p->bias), *w});
    to->chosen.of = &known.back();
    to->workspace = w->workspace;
    to->status = success;
    return success;
}

FAKE int cublasLtMatmul(handle* h, product* p, const float* alpha, const float* a, matrix* la, const float* b, matrix* lb,
                        const float* beta, const float* c, matrix* lc, float* d, matrix* ld, const algorithm* how,
                        void* workspace, std::size_t workspace_bytes, void* stream) {
    const problem& of = *how->of;
    if (!h || !stream || *alpha != 1 || *beta != 0 || c != d || lc != ld) return invalid_value;
    if (!(of.a == *la && of.b == *lb && of.c == *lc) || of.turn_a != p->turn_a || of.turn_b != p->turn_b)
        return invalid_value;
    if (alignment_of(workspace) < 256 || workspace_bytes < of.wish.workspace) return invalid_value;
    for (std::int64_t s = 0; s < lc->count; ++s)
        if (alignment_of(a + s * la->distance) < of.wish.alignment_a ||
            alignment_of(b + s * lb->distance) < of.wish.alignment_b ||
            alignment_of(d + s * lc->distance) < std::max(of.wish.alignment_c, of.wish.alignment_d))
            return invalid_value;
    const bool has_bias = p->epilogue == 4;
    if (of.epilogue != p->epilogue || (!has_bias && p->epilogue != 1) || has_bias != (p->bias != nullptr) ||
        (has_bias && alignment_of(p->bias) < of.bias_alignment))
        return invalid_value;
    ++products;
    const std::int64_t terms = p->turn_a ? la->rows : la->columns;
    for (std::int64_t s = 0; s < lc->count; ++s, a += la->distance, b += lb->distance, d += lc->distance)
        for (std::int64_t i = 0; i < lc->rows; ++i)
            for (std::int64_t j = 0; j < lc->columns; ++j) {
                float sum = 0;
                for (std::int64_t k = 0; k < terms; ++k)
                    sum += a[p->turn_a ? k + i * la->ld : i + k * la->ld] * b[p->turn_b ? j + k * lb->ld : k + j * lb->ld];
                d[i + j * lc->ld] = has_bias ? sum + p->bias[i] : sum;
            }
    return success;
}
