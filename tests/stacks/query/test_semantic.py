"""An index whose model does not answer is searched by words, unless meaning was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.stacks.embedding.servers import Reply, always, answer_embeddings, serve

from stacks.errors import EmbeddingError
from stacks.index import Request, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.model import Document


@pytest.mark.server
def test_only_the_default_mode_does_without_a_model_that_is_out_of_reach(
    tmp_path: Path, page: Callable[..., Document], request_of: Callable[..., Request]
) -> None:
    answers: list[Callable[[Any], Reply]] = [answer_embeddings]

    def answer(body: Any) -> Reply:
        return answers[-1](body)

    with serve(answer) as server:
        request = request_of("docs", [page("a/table", "Table", "Rows and cells.")])
        save([request], tmp_path, SaveOptions(embedder=f"http={server.url},model=m"))
        with open_index(tmp_path) as index:
            assert "not by meaning" not in index.search("rows and cells").asked
            answers.append(always(Reply({}, 401)))
            results = index.search("rows in cells")
            assert [hit.title for hit in results] == ["Table"]
            assert "by words, not by meaning: 127.0.0.1" in results.asked
            assert [hit.title for hit in index.search("rows in cells", mode="fts5")] == ["Table"]
            for mode in ("both", "semantic"):
                with pytest.raises(EmbeddingError, match="401"):
                    index.search("rows in cells", mode=mode)
