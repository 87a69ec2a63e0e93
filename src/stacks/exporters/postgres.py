"""An index for PostgreSQL: tables, files for COPY, and a search with the weights of the columns.

A tsvector tells four weights apart, so the text columns fill as many tsvectors as they need. Words
are split and stemmed as in the index, and count the more the rarer they are; ranks by words and by
pgvector are blended as the index blends them. Vectors are in a table of their own, one for each
piece of a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.export import FILTER_FIELDS, LIST_FIELDS, NUMBER_FIELDS, Exporter, write_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stacks.export import ExportedDocument, ExportPlan

__all__ = ["POSTGRES_EXPORTER"]

_LABELS = "ABCD"
_TEXTS = (
    "uri", *FILTER_FIELDS, "title", "summary", "content", "symbols", "symbol_components",
    "declaration",
)  # fmt: skip
_COLUMNS = (*_TEXTS, *LIST_FIELDS, *NUMBER_FIELDS, "deprecated")
_SHOWN = "source, framework, language, kind, title, summary, declaration, attributes, deprecated"
_MOST_INDEXED = 250_000
"""Characters of a column: a tsvector holds a megabyte."""
_MOST_RANKED = 200
"""How deep the lists by words and by meaning are."""


class _Vector(NamedTuple):
    """A tsvector: its name, its columns with their labels, and the weights of D, C, B and A."""

    name: str
    columns: dict[str, str]
    weights: tuple[float, ...]


def _write(plan: ExportPlan, documents: Iterable[ExportedDocument], folder: Path) -> None:
    (folder / "load.sql").write_text(_load_sql(plan), encoding="utf-8")
    (folder / "query.sql").write_text(_query_sql(plan), encoding="utf-8")
    settings: dict[str, Any] = {"kind": "postgres", "dsn": "${DATABASE_URL}"}
    settings |= {"embedder": plan.embedder} if plan.dimension else {}
    write_system(folder, {**settings, "sql": _query_sql(plan)})
    with (
        (folder / "documents.tsv").open("w", encoding="utf-8", newline="") as rows,
        (folder / "pieces.tsv").open("w", encoding="utf-8", newline="") as pieces,
    ):
        for document in documents:
            fields = document.fields
            rows.write("\t".join(_copy_value(fields[name]) for name in _COLUMNS) + "\n")
            for number, vector in enumerate(document.vectors):
                numbers = f"[{','.join(f'{float(value):.6g}' for value in vector)}]"
                pieces.write(f"{_copy_value(fields['uri'])}\t{number}\t{numbers}\n")


def _copy_value(value: Any) -> str:
    """Write a value as COPY reads it."""
    if value is None:
        return r"\N"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        quoted = (each.replace("\\", "\\\\").replace('"', '\\"') for each in value)
        value = "{" + ",".join(f'"{each}"' for each in quoted) + "}"
    text = str(value).replace("\0", "").replace("\\", "\\\\")
    return text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def _plan_vectors(plan: ExportPlan) -> list[_Vector]:
    """Spread the text columns over tsvectors of four weights each, the highest first."""
    distinct = sorted(set(plan.weights.values()), reverse=True)
    vectors: list[_Vector] = []
    for start in range(0, len(distinct), len(_LABELS)):
        labels = dict(zip(distinct[start : start + len(_LABELS)], _LABELS, strict=False))
        columns = {
            name: labels[weight] for name, weight in plan.weights.items() if weight in labels
        }
        share = {label: weight / distinct[0] for weight, label in labels.items()}
        weights = tuple(share.get(label, 0.0) for label in reversed(_LABELS))
        vectors.append(_Vector(f"words_{len(vectors) + 1}", columns, weights))
    return vectors


def _load_sql(plan: ExportPlan) -> str:
    name = plan.name
    vectors = _plan_vectors(plan)
    columns = [
        "uri text PRIMARY KEY",
        *(f"{each} text NOT NULL" for each in _TEXTS if each != "uri"),
        *(f"{each} text[] NOT NULL" for each in LIST_FIELDS),
        *(f"{each} integer" for each in NUMBER_FIELDS),
        "deprecated boolean NOT NULL",
        *(f"{each.name} tsvector GENERATED ALWAYS AS ({_fill(plan, each)}) STORED"
          for each in vectors),
    ]  # fmt: skip
    both = " || ".join(each.name for each in vectors)
    indexes = "\n".join(f"CREATE INDEX ON {name} USING gin ({each.name});" for each in vectors)
    pieces = _PIECES_SQL.format(name=name, dimension=plan.dimension) if plan.dimension else ""
    return _LOAD_SQL.format(
        name=name,
        columns=",\n    ".join(columns),
        copied=", ".join(_COLUMNS),
        indexes=indexes,
        both=both,
        pieces=pieces,
    )


def _fill(plan: ExportPlan, vector: _Vector) -> str:
    parts = (
        f"setweight({plan.name}_split(left({column}, {_MOST_INDEXED})), '{label}')"
        for column, label in vector.columns.items()
    )
    return "\n        || ".join(parts)


_LOAD_SQL = r"""-- psql "$DATABASE_URL" -f load.sql, in this folder: all of it, or nothing.
\set ON_ERROR_STOP on
BEGIN;
-- Words are letters and digits, stemmed by Porter's algorithm; no word is a stop word.
CREATE TEXT SEARCH DICTIONARY {name}_stem (TEMPLATE = snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION {name}_text (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION {name}_text
    ALTER MAPPING FOR asciiword, word, numword WITH {name}_stem;
CREATE FUNCTION {name}_split(content text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN to_tsvector(
        '{name}_text'::regconfig, regexp_replace(content, '[^[:alnum:]]+', ' ', 'g')
    );
CREATE TABLE {name} (
    {columns}
);
\copy {name} ({copied}) FROM 'documents.tsv'
{indexes}
-- In how many documents each word occurs; when documents have changed, make it again.
CREATE TABLE {name}_words AS
    SELECT word, ndoc AS documents FROM ts_stat('SELECT {both} FROM {name}');
CREATE UNIQUE INDEX ON {name}_words (word);
{pieces}COMMIT;
ANALYZE;
"""
_PIECES_SQL = r"""CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE {name}_pieces (
    uri text NOT NULL REFERENCES {name} ON DELETE CASCADE,
    piece integer NOT NULL,
    vector vector({dimension}) NOT NULL,
    PRIMARY KEY (uri, piece)
);
\copy {name}_pieces FROM 'pieces.tsv'
-- All vectors are compared. Beyond a million, trade exactness for time:
-- CREATE INDEX ON {name}_pieces USING hnsw (vector vector_cosine_ops);
"""


def _query_sql(plan: ExportPlan) -> str:
    name = plan.name
    vectors = _plan_vectors(plan)
    ranks = "\n            + ".join(
        f"ts_rank('{{{', '.join(f'{w:g}' for w in each.weights)}}}', d.{each.name}, asked.term, 1)"
        for each in vectors
    )
    matches = " OR ".join(f"d.{each.name} @@ asked.term" for each in vectors)
    known = {
        "name": name,
        "ranks": ranks,
        "matches": matches,
        "passes": "\n        AND ".join(
            f"(%(filters.{each})s::text IS NULL OR d.{each} = %(filters.{each})s)"
            for each in FILTER_FIELDS
        ),
        "depth": _MOST_RANKED,
        "shown": _SHOWN,
    }
    words = _WORDS_SQL.format(**known)
    if not plan.dimension:
        return words + _WORDS_ALONE_SQL.format(**known)
    share = plan.meaning_share
    return words + _BLENDED_SQL.format(
        **known, k=f"{plan.blend_k:g}", share=f"{share:.4g}", rest=f"{1 - share:.4g}"
    )


# A word has letters and digits alone, so it is a term as it is.
_WORDS_SQL = r"""WITH total AS (SELECT count(*) AS documents FROM {name}),
asked AS (
    SELECT word::tsquery AS term,
        ln(1 + (total.documents - w.documents + 0.5) / (w.documents + 0.5)) AS rarity
    FROM unnest(tsvector_to_array({name}_split(%(query)s))) AS given (word)
    JOIN {name}_words AS w USING (word), total
),
by_words AS (
    SELECT d.uri, sum(asked.rarity * (
            {ranks}
        )) AS score
    FROM asked JOIN {name} AS d ON {matches}
    WHERE {passes}
    GROUP BY d.uri ORDER BY score DESC, d.uri LIMIT {depth}
)"""
_WORDS_ALONE_SQL = r"""
SELECT uri, by_words.score, {shown}
FROM by_words JOIN {name} USING (uri)
ORDER BY score DESC, uri
LIMIT %(k)s
"""
_BLENDED_SQL = r""",
nearest AS (
    SELECT d.uri, min(p.vector <=> %(vector)s::vector) AS distance
    FROM {name}_pieces AS p JOIN {name} AS d USING (uri)
    WHERE {passes}
    GROUP BY d.uri ORDER BY distance, d.uri LIMIT {depth}
),
ranked_by_words AS (
    SELECT uri, row_number() OVER (ORDER BY score DESC, uri) AS place FROM by_words
),
ranked_by_meaning AS (
    SELECT uri, row_number() OVER (ORDER BY distance, uri) AS place FROM nearest
    WHERE distance IS NOT NULL
)
SELECT uri, coalesce({rest} / ({k} + w.place), 0) + coalesce({share} / ({k} + m.place), 0) AS score,
    {shown}
FROM ranked_by_words AS w FULL JOIN ranked_by_meaning AS m USING (uri) JOIN {name} USING (uri)
ORDER BY score DESC, uri
LIMIT %(k)s
"""


def _steps(plan: ExportPlan) -> Sequence[str]:  # noqa: ARG001 - as for every engine
    return ('psql "$DATABASE_URL" -f load.sql',)


POSTGRES_EXPORTER = Exporter("postgres", "tables of PostgreSQL", _write, _steps)
