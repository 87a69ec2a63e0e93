"""Sweeps: which settings of a system are best, said by queries that did not choose them."""
