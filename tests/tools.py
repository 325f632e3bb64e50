"""Programs outside Python that some tests need: a compiler, node, a shell."""

import os
import shutil

import pytest


def need(tool: str) -> str:
    """The path of `tool`. Without it the test is skipped, under CROUPIER_REQUIRE_TOOLS=1 failed."""
    path = shutil.which(tool)
    if path is not None:
        return path
    message = f"{tool} is not installed"
    if os.environ.get("CROUPIER_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{message}, and CROUPIER_REQUIRE_TOOLS=1 forbids to skip")
    pytest.skip(message)
