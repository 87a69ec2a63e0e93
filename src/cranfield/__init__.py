"""Is search build B better than build A, for which queries, and how sure are we?

    suite = cranfield.load_suite("canonical.toml")
    old, new = cranfield.run_suite(suite, search_old), cranfield.run_suite(suite, search_new)
    print(cranfield.compare(old, new).verdict)

These are the names most programs need; docs/api.md has an example of each. The packages below
(`cranfield.measures`, `cranfield.systems`, …) are for extensions. Names are imported on first use.
"""

from typing import TYPE_CHECKING, Any

from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from cranfield.comparisons import compare, compare_arms
    from cranfield.errors import CranfieldError
    from cranfield.evaluation.acceptance import Acceptance, accept_baseline
    from cranfield.evaluation.gate_evaluation import gate
    from cranfield.evaluation.project import open_project
    from cranfield.measures import parse_measure
    from cranfield.reports.any_report import report
    from cranfield.runs.runner import run_suite
    from cranfield.runs.store import open_store
    from cranfield.statistics import VerdictKind
    from cranfield.suites import load_suite
    from cranfield.systems import load_systems, open_system
    from cranfield.trec.scores import score

__all__ = [
    "Acceptance",
    "CranfieldError",
    "VerdictKind",
    "__version__",
    "accept_baseline",
    "compare",
    "compare_arms",
    "gate",
    "load_suite",
    "load_systems",
    "open_project",
    "open_store",
    "open_system",
    "parse_measure",
    "report",
    "run_suite",
    "score",
]

_PLACES = {
    "comparisons": ("compare", "compare_arms"),
    "errors": ("CranfieldError",),
    "evaluation.acceptance": ("Acceptance", "accept_baseline"),
    "evaluation.gate_evaluation": ("gate",),
    "evaluation.project": ("open_project",),
    "measures": ("parse_measure",),
    "reports.any_report": ("report",),
    "runs.runner": ("run_suite",),
    "runs.store": ("open_store",),
    "suites": ("load_suite",),
    "systems": ("load_systems", "open_system"),
    "trec.scores": ("score",),
    "statistics": ("VerdictKind",),
}


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` on its first use."""
    from importlib import import_module

    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"cranfield.{place}"), name)
    raise AttributeError(f"module 'cranfield' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
