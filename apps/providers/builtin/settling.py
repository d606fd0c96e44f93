"""What a problem leaves open and the user must choose, and the problem once it is chosen."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations

from apps.providers.builtin.names import TRIGONOMETRIC
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.readings import Fork
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, is_relation, letters, number, rewrite, walk

_VARIABLE_TASKS = frozenset(("derivative", "integral", "maximum", "minimum", "extremes", "local_extrema"))
_INVERSE = frozenset(("asin", "acos", "atan", "acot", "asec", "acsc"))
_MOST_OPTIONS = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with a few stable options.

    `kind` is the key of its sentences. `options` are pairs of an id and a label; an empty label is worded by the id.
    `values` fill the sentences. `compares`: ask only if the options lead to different results.
    """

    kind: str
    options: tuple[tuple[str, str], ...]
    values: dict[str, str] = field(default_factory=dict)
    compares: bool = False


def choice_of_reading(fork: Fork) -> Choice:
    """Return the question which of two readings is meant, each shown as a formula."""
    kind = "inverse" if fork.options[0].startswith("inverse") else "reading"
    labels = [plain(tree) for tree in fork.trees]
    return Choice(kind, tuple(zip(fork.options, labels, strict=True)))


def open_choice(problem: Problem, chosen: frozenset[str]) -> Choice | None:
    """Return the first thing that is still open before anything can be computed."""
    chosen = chosen | problem.settings
    kinds = {choice.partition(":")[0] for choice in chosen}
    if not problem.task:
        return _task_choice(problem)
    for constant in ("i", "e"):
        if constant not in kinds and _is_doubtful(constant, problem, chosen):
            options = ((f"{constant}:constant", ""), (f"{constant}:symbol", ""))
            return Choice(f"constant_{constant}", options, {"formula": _shown(problem)})
    if "unknown" not in kinds and not problem.variables and (choice := _unknown_choice(problem)):
        return choice
    # A drawing differs wherever the formula does.
    compares = problem.task != "plot"
    if "log" not in kinds and any(_is_bare_log(part) for part in _parts(problem)):
        return Choice("log", (("log:10", ""), ("log:e", ""), ("log:2", "")), {"formula": _shown(problem)}, compares=compares)
    if "angle" not in kinds and any(_is_bare_angle(part) for part in _parts(problem)):
        return Choice("angle", (("angle:degrees", ""), ("angle:radians", "")), {"formula": _shown(problem)}, compares=compares)
    return None


def domain_choice(problem: Problem) -> Choice:
    """Return the question for real or complex numbers; the worker has found that it matters."""
    return Choice("domain", (("domain:real", ""), ("domain:complex", "")), {"formula": _shown(problem)})


def form_choice(problem: Problem, exact: str, decimal: str) -> Choice:
    """Return the question for exact or decimal, where the input has decimals and the result is no finite decimal."""
    return Choice("form", (("form:exact", exact), ("form:decimal", decimal)), {"formula": _shown(problem)})


def has_decimals(problem: Problem) -> bool:
    """Say whether the problem is written with decimals."""
    return any(part.head == "num" and "." in part.text for part in _parts(problem))


def settled(problem: Problem, chosen: frozenset[str]) -> Problem:
    """Return the problem with what was chosen put into it. Raises NotUnderstood if a choice has nothing to act on."""
    chosen = chosen | problem.settings
    base = next((choice.partition(":")[2] for choice in sorted(chosen) if choice.startswith("log:")), "")
    if base:
        problem = _changed(problem, lambda part: _with_base(part, base))
    if "angle:degrees" in chosen:
        _refuse_useless_degrees(problem)
        problem = _changed(problem, _in_degrees)
    unknown = next((choice.partition(":")[2] for choice in sorted(chosen) if choice.startswith("unknown:")), "")
    if unknown and not problem.variables:
        names = tuple(unknown.split(","))
        problem = replace(problem, variables=names if set(names) <= set(letters(*problem.formulas)) else ())
    return problem


