"""Which task a sentence sets: by its words, by its formulas, or by what the user chose; and what its names stand for."""

from apps.providers.builtin.frame import OPERATORS, Frame, is_range
from apps.providers.builtin.methods import METHODS
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, is_relation, letters, rewrite, substitute, symbol

_FUNCTION_TASKS = frozenset(
    ("derivative", "integral", "limit", "maximum", "minimum", "extremes", "local_extrema", "evaluate", "plot")
)
_NAMES_OF_VALUES = frozenset("yzsuvwfghSVAP")


def problem_of(frame: Frame, chosen: frozenset[str]) -> Problem:
    """Choose the task and check that it uses everything. Raises NotUnderstood with what it does not use."""
    task = _chosen_task(frame, chosen) or _named_task(frame)
    if task == "plot":
        _take_ranges(frame)
    _apply_definitions(frame, task)
    task = _settled_task(frame, task)
    problem = METHODS[task](frame, task)
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


def _take_ranges(frame: Frame) -> None:
    """Take ``0 ≤ x ≤ 4`` as the range, wherever it stands: in a drawing it can be nothing else."""
    frame.intervals += [formula for formula in frame.formulas if is_range(formula)]
    frame.formulas = [formula for formula in frame.formulas if not is_range(formula)]


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
    is_value = left.head == "sym" and left.text in _NAMES_OF_VALUES and left.text not in letters(right)
    has_use = task == "plot" or (task in _FUNCTION_TASKS and bool(letters(right)))
    return (left.text, "", right) if is_value and has_use else ("", "", formula)


def _applied(formula: Node, bodies: dict[str, tuple[str, Node]]) -> Node:
    def change(node: Node) -> Node:
        if node.head != "apply":
            return node
        if node.text not in bodies or len(node.args) != 1 or not bodies[node.text][0]:
            raise NotUnderstood(plain(node))
        variable, body = bodies[node.text]
        return substitute(body, variable, node.args[0])

    return rewrite(formula, change)


# --- what is left over ------------------------------------------------------------------------------
def _refuse_leftovers(frame: Frame) -> None:
    left = _all_texts(frame)
    left += [frame.words["is"]] if frame.asks_whether else []
    left += [setting.partition(":")[2] for setting in sorted(frame.settings)] + frame.sides + ["…" for _ in frame.orders]
    if left:
        raise NotUnderstood(*left)


def _all_texts(frame: Frame) -> list[str]:
    parts = [*frame.formulas, *frame.variables, *frame.intervals, *frame.points, *frame.approaches, *frame.lows, *frame.highs]
    return [plain(part) for part in parts]
