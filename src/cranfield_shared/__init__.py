"""What cranfield and stacks share and neither owns: names, registries."""

from cranfield_shared.names import near_names, unknown_name
from cranfield_shared.registry import Registry

__all__ = ["Registry", "near_names", "unknown_name"]
