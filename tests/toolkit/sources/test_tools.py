"""A run that works with attachments: what the model sees, what it finds, and that it is its own session's alone."""

import json
from typing import Any

import pytest

from apps.chat.models import Run, ToolResult
from apps.runs import services
from apps.runs.capabilities import capability_named
from apps.runs.policies import toolbox_for
from apps.toolkit.models import Source
from apps.toolkit.sources.keeping import remove
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.toolkit.sources import papers
from tests.toolkit.sources.papers import MARKDOWN, File, attached

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "\n\n".join(f"Paragraph {number}: " + "words " * 250 for number in range(12))


class Room:
    """A user with a session and files in it, before the first message."""

    def __init__(self, *files: File) -> None:
        self.user = UserFactory()
        self.runs = 0
        self.session = services.make_session(self.user)
        self.sources = attached(self.session, *files) if files else []

    def ran(self, *calls: dict[str, Any], **parts: Any) -> tuple[Desk, Run]:
        """Let a model make these calls in one turn and then be done."""
        script = [{"calls": list(calls)}, DONE] if calls else [DONE]
        desk = Desk(self.user, script, session=self.session.public_id)
        self.runs += 1
        return desk, desk.drive(desk.say(**{"text": f"hello [[s#{self.runs}]]"} | parts))

    def result(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Return the content of the result of one call."""
        _desk, run = self.ran({"id": "c1", "name": name, "arguments": arguments})
        assert run.status == Run.Status.COMPLETED
        return json.loads(ToolResult.objects.filter(call__run=run).latest("created_at").content)


def offered(desk: Desk) -> set[str]:
    return {tool["function"]["name"] for tool in desk.model.requests[0].tools}


def told(desk: Desk) -> str:
    return str(desk.model.requests[0].messages[0]["content"])


def test_rag_brings_the_passages_that_answer_with_what_to_cite_them_by() -> None:
    room = Room(File("manual.md", MARKDOWN), File("other.txt", "Nothing of interest."))
    content = room.result("rag", query="How long does the warranty last?")
    assert content["status"] == "done"
    assert content["results"][0] == {
        "source_id": room.sources[0].public_id,
        "name": "manual.md",
        "part": 1,
        "heading": "Warranty",
        "text": "# Warranty\n\nThe warranty of the pump lasts 24 months.",
    }


def test_rag_says_on_which_page_of_a_pdf_a_passage_stands() -> None:
    room = Room(File("a.pdf", papers.pdf("水泵", "保修期为两年")))
    (passage,) = room.result("rag", query="保修")["results"]
    assert (passage["page"], passage["part"], passage["text"]) == (2, 2, "保修期为两年")


def test_rag_looks_only_in_the_attachments_that_are_named() -> None:
    room = Room(File("a.txt", "The pump is green."), File("b.txt", "The pump is blue."))
    (passage,) = room.result("rag", query="pump", source_ids=[room.sources[1].public_id])["results"]
    assert passage["name"] == "b.txt"


def test_rag_says_so_if_nothing_is_found() -> None:
    content = Room(File("a.txt", "The pump is green.")).result("rag", query="zebra")
    assert content["results"] == []
    assert content["message"].startswith("No passage holds any of these words.")


def test_read_source_reads_as_much_as_fits_and_says_where_to_go_on() -> None:
    room = Room(File("long.txt", LONG))
    (source,) = room.sources
    first = room.result("read_source", source_id=source.public_id)
    assert [part["part"] for part in first["parts"]] == list(range(1, first["next_part"]))
    assert sum(len(part["text"]) for part in first["parts"]) <= 12_000
    rest = room.result("read_source", source_id=source.public_id, part=first["next_part"])
    assert rest["parts"][0]["part"] == first["next_part"]
    assert (rest["parts"][-1]["part"], rest["next_part"]) == (source.part_count, None)


@pytest.mark.parametrize("part", [2, "2", 2.0])
def test_a_part_is_read_however_a_model_writes_its_number(part: object) -> None:
    room = Room(File("manual.md", MARKDOWN))
    content = room.result("read_source", source_id=room.sources[0].public_id, part=part)
    assert [each["heading"] for each in content["parts"]] == ["Exceptions"]


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("rag", {"query": "?!"}, "query"),
        ("rag", {"query": 7}, "query"),
        ("rag", {"query": "pump", "source_ids": {"a": 1}}, "source_ids"),
        ("rag", {"query": "pump", "source_ids": ["src_0"]}, "source_ids"),
        ("read_source", {}, "source_id"),
        ("read_source", {"source_id": "src_0"}, "source_id"),
    ],
)
def test_what_cannot_be_looked_up_is_refused_by_its_field(name: str, arguments: dict[str, Any], field: str) -> None:
    content = Room(File("a.txt", "The pump.")).result(name, **arguments)
    assert (content["status"], content["code"], content["field"]) == ("error", "BAD_ARGUMENT", field)


@pytest.mark.parametrize("part", [0, 3, "two", 1.5, True])
def test_a_part_that_there_is_not_is_refused_and_the_range_named(part: object) -> None:
    room = Room(File("manual.md", MARKDOWN))
    content = room.result("read_source", source_id=room.sources[0].public_id, part=part)
    assert (content["code"], content["field"]) == ("BAD_ARGUMENT", "part")
    assert "from 1 to 2" in content["message"]


def test_an_attachment_of_another_session_is_unknown_even_to_its_own_user() -> None:
    room = Room(File("a.txt", "The pump."))
    (foreign,) = attached(services.make_session(room.user), File("secret.txt", "The zebra."))
    content = room.result("read_source", source_id=foreign.public_id)
    assert (content["code"], content["field"]) == ("BAD_ARGUMENT", "source_id")
    assert room.sources[0].public_id in content["message"]
    assert room.result("rag", query="zebra")["results"] == []


# --- what the model sees -------------------------------------------------------------------------------


def test_without_attachments_the_tools_are_not_there_and_a_call_is_unknown() -> None:
    room = Room()
    desk, run = room.ran({"id": "c1", "name": "rag", "arguments": {"query": "pump"}})
    assert not {"rag", "read_source"} & offered(desk)
    assert json.loads(ToolResult.objects.get(call__run=run).content)["code"] == "UNKNOWN_TOOL"


@pytest.mark.parametrize("capability", ["chat", "deep_solve"])
def test_every_capability_offers_them_where_there_is_something_to_read(capability: str) -> None:
    room = Room(File("a.txt", "The pump."))
    box, asking = toolbox_for(room.user.pk, capability_named(capability), room.session, {})
    assert {"rag", "read_source"} <= set(box.tools)
    assert asking["rag"] == asking["read_source"] == "never"


def test_a_picture_alone_gives_them_nothing_to_read() -> None:
    desk, _run = Room(File("a.png", papers.PICTURE)).ran()
    assert not {"rag", "read_source"} & offered(desk)
    assert '"a.png", image/png, a picture, which no tool can read' in told(desk)


def test_the_model_is_told_what_is_attached_and_what_came_with_the_message() -> None:
    room = Room(File("old.txt", "The pump."), File('new "one".md', MARKDOWN))
    old, new = room.sources
    desk, run = room.ran(sources=[new.public_id])
    assert f'- {old.public_id}: "old.txt", text/plain, 1 parts\n' in told(desk)
    assert told(desk).endswith(f'- {new.public_id}: "new \\"one\\".md", text/markdown, 2 parts, attached to the latest message')
    assert run.config["sources"] == [new.public_id]


def test_the_messages_stand_as_they_were_typed() -> None:
    room = Room(File("a.txt", "The pump."))
    desk, _run = room.ran(text="What is it? [[s#k]]", sources=[room.sources[0].public_id])
    assert desk.model.requests[0].messages[1:] == [{"role": "user", "content": "What is it? [[s#k]]"}]


def test_what_was_removed_is_not_spoken_of_any_more() -> None:
    room = Room(File("a.txt", "The pump."))
    remove(room.session, room.sources[0])
    desk, _run = room.ran()
    assert "a.txt" not in told(desk)
    assert not Source.objects.exists()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_property_of_their_schemas_is_described(language: str) -> None:
    room = Room(File("a.txt", "The pump."))
    box, _asking = toolbox_for(room.user.pk, capability_named("chat"), room.session, {})
    for name in ("rag", "read_source"):
        schema = box.tools[name].schema(language)
        assert "[source:ID#PART]" in schema["description"]
        assert all(each["description"] for each in schema["parameters"]["properties"].values())
