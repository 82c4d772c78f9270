#!/usr/bin/env python3
"""Writes npy/*.npy for test_npy.cpp, with real NumPy; run by hand when cases are added (made with NumPy 2.4.6).

Element k in C's order is (37 k mod 101) - 50; without the 50 for unsigned integers, a quarter more for floats, whose first
three are NaN, -inf and -0; bools are true where 3 divides k; a complex number's imaginary part is the real one of the
element that comes three later, negative.
"""
import pathlib

import ml_dtypes
import numpy as np
from numpy.lib import format as npy

OUT = pathlib.Path(__file__).parent / "npy"
SIGNED, UNSIGNED, FLOATS = ["i1", "i2", "i4", "i8"], ["u1", "u2", "u4", "u8"], ["f4", "f8", "c8", "c16"]


def values(dtype, shape):
    k = np.arange(int(np.prod(shape, dtype=int)))
    x = 37 * k % 101
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        x = k % 3 == 0
    elif dtype.kind == "i":
        x = x - 50
    elif dtype.kind == "f":
        x = x - 49.75
        x[:3] = np.array([np.nan, -np.inf, -0.0])[: len(x)]
    elif dtype.kind == "c":
        later = 49.75 - 37 * (k + 3) % 101
        x = x - 49.75
        x[:3] = np.array([np.nan, -np.inf, -0.0])[: len(x)]
        z = np.empty(shape, dtype).reshape(-1)
        z.real, z.imag = x, later
        return z.reshape(shape)
    return x.astype(dtype).reshape(shape)


def write(name, array, version=None):
    with open(OUT / f"{name}.npy", "wb") as file:
        npy.write_array(file, array, version=version)


OUT.mkdir(exist_ok=True)
for old in OUT.glob("*.npy"):
    old.unlink()
for dtype in ["b1", *SIGNED, *UNSIGNED, *FLOATS]:
    for order in "<>":
        if order == ">" and dtype[1:] == "1":
            continue
        for layout in "CF":
            side = {"<": "little", ">": "big"}[order]
            write(f"{np.dtype(dtype).name}_{side}_{layout}", np.asarray(values(order + dtype, (3, 4)), order=layout))
for version in [(1, 0), (2, 0), (3, 0)]:
    write(f"version_{version[0]}", values("<f4", (5,)), version)
write("rank_0", values("<i4", ()))
write("rank_1_big", values(">i4", (7,)))
write("rank_3_F", np.asarray(values("<i4", (2, 3, 4)), order="F"))
write("rank_16", values("<i4", (1,) * 15 + (2,)))
write("empty", values("<f8", (0,)))
write("empty_2d_F", np.asarray(values("<f8", (3, 0)), order="F"))
write("float16", values("<f2", (3,)))
np.save(OUT / "float16_big.npy", np.array([[1, -2.5], [0.1, 65504]], ">f2"))
np.save(OUT / "bfloat16.npy", np.array([1, -2.5, 3.140625, np.inf], ml_dtypes.bfloat16))
# what frit does not take
np.save(OUT / "object.npy", np.array([None, {}], object), allow_pickle=True)
write("text", np.array(["a", "bc"]))
write("records", np.array([(1, 2.0)], [("a", "<i4"), ("b", "<f4")]))
write("rank_17", values("<i4", (1,) * 17))
write("time", np.array(["2020-01-01"], "<M8[D]"))
print(len(list(OUT.glob("*.npy"))), "files,", sum(f.stat().st_size for f in OUT.glob("*.npy")), "bytes")
