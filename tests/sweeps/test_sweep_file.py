"""Mistakes in the file of a sweep are found before the first query, and say what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.sweeps.samples import SWEEP, make_sweep_project

from cranfield.errors import CranfieldError
from cranfield.sweeps.sweep_plan import open_sweep

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[parameters]", "[parametres]", "parameters"),
        ('system = "mine"', 'system = "mime"', "did you mean mine"),
        ("noise = [0, 1, 2]", "noise = { valeus = [0, 1] }", "did you mean values"),
        ("noise = [0, 1, 2]", "query = [0, 1]", "cannot be a parameter"),
        ("noise = [0, 1, 2]", "noise = [0, 1]\nother = [1, 2]", "other has no default"),
        (
            "noise = [0, 1, 2]",
            "noise = [0, 1]\nother = { values = [1], default = 1 }",
            "no setting in [settings] has {other}",
        ),
        ("noise = [0, 1, 2]", "noise = { from = 0, to = 3 }", "give step ="),
        ("noise = [0, 1, 2]", "noise = { from = 3, to = 0, step = 1 }", "the lower first"),
        ("noise = [0, 1, 2]", 'noise = [0]\n[search]\nmethod = "gird"', "did you mean grid"),
        ("noise = [0, 1, 2]", 'noise = [0]\n[search]\nmethod = "random"', "give runs ="),
        ("noise = [0, 1, 2]", "noise = [0]\n[split]\nheld_out = 1.5", "from 0.1 to 0.9"),
        (
            "noise = [0, 1, 2]",
            "noise = [0]\n[split]\nheld_out = 0.5\nfolds = 4",
            "split has held_out and folds",
        ),
        ("noise = [0, 1, 2]", 'noise = [0]\n[[constraints]]\nholds = "nose < 2"', "noise"),
        ("noise = [0, 1, 2]", "noise = [0]\n[[constraints]]", "give one of holds"),
        (
            "noise = [0, 1, 2]",
            'noise = [0]\n[[constraints]]\nholds = "noise < 1.2.3"',
            "a relation",
        ),
        (
            "noise = [0, 1, 2]",
            'noise = { values = ["few"], default = 0 }\n[[constraints]]\nholds = "noise < 2"',
            "texts have no order",
        ),
        (
            "noise = [0, 1, 2]",
            'noise = [0]\n[[constraints]]\nnot_worse = "smal"',
            "constraints[0]: unknown suite of the sweep 'smal': did you mean small",
        ),
        (
            "noise = [0, 1, 2]",
            'noise = [0]\n[[constraints]]\nsuite = "smal"\nat_least = 0.5',
            "unknown suite of the sweep 'smal'",
        ),
        (
            "noise = [0, 1, 2]",
            'noise = [0]\n[[constraints]]\ncategory = "evn"\nat_least = 0.5',
            "unknown category 'evn': did you mean even",
        ),
        ("noise = [0, 1, 2]", 'noise = [0]\n[[constraints]]\nsuite = "small"', "at_least"),
        ('system = "mine"', 'system = "mine"\nsuites = ["smal"]', "did you mean small"),
        ('system = "mine"', 'system = "mine"\nmeasure = "nDCG@ten"', "measure"),
        ('system = "mine"', 'system = "mine"\nmargin = 5.0', "any two systems equivalent"),
        (
            "arguments = {",
            'prepare = ["make", "{noise}"]\narguments = {',
            "every build needs a place of its own",
        ),
        (
            "noise = [0, 1, 2]",
            'noise = [0]\n[search]\nmethod = "optuna"\nruns = 3\n[split]\nfolds = 4',
            "use grid, each or random",
        ),
    ],
)
def test_a_mistake_is_named_with_what_to_write(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = make_sweep_project(tmp_path, sweep=SWEEP.replace(old, new))
    with pytest.raises(CranfieldError) as caught:
        open_sweep(file)
    assert said in str(caught.value)


def test_the_default_of_a_parameter_is_what_the_base_system_has(tmp_path: Path) -> None:
    plan = open_sweep(make_sweep_project(tmp_path))
    assert plan.default.values == {"boost": 0.0, "noise": 0}
    assert plan.parts.folds is None


def test_few_queries_are_cross_validated_and_the_reason_is_kept(tmp_path: Path) -> None:
    plan = open_sweep(make_sweep_project(tmp_path, queries=30))
    assert plan.parts.folds is not None
    assert plan.parts.reason == "small would have only 15 queries held out"
