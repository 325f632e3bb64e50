"""Chromium without a window: a page as it looks, and what a script finds out about it."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from tests.tools import need

Scheme = Literal["light", "dark"]

ALONE: Final = Path(__file__).with_name("alone.py")
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
    chromium = [need("chromium"), *_ALWAYS, *arguments]
    chromium.append(f"--blink-settings=preferredColorScheme={_PREFERRED[scheme]}")
    # Not pytest's folder: its long name would be too long for the name of a socket.
    short = os.environ.get("TMPDIR", "/tmp")
    with TemporaryDirectory(dir=short, prefix="chromium-", ignore_cleanup_errors=True) as home:
        chromium += [f"--user-data-dir={home}", page.as_uri()]
        done = subprocess.run(
            [sys.executable, "-I", ALONE, str(PATIENCE_S), *chromium],
            capture_output=True,
            env=os.environ | {"HOME": home, "TMPDIR": home},
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return done.stdout
