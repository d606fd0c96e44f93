"""The task "solve": one unknown or several, equations and inequalities, with steps and substitution back."""

from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import check_same, is_close, number_of, value_of_tree
from apps.providers.builtin.maths.equations import Roots, numeric_roots, solve_equation
from apps.providers.builtin.maths.inequalities import count_agreeing, solution_set
from apps.providers.builtin.maths.numeric import evaluate
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.parametric import solve_parametric
from apps.providers.builtin.maths.printing import Written, decimal, latex, number_text, plain, write_number, write_solution
from apps.providers.builtin.maths.ranges import as_relations, interval_set, is_in, members_in, write_set
from apps.providers.builtin.maths.systems import solve_system
from apps.providers.builtin.syntax import Node, is_relation, letters

_SHORT = 24
"""Operations in a value that is still shown in a check; longer ones are shown with decimals."""


def solve(formulas: list[Node], variables: list[str], domain: str, interval: Node | None, is_numeric: bool) -> Outcome:
    """Solve relations for the unknowns; `is_numeric`: one equation by numbers alone. Raises CannotSolve, NeedsDomain."""
    if len(variables) > 1:
        return solve_system(formulas, variables, domain)
    (name,) = variables
    if set(letters(*formulas)) - {name}:
        return solve_parametric(formulas, name, interval)
    if interval is not None and domain == "complex":
        raise CannotSolve("order_needs_reals")
    if len(formulas) != 1 or not is_relation(formulas[0], "=") or len(formulas[0].args) != 2:
        return _real_set(formulas, name, domain, interval)
    (equation,) = formulas
    real_domain = "real" if interval is not None else domain
    roots = numeric_roots(equation, name) if is_numeric else solve_equation(equation, name, real_domain)
    return _one_equation(equation, name, domain, interval, roots)


# --- one equation ----------------------------------------------------------------------------------
def _one_equation(equation: Node, name: str, domain: str, interval: Node | None, roots: Roots) -> Outcome:
    outcome = Outcome()
    _explain(outcome, roots, name)
    where = interval_set(interval, name)
    if roots.is_all:
        return _identity(outcome, equation, roots, where)
    values = [value for value in [*roots.values, *members_in(roots.families, where)] if where is None or is_in(where, value)]
    if where is not None:
        values.sort(key=lambda value: value.evalf())
        outcome.note("interval", interval=latex(where))
    families = roots.families if where is None else []
    outcome.parts = [_written(name, value, roots) for value in values] + [write_solution(name, family) for family in families]
    outcome.short = _plus_minus(name, values) if not families else None
    _note(outcome, roots, name, domain, families)
    _check(outcome, equation, name, values, families, roots)
    if not outcome.parts:
        outcome.words = "no_solution" if domain == "complex" else "no_real_solution"
    return outcome


def _written(name: str, value: Any, roots: Roots) -> Written:
    return write_number(name, value) if value.has(sympy.Float) else write_solution(name, value)


def _identity(outcome: Outcome, equation: Node, roots: Roots, where: Any) -> Outcome:
    if where is not None:
        raise CannotSolve("not_supported")
    outcome.words = "all_but" if roots.excluded else "all_numbers"
    outcome.values = {"name": letters(equation)[0], "excluded": ", ".join(plain(value) for value in roots.excluded)}
    left, right = map(value_of_tree, equation.args)
    outcome.check("identity", count=str(check_same(letters(equation), left, right)))
    return outcome


def _explain(outcome: Outcome, roots: Roots, name: str) -> None:
    way, polynomial = roots.way, roots.facts.get("polynomial")
    if polynomial is not None:
        outcome.step("one_side", formula=f"{latex(polynomial.as_expr())} = 0")
        if sum(multiplicity for _, multiplicity in roots.facts.get("factors", [])) > 1:
            outcome.step("factor", formula=f"{latex(sympy.factor(polynomial.as_expr()))} = 0")
            way = "polynomial"
        elif way == "quadratic":
            outcome.step("discriminant", formula=f"D = {latex(polynomial.discriminant())}")
    outcome.step(f"way_{'numeric' if roots.is_numeric and way != 'scan' else way}", name=name)


