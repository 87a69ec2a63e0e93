"""How is a file of an index opened, and is it whole? Read-only connections, damage, a check."""

from stacks.storage.damage import explaining_damage, reports_damage
from stacks.storage.database import Database, SourceInfo, open_databases
from stacks.storage.health_check import HealthFinding, examine

__all__ = [
    "Database",
    "HealthFinding",
    "SourceInfo",
    "examine",
    "explaining_damage",
    "open_databases",
    "reports_damage",
]
