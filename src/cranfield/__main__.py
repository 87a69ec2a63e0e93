"""`python -m cranfield` is the `cranfield` command."""

from cranfield.cli import main

if __name__ == "__main__":
    main()
