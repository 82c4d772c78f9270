"""The workloads of indices in NumPy: a worker of cpu_indexed (worker.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from worker import checksum, sequence, serve  # noqa: E402


class Inputs:
    def __init__(self, n):
        self.n = n
        self.x = sequence(n, -2, 2, 0.6180339887498949).astype(np.float32)
        self.y = sequence(n, -2, 2, 0.4142135623730950).astype(np.float32)
        self.i = sequence(n, 0, n, 0.7320508075688772).astype(np.int64)
        self.k = sequence(n, 0, 256, 0.2360679774997896).astype(np.int64)
        self.m = sequence(n, 0, 1, 0.3027756377319946 + 0.1231056256176605) < 0.5
        self.sorted = np.sort(self.x)


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


def prepare(workload, element, n):
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


serve(prepare)
