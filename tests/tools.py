"""Programs outside Python that some tests need: a compiler, node, a shell, a sandbox."""

import os
import shutil
from typing import NoReturn

import pytest

from referee.channels.isolation import BWRAP, Layer
from referee.channels.probing import probe


def need(tool: str) -> str:
    """The path of `tool`. Without it the test is skipped, under CROUPIER_REQUIRE_TOOLS=1 failed."""
    path = shutil.which(tool)
    if path is None:
        lack(f"{tool} is not installed")
    return path


def need_sandbox() -> Layer:
    """The layer `bwrap`, where it works; else as `need`."""
    need("bwrap")
    found = probe(BWRAP)
    if not found.works:
        lack(f"bwrap does not work here: {found.why}")
    return BWRAP


def lack(message: str) -> NoReturn:
    """Something that a test needs is missing: it is skipped, under CROUPIER_REQUIRE_TOOLS=1 failed."""
    if os.environ.get("CROUPIER_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{message}, and CROUPIER_REQUIRE_TOOLS=1 forbids to skip")
    pytest.skip(message)
