"""Searches in SQL to begin with: full text, pgvector, and both together.

They search a table `documents` with the columns `id`, `title` and `body`, and `embedding` for
vectors. `cranfield init --sql NAME` writes one of them into cranfield.toml, to be edited there.
"""

from __future__ import annotations

from cranfield.registry import Registry

__all__ = ["SQL_PRESETS"]

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
