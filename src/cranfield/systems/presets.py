"""Searches to begin with: HTTP servers that are known, and SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "PRESETS",
    "SQL_PRESETS",
    "Preset",
]


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings for one kind of server. `address` shows what the url looks like.

    `reading` are settings of `ReadingSettings`; a text that they do not name is looked up under
    its usual names, in the hit and in its fields. `needed_params` must be given by the user; each
    has an example.
    """

    name: str
    address: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    needed_params: Mapping[str, str] = field(default_factory=dict)


PRESETS: Registry[Preset] = Registry("preset", Preset, group="cranfield.http_presets")

_MULTI_MATCH = {"size": "{k}", "query": {"multi_match": {"query": "{query}", "lenient": True}}}
_LUCENE_HITS = {"hits": "hits.hits", "id": "_id", "score": "_score", "fields": "_source"}

# Without a list of fields, multi_match searches index.query.default_field, which is all of them.
PRESETS.register(
    "opensearch",
    Preset(
        name="opensearch",
        address="http://localhost:9200/INDEX/_search",
        body=_MULTI_MATCH,
        reading=_LUCENE_HITS,
    ),
)
PRESETS.register(
    "elasticsearch",
    Preset(
        name="elasticsearch",
        address="http://localhost:9200/INDEX/_search",
        body=_MULTI_MATCH,
        reading=_LUCENE_HITS,
    ),
)
# Typesense requires the fields to search.
PRESETS.register(
    "typesense",
    Preset(
        name="typesense",
        address="http://localhost:8108/collections/COLLECTION/documents/search",
        params={"q": "{query}", "per_page": "{k}"},
        needed_params={"query_by": "title,body"},
        reading={"hits": "hits", "id": "document.id", "score": "text_match", "fields": "document"},
    ),
)
PRESETS.register(
    "meilisearch",
    Preset(
        name="meilisearch",
        address="http://localhost:7700/indexes/INDEX/search",
        body={"q": "{query}", "limit": "{k}", "showRankingScore": True},
        reading={"hits": "hits", "id": "id", "score": "_rankingScore"},
    ),
)
# edismax accepts any text; the default parser rejects a stray bracket or colon.
PRESETS.register(
    "solr",
    Preset(
        name="solr",
        address="http://localhost:8983/solr/COLLECTION/select",
        params={"q": "{query}", "rows": "{k}", "fl": "*,score", "defType": "edismax", "wt": "json"},
        reading={"hits": "response.docs", "id": "id", "score": "score"},
    ),
)


SQL_PRESETS: Registry[str] = Registry("search in SQL", str, group="cranfield.sql_presets")

# Words of the title count ten times as much (weight A) as those of the body (weight D).
SQL_PRESETS.register(
    "fulltext",
    """\
WITH asked AS (SELECT websearch_to_tsquery('english', %(query)s) AS words),
texts AS (
    SELECT id, title, setweight(to_tsvector('english', title), 'A')
        || to_tsvector('english', body) AS words
    FROM documents
)
SELECT id, title, ts_rank_cd(texts.words, asked.words) AS score
FROM texts, asked
WHERE texts.words @@ asked.words
ORDER BY score DESC, id
LIMIT %(k)s
""",
)
SQL_PRESETS.register(
    "vector",
    """\
SELECT id, title, 1 - (embedding <=> %(vector)s::vector) AS score
FROM documents
ORDER BY embedding <=> %(vector)s::vector, id
LIMIT %(k)s
""",
)
# Reciprocal rank fusion: what counts is the place in each of the two lists.
SQL_PRESETS.register(
    "hybrid",
    """\
WITH asked AS (SELECT websearch_to_tsquery('english', %(query)s) AS words),
by_words AS (
    SELECT id, row_number() OVER (ORDER BY ts_rank_cd(text.words, asked.words) DESC, id) AS place
    FROM documents, asked,
        LATERAL (SELECT to_tsvector('english', title || ' ' || body) AS words) AS text
    WHERE text.words @@ asked.words
    ORDER BY place LIMIT 100
),
by_meaning AS (
    SELECT id, row_number() OVER (ORDER BY embedding <=> %(vector)s::vector, id) AS place
    FROM documents ORDER BY place LIMIT 100
)
SELECT id, title, coalesce(1.0 / (60 + by_words.place), 0)
    + coalesce(1.0 / (60 + by_meaning.place), 0) AS score
FROM by_words FULL JOIN by_meaning USING (id) JOIN documents USING (id)
ORDER BY score DESC, id
LIMIT %(k)s
""",
)
