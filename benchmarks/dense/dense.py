"""The workloads of dense linear algebra in NumPy: a worker of cpu_dense (worker.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from worker import checksum, serve  # noqa: E402

BATCH, STEPS, FEATURES, VARIABLES, RATE = 1000, 50, 32, 64, 0.5  # as dense.hpp has them


def numbers(count, seed, element):
    """As main.cpp makes them."""
    z = (np.arange(count, dtype=np.uint64) + np.uint64(seed << 32)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return ((z >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1).astype(element)


def symmetric(n):
    a = numbers(n * n, 1, np.float64).reshape(n, n)
    return np.tril(a) + np.tril(a, -1).T


def cg(b):
    n = b.shape[0]
    x, r, padded = np.zeros_like(b), b.copy(), np.zeros((n + 2, n + 2))
    p = padded[1:-1, 1:-1]
    p[...] = b
    rr = np.vdot(r, r)
    for _ in range(STEPS):
        q = 4 * p - padded[:-2, 1:-1] - padded[2:, 1:-1] - padded[1:-1, :-2] - padded[1:-1, 2:]
        alpha = rr / np.sum(p * q)
        x += alpha * p
        r -= alpha * q
        following = np.vdot(r, r)
        p *= following / rr
        p += r
        rr = following
    return x


def logistic(x, y):
    w = np.zeros(x.shape[1], x.dtype)
    step = np.float32(RATE) / np.float32(x.shape[0])
    for _ in range(STEPS):
        w -= step * (x.T @ (1 / (1 + np.exp(-(x @ w))) - y))
    return w


def pca(x):
    centred = x - np.mean(x, 0)
    return np.linalg.eigh(centred.T @ centred / (x.shape[0] - 1))


def call_of(workload, element, n):
    of = np.float32 if element == "f32" else np.float64
    if workload in ("product", "batch", "matvec"):
        shape = (BATCH, n, n) if workload == "batch" else (n, n)
        a = numbers(int(np.prod(shape)), 1, of).reshape(shape)
        b = numbers(n, 2, of) if workload == "matvec" else numbers(a.size, 2, of).reshape(shape)
        return lambda: a @ b
    if workload == "logistic":
        x, noise = numbers(n * FEATURES, 1, of).reshape(n, FEATURES), numbers(n, 2, of)
        y = (x[:, 0] + noise / 2 > 0).astype(of)
        return lambda: logistic(x, y)
    if workload == "pca":
        x = numbers(n * VARIABLES, 1, of).reshape(n, VARIABLES)
        return lambda: pca(x)
    if workload == "fft":
        z = numbers(2 * n, 1, of).view(np.complex128)
        return lambda: np.fft.fft(z)
    if workload == "rfft":
        x = numbers(n, 1, of)
        return lambda: np.fft.rfft(x)
    if workload in ("eigh", "cholesky"):
        s = symmetric(n)
        if workload == "eigh":
            return lambda: np.linalg.eigh(s)
        s += n * np.eye(n)
        return lambda: np.linalg.cholesky(s)
    a = numbers(n * n, 1, of).reshape(n, n)
    if workload == "solve":
        b = numbers(n, 2, of)
        return lambda: np.linalg.solve(a, b)
    if workload == "cg":
        return lambda: cg(a)
    if workload == "svdvals":
        return lambda: np.linalg.svd(a, compute_uv=False)
    if workload == "qr":
        return lambda: np.linalg.qr(a)
    raise SystemExit("no such workload: " + workload)


def prepare(workload, element, n):
    call = call_of(workload, element, n)
    result = call()
    parts = result if isinstance(result, tuple) else (result,)
    flat = [np.ravel(p.view(np.float64) if np.iscomplexobj(p) else p) for p in parts]
    return call, checksum(np.concatenate(flat))


serve(prepare)
