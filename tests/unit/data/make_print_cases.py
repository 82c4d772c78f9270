#!/usr/bin/env python3
"""Writes print_cases.txt: arrays, options, and the texts that NumPy prints for them, for test_print.cpp to compare with.

Run by hand when cases are added, with the NumPy that frit follows (the first line of print_cases.txt says which one that is):

    python3 -m venv /tmp/numpy && /tmp/numpy/bin/pip install numpy
    /tmp/numpy/bin/python tests/unit/data/make_print_cases.py

A case is a line `case DTYPE SHAPE OPTIONS`, a line `= VALUES` (one a value, floats as hexadecimal, of a
complex number both parts with a comma between; or `arange START STEP`, for as
many as the shape has), and the text, each of its lines behind `> `.
"""
import pathlib
import random

import numpy as np

OUT = pathlib.Path(__file__).with_name("print_cases.txt")
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
NAN, INF = float("nan"), float("inf")
cases = []


def text_of_option(value):
    if isinstance(value, bool):
        return str(int(value))
    return "space" if value == " " else str(value)


def text_of_value(x):
    if x.dtype.kind == "c":
        return text_of_value(x.real) + "," + text_of_value(x.imag)
    if x.dtype.kind == "f":
        return str(x) if not np.isfinite(x) else float(x).hex()
    return str(int(x))


def add(dtype, shape, values, **options):
    """values: a list, or ("arange", start, step)."""
    shape = tuple(shape)
    count = int(np.prod(shape, dtype=int))
    if isinstance(values, tuple):
        _, start, step = values
        data = np.array([start + step * k for k in range(count)], dtype)
        listed = f"arange {text_of_value(np.array(start, dtype)[()])} {text_of_value(np.array(step, dtype)[()])}"
    else:
        assert len(values) == count, (shape, values)
        with np.errstate(over="ignore"):
            data = np.array(values, dtype)
        listed = " ".join(text_of_value(x) for x in data)
    with np.printoptions(**options):
        text = str(data.reshape(shape))
    named = "".join(f" {k}={text_of_option(v)}" for k, v in options.items())
    size = "x".join(map(str, shape)) or "-"
    cases.append("\n".join([f"case {dtype} {size}{named}", f"= {listed}", *("> " + line for line in text.split("\n"))]))


def bools():
    for values in [[True, False], [True, True], [False], [True]]:
        add("bool", [len(values)], values)
    for value in [True, False]:
        add("bool", [], [value])
        add("bool", [1, 1], [value])
    add("bool", [2, 3], [1, 0, 1, 1, 0, 0])
    add("bool", [40], [k % 3 == 0 for k in range(40)])
    add("bool", [40], [k % 3 == 0 for k in range(40)], threshold=10)
    add("bool", [0], [])


def integers():
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        add(dtype, [], [info.max])
        add(dtype, [], [info.min])
        add(dtype, [3], [info.min, 0, info.max])
        add(dtype, [3], [1, 2, 3])
        add(dtype, [2, 3], [0, 1, 10, 100, 7, 99])
        add(dtype, [0], [])
        add(dtype, [2, 2], [info.max, 1, 2, 3], sign="+")
        add(dtype, [3], [1, 22, 3], sign=" ")
    for sign in "-+ ":
        add("int32", [], [5], sign=sign)
        add("int32", [3], [-1, 5, 100], sign=sign)
        add("int32", [3], [-100, 5, 10], sign=sign)
        add("int32", [2], [-100, -5], sign=sign)
        add("int32", [1], [0], sign=sign)
    add("int64", [5, 30], ("arange", -75, 1))
    add("int64", [100], ("arange", -10, 7))


def shapes():
    for dtype in ["int32", "float64"]:
        for shape in [[1], [1, 1], [2, 1, 2], [1, 2, 1, 2], [2, 2, 2, 2], [3, 4, 5], [1, 1, 1, 1, 1], [2, 1, 1, 2, 1, 1, 2],
                      [1] * 16]:
            add(dtype, shape, ("arange", 0, 1))
        for shape in [[0], [0, 3], [3, 0], [2, 0, 4]]:
            add(dtype, shape, [])
    # wrapped lines, at every depth
    for shape in [[24], [40], [2, 40], [2, 2, 30]]:
        add("int32", shape, ("arange", 0, 1))
        add("float64", shape, ("arange", 0.5, 1.25))
    for width in [0, 1, 5, 10, 11, 12, 20, 40, 74, 75, 76, 200]:
        add("int32", [30], ("arange", 0, 1), linewidth=width)
        add("float32", [2, 9], ("arange", -2, 0.5), linewidth=width)
        add("int32", [2, 2, 9], ("arange", 95, 1), linewidth=width)


