"""Results as text, JSON and CSV; nothing is computed here."""

from cranfield.reports import compare_json as _compare_json  # noqa: F401 - registers its format
from cranfield.reports import compare_markdown as _markdown  # noqa: F401 - registers its format
from cranfield.reports import compare_text as _compare_text  # noqa: F401 - registers its format
from cranfield.reports import gate_github as _gate_github  # noqa: F401 - registers its formats
from cranfield.reports import gate_json as _gate_json  # noqa: F401 - registers its format
from cranfield.reports import gate_junit as _gate_junit  # noqa: F401 - registers its format
from cranfield.reports import gate_text as _gate_text  # noqa: F401 - registers its format
from cranfield.reports import harnesses as _harnesses  # noqa: F401 - registers its formats
from cranfield.reports import run_json as _run_json  # noqa: F401 - registers its format
from cranfield.reports import run_markdown as _run_markdown  # noqa: F401 - registers its format
from cranfield.reports import run_text as _run_text  # noqa: F401 - registers its format
from cranfield.reports import spreadsheets as _spreadsheets  # noqa: F401 - registers its formats
from cranfield.reports.checks import render_checks
from cranfield.reports.comparisons import COMPARE_FORMATS, CompareFormat, CompareReport, Show
from cranfield.reports.gates import GATE_FORMATS, GateFormat, GateReport
from cranfield.reports.grid_json import render_grid_json
from cranfield.reports.grid_text import render_grid
from cranfield.reports.mutations import render_mutations, render_mutations_json
from cranfield.reports.power_text import render_power, render_power_json
from cranfield.reports.runs import RUN_FORMATS, ReportedRun, RunFormat, RunReport
from cranfield.reports.stored import render_audit, render_ranking, render_run_list

__all__ = [
    "COMPARE_FORMATS",
    "GATE_FORMATS",
    "RUN_FORMATS",
    "CompareFormat",
    "CompareReport",
    "GateFormat",
    "GateReport",
    "ReportedRun",
    "RunFormat",
    "RunReport",
    "Show",
    "render_audit",
    "render_checks",
    "render_grid",
    "render_grid_json",
    "render_mutations",
    "render_mutations_json",
    "render_power",
    "render_power_json",
    "render_ranking",
    "render_run_list",
]
