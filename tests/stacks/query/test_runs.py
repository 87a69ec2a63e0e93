"""Runs of parts in a title: from the beginning of one part to the end of one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query.runs import has_run


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("UICollectionViewLayout", "collectionview"),
        ("UIGraphicsImageRenderer", "graphicsimagerenderer"),
        ("UITableView", "uitable"),
        ("NSURLSession", "urlsession"),
        ("NSURLSession", "nsurlsession"),
        ("LazyVGrid", "vgrid"),
        ("open(_:options:completionHandler:)", "completionhandler"),
        ("read_csv_file", "csvfile"),
        ("Path.is_relative_to", "isrelative"),
        ("MyViewViewController", "viewcontroller"),
        ("Using ViewController well.", "viewcontroller"),
    ],
)
def test_a_run_of_parts_is_found(title: str, wanted: str) -> None:
    assert has_run(title, wanted)


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Reviewcontroller", "viewcontroller"),
        ("ViewControllers", "viewcontroller"),
        ("UIViewTableController", "viewcontroller"),
        ("open(_:options:completion:)", "optionscompletion"),
        ("ViewController.present", "viewcontroller"),
        ("NSURLSession", "lsession"),
        ("StraßeViewController", "viewcontroller"),
        ("", "viewcontroller"),
    ],
)
def test_what_begins_or_ends_inside_a_part_is_no_run(title: str, wanted: str) -> None:
    assert not has_run(title, wanted)


@given(st.text(), st.text(min_size=1))
def test_any_title_can_be_looked_at(title: str, wanted: str) -> None:
    assert has_run(title, wanted) in (True, False)


@given(st.lists(st.sampled_from(["View", "Table", "Cell", "Image"]), min_size=1, max_size=5))
def test_every_run_of_words_in_a_name_is_a_run(words: list[str]) -> None:
    name = "".join(words)
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            assert has_run(name, "".join(words[first:last]).casefold())
