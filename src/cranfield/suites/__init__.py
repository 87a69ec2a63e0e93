"""Suites: queries with expectations, loaded from any format, each of one class."""

from cranfield.suites.classes import CLASSES, QueryClass, uncounted_checks
from cranfield.suites.formats import SUITE_FORMATS, RegressionsTable, SuiteFormat, read_source
from cranfield.suites.project_settings import JudgingTable, set_measures, set_rules, set_thresholds
from cranfield.suites.requirements import is_language
from cranfield.suites.similar_names import (
    NOTHING_ACCEPTED,
    AcceptedNames,
    FoldedText,
    KnownIds,
    KnownTexts,
    fold_text,
)
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
    "CLASSES",
    "NOTHING_ACCEPTED",
    "SUITE_FORMATS",
    "AcceptedNames",
    "Finding",
    "FindingSeverity",
    "FoldedText",
    "JudgingTable",
    "KnownIds",
    "KnownTexts",
    "QueryClass",
    "RegressionsTable",
    "SuiteFormat",
    "SuiteSource",
    "as_judged",
    "can_name_file",
    "fold_text",
    "hash_query",
    "hash_suite",
    "is_language",
    "load_suite",
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
