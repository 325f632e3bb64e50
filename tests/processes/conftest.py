"""The test run adopts what its bots leave behind, as the command does, so that it can be seen."""

import tempfile
from collections.abc import Iterator

import pytest

from referee.channels.sweep import adopt_orphans


@pytest.fixture(scope="session", autouse=True)
def adopts_orphans() -> None:
    adopt_orphans()


@pytest.fixture(scope="session", autouse=True)
def has_its_own_temporary_folder(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Bots of other test runs on this machine must not be taken for ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("tmp")))
        yield
