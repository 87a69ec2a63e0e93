"""Suites: queries with expectations, loaded from any format, each of one class."""

from cranfield.suites.checks import SuiteCheck, always_passed, check_suite, never_passed
from cranfield.suites.classes import CLASSES, QueryClass
from cranfield.suites.formats import FORMATS, SuiteFormat, read_source
from cranfield.suites.identity import can_name_file, hash_query, hash_suite
from cranfield.suites.loader import load_suite, overlay_qrels, select, select_all
from cranfield.suites.similarity import KnownTexts, WordForm, make_form
from cranfield.suites.suite_source import Finding, Severity, SuiteSource

__all__ = [
    "CLASSES",
    "FORMATS",
    "Finding",
    "KnownTexts",
    "QueryClass",
    "Severity",
    "SuiteCheck",
    "SuiteFormat",
    "SuiteSource",
    "WordForm",
    "always_passed",
    "can_name_file",
    "check_suite",
    "hash_query",
    "hash_suite",
    "load_suite",
    "make_form",
    "never_passed",
    "overlay_qrels",
    "read_source",
    "select",
    "select_all",
]
