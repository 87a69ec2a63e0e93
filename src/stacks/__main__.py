"""`python -m stacks` is the `stacks` command."""

from stacks.cli import main

main()
