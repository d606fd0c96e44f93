"""One method a task: each takes its parts out of the frame, and refuses what it cannot use."""

from collections.abc import Callable

from apps.providers.builtin.applications import approach_limit
from apps.providers.builtin.frame import Frame, is_point
from apps.providers.builtin.plotting import undrawable
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, is_relation, letters, number, substitute


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
    return Problem("" if letters(expression) else "compute", (expression,), settings=_take_settings(frame, "domain"))


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


def _plot(frame: Frame, task: str) -> Problem:
    """Take one function of one letter, and a range with two ends if there is one."""
    (formula,) = _take_formulas(frame, task)
    if is_relation(formula) or formula.head in ("interval", "list") or len(letters(formula)) > 1 or undrawable(formula):
        raise NotUnderstood(*(undrawable(formula)[:1] or [plain(formula)]), hint="plot")
    variables = _take_variable(frame, formula)
    if not set(letters(formula)) <= set(variables):
        raise NotUnderstood(*variables, hint="plot")
    interval = _interval_of(frame, variables)
    low, high = (None, None) if interval is None else _ends(interval)
    return Problem(task, (formula,), variables, low=low, high=high, settings=_take_settings(frame))


def _ends(interval: Node) -> tuple[Node, Node]:
    """Return the two ends of ``[-1, 4]`` or of ``4 ≥ x ≥ -1``."""
    ends = interval.args if interval.head == "interval" else interval.args[::2]
    if len(ends) != 2 or letters(*ends) or any(undrawable(end) for end in ends):
        raise NotUnderstood(plain(interval), hint="plot")
    return (ends[1], ends[0]) if ">" in interval.text else (ends[0], ends[1])


METHODS: dict[str, Callable[[Frame, str], Problem]] = {
    "": _rewriting, "solve": _solve, "roots": _solve, "statement": _statement, "compute": _compute, "percent_of": _percent_of,
    "factor": _rewriting, "expand": _rewriting, "simplify": _rewriting, "gcd": _numbers, "lcm": _numbers,
    "prime_factors": _one_number, "is_prime": _one_number, "remainder": _remainder, "derivative": _derivative,
    "integral": _integral, "limit": _limit, "maximum": _extrema, "minimum": _extrema, "extremes": _extrema,
    "local_extrema": _extrema, "evaluate": _evaluate, "plot": _plot,
}  # fmt: skip
