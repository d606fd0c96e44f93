"""The cells of a table, from rows or from the text of a CSV file, and what in them looks like more than it is."""

import csv
import io
import re
from typing import Any

from apps.toolkit.files.making.unfit import Unfit

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 20_000, 200, 100_000
MAX_CELL = 32_000
"""Characters of one cell; XLSX takes 32,767."""

Cell = str | int | float | bool | None
Rows = list[list[Cell]]
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?", re.ASCII)
"""A text that may become a number: no leading zero, which ids have, and no more digits than a float holds."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that spreadsheets take for a formula."""


def rows_of(content: Any) -> Rows:
    """Read rows, or the text of a CSV file. Raises Unfit."""
    rows = _parsed(content) if isinstance(content, str) else content
    if len(rows) > MAX_ROWS:
        raise Unfit("too_many_rows", count=len(rows), limit=MAX_ROWS)
    width = max(map(len, rows), default=0)
    if width > MAX_COLUMNS:
        raise Unfit("too_many_columns", count=width, limit=MAX_COLUMNS)
    if (cells := sum(map(len, rows))) > MAX_CELLS:
        raise Unfit("too_many_cells", count=cells, limit=MAX_CELLS)
    for number, row in enumerate(rows, 1):
        if any(isinstance(cell, str) and len(cell) > MAX_CELL for cell in row):
            raise Unfit("long_cell", row=number, limit=MAX_CELL)
    return list(rows)


def _parsed(text: str) -> Rows:
    csv.field_size_limit(1 << 20)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    except csv.Error:
        raise Unfit("bad_csv") from None


def csv_of(rows: Rows) -> bytes:
    """Return a CSV file in UTF-8, its lines ended as RFC 4180 says."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_quoted(cell) for cell in row] for row in rows)
    return file.getvalue().encode()


def _quoted(cell: Cell) -> Cell:
    """Put an apostrophe before what a spreadsheet would run; a number stays one."""
    is_text = isinstance(cell, str) and cell.startswith(FORMULA) and not NUMBER.fullmatch(cell)
    return f"'{cell}" if is_text else cell
