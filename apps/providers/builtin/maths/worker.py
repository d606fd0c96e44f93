"""The worker's door: one job in, one outcome out. Imported by the worker process only."""

import random
from collections.abc import Callable
from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths import algebra, calculus, extrema, numbers, plots, solving
from apps.providers.builtin.maths.numeric import PRECISION, Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, NeedsDomain, Outcome
from apps.providers.builtin.syntax import Node, from_json


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Do a job (Problem.to_job with `domain` and `is_numeric`); equal jobs give equal outcomes."""
    # SymPy tries random numbers here and there.
    random.seed(0)
    sympy.core.random.seed(0)
    mpmath.mp.dps = PRECISION
    try:
        return _METHODS[job["task"]](_Job(job)).to_json()
    except CannotSolve as refusal:
        return {"status": "cannot", "reason": refusal.reason}
    except NeedsDomain:
        return {"status": "domain"}
    except Undefined:
        return {"status": "cannot", "reason": "undefined"}


class _Job:
    """A job with its trees."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.task: str = job["task"]
        self.formulas: list[Node] = [from_json(formula) for formula in job["formulas"]]
        self.variables: list[str] = job["variables"]
        self.order: int = job["order"]
        self.domain: str = job["domain"]
        self.is_numeric: bool = job["is_numeric"]
        self.low, self.high, self.interval, self.point = (
            None if job[name] is None else from_json(job[name]) for name in ("low", "high", "interval", "point")
        )

    @property
    def formula(self) -> Node:
        return self.formulas[0]

    @property
    def name(self) -> str:
        return self.variables[0]


_METHODS: dict[str, Callable[[_Job], Outcome]] = {
    "solve": lambda job: solving.solve(job.formulas, job.variables, job.domain, job.interval, job.is_numeric),
    "statement": lambda job: algebra.state(job.formula),
    "compute": lambda job: algebra.compute(job.formula, job.domain),
    "factor": lambda job: algebra.rewrite(job.formula, job.task),
    "expand": lambda job: algebra.rewrite(job.formula, job.task),
    "simplify": lambda job: algebra.rewrite(job.formula, job.task),
    "prime_factors": lambda job: numbers.prime_factors(job.formula),
    "is_prime": lambda job: numbers.primality(job.formula),
    "gcd": lambda job: numbers.common(job.formulas, job.task),
    "lcm": lambda job: numbers.common(job.formulas, job.task),
    "remainder": lambda job: numbers.remainder(*job.formulas),
    "derivative": lambda job: calculus.differentiate(job.formula, job.name, job.order, job.point),
    "integral": lambda job: calculus.integrate(job.formula, job.name, job.low, job.high),
    "limit": lambda job: calculus.limit(job.formula),
    "maximum": lambda job: extrema.extremes(job.formula, job.name, job.task, job.interval),
    "minimum": lambda job: extrema.extremes(job.formula, job.name, job.task, job.interval),
    "extremes": lambda job: extrema.extremes(job.formula, job.name, job.task, job.interval),
    "plot": lambda job: plots.describe(job.formula, job.name, job.low, job.high, job.is_numeric),
    "local_extrema": lambda job: extrema.extremes(job.formula, job.name, job.task, job.interval),
}


def _warm_up() -> None:
    """Use the slow corners once, before the first job waits for them."""
    x = sympy.Symbol("x")
    sympy.integrate(sympy.sin(x) * x, x)
    sympy.solveset(x**2 - 2, x, sympy.S.Reals)


_warm_up()
