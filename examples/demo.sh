#!/bin/sh
# What `make demo` shows: from nothing to a verdict, on two corpora and seventeen suites.
cd "$(dirname "$0")/.." || exit 1
mkdir -p demo

# On a terminal, progress is one line that changes; elsewhere it would be a thousand.
if [ -t 2 ]; then quietly() { "$@"; }; else quietly() {
    "$@" 2>demo/progress.log || { code=$?; tail -20 demo/progress.log >&2; return $code; }
}; fi

show() {
    printf '\n$ %s\n\n' "$*"
    quietly "$@" || exit 1
}

cat <<'TEXT'
Two builds of one search engine: `words` is plain BM25 over the text, `stacks` the whole engine (names,
parts of names, short forms, age, declarations, meaning). Is `stacks` better, and at what?

First on documentation of Apple's platforms: 675 pages of our own from six sources, and nine suites of
queries, each class measured on its own terms. The index is made now, in a few seconds.
TEXT
show cranfield compare words stacks --suite apple-docs --show measures \
    --report markdown=demo/apple-docs.md --report json=demo/apple-docs.json

cat <<'TEXT'

Every answer is stored. This is what `stacks` answered to one query, and why it counts:
TEXT
show cranfield runs show latest dictionary-key --config apple-docs

cat <<'TEXT'

The same as one page to look at, with every query and both rankings:
TEXT
show cranfield report words stacks --config apple-docs --out demo/apple-docs.html

cat <<'TEXT'

Now the documentation of your own Python, about 14,000 pages; making its index takes half a minute.
TEXT
show cranfield compare words stacks --suite python-docs --show overview \
    --report markdown=demo/python-docs.md --report json=demo/python-docs.json

cat <<'TEXT'

Open this in a browser:                         demo/apple-docs.html
The audits, every query that changed included:  demo/apple-docs.md   demo/python-docs.md
The same as JSON:                               demo/apple-docs.json demo/python-docs.json

Next: . .venv/bin/activate
      cranfield init                     your own search: one query, and a project for it
      cranfield run home --mode both     a desktop search's relevance test (README.md has the other suites)
      cranfield gate apple-docs --system stacks    the same as a check for CI
TEXT
rm -f demo/progress.log
