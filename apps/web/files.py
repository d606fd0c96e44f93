"""A file of a call as templates draw it; of a table its first rows are shown."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from apps.common.text import clean_shown
from apps.runs.artifacts import beginning_of
from apps.toolkit.files.kinds import ending_of
from apps.toolkit.models import Artifact

ROWS, COLUMNS, CELL = 6, 6, 80
"""So much of a table is shown: its head and five rows, characters of a cell."""
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_ENOUGH = 8192


@dataclass(frozen=True, slots=True)
class FileCard:
    """A file with the first rows of its table, if it is one."""

    row: Artifact
    table: Sequence[Sequence[str]] = ()

    @property
    def head(self) -> Sequence[str]:
        """The first row."""
        return self.table[0]

    @property
    def body(self) -> Sequence[Sequence[str]]:
        """The rows below it."""
        return self.table[1:]


def card_of(row: Artifact) -> FileCard:
    """Return the card of a file."""
    delimiter = _DELIMITERS.get(ending_of(row.name))
    return FileCard(row, _table(row, delimiter)) if delimiter and not row.erased else FileCard(row)


def _table(row: Artifact, delimiter: str) -> list[list[str]]:
    text = clean_shown(beginning_of(row, _ENOUGH).decode("utf-8-sig", "replace"))
    lines = text.splitlines(keepends=True)
    # The last line of a beginning may be the half of one.
    whole = lines if row.size <= _ENOUGH else lines[:-1]
    if any("\ufffd" in line for line in whole):
        return []  # no UTF-8: its signs would be wrong ones
    try:
        rows = [[cell[:CELL] for cell in cells[:COLUMNS]] for cells in islice(csv.reader(whole, delimiter=delimiter), ROWS)]
    except csv.Error:
        return []
    return rows if any(map(len, rows)) else []
