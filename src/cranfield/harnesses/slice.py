"""What the slice `harnesses` offers: formats of suites and of reports."""

from __future__ import annotations

from cranfield.slices import Slice

__all__ = ["SLICE"]

SLICE = Slice(
    offers={
        "cranfield.suites": {
            "chunk-scores": "cranfield.harnesses.formats:CHUNK_SCORES",
            "golden-set": "cranfield.harnesses.formats:GOLDEN_SET",
            "test-corpus": "cranfield.harnesses.formats:TEST_CORPUS",
        },
        "cranfield.formats": {
            "golden-set-json": "cranfield.harnesses.formats:GOLDEN_SET_JSON",
            "relevance-csv": "cranfield.harnesses.formats:RELEVANCE_CSV",
            "relevance-summary": "cranfield.harnesses.formats:RELEVANCE_SUMMARY",
            "cupertino-json": "cranfield.harnesses.formats:CUPERTINO_JSON",
            "spelunker-json": "cranfield.harnesses.formats:SPELUNKER_JSON",
        },
    },
    formats={
        "golden-set-json": ("run",),
        "relevance-csv": ("run",),
        "relevance-summary": ("run", "comparison"),
        "cupertino-json": ("comparison",),
        "spelunker-json": ("run",),
    },
)
