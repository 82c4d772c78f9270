"""The workloads over rows in NumPy and numexpr: a worker of cpu_rows (worker.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from worker import checksum, serve  # noqa: E402

COLUMNS = 1024


def sequence(n, low, high, step):
    t = np.arange(n, dtype=np.float64) * step
    return low + (high - low) * (t - np.floor(t))


def make_inputs(workload, element, n):
    side = int(round(n**0.5))
    v = {
        "a": sequence(n, -2, 2, 0.6180339887498949),
        "gamma": sequence(COLUMNS, 0.5, 1.5, 0.7320508075688772),
        "beta": sequence(COLUMNS, -1, 1, 0.2360679774997896),
        "x": sequence(side, -2, 2, 0.6180339887498949),
        "y": sequence(side, -2, 2, 0.4142135623730950),
        "z": sequence(side, -2, 2, 0.7320508075688772),
        "mass": sequence(side, 0.1, 1, 0.2360679774997896),
    }
    if workload == "triad":
        v["b"] = sequence(n, -2, 2, 0.4142135623730950)
    elif workload == "heat":
        v["a"] = v["a"].reshape(side, side)
    else:
        v["a"] = v["a"].reshape(-1, COLUMNS)
    return {name: values.astype(element) for name, values in v.items()}


class Numpy:
    def triad(self, v):
        return v["a"] + 1.5 * v["b"]

    def row_sum(self, v):
        return v["a"].sum(1)

    def col_sum(self, v):
        return v["a"].sum(0)

    def var(self, v):
        return v["a"].var()

    def heat(self, v):
        u = v["a"]
        return u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])

    def softmax(self, v):
        e = np.exp(v["a"] - v["a"].max(1, keepdims=True))
        e /= e.sum(1, keepdims=True)
        return e

    def layer_norm(self, v):
        x = v["a"] - v["a"].mean(1, keepdims=True)
        return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * v["gamma"] + v["beta"]

    def pairwise(self, v):
        return np.abs(v["x"][:, None] - v["y"]).sum(1)

    def nbody(self, v):
        dx, dy, dz = (v[p] - v[p][:, None] for p in "xyz")
        near = 1 / np.sqrt(dx * dx + dy * dy + dz * dz + 1e-3)
        pull = v["mass"] * near * near * near
        return (pull * dx).sum(1), (pull * dy).sum(1), (pull * dz).sum(1)


class Numexpr:
    """Each workload in as few evaluate() calls as the language allows: a reduction is the last thing that one does. Single
    precision stays single only if no constant is a double: they are passed as typed scalars."""

    def __init__(self, threads):
        import numexpr

        numexpr.set_num_threads(threads)
        self.evaluate = numexpr.evaluate

    def run(self, text, v, **more):
        element = v["x"].dtype.type
        constants = {"c01": element(0.1), "c1": element(1), "c15": element(1.5), "c4": element(4), "soft": element(1e-3),
                     "epsilon": element(1e-5), "columns": element(COLUMNS), "size": element(v["a"].size)}
        return self.evaluate(text, v | constants | more)

    def triad(self, v):
        return self.run("a + c15 * b", v)

    def row_sum(self, v):
        return self.run("sum(a, axis=1)", v)

    def col_sum(self, v):
        return self.run("sum(a, axis=0)", v)

    def var(self, v):
        mean = (self.run("sum(a)", v) / v["a"].size).astype(v["a"].dtype)
        return self.run("sum((a - mean) * (a - mean))", v, mean=mean) / v["a"].size

    def heat(self, v):
        u = v["a"]
        return self.run("u + c01 * (n + s + w + e - c4 * u)", v, u=u[1:-1, 1:-1], n=u[2:, 1:-1], s=u[:-2, 1:-1],
                        w=u[1:-1, 2:], e=u[1:-1, :-2])

    def softmax(self, v):
        top = self.run("max(a, axis=1)", v)[:, None]
        powers = self.run("exp(a - top)", v, top=top)
        total = self.run("sum(powers, axis=1)", v, powers=powers)[:, None]
        return self.run("powers / total", v, powers=powers, total=total.astype(v["a"].dtype))

    def layer_norm(self, v):
        mean = (self.run("sum(a, axis=1)", v)[:, None] / COLUMNS).astype(v["a"].dtype)
        squares = self.run("sum((a - mean) * (a - mean), axis=1)", v, mean=mean)[:, None].astype(v["a"].dtype)
        return self.run("(a - mean) / sqrt(squares / columns + epsilon) * gamma + beta", v, mean=mean, squares=squares)

    def pairwise(self, v):
        return self.run("sum(abs(p - y), axis=1)", v, p=v["x"][:, None])

    def nbody(self, v):
        others = {"p": v["x"][:, None], "q": v["y"][:, None], "r": v["z"][:, None]}
        pull = self.run("mass / ((x - p) ** 2 + (y - q) ** 2 + (z - r) ** 2 + soft) / "
                        "sqrt((x - p) ** 2 + (y - q) ** 2 + (z - r) ** 2 + soft)", v, **others)
        return tuple(self.run(f"sum(pull * ({a} - {b}), axis=1)", v, pull=pull, **others)
                     for a, b in (("x", "p"), ("y", "q"), ("z", "r")))


def main():
    peer = Numexpr(int(sys.argv[2])) if sys.argv[1] == "numexpr" else Numpy()

    def prepare(workload, element, n):
        values = make_inputs(workload, np.float32 if element == "f32" else np.float64, n)
        formula = getattr(peer, workload)
        result = formula(values)
        parts = result if isinstance(result, tuple) else (result,)
        return lambda: formula(values), checksum(np.concatenate([np.ravel(part) for part in parts]))

    serve(prepare)


main()
