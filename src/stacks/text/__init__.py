"""What is in a text: identifiers and their parts."""

from stacks.text.identifiers import is_identifier, split_identifier

__all__ = ["is_identifier", "split_identifier"]
