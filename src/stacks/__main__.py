"""`python -m stacks` is the `stacks` command."""

from stacks.cli.main import main

main()
