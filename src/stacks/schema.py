"""The tables of an index, as numbered migrations from an empty file to the present schema.

One schema serves all files (`search.db`, `packages.db`, `files.db` …); a table that a file has no
use for is empty. Text is stored once: the full-text tables read it through views. The columns of
the main text index are `TEXT_COLUMNS`.

- A document's `id` is its source's number times 2^32 plus a running number, so documents of
  one source are one range of row ids, which FTS5 can be confined to.
- `min_ios` and its like are integers, 17.4.1 being 170401: they compare as versions do.
- `prominence` is how many pages lie below a page, or below its parent if it has none and the
  parent is not the framework itself.
- `doc_symbols`, `doc_code_examples` and `doc_imports` are views that name a document by its
  URI; the tables behind them name it by its id, which is a third of their size.
- `page_constraints` are those that a page itself states; `generic_constraints` add what symbol
  graphs and parents say, and are computed again at every save.
- `graph_constraints` are what symbol graphs said, kept for the saves that are given none.
- `package_dependencies` is a view of `dependencies` by URI; the `dependency_uri` of a package that
  the file does not have is null.
- `docs_fts` has its largest column first: FTS5 spends two bytes on every word of every other.
- Combining marks are part of words in `docs_fts`: those of Devanagari are its vowels.
- `term_postings` are where words that many documents have occur, `text_lengths` the lengths of
  all documents, in one row: what `docs_fts` says of them, read in a hundredth of the time
  (`stacks.postings`). They are written again at every save that changes a document.
- A vector's numbers are `vector`, one signed byte each, times `scale`; a document has one for
  each piece of its text. `hash` is of the text and the model, so it is embedded once.
- Foreign keys document what belongs together; they are not enforced, since a damaged index is
  fixed by saving it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.errors import IndexUnusableError

if TYPE_CHECKING:
    import sqlite3

__all__ = [
    "APPLICATION_ID",
    "DATABASES",
    "FTS_TABLES",
    "INDEX_VERSION",
    "LATEST_SCHEMA",
    "READING_VERSION",
    "SOURCE_SHIFT",
    "TEXT_COLUMNS",
    "create",
    "migrate",
]

APPLICATION_ID = 0x53544B53
"""The `PRAGMA application_id` of our files: STKS."""

SOURCE_SHIFT = 32
"""How many bits of a document's id number it within its source."""

DATABASES = ("search", "packages", "samples", "files", "books", "code")
"""The files of a folder, each of which can be built and shipped alone."""

FTS_TABLES = ("docs_fts", "doc_symbols_fts", "doc_code_fts", "sample_code_fts", "names_fts")
"""The full-text tables of a file."""

TEXT_COLUMNS = (
    "content",
    "title",
    "summary",
    "symbols",
    "symbol_components",
    "framework",
    "uri",
    "source",
    "language",
)
"""The columns of `docs_fts` in their order; their weights are in `stacks.query.weights`.

To add a column, add it here, and to the view `docs_text` by a new step: a file that is brought up
to date has its text index rebuilt.
"""

_TEXT_INDEX = f"""
CREATE VIRTUAL TABLE docs_fts USING fts5(
    {", ".join(TEXT_COLUMNS)},
    content = 'docs_text', content_rowid = 'id',
    tokenize = "porter unicode61 categories 'L* N* Co Mn Mc'"
)
""".strip()

_FIRST = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    weight REAL NOT NULL,
    prefers_symbols INTEGER NOT NULL
);
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    location TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    last_crawled TEXT NOT NULL
);
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    event TEXT NOT NULL,
    page TEXT NOT NULL,
    message TEXT NOT NULL
);

