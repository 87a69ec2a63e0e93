"""Testing the gate itself: stored answers broken on purpose, to see whether it turns red."""

from cranfield.gates.mutations.faults import MUTATIONS, Mutation, Others, Scene
from cranfield.gates.mutations.sensitivity import (
    MutationProgress,
    MutationReport,
    MutationResult,
    check_mutations,
    find_mutable_run,
)

__all__ = [
    "MUTATIONS",
    "Mutation",
    "MutationProgress",
    "MutationReport",
    "MutationResult",
    "Others",
    "Scene",
    "check_mutations",
    "find_mutable_run",
]
