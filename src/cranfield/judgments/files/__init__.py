"""Files of judgments: the formats that they are exported to and imported from."""

from cranfield.judgments.files.chunk_scores_file import CHUNK_SCORES_FILE
from cranfield.judgments.files.file_text import TableRow, decode_object, read_table, read_text
from cranfield.judgments.files.judgment_export import (
    ExportedJudgments,
    ExportOptions,
    collect_records,
    export_judgments,
)
from cranfield.judgments.files.judgment_formats import (
    JUDGMENT_FORMATS,
    JudgmentFormat,
    WrittenFiles,
    refuse_ids,
)
from cranfield.judgments.files.judgment_import import (
    ConflictRule,
    ImportedJudgments,
    ImportOptions,
    JudgmentConflict,
    import_judgments,
    read_conflict_rule,
    read_source,
)
from cranfield.judgments.files.judgment_records import (
    FileEntry,
    GradedDocument,
    JudgmentFile,
    JudgmentRecords,
    graded_documents,
)
from cranfield.judgments.files.known_queries import KnownQueries, KnownQuery, find_known_queries

__all__ = [
    "CHUNK_SCORES_FILE",
    "JUDGMENT_FORMATS",
    "ConflictRule",
    "ExportOptions",
    "ExportedJudgments",
    "FileEntry",
    "GradedDocument",
    "ImportOptions",
    "ImportedJudgments",
    "JudgmentConflict",
    "JudgmentFile",
    "JudgmentFormat",
    "JudgmentRecords",
    "KnownQueries",
    "KnownQuery",
    "TableRow",
    "WrittenFiles",
    "collect_records",
    "decode_object",
    "export_judgments",
    "find_known_queries",
    "graded_documents",
    "import_judgments",
    "read_conflict_rule",
    "read_source",
    "read_table",
    "read_text",
    "refuse_ids",
]
