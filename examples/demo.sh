#!/bin/sh
# What `make demo` shows: two builds of a search over Python's module documentation.
cd "$(dirname "$0")/stdlib" || exit 1

show() {
    printf '\n$ %s\n\n' "$*"
    "$@"
}

cat <<'TEXT'
60 queries about Python's standard library ("parse json", "priority queue"), each with the modules
that answer it, and the results of two search builds: `plain` treats all text alike, `weighted`
stems words and trusts names more. Is `weighted` better?
TEXT
show cranfield score qrels.txt plain.run weighted.run

cat <<'TEXT'

Every line above is a paired comparison: the same queries in both builds, a confidence interval,
and p-values corrected for having asked five questions at once. For one query at a time, or for
another program to read, ask for another format:
TEXT
show cranfield score qrels.txt weighted.run -m nDCG@10 -m RR -f trec_eval
echo
echo "Next: cranfield score --help, cranfield measures, README.md"
