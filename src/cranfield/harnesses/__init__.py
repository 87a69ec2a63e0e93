"""Harnesses: suites and reports of the tools that people came from, in the formats of those."""
