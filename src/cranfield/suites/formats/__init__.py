"""The formats that suites are written in, each in a file of its own."""

from cranfield.suites.formats import beir as _beir  # noqa: F401 - registers its format
from cranfield.suites.formats import chunk_scores as _chunks  # noqa: F401 - registers its format
from cranfield.suites.formats import golden_set as _golden  # noqa: F401 - registers its format
from cranfield.suites.formats import native as _native  # noqa: F401 - registers its format
from cranfield.suites.formats import test_corpus as _corpus  # noqa: F401 - registers its format
from cranfield.suites.formats import trec_topics as _trec  # noqa: F401 - registers its format

__all__: list[str] = []
