#!/bin/sh
# What `make demo` shows: two builds of a search over Python's module documentation.
cd "$(dirname "$0")/stdlib" || exit 1

show() {
    printf '\n$ %s\n\n' "$*"
    "$@"
}

cat <<'TEXT'
60 queries about Python's standard library ("parse json", "priority queue"), each with the modules
that answer it, and two search builds: `plain` treats all text alike, `weighted` stems words and
trusts names more. cranfield.toml says how to ask them. Is `weighted` better?
TEXT
show cranfield compare plain weighted 2>/dev/null

cat <<'TEXT'

The verdict rests on the same queries asked of both builds. Every answer is stored; this is what
`weighted` answered to one of them, and why it counts:
TEXT
show cranfield runs show latest q20

cat <<'TEXT'

Those answers were recorded once. Now both builds are run as programs, one process a query, over
the documentation of your own Python, whose version may tell another story:
TEXT
show cranfield compare plain-live weighted-live --jobs 2 --show none 2>/dev/null

echo
echo "Next: cranfield run --help, cranfield compare --help, README.md"
