"""Chromium without a window: a page as it looks, and what a script finds out about it."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from tests.tools import need

Scheme = Literal["light", "dark"]

PATIENCE_S: Final = 25
_PREFERRED: Final = {"dark": 0, "light": 1}  # as Chromium's settings number them
_ALWAYS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    # Nothing may be asked for, not even by the browser itself.
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-breakpad", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"),
)


def document_after_scripts(page: Path, scheme: Scheme) -> str:
    """The page's HTML as its own scripts leave it."""
    return _browse(page, scheme, "--dump-dom").decode()


def screenshot(page: Path, scheme: Scheme, width: int, height: int) -> bytes:
    """The page as a PNG, which is written beside it."""
    file = page.with_suffix(".png")
    _browse(page, scheme, f"--screenshot={file}", f"--window-size={width},{height}")
    return file.read_bytes()


def _browse(page: Path, scheme: Scheme, *arguments: str) -> bytes:
    """Starts a browser with a home of its own, and leaves nothing of it, neither files nor processes."""
    argv = [need("chromium"), *_ALWAYS, *arguments, page.as_uri()]
    argv.insert(1, f"--blink-settings=preferredColorScheme={_PREFERRED[scheme]}")
    # Not pytest's folder: its long name would be too long for the name of a socket.
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as home:
        argv.insert(1, f"--user-data-dir={home}")
        with subprocess.Popen(
            argv,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"HOME": home, "TMPDIR": home},
        ) as process:
            try:
                return process.communicate(timeout=PATIENCE_S)[0]
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                _end_all_of(home)


def _end_all_of(profile: str) -> None:
    """Helpers of the browser may have left its group; each names the profile."""
    deadline = time.monotonic() + PATIENCE_S
    while left := list(_processes_of(profile)):
        assert time.monotonic() < deadline, f"cannot be ended: {left}"
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def _processes_of(profile: str) -> Iterator[int]:
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--user-data-dir={profile}".encode() in file.read_bytes():
                yield int(file.parent.name)
