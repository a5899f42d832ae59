"""The entry point of `duel`, `numberduels` and `python -m numberduels`."""

import sys

from numberduels.cli import exit_on_interrupt


def run() -> int:
    """Run the command line. Importing it takes a moment, in which Ctrl-C is quiet, too."""
    exit_on_interrupt()
    from numberduels.cli.main import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
