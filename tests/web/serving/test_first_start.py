"""Somebody must be able to sign in after the first start."""

import pytest

from apps.accounts.links import spend_sign_in_link
from apps.accounts.models import User
from apps.web.serving.first_start import link_token_for_administrator, prepare
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_first_administrator_has_no_password_but_a_link() -> None:
    prepare()
    made = User.objects.get()
    assert (made.username, made.is_staff, made.is_superuser, made.has_usable_password()) == ("admin", True, True, False)
    token = link_token_for_administrator()
    assert token is not None
    assert spend_sign_in_link(token) == made


def test_a_second_start_makes_nobody() -> None:
    prepare()
    prepare()
    assert User.objects.count() == 1


def test_an_ordinary_user_named_admin_stays_what_he_is() -> None:
    UserFactory(username="admin")
    prepare()
    assert User.objects.get(is_superuser=True).username == "admin2"


def test_there_is_no_link_once_an_administrator_has_a_password() -> None:
    UserFactory(is_superuser=True)
    prepare()
    assert link_token_for_administrator() is None
