"""Scaffold: a new project, set up by sending one query to a system."""
