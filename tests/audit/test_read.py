"""The trail of a session can be checked by whoever has the key of that chain, without our code."""

import hmac
import json

import pytest

from apps.audit.context import Actor, acting
from apps.audit.keys import chain_key
from apps.audit.read import trail
from apps.audit.write import Entry, record

SESSION = "sess_" + "a" * 32


@pytest.mark.django_db
def test_each_value_is_the_hmac_of_the_rest_and_names_the_one_before() -> None:
    with acting(Actor("user", "user_1"), "web", "req_1"):
        record([Entry("run_started", SESSION, summary={"capability": "chat"}), Entry("run_paused", SESSION), Entry("sign_in")])
    previous = ""
    for line in trail(SESSION):
        value = line.pop("value")
        text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert hmac.new(chain_key(SESSION, line["keyId"]), text, "sha256").hexdigest() == value
        assert line["previous"] == previous
        previous = value
    assert previous


@pytest.mark.django_db
def test_a_trail_holds_only_its_own_session() -> None:
    record([Entry("run_started", SESSION), Entry("sign_in")])
    assert [line["kind"] for line in trail(SESSION)] == ["run_started"]
    assert [line["kind"] for line in trail("")] == ["sign_in"]
