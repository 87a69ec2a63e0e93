"""Suites: queries with expectations, loaded from any format, each of one class."""

from cranfield.suites import formats as _formats  # noqa: F401 - registers the formats
from cranfield.suites.checking import SuiteCheck, check_suite
from cranfield.suites.classes import CLASSES, QueryClass
from cranfield.suites.findings import Finding, Severity
from cranfield.suites.hashes import hash_query, hash_suite
from cranfield.suites.loading import load_suite, select
from cranfield.suites.overlay import overlay_qrels
from cranfield.suites.sources import FORMATS, SuiteFormat, SuiteSource

__all__ = [
    "CLASSES",
    "FORMATS",
    "Finding",
    "QueryClass",
    "Severity",
    "SuiteCheck",
    "SuiteFormat",
    "SuiteSource",
    "check_suite",
    "hash_query",
    "hash_suite",
    "load_suite",
    "overlay_qrels",
    "select",
]
