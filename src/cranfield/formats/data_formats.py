"""Reports as data for programs: CSV, JSON and JUnit's XML."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

from cranfield.formats.document import Cell
from cranfield.model import Undefined
from cranfield_shared.plain_text import escape_json, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cranfield.formats.document import Report, TestCase, TestSuite

__all__ = [
    "as_json",
    "render_csv",
    "render_json",
    "render_junit",
    "write_csv",
]

_FORMULA = re.compile(r"\s*[=+\-@]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def render_csv(report: Report) -> str:
    """Write the records with every digit of a value; a cell without a value is empty."""
    records = report.records
    return write_csv([column.title for column in records.columns], records.rows)


def write_csv(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write rows under their titles."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_plain, titles))
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return text.getvalue()


def _plain(cell: Any) -> Any:
    value = cell.value if isinstance(cell, Cell) else cell
    if isinstance(value, str):
        return _plain_text(value)
    return "" if isinstance(value, Undefined) else value


def _plain_text(text: str) -> str:
    """Make a text harmless; a spreadsheet takes one that begins like a formula for one."""
    shown = printable_lines(text)
    is_formula = _FORMULA.match(shown) and not _NUMBER.fullmatch(shown)
    return f"'{shown}" if is_formula else shown


def render_json(report: Report) -> str:
    """Write everything that is known."""
    return as_json(report.data)


def as_json(written: Any) -> str:
    """Write JSON as people read it, one thing a line."""
    import msgspec

    return escape_json(msgspec.json.format(msgspec.json.encode(written), indent=2).decode()) + "\n"


_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render_junit(report: Report) -> str:
    """Write a test suite for each run, and its test cases."""
    root = ET.Element("testsuites", {"name": f"cranfield {report.kind}"})
    root.extend(_suite(each) for each in report.tests)
    for name in ("tests", *_COUNTS):
        root.set(name, str(sum(int(each.get(name, "0")) for each in root)))
    ET.indent(root)
    written = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written}\n'


def _clean(text: str) -> str:
    """Leave out what XML 1.0 cannot hold; the rest is escaped by ElementTree."""
    return printable_lines(_NOT_XML.sub("", text))


def _suite(suite: TestSuite) -> ET.Element:
    outcomes = [case.outcome for case in suite.cases]
    element = ET.Element("testsuite", {"name": _clean(suite.title), "tests": str(len(outcomes))})
    for name, outcome in _COUNTS.items():
        element.set(name, str(outcomes.count(outcome)))
    element.set("time", f"{sum(case.seconds or 0.0 for case in suite.cases):.6f}")
    if suite.started:
        element.set("timestamp", suite.started[:19])
    if suite.properties:
        properties = ET.SubElement(element, "properties")
        for name, value in suite.properties:
            ET.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    element.extend(_case(case) for case in suite.cases)
    return element


def _case(case: TestCase) -> ET.Element:
    attributes = {"classname": _clean(case.group), "name": _clean(case.name)}
    element = ET.Element("testcase", {**attributes, "time": f"{case.seconds or 0.0:.6f}"})
    if case.outcome:
        said = {"message": _clean(case.message), **({"type": case.kind} if case.kind else {})}
        ET.SubElement(element, case.outcome, said).text = _clean(case.detail) or None
    elif case.message:
        ET.SubElement(element, "system-out").text = _clean(case.message)
    return element
