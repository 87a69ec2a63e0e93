"""Suites: queries with expectations, loaded from any format, each of one class."""

from cranfield.suites.accepted_names import NOTHING_ACCEPTED, AcceptedNames
from cranfield.suites.check_measures import uncounted_checks
from cranfield.suites.checks import (
    CHECKERS,
    Checker,
    Corpus,
    PlaceCheck,
    SuiteCheck,
    always_passed,
    check_places,
    check_suite,
    find_unmet,
    ledger_path,
    never_passed,
)
from cranfield.suites.classes import CLASSES, QueryClass
from cranfield.suites.formats import SUITE_FORMATS, RegressionsTable, SuiteFormat, read_source
from cranfield.suites.judging_table import JudgingTable
from cranfield.suites.near_ids import KnownIds
from cranfield.suites.project_settings import set_measures, set_rules, set_thresholds
from cranfield.suites.similarity import FoldedText, KnownTexts, fold_text
from cranfield.suites.suite_loader import (
    as_judged,
    load_suite,
    overlay_qrels,
    replace_hits,
    select,
    select_all,
)
from cranfield.suites.suite_source import (
    Finding,
    FindingSeverity,
    SuiteSource,
    can_name_file,
    hash_query,
    hash_suite,
)

__all__ = [
    "CHECKERS",
    "CLASSES",
    "NOTHING_ACCEPTED",
    "SUITE_FORMATS",
    "AcceptedNames",
    "Checker",
    "Corpus",
    "Finding",
    "FindingSeverity",
    "FoldedText",
    "JudgingTable",
    "KnownIds",
    "KnownTexts",
    "PlaceCheck",
    "QueryClass",
    "RegressionsTable",
    "SuiteCheck",
    "SuiteFormat",
    "SuiteSource",
    "always_passed",
    "as_judged",
    "can_name_file",
    "check_places",
    "check_suite",
    "find_unmet",
    "fold_text",
    "hash_query",
    "hash_suite",
    "ledger_path",
    "load_suite",
    "never_passed",
    "overlay_qrels",
    "read_source",
    "replace_hits",
    "select",
    "select_all",
    "set_measures",
    "set_rules",
    "set_thresholds",
    "uncounted_checks",
]
