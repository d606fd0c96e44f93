"""The console in Chinese: no page has a word left that nobody translated."""

import html
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from apps.audit.catalogue import KINDS, describe
from apps.audit.fields import FIELDS
from apps.audit.models import AuditRecord
from apps.audit.verify import _SENTENCES
from apps.audit.words import FACTS, VALUES
from apps.audit.write import Entry, record
from apps.common.clock import database_now
from apps.console.capability_settings import _LABELS
from apps.console.rights import ROLES
from apps.runs import recovery
from apps.solve.models import SolvePlan, SolveStep
from apps.toolkit.tools import NAMES as TOOLS
from tests.console.addresses import EXPORTED, HISTORY
from tests.console.conftest import OWN, Story, role_group
from tests.factories.accounts import token_text
from tests.factories.sources import make_source

LATIN = re.compile(r"[A-Za-z]{2,}")
NAMES = (
    "Handraise",
    "UTC",
    "API",
    "CSV",
    "NDJSON",
    "HTTP",
    "JSON",
    "audit_verify",
    "manage.py",
    "installation",
    "null",
    "English",
)
"""Names, and what is typed as it stands."""
CODES = (
    "scripted",
    "zh-hans",
    "read answer run",
    "c1",
    "superuser-staff",
    "person",
    *ROLES,
    "p50",
    "p90",
    "p99",
    "en",
    "ada",
    *TOOLS,
    "delegate",
)
"""Names of people, groups and models, and codes of the protocol."""
ASKED = ("Which way?", "And then?", "Analyse first", "Implement now")
IDENT = re.compile(r"\b(?:sess|run|ask|user|token|call|msg|req|src)_[0-9a-f]+\S*|\b[0-9a-f]{8,}\b|hr_\S*")


def words_left(text: str) -> set[str]:
    """Return the words in Latin letters that a page shows and that are neither names nor codes."""
    text = re.sub(r"<(script|style|code|pre)\b.*?</\1>", " ", text, flags=re.DOTALL)
    spoken = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', text)
    shown = html.unescape(re.sub(r"<[^>]+>", " ", text) + " ".join(spoken))
    shown = IDENT.sub(" ", shown)
    for known in sorted((*NAMES, *CODES, *ASKED), key=len, reverse=True):
        shown = shown.replace(known, " ")
    return set(LATIN.findall(shown))


def _body(page: str) -> str:
    return page[page.index("<body") :]


@pytest.fixture
def chinese(root: Client) -> Client:
    """A superuser's browser that wants Chinese."""
    root.defaults["HTTP_ACCEPT_LANGUAGE"] = "zh-hans"
    return root


def pages(story: Story) -> Iterator[str]:
    """Yield every page of the console that can be looked at."""
    token = token_text(story.user) and story.user.api_tokens.get().public_id
    now = database_now()
    plan = SolvePlan.objects.create(
        run=story.run, version=1, status="active", analysis="x", replans_used=0, replans_max=2, created_at=now
    )
    SolveStep.objects.create(plan=plan, run=story.run, place=0, number=1, goal="x", status="current")
    role_group("auditor")
    names = {"session": story.session.public_id, "run": story.run.public_id, "answered": story.answered.public_id}
    names |= {"plan": f"{story.run.public_id}.1", "token": token, "source": make_source(story.session).public_id}
    for model, reference in HISTORY.items():
        yield from (f"{model}/", f"{model}/?q=nobody", f"{model}/{reference.format(**names)}/change/")
    for number in range(1, AuditRecord.objects.filter(session=story.session.public_id).count() + 1):
        yield f"audit/auditrecord/{story.session.public_id}.{number}/change/"
    yield from ("", "audit/auditrecord/anchors/", "chat/capabilitysettings/", "audit/retention/")
    yield from (f"accounts/user/{page}" for page in ("", "add/", f"{story.user.public_id}/change/"))
    yield from (f"auth/group/{page}" for page in ("", "add/", "auditor/change/"))
    yield f"interactions/interaction/{story.open.public_id}/change/"
    yield from (f"chat/chatsession/{story.session.public_id}/{page}/" for page in ("events", "verify"))
    yield from ("nothing-here/",)


def test_h72_every_page_is_in_chinese(chinese: Client, story: Story) -> None:
    recovery.extend_interaction(story.open.public_id, 900_000, "the user is away")
    record([Entry("submission_refused", story.session.public_id, request=story.open.public_id, summary={"reason": "invalid"})])
    left = {}
    for page in pages(story):
        text = chinese.get(f"/admin/{page}").content.decode()
        assert 'lang="zh' in text, page
        if found := words_left(_body(text)):
            left[page] = found
    assert left == {}, "\n".join(f"LEFT {page}: {found}" for page, found in left.items())


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("interactions/interaction/{answered}/reveal/", {"reason": ""}),
        ("interactions/interaction/{open}/recover/", {"act": "extend", "seconds": "x", "reason": "离开"}),
        ("interactions/interaction/{open}/recover/", {"act": "cancel", "reason": ""}),
        ("chat/run/{run}/recover/", {"act": "explode", "reason": "离开"}),
        ("chat/chatsession/{session}/chain-key/", {"reason": ""}),
        ("audit/retention/", {"drafts": "soon"}),
        ("chat/capabilitysettings/", {"solve.max_replans": "many"}),
    ],
)
def test_h72_a_refusal_is_in_chinese(page: str, form: dict[str, str], chinese: Client, story: Story) -> None:
    names = {name: getattr(story, name).public_id for name in ("answered", "open", "run", "session")}
    refused = chinese.post(f"/admin/{page.format(**names)}", form)
    assert refused.status_code == 422
    text = re.sub(r'value="[^"]*"', "", _body(refused.content.decode()))
    assert words_left(text) == set()
    assert OWN not in text


def test_every_code_label_and_sentence_has_chinese_words() -> None:
    with translation.override("zh-hans"):
        said = [str(kind.label) for kind in KINDS.values()] + [describe(name, {}) for name in KINDS]
        said += [str(words) for words in FACTS.values()] + [str(words) for each in VALUES.values() for words in each.values()]
        said += [translation.gettext(sentence) for sentence in _SENTENCES.values()] + list(map(str, _LABELS.values()))
        assert [words for words in said if words_left(words)] == []


def test_every_fact_that_a_record_may_hold_has_a_name_for_people() -> None:
    assert FACTS.keys() == FIELDS.keys()
    assert VALUES.keys() <= FIELDS.keys()
    assert {f"{model.partition('/')[2]}" for model in EXPORTED} <= VALUES["subject"].keys()