def summaries():
    add("int32", [1000], ("arange", 0, 1), linewidth=150)
    add("int32", [1001], ("arange", 0, 1))
    add("float64", [1001], ("arange", 0, 0.5))
    add("float32", [40, 40], ("arange", 0, 1))
    add("int64", [12, 11, 10], ("arange", -5, 1))
    add("int32", [2, 600], ("arange", 0, 1))
    add("int32", [600, 2], ("arange", 0, 1))
    add("int32", [3, 3, 200], ("arange", 0, 1))
    add("int32", [4, 7, 2, 20], ("arange", 0, 1))
    add("int32", [6, 200], ("arange", 0, 1))
    add("int32", [7, 200], ("arange", 0, 1))
    for edge in [1, 2, 4, 10]:
        add("int32", [9], ("arange", 0, 1), threshold=0, edgeitems=edge)
        add("int32", [5, 9], ("arange", 0, 1), threshold=5, edgeitems=edge)
        add("float64", [3, 3, 5], ("arange", 0.25, 0.25), threshold=5, edgeitems=edge)
    add("int32", [8], ("arange", 0, 1), threshold=8)
    add("int32", [8], ("arange", 0, 1), threshold=7)
    add("int32", [6], ("arange", 0, 1), threshold=3)
    # what is left out has no say in the format
    add("int32", [9], [1, 2, 3, 4, 1000000, 6, 7, 8, 9], threshold=5)
    add("float64", [9], [1, 2, 3, 4, 1e20, NAN, 7, 8, 9], threshold=5)
    add("float64", [9], [1, 2, 3, 1 / 3, -INF, 1e-20, 7, 8, 9], threshold=5)
    # lines that are full exactly at, or just before, the ellipsis
    for width in range(6, 26):
        add("int32", [12], ("arange", 10, 1), threshold=5, linewidth=width)


VALUES = [
    [0.0], [-0.0], [1.0], [-1.0], [0.1], [1 / 3], [2 / 3], [-1 / 3, 2.0], [1.0, 2.5, 3.0], [0.1, 0.25], [0.5, 1.5, 2.5],
    [1e10, 1], [1e8], [99999999.0], [1e7, 1.5], [1e6, 0.5], [999999.0, 1], [1e-4, 1], [9.99e-5, 0.05], [1e-5], [1000, 1],
    [1001, 1], [1000.5, 1.5], [123456.789, 0.001], [1e100, 1], [1e-100, 1e100], [1e-300, 5], [1e16, 1e15],
    [1.23456789012345678, 9.87654321], [0.1 + 0.2, 0.3], [100.0, 1e-3], [5e-324, 1.7976931348623157e308], [2**-149, 1],
    [3.4028235e38, 1.17549435e-38], [0.99999999999, 1.0], [9.9999999e-5, 1], [NAN], [INF], [-INF], [NAN, 1], [INF, -1.5],
    [-INF, 1], [-INF, -12345.678], [NAN, INF, -INF, 0.0], [NAN, 1e10, 1e-10], [-INF, 1e100, 1], [-0.0, 0.0],
    [0.00005, 0.00015, 0.125, 0.375], [1e22, 1e23], [123.0, -0.5, 99.25], [-1e-12, 1.0], [1.0000000149011612, 1e-40],
    [2.0**740 / 1e10, 1.0], [16777217.0, 0.5], [33554432.0, 8.0],
]


def floats():
    for dtype in FLOATS:
        for values in VALUES:
            add(dtype, [len(values)], values)
        for value in [0.0, -0.0, 1.0, 0.1, 1 / 3, 1e4, 123456.7, 999999.0, 999999.94, 1e6, 1e7, 1e8, 123456789.0, 1e15, 9007199254740994.0,
                      9999999999999998.0, 1e16, 1e17, 1e-3, 0.00011, 1e-4, 9.9999e-5, 1e-5, -2.5, NAN, INF, -INF, 5e-324, 1e300,
                      0.1 + 0.2, 1.5e-10, -1e100]:
            add(dtype, [], [value])
    add("float64", [], [1 / 3], precision=3, sign="+", nanstr="none")
    add("float64", [], [NAN], nanstr="none", infstr="endless")
    add("float64", [2, 2, 2], [1, 2.5, NAN, -3.125, 1e-3, 0, INF, 100])


