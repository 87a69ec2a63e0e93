"""Guarding the guard: stored answers broken on purpose, to see whether the gate turns red."""

from cranfield.gates.mutations.changes import MUTATIONS, Mutation, Others, Scene
from cranfield.gates.mutations.checking import (
    MutationProgress,
    MutationReport,
    MutationResult,
    check_mutations,
)
from cranfield.gates.mutations.noise import NoiseOptions, NoiseReport, simulate_noise

__all__ = [
    "MUTATIONS",
    "Mutation",
    "MutationProgress",
    "MutationReport",
    "MutationResult",
    "NoiseOptions",
    "NoiseReport",
    "Others",
    "Scene",
    "check_mutations",
    "simulate_noise",
]
