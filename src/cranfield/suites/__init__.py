"""Suites: queries with expectations, loaded from any format, each of one class."""

from cranfield.suites import formats as _formats  # noqa: F401 - registers the formats
from cranfield.suites.checking import SuiteCheck, check_suite
from cranfield.suites.classes import CLASSES, QueryClass
from cranfield.suites.findings import Finding, Severity
from cranfield.suites.hashes import hash_query, hash_suite
from cranfield.suites.hygiene import always_passed, never_passed
from cranfield.suites.loading import load_suite, select, select_all
from cranfield.suites.overlay import overlay_qrels
from cranfield.suites.requirements import can_name_file
from cranfield.suites.sources import FORMATS, SuiteFormat, SuiteSource, read_source
from cranfield.suites.suggestions import (
    Suggestion,
    Suggestions,
    describe_suggestions,
    render_suggestions,
    suggest_queries,
)

__all__ = [
    "CLASSES",
    "FORMATS",
    "Finding",
    "QueryClass",
    "Severity",
    "Suggestion",
    "Suggestions",
    "SuiteCheck",
    "SuiteFormat",
    "SuiteSource",
    "always_passed",
    "can_name_file",
    "check_suite",
    "describe_suggestions",
    "hash_query",
    "hash_suite",
    "load_suite",
    "never_passed",
    "overlay_qrels",
    "read_source",
    "render_suggestions",
    "select",
    "select_all",
    "suggest_queries",
]
