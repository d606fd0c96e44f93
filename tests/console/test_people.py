"""Users, groups and tokens: changed by who manages people, never beyond their own rights, each change on record."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.test import Client

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import user_of_token
from apps.audit.models import AuditRecord
from apps.console.rights import APP, NAMES, ROLES, Right
from tests.console.conftest import OWN, SignIn, Story, role_group, staff
from tests.factories.accounts import UserFactory, token_text


def form_of(user: User, **changes: Any) -> dict[str, Any]:
    """Return what the form of a user sends."""
    flags = {name: "on" for name in ("is_active", "is_staff", "is_superuser") if getattr(user, name)}
    groups = [str(group.pk) for group in user.groups.all()]
    return {"username": user.username, "email": user.email, "language": "", "groups": groups, **flags, **changes}


def save(client: Client, user: User, **changes: Any) -> int:
    address = f"/admin/accounts/user/{user.public_id}/change/"
    form = {name: value for name, value in form_of(user, **changes).items() if value is not None}
    return client.post(address, form).status_code


def test_the_migration_makes_the_four_roles(db: None) -> None:
    for role, rights in ROLES.items():
        group = role_group(role)
        assert set(group.permissions.values_list("codename", flat=True)) == {right.value for right in rights}
    made = dict(Permission.objects.filter(content_type__app_label=APP).values_list("codename", "name"))
    assert made == {right.value: name for right, name in NAMES.items()}


def test_migrating_again_does_not_take_away_what_an_installation_changed(db: None) -> None:
    group = role_group("auditor")
    group.permissions.clear()
    call_command("migrate", verbosity=0)
    assert not Group.objects.get(name="auditor").permissions.exists()


def test_a_user_is_added_without_a_password_and_gets_in_by_a_link(signed_in: SignIn) -> None:
    admin = signed_in("admin")
    added = admin.post("/admin/accounts/user/add/", {"username": "grace", "email": "", "language": "", "is_active": "on"})
    user = User.objects.get(username="grace")
    assert added["Location"] == f"/admin/accounts/user/{user.public_id}/change/"
    assert not user.has_usable_password()
    page = admin.post(f"/admin/accounts/user/{user.public_id}/sign-in-link/").content.decode()
    [link] = re.findall(r"http://testserver(/sign-in/link/\S+?/)<", page)
    theirs = Client()
    assert theirs.post(link).status_code == 303
    assert theirs.get("/").status_code == 200
    told = AuditRecord.objects.filter(kind="settings_changed").order_by("id")
    assert [record.summary["names"] for record in told] == [["added"], ["sign_in_link"]]
    assert {record.summary["subject"] for record in told} == {user.public_id}


@pytest.mark.parametrize("code", ["22", "23", "24", "25", "26", "40"])
def test_an_id_that_looks_like_a_quoted_character_is_found(code: str, signed_in: SignIn) -> None:
    user = UserFactory.create(username="grace", public_id=f"user_{code}{'0' * 30}")
    admin = signed_in("admin")
    assert admin.get(f"/admin/accounts/user/{user.public_id}/change/").status_code == 200
    assert save(admin, user, email="grace@example.org") == 302
    user.refresh_from_db()
    assert user.email == "grace@example.org"


def test_a_change_is_on_record_by_the_names_of_its_fields(signed_in: SignIn) -> None:
    user = UserFactory.create(username="grace")
    assert save(signed_in("admin"), user, email="grace@example.org", is_active=None) == 302
    user.refresh_from_db()
    assert (user.email, user.is_active) == ("grace@example.org", False)
    told = AuditRecord.objects.get(kind="settings_changed")
    assert told.summary == {"subject": user.public_id, "names": ["email", "is_active"]}
    assert told.channel == "admin"


def test_a_form_offers_one_way_to_save_and_no_window_of_its_own(root: Client) -> None:
    user = UserFactory.create(username="grace")
    text = root.get(f"/admin/accounts/user/{user.public_id}/change/").content.decode()
    assert 'name="_save"' in text
    for offer in ("_addanother", "_continue", "_popup"):
        assert offer not in text


def test_saving_without_a_change_records_nothing(signed_in: SignIn) -> None:
    user = UserFactory.create(username="grace")
    assert save(signed_in("admin"), user) == 302
    assert not AuditRecord.objects.filter(kind="settings_changed").exists()


def test_nobody_makes_themselves_superuser(signed_in: SignIn) -> None:
    admin = signed_in("admin")
    me = User.objects.get(username="admin-staff")
    assert save(admin, me, is_superuser="on") == 302
    me.refresh_from_db()
    assert not me.is_superuser


def test_nobody_gives_rights_that_they_do_not_have(signed_in: SignIn) -> None:
    admin = signed_in("admin")
    officers, auditors = role_group("privacy officer"), role_group("auditor")
    user = UserFactory.create(username="grace")
    assert save(admin, user, groups=[str(officers.pk)]) == 200
    assert not user.groups.exists()
    assert save(admin, user, groups=[str(auditors.pk)]) == 302
    assert list(user.groups.all()) == [auditors]


@pytest.mark.parametrize("role", ["superuser", "privacy officer"])
def test_nobody_changes_or_signs_in_as_somebody_who_may_do_more(role: str, signed_in: SignIn) -> None:
    admin, other = signed_in("admin"), staff(role)
    assert save(admin, other, is_active=None) == 403
    assert admin.post(f"/admin/accounts/user/{other.public_id}/sign-in-link/").status_code == 403
    other.refresh_from_db()
    assert other.is_active


def test_a_group_offers_the_consoles_rights_in_words_and_no_others(signed_in: SignIn) -> None:
    group = role_group("auditor")
    text = signed_in("superuser").get("/admin/auth/group/auditor/change/").content.decode()
    assert text.count('name="permissions"') == len(Right)
    assert "Reveal an answer, with a reason" in text
    assert "Can add" not in text
    assert save_group(signed_in("admin"), group, [Right.VIEW, Right.RECOVER]) == 302
    assert save_group(Client(), group, [Right.VIEW]) == 302  # to the sign-in page
    assert set(group.permissions.values_list("codename", flat=True)) == {"view_history", "recover"}
    assert AuditRecord.objects.filter(kind="settings_changed").latest("id").summary == {
        "subject": "group",
        "names": ["permissions"],
    }


def save_group(client: Client, group: Group, rights: list[Right]) -> int:
    keys = Permission.objects.filter(content_type__app_label=APP, codename__in=rights).values_list("pk", flat=True)
    form = {"name": group.name, "permissions": [str(key) for key in keys]}
    return client.post(f"/admin/auth/group/{group.name}/change/", form).status_code


def test_a_group_that_may_do_more_is_not_changed(signed_in: SignIn) -> None:
    officers = role_group("privacy officer")
    assert save_group(signed_in("admin"), officers, [Right.VIEW]) == 403
    assert save_group(Client(), officers, [Right.VIEW]) == 302
    assert officers.permissions.count() == len(ROLES["privacy officer"])


def test_a_mail_address_is_seen_by_who_manages_people(signed_in: SignIn) -> None:
    user = UserFactory.create(username="grace", email="grace@example.org")
    address = f"/admin/accounts/user/{user.public_id}/change/"
    assert "grace@example.org" in signed_in("admin").get(address).content.decode()
    assert "grace@example.org" not in signed_in("auditor").get(address).content.decode()


# --- tokens ---------------------------------------------------------------------------------------
def test_a_token_shows_its_use_and_neither_its_name_nor_its_digest(signed_in: SignIn, story: Story) -> None:
    plain = token_text(story.user)
    token = ApiToken.objects.get(user=story.user)
    ApiToken.objects.filter(pk=token.pk).update(name=OWN)
    auditor = signed_in("auditor")
    for address in ("/admin/accounts/apitoken/", f"/admin/accounts/apitoken/{token.public_id}/change/"):
        text = auditor.get(address).content.decode()
        assert "read answer run" in text
        for hidden in (OWN, plain, token.digest):
            assert hidden not in text


def test_a_token_is_revoked_from_the_console(signed_in: SignIn, story: Story) -> None:
    plain = token_text(story.user)
    token = ApiToken.objects.get(user=story.user)
    assert signed_in("admin").post(f"/admin/accounts/apitoken/{token.public_id}/revoke/").status_code == 302
    assert user_of_token(plain) is None
    told = AuditRecord.objects.get(kind="token_revoked")
    assert (told.summary["token"], told.channel) == (token.public_id, "admin")


@pytest.mark.parametrize(("query", "count"), [("q=ada", 1), ("q=bob", 0), ("revoked=no", 1), ("revoked=yes", 0)])
def test_tokens_are_found_by_user_and_state(query: str, count: int, root: Client, story: Story) -> None:
    token_text(story.user)
    text = root.get(f"/admin/accounts/apitoken/?{query}").content.decode()
    assert text.count("/admin/accounts/apitoken/token_") == count


# --- a user's data --------------------------------------------------------------------------------
def test_all_data_of_a_user_leave_as_a_zip_with_a_reason(signed_in: SignIn, story: Story) -> None:
    officer = signed_in("privacy officer")
    address = f"/admin/accounts/user/{story.user.public_id}/export-data/"
    assert officer.post(address, {"reason": " "}).status_code == 302
    assert not AuditRecord.objects.filter(kind="data_exported").exists()
    answer: Any = officer.post(address, {"reason": "asked by the user"})
    assert b"".join(answer.streaming_content)[:2] == b"PK"
    told = AuditRecord.objects.get(kind="data_exported")
    assert told.summary == {"subject": story.user.public_id, "records": 1, "reason_length": 17}


@pytest.mark.parametrize("form", [{"name": "Ada", "reason": "asked"}, {"name": "ada", "reason": ""}, {"reason": "asked"}])
def test_nothing_is_erased_without_the_name_and_a_reason(form: dict[str, str], signed_in: SignIn, story: Story) -> None:
    officer = signed_in("privacy officer")
    officer.post(f"/admin/accounts/user/{story.user.public_id}/erase-data/", form)
    assert not AuditRecord.objects.filter(kind="data_erased").exists()
    story.session.refresh_from_db()
    assert story.session.title


def test_a_privacy_officer_erases_what_a_user_wrote(signed_in: SignIn, story: Story) -> None:
    officer = signed_in("privacy officer")
    form = {"name": "ada", "reason": "asked by the user"}
    done = officer.post(f"/admin/accounts/user/{story.user.public_id}/erase-data/", form, follow=True)
    assert "Erased: 1 sessions." in done.content.decode()
    story.session.refresh_from_db()
    assert story.session.title == ""
    assert AuditRecord.objects.filter(kind="data_erased", session="").get().summary["subject"] == story.user.public_id
