"""What tests of the API share: callers, and limits that begin anew."""

from collections.abc import Iterator

import pytest

from apps.accounts.models import User
from apps.api.throttles import RequestRate, RunRate
from apps.providers.registry import override_model
from tests.api.caller import Caller
from tests.factories.accounts import UserFactory
from tests.support.runs import scripted


@pytest.fixture(autouse=True)
def forgotten_calls() -> Iterator[None]:
    """Let no test be throttled by the calls of another: after a rollback users get the same keys again."""
    yield
    RequestRate.window.forget()
    RunRate.window.forget()


@pytest.fixture(autouse=True)
def scripted_model() -> Iterator[None]:
    """Let a script answer wherever the API names the model."""
    with override_model(scripted()):
        yield


@pytest.fixture
def ada(db: None) -> User:
    """A user."""
    return UserFactory.create(username="ada")


@pytest.fixture
def bob(db: None) -> User:
    """Another user."""
    return UserFactory.create(username="bob")


@pytest.fixture
def api(ada: User) -> Caller:
    """The API, called by ada with a token of all ordinary scopes."""
    return Caller.of(ada)


@pytest.fixture
def bobs(bob: User) -> Caller:
    """The API, called by bob."""
    return Caller.of(bob)
