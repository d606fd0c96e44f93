"""A user who has lived through everything that keeps text, with one word in every place: what erasure and export are tried on."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from apps.accounts.actors import actor_of
from apps.accounts.models import ApiToken, IdempotencyKey, User
from apps.audit.context import acting
from apps.audit.reasons import keep_reason
from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult
from apps.common.clock import database_now
from apps.events.log import NewEvent, append
from apps.events.models import PartialText
from apps.interactions.models import Interaction
from apps.runs import services
from apps.runs.erasing import workspace_of
from apps.runs.settings_store import change_settings
from apps.solve.models import SolvePlan, SolveStep
from apps.toolkit.models import Source, SourcePart
from tests.factories.accounts import token_text
from tests.factories.chat import answer, make_card
from tests.factories.files import make_artifact
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted

CANARY = "CANARY-7f3a"


def live_of(user: User) -> Interaction:
    """Let a user live through everything that keeps text, with the canary in every place; return the answered card."""
    question = ask_user(
        title=f"{CANARY} title", description=f"{CANARY} asks", mode="single", allowCustom=True,
        options=[{"id": f"{CANARY}-id", "label": f"{CANARY} label", "description": f"{CANARY} option"}],
    )  # fmt: skip
    model = scripted({"text": f"{CANARY} thinks", **asks(question)}, asks(ask_user("c2", title=f"{CANARY} again")), DONE)
    with acting(actor_of(user), "web"):
        card = make_card(user, model, message=f"{CANARY} message")
        answer(card, custom_input=f"{CANARY} answer")
        run = run_to_rest(card.run, model)
        waiting = run.interactions.get(status="pending")
        services.save_draft(user, waiting.public_id, {"customInput": f"{CANARY} draft"})
        keep_reason(f"{CANARY} reason about", actor_of(user), card.session.public_id)
        keep_reason(f"{CANARY} reason by", actor_of(user))
    with transaction.atomic():
        _beside(user, run)
    return Interaction.objects.get(pk=card.pk)


def _beside(user: User, run: Run) -> None:
    """Write what other ways of working leave behind."""
    now = database_now()
    plan = SolvePlan.objects.create(
        run=run, version=1, status="active", analysis=f"{CANARY} analysis", reason=f"{CANARY} why",
        replans_used=0, replans_max=1, created_at=now,
    )  # fmt: skip
    SolveStep.objects.create(plan=plan, run=run, place=0, number=1, goal=f"{CANARY} goal", status="done", summary=f"{CANARY} sum")
    facts = {"code": "x", "message": f"{CANARY} failed", "retryable": False}
    append(run.session_id, [NewEvent("run_failed", run.pk, None, facts)])
    PartialText.objects.create(
        session=run.session_id, run=run.pk, message_id="m", text=f"{CANARY} partial", after_seq=0, updated_at=now
    )
    Run.objects.filter(pk=run.pk).update(error_message=f"{CANARY} error")
    ToolCall.objects.filter(run=run).update(extras={"x": f"{CANARY} extras"})
    Message.objects.filter(run=run).update(extras={"x": f"{CANARY} extras"})
    Run.objects.filter(pk=run.pk).update(config={"tools": {f"{CANARY} tool": False, "ask_user": True}})
    ChatSession.objects.filter(pk=run.session_id).update(tools={f"{CANARY} tool": False, "ask_user": True})
    call = ToolCall.objects.filter(run=run).exclude(interactions__status="answered").latest("id")
    ToolCall.objects.filter(pk=call.pk).update(name=f"{CANARY} tool")
    own = {"submission": f"{CANARY} submitted", "repairs": [f"{CANARY} repair"]}
    Interaction.objects.filter(run=run, status="answered").update(**own)
    make_artifact(call, f"{CANARY} name.txt", f"{CANARY} made".encode())
    allowed = {"status": "answered", "decision": "approve", "feedback": f"{CANARY} feedback"}
    Interaction.objects.filter(run=run, status="pending").update(decision=json.dumps(allowed))
    ToolResult.objects.filter(call__run=run).update(details={"x": f"{CANARY} details"})
    change_settings(user, {"chat": {"prompt": {"en": f"{CANARY} prompt"}}})
    token_text(user)
    ApiToken.objects.filter(user=user).update(name=f"{CANARY} token")
    kept = {"body_digest": "x", "status": 202, "created_at": now}
    IdempotencyKey.objects.get_or_create(user=user, method="POST", path="/", key=CANARY, defaults=kept)
    _attach(run.session)
    folder = workspace_of(run.session.public_id)
    (folder / "deep").mkdir(parents=True, exist_ok=True)
    (folder / "deep" / "notes.txt").write_text(f"{CANARY} file", "utf-8")


def _attach(session: ChatSession) -> None:
    source = Source.objects.create(
        session=session, name=f"{CANARY} name", media_type="text/plain", size=1, sha256="0" * 64, state="read",
        part_count=1, characters=1, created_at=database_now(),
    )  # fmt: skip
    said = {"heading": f"{CANARY} heading", "text": f"{CANARY} part", "words": f"{CANARY} words"}
    SourcePart.objects.create(source=source, number=1, word_count=1, **said)


@pytest.fixture(autouse=True)
def no_files_left() -> Iterator[None]:
    """Files are not rolled back with their rows."""
    yield
    shutil.rmtree(Path(settings.DATA_DIR) / "workspaces", ignore_errors=True)
