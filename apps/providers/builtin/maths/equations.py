"""Equations in one unknown: exact where SymPy can, numeric where it cannot and then said to be, always substituted back."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import is_close, number_of, residual, samples
from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve, NeedsDomain
from apps.providers.builtin.maths.scan import real_zeros
from apps.providers.builtin.syntax import Node, letters

_LONGEST_ROOT = 60
"""Operations in a root in radicals; longer ones are shown as numbers."""
_MOST_ZEROS, _LARGEST_DEGREE = 20, 100
# What SymPy 1.14 raises where it knows no method.
_NO_METHOD = (NotImplementedError, ValueError, TypeError, KeyError, AttributeError, RecursionError)


@dataclass(slots=True)
class Roots:
    """The solutions of one equation in one unknown.

    `values` are SymPy numbers, each once; `families` are solutions in the integer parameter n. `is_all`: every number for
    which the equation is defined solves it. `excluded` are zeros of a denominator. `way` names how they were found, and
    `facts` what the way showed (factors, discriminant).
    """

    values: list[Any] = field(default_factory=list)
    families: list[Any] = field(default_factory=list)
    is_numeric: bool = False
    is_all: bool = False
    multiplicities: dict[Any, int] = field(default_factory=dict)
    excluded: list[Any] = field(default_factory=list)
    way: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


N = sympy.Symbol("n", integer=True)


def solve_equation(equation: Node, name: str, domain: str) -> Roots:
    """Solve an equation without other letters over the given domain: real, complex, or "" (asks if they differ).

    Raises CannotSolve, NeedsDomain.
    """
    left, right = (build(side) for side in equation.args)
    unknown = letter(name)
    numerator, denominator = sympy.fraction(sympy.together(left - right))
    if not any(part.has(sympy.Abs) for part in (numerator, denominator)):
        numerator = sympy.expand(numerator)
        if numerator.is_polynomial(unknown) and denominator.is_polynomial(unknown):
            return _algebraic(equation, unknown, numerator, denominator, domain)
    return complex_transcendental(equation, name) if domain == "complex" else real_transcendental(equation, name)


# --- polynomials and fractions of polynomials --------------------------------------------------------
def _algebraic(equation: Node, unknown: Any, numerator: Any, denominator: Any, domain: str) -> Roots:
    polynomial = sympy.Poly(numerator, unknown)
    if polynomial.is_zero:
        return Roots(is_all=True, excluded=_denominator_zeros(equation, unknown.name), way="identity")
    roots = _polynomial_roots(polynomial)
    roots.facts["polynomial"] = polynomial
    roots.excluded = [value for value in roots.values if not _is_defined(equation, unknown.name, value)]
    roots.values = [value for value in roots.values if value not in roots.excluded]
    if not all(_solves(equation, unknown.name, value) for value in roots.values):
        raise CannotSolve("check_failed")
    real = [value for value in roots.values if value.is_real]
    if domain == "" and len(real) != len(roots.values):
        raise NeedsDomain
    roots.values = sorted(real, key=lambda value: value.evalf()) if domain != "complex" else sorted(roots.values, key=_by_parts)
    return roots


def _by_parts(value: Any) -> tuple[float, float]:
    real, imaginary = value.as_real_imag()
    return round(float(real), 9), float(imaginary)


def _denominator_zeros(equation: Node, name: str) -> list[Any]:
    found: list[Any] = []
    for divisor in divisors(equation):
        if name in letters(divisor):
            found += solve_equation(Node("rel", (divisor, Node("num", text="0")), "="), name, "complex").values
    return list(dict.fromkeys(found))


def divisors(node: Node) -> list[Node]:
    """Return every formula in the tree by which something is divided."""
    found = [part for child in node.args for part in divisors(child)]
    if node.head == "div":
        found.append(node.args[1])
    if node.head == "pow" and node.args[1].head == "neg":
        found.append(node.args[0])
    return found


def _polynomial_roots(polynomial: Any) -> Roots:
    roots = Roots(way={1: "linear", 2: "quadratic"}.get(polynomial.degree(), "polynomial"))
    if polynomial.degree() <= 0:
        roots.way = "contradiction"
        return roots
    if polynomial.degree() > _LARGEST_DEGREE:
        raise CannotSolve("degree")
    _, factors = polynomial.factor_list()
    roots.facts["factors"] = factors
    for factor, multiplicity in factors:
        for value in _factor_roots(factor, roots):
            roots.values.append(value)
            roots.multiplicities[value] = multiplicity
    return roots


def _factor_roots(factor: Any, roots: Roots) -> list[Any]:
    found = sympy.roots(factor, multiple=True) if factor.degree() <= 4 or len(factor.terms()) == 2 else []
    found = [sympy.simplify(value) if value.count_ops() < _LONGEST_ROOT else value for value in found]
    if len(found) == factor.degree() and all(_is_short(value) for value in found):
        return list(found)
    roots.is_numeric = True
    return _numeric_roots(factor)


def _is_short(value: Any) -> bool:
    """Say whether a root is worth showing: short, clearly real or not, and no real number by way of complex ones."""
    return value.count_ops() < _LONGEST_ROOT and value.is_real is not None and not (value.is_real and value.has(sympy.I))


def _numeric_roots(factor: Any) -> list[Any]:
    """Return the roots as numbers. How many are real is counted exactly, not guessed from small imaginary parts."""
    numbers = sorted(factor.nroots(n=30, maxsteps=200), key=lambda value: abs(sympy.im(value)))
    count = (
        factor.count_roots()
        if factor.get_domain().is_Exact and (factor.get_domain().is_QQ or factor.get_domain().is_ZZ)
        else None
    )
    if count is None:
        count = sum(bool(abs(sympy.im(value)) < sympy.Float("1e-20")) for value in numbers)
    return [sympy.re(value) for value in numbers[:count]] + numbers[count:]


def _is_defined(equation: Node, name: str, value: Any) -> bool:
    """Say whether no denominator is zero there."""
    zeros = (evaluate(divisor, {name: number_of(value)}, real=False) for divisor in divisors(equation))
    return not any(is_close(zero, 0, 20) for zero in zeros)


def _solves(equation: Node, name: str, value: Any) -> bool:
    """Substitute a value into the equation as it was read."""
    number = number_of(value)
    try:
        return residual(equation, {name: number}, real=not isinstance(number, mpmath.mpc))[1]
    except Undefined:
        return False


# --- everything else, over the real numbers ------------------------------------------------------------
def real_transcendental(equation: Node, name: str) -> Roots:
    """Solve over the real numbers: SymPy's exact solutions if no other zero shows up in a scan, else the scan's zeros."""
    if _is_identity(equation):
        return Roots(is_all=True, way="identity")
    if sum(_solves(equation, name, sympy.Rational(str(values[name]))) for values in samples((name,))) > 1:
        # A whole range of solutions, such as ln(x^2) = 2 ln(x) has.
        raise CannotSolve("range_of_solutions")
    exact = _exact_real(equation, name)
    scanned = real_zeros(equation, name)
    if exact is not None and all(_is_among(zero, exact) for zero in scanned):
        return exact
    return _numeric(equation, name, scanned)


def numeric_roots(equation: Node, name: str) -> Roots:
    """Find real solutions by numbers alone, where the exact way took too long. Raises CannotSolve."""
    return _numeric(equation, name, real_zeros(equation, name))


def _numeric(equation: Node, name: str, scanned: list[Any]) -> Roots:
    if not scanned or len(scanned) > _MOST_ZEROS:
        raise CannotSolve("no_closed_form")
    values = [_rounded(equation, name, zero) for zero in scanned]
    return Roots(values=values, is_numeric=True, way="scan")


def _rounded(equation: Node, name: str, zero: Any) -> Any:
    """Return the simple fraction next to a numeric zero if it solves the equation, else the zero."""
    fraction = sympy.Rational(*(Fraction(str(zero)).limit_denominator(1000)).as_integer_ratio())
    is_near = abs(zero - number_of(fraction)) < mpmath.mpf(10) ** -6
    return fraction if is_near and _solves(equation, name, fraction) else sympy.Float(zero, 30)


def _is_identity(equation: Node) -> bool:
    left, right = (build(side, real=frozenset(letters(equation))) for side in equation.args)
    return bool(sympy.simplify(left - right) == 0)


def _is_among(zero: Any, roots: Roots) -> bool:
    """Say whether a zero that was found by numbers is one of the exact solutions."""
    if any(is_close(zero, number_of(value), 8) for value in roots.values):
        return True
    for family in roots.families:
        start, period = number_of(family.subs(N, 0)), number_of(family.subs(N, 1) - family.subs(N, 0))
        if is_close((zero - start) / period, mpmath.nint((zero - start) / period), 8):
            return True
    return False


def _exact_real(equation: Node, name: str) -> Roots | None:
    unknown = letter(name, real=frozenset((name,)))
    left, right = (build(side, real=frozenset((name,))) for side in equation.args)
    try:
        found = sympy.solveset(sympy.Eq(left, right, evaluate=False), unknown, sympy.S.Reals)
        roots = _from_set(found, equation, name, real=True)
        # An empty list of solve's means "none", or "I do not know": only what it finds counts.
        values = [] if roots else sympy.solve(left - right, unknown)
        return _from_set(sympy.FiniteSet(*values), equation, name, real=True) if values else roots
    except _NO_METHOD:
        return None


def _from_set(found: Any, equation: Node, name: str, *, real: bool) -> Roots | None:
    roots = Roots(way="isolate")
    for part in found.args if isinstance(found, sympy.Union) else [found]:
        if isinstance(part, sympy.FiniteSet):
            roots.values += [sympy.simplify(value) for value in part]
        elif isinstance(part, sympy.ImageSet) and part.base_sets == (sympy.S.Integers,):
            roots.families.append(sympy.expand(sympy.simplify(part.lamda(N))))
        elif part is not sympy.S.EmptySet:
            return None
    if any(not value.is_number or (real and not value.is_real) for value in roots.values):
        return None
    roots.values = [value for value in dict.fromkeys(roots.values) if _solves(equation, name, value)]
    roots.values.sort(key=_by_parts)
    is_right = all(_solves(equation, name, family.subs(N, n)) for family in roots.families for n in (-2, -1, 0, 1, 3))
    return roots if is_right else None


def complex_transcendental(equation: Node, name: str) -> Roots:
    """Solve over the complex numbers, exactly or not at all."""
    left, right = (build(side) for side in equation.args)
    try:
        found = sympy.solveset(sympy.Eq(left, right, evaluate=False), letter(name), sympy.S.Complexes)
    except _NO_METHOD:
        found = None
    roots = None if found is None else _from_set(found, equation, name, real=False)
    if roots is None:
        raise CannotSolve("complex_not_supported")
    return roots