def options():
    picked = [[1 / 3, 2.0, -0.125], [1e10, 1 / 3], [0.5, 1.5, 2.5], [123456.789, 1e-7], [NAN, 1.25, -INF], [1e-10, 1e5, 0],
              [0.1], [0.00005, 0.00015], [1e100, -1], [99.995, 0.005], [2.0**740, 1.0], [6.237000967296e290, 1.23456789012345e3]]
    for mode in ["fixed", "unique", "maxprec", "maxprec_equal"]:
        for precision in [0, 3, 8]:
            for values in picked[:10]:
                add("float64", [len(values)], values, floatmode=mode, precision=precision)
        for values in picked:
            add("float32" if abs(values[0]) < 1e38 else "float64", [len(values)], values, floatmode=mode)
            add("float64", [len(values)], values, floatmode=mode, suppress=True, precision=5)
    add("float64", [1], [0.1], floatmode="fixed", precision=60)
    add("float64", [2], [1e-10, 1], floatmode="fixed", precision=40)
    add("float64", [2], [1e-300, 1], suppress=True, precision=400)
    add("float64", [2], [1e-300, 1], suppress=True, precision=310, floatmode="maxprec_equal")
    add("float64", [1], [5e-324], floatmode="fixed", precision=1074, linewidth=10)
    add("float32", [2], [0.1, 0.123456], floatmode="maxprec_equal")
    # a power of two whose true digits would read back as its neighbour
    for value in [2.0**740, 2.0**890, 2.0**956, 2.0**966]:
        add("float64", [2], [value, 1.23456789012345e3], precision=15)
        add("float64", [2], [value, 1.234567890123456e3], precision=16)
        add("float64", [1], [value], precision=14)
    for sign in "-+ ":
        for values in [[1.0], [-1.0], [1.5, -2.25], [0.0, -0.0], [NAN], [INF], [-INF], [NAN, 2.0], [INF, 2.0], [-INF, 2.0],
                       [NAN, -2.0], [1e10, 1], [-1e10, 1], [NAN, 1e10], [-INF, -1e-10]]:
            add("float64", [len(values)], values, sign=sign)
    for nanstr, infstr in [("none", "inf"), ("nan", "endless"), ("?", "!"), ("–", "∞"), ("missing_value", "x")]:
        for values in [[NAN], [INF, 1], [-INF, 1], [NAN, 1.23456], [NAN, 1e10], [1.5, -2.5], [NAN] * 20]:
            add("float64", [len(values)], values, nanstr=nanstr, infstr=infstr, linewidth=60)
    for precision in range(9):
        add("float32", [3], [3.14159265, 271.828, 0.5], precision=precision)
        add("float64", [4], [9.5, 9.95, 9.995, 9.9995], precision=precision)
        add("float64", [2], [9.5e10, 9.9995e-3], precision=precision)


def random_ones():
    """Numbers of all sizes and lengths, by all options at once."""
    draw = random.Random(20)
    for _ in range(150):
        dtype = draw.choice(FLOATS)
        spread, digits = draw.choice([0, 1, 2, 4, 8, 30]), draw.choice([1, 2, 4, 7, 17])
        values = []
        for _ in range(draw.randint(1, 7)):
            value = draw.uniform(-10, 10) * 10.0 ** draw.randint(-spread, spread)
            values.append(draw.choice([NAN, INF, -INF, 0.0]) if draw.random() < 0.08 else float(f"{value:.{digits - 1}e}"))
        chosen = {}
        if draw.random() < 0.5:
            chosen["precision"] = draw.randint(0, 12)
        if draw.random() < 0.5:
            chosen["floatmode"] = draw.choice(["fixed", "unique", "maxprec", "maxprec_equal"])
        if draw.random() < 0.3:
            chosen["suppress"] = True
        if draw.random() < 0.3:
            chosen["sign"] = draw.choice("+ ")
        if draw.random() < 0.3:
            chosen["linewidth"] = draw.randint(20, 60)
        if draw.random() < 0.2:
            chosen["threshold"], chosen["edgeitems"] = 2, draw.randint(1, 2)
        add(dtype, [len(values)], values, **chosen)


