"""A function of one variable on an interval: its values, where it may be extreme, what happens at open ends."""

from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.approach import approached
from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import number_of
from apps.providers.builtin.maths.equations import divisors, solve_equation
from apps.providers.builtin.maths.inequalities import edges, solution_set
from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.maths.ranges import interval_set, members_in
from apps.providers.builtin.maths.trees import tree_of
from apps.providers.builtin.syntax import Node, letters, number, walk

_MOST_BARS = 3


class Function:
    """A function on its natural domain within the interval. Raises CannotSolve where its shape is out of reach."""

    def __init__(self, formula: Node, name: str, interval: Node | None) -> None:
        if set(letters(formula)) - {name}:
            raise CannotSolve("parametric")
        self.formula, self.name, self.unknown = formula, name, letter(name)
        self.expression = build(formula)
        self.domain = self._domain(interval)
        self.low, self.high = self.domain.start, self.domain.end

    def _domain(self, interval: Node | None) -> Any:
        domain: Any = sympy.S.Reals if interval is None else interval_set(interval, self.name)
        for part in walk(self.formula):
            if part.head == "call" and part.text in ("sqrt", "ln", "log") and self.name in letters(part):
                sign = ">=" if part.text == "sqrt" else ">"
                domain = domain.intersect(solution_set(Node("rel", (part.args[0], number(0)), sign), self.name))
        domain = sympy.Interval(-sympy.oo, sympy.oo) if domain is sympy.S.Reals else domain
        if not isinstance(domain, sympy.Interval):
            raise CannotSolve("bad_interval")
        return domain

    def contains(self, point: Any) -> bool:
        """Say whether a point is in the domain."""
        return bool(self.domain.contains(point) == sympy.true)

    def value(self, point: Any) -> Any:
        """Return the value as a number, from the formula as it was read. Raises Undefined."""
        return evaluate(self.formula, {self.name: point if isinstance(point, mpmath.mpf) else number_of(point)})

    def exact(self, point: Any) -> Any:
        """Return the exact value."""
        return sympy.simplify(self.expression.subs(self.unknown, point))

    def derivative(self) -> Any:
        """Return the derivative in its simplest form, for people."""
        real = letter(self.name, real=frozenset((self.name,)))
        return sympy.factor(sympy.simplify(sympy.diff(build(self.formula, real=frozenset((self.name,))), real)))

    def poles(self) -> list[Any]:
        """Return the zeros of denominators in the domain; at an open end a limit says what happens."""
        return [zero for divisor in divisors(self.formula) for zero in self._zeros(divisor) if self.contains(zero)]

    def critical_points(self) -> list[Any]:
        """Return where the derivative is zero or the function has a corner, in the domain, ascending."""
        bars = [part.args[0] for part in walk(self.formula) if part.head == "abs"]
        found = [zero for corner in (*bars, *edges(self.formula)) for zero in self._zeros(corner)]
        for form in self._without_bars():
            found += self._zeros(tree_of(sympy.together(sympy.diff(form, self.unknown))))
        inside = [point for point in dict.fromkeys(found) if self.contains(point) and self._has_value(point)]
        return sorted(inside, key=lambda point: float(number_of(point)))

    def _without_bars(self) -> list[Any]:
        """Replace each absolute value by its argument with either sign: between the corners one of these is the function."""
        bars = self.expression.atoms(sympy.Abs)
        if len(bars) > _MOST_BARS:
            raise CannotSolve("not_supported")
        forms = [self.expression]
        for bar in bars:
            forms = [form.subs(bar, sign * bar.args[0]) for form in forms for sign in (1, -1)]
        return forms

    def _zeros(self, node: Node) -> list[Any]:
        if self.name not in letters(node):
            return []
        roots = solve_equation(Node("rel", (node, number(0)), "="), self.name, "real")
        if roots.is_all or (roots.is_numeric and roots.way == "scan"):
            raise CannotSolve("no_closed_form")
        return [*roots.values, *members_in(roots.families, self.domain)]

    def _has_value(self, point: Any) -> bool:
        try:
            self.value(point)
        except Undefined:
            return False
        return True

    def open_end_values(self) -> list[Any]:
        """Return the limits at those ends that do not belong to the domain. Raises CannotSolve."""
        found = [approached(self.expression, self.unknown, self.low, "+")] if self.domain.left_open else []
        found += [approached(self.expression, self.unknown, self.high, "-")] if self.domain.right_open else []
        if not all(value.is_extended_real for value in found):
            raise CannotSolve("no_limit_found")
        return found

    def closed_ends(self) -> list[Any]:
        """Return the ends that belong to the domain."""
        return [end for end in (self.low, self.high) if end.is_finite and self.contains(end)]

    def grid(self, count: int) -> list[tuple[Any, Any]]:
        """Return points all over the domain (±50 where it has no end) with the values there."""
        low = number_of(self.low) if self.low.is_finite else mpmath.mpf(-50)
        high = number_of(self.high) if self.high.is_finite else max(low, mpmath.mpf(0)) + 50
        found = []
        for place in range(1, count):
            point = low + (high - low) * place / count
            try:
                found.append((point, self.value(point)))
            except Undefined:
                continue
        return found
