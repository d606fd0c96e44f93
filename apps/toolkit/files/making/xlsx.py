"""One sheet as XLSX, without temporary files, which the worker could not make; equal rows give equal bytes."""

import io
import re
from datetime import UTC, datetime
from itertools import product

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from apps.toolkit.files.making.cells import FORMULA, NUMBER, Cell, Rows

_EXACT = 2**53
_MADE = datetime(1980, 1, 1, tzinfo=UTC)
_NO_XML = re.compile("[\ufffe\uffff]")


def xlsx_of(rows: Rows) -> bytes:
    """Return an XLSX file with one sheet, its first row in bold. No cell is a formula or a link."""
    file = io.BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": _MADE})
        # A prefixed text stays a text when its cell is edited.
        looks = {each: book.add_format({"bold": each[0], "quote_prefix": each[1]}) for each in product((False, True), repeat=2)}
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            for column, value in enumerate(map(_typed, row)):
                is_prefixed = isinstance(value, str) and value.startswith(FORMULA)
                _write(sheet, number, column, value, looks[number == 0, is_prefixed])
    return file.getvalue()


def _write(sheet: Worksheet, row: int, column: int, value: Cell, look: Format) -> None:
    # Each kind by its own method: `write` would guess formulas and links.
    if value is None or value == "":
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value, look)
    elif isinstance(value, str):
        sheet.write_string(row, column, _NO_XML.sub("", value), look)
    else:
        sheet.write_number(row, column, value, look)


def _typed(value: Cell) -> Cell:
    if isinstance(value, str):
        return (float(value) if "." in value else int(value)) if NUMBER.fullmatch(value) else value
    # A spreadsheet keeps a number as a float: a longer one stays whole only as a text.
    is_long = isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT
    return str(value) if is_long else value