# --- what is open ----------------------------------------------------------------------------------
def _parts(problem: Problem) -> list[Node]:
    trees = [*problem.formulas, problem.low, problem.high, problem.point, problem.interval]
    return [part for tree in trees if tree is not None for part in walk(tree)]


def _shown(problem: Problem) -> str:
    return ", ".join(plain(formula) for formula in problem.formulas)


def _task_choice(problem: Problem) -> Choice:
    names = ("solve", "simplify", "factor", "expand") if letters(*problem.formulas) else ("simplify",)
    return Choice("task", tuple((f"task:{name}", "") for name in names), {"formula": _shown(problem)})


def _is_doubtful(constant: str, problem: Problem, chosen: frozenset[str]) -> bool:
    """Say whether the letter may be meant as a letter.

    i is doubtful beside other letters, unless complex numbers are the subject or the unknown is z or w; e where it is no
    base of a power and a, b, c, d or f stand beside it.
    """
    if not any(part == Node("const", text=constant) for part in _parts(problem)):
        return False
    beside = set(letters(*problem.formulas))
    if constant == "i":
        return bool(beside) and "domain:complex" not in chosen and not beside & {"z", "w"}
    bases = {id(part.args[0]) for part in _parts(problem) if part.head == "pow"}
    is_alone = any(part == Node("const", text="e") and id(part) not in bases for part in _parts(problem))
    return is_alone and bool(beside & set("abcdf"))


def _unknown_choice(problem: Problem) -> Choice | None:
    found = sorted(letters(*problem.formulas))
    if problem.task in _VARIABLE_TASKS:
        return Choice(
            "variable", tuple((f"unknown:{name}", name) for name in found[:_MOST_OPTIONS]), {"formula": _shown(problem)}
        )
    if problem.task != "solve":
        return None
    count = max(1, sum(is_relation(formula, "=") for formula in problem.formulas))
    groups = list(combinations(found, min(count, len(found))))[:_MOST_OPTIONS]
    options = tuple((f"unknown:{','.join(group)}", ", ".join(group)) for group in groups)
    return Choice("unknown", options, {"formula": _shown(problem)})


def _is_bare_log(part: Node) -> bool:
    return part.head == "call" and part.text == "log" and len(part.args) == 1


def _is_bare_angle(part: Node) -> bool:
    """Say whether this is sin 30: a number that may be degrees or radians."""
    if part.head != "call" or part.text not in TRIGONOMETRIC:
        return False
    inner = list(walk(part.args[0]))
    says = any(
        node.head == "degree" or node == Node("const", text="pi") or (node.head == "call" and node.text in _INVERSE)
        for node in inner
    )
    return not says and not letters(part.args[0]) and part.args[0] != number(0)


# --- what was chosen -------------------------------------------------------------------------------
def _changed(problem: Problem, change: Callable[[Node], Node]) -> Problem:
    def changed(tree: Node | None) -> Node | None:
        return None if tree is None else rewrite(tree, change)

    return replace(
        problem,
        formulas=tuple(rewrite(formula, change) for formula in problem.formulas),
        low=changed(problem.low),
        high=changed(problem.high),
        point=changed(problem.point),
        interval=changed(problem.interval),
    )


def _with_base(part: Node, base: str) -> Node:
    if not _is_bare_log(part):
        return part
    return Node("call", part.args, "ln") if base == "e" else Node("call", (*part.args, number(base)), "log")


def _in_degrees(part: Node) -> Node:
    if part.head != "call" or part.text not in TRIGONOMETRIC:
        return part
    says = any(node.head == "degree" or node == Node("const", text="pi") for node in walk(part.args[0]))
    return part if says else Node("call", (Node("degree", part.args),), part.text)


def _refuse_useless_degrees(problem: Problem) -> None:
    calls = {part.text for part in _parts(problem) if part.head == "call"}
    if calls & _INVERSE or not calls & TRIGONOMETRIC:
        raise NotUnderstood("degrees")
