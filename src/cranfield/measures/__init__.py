"""Measures: values that parse and print, defined once, computed for one query or a million."""

from cranfield.measures import (  # noqa: F401 - these register the built-in measures
    average_precision,
    checks,
    counts,
    gain,
    ideal_gain,
    precision,
)
from cranfield.measures.columns import GradedColumns, MeasureColumn
from cranfield.measures.families import (
    FAMILIES,
    Family,
    Parameter,
    grade,
    multiple,
    one_of,
    proper_fraction,
    recall_level,
    whole_number,
)
from cranfield.measures.measure import Measure, parse_deciding, parse_measure

__all__ = [
    "FAMILIES",
    "Family",
    "GradedColumns",
    "Measure",
    "MeasureColumn",
    "Parameter",
    "grade",
    "multiple",
    "one_of",
    "parse_deciding",
    "parse_measure",
    "proper_fraction",
    "recall_level",
    "whole_number",
]