def _note(outcome: Outcome, roots: Roots, name: str, domain: str, families: list[Any]) -> None:
    if families:
        outcome.note("any_integer", name="n")
    if roots.is_numeric and any(value.has(sympy.Float) for value in roots.values):
        outcome.note("numeric_scan" if roots.way == "scan" else "numeric")
    if roots.way in ("isolate", "scan") and domain != "complex":
        outcome.note("over_reals")
    for value in roots.excluded:
        outcome.note("excluded", solution=f"{name} = {latex(value)}")
    for value, multiplicity in roots.multiplicities.items():
        if multiplicity > 1 and value in roots.values:
            outcome.note("multiple", solution=f"{name} = {latex(value)}", count=str(multiplicity))


def _check(outcome: Outcome, equation: Node, name: str, values: list[Any], families: list[Any], roots: Roots) -> None:
    """Say what was verified: every value was substituted when it was found; here both sides are shown."""
    for value in values:
        left, right = (_side(side, name, value) for side in equation.args)
        outcome.check(
            "substituted",
            solution=f"{latex(letter(name))} {'≈' if value.has(sympy.Float) else '='} {_shown(value)}",
            left=left,
            right=right,
        )
    for family in families:
        outcome.check("substituted_family", solution=f"{latex(letter(name))} = {latex(family)}")
    polynomial = roots.facts.get("polynomial")
    if polynomial is not None and (polynomial.degree() > 1 or not values):
        outcome.check("degree", degree=str(polynomial.degree()))
    elif roots.way in ("isolate", "scan"):
        outcome.check("scanned")


def _side(side: Node, name: str, value: Any) -> str:
    """Write one side's value: exactly if that is short and what the tree itself gives, else with decimals."""
    number = number_of(value)
    from_tree = evaluate(side, {name: number}, real=not isinstance(number, mpmath.mpc))
    if not value.has(sympy.Float):
        exact = sympy.simplify(build(side).subs(letter(name), value))
        if exact.count_ops() <= _SHORT and is_close(number_of(exact), from_tree):
            return latex(exact)
    return number_text(mpmath.chop(from_tree, mpmath.mpf(10) ** -15))


def _shown(value: Any) -> str:
    return decimal(value) if value.has(sympy.Float) else latex(value)


def _plus_minus(name: str, values: list[Any]) -> Written | None:
    """Return ``x = ±a`` for two opposite values, and ``x = a ± b`` for two that differ in the sign of one term."""
    if len(values) != 2 or any(value.has(sympy.Float) for value in values):
        return None
    centre, half = sympy.simplify(sum(values) / 2), sympy.simplify((values[1] - values[0]) / 2)
    if half.could_extract_minus_sign():
        half = -half
    if centre != 0:
        return None
    sign = "" if half.is_Atom or half.is_Mul or half.is_Pow else "("
    return Written(f"{name} = ±{sign}{plain(half)}{')' if sign else ''}", rf"{latex(letter(name))} = \pm {latex(half)}")


# --- inequalities, and several relations in one unknown ------------------------------------------------
def _real_set(formulas: list[Node], name: str, domain: str, interval: Node | None) -> Outcome:
    if domain == "complex":
        raise CannotSolve("order_needs_reals")
    relations = formulas if interval is None else [*formulas, *as_relations(interval, name)]
    found: Any = sympy.S.Reals
    for relation in relations:
        found = found.intersect(solution_set(relation, name))
    outcome = Outcome(join="or")
    outcome.step("borders")
    outcome.check("sampled", count=str(count_agreeing(relations, name, found)))
    write_set(outcome, found, name)
    return outcome
