"""An attached PDF on a real server: found, read, cited, and gone with its session."""

import json
import uuid
from typing import Any

import pytest

from tests.support.journeys import Person, browser
from tests.support.model_server import ModelServer
from tests.toolkit.sources import papers

pytestmark = pytest.mark.journey


def attach(person: Person, session: str, name: str, content: bytes) -> dict[str, Any]:
    """Attach a file; return what the API says of it."""
    with person.server.client(person.token) as client:
        answer = client.post(f"/api/sessions/{session}/sources", files={"file": (name, content)})
    assert answer.status_code == 201, answer.text
    (made,) = answer.json()["results"]
    return made


def test_a_pdf_is_attached_found_read_and_cited(ada: Person, model: ModelServer) -> None:
    session = ada.call("POST", "/api/sessions", {}).json()["sessionId"]
    source = attach(ada, session, "手册.pdf", papers.pdf("How to install the pump", "水泵的保修期为二十四个月"))
    ident, key = source["sourceId"], uuid.uuid4().hex[:8]
    script = [
        {"calls": [{"id": "c1", "name": "rag", "arguments": {"query": "保修"}}]},
        {"calls": [{"id": "c2", "name": "read_source", "arguments": {"source_id": ident, "part": 2}}]},
        {"text": f"二十四个月 [source:{ident}#2]。"},
    ]
    ada.start(f"保修多久？ [[{model.add(*script)}#{key}]]", sessionId=session, sources=[ident])
    events = ada.to_the_end(session)
    found, read = (json.loads(event["content"]) for event in events if event["type"] == "tool_result")
    assert [(each["source_id"], each["part"], each["page"]) for each in found["results"]] == [(ident, 2, 2)]
    assert read["parts"] == [{"part": 2, "page": 2, "text": "水泵的保修期为二十四个月"}]
    assert events[-1]["text"] == f"二十四个月 [source:{ident}#2]。"
    with browser(ada.server) as pages:
        page = f"/s/{session}/sources/{ident}/"
        assert f'href="{page}#part-2"' in pages.get(f"/s/{session}/").text
        assert 'id="part-2"' in pages.get(page).text
    assert list(ada.server.data.rglob(ident))
    assert ada.call("DELETE", f"/api/sessions/{session}").status_code == 204
    assert not list(ada.server.data.rglob(ident))
