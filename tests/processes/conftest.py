"""The test run adopts what its bots leave behind, as the command does, so that it can be seen."""

import pytest

from referee.channels.sweep import adopt_orphans


@pytest.fixture(scope="session", autouse=True)
def adopts_orphans() -> None:
    adopt_orphans()
