"""What is to be computed: a task with its formulas, in which every part of the sentence is used, or a refusal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.frame import OPERATORS, Frame, is_point
from apps.providers.builtin.parser import approach_limit
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, is_relation, letters, number, rewrite, substitute, symbol


@dataclass(frozen=True, slots=True)
class Problem:
    """One task, ready for the worker but for the choices that are still open.

    `task` is empty if only an expression is given. `variables` are the unknowns, or the variable of a function task; empty
    if they must be asked for. `low`, `high`: bounds of an integral. `interval`: where to look (an interval, or a relation
    in one letter). `point`: where to evaluate. `settings`: option ids that the words already chose.
    """

    task: str
    formulas: tuple[Node, ...]
    variables: tuple[str, ...] = ()
    order: int = 1
    low: Node | None = None
    high: Node | None = None
    interval: Node | None = None
    point: Node | None = None
    settings: frozenset[str] = frozenset()

    def to_job(self) -> dict[str, Any]:
        """Return the problem as JSON for the worker."""
        parts = {"low": self.low, "high": self.high, "interval": self.interval, "point": self.point}
        return {
            "task": self.task,
            "formulas": [formula.to_json() for formula in self.formulas],
            "variables": list(self.variables),
            "order": self.order,
            **{name: None if part is None else part.to_json() for name, part in parts.items()},
        }


_FUNCTION_TASKS = frozenset(("derivative", "integral", "limit", "maximum", "minimum", "extremes", "local_extrema", "evaluate"))
_NAMES_OF_VALUES = frozenset("yzsuvwfghSVAP")


def problem_of(frame: Frame, chosen: frozenset[str]) -> Problem:
    """Choose the task and check that it uses everything. Raises NotUnderstood with what it does not use."""
    task = _chosen_task(frame, chosen) or _named_task(frame)
    _apply_definitions(frame, task)
    task = _settled_task(frame, task)
    problem = _METHODS[task](frame, task)
    _refuse_leftovers(frame)
    return problem


# --- which task ------------------------------------------------------------------------------------
def _chosen_task(frame: Frame, chosen: frozenset[str]) -> str:
    """Return the task that the user chose on a card; it replaces the verb that did not say enough."""
    task = next((choice.partition(":")[2] for choice in sorted(chosen) if choice.startswith("task:")), "")
    if task:
        frame.tasks = []
    return "roots" if task == "solve" else task


def _named_task(frame: Frame) -> str:
    names = dict.fromkeys(frame.tasks)
    if "maximum" in names and "minimum" in names:
        names = dict.fromkeys("extremes" if name in ("maximum", "minimum") else name for name in names)
    named = [name for name in names if name != "compute"]
    if "roots" in named and "solve" in named:
        named.remove("solve")
    if len(named) > 1:
        raise NotUnderstood(*(frame.words.get(name, name) for name in named))
    return named[0] if named else ""


def _settled_task(frame: Frame, task: str) -> str:
    """Find the task in the formulas where no word names it, or names it loosely."""
    formulas = frame.formulas
    operator = formulas[0].head if len(formulas) == 1 and formulas[0].head in OPERATORS else ""
    if task in ("", "evaluate") and operator:
        return operator
    if task == "factor" and len(formulas) == 1 and not letters(formulas[0]):
        return "prime_factors"
    if task == "solve" and formulas and not any(is_relation(formula) for formula in formulas):
        return ""
    if task:
        return task
    return "limit" if frame.approaches else _unnamed_task(frame)


def _unnamed_task(frame: Frame) -> str:
    formulas = frame.formulas
    if not formulas:
        raise NotUnderstood(*(_all_texts(frame) or frame.words.values()))
    if any(is_relation(formula) for formula in formulas):
        return "solve" if letters(*formulas) else "statement"
    if frame.points:
        return "evaluate"
    if letters(*formulas):
        return ""
    return _numeric_task(frame)


def _numeric_task(frame: Frame) -> str:
    heads = [formula.text if formula.head == "call" else formula.head for formula in frame.formulas]
    if len(heads) == 2 and frame.joined_by_of and "percent" in heads:
        return "percent_of"
    return {"gcd": "gcd", "lcm": "lcm", "mod": "remainder"}.get(heads[0], "compute")


# --- definitions: f(x) = …, y = … ------------------------------------------------------------------
def _apply_definitions(frame: Frame, task: str) -> None:
    """Put the bodies of ``f(x) = …`` and, for tasks on a function, ``y = …`` in the place of their names."""
    bodies: dict[str, tuple[str, Node]] = {}
    for formula in list(frame.formulas):
        name, variable, body = _definition(formula, task)
        if not name or name in bodies:
            continue
        bodies[name] = (variable, body)
        frame.formulas.remove(formula)
    frame.formulas = [_applied(formula, bodies) for formula in frame.formulas]
    if bodies and not frame.formulas:
        if len(bodies) > 1:
            raise NotUnderstood(*bodies)
        ((variable, body),) = bodies.values()
        frame.formulas = [body]
        if variable and not frame.variables:
            frame.variables = [symbol(variable)]


def _definition(formula: Node, task: str) -> tuple[str, str, Node]:
    if not is_relation(formula, "=") or len(formula.args) != 2:
        return "", "", formula
    left, right = formula.args
    if left.head == "apply" and len(left.args) == 1 and left.args[0].head == "sym":
        return left.text, left.args[0].text, right
    is_value = left.head == "sym" and left.text in _NAMES_OF_VALUES and left.text not in letters(right) and bool(letters(right))
    return (left.text, "", right) if is_value and task in _FUNCTION_TASKS else ("", "", formula)


def _applied(formula: Node, bodies: dict[str, tuple[str, Node]]) -> Node:
    def change(node: Node) -> Node:
        if node.head != "apply":
            return node
        if node.text not in bodies or len(node.args) != 1 or not bodies[node.text][0]:
            raise NotUnderstood(plain(node))
        variable, body = bodies[node.text]
        return substitute(body, variable, node.args[0])

    return rewrite(formula, change)


# --- taking the parts out of the frame ---------------------------------------------------------------
def _take_formulas(frame: Frame, task: str, count: int | None = 1) -> tuple[Node, ...]:
    formulas, frame.formulas = frame.formulas, []
    if not formulas or (count is not None and len(formulas) != count):
        raise NotUnderstood(*(map(plain, formulas) if formulas else [frame.words.get(task, task)]))
    return tuple(formulas)


def _take_expression(frame: Frame, task: str) -> Node:
    (formula,) = _take_formulas(frame, task)
    if is_relation(formula) or formula.head in ("interval", "list"):
        raise NotUnderstood(plain(formula))
    return formula


def _take_one(parts: list[Node]) -> Node | None:
    return parts.pop(0) if parts else None


def _take_variable(frame: Frame, *formulas: Node) -> tuple[str, ...]:
    """Return the one variable of a function: as named, or the only letter; nothing if it must be asked for."""
    named, frame.variables = frame.variables, []
    if len(named) > 1:
        raise NotUnderstood(*map(plain, named))
    if named:
        return (named[0].text,)
    found = letters(*formulas)
    return ("x",) if not found else found if len(found) == 1 else ()


def _take_settings(frame: Frame, *kinds: str) -> frozenset[str]:
    taken = {setting for setting in frame.settings if setting.partition(":")[0] in (*kinds, "angle", "form")}
    frame.settings -= taken
    return frozenset(taken)


def _take_point(frame: Frame, variables: tuple[str, ...]) -> Node | None:
    point = _take_one(frame.points)
    if point is None:
        return None
    if variables and point.args[0].text not in variables:
        raise NotUnderstood(plain(point))
    return point.args[1]


def _refuse_leftovers(frame: Frame) -> None:
    left = _all_texts(frame)
    left += [frame.words["is"]] if frame.asks_whether else []
    left += [setting.partition(":")[2] for setting in sorted(frame.settings)] + frame.sides + ["…" for _ in frame.orders]
    if left:
        raise NotUnderstood(*left)


def _all_texts(frame: Frame) -> list[str]:
    parts = [*frame.formulas, *frame.variables, *frame.intervals, *frame.points, *frame.approaches, *frame.lows, *frame.highs]
    return [plain(part) for part in parts]


# --- one method a task -----------------------------------------------------------------------------
def _solve(frame: Frame, task: str) -> Problem:
    formulas = list(_take_formulas(frame, task, None))
    bare = [formula for formula in formulas if formula.head == "sym"]
    if bare and len(bare) < len(formulas):
        frame.variables += bare
        formulas = [formula for formula in formulas if formula.head != "sym"]
    if task == "roots":
        formulas = [formula if is_relation(formula) else Node("rel", (formula, number(0)), "=") for formula in formulas]
    strange = [formula for formula in formulas if not is_relation(formula, "=", "<", "<=", ">", ">=", "!=")]
    if strange:
        raise NotUnderstood(*map(plain, strange))
    unknowns = _take_unknowns(frame, formulas)
    interval = _interval_of(frame, unknowns)
    return Problem("solve", tuple(formulas), unknowns, interval=interval, settings=_take_settings(frame, "domain"))


def _take_unknowns(frame: Frame, formulas: list[Node]) -> tuple[str, ...]:
    found, named = letters(*formulas), tuple(dict.fromkeys(node.text for node in frame.variables))
    frame.variables = []
    if not found or not set(named) <= set(found):
        raise NotUnderstood(*(named or map(plain, formulas)))
    equations = sum(is_relation(formula, "=") for formula in formulas)
    return named or (found if len(found) <= max(1, equations) else ())


def _interval_of(frame: Frame, variables: tuple[str, ...]) -> Node | None:
    """Return where to look: ``[0, 3]``, a range such as ``x > 0``, or "from 0 to 3"."""
    interval = _take_one(frame.intervals)
    if interval is None and len(frame.lows) == len(frame.highs) == 1:
        interval = Node("interval", (frame.lows.pop(), frame.highs.pop()), "[]")
    if interval is not None and (len(variables) > 1 or not set(letters(interval)) <= set(variables)):
        raise NotUnderstood(plain(interval))
    return interval


def _statement(frame: Frame, task: str) -> Problem:
    frame.asks_whether = False
    return Problem("statement", _take_formulas(frame, task), settings=_take_settings(frame))


def _compute(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    return Problem("" if letters(expression) else "compute", (expression,), settings=_take_settings(frame))


def _percent_of(frame: Frame, task: str) -> Problem:
    first, second = _take_formulas(frame, task, 2)
    return Problem("compute", (Node("mul", (first, second)),), settings=_take_settings(frame))


def _rewriting(frame: Frame, task: str) -> Problem:
    return Problem(task, (_take_expression(frame, task),), settings=_take_settings(frame))


def _numbers(frame: Frame, task: str) -> Problem:
    formulas = _take_formulas(frame, task, None)
    if len(formulas) == 1 and formulas[0].head in ("call", "list", "interval"):
        if formulas[0].head == "call" and formulas[0].text != task:
            raise NotUnderstood(plain(formulas[0]))
        formulas = formulas[0].args
    if len(formulas) < 2 or letters(*formulas):
        raise NotUnderstood(*map(plain, formulas))
    return Problem(task, formulas)


def _one_number(frame: Frame, task: str) -> Problem:
    if task == "is_prime":
        if not frame.asks_whether:
            raise NotUnderstood(frame.words[task])
        frame.asks_whether = False
    expression = _take_expression(frame, task)
    if letters(expression):
        raise NotUnderstood(plain(expression))
    return Problem(task, (expression,))


def _remainder(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    if expression.head not in ("div", "mod") or letters(expression):
        raise NotUnderstood(plain(expression))
    return Problem("remainder", expression.args)


def _derivative(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    order = frame.orders.pop(0) if frame.orders else 1
    if expression.head == "derivative":
        frame.variables.append(expression.args[1])
        order, expression = int(expression.text), expression.args[0]
    variables = _take_variable(frame, expression)
    point = _take_point(frame, variables)
    return Problem("derivative", (expression,), variables, order, point=point, settings=_take_settings(frame))


def _integral(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    low, high = _take_one(frame.lows), _take_one(frame.highs)
    if expression.head == "integral":
        frame.variables.append(expression.args[1])
        if len(expression.args) == 4:
            low, high = expression.args[2:]
        expression = expression.args[0]
    variables = _take_variable(frame, expression)
    interval = _take_one(frame.intervals)
    if interval is not None and (interval.head != "interval" or low is not None):
        raise NotUnderstood(plain(interval))
    if interval is not None:
        low, high = interval.args
    if (low is None) != (high is None):
        raise NotUnderstood(*(plain(bound) for bound in (low, high) if bound is not None))
    return Problem("integral", (expression,), variables, low=low, high=high, settings=_take_settings(frame))


def _limit(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    approach = _take_one(frame.approaches)
    if expression.head != "limit":
        if approach is None:
            raise NotUnderstood(frame.words.get(task, task), hint="approach")
        expression = approach_limit(approach, expression)
    elif approach is not None:
        raise NotUnderstood(plain(approach))
    if frame.sides and expression.text == "+-":
        expression = Node("limit", expression.args, frame.sides.pop())
    _, variable, target = expression.args
    return Problem("limit", (expression,), (variable.text,), point=target, settings=_take_settings(frame))


def _extrema(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    variables = _take_variable(frame, expression)
    return Problem(
        task, (expression,), variables, interval=_interval_of(frame, variables), settings=_take_settings(frame, "domain")
    )


def _evaluate(frame: Frame, task: str) -> Problem:
    expression = _take_expression(frame, task)
    values = [frame.points.pop(0) for _ in list(frame.points)]
    for point in values:
        if not is_point(point) or point.args[0].text not in letters(expression):
            raise NotUnderstood(plain(point))
        expression = substitute(expression, point.args[0].text, point.args[1])
    if letters(expression):
        raise NotUnderstood(*letters(expression))
    return Problem("compute", (expression,), settings=_take_settings(frame))


_METHODS: dict[str, Callable[[Frame, str], Problem]] = {
    "": _rewriting, "solve": _solve, "roots": _solve, "statement": _statement, "compute": _compute, "percent_of": _percent_of,
    "factor": _rewriting, "expand": _rewriting, "simplify": _rewriting, "gcd": _numbers, "lcm": _numbers,
    "prime_factors": _one_number, "is_prime": _one_number, "remainder": _remainder, "derivative": _derivative,
    "integral": _integral, "limit": _limit, "maximum": _extrema, "minimum": _extrema, "extremes": _extrema,
    "local_extrema": _extrema, "evaluate": _evaluate,
}  # fmt: skip
