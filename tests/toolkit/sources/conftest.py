"""What tests of attachments share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from apps.accounts.models import User
from apps.chat.models import ChatSession
from apps.runs import services
from tests.factories.accounts import UserFactory


@pytest.fixture(autouse=True)
def no_files_left() -> Iterator[None]:
    """Files are not rolled back with their rows."""
    yield
    shutil.rmtree(Path(settings.DATA_DIR) / "workspaces", ignore_errors=True)


@pytest.fixture
def ada(db: None) -> User:
    """A user."""
    return UserFactory.create(username="ada")


@pytest.fixture
def session(ada: User) -> ChatSession:
    """A session of hers."""
    return services.make_session(ada)
