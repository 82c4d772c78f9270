// CUDA text, a part of its own: the order of rows that exchanges of two make, one after the other, as LU factors have them.

/// rows[i] of a matrix: the number of the row that is the i-th behind its `steps` exchanges. Exchange k was of row k and row
/// exchanged[k] - 1. A thread follows one row back through all of them; those of a warp read the same exchange at a time.
__global__ void rows_behind_exchanges(const long long* exchanged, long long* rows, long long length, long long steps,
                                      long long count) {
    const long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (at >= count * length) return;
    const long long* with = exchanged + at / length * steps;
    long long row = at % length;
    for (long long k = steps - 1; k >= 0; --k) {
        const long long other = with[k] - 1;
        row = row == k ? other : row == other ? k : row;
    }
    rows[at] = row;
}
