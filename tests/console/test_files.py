"""Files of tools on a session's page: ids, types and sizes; a name is a number of characters."""

from django.test import Client

from tests.console.conftest import OWN, Story
from tests.factories.files import make_artifact


def test_a_session_shows_its_files_without_their_names(root: Client, story: Story) -> None:
    row = make_artifact(story.answered.call, f"{OWN}.pdf", b"x" * 2048)
    html = root.get(f"/admin/chat/chatsession/{story.session.public_id}/change/").content.decode()
    for shown in (row.public_id, "application/pdf", "2.0\xa0KB", str(len(row.name))):
        assert shown in html
    assert OWN not in html
