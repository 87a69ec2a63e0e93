"""Places that are not suites are checked by what a slice or a plug-in offers for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.formats import render
from cranfield.registry import Registry
from cranfield.reports.check_report import report_checks
from cranfield.suites import Finding, FindingSeverity
from cranfield.suites.checks.checkers import Checker, PlaceCheck, check_places


def check(place: Path) -> PlaceCheck:
    finding = Finding(FindingSeverity.ERROR, "is stale", "rye", 3)
    return PlaceCheck(place, "loaf", 2, (finding,) if place.stem == "old" else ())


@pytest.fixture(autouse=True)
def bakery(monkeypatch: pytest.MonkeyPatch) -> None:
    known: Registry[Checker] = Registry("checker", Checker, group="cranfield.no_checkers")
    known.register("loafs", Checker("loafs", lambda place: place.suffix == ".loaf", check))
    for module in ("cranfield.suites.checks.checkers", "cranfield.reports.check_report"):
        monkeypatch.setattr(f"{module}.CHECKERS", known)


def test_a_place_is_checked_once_by_what_holds_it_and_others_are_left() -> None:
    checks, others = check_places(["a.toml", "new.loaf", "old.loaf", "new.loaf", "b"])
    assert [each.place for each in checks] == [Path("new.loaf"), Path("old.loaf")]
    assert [each.passed for each in checks] == [True, False]
    assert others == ("a.toml", "b")


def test_a_report_names_things_by_their_noun() -> None:
    report = report_checks((), check_places(["new.loaf", "old.loaf"]).checks)
    assert report.title == "Check of loafs"
    assert not report.passed
    text = render(report, "text")
    assert "new.loaf: 2 loafs: fit for use" in text
    assert "old.loaf:3: error: is stale" in text
    [_, old] = json.loads(render(report, "json"))["loafs"]
    assert (old["place"], old["loafs"], old["findings"][0]["loaf"]) == ("old.loaf", 2, "rye")
