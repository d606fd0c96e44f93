"""Users and their public ids."""

import re

import pytest
from django.db import IntegrityError, transaction

from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db


def test_a_user_has_a_random_public_id() -> None:
    one, other = UserFactory.create_batch(2)
    assert re.fullmatch(r"user_[0-9a-f]{32}", one.public_id)
    assert one.public_id != other.public_id


def test_two_users_cannot_share_a_public_id() -> None:
    one = UserFactory.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        UserFactory.create(public_id=one.public_id)
