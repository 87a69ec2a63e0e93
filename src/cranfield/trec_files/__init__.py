"""Judgments in TREC's files, and what reading such files fast takes: columns for a block at a time.

No Python object is made for a row. `text_blocks` cuts a file into blocks of whole lines of about
2 MB, so a block's columns stay in the processor's cache. `fields` finds every field of a block at
once from the positions of its separators: lines written by programs (one separator, no surprises)
take a fast path, all others a general one. `numbers` turns eight bytes of digits into a number
with three multiplications, for all rows together; the result is always the float that `float()`
gives, and what the fast path cannot do exactly goes through `float()` itself. `keys` makes a 64-bit
key of query and document. `qrels` are the judgments read this way.

Document ids of up to eight bytes are their own key, and the key can be turned back. Keys only
propose: equal keys are followed by a comparison of bytes, for queries as for documents, so even ids
built to collide are told from each other or refused.
"""

from cranfield.trec_files.fields import FieldColumn, Fields, Layout, split_fields
from cranfield.trec_files.keys import (
    Keys,
    Repeats,
    check_stretches,
    document_keys,
    field_keys,
    find_duplicate,
    find_repeats,
    pair_keys,
    pair_slots,
    query_slots,
    same_ids,
    stretch_starts,
)
from cranfield.trec_files.numbers import parse_floats
from cranfield.trec_files.qrels import Qrels, read_qrels
from cranfield.trec_files.text_blocks import GrowingArray, TextBlock, TextSource

__all__ = [
    "FieldColumn",
    "Fields",
    "GrowingArray",
    "Keys",
    "Layout",
    "Qrels",
    "Repeats",
    "TextBlock",
    "TextSource",
    "check_stretches",
    "document_keys",
    "field_keys",
    "find_duplicate",
    "find_repeats",
    "pair_keys",
    "pair_slots",
    "parse_floats",
    "query_slots",
    "read_qrels",
    "same_ids",
    "split_fields",
    "stretch_starts",
]
