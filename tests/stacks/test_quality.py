"""What the engine promises on real documentation, measured by cranfield with the shipped suites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from cranfield.runs import Group, run_suite, summarise
from cranfield.suites import load_suite
from stacks.guidance import Routing
from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SUITES = ROOT / "suites"
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def python_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The standard library of the Python that runs the tests."""
    folder = tmp_path_factory.mktemp("python")
    save([Request.parse("pydoc=stdlib")], folder)
    return open_index(folder)


@pytest.fixture(scope="session")
def swift_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The standard library of Swift."""
    archive = SHARED / "swift" / "stdlib_docc.tar.gz"
    if not archive.exists():
        pytest.skip("../shared/data/swift is not here")
    folder = tmp_path_factory.mktemp("swift")
    save([Request.parse(f"apple-docs={archive}")], folder)
    return open_index(folder)


def by_id(index: Index, **settings: Any) -> Callable[[str, int], list[str]]:
    return lambda text, limit: [hit.uri for hit in index.search(text, limit=limit, **settings)]


def measured(suite: Path, search: Callable[[str, int], list[str]]) -> dict[str, object]:
    """The means of a suite, by the name of the measure."""
    means = summarise(run_suite(load_suite(suite), search)).overall.means
    return {str(measure): mean for measure, mean in means.items()}


@pytest.mark.xdist_group("python-index")
@pytest.mark.parametrize(
    ("suite", "measure", "least"),
    [
        ("python-docs/canonical.toml", "P@1", 0.95),
        ("python-docs/fragments.toml", "P@5", 0.9),
        ("python-docs/acronyms.toml", "P@1", 0.9),
        ("python-docs/roots.toml", "P@1", 0.95),
    ],
)
def test_the_python_standard_library_is_found(
    python_index: Index, suite: str, measure: str, least: float
) -> None:
    means = measured(SUITES / suite, by_id(python_index))
    assert means[measure] >= least  # type: ignore[operator]


@pytest.mark.xdist_group("swift-index")
@pytest.mark.parametrize(
    ("suite", "measure", "least"),
    [
        ("swift-stdlib/canonical.toml", "P@1", 0.95),
        ("swift-stdlib/fragments.toml", "P@5", 0.9),
        ("swift-stdlib/deprecation.toml", "Preference", 0.95),
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
def test_plain_bm25_is_good_on_collections_of_others(
    tmp_path: Path, collection: str, least: float
) -> None:
    folder = SHARED / collection
    if not folder.exists():
        pytest.skip(f"../shared/data/{collection} is not here")
    save([Request.parse(f"jsonl={folder}")], tmp_path)
    with open_index(tmp_path) as index:
        prefix = f"jsonl://{collection}/"
        search = by_id(index, mode="plain")
        means = measured(
            folder, lambda text, limit: [uri.removeprefix(prefix) for uri in search(text, limit)]
        )
    assert means["nDCG@10"] >= least  # type: ignore[operator]


@pytest.fixture(scope="session")
def home_passes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    """How many of its queries each category of the home suite passes, by mode."""
    folder = tmp_path_factory.mktemp("home")
    save([Request.parse(f"files={SUITES / 'home' / 'standard_home_v1'}")], folder)
    suite = load_suite(SUITES / "home" / "test_corpus.json")
    passes = {}
    with open_index(folder) as index:
        for mode in ("fts5", "semantic", "both"):
            groups = summarise(run_suite(suite, by_path(index, mode=mode))).categories
            passes[mode] = {name: count_passed(group) for name, group in groups.items()}
    return passes


def count_passed(group: Group) -> float:
    (share,) = (mean for measure, mean in group.means.items() if str(measure) == "Pass")
    assert isinstance(share, float)
    return round(share * group.count)


def by_path(index: Index, **settings: Any) -> Callable[[str, int], list[str]]:
    """Name files as the suite does: by their paths below the folder."""
    search = by_id(index, **settings)
    return lambda text, limit: [
        unquote(uri).removeprefix("files://standard_home_v1/") for uri in search(text, limit)
    ]


@pytest.mark.xdist_group("home-index")
def test_files_that_are_named_are_found_in_every_mode(
    home_passes: dict[str, dict[str, float]],
) -> None:
    assert {mode: counts["exact_filename"] for mode, counts in home_passes.items()} == {
        "fts5": 10,
        "semantic": 10,
        "both": 10,
    }


@pytest.mark.xdist_group("home-index")
def test_words_and_meaning_find_more_files_than_words_and_lose_none(
    home_passes: dict[str, dict[str, float]],
) -> None:
    both, words = home_passes["both"], home_passes["fts5"]
    assert sum(both.values()) >= 44
    assert sum(both.values()) > sum(words.values())
    assert {category for category in words if both[category] < words[category]} == set()


@pytest.fixture(scope="session")
def routing() -> Routing:
    return Routing.parse((SUITES / "teachings" / "routing.toml").read_text())


def read_routed() -> list[dict[str, str]]:
    routed: list[dict[str, str]] = json.loads(
        (SUITES / "teachings" / "routing-queries.json").read_text()
    )
    return routed


def test_the_routing_list_has_three_languages_and_as_many_near_misses() -> None:
    routed = read_routed()
    techniques = [each for each in routed if each["route"] == "practice_bridge"]
    near = [each for each in routed if each["kind"] == "technique_near_miss"]
    assert len(techniques) >= 60
    assert len(near) >= len(techniques)
    assert {each["language"] for each in techniques} == {"en", "es", "hi"}


def test_every_query_for_a_technique_is_routed_and_no_other(routing: Routing) -> None:
    wrong = [
        each["query"]
        for each in read_routed()
        if (each["route"] == "practice_bridge")
        != (routing.decide(each["query"]).route == "practice_bridge")
    ]
    assert wrong == []


def test_no_ordinary_query_is_sent_away_and_every_cry_for_help_is_flagged(
    routing: Routing,
) -> None:
    searched = [each for each in read_routed() if each["route"] == "search"]
    decided = {each["query"]: routing.decide(each["query"]) for each in searched}
    assert [query for query, decision in decided.items() if decision.route != "search"] == []
    flagged = {query for query, decision in decided.items() if "safety" in decision.flags}
    assert flagged == {each["query"] for each in searched if each["flag"]}
