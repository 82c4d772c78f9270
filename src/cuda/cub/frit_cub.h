// The C interface between libfrit and libfrit_cub, the part of frit that nvcc compiles: scans, sorts, selections,
// scatters, the places of true elements and what is there on a GPU. A library of its own, loaded at the first such call, so
// that libfrit needs neither nvcc to build nor the CUDA runtime to start.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Changes with anything below: a library of another number is not used.
enum { FRIT_CUB_INTERFACE = 10 };

enum frit_cub_operation {
    FRIT_CUB_CUMSUM,
    FRIT_CUB_CUMPROD,
    FRIT_CUB_CUMMAX,
    FRIT_CUB_CUMMIN,
    FRIT_CUB_SORT,
    FRIT_CUB_PLACES
};

// `rows` rows of `length` elements each, dense, every row on its own.
struct frit_cub_call {
    int operation;  // enum frit_cub_operation
    char kind;      // of the elements: 'b' bool, 'i' signed, 'u' unsigned, 'f' floating, 'h' bfloat16, 'c' complex
    int bytes;      // of an element: 1, 2, 4, 8, 16; running sums and products take 8, 4 of 'f', 16 of 'c'
    int64_t rows, length;
    int results;  // bit k: result k is asked for
};

// Status codes are cudaError_t's; 0 is success. The device's primary context must be current.
typedef int frit_cub_interface_function(void);
typedef int frit_cub_workspace_function(const struct frit_cub_call*, size_t* bytes);
// Queues the call. `to`: memory for each result that is asked for. A scan has one; a sort two, the values in order and the
// places where they were (int64_t, stable, -0 equal to +0); of complex numbers the values at those places. Of one row of
// bools the places of the true ones (int64_t, the first as many as there are) and their number (int64_t, one). `workspace`:
// as many bytes as asked for, aligned to 256, never null. The first result may be the memory that is read.
typedef int frit_cub_run_function(const struct frit_cub_call*, const void* from, void* const* to, void* workspace,
                                  void* stream);
typedef const char* frit_cub_text_function(int status);

enum frit_cub_scatter_operation {
    FRIT_CUB_SCATTER_SET,
    FRIT_CUB_SCATTER_ADD,
    FRIT_CUB_SCATTER_MUL,
    FRIT_CUB_SCATTER_MIN,
    FRIT_CUB_SCATTER_MAX
};

// An array of `size` elements, with `count` values put at or combined with those of its elements that `at` says.
struct frit_cub_scatter {
    int operation;  // enum frit_cub_scatter_operation
    char kind;      // as above, but 'h'; sums and products of 'f' take 4 and 8 bytes
    int bytes;
    int64_t size, count;
    int narrow;     // `at` are int32_t, of no more elements than these count, else int64_t
    int indices;    // that are not checked yet, of a vector: negative ones count from the end; else numbers of elements
    int one_value;  // for all of them, else as many as there are in `at`
};
typedef int frit_cub_scatter_workspace_function(const struct frit_cub_scatter*, size_t* bytes);
// `to` may be `base`. The value of an index that is out of range is left out, and the fault record
// (fusion/ir/kernel_spec.hpp) says so: null where there are no indices.
typedef int frit_cub_scatter_run_function(const struct frit_cub_scatter*, const void* base, const void* at,
                                          const void* values, void* to, uint64_t* fault, void* workspace, void* stream);

enum frit_cub_selection { FRIT_CUB_SELECT, FRIT_CUB_LARGEST };

// Rows as of frit_cub_call, and what a sort would put at some places of each.
struct frit_cub_select {
    int operation;  // enum frit_cub_selection
    char kind;      // as of sorts
    int bytes;
    int64_t rows, length;
    int64_t count;  // of ranks, or of the largest elements
    int alike;      // the ranks are the same for all rows, else each row has its own
    int results;    // bit k: result k is asked for
};
typedef int frit_cub_select_workspace_function(const struct frit_cub_select*, size_t* bytes);
// `ranks`: of sorted elements, from 0; null for the largest. Results of a selection: the elements at the ranks; the rows,
// and their places (int64_t), parted there, what is between two ranks, and what is equal to one's element, in its order. Of
// the largest: the elements and their places. No result may be the memory that is read.
typedef int frit_cub_select_run_function(const struct frit_cub_select*, const void* from, const int64_t* ranks,
                                         void* const* to, void* workspace, void* stream);

// A vector of `length` elements of so many bytes, of which another one of bools picks `count`.
struct frit_cub_compress {
    int bytes;  // 1, 2, 4, 8, 16
    int64_t length, count;
};
typedef int frit_cub_compress_workspace_function(const struct frit_cub_compress*, size_t* bytes);
// No more than `count` elements are written, whatever the mask holds. `to` must not be the memory that is read.
typedef int frit_cub_compress_run_function(const struct frit_cub_compress*, const void* mask, const void* from, void* to,
                                           void* workspace, void* stream);

#ifdef __cplusplus
}
#endif
