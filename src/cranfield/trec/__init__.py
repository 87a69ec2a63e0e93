"""TREC runs scored by judgments: files in, measures, comparisons and a report out.

A run of 6,980 queries × 1,000 rows is 260 MB of text. It is read in about a second, as
`cranfield.trec_files` reads judgments: never making a Python object for a row.

1. `run_blocks` reads a block of a run as columns. Threads work on several blocks at a time, because
   numpy releases the interpreter lock. `judged_index` looks the keys of query and document up among
   the judged pairs (open addressing over whole arrays) and compares the bytes of what it finds.
   Most rows are not judged and cost one look-up.
2. `run_parts` gathers the columns of whole queries, some eight million rows at a time, so memory
   does not grow with the file; rows of a large file that mixes its queries are sorted into parts
   on the disk first. `run_table` is one part, mostly the whole run.
3. `ranking` counts the hits above each judged one: in a file that is in order that is a
   subtraction; otherwise it makes one number of query and score and looks the judged ones up among
   all of them, sorted, without moving a row. `ties` orders equal scores, but only in groups that
   hold a judged document; for long ids, the few lines that this needs are read a second time.
4. `graded_run` builds the `GradedColumns`: judged hits only, the others are implied by the ranks.
   `scores` measures them and compares runs, `score_report` shows it, `trec_eval_format` as
   trec_eval would, and `command` is `cranfield score`.
"""
