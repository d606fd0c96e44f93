"""`delegate`: a part of the work is given to a run of its own, which asks nobody and answers with its result.

The delegated run is found by the call that made it: after a crash the call starts again and goes on with the same run.
It has no segment: the segment of the parent drives it and keeps the lease, and its fence is taken anew each time.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.agent.asking import refused
from apps.agent.messages import ToolCall, ToolResult
from apps.agent.state import RunState
from apps.agent.tools import AskRequest, Effect, Refusal, ToolContext, is_ask_tool
from apps.chat.models import Message, Run
from apps.chat.models import ToolCall as CallRow
from apps.common.clock import database_now
from apps.common.rows import insert, update
from apps.common.text import clean_stored, compact_json, is_blank
from apps.interactions.arguments import Reader, Unusable
from apps.runs.chronicle import Chronicle
from apps.runs.delegated import NAME, say
from apps.runs.machine import keep

MAX_TASK = 20_000
MAX_ROUNDS = 8
"""Model requests of a delegated run, at most; fewer if its parent has fewer."""

DELEGATED, FAILED = "DELEGATED_CALLER", "DELEGATE_FAILED"


@dataclass(frozen=True, slots=True)
class Child:
    """A delegated run that the caller may drive under this fence; `is_over`: there is nothing left to drive."""

    run: Run
    fence: int

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.run.status not in Run.ACTIVE


@dataclass(frozen=True, slots=True)
class Task:
    """What a call of the tool asks for: the task, and the names of the tools that it may use (None: all there are)."""

    text: str
    tools: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A delegated run that has ended: its row, its state, its final text."""

    run: Run
    state: RunState
    text: str


Drive = Callable[[str, Task], Awaitable[Ended]]
"""The call's id and the task -> the delegated run, driven to its end."""


class Delegate:
    """Gives a task away. Starting it twice is harmless: the second start goes on with the run of the first."""

    name = NAME
    effect: Effect = "compute"
    idempotent = True

    def __init__(self, drive: Drive | None = None, available: Collection[str] = ()) -> None:
        """Without a driver it is only shown to the model; the segment that runs it brings one, and the tools that there are."""
        self._drive, self._available = drive, available

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        properties = {
            "task": {"type": "string", "description": say("delegate.task", language)},
            "tools": {
                "type": "array",
                "description": say("delegate.tools", language),
                "items": {"type": "string", "description": say("delegate.tool", language)},
            },
        }
        parameters = {"type": "object", "properties": properties, "required": ["task"]}
        return {"name": self.name, "description": say("delegate", language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Drive the delegated run to its end; its final text is the result, with the questions that it left open."""
        assert self._drive is not None, "only a segment can delegate"
        task = read_task(call, self._available, context.language)
        return refused(call, task) if isinstance(task, Refusal) else result_of(call, await self._drive(call.id, task))


def read_task(call: ToolCall, available: Collection[str], language: str) -> Task | Refusal:
    """Read the arguments of a call; `available` are the tools that a delegated run may use."""
    reader = Reader(language)
    try:
        source = reader.arguments(call, "form.object")
        text = source.get("task")
        if not isinstance(text, str) or is_blank(text):
            raise reader.unusable("blank", "task", form="form.text")
        if len(text) > MAX_TASK:
            raise reader.unusable("too_long", "task", count=len(text), limit=MAX_TASK)
        names = reader.list_of(source.get("tools"), "tools", "form.text")
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)
    for name in names:
        if name not in available:
            message = say("delegate_unknown_tool", language, name=name, names=", ".join(available))
            return Refusal("BAD_ARGUMENT", message, "tools")
    return Task(clean_stored(text), tuple(names) if source.get("tools") is not None else None)


def take_child(parent: Run, fence: int, call_id: str, task: Task) -> Child:
    """Find the delegated run of a call, or make it, and take it under a new fence. Raises FenceLost."""
    with transaction.atomic():
        keep(parent.pk, fence)
        call = CallRow.objects.get(run=parent, call_id=call_id)
        child = Run.objects.select_related("session", "parent_call__run").filter(parent_call=call).first()
        if child is None:
            child = _made(parent, call, task)
        elif child.status in Run.ACTIVE:
            update(Run, {"id": child.pk}, {"fence": child.fence + 1})
            child.fence += 1
        return Child(child, child.fence)


def _made(parent: Run, call: CallRow, task: Task) -> Run:
    rounds = min(MAX_ROUNDS, parent.config.get("max_rounds", MAX_ROUNDS))
    kept = {key: parent.config[key] for key in ("temperature", "max_tokens") if key in parent.config}
    only = {} if task.tools is None else {"only": list(task.tools)}
    child = Run(
        session=parent.session,
        parent_call=call,
        status=Run.Status.RUNNING,
        fence=1,
        capability="chat",
        config={**kept, "max_rounds": rounds, **only},
        language=parent.language,
        channel=parent.channel,
        can_ask=DELEGATED,
        model=parent.model,
    )
    insert([child])
    (message,) = insert([Message(run=child, role=Message.Role.USER, text=task.text, created_at=database_now())])
    chronicle = Chronicle(parent.session, child)
    chronicle.event("run_started", message.pk, capability=child.capability)
    owner = parent.session.user.public_id
    chronicle.audit("run_started", capability=child.capability, kind="delegated", size=len(task.text), owner=owner)
    chronicle.write()
    return child


def final_text(child: Run) -> str:
    """Return the text in which a run has ended; empty: it did not come so far."""
    return Message.objects.filter(run=child, final=True).order_by("-id").values_list("text", flat=True).first() or ""


def result_of(call: ToolCall, ended: Ended) -> ToolResult:
    """Return the result of the call whose delegated run has ended."""
    child, questions, details = ended.run, open_questions(ended.state), {"runId": ended.run.public_id}
    if child.status == Run.Status.COMPLETED:
        content = {"status": "done", "answer": ended.text, "outcome": child.outcome, "open_questions": questions}
        return ToolResult(call.id, compact_json(content), details=details)
    failed = {"status": "error", "code": FAILED, "message": say("delegate_failed", child.language)}
    told = failed | {"reason": child.error_code or child.reason, "open_questions": questions}
    return ToolResult(call.id, compact_json(told), is_error=True, details=details, code=FAILED)


def open_questions(state: RunState) -> list[str]:
    """Return the questions that the run would have put to the user, in its own words, each once."""
    found: dict[str, None] = {}
    for call_id, result in state.results.items():
        if result.code == DELEGATED:
            found.update(dict.fromkeys(_asked(state, state.calls[call_id])))
    return list(found)


def _asked(state: RunState, call: ToolCall) -> list[str]:
    tool = state.toolbox.tools.get(call.name)
    request = tool.prepare(call, state.language) if is_ask_tool(tool) else None
    if not isinstance(request, AskRequest):
        return [say("delegate_wanted", state.language, name=call.name)]
    payload: Mapping[str, Any] = request.payload
    return [question["question"] for question in payload["questions"]] or [payload["title"]]
