"""The `stacks` command."""
