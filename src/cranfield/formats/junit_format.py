"""Reports as JUnit XML.

What differs between two runs over the same inputs: the attributes `time` and `timestamp`, and the
property `run`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from cranfield_shared.plain_text import printable_lines

if TYPE_CHECKING:
    from cranfield.formats.document import Report, TestCase, TestSuite

__all__ = ["render_junit"]

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
