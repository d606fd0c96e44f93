"""One sheet as XLSX, written part by part: no temporary files, which the worker could not make, and equal bytes each time.

Texts are inline strings, which no program takes for a formula.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from apps.toolkit.files.making.cells import FORMULA, NUMBER, Cell, Rows

_EXACT = 2**53
_EPOCH = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PLAIN, _PREFIXED, _BOLD = 0, 1, 2
"""The styles below, by their place; bold and prefixed is the sum. A prefixed text stays a text when its cell is edited."""
_NO_XML = re.compile("[\ufffe\uffff]")


def _relation(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


_FONT = '<font>{}<sz val="11"/><name val="Calibri"/></font>'
_FILLS = '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
_STYLE = '<xf numFmtId="0" fontId="{}" fillId="0" borderId="0" xfId="0" applyFont="1" quotePrefix="{}"/>'
_STYLES = "".join(_STYLE.format(font, prefix) for font in (0, 1) for prefix in (0, 1))
_FIXED: Mapping[str, str] = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f"{_relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>",
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f"{_relation(1, 'worksheet', 'worksheets/sheet1.xml')}{_relation(2, 'styles', 'styles.xml')}</Relationships>",
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
    f'<fonts count="2">{_FONT.format("")}{_FONT.format("<b/>")}</fonts><fills count="2">{_FILLS}</fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="4">{_STYLES}</cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}


def xlsx_of(rows: Rows) -> bytes:
    """Return an XLSX file with one sheet, its first row in bold."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**_FIXED, "xl/worksheets/sheet1.xml": _sheet(rows)}.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), (_HEAD + text).encode(), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _sheet(rows: Rows) -> str:
    lines = (f'<row r="{number}">{"".join(_cells(row, number))}</row>' for number, row in enumerate(rows, 1))
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cells(row: Sequence[Cell], number: int) -> Iterator[str]:
    for column, value in enumerate(row):
        if value is not None and value != "":
            yield _cell(f"{_letters(column)}{number}", _typed(value), is_head=number == 1)


def _cell(place: str, value: Cell, *, is_head: bool) -> str:
    style = _BOLD if is_head else _PLAIN
    if isinstance(value, bool):
        return f'<c r="{place}" s="{style}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        style += _PREFIXED if value.startswith(FORMULA) else 0
        text = escape(_NO_XML.sub("", value))
        return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f'<c r="{place}" s="{style}"><v>{value!r}</v></c>'


def _typed(value: Cell) -> Cell:
    if isinstance(value, str):
        return (float(value) if "." in value else int(value)) if NUMBER.fullmatch(value) else value
    # A spreadsheet keeps a number as a float: a longer one stays whole only as a text.
    is_long = isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT
    return str(value) if is_long else value


def _letters(column: int) -> str:
    """Return the name of a column: A, B, ... Z, AA, AB."""
    name = ""
    while column >= 0:
        column, rest = divmod(column, 26)
        name, column = chr(ord("A") + rest) + name, column - 1
    return name
