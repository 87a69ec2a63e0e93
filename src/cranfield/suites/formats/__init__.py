"""The formats that suites are written in, one file each."""

from cranfield.suites.formats.file_parts import (
    INFORMATIVE_KEYS,
    Part,
    QueriesFile,
    decode,
    decode_queries,
    locate,
    misfit_findings,
    read_bytes,
    starts_with,
    text_lines,
)
from cranfield.suites.formats.judged_topics import read_judgments
from cranfield.suites.formats.regressions_table import RegressionsTable
from cranfield.suites.formats.suite_formats import (
    SUITE_FORMATS,
    SuiteFormat,
    read_accepted,
    read_source,
)

__all__ = [
    "INFORMATIVE_KEYS",
    "SUITE_FORMATS",
    "Part",
    "QueriesFile",
    "RegressionsTable",
    "SuiteFormat",
    "decode",
    "decode_queries",
    "locate",
    "misfit_findings",
    "read_accepted",
    "read_bytes",
    "read_judgments",
    "read_source",
    "starts_with",
    "text_lines",
]