CREATE TABLE docs_metadata (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    framework TEXT NOT NULL,
    language TEXT NOT NULL,
    kind TEXT NOT NULL,
    is_deprecated INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    word_count INTEGER NOT NULL,
    prominence INTEGER NOT NULL DEFAULT 0,
    min_ios INTEGER,
    min_macos INTEGER,
    min_tvos INTEGER,
    min_watchos INTEGER,
    min_visionos INTEGER,
    implementation_swift_version TEXT,
    page_id INTEGER NOT NULL REFERENCES pages (id)
);
CREATE INDEX idx_framework ON docs_metadata (framework);
CREATE INDEX idx_page ON docs_metadata (page_id);
CREATE INDEX idx_min_ios ON docs_metadata (min_ios) WHERE min_ios IS NOT NULL;
CREATE INDEX idx_min_macos ON docs_metadata (min_macos) WHERE min_macos IS NOT NULL;
CREATE INDEX idx_min_tvos ON docs_metadata (min_tvos) WHERE min_tvos IS NOT NULL;
CREATE INDEX idx_min_watchos ON docs_metadata (min_watchos) WHERE min_watchos IS NOT NULL;
CREATE INDEX idx_min_visionos ON docs_metadata (min_visionos) WHERE min_visionos IS NOT NULL;

CREATE TABLE docs_structured (
    id INTEGER PRIMARY KEY REFERENCES docs_metadata (id),
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    declaration TEXT NOT NULL,
    overview TEXT NOT NULL,
    module TEXT NOT NULL,
    platforms TEXT NOT NULL,
    conformances TEXT NOT NULL,
    attributes TEXT NOT NULL,
    symbols TEXT NOT NULL,
    symbol_components TEXT NOT NULL,
    parents TEXT NOT NULL,
    children TEXT NOT NULL,
    facts TEXT NOT NULL
);
CREATE TABLE doc_names (
    name TEXT NOT NULL,
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    nearness INTEGER NOT NULL,
    PRIMARY KEY (name, doc_id)
) WITHOUT ROWID;
CREATE TABLE framework_aliases (
    framework TEXT PRIMARY KEY,
    import_name TEXT NOT NULL,
    display_name TEXT NOT NULL,
    synonyms TEXT NOT NULL,
    documents INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE inheritance (
    parent_uri TEXT NOT NULL,
    child_uri TEXT NOT NULL,
    PRIMARY KEY (parent_uri, child_uri)
) WITHOUT ROWID;
CREATE INDEX idx_inheritance_child ON inheritance (child_uri);
CREATE TABLE code_examples (
    id INTEGER PRIMARY KEY,
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    position INTEGER NOT NULL,
    language TEXT NOT NULL,
    code TEXT NOT NULL
);
CREATE INDEX idx_code_doc ON code_examples (doc_id);
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    signature TEXT NOT NULL,
    is_async INTEGER NOT NULL,
    is_throws INTEGER NOT NULL,
    is_public INTEGER NOT NULL,
    is_static INTEGER NOT NULL,
    attributes TEXT NOT NULL,
    conformances TEXT NOT NULL,
    generic_params TEXT NOT NULL,
    generic_constraints TEXT NOT NULL,
    page_constraints TEXT NOT NULL
);
CREATE INDEX idx_symbols_doc ON symbols (doc_id);
CREATE TABLE imports (
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    module TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (doc_id, module, position)
) WITHOUT ROWID;

CREATE VIEW doc_code_examples AS
    SELECT e.id, m.uri AS doc_uri, e.position, e.language, e.code
    FROM code_examples AS e JOIN docs_metadata AS m ON m.id = e.doc_id;
CREATE VIEW doc_symbols AS
    SELECT d.id, m.uri AS doc_uri, d.name, d.kind, d.origin, d.position, d.line, d."column",
           d.signature, d.is_async, d.is_throws, d.is_public, d.is_static, d.attributes,
           d.conformances, d.generic_params, d.generic_constraints
    FROM symbols AS d JOIN docs_metadata AS m ON m.id = d.doc_id;
CREATE VIEW doc_imports AS
    SELECT m.uri AS doc_uri, i.module, i.position
    FROM imports AS i JOIN docs_metadata AS m ON m.id = i.doc_id;

CREATE VIEW docs_text AS
    SELECT m.id, m.uri, m.source, m.framework, m.language, s.title, s.overview AS content,
           s.abstract AS summary, s.symbols, s.symbol_components
    FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id;
CREATE VIEW sample_text AS
    SELECT m.id, m.uri AS url, m.framework, s.title, s.abstract AS description
    FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id WHERE m.kind = 'sample';
