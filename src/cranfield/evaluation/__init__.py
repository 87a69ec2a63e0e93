"""One way from a project to a result: its systems and suites, runs of them, comparison, gate."""
