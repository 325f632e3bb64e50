"""The command line: parses, calls one function, prints one value. No logic of its own.

This module stays light: `croupier --version` must not wait for trio or rich to be imported.
"""

import sys

from referee import __version__


def main() -> None:
    """The `croupier` command."""
    if sys.argv[1:] == ["--version"]:
        print(f"croupier {__version__}")  # noqa: T201
        return
    from referee.cli.run import run

    sys.exit(run(sys.argv[1:]))
