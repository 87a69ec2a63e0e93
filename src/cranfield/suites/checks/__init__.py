"""Checks of suites: everything that can be found wrong before a run."""

from cranfield.suites.checks.checkers import CHECKERS, Checker, PlaceCheck, check_places
from cranfield.suites.checks.corpora import Corpus
from cranfield.suites.checks.ledger import ledger_path
from cranfield.suites.checks.query_checks import always_passed, never_passed
from cranfield.suites.checks.suite_check import SuiteCheck, check_suite, find_unmet

__all__ = [
    "CHECKERS",
    "Checker",
    "Corpus",
    "PlaceCheck",
    "SuiteCheck",
    "always_passed",
    "check_places",
    "check_suite",
    "find_unmet",
    "ledger_path",
    "never_passed",
]
