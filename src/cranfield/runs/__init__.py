"""Runs: a suite run on a system, with every answer stored as it arrives."""
