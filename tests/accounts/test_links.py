"""Sign-in links work once, for fifteen minutes."""

from datetime import timedelta

import pytest

from apps.accounts.links import make_sign_in_link_token, spend_sign_in_link
from apps.accounts.models import SignInLink, User
from apps.common.clock import database_now
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return UserFactory.create()


def test_a_link_leads_to_its_user_once(user: User) -> None:
    token = make_sign_in_link_token(user)
    assert spend_sign_in_link(token) == user
    assert spend_sign_in_link(token) is None


def test_a_link_is_valid_for_fifteen_minutes(user: User) -> None:
    token = make_sign_in_link_token(user)
    left = SignInLink.objects.get().expires_at - database_now()
    assert timedelta(minutes=14, seconds=50) < left <= timedelta(minutes=15)
    SignInLink.objects.update(expires_at=database_now())
    assert spend_sign_in_link(token) is None


def test_a_link_of_an_inactive_user_is_dead_and_unspent(user: User) -> None:
    token = make_sign_in_link_token(user)
    User.objects.update(is_active=False)
    assert spend_sign_in_link(token) is None
    assert SignInLink.objects.get().used_at is None


@pytest.mark.parametrize("token", ["", "link_unknown", "\ud800"])
def test_an_unknown_link_leads_nowhere(token: str) -> None:
    assert spend_sign_in_link(token) is None


def test_h90_the_secret_of_a_link_is_not_stored(user: User) -> None:
    token = make_sign_in_link_token(user)
    assert token not in repr(SignInLink.objects.values().get())


def test_making_a_link_removes_those_that_are_over(user: User) -> None:
    make_sign_in_link_token(user)
    SignInLink.objects.update(expires_at=database_now())
    make_sign_in_link_token(user)
    assert SignInLink.objects.count() == 1
