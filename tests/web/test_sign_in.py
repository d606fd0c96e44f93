"""Signing in and out, with a password and with a link."""

import pytest
from django.test import Client

from apps.accounts.links import make_sign_in_link_token
from apps.accounts.models import User
from apps.accounts.throttle import TRIES
from tests.factories.accounts import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db


def test_a_password_lets_in_and_leads_back_to_where_one_wanted_to_go(user: User) -> None:
    answer = Client().post("/sign-in/", {"name": user.username, "password": PASSWORD, "next": "/inbox/"})
    assert (answer.status_code, answer["Location"]) == (303, "/inbox/")


def test_the_sign_in_never_leads_to_another_site(user: User) -> None:
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        answer = Client().post("/sign-in/", {"name": user.username, "password": PASSWORD, "next": elsewhere})
        assert answer["Location"] == "/"


def test_a_wrong_password_is_said_on_the_page_and_the_name_stays(user: User) -> None:
    answer = Client().post("/sign-in/", {"name": user.username, "password": "wrong"})
    assert answer.status_code == 422
    assert "The name or the password is wrong." in answer.content.decode()
    assert f'value="{user.username}"' in answer.content.decode()


def test_too_many_tries_are_refused_even_with_the_right_password(user: User) -> None:
    client = Client()
    for _try in range(TRIES):
        client.post("/sign-in/", {"name": user.username, "password": "wrong"})
    assert client.post("/sign-in/", {"name": user.username, "password": PASSWORD}).status_code == 429


def test_opening_a_link_spends_nothing_and_pressing_its_button_signs_in() -> None:
    user = UserFactory.create()
    path = f"/sign-in/link/{make_sign_in_link_token(user)}/"
    assert all(Client().get(path).status_code == 200 for _preview in range(3))
    client = Client()
    answer = client.post(path)
    assert (answer.status_code, answer["Location"]) == (303, "/")
    assert client.get("/new/").status_code == 200


def test_a_link_works_once() -> None:
    path = f"/sign-in/link/{make_sign_in_link_token(UserFactory.create())}/"
    Client().post(path)
    again = Client().post(path)
    assert again.status_code == 410
    assert "This link has been used or has expired." in again.content.decode()


def test_a_link_that_is_over_says_so_before_its_button_could_be_pressed() -> None:
    path = f"/sign-in/link/{make_sign_in_link_token(UserFactory.create())}/"
    assert '<form method="post">' in Client().get(path).content.decode()
    spender = Client()
    spender.post(path)
    for client, way_on in ((Client(), "Sign in with a password"), (spender, "You are signed in already.")):
        answer = client.get(path)
        assert answer.status_code == 410
        assert "This link has been used or has expired." in answer.content.decode()
        assert '<form method="post">' not in answer.content.decode()
        assert way_on in answer.content.decode()


def test_who_comes_by_link_without_a_password_is_asked_to_set_one() -> None:
    user = UserFactory.create()
    user.set_unusable_password()
    user.save()
    client = Client()
    page = client.post(f"/sign-in/link/{make_sign_in_link_token(user)}/")["Location"]
    assert page == "/settings/password/?first=1"
    refused = client.post(page, {"new": "correct horse", "again": "battery staple"})
    assert f'action="{page}"' in refused.content.decode()
    assert client.post(page, {"new": "correct horse battery", "again": "correct horse battery"})["Location"] == "/"


def test_signing_out_takes_a_post(browser: Client) -> None:
    assert browser.get("/sign-out/").status_code == 405
    assert browser.post("/sign-out/")["Location"] == "/sign-in/"
    assert browser.get("/")["Location"] == "/sign-in/?next=%2F"


def test_the_language_is_chosen_before_signing_in_and_kept_with_the_user(user: User, browser: Client) -> None:
    visitor = Client()
    assert visitor.post("/language/", {"language": "zh-hans", "next": "/sign-in/"})["Location"] == "/sign-in/"
    assert '<html lang="zh-hans"' in visitor.get("/sign-in/").content.decode()
    browser.post("/language/", {"language": "zh-hans"})
    user.refresh_from_db()
    assert user.language == "zh-hans"


def test_the_page_of_a_token_is_not_kept_by_caches(user: User) -> None:
    answer = Client().get(f"/sign-in/link/{make_sign_in_link_token(user)}/")
    assert "no-store" in answer["Cache-Control"]
