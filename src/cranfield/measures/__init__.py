"""Measures: values that parse and print, one definition each, computed one query or a million."""

from cranfield.measures import builtin as _builtin  # noqa: F401 - registers the built-in measures
from cranfield.measures.columns import Column, GradedColumns
from cranfield.measures.families import (
    FAMILIES,
    Family,
    Parameter,
    grade,
    one_of,
    proper_fraction,
    recall_level,
    whole_number,
)
from cranfield.measures.measure import Measure, parse_measure

__all__ = [
    "FAMILIES",
    "Column",
    "Family",
    "GradedColumns",
    "Measure",
    "Parameter",
    "grade",
    "one_of",
    "parse_measure",
    "proper_fraction",
    "recall_level",
    "whole_number",
]
