"""The everyday programs in NumPy: a worker of everyday (worker.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from worker import checksum, serve  # noqa: E402


def sequence(shape, low=-2.0, high=2.0, step=0.6180339887498949, dtype=np.float64):
    t = np.arange(np.prod(shape), dtype=np.float64) * step
    return (low + (high - low) * (t - np.floor(t))).astype(dtype).reshape(shape)


def cavity(steps):
    """L. A. Barba and G. F. Forsyth, "CFD Python", step 11."""
    def call():
        points, dt, nu = 41, 0.001, 0.1
        d = 2.0 / (points - 1)
        d2 = d * d
        u, v, p, b = (np.zeros((points, points)) for _ in range(4))
        for _ in range(steps):
            b[1:-1, 1:-1] = (1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * d) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * d))
                             - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * d))**2
                             - 2 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * d) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * d))
                             - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * d))**2)
            for _ in range(50):
                pn = p.copy()
                p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, :-2]) * d2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * d2) / (4 * d2)
                                 - d2 * d2 / (4 * d2) * b[1:-1, 1:-1])
                p[:, -1] = p[:, -2]
                p[0, :] = p[1, :]
                p[:, 0] = p[:, 1]
                p[-1, :] = 0
            un, vn = u.copy(), v.copy()

            def flow(f):
                return (f[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / d * (f[1:-1, 1:-1] - f[1:-1, :-2])
                        - vn[1:-1, 1:-1] * dt / d * (f[1:-1, 1:-1] - f[:-2, 1:-1])
                        + nu * (dt / d2 * (f[1:-1, 2:] - 2 * f[1:-1, 1:-1] + f[1:-1, :-2])
                                + dt / d2 * (f[2:, 1:-1] - 2 * f[1:-1, 1:-1] + f[:-2, 1:-1])))

            u[1:-1, 1:-1] = flow(un) - dt / (2 * d) * (p[1:-1, 2:] - p[1:-1, :-2])
            v[1:-1, 1:-1] = flow(vn) - dt / (2 * d) * (p[2:, 1:-1] - p[:-2, 1:-1])
            u[0, :] = 0
            u[:, 0] = 0
            u[:, -1] = 0
            u[-1, :] = 1
            v[0, :] = 0
            v[-1, :] = 0
            v[:, 0] = 0
            v[:, -1] = 0
        return u + 2 * v + p
    return call


def stencil(side):
    def make(steps):
        start = sequence((side, side))

        def call():
            u = start.copy()
            for _ in range(steps):
                u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
                u[0, :] = u[1, :]
                u[-1, :] = u[-2, :]
                u[:, 0] = u[:, 1]
                u[:, -1] = u[:, -2]
            return u
        return call
    return make


def row_write(_):
    u = sequence((1000, 1000), dtype=np.float32)

    def call():
        u[6] = u[5] * 2
        return u
    return call


def element_write(_):
    u = sequence((1000, 1000), dtype=np.float32)

    def call():
        u[0, 0] = u[999, 999]
        return u
    return call


def recurrence(steps):
    x = sequence((steps + 1, 4096))

    def call():
        y = np.zeros((steps + 1, 4096))
        for k in range(1, steps + 1):
            y[k] = 0.9 * y[k - 1] + x[k]
        return y
    return call


def scalar_writes(writes):
    y = np.zeros((100, 100))

    def call():
        for k in range(writes):
            y[k // 100 % 100, k % 100] = k
        return y
    return call


def generator(n):
    def call():
        a = np.arange(float(n))
        return np.sum(a * a).item()
    return call


def of(make_input, formula):
    """One statement."""
    def make(n):
        x = make_input(n)
        return lambda: formula(x)
    return make


def nbody(n):
    side = int(round(n**0.5))
    p, mass = sequence((side, 3)), sequence(side, 0.1, 1, 0.2360679774997896)

    def call():
        d = p[None, :, :] - p[:, None, :]
        near = 1 / np.sqrt(np.sum(d * d, 2) + 1e-3)
        weight = mass * near * near * near
        return np.sum(d * weight[:, :, None], 1)
    return call


def nbody_apart(n):
    side = int(round(n**0.5))
    p, mass = sequence((side, 3)), sequence(side, 0.1, 1, 0.2360679774997896)
    x, y, z = (p[:, k].copy() for k in range(3))

    def call():
        dx, dy, dz = x - x[:, None], y - y[:, None], z - z[:, None]
        near = 1 / np.sqrt(dx * dx + dy * dy + dz * dz + 1e-3)
        weight = mass * near * near * near
        return np.sum(dx * weight, 1) + 2 * np.sum(dy * weight, 1) + 3 * np.sum(dz * weight, 1)
    return call


def heat(n):
    side = int(round(n**0.5))
    u = sequence((side, side))

    def call():
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
                                               - 4 * u[1:-1, 1:-1])
        return u
    return call


def matrices(n):
    a, b = sequence((n // 9, 3, 3)), sequence((n // 9, 3, 3), step=0.4142135623730950)
    return lambda: np.sum(a[:, :, :, None] * b[:, None, :, :], 2)


def lorenz(steps):
    def slope(x, y, z):
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z

    def moved(s, h, k):
        return s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]

    def call():
        h = 0.001
        s = np.float64(1), np.float64(1), np.float64(20)
        for _ in range(steps):
            a = slope(*s)
            b = slope(*moved(s, h / 2, a))
            c = slope(*moved(s, h / 2, b))
            d = slope(*moved(s, h, c))
            s = (s[0] + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]),
                 s[1] + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]),
                 s[2] + h / 6 * (a[2] + 2 * b[2] + 2 * c[2] + d[2]))
        return s[0] + 2 * s[1] + 3 * s[2]
    return call


def convolution(_):
    x, weights = sequence((3, 66, 66)), sequence((8, 3, 3, 3), -1, 1, 0.4142135623730950)

    def call():
        y = np.zeros((8, 64, 64))
        for c in range(3):
            for i in range(3):
                for j in range(3):
                    y = y + weights[:, c, i, j, None, None] * x[c, i:i + 64, j:j + 64]
        return y
    return call


def items(n):
    x = sequence(n)

    def call():
        total = 0.0
        for k in range(n):
            total += x[k].item()
        return total
    return call


def distance(n):
    x, y = sequence(n), sequence(n, step=0.4142135623730950)

    def call():
        d = x - y
        return np.sum(d * d).item()
    return call


def residual(n):
    u = sequence(n)

    def call():
        nonlocal u
        v = 0.9 * u + 0.1
        r = np.linalg.norm(v - u).item()
        u = v
        return r
    return call


def convolve(taps):
    k = sequence(taps)
    return of(sequence, lambda x: np.convolve(x, k))


def convolve2d(taps):
    k = sequence((taps, taps))

    def call(x):
        padded = np.pad(x, taps - 1)
        rows, columns = (n + taps - 1 for n in x.shape)
        y = np.zeros((rows, columns))
        for i in range(taps):
            for j in range(taps):
                y += padded[taps - 1 - i : taps - 1 - i + rows, taps - 1 - j : taps - 1 - j + columns] * k[i, j]
        return y
    return of(lambda n: sequence((round(n**0.5), round(n**0.5))), call)


PROGRAMS = {
    "cavity": cavity,
    "stencil_41": stencil(41),
    "stencil_201": stencil(201),
    "row_write": row_write,
    "element_write": element_write,
    "recurrence": recurrence,
    "scalar_writes": scalar_writes,
    "generator": generator,
    "generator_temporary": of(float, lambda n: np.sum(np.square(np.arange(n))).item()),
    "pow": of(sequence, lambda y: y**2),
    "product": of(sequence, lambda y: y * y),
    "floor_divide": of(lambda n: sequence(n, -1e6, 1e6, dtype=np.int32), lambda k: k // 7),
    "sort": of(lambda n: sequence((n // 1000, 1000)), np.sort),
    "argsort": of(lambda n: sequence((n // 1000, 1000)), np.argsort),
    "median": of(sequence, lambda x: np.sort(x)[x.size // 2].item()),
    "nbody": nbody,
    "nbody_apart": nbody_apart,
    "rows_of_3": of(lambda n: sequence((n // 3, 3), dtype=np.float32), lambda x: np.sum(x, 1)),
    "heat": heat,
    "matrices": matrices,
    "lorenz": lorenz,
    "convolution": convolution,
    "convolve_5": convolve(5),
    "convolve_101": convolve(101),
    "convolve2d_5": convolve2d(5),
    "convolve2d_15": convolve2d(15),
    "map": of(sequence, lambda x: x * 2 + 1),
    "items": items,
    "distance": distance,
    "residual": residual,
}


def prepare(program, _, size):
    call = PROGRAMS[program](size)
    return call, checksum(call())


serve(prepare)
