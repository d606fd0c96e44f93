"""SymPy's results in writing: plain text, LaTeX, and the decimal form."""

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

DIGITS = 12
"""Significant digits of decimal forms."""


@dataclass(frozen=True, slots=True)
class Written:
    """One formula in writing. `decimal` is its form with decimals, empty if it has none of its own; `terminates` says
    whether the exact value is a finite decimal (then both forms say the same)."""

    plain: str
    latex: str
    decimal: str = ""
    terminates: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return it for the server."""
        return {"plain": self.plain, "latex": self.latex, "decimal": self.decimal, "terminates": self.terminates}


class _Plain(StrPrinter):
    """SymPy's text, with the signs of people."""

    def _print_ImaginaryUnit(self, _: Any) -> str:
        return "i"

    def _print_Exp1(self, _: Any) -> str:
        return "e"

    def _print_Pi(self, _: Any) -> str:
        return "π"

    def _print_Infinity(self, _: Any) -> str:
        return "∞"

    def _print_NegativeInfinity(self, _: Any) -> str:
        return "-∞"

    def _print_log(self, expression: Any) -> str:
        return f"ln({self._print(expression.args[0])})"

    def _print_Abs(self, expression: Any) -> str:
        return f"|{self._print(expression.args[0])}|"


def plain(expression: Any) -> str:
    """Write an expression as text."""
    return str(_Plain({"order": None}).doprint(expression)).replace("**", "^")


def latex(expression: Any) -> str:
    """Write an expression in LaTeX."""
    return str(sympy.latex(expression, ln_notation=True))


def decimal(value: Any) -> str:
    """Write a number with decimals, 12 significant digits, without trailing zeros."""
    real, imaginary = (sympy.N(part, DIGITS) for part in sympy.sympify(value).as_real_imag())
    if abs(imaginary) < sympy.Float("1e-30"):
        return _trimmed(real)
    if abs(real) < sympy.Float("1e-30"):
        return f"{_trimmed(imaginary)}i"
    sign = "-" if imaginary < 0 else "+"
    return f"{_trimmed(real)} {sign} {_trimmed(abs(imaginary))}i"


def _trimmed(value: Any) -> str:
    text = sympy.Float(value, DIGITS)._sympystr(_Plain()) if value != 0 else "0"
    mantissa, mark, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}*10^{int(exponent)}" if mark else mantissa


def terminates(value: Any) -> bool:
    """Say whether the value is an integer or a finite decimal of at most 12 digits."""
    if not value.is_Rational:
        return False
    rest = int(value.q)
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and len(str(value.q)) <= DIGITS


def write_value(value: Any) -> Written:
    """Write a number or an expression; a number gets its decimal form."""
    if value.free_symbols or not value.is_finite:
        return Written(plain(value), latex(value))
    has_decimal = not value.is_Integer and value.is_number
    return Written(plain(value), latex(value), decimal(value) if has_decimal else "", terminates(value) or not has_decimal)


def write_solution(name: str, value: Any) -> Written:
    """Write ``x = value``."""
    written = write_value(value)
    letter = latex(sympy.Symbol(name))
    form = f"{name} ≈ {written.decimal}" if written.decimal else ""
    if written.decimal and written.terminates:
        form = f"{name} = {written.decimal}"
    return Written(f"{name} = {written.plain}", f"{letter} = {written.latex}", form, written.terminates)


def write_number(name: str, value: Any) -> Written:
    """Write ``x ≈ value`` for a value that is only known numerically."""
    text = decimal(value)
    return Written(f"{name} ≈ {text}", rf"{latex(sympy.Symbol(name))} \approx {text.replace('*10^', r' \cdot 10^')}", f"{name} ≈ {text}")
