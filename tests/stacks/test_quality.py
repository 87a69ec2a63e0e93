"""What the engine promises on real documentation, measured by cranfield with the shipped suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.kept import make_once

from cranfield.runs.runner import run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from real_data import COLLECTIONS, reason_to_skip
from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.corpus

ROOT = Path(__file__).parents[2]
SUITES = Path(__file__).parent


@pytest.fixture(scope="session")
def swift_index() -> Index:
    """The standard library of Swift."""
    archive = COLLECTIONS / "swift" / "stdlib_docc.tar.gz"
    if not archive.exists():
        pytest.skip(reason_to_skip("swift"))
    requests = [Request.parse(f"apple-docs={archive}")]
    return open_index(make_once("swift", [archive], lambda folder: save(requests, folder)))


def by_id(index: Index, **settings: Any) -> Callable[[str, int], list[str]]:
    return lambda text, limit: [hit.uri for hit in index.search(text, limit=limit, **settings)]


def measured(suite: Path, search: Callable[[str, int], list[str]]) -> dict[str, object]:
    """The means of a suite, by the name of the measure."""
    means = summarise(run_suite(load_suite(suite), search)).overall.means
    return {str(measure): mean for measure, mean in means.items()}


@pytest.mark.xdist_group("swift-index")
@pytest.mark.parametrize(
    ("suite", "measure", "least"),
    [
        ("swift_stdlib/canonical.toml", "P@1", 0.95),
        ("swift_stdlib/fragments.toml", "P@5", 0.9),
        ("swift_stdlib/deprecation.toml", "Preference", 0.95),
    ],
)
def test_the_swift_standard_library_is_found(
    swift_index: Index, suite: str, measure: str, least: float
) -> None:
    means = measured(SUITES / suite, by_id(swift_index))
    assert means[measure] >= least  # type: ignore[operator]


@pytest.mark.xdist_group("swift-index")
def test_no_deprecated_page_stands_above_a_current_one_of_the_same_title(
    swift_index: Index,
) -> None:
    titles = swift_index.databases[0].rows(
        """
        SELECT DISTINCT s.title FROM docs_structured AS s JOIN docs_metadata AS m ON m.id = s.id
        WHERE m.is_deprecated AND s.title IN (
            SELECT s.title FROM docs_structured AS s JOIN docs_metadata AS m ON m.id = s.id
            WHERE NOT m.is_deprecated
        ) ORDER BY 1
        """
    )
    assert len(titles) > 20
    for (title,) in titles:
        hits = [hit for hit in swift_index.search(title, limit=50) if hit.title == title]
        ages = [hit.is_deprecated for hit in hits]
        assert ages == sorted(ages), title


@pytest.mark.parametrize(("collection", "least"), [("nfcorpus", 0.325), ("cranfield", 0.525)])
def test_plain_bm25_is_good_on_collections_of_others(collection: str, least: float) -> None:
    folder = COLLECTIONS / collection
    if not folder.exists():
        pytest.skip(reason_to_skip(collection))
    requests = [Request.parse(f"jsonl={folder}")]
    kept = make_once(collection, [folder], lambda place: save(requests, place))
    with open_index(kept) as index:
        prefix = f"jsonl://{collection}/"
        search = by_id(index, mode="plain")
        means = measured(
            folder, lambda text, limit: [uri.removeprefix(prefix) for uri in search(text, limit)]
        )
    assert means["nDCG@10"] >= least  # type: ignore[operator]
