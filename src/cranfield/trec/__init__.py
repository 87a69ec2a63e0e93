"""TREC files in, graded columns out, as fast as the disk allows.

A run of 6,980 queries × 1,000 rows is 260 MB of text. It is read in about a second by never making
a Python object for a row:

1. `blocks` cuts the file into blocks of whole lines of about 2 MB, so that a block's columns stay
   in the processor's cache. Threads work on several blocks at a time, because numpy releases the
   interpreter lock.
2. `fields` finds every field of a block at once from the positions of its separators. Lines
   written by programs (one separator, no surprises) take a fast path, all others a general one.
3. `numbers` turns eight bytes of digits into a number with three multiplications, for all rows
   together. The result is always the float that `float()` gives; what the fast path cannot do
   exactly goes through `float()` itself.
4. `keys` makes a 64-bit key of query and document. `judged_index` looks the keys up among the
   judged pairs (open addressing over whole arrays) and compares the bytes of what it finds. Most
   rows are not judged and cost one look-up. `run_blocks` does steps 2 to 4 for a block of a run.
5. `run_parts` gathers the columns of whole queries, some eight million rows at a time, so that
   memory does not grow with the file; rows of a large file that mixes its queries are sorted into
   parts on the disk first. `run_table` is one part, mostly the whole run. `ranking` counts the hits
   above each judged one: in a file that is in order that is a subtraction; otherwise
   `unordered_ranking` makes one number of query and score and looks the judged ones up among all of
   them, sorted, without moving a row. `ties` orders equal scores, but only in groups that hold a
   judged document.
6. `graded_run` builds the `GradedColumns`: judged hits only, the others are implied by the ranks.
   `scored_run` measures them.

Document ids of up to eight bytes are their own key, and the key can be turned back. For longer ids,
the few lines that a tie needs are read a second time. Keys only propose: equal keys are followed by
a comparison of bytes, for queries as for documents, so that even ids built to collide are told
apart or refused.
"""

from cranfield.trec.graded_run import GradedRun, grade_run
from cranfield.trec.judged_index import JudgedIndex
from cranfield.trec.qrels import Qrels, read_qrels
from cranfield.trec.scored_run import ScoredRun, ScoreWarning, TieBounds, score_run, score_runs

__all__ = [
    "GradedRun",
    "JudgedIndex",
    "Qrels",
    "ScoreWarning",
    "ScoredRun",
    "TieBounds",
    "grade_run",
    "read_qrels",
    "score_run",
    "score_runs",
]
