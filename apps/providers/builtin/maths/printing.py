"""SymPy's results in writing: plain text, LaTeX, and the decimal form."""

from dataclasses import asdict, dataclass
from typing import Any

import mpmath
import sympy
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

DIGITS = 12
"""Significant digits of decimal forms."""
# Rounding once only: a value that was rounded to 12 digits before would be rounded a second time.
_WORKING_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Written:
    """One formula in writing.

    `decimal` is the whole of it with decimals, `value` the ending ``≈ 0.333`` that can follow the exact form; both are empty
    if there is nothing to add. `terminates` says whether the exact value is a finite decimal: then nothing is lost.
    """

    plain: str
    latex: str
    decimal: str = ""
    value: str = ""
    terminates: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return it for the server."""
        return asdict(self)


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

    def _print_exp(self, expression: Any) -> str:
        power = expression.args[0]
        return f"e^{self._print(power)}" if power.is_Symbol or (power.is_Integer and power >= 0) else f"e^({self._print(power)})"

    def _print_Pow(self, expression: Any, rational: bool = False) -> str:
        if expression.exp.is_Rational and expression.exp.is_negative and expression.exp != -sympy.S.Half:
            return f"1/{self.parenthesize(1 / expression, PRECEDENCE['Pow'], strict=True)}"
        return str(super()._print_Pow(expression, rational))

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
    real, imaginary = (sympy.N(part, _WORKING_DIGITS) for part in value.as_real_imag())
    if abs(imaginary) < sympy.Float("1e-30"):
        return _trimmed(real)
    if abs(real) < sympy.Float("1e-30"):
        return f"{_trimmed(imaginary)}i"
    sign = "-" if imaginary < 0 else "+"
    return f"{_trimmed(real)} {sign} {_trimmed(abs(imaginary))}i"


def _trimmed(value: Any) -> str:
    return number_text(mpmath.mpf(sympy.Float(value, _WORKING_DIGITS)._mpf_))


def number_text(number: Any, digits: int = DIGITS) -> str:
    """Write a number of mpmath's, without trailing zeros; a complex one only if its imaginary part counts."""
    if isinstance(number, mpmath.mpc):
        number = mpmath.chop(number, mpmath.mpf(10) ** -digits)
    if isinstance(number, mpmath.mpc):
        sign = "-" if number.imag < 0 else "+"
        return f"{number_text(number.real, digits)} {sign} {number_text(abs(number.imag), digits)}i"
    text = mpmath.nstr(number, digits, min_fixed=-7, max_fixed=digits + 3)
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa.removesuffix('.0')}*10^{int(exponent)}" if mark else mantissa.removesuffix(".0")


def terminates(value: Any) -> bool:
    """Say whether the value is an integer or a finite decimal of at most 12 digits."""
    return all(part.is_Rational and _is_decimal(part) for part in value.as_real_imag())


def _is_decimal(value: Any) -> bool:
    rest = int(value.q)
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and len(str(value.q)) <= DIGITS


def write_value(value: Any) -> Written:
    """Write a number or an expression; a number that is not whole gets its decimal form."""
    if value.free_symbols or not value.is_finite or all(part.is_Integer for part in value.as_real_imag()):
        return Written(plain(value), latex(value))
    number, is_exact = decimal(value), terminates(value)
    return Written(plain(value), latex(value), number, f"{'=' if is_exact else '≈'} {number}", is_exact)


def write_solution(name: str, value: Any) -> Written:
    """Write ``x = value``."""
    written = write_value(value)
    form = f"{name} {written.value}" if written.value else ""
    return Written(
        f"{name} = {written.plain}", f"{latex(sympy.Symbol(name))} = {written.latex}", form, written.value, written.terminates
    )


def write_number(name: str, value: Any) -> Written:
    """Write ``x ≈ value`` for a value that is only known numerically."""
    text = decimal(value)
    return Written(f"{name} ≈ {text}", rf"{latex(sympy.Symbol(name))} \approx {text.replace('*10^', r' \cdot 10^')}")
