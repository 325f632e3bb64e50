"""Croupier: referee and protocol server for bots that play cards."""

from pathlib import Path

import protocol

# `protocol` is a common name: a bot's own folder, or the PyPI package of that name, may stand in
# front of ours. Say so, instead of failing later with a puzzling ImportError.
if Path(protocol.__file__ or "").parents[1] != Path(__file__).parents[1]:
    raise ImportError(
        f"another package called `protocol` hides croupier's own: {protocol.__file__}; "
        "install croupier into an environment of its own (pipx install croupier)"
    )

__version__ = "0.1.0"
