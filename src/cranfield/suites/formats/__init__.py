"""The formats that suites are written in, one file each."""

from cranfield.suites.formats.file_parts import (
    INFORMATIVE_KEYS,
    Part,
    QueriesFile,
    RegressionsTable,
    decode,
    decode_queries,
    locate,
    misfit_findings,
    read_bytes,
    read_judgments,
    starts_with,
    text_lines,
)
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
