// The C interface between libfrit and libfrit_cub, the part of frit that nvcc compiles: scans and sorts on a GPU. A library
// of its own, loaded at the first such call, so that libfrit needs neither nvcc to build nor the CUDA runtime to start.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Changes with anything below: a library of another number is not used.
enum { FRIT_CUB_INTERFACE = 2 };

enum frit_cub_operation {
    FRIT_CUB_CUMSUM,
    FRIT_CUB_CUMPROD,
    FRIT_CUB_CUMMAX,
    FRIT_CUB_CUMMIN,
    FRIT_CUB_SORT,
    FRIT_CUB_ARGSORT
};

// `rows` rows of `length` elements each, dense, every row on its own.
struct frit_cub_call {
    int operation;  // enum frit_cub_operation
    char kind;      // of the elements: 'b' bool, 'i' signed, 'u' unsigned, 'f' floating
    int bytes;      // of an element: 1, 2, 4, 8; running sums and products take 8, and 4 of 'f'
    int64_t rows, length;
};

// Status codes are cudaError_t's; 0 is success. The device's primary context must be current.
typedef int frit_cub_interface_function(void);
typedef int frit_cub_workspace_function(const struct frit_cub_call*, size_t* bytes);
// Queues the call. `workspace`: as many bytes as asked for, aligned to 256, never null. Argsort writes int64_t; the others may write to
// the memory that they read.
typedef int frit_cub_run_function(const struct frit_cub_call*, const void* from, void* to, void* workspace, void* stream);
typedef const char* frit_cub_text_function(int status);

#ifdef __cplusplus
}
#endif