def halves():
    """float16: what it shows, and where exponents begin, is its own."""
    for values in VALUES:
        add("float16", [len(values)], values)
    for value in [0.0, -0.0, 1.0, 0.1, 1 / 3, 999.5, 1000.0, 1024.0, 2049.0, 65504.0, 1e-3, 0.00011, 1e-4, 9.9e-5, 1e-5, 6e-8, -2.5, NAN, INF, -INF]:
        add("float16", [], [value])
    for mode in ["fixed", "unique", "maxprec", "maxprec_equal"]:
        for precision in [0, 2, 3, 8, 12]:
            for values in [[1 / 3, 2.0, -0.125], [65504.0, 1 / 3], [0.5, 1.5, 2.5], [123.4, 1e-7], [NAN, 1.25, -INF], [0.1]]:
                add("float16", [len(values)], values, floatmode=mode, precision=precision)
    draw = random.Random(21)
    for _ in range(60):
        bits = np.array([draw.randrange(0x10000) for _ in range(draw.randint(1, 7))], np.uint16)
        add("float16", [len(bits)], [float(x) for x in bits.view(np.float16)], suppress=draw.random() < 0.3)
    for values in [[0.1, 100.0], [0.0999, 100.0], [0.5, 500.25], [0.5, 501.0], [60000.0, 6e-8], [6e-8, 60.0]]:
        add("float16", [len(values)], values)  # the quotient is rounded
        add("float16", [len(values)], values, suppress=True)
    for values in [[2**-6], [-(2**-6), 1.0], [2**-6, 2**-6 + 2**-16, 2**-6 - 2**-17]]:  # a power of two
        add("float16", [len(values)], values)
        for mode in ["fixed", "unique", "maxprec_equal"]:
            add("float16", [len(values)], values, floatmode=mode, precision=5)


def complexes():
    """Both parts are formatted as arrays of their own, the imaginary ones with their sign."""
    z = complex
    picked = [
        [z(1, 2)], [z(-1, -2)], [z(0.0, -0.0)], [z(-0.0, 0.0)], [z(1.5, -2.25), z(-10, 0.125)], [z(1 / 3, -2 / 3), z(100, 1)],
        [z(1e10, 1), z(1, 1e-10)], [z(1e-5, 2), z(3, 4)], [z(1e16, -1e-16)], [z(1e30, 1e-30), z(-1, 0)], [z(0.5, 1e8)],
        [z(NAN, 1)], [z(1, NAN)], [z(NAN, NAN), z(1, -1)], [z(INF, -INF)], [z(-INF, NAN), z(2.5, 1)], [z(0, INF), z(NAN, -1e9)],
        [z(NAN, 1e10), z(-INF, 1e-10)], [z(123456.789, 0.001), z(-0.5, 99.25)], [z(1000, 1), z(1001, -1e-3)],
        [z(3.4e38, 1.2e-38), z(1, 1)], [z(0.1 + 0.2, 0.3), z(1.23456789012345678, -9.87654321)],
    ]
    for dtype in ["complex64", "complex128"]:
        for values in picked:
            add(dtype, [len(values)], values)
            for value in values:
                add(dtype, [], [value])
            for mode in ["fixed", "unique", "maxprec_equal"]:
                add(dtype, [len(values)], values, floatmode=mode, precision=3)
            add(dtype, [len(values)], values, suppress=True, precision=5)
            for sign in "+ ":
                add(dtype, [len(values)], values, sign=sign)
        for shape in [[0], [0, 3], [3, 0]]:
            add(dtype, shape, [])
        add(dtype, [2, 2], [z(1, -1), z(NAN, 2.5), z(-3.125, INF), z(1e-3, 0)])
        add(dtype, [2, 1, 2], [z(1e10, 0), z(1, 2), z(-3, 1e-10), z(0.25, -4)])
        add(dtype, [2, 2], [z(NAN, INF), z(1, -INF), z(2, 3), z(4, 5)], nanstr="none", infstr="endless")
        add(dtype, [2, 12], [z(k - 11, 0.5 - k) for k in range(24)])
        for width in [1, 20, 40, 60]:
            add(dtype, [9], [z(k / 4, -k) for k in range(9)], linewidth=width)
        add(dtype, [9], [z(k, 1e20 if k == 4 else k) for k in range(9)], threshold=5)
    draw = random.Random(22)
    for _ in range(80):
        spread, digits = draw.choice([0, 1, 2, 4, 8, 30]), draw.choice([1, 2, 4, 7, 17])

        def part():
            value = draw.uniform(-10, 10) * 10.0 ** draw.randint(-spread, spread)
            return draw.choice([NAN, INF, -INF, 0.0, -0.0]) if draw.random() < 0.08 else float(f"{value:.{digits - 1}e}")

        values = [complex(part(), part()) for _ in range(draw.randint(1, 6))]
        add(draw.choice(["complex64", "complex128"]), [len(values)], values, suppress=draw.random() < 0.2,
            precision=draw.choice([0, 3, 8, 12]))


for part in [bools, integers, shapes, summaries, floats, options, random_ones, halves, complexes]:
    part()
header = f"# Printed by NumPy {np.__version__} (make_print_cases.py); {len(cases)} cases.\n"
OUT.write_text(header + "\n".join(cases) + "\n", encoding="utf-8")
print(f"{len(cases)} cases, {OUT.stat().st_size} bytes")
