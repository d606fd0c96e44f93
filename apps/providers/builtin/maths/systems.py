"""Systems of equations in several unknowns: linear ones completely, polynomial ones where the solutions are finitely many."""

from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import number_of, residual
from apps.providers.builtin.maths.numeric import Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, NeedsDomain, Outcome
from apps.providers.builtin.maths.printing import Written, latex, plain, write_solution
from apps.providers.builtin.syntax import Node, is_relation, letters

_LONGEST_VALUE = 60


def solve_system(formulas: list[Node], names: list[str], domain: str) -> Outcome:
    """Solve equations for all the unknowns. Raises CannotSolve, NeedsDomain."""
    if not all(is_relation(formula, "=") and len(formula.args) == 2 for formula in formulas):
        raise CannotSolve("system_of_inequalities")
    if set(letters(*formulas)) - set(names):
        raise CannotSolve("parametric")
    numerators = [_numerator(formula) for formula in formulas]
    unknowns = [letter(name) for name in names]
    if not all(numerator.is_polynomial(*unknowns) for numerator in numerators):
        raise CannotSolve("system_not_polynomial")
    outcome = Outcome()
    is_linear = all(sympy.Poly(numerator, *unknowns).total_degree() <= 1 for numerator in numerators)
    outcome.step("system_linear" if is_linear else "system_polynomial")
    found = _linear(numerators, unknowns) if is_linear else _polynomial(numerators, unknowns)
    return _outcome(outcome, formulas, names, found, domain)


def _numerator(formula: Node) -> Any:
    left, right = (build(side) for side in formula.args)
    return sympy.expand(sympy.fraction(sympy.together(left - right))[0])


def _linear(numerators: list[Any], unknowns: list[Any]) -> list[tuple[Any, ...]]:
    found = sympy.linsolve(numerators, *unknowns)
    return [tuple(map(sympy.simplify, values)) for values in found] if isinstance(found, sympy.FiniteSet) else []


def _polynomial(numerators: list[Any], unknowns: list[Any]) -> list[tuple[Any, ...]]:
    found = sympy.solve(numerators, *unknowns, dict=True)
    if any(set(solution) != set(unknowns) for solution in found):
        raise CannotSolve("infinitely_many")
    values = [tuple(sympy.simplify(solution[unknown]) for unknown in unknowns) for solution in found]
    if any(value.free_symbols or value.count_ops() > _LONGEST_VALUE for solution in values for value in solution):
        raise CannotSolve("no_closed_form")
    return values


def _outcome(outcome: Outcome, formulas: list[Node], names: list[str], found: list[tuple[Any, ...]], domain: str) -> Outcome:
    free = sorted({str(symbol) for values in found for value in values for symbol in value.free_symbols})
    kept = [values for values in found if free or _solves(formulas, names, values)]
    real = [values for values in kept if free or all(value.is_real for value in values)]
    if domain == "" and len(real) != len(kept):
        raise NeedsDomain
    chosen = kept if domain == "complex" else real
    outcome.join = "comma" if len(chosen) == 1 else "or"
    for values in sorted(
        chosen, key=lambda values: [str(value) for value in values] if free else [_key(value) for value in values]
    ):
        outcome.parts += _written(names, values, len(chosen) > 1)
        _check(outcome, formulas, names, values, free)
    if free:
        outcome.note("free", names=", ".join(free))
    if not found:
        _check_contradiction(outcome, formulas, names)
    if not chosen:
        outcome.words = "no_solution" if domain == "complex" or not found else "no_real_solution"
    return outcome


def _key(value: Any) -> tuple[float, float]:
    real, imaginary = value.as_real_imag()
    return float(real), float(imaginary)


def _written(names: list[str], values: tuple[Any, ...], in_one: bool) -> list[Written]:
    """Write one solution: unknown by unknown, or as one piece where there are several solutions."""
    parts = [write_solution(name, value) for name, value in zip(names, values, strict=True) if value != letter(name)]
    if not in_one:
        return parts
    plain_text = ", ".join(part.plain for part in parts)
    latex_text = r",\ ".join(part.latex for part in parts)
    decimal_text = ", ".join(part.decimal or part.plain for part in parts) if any(part.decimal for part in parts) else ""
    is_finite = all(part.terminates for part in parts)
    return [Written(f"({plain_text})", rf"\left({latex_text}\right)", decimal_text and f"({decimal_text})", terminates=is_finite)]


def _solves(formulas: list[Node], names: list[str], values: tuple[Any, ...]) -> bool:
    numbers = {name: number_of(value) for name, value in zip(names, values, strict=True)}
    is_real = not any(isinstance(number, mpmath.mpc) for number in numbers.values())
    try:
        return all(residual(formula, numbers, real=is_real)[1] for formula in formulas)
    except Undefined:
        return False


def _check(outcome: Outcome, formulas: list[Node], names: list[str], values: tuple[Any, ...], free: list[str]) -> None:
    pairs = dict(zip(map(letter, names), values, strict=True))
    sides = [tuple(sympy.simplify(build(side).subs(pairs)) for side in formula.args) for formula in formulas]
    if any(sympy.simplify(left - right) != 0 for left, right in sides):
        raise CannotSolve("check_failed")
    solution = ", ".join(f"{latex(letter(name))} = {latex(value)}" for name, value in zip(names, values, strict=True))
    shown = r",\ ".join(f"{latex(left)} = {latex(right)}" for left, right in sides)
    outcome.check("substituted_system", solution=solution, sides=shown)
    if free:
        outcome.values = {"free": plain(sympy.Symbol(free[0]))}


def _check_contradiction(outcome: Outcome, formulas: list[Node], names: list[str]) -> None:
    """Make sure that a system without solutions has none: 1 is a combination of its equations."""
    basis = sympy.groebner([_numerator(formula) for formula in formulas], *map(letter, names))
    if list(basis.exprs) != [1]:
        raise CannotSolve("check_failed")
    outcome.check("contradiction")
