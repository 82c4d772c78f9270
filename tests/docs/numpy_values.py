#!/usr/bin/env python3
"""Evaluates NumPy's column of docs/coming-from.md with NumPy itself: numpy_values.py >tests/docs/numpy.txt

The results are kept, so that the tests need neither Python nor NumPy 2. Run it after a change of that column.
"""
import pathlib
import re
import sys

import numpy

document = pathlib.Path(__file__).parents[2] / "docs" / "coming-from.md"


def describe(value):
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{value.dtype} {value.shape}\n{value}"
    if isinstance(value, list):
        return describe(numpy.array(value))
    return str(value)


def evaluate(code, inputs):
    scope = {}
    exec(inputs, scope)
    try:
        value = eval(code, scope)
    except SyntaxError:
        exec(code, scope)
        value = None
    return scope["u"] if value is None else value  # what gives nothing changes u


if int(numpy.__version__.split(".")[0]) < 2:
    sys.exit("needs NumPy 2")
inputs, python, rows = "", False, False
for line in document.read_text().splitlines():
    if line.startswith("```"):
        python = line == "```python"
    elif python:
        inputs += line + "\n"
    elif line.startswith("| "):
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if "`" not in cells[0]:
            rows = cells[0] == "NumPy" if not cells[0].startswith("-") else rows
        elif rows:
            code = cells[0].strip("`").replace("\\|", "|")
            print(f">>> {code}\n{describe(evaluate(code, inputs))}")
