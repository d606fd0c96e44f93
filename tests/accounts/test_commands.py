"""create_user and create_token: what they print, what they refuse."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import user_of_token
from apps.audit.models import AuditRecord
from tests.factories.accounts import PASSWORD, UserFactory
from tests.support.server import ServerProcess

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def password(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a password on standard input."""

    def on_standard_input(text: str = PASSWORD + "\n") -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    on_standard_input()
    return on_standard_input


def test_a_user_is_made_in_silence(password: Any) -> None:
    assert run("create_user", "ada", "--email", "ada@example.com") == ""
    user = User.objects.get()
    assert (user.username, user.email, user.is_staff, user.is_superuser) == ("ada", "ada@example.com", False, False)
    assert user.check_password(PASSWORD)


@pytest.mark.parametrize(("option", "staff", "superuser"), [("--staff", True, False), ("--superuser", True, True)])
def test_staff_and_superusers(password: Any, option: str, staff: bool, superuser: bool) -> None:
    run("create_user", "ada", option)
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser) == (staff, superuser)


def test_only_the_first_line_is_the_password_and_its_blanks_count(password: Any) -> None:
    password("  with blanks around  \r\nand more\n")
    run("create_user", "ada")
    assert User.objects.get().check_password("  with blanks around  ")


@pytest.mark.parametrize("text", ["", "\n", "short\n", "password\n", "ada@example.com\n"])
def test_a_weak_password_is_one_line_and_no_user(password: Any, text: str) -> None:
    password(text)
    with pytest.raises(CommandError) as failure:
        run("create_user", "ada", "--email", "ada@example.com")
    assert failure.value.returncode == 1
    assert "\n" not in str(failure.value)
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["ada", "two words", "", "x" * 151])
def test_a_name_that_is_taken_or_wrong_is_one_line(password: Any, name: str) -> None:
    UserFactory.create(username="ada")
    with pytest.raises(CommandError) as failure:
        run("create_user", name)
    assert "\n" not in str(failure.value)
    assert User.objects.count() == 1


def test_a_token_is_printed_alone() -> None:
    user = UserFactory.create()
    plain = run("create_token", user.username).removesuffix("\n")
    found = user_of_token(plain)
    assert found is not None
    assert found[0] == user
    assert found[1].scopes == ["read", "answer", "run"]


def test_the_scope_option_is_repeated() -> None:
    user = UserFactory.create(is_staff=True)
    run("create_token", user.username, "--scope", "admin", "--scope", "read", "--days", "3")
    token = ApiToken.objects.get()
    assert token.scopes == ["read", "admin"]
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at).days == 3


@pytest.mark.parametrize("arguments", [["nobody"], ["ada", "--scope", "admin"], ["ada", "--scope", "x"], ["ada", "--days", "0"]])
def test_what_cannot_be_is_one_line(arguments: list[str]) -> None:
    UserFactory.create(username="ada")
    with pytest.raises(CommandError) as failure:
        run("create_token", *arguments)
    assert "\n" not in str(failure.value)
    assert not ApiToken.objects.exists()


def test_the_audit_says_that_the_command_line_made_the_token() -> None:
    run("create_token", UserFactory.create().username)
    row = AuditRecord.objects.get()
    assert (row.kind, row.actor_kind, row.channel) == ("token_made", "system", "cli")


@pytest.mark.parametrize("command", [("create_user", "ada"), ("create_token", "ada")])
def test_before_the_first_start_it_says_what_to_do(command: tuple[str, ...], tmp_path: Path) -> None:
    ended = ServerProcess(tmp_path).manage(*command, stdin=PASSWORD + "\n")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "CommandError: The database is not up to date: start manage.py serve once, or run manage.py migrate.\n"
    )
