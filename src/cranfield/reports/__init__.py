"""What is to be shown of a run, a comparison, a gate …: one function each makes a report of it."""

from cranfield.reports.any_report import report
from cranfield.reports.check_report import report_checks
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.comparison_words import verdict_tone
from cranfield.reports.gate_report import report_gates
from cranfield.reports.grid_report import report_grid
from cranfield.reports.history_report import report_suite_history
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.listing_reports import (
    report_baseline_history,
    report_baselines,
    report_deletion,
    report_run_list,
)
from cranfield.reports.mode_report import report_mode
from cranfield.reports.page_sets import (
    PAGE_SETS,
    SITES,
    Bench,
    NextPage,
    Page,
    PageAnswer,
    PageRequest,
    PageSet,
    ShownPage,
    ShownReport,
    Site,
)
from cranfield.reports.power_report import report_power
from cranfield.reports.query_rankings import (
    answers_to_query,
    comparison_rankings,
    response_ranking,
    run_rankings,
)
from cranfield.reports.ranking_comparison import report_ranking_change
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION, number
from cranfield.reports.run_report import report_runs
from cranfield.reports.store_reports import (
    Addresses,
    StoreOverview,
    consecutive_runs,
    finished_runs,
    report_standings,
    report_store,
)
from cranfield.reports.stored_reports import report_audit, report_ranking
from cranfield.reports.supplements import (
    SUPPLEMENTS,
    Supplement,
    SupplementKind,
    Supplements,
    find_supplements,
    supplement_data,
)

__all__ = [
    "PAGE_SETS",
    "REPORT_SCHEMA_VERSION",
    "SITES",
    "SUPPLEMENTS",
    "Addresses",
    "Bench",
    "NextPage",
    "Page",
    "PageAnswer",
    "PageRequest",
    "PageSet",
    "ShownPage",
    "ShownReport",
    "Site",
    "StoreOverview",
    "Supplement",
    "SupplementKind",
    "Supplements",
    "answers_to_query",
    "comparison_rankings",
    "consecutive_runs",
    "find_supplements",
    "finished_runs",
    "number",
    "report",
    "report_audit",
    "report_baseline_history",
    "report_baselines",
    "report_checks",
    "report_comparison",
    "report_deletion",
    "report_gates",
    "report_grid",
    "report_leaderboard",
    "report_mode",
    "report_power",
    "report_ranking",
    "report_ranking_change",
    "report_run_list",
    "report_runs",
    "report_standings",
    "report_store",
    "report_suite_history",
    "response_ranking",
    "run_rankings",
    "supplement_data",
    "verdict_tone",
]
