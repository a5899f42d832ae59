"""`python -m numberduels` is the command `duel`."""

import sys

from numberduels.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
