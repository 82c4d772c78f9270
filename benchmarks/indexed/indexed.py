"""The workloads of indices in NumPy: a worker of cpu_indexed, which speaks its line protocol (worker.hpp).

  prepare WORKLOAD f32 N      ->  the checksum of the result (indexed.hpp)
  time CALLS, processor CALLS ->  seconds that so many calls took, by the clock or of processor time
"""
import sys
import time

import numpy as np


class Inputs:
    def __init__(self, n):
        def sequence(low, high, step):
            t = np.arange(n, dtype=np.float64) * step
            return low + (high - low) * (t - np.floor(t))

        self.n = n
        self.x = sequence(-2, 2, 0.6180339887498949).astype(np.float32)
        self.y = sequence(-2, 2, 0.4142135623730950).astype(np.float32)
        self.i = sequence(0, n, 0.7320508075688772).astype(np.int64)
        self.k = sequence(0, 256, 0.2360679774997896).astype(np.int64)
        self.m = sequence(0, 1, 0.3027756377319946 + 0.1231056256176605) < 0.5
        self.sorted = np.sort(self.x)


def checksum(result):
    values = np.ravel(result).astype(np.float64)
    t = np.arange(values.size, dtype=np.float64) * 0.3027756377319946
    return float(np.sum(values * values * (0.5 + t - np.floor(t))) / values.size)


def scatter(v, u):
    u[v.i] = v.y


def scatter_add(v, u):
    np.add.at(u, v.i, v.y)


def bins_add(v, u):
    np.add.at(u, v.k, v.y)


def masked_write(v, u):
    u[v.m] = 0


RESULTS = {
    "gather": lambda v: v.x[v.i],
    "gather_sum": lambda v: np.sum(v.x[v.i] * v.y),
    "histogram": lambda v: np.histogram(v.x, 100, (-2, 2))[0],
    "mask": lambda v: v.x[v.m],
    "median": lambda v: np.median(v.x),
    "quantiles": lambda v: np.quantile(v.x, np.float32([0.1, 0.5, 0.9])),
    "unique": lambda v: np.unique(v.k * 7),
    "concatenate": lambda v: np.concatenate([v.x, v.y + 1, v.x]),
    "stack": lambda v: np.stack([v.x, v.y], 1),
    "roll": lambda v: np.roll(v.x, v.n // 3),
    "running_sum": lambda v: np.cumsum(v.x * v.y),
    "sort": lambda v: np.sort(v.x),
    "largest": lambda v: -np.sort(np.partition(-v.x, 64)[:64]),
    "search": lambda v: np.searchsorted(v.sorted, v.y),
}
UPDATES = {"scatter": scatter, "scatter_add": scatter_add, "bins_add": bins_add, "masked_write": masked_write}


def prepare(workload, n):
    """@return one call, and what it computes of fresh inputs."""
    v = Inputs(n)
    if workload in RESULTS:
        call = lambda: RESULTS[workload](v)
        return call, checksum(call())
    change = UPDATES[workload]
    fresh = lambda: np.zeros(256 if workload == "bins_add" else n, np.float32)
    u, first = fresh(), fresh()
    change(v, first)
    return lambda: change(v, u), checksum(first)


def main():
    call = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "prepare":
            call = None  # frees the memory of the one before
            call, value = prepare(words[1], int(words[3]))
            print(value, flush=True)
        else:
            clock = time.process_time if words[0] == "processor" else time.perf_counter
            start = clock()
            for _ in range(int(words[1])):
                call()
            print(clock() - start, flush=True)


main()