CREATE VIRTUAL TABLE doc_symbols_fts USING fts5(
    name, signature, attributes, conformances,
    content = 'symbols', content_rowid = 'id', tokenize = 'unicode61'
);
CREATE VIRTUAL TABLE doc_code_fts USING fts5(
    code, content = 'code_examples', content_rowid = 'id', tokenize = 'unicode61'
);
CREATE VIRTUAL TABLE sample_code_fts USING fts5(
    url, framework, title, description,
    content = 'sample_text', content_rowid = 'id', tokenize = 'unicode61'
);
"""

_SECOND = """
ALTER TABLE sources ADD COLUMN ranking TEXT NOT NULL DEFAULT 'documentation';

CREATE TABLE vectors (
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    piece INTEGER NOT NULL,
    hash BLOB NOT NULL,
    scale REAL NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (doc_id, piece)
) WITHOUT ROWID;

CREATE VIEW names_text AS
    SELECT m.id, s.title AS name FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
    WHERE m.kind = 'file';
CREATE VIRTUAL TABLE names_fts USING fts5(
    name, content = 'names_text', content_rowid = 'id', tokenize = 'trigram'
);
"""

_THIRD = """
ALTER TABLE sources ADD COLUMN is_archive INTEGER NOT NULL DEFAULT 0;
"""

_FOURTH = """
CREATE TABLE graph_constraints (
    precise_id TEXT NOT NULL,
    path TEXT NOT NULL,
    constraints TEXT NOT NULL
);

DROP TABLE sample_code_fts;
CREATE VIRTUAL TABLE sample_code_fts USING fts5(
    url, framework, title, description,
    content = 'sample_text', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO sample_code_fts (sample_code_fts) VALUES ('rebuild');

CREATE TABLE dependencies (
    doc_id INTEGER NOT NULL REFERENCES docs_metadata (id),
    name TEXT NOT NULL,
    requirement TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (doc_id, name, requirement)
) WITHOUT ROWID;
CREATE INDEX idx_dependencies_name ON dependencies (name);
CREATE VIEW package_dependencies AS
    SELECT m.uri AS package_uri, d.name AS dependency, d.requirement, d.address,
           t.uri AS dependency_uri
    FROM dependencies AS d JOIN docs_metadata AS m ON m.id = d.doc_id
    LEFT JOIN docs_metadata AS t
    ON t.framework = d.name AND t.kind = 'package' AND t.language = m.language;
"""

_FIFTH = """
CREATE TABLE term_postings (
    term TEXT NOT NULL,
    "column" INTEGER NOT NULL,
    postings BLOB NOT NULL,
    PRIMARY KEY (term, "column")
);
CREATE TABLE text_lengths (
    ids BLOB NOT NULL,
    words BLOB NOT NULL,
    total INTEGER NOT NULL
);
"""

_MIGRATIONS = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH)
"""Step n takes a file of version n to version n + 1; steps are added, never changed.

None creates `docs_fts`: it holds no data of its own and is rebuilt if its definition changed.
"""

LATEST_SCHEMA = len(_MIGRATIONS)
"""The `PRAGMA user_version` of a file of the present schema."""
READING_VERSION = 4
"""Raised if readers make other documents of the same bytes, so all are read again."""
INDEX_VERSION = f"{LATEST_SCHEMA}.{READING_VERSION}"
"""Indexes of the same corpus and version are the same."""


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(connection)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate a file of any earlier version to the present one; a newer file is refused."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > LATEST_SCHEMA:
        raise IndexUnusableError(
            f"the index has version {version}, newer than the {LATEST_SCHEMA} that this stacks "
            "knows; upgrade stacks, or save the index again with this one"
        )
    for step in range(version, LATEST_SCHEMA):
        connection.executescript(_MIGRATIONS[step])
        connection.execute(f"PRAGMA user_version = {step + 1}")
    if version < LATEST_SCHEMA:
        _update_text_index(connection)


def _update_text_index(connection: sqlite3.Connection) -> None:
    """Create `docs_fts`, or replace one of other columns or another tokenizer."""
    row = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'docs_fts'").fetchone()
    if row == (_TEXT_INDEX,):
        return
    connection.executescript(
        f"""
        DROP TABLE IF EXISTS docs_fts;
        {_TEXT_INDEX};
        INSERT INTO docs_fts (docs_fts) VALUES ('rebuild');
        """  # noqa: S608 - fixed text
    )
