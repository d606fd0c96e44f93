"""A run's state: its entries, folded into what `next_step` reads. It is loaded from rows and never stored as a whole.

SCHEMA_VERSION counts the forms of the stored entries. Old forms are read, newer ones are refused.
1: user messages, notes, turns with calls, results; a truncated turn is stored before the one that continues it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apps.agent import folding
from apps.agent.approvals import Fingerprint, Policy, default_policy
from apps.agent.capabilities import Capability, Limits
from apps.agent.messages import (
    ApprovalAsked,
    Approved,
    Asked,
    Entry,
    Note,
    Started,
    ToolCall,
    ToolResult,
    Turn,
    UserMessage,
)
from apps.agent.steps import Fail
from apps.agent.tools import AskRequest, Toolbox, is_ask_tool, is_state_tool
from apps.agent.words import say

SCHEMA_VERSION = 1
REMARKS = "remarks"
"""The kind of the note that tells the model what the user said to the calls that they allowed."""


def is_readable(version: int) -> bool:
    """Say whether a run stored in this form can go on in this version."""
    return 1 <= version <= SCHEMA_VERSION


@dataclass(slots=True)
class PastAsk:
    """A question of this run: what was asked, whether its result is known, and the stored result."""

    fingerprint: str
    call_id: str
    round: int
    result: ToolResult | None = None
    stale: bool = False
    """After any other tool's result an answered question may be asked again."""


