"""Clicks: what searchers clicked, as judgments that are kept apart from people's grades."""

from cranfield.judgments.clicks.click_judgments import (
    ClickJudgments,
    ClickOptions,
    judge_by_clicks,
    store_clicks,
)
from cranfield.judgments.clicks.click_log import ClickActions, ClickLog, Showing, read_click_log
from cranfield.judgments.clicks.click_rates import ClickedDocument, click_rates, rate_documents

__all__ = [
    "ClickActions",
    "ClickJudgments",
    "ClickLog",
    "ClickOptions",
    "ClickedDocument",
    "Showing",
    "click_rates",
    "judge_by_clicks",
    "rate_documents",
    "read_click_log",
    "store_clicks",
]
