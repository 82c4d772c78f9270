"""The CPU workloads in NumPy and numexpr: a worker of cpu_peers, which speaks its line protocol.

  prepare WORKLOAD f32|f64 N  ->  the mean of the result (sumsq: the sum over N)
  time CALLS                  ->  seconds that so many calls took
"""
import sys
import time

import numpy as np


def black_scholes(spot, strike, years):
    def normal_cdf(x):
        k = 1 / (1 + 0.2316419 * np.abs(x))
        p = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.319381530) * k
        tail = 0.3989422804014327 * np.exp(-0.5 * (x * x)) * p
        return np.where(x < 0, tail, 1 - tail)

    spread = 0.2 * np.sqrt(years)
    d1 = (np.log(spot / strike) + 0.05 * years) / spread
    return spot * normal_cdf(d1) - strike * np.exp(-0.03 * years) * normal_cdf(d1 - spread)


NUMPY = {
    "axpy": lambda x, y, s, k, t: 2.5 * x + 0.75,
    "poly12": lambda x, y, s, k, t: (((0.03 * x + 0.2) * x + 0.7) * x + 1.1) / ((0.05 * x + 0.4) * x + 1.3) + x,
    "blackscholes": lambda x, y, s, k, t: black_scholes(s, k, t),
    "sinexp": lambda x, y, s, k, t: np.sin(x) * 2 + np.exp(-y * y),
    "sumsq": lambda x, y, s, k, t: ((x - y) ** 2).sum(),
}


class Numexpr:
    """Each workload as few evaluate() calls as the language allows; constants of the arrays' own dtype."""

    def __init__(self, threads):
        import numexpr

        numexpr.set_num_threads(threads)
        self.evaluate = numexpr.evaluate

    def run(self, workload, values, constants, out):
        # Single-precision stays single only if no constant is a double: they are passed as typed scalars.
        text = {
            "axpy": "c25 * x + c075",
            "poly12": "(((c003 * x + c02) * x + c07) * x + c11) / ((c005 * x + c04) * x + c13) + x",
            "sinexp": "sin(x) * c2 + exp(-y * y)",
        }
        if workload in text:
            return self.evaluate(text[workload], values | constants, out=out)
        if workload == "sumsq":
            return self.evaluate("sum((x - y) * (x - y))", values)
        v = values | constants
        d1 = self.evaluate("(log(s / k) + c005 * t) / (c02 * sqrt(t))", v)
        v |= {"d1": d1, "d2": self.evaluate("d1 - c02 * sqrt(t)", v | {"d1": d1})}
        v |= {"k1": self.evaluate("c1 / (c1 + g * abs(d1))", v), "k2": self.evaluate("c1 / (c1 + g * abs(d2))", v)}
        tail = "(norm * exp(half * {d} * {d}) * (((((e5 * {k} - e4) * {k} + e3) * {k} - e2) * {k} + e1) * {k}))"
        one, two = tail.format(d="d1", k="k1"), tail.format(d="d2", k="k2")
        return self.evaluate(
            f"s * where(d1 < zero, {one}, c1 - {one}) - k * exp(minus003 * t) * where(d2 < zero, {two}, c1 - {two})", v, out=out)


CONSTANTS = {
    "c25": 2.5, "c075": 0.75, "c003": 0.03, "c02": 0.2, "c07": 0.7, "c11": 1.1, "c005": 0.05, "c04": 0.4, "c13": 1.3, "c2": 2,
    "c1": 1, "zero": 0, "g": 0.2316419, "e5": 1.330274429, "e4": 1.821255978, "e3": 1.781477937, "e2": 0.356563782,
    "e1": 0.319381530, "norm": 0.3989422804014327, "half": -0.5, "minus003": -0.03,
}


# As in cpu_workloads.hpp: lowest and highest value, and the step of the sequence.
COLUMNS = {
    "x": (-2, 2, 0.6180339887498949),
    "y": (-2, 2, 0.4142135623730950),
    "s": (80, 120, 0.7320508075688772),
    "k": (80, 120, 0.2360679774997896),
    "t": (0.1, 2.1, 0.6457513110645906),
}


def column(n, low, high, step):
    t = np.arange(n, dtype=np.float64) * step
    return low + (high - low) * (t - np.floor(t))


def main():
    peer, threads = sys.argv[1], int(sys.argv[2])
    numexpr = Numexpr(threads) if peer == "numexpr" else None
    call = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "prepare":
            workload, element, n = words[1], np.float32 if words[2] == "f32" else np.float64, int(words[3])
            values = {name: column(n, *how).astype(element) for name, how in COLUMNS.items()}
            if numexpr:
                constants = {name: element(c) for name, c in CONSTANTS.items()}
                out = np.empty(n, element)
                call = lambda: numexpr.run(workload, values, constants, out)  # noqa: E731
            else:
                formula = NUMPY[workload]
                call = lambda: formula(*values.values())  # noqa: E731
            print(float(np.sum(call(), dtype=np.float64) / n), flush=True)
        else:
            start = time.perf_counter()
            for _ in range(int(words[1])):
                call()
            print(time.perf_counter() - start, flush=True)


main()
