"""Scans and recurrences in Numba: a worker of cpu_sweeps (worker.py)."""
import sys
from pathlib import Path

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from worker import checksum, sequence, serve  # noqa: E402

F = np.float32


@numba.njit
def scan(x, y, out):
    for row in range(x.shape[0]):
        total = x[row, 0]
        out[row, 0] = total
        for k in range(1, x.shape[1]):
            total = total + x[row, k] - total * x[row, k]
            out[row, k] = total


@numba.njit
def scan_pairs(x, y, out):
    b = y[0, 0]
    out[0, 0] = b
    for k in range(1, x.shape[1]):
        b = b * x[0, k] + y[0, k]
        out[0, k] = b


@numba.njit
def filter_rows(x, y, out):
    for row in range(x.shape[0]):
        last, before = F(0), F(0)
        for k in range(x.shape[1]):
            now = x[row, k] + F(1.2) * last - F(0.5) * before
            before, last = last, now
            out[row, k] = now


@numba.njit
def filter_columns(x, y, out):
    for k in range(x.shape[0]):
        for j in range(x.shape[1]):
            last = out[k - 1, j] if k > 0 else F(0)
            before = out[k - 2, j] if k > 1 else F(0)
            out[k, j] = x[k, j] + F(1.2) * last - F(0.5) * before


@numba.njit
def thomas_rows(x, y, out):
    factors = np.empty_like(out)
    for row in range(x.shape[0]):
        c, d, v = F(0), F(0), F(0)
        for k in range(x.shape[1]):
            factor = F(1) / (F(4) + y[row, k] + c)
            c = -factor
            d = (x[row, k] + d) * factor
            factors[row, k] = c
            out[row, k] = d
        for k in range(x.shape[1] - 1, -1, -1):
            v = out[row, k] - factors[row, k] * v
            out[row, k] = v


@numba.njit
def thomas_columns(x, y, out):
    factors = np.empty_like(out)
    rows = x.shape[0]
    for k in range(rows):
        for j in range(x.shape[1]):
            c = factors[k - 1, j] if k > 0 else F(0)
            d = out[k - 1, j] if k > 0 else F(0)
            factor = F(1) / (F(4) + y[k, j] + c)
            factors[k, j] = -factor
            out[k, j] = (x[k, j] + d) * factor
    for k in range(rows - 2, -1, -1):
        for j in range(x.shape[1]):
            out[k, j] = out[k, j] - factors[k, j] * out[k + 1, j]


WORKLOADS = {  # the function, and the shape of n elements
    "scan_long": (scan, lambda n: (1, n)),
    "scan_pairs": (scan_pairs, lambda n: (1, n)),
    "scan_rows": (scan, lambda n: (n // 32, 32)),
    "filter_long": (filter_rows, lambda n: (1, n)),
    "filter_rows": (filter_rows, lambda n: (n // 128, 128)),
    "filter_columns": (filter_columns, lambda n: (128, n // 128)),
    "thomas_rows": (thomas_rows, lambda n: (n // 128, 128)),
    "thomas_columns": (thomas_columns, lambda n: (128, n // 128)),
}


def prepare(workload, element, n):
    """@return one call, and what it computes."""
    function, shape = WORKLOADS[workload]
    x = sequence(n, -0.3, 0.3, 0.6180339887498949).astype(F).reshape(shape(n))
    y = sequence(n, -0.3, 0.3, 0.4142135623730950).astype(F).reshape(shape(n))
    out = np.zeros_like(x)
    function(x, y, out)
    return lambda: function(x, y, out), checksum(out)


serve(prepare)
