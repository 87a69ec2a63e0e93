"""The formats that suites are written in, one file each."""

from cranfield.suites.formats.file_parts import decode, read_bytes, text_lines
from cranfield.suites.formats.judged_topics import read_judgments
from cranfield.suites.formats.regressions_table import RegressionsTable
from cranfield.suites.formats.suite_formats import (
    SUITE_FORMATS,
    SuiteFormat,
    read_accepted,
    read_source,
)

__all__ = [
    "SUITE_FORMATS",
    "RegressionsTable",
    "SuiteFormat",
    "decode",
    "read_accepted",
    "read_bytes",
    "read_judgments",
    "read_source",
    "text_lines",
]
