"""A function of one letter as a program that draws it. Every sign of the program comes from the tables here, none from the
user's text: the tree is printed part by part, and a part that is not in a table is not drawn.
"""

import json
import math

from apps.providers.builtin.problem import Problem
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, number, walk

PICTURE = "plot.png"
_USUAL_RANGE = (Node("neg", (number(10),)), number(10))
_NAMES = {"pi": "np.pi", "e": "np.e"}
_SUMS = {"add": "{} + {}", "sub": "{} - {}"}
_PARTS = {
    "mul": "{} * {}", "neg": "-{}",
    "div": "np.divide({}, {})", "pow": "np.power({}, {})", "abs": "np.abs({})",
    "percent": "np.divide({}, 100.0)", "degree": "np.radians({})",
}  # fmt: skip
"""Quotients and powers of NumPy's have no value where there is none; those of Python would end the program."""
_CALLS = {
    **{name: f"np.{name}({{}})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "sqrt")},
    "asin": "np.arcsin({})", "acos": "np.arccos({})", "atan": "np.arctan({})",
    "asinh": "np.arcsinh({})", "acosh": "np.arccosh({})", "atanh": "np.arctanh({})",
    "cot": "np.divide(1.0, np.tan({}))", "sec": "np.divide(1.0, np.cos({}))", "csc": "np.divide(1.0, np.sin({}))",
    "ln": "np.log({})", "log": "np.divide(np.log({}), np.log({}))", "root": "root({}, {})",
}  # fmt: skip
_PROGRAM = '''\
import json

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def root(value, index):
    """An odd root takes negative numbers, too."""
    size = np.power(np.abs(value), np.divide(1.0, index))
    return np.where(index % 2 == 1, np.sign(value) * size, np.where(value < 0, np.nan, size))


low, high = {low}, {high}
x = np.linspace(low, high, 2001)
with np.errstate(all="ignore"):
    y = np.zeros_like(x) + ({formula})
y[~np.isfinite(y)] = np.nan
drawn = y[np.isfinite(y)]
figure, axes = plt.subplots(figsize=(7, 5))
is_cut = False
if drawn.size:
    # Near a pole the values have no end: show where most of them lie, and draw no line across the pole.
    bottom, top = np.percentile(drawn, [1, 99])
    bottom, top = max(drawn.min(), 2 * bottom - top), min(drawn.max(), 2 * top - bottom)
    is_cut = bool(drawn.min() < bottom or drawn.max() > top)
    if is_cut:
        y[:-1][np.abs(np.diff(y)) > top - bottom] = np.nan
        axes.set_ylim(bottom, top)
axes.plot(x, y)
axes.set_xlim(low, high)
axes.axhline(0, color="gray", linewidth=0.8)
axes.axvline(0, color="gray", linewidth=0.8)
axes.grid(alpha=0.3)
axes.set_title({title}, parse_math=False)
axes.set_xlabel({across}, parse_math=False)
axes.set_ylabel({up}, parse_math=False)
figure.savefig("{picture}", dpi=120)
print(json.dumps({{"points": int(drawn.size), "is_cut": is_cut}}))
'''


def range_of(low: Node | None, high: Node | None) -> tuple[Node, Node]:
    """Return the ends of the range: those that were written, else -10 and 10."""
    return (low, high) if low and high else _USUAL_RANGE


def undrawable(formula: Node) -> list[str]:
    """Return the parts of a formula for which there is nothing in the tables."""
    return [plain(part) for part in walk(formula) if not _is_known(part)]


def title_of(problem: Problem) -> str:
    """Return what is drawn: ``y = x^2 - 3*x``."""
    return f"{_value_name(problem.variables[0])} = {plain(problem.formulas[0])}"


def program_of(problem: Problem) -> str:
    """Return the program. The formula and the range were seen to be drawable."""
    low, high = (_written(end) for end in range_of(problem.low, problem.high))
    (formula,), (name,) = problem.formulas, problem.variables
    return _PROGRAM.format(
        low=low,
        high=high,
        formula=_written(formula),
        title=json.dumps(title_of(problem)),
        across=json.dumps(name),
        up=json.dumps(_value_name(name)),
        picture=PICTURE,
    )


def _value_name(variable: str) -> str:
    return "f(y)" if variable == "y" else "y"


def _is_known(part: Node) -> bool:
    if part.head == "num":
        return math.isfinite(float(part.text))
    if part.head == "const":
        return part.text in _NAMES
    # A log without its base is asked about before anything is drawn.
    return part.head == "sym" or part.head in _SUMS or part.head in _PARTS or (part.head == "call" and part.text in _CALLS)


def _written(node: Node) -> str:
    """Write a part of the formula in Python."""
    if node.head == "num":
        return repr(float(node.text))
    if node.head == "sym":
        return "x"
    if node.head == "const":
        return _NAMES[node.text]
    if node.head in _SUMS:
        left, right = node.args
        return _SUMS[node.head].format(_written(left), _inside(right))
    form = _CALLS[node.text] if node.head == "call" else _PARTS[node.head]
    write = _inside if node.head in ("mul", "neg") else _written
    return form.format(*map(write, node.args))


def _inside(node: Node) -> str:
    """Write a part in brackets where another sign would take it apart."""
    return f"({_written(node)})" if node.head in (*_SUMS, "neg") else _written(node)
