"""The files that tools made, for whoever owns them; and what is left of them once they are gone."""

from collections.abc import Iterable
from typing import BinaryIO

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.chat.models import ChatSession, ToolCall
from apps.runs.delegated import NAME
from apps.runs.erasing import workspace_of
from apps.runs.errors import Gone, NotFound
from apps.toolkit.files.made import FOLDERS
from apps.toolkit.files.places import open_inside
from apps.toolkit.models import Artifact


def open_artifact(user: User, artifact_id: str) -> tuple[Artifact, BinaryIO]:
    """Return the user's own artifact and its open file. Raises NotFound, and Gone if the file was erased."""
    rows = Artifact.objects.select_related("call__run__session")
    row = rows.filter(public_id=artifact_id, call__run__session__user=user).first()
    if row is None:
        raise NotFound(_("There is no such file."), asked_for=artifact_id)
    try:
        if row.erased:
            raise FileNotFoundError
        return row, open_inside(workspace_of(row.call.run.session.public_id), row.path)
    except FileNotFoundError:
        raise Gone(_("The file was erased.")) from None


def beginning_of(row: Artifact, count: int) -> bytes:
    """Return the first bytes of a file of `artifacts_by_call`; none if it is gone."""
    try:
        with open_inside(workspace_of(row.call.run.session.public_id), row.path) as file:
            return file.read(count)
    except FileNotFoundError:
        return b""


def artifacts_of(session: ChatSession) -> QuerySet[Artifact]:
    """Return all files of a session, oldest first."""
    return Artifact.objects.filter(call__run__session=session).select_related("call__run").order_by("id")


def artifacts_by_call(calls: Iterable[ToolCall]) -> dict[int, list[Artifact]]:
    """Return the files by the call that made them, those of a delegated run by the call that gave its task away.

    One query; none where no tool makes files.
    """
    keys = [call.pk for call in calls if call.name in _WITH_FILES]
    rows = Artifact.objects.filter(Q(call__in=keys) | Q(call__run__parent_call__in=keys)) if keys else Artifact.objects.none()
    rows = rows.select_related("call__run__session")
    found: dict[int, list[Artifact]] = {}
    for row in rows.annotate(of=Coalesce("call__run__parent_call", "call")).order_by("call", "number"):
        found.setdefault(row.of, []).append(row)
    return found


_WITH_FILES = {*FOLDERS, NAME}
