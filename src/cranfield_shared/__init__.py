"""What cranfield and stacks share and neither owns: names, registries."""

from cranfield_shared.names import near_names, unknown_name
from cranfield_shared.registry import Registry
from cranfield_shared.retry_after import read_retry_after

__all__ = ["Registry", "near_names", "read_retry_after", "unknown_name"]
