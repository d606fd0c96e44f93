"""What the tests of the console share: staff in each role, and somebody who was asked and has answered."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.context import acting
from apps.chat.models import ChatSession, Run
from apps.console.rights import APP, ROLES
from apps.interactions.models import Interaction
from apps.providers.registry import override_model
from apps.runs import segments
from tests.factories.accounts import UserFactory
from tests.factories.chat import OPTIONS, answer, make_card
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted

OWN = "MY-SECRET-42"
"""What the user writes: a part of the message and of the answer."""

SignIn = Callable[[str], Client]


@pytest.fixture(autouse=True)
def scripted_model() -> Iterator[None]:
    """Let a script answer wherever the model is named."""
    with override_model(scripted()):
        yield


def role_group(role: str) -> Group:
    """Make the group of a role: the flush at the end of a transactional test takes away what the migration has made."""
    group, _made = Group.objects.get_or_create(name=role)
    group.permissions.set(Permission.objects.filter(content_type__app_label=APP, codename__in=ROLES[role]))
    return group


def staff(role: str) -> User:
    """Make a member of the staff: in the group of this name, "superuser", or "none" for one without any right."""
    user = UserFactory.create(username=f"{role.replace(' ', '-')}-staff", is_staff=True, is_superuser=role == "superuser")
    if role in ROLES:
        user.groups.add(role_group(role))
    return user


@pytest.fixture
def signed_in(db: None) -> SignIn:
    """Return clients that are signed in: as staff in a role, as somebody who is not staff ("person"), or not at all ("")."""

    def sign_in(role: str) -> Client:
        client = Client()
        if role:
            client.force_login(UserFactory.create(username="person") if role == "person" else staff(role))
        return client

    return sign_in


@pytest.fixture
def root(signed_in: SignIn) -> Client:
    """A superuser's browser."""
    return signed_in("superuser")


@dataclass
class Story:
    """A user who was asked once and has answered, was asked again and has not."""

    user: User
    answered: Interaction
    open: Interaction
    run: Run
    session: ChatSession


@pytest.fixture
def story(db: None) -> Story:
    """Make one, with OWN in the message and the answer, but not in the question."""
    user = UserFactory.create(username="ada")
    question = ask_user("c1", title="Which way?", mode="multiple", options=OPTIONS, allowCustom=True)
    model = scripted(asks(question), asks(ask_user("c2", title="And then?")), DONE)
    with acting(actor_of(user), "web"):
        card = make_card(user, model, message=f"Help me with {OWN}")
        answer(card, selections=("safe",), custom_input=f"but {OWN}")
    run = run_to_rest(card.run, model)
    waiting = Interaction.objects.select_related("session").get(run=run, status="pending")
    answered = Interaction.objects.select_related("session").get(pk=card.pk)
    return Story(user, answered, waiting, run, answered.session)


def claim(run: Run) -> Run:
    """Let a worker hold the queued run."""
    assert segments.claim(run.pk, "worker-test") is not None
    run.refresh_from_db()
    return run
