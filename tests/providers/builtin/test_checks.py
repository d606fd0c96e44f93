"""Results are verified by something that did not make them: a wrong one is caught, and not given."""

import mpmath
import pytest
import sympy

from apps.providers.builtin.lexer import tokens_of
from apps.providers.builtin.maths import algebra, calculus, equations, extrema, inequalities, numbers
from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.names import formula_tokens
from apps.providers.builtin.parser import parse

X = sympy.Symbol("x")


def tree(text):
    """Return the tree of a formula."""
    return parse(formula_tokens(tokens_of(text)))


def test_a_wrong_derivative_is_caught(monkeypatch):
    monkeypatch.setattr(calculus.sympy, "diff", lambda expression, *_: expression)
    with pytest.raises(CannotSolve, match="check_failed"):
        calculus.differentiate(tree("x^3"), "x", 1, None)


def test_a_wrong_antiderivative_is_caught(monkeypatch):
    monkeypatch.setattr(calculus.sympy, "integrate", lambda expression, *_: expression)
    with pytest.raises(CannotSolve, match="check_failed"):
        calculus.integrate(tree("x^3"), "x", None, None)


def test_a_wrong_definite_integral_is_caught(monkeypatch):
    monkeypatch.setattr(calculus.sympy, "integrate", lambda *_: sympy.Integer(1))
    with pytest.raises(CannotSolve, match="check_failed"):
        calculus.integrate(tree("x^3"), "x", tree("0"), tree("1"))


def test_a_wrong_limit_is_caught(monkeypatch):
    monkeypatch.setattr(calculus, "approached", lambda *_: sympy.Integer(2))
    with pytest.raises(CannotSolve, match="check_failed"):
        calculus.limit(tree("lim x→0 sin(x)/x"))


def test_a_wrong_factorisation_is_caught(monkeypatch):
    monkeypatch.setattr(algebra.sympy, "factor", lambda expression: expression + 1)
    with pytest.raises(CannotSolve, match="check_failed"):
        algebra.rewrite(tree("x^2-1"), "factor")


def test_wrong_roots_are_caught(monkeypatch):
    monkeypatch.setattr(equations.sympy, "roots", lambda factor, **_: [sympy.Integer(7)] * factor.degree())
    with pytest.raises(CannotSolve, match="check_failed"):
        equations.solve_equation(tree("x^2-2=0"), "x", "real")


def test_a_missing_real_root_is_found_by_the_scan(monkeypatch):
    monkeypatch.setattr(equations.sympy, "solveset", lambda *_: sympy.FiniteSet(2))
    roots = equations.solve_equation(tree("2^x = x^2"), "x", "real")
    assert roots.is_numeric
    assert sorted(float(value) for value in roots.values) == pytest.approx([-0.7666646959, 2, 4])


def test_a_wrong_solution_set_is_caught():
    with pytest.raises(CannotSolve, match="check_failed"):
        inequalities.count_agreeing([tree("x^2 > 4")], "x", sympy.Interval.open(2, sympy.oo))


def test_a_wrong_prime_factorisation_is_caught(monkeypatch):
    monkeypatch.setattr(numbers.sympy, "factorint", lambda number: {number: 1})
    with pytest.raises(CannotSolve, match="check_failed"):
        numbers.prime_factors(tree("91"))


@pytest.mark.parametrize("number", [561, 1105, 6601, 3215031751, 3825123056546413051, 2**61 - 1, 10**18 + 9, 997 * 1009])
def test_primality_agrees_with_sympy_on_numbers_that_fool_weak_tests(number):
    assert numbers._is_prime(number) == sympy.isprime(number)


def test_a_missing_critical_point_is_caught(monkeypatch):
    monkeypatch.setattr(extrema.Function, "critical_points", lambda self: [])
    with pytest.raises(CannotSolve, match="check_failed"):
        extrema.extremes(tree("4-x^2"), "x", "maximum", tree("[-2, 2]"))


# --- values straight from the tree -----------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["1/0", "ln(0)", "ln(-1)", "sqrt(-1)", "(-8)^(1/3)", "0^0", "tan(x)/0", "asin(2)", "2.5!", "y"])
def test_formulas_without_a_real_value_are_undefined(text):
    with pytest.raises(Undefined):
        evaluate(tree(text), {"x": mpmath.mpf(1)})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("∛(-8)", -2),
        ("(-2)^3", -8),
        ("-7 mod 3", 2),
        ("30°", mpmath.pi / 6),
        ("15%", mpmath.mpf(3) / 20),
        ("gcd(12, 18)", 6),
        ("lcm(4, 6)", 12),
    ],
)
def test_values_follow_school_conventions(text, value):
    assert mpmath.almosteq(evaluate(tree(text), {}), value)


def test_complex_values_are_there_when_asked_for():
    assert evaluate(tree("sqrt(-4)"), {}, real=False) == mpmath.mpc(0, 2)


# --- conventions that were measured as traps ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ln(x^2) = 2ln(x)", "range_of_solutions"),
        ("|x-1|+|x+2| = 3", "range_of_solutions"),
        ("x^101 = 1", "degree"),
    ],
)
def test_equations_out_of_reach_are_refused(text, reason):
    with pytest.raises(CannotSolve, match=reason):
        equations.solve_equation(tree(text), "x", "real")


@pytest.mark.parametrize("text", ["sin(x)^2 + cos(x)^2 = 1", "x/x = 1", "(x^2-1)/(x-1) = x+1"])
def test_identities_are_known(text):
    assert equations.solve_equation(tree(text), "x", "real").is_all


def test_a_zero_of_high_order_is_exact():
    assert equations.solve_equation(tree("sin(x) = x"), "x", "real").values == [0]


@pytest.mark.parametrize("bounds", [("-1", "1"), ("0", "1"), ("1", "∞")])
def test_a_divergent_integral_has_no_value(bounds):
    with pytest.raises(CannotSolve):
        calculus.integrate(tree("1/x"), "x", *map(tree, bounds))
