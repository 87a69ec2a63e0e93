"""Code chunks for a question: identifiers by their words; a language's name is not a word of it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from stacks.errors import EmbeddingError
from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "store.py": '''
class Stack:
    """Keeps what was pushed last on top."""

    def push(self, item):
        """Put an item on top."""
        self._items.append(item)

    def pop(self):
        return self._items.pop()


def readJsonFile(path):
    return json.load(open(path))
''',
    "snake.py": '''
def python_snake():
    """A snake in the grass."""
    return "python python python"
''',
    "web.ts": """
/** Put an item into the basket. */
export function addToBasket(item: string) { basket.push(item) }
""",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    root = tmp_path / "shop"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    save([Request.parse(f"code={root}")], tmp_path / "index", SaveOptions(embedder="wordllama"))
    with open_index(tmp_path / "index") as opened:
        yield opened


def titles(index: Index, text: str, mode: str = "fts5") -> list[str]:
    return [hit.title for hit in index.search(text, mode=mode)]


def test_an_identifier_is_found_by_its_words(index: Index) -> None:
    assert titles(index, "how to read a json file")[0] == "readJsonFile"


@pytest.mark.parametrize("mode", ["fts5", "semantic", "both"])
def test_a_chunk_that_is_named_comes_first(index: Index, mode: str) -> None:
    assert titles(index, "Stack.push", mode)[0] == "Stack.push"
    assert titles(index, "readJsonFile", mode)[0] == "readJsonFile"


def test_the_name_of_a_language_prefers_it_and_is_no_word(index: Index) -> None:
    assert titles(index, "put an item python")[0] == "Stack.push"
    assert titles(index, "put an item typescript")[0] == "addToBasket"
    assert "python_snake" not in titles(index, "put an item python")


def test_a_query_of_the_language_alone_is_a_word(index: Index) -> None:
    assert titles(index, "python")[0] == "python_snake"


def test_every_selector_gives_scores_that_fall(index: Index) -> None:
    for mode in ("fts5", "semantic", "both"):
        scores = [hit.score for hit in index.search("put an item on top", mode=mode)]
        assert scores == sorted(scores, reverse=True)
        assert len(scores) > 1


class _Longest(BaseHTTPRequestHandler):
    """Scores each text by how often it says basket, as a server that re-ranks does."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        scores = [text.lower().count("basket") for text in asked["documents"]]
        results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
        body = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.mark.server
def test_a_model_scores_the_first_hits_anew(index: Index) -> None:
    assert titles(index, "put an item on top")[0] == "Stack.push"
    with HTTPServer(("127.0.0.1", 0), _Longest) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        spec = f"http=http://127.0.0.1:{server.server_port},model=m"
        results = index.search("put an item on top", mode="fts5", reranker=spec)
        first = index.search("put an item on top", mode="fts5", reranker=spec, limit=1)
        server.shutdown()
        thread.join()
    assert results.hits[0].title == "addToBasket"
    assert [hit.title for hit in first] == ["addToBasket"]
    assert results.hits[0].score == 6  # title, declaration, summary, and three in the text
    assert "scored again by http" in results.asked


@pytest.mark.corpus
def test_a_model_that_is_out_of_reach_says_so(index: Index) -> None:
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1:9"):
        index.search("item", reranker="http=http://127.0.0.1:9,model=m")
