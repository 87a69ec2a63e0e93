"""How does an index move to a search server? Bulk files, a mapping, a query, and who asks it."""

from stacks.export.exported_documents import ExportedDocument, read_documents
from stacks.export.exporter import EXPORTERS, Exporter, ExportPlan, ExportSummary, export_index

__all__ = [
    "EXPORTERS",
    "ExportPlan",
    "ExportSummary",
    "ExportedDocument",
    "Exporter",
    "export_index",
    "read_documents",
]
