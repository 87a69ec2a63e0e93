"""Checks of suites: everything that can be found wrong before a run."""
