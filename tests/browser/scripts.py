"""What the scripted model plays in the browser tests, by the tag ``[[NAME#KEY]]`` of a message."""

from typing import Any

from tests.factories.files import PIXEL
from tests.solve.conftest import finish, replan
from tests.solve.conftest import plan as solve_plan
from tests.support.runs import DONE, ask_questions, ask_user, asks
from tests.support.tools import send
from tests.toolkit.scripts import code, make

OPTIONS = [
    {"id": "safe", "label": "Analyse first", "description": "Read only, then propose", "recommended": True},
    {"id": "implement", "label": "Implement now", "description": "Starts changing the workspace"},
    {"id": "wait", "label": "Wait"},
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "mode", "header": "Mode", "question": "How should I go on?", "options": [{"label": "Fast"}, {"label": "Careful"}]},
    {"id": "parts", "question": "Which parts?", "multi_select": True, "options": [{"label": "API"}, {"label": "Web"}]},
    {"id": "path", "question": "Which folder?"},
]
PLAN = {"title": "Shall I go on like this?", "plan": "1. Read *all* of it\n2. Write", "approveLabel": "Go", "rejectLabel": "No"}
SAME = "the same beginning of a long label that goes on and on so that only its very end tells it from the next one, which is "
LONG = [{"id": f"o{n}", "label": f"{n:02d} {SAME}{n}", "description": "What follows from it."} for n in range(11)]
FIGURE = ["A = (0, 0)", "B = (4, 0)", "C = (1, 3)", "Polygon(A, B, C)", "k = Circle(A, B, C)", "w = Angle(A, B, C)"]
PATH = "/".join(["unbroken"] * 24)
HOSTILE = "<img src=x onerror=alert(1)><svg/onload=alert(1)>[x](javascript:alert(1))"
LONG_PLAN = PLAN | {"plan": "\n".join(f"{n}. Read a chapter and note what it says of the matter at hand." for n in range(1, 99))}
CHOICES: dict[str, Any] = {
    "options": OPTIONS,
    "title": "How should I go on?",
    "description": "This **decides** which tools may be used.",
}
END = {"text": "All *done*: $x = \\pm i$.\n\n```\nprint(1)\n```"}

SHEET = make("csv", "table.csv", [["name", "值", *(f"column {n}" for n in range(4))], ["a", 1, *["a cell"] * 4]], "f2")
PLOT = """
import matplotlib.pyplot as plt
bases = range(13)
plt.figure(figsize=(6, 3.4), layout="constrained")
plt.plot(bases, [base * 4 / 2 for base in bases])
plt.xlabel("base")
plt.ylabel("area")
plt.savefig("area.png", dpi=110)
print(6 * 4 // 2)
"""
AREAS = [["base", "height", "area"], *([base, 4, base * 2] for base in (2, 4, 6, 8))]
WORDS = """A triangle's area is half of base times height [source:src_0#2], so

$$A = \\tfrac12 \\cdot 6 \\cdot 4 = 12.$$

| base | height | area |
|---:|---:|---:|
| 6 | 4 | **12** |
| 8 | 4 | 16 |

The report and the table are ready."""
TRIANGLE = ["A = (0, 0)", "B = (6, 0)", "C = (0, 4)", "t = Polygon(A, B, C)", "k = Circle(A, B, C)", "Area(t)"]
DRAWING = f"open('plot.png', 'wb').write(bytes.fromhex('{PIXEL.hex()}'))"

SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "single": [asks(ask_user(mode="single", submitLabel="Continue", **CHOICES)), DONE],
    "single-own": [asks(ask_user(mode="single", allowCustom=True, **CHOICES)), DONE],
    "multiple": [asks(ask_user(mode="multiple", allowCustom=True, **CHOICES)), DONE],
    "toggle": [asks(ask_user(mode="toggle", **CHOICES)), DONE],
    "text": [asks(ask_user(title="Your name?", mode="text")), DONE],
    "number": [asks(ask_user(title="How many?", mode="number")), DONE],
    "date": [asks(ask_user(title="From which day?", mode="date")), DONE],
    "directory": [asks(ask_user(title="Which folder?", mode="directory")), DONE],
    "questions": [asks(ask_questions(questions=QUESTIONS)), DONE],
    "question": [asks(ask_questions(questions=QUESTIONS[:1])), DONE],
    "texts": [asks(ask_questions(questions=[{"id": f"q{n}", "question": f"Question {n}?"} for n in (1, 2)])), DONE],
    "plan": [asks({"id": "p1", "name": "present_plan", "arguments": PLAN}), DONE],
    "solve": [
        asks(solve_plan("p1", "Factor", "Verify")),
        asks(finish("f1", "S1", "(x-2)(x+2)")),
        asks(ask_user("q", title="Go on?")),
        asks(finish("f2", "S2", "no tool", outcome="failed")),
        {"text": "x is 2."},
    ],
    "revised": [asks(solve_plan("p1", "Factor", "Verify")), asks(solve_plan("p2", "Factor", "Read", "Check")), DONE],
    "replanned": [
        asks(solve_plan("p1", "Factor", "Verify")),
        asks(finish("f1", "S1")),
        asks(replan("r1", "Guess")),
        asks(ask_user("q", title="Go on?")),
        asks(finish("f3", "S3")),
        DONE,
    ],
    "unplanned": [{"text": "Just so.", "delay": 0.05}],
    "long-plan": [asks(solve_plan("p1", *(f"Step {n}: {SAME}{n}" for n in range(12)))), DONE],
    "read-plan": [asks({"id": "p1", "name": "present_plan", "arguments": LONG_PLAN}), DONE],
    "approval": [asks(send(text="The report, to everybody")), DONE],
    "two": [asks(ask_user("r1", title="First?"), ask_user("r2", title="Second?")), DONE],
    "again": [asks(ask_user("r1", title="One?")), asks(ask_user("r2", title="Two?")), DONE],
    "long": [asks(ask_user(title="Pick", mode="single", allowCustom=True, options=[*LONG, {"id": "p", "label": PATH}])), DONE],
    "hostile": [
        {"text": HOSTILE}
        | asks(
            ask_user(title=HOSTILE, description=HOSTILE, mode="single", allowCustom=True, options=[{"id": "a", "label": HOSTILE}])
        ),
        asks({"id": "p1", "name": "present_plan", "arguments": PLAN | {"title": HOSTILE, "plan": HOSTILE}}),
        {"text": HOSTILE},
    ],
    "slow": [{"text": "One two three four five six seven eight nine ten. " * 3, "delay": 0.05, "chunk": 6}],
    "endless": [{"text": "One two three four five six seven eight nine ten. " * 20, "delay": 0.5, "chunk": 6}],
    "then-slow": [asks(ask_user(mode="text")), {"text": "All of it is done now. ", "delay": 0.3, "chunk": 6}],
    "slow-ask": [{"text": "Thinking about it. " * 4, "delay": 0.08, "chunk": 6} | asks(ask_user(mode="single", **CHOICES)), DONE],
    "figure": [asks({"id": "g1", "name": "geogebra_analysis", "arguments": {"commands": FIGURE}}), DONE],
    "tool": [asks({"id": "t1", "name": "no_such_tool", "arguments": {"x": 1}}), DONE],
    "delegates": [
        asks({"id": "d1", "name": "delegate", "arguments": {"task": "Do it. [[end#delegated]]"}}),
        asks(ask_user(mode="text")),
        DONE,
    ],
    "gives-work": [asks({"id": "d1", "name": "delegate", "arguments": {"task": "Work. [[works#delegated]]"}}), DONE],
    "works": [asks(code(f"import time; time.sleep({second})", f"c{second}")) for second in range(3)] + [DONE],
    "files": [asks(code(DRAWING), make("pdf", "报告 of a rather long name for so small a screen.pdf", "# 报告"), SHEET), DONE],
    "toolkit": [
        asks({"id": "r1", "name": "rag", "arguments": {"query": "area"}}),
        asks(code(PLOT)),
        asks({"id": "g1", "name": "geogebra_analysis", "arguments": {"commands": TRIANGLE}}),
        asks(make("pdf", "Report.pdf", "# Area\n\nIt is 12."), make("csv", "areas.csv", AREAS, "f2")),
        {"text": WORDS},
    ],
    "table": [{"text": f"| base | height | area | note |\n|--:|--:|--:|---|\n| 6 | 4 | 12 | {'quite a long note ' * 5}|"}],
    "broken": [{"fault": {"kind": "status", "status": 401, "times": 99}}],
    "flaky": [{"text": "Now it works.", "fault": {"kind": "status", "status": 503, "times": 1}}],
    "math": [END],
    "end": [DONE],
}