@dataclass
class RunState:
    """What the run has come to. `earlier` are the earlier runs' messages, oldest run first.

    `messages` is the request as the model will see it; it grows in place, so a round costs the same at any length.
    """

    capability: Capability
    toolbox: Toolbox
    system: str
    earlier: Sequence[Sequence[dict[str, Any]]] = ()
    limits: Limits = field(default_factory=Limits)
    language: str = "en"
    can_ask: str = ""
    """Empty: somebody can answer. Else the code that every ask gets (NO_PROVIDER, DELEGATED_CALLER)."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    """Which tools are asked for before they start, by name; where it says nothing the tool's default holds."""
    memory: Any = None
    """What the capability remembers of this run; folded from the entries, never stored as a whole."""

    def __post_init__(self) -> None:
        self.rounds = 0
        self.closing_rounds = 0
        self.notes: Counter[str] = Counter()
        self.failure: Fail | None = None
        self.turn: Turn | None = None
        self.noted = False
        self.prefix = ""
        self.calls: dict[str, ToolCall] = {}
        self.started: set[str] = set()
        self.opened: set[str] = set()
        self.approved: dict[str, str] = {}
        self.fingerprints: dict[str, Fingerprint] = {}
        self.remarks: list[str] = []
        """What the user said to calls that they allowed, and the model has not been told."""
        self.results: dict[str, ToolResult] = {}
        self.asks: list[PastAsk] = []
        self.reviews: dict[str, AskRequest | None] = {}
        self.repeats: list[int] = []
        self._to_absorb: list[str] = []
        self.view = folding.View(self.system, self.earlier, self.limits.context_chars, self.language)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the request's messages; every call in it is answered, adjacent and in order."""
        return self.view.messages

    def add_all(self, entries: Iterable[Entry]) -> "RunState":
        """Take in entries, oldest first."""
        for entry in entries:
            self.add(entry)
        return self

    def add(self, entry: Entry) -> None:
        """Take in one more entry; the same for a stored one and for one that has just been made."""
        match entry:
            case UserMessage(text):
                self.view.say(text)
            case Note():
                self._add_note(entry)
            case Turn():
                self._add_turn(entry)
            case ToolResult():
                self._add_result(entry)
            case Started(call_id):
                self.started.add(call_id)
            case Asked():
                self._add_ask(entry)
            case ApprovalAsked(call_id):
                self.opened.add(call_id)
            case Approved():
                self._add_approval(entry)

    def unanswered(self) -> tuple[ToolCall, ...]:
        """Return the calls of the last turn that have no result, in call order."""
        return tuple(call for call in (self.turn.calls if self.turn else ()) if call.id not in self.results)

    def to_apply(self) -> Iterable[ToolCall]:
        """Yield the calls of state tools in the last turn whose outcome is not known yet, in the order of applying."""
        for call in self._state_calls():
            if call.id not in self.results and call.id not in self.reviews:
                yield call

    def put_under_review(self, call: ToolCall, request: AskRequest) -> None:
        """Remember that the outcome of a state tool's call asks the user."""
        self.reviews[call.id] = request

    def asks_user(self, call: ToolCall) -> bool:
        """Say whether the call puts something to the user."""
        return call.id in self.reviews or is_ask_tool(self.toolbox.tools.get(call.name))

    def needs_approval(self, call: ToolCall) -> bool:
        """Say whether the call's tool must not start unless the user allows it; one that has started is past asking."""
        tool = self.toolbox.tools.get(call.name)
        if tool is None or call.id in self.started or is_ask_tool(tool) or is_state_tool(tool):
            return False
        return (self.policies.get(call.name) or default_policy(tool)) == "ask"

    def is_approved(self, call: ToolCall) -> bool:
        """Say whether the user has allowed the call as it stands now."""
        seen = self.fingerprints.get(call.id)
        return seen is not None and self.approved.get(call.id) == seen.digest

    def joined(self, turn: Turn) -> Turn:
        """Return the turn with the text of the truncated turns that it continues put before its own."""
        return replace(turn, text=self.prefix + turn.text) if self.prefix else turn

    def _add_note(self, note: Note) -> None:
        self.notes[note.kind] += 1
        self.noted = True
        if note.kind == REMARKS:
            self.remarks.clear()
        # In the closing rounds the model must go on knowing that they are; what the user said holds for good.
        self.view.note(note.text, is_lasting=note.kind in ("directive", REMARKS))

    def _add_turn(self, turn: Turn) -> None:
        self.rounds += 1
        self.noted = False
        if self.notes["directive"]:
            self.closing_rounds += 1
        self.turn = turn
        if turn.finish == "length" and not turn.calls:
            self.prefix = turn.text
            self.view.truncated(turn)
            return
        self.prefix = ""
        self.calls.update((call.id, call) for call in turn.calls)
        self._to_absorb.extend(call.id for call in self._state_calls())
        self.view.turn(turn)

    def _state_calls(self) -> Sequence[ToolCall]:
        """Return the last turn's calls of state tools: those that come first, then the others, in call order."""
        found = [(call, self.toolbox.tools.get(call.name)) for call in (self.turn.calls if self.turn else ())]
        own = [(call, tool) for call, tool in found if is_state_tool(tool)]
        return [call for call, tool in sorted(own, key=lambda each: not each[1].comes_first)]

    def _add_ask(self, asked: Asked) -> None:
        call = self.calls[asked.call_id]
        self.opened.add(call.id)
        self.asks.append(PastAsk(asked.fingerprint, call.id, self.rounds))
        self._forget_earlier_repeats()
        if is_state_tool(self.toolbox.tools.get(call.name)):
            self.reviews.setdefault(call.id, asked.request)
            self.memory = self.capability.absorb(self.memory, call, asked)

    def _add_approval(self, approved: Approved) -> None:
        self.opened.discard(approved.call_id)
        self.approved[approved.call_id] = approved.fingerprint
        if approved.feedback:
            name = self.calls[approved.call_id].name
            self.remarks.append(say("remark", self.language, name=name, text=approved.feedback))

    def _add_result(self, result: ToolResult) -> None:
        call = self.calls[result.call_id]
        self.results[result.call_id] = result
        self.view.result(call, result)
        self._count_repeats(call, result)
        for ask in self.asks:
            if ask.call_id == result.call_id:
                ask.result = result
        self._absorb_results()
        self._fold()

    def _count_repeats(self, call: ToolCall, result: ToolResult) -> None:
        """Count by rounds: within a turn results come in one order when they are made and in another when they are read."""
        if result.code == "ASK_REPEATED":
            self.repeats.append(self.rounds)
        elif not getattr(self.toolbox.tools.get(call.name), "asks", False):
            self._forget_earlier_repeats()
            for ask in self.asks:
                ask.stale = ask.stale or ask.round < self.rounds

    def _forget_earlier_repeats(self) -> None:
        self.repeats = [at for at in self.repeats if at == self.rounds]

    def _absorb_results(self) -> None:
        """Let the capability learn of results in the order of applying, also when they are read in call order."""
        for call_id in [*self._to_absorb]:
            if call_id in self.results:
                self._to_absorb.remove(call_id)
                self.memory = self.capability.absorb(self.memory, self.calls[call_id], self.results[call_id])
            elif call_id not in self.reviews:
                return

    def _fold(self) -> None:
        if not self.unanswered() and (checkpoint := self.capability.checkpoint(self)) is not None:
            self.view.fold(checkpoint)
