"""The page in a real browser: it fits, it can be read, it is dark where people want it dark."""

import html
import json
import re
import zlib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.pages.browser import Scheme, document_after_scripts, screenshot
from tests.pages.examples import CUTTLE, HEBREW, HOSTILE, LONG, WIZARD, empty, league, small
from tournaments.page import page
from tournaments.page_style import DARK, LIGHT, READABLE, colour

PAPER: Final[dict[Scheme, tuple[int, int, int]]] = {
    "light": colour(LIGHT["bg"]),
    "dark": colour(DARK["bg"]),
}
NARROW, WIDE = 360, 1200
PAGES: Final = {
    "two": page(CUTTLE, league(2)),
    "four": page(WIZARD, league(4)),
    "odd": page(CUTTLE, small(2, (HOSTILE, LONG, HEBREW, "x"))),
    "empty": page(CUTTLE, empty(2)),
}
# What the measuring must find fault with, or it finds nothing.
BAD: Final = (
    "<style>body{background:#999}</style><p style='width:900px;color:#888'>faint and wide</p>"
)
SCHEMES: Final[list[Scheme]] = ["light", "dark"]


def measured(scheme: Scheme, folder: Path) -> dict[tuple[str, int], Any]:
    """What a script finds in every page, in windows (frames) of both widths."""
    frames = [
        f'<iframe name="{name} {width}" style="width:{width}px;height:900px;border:0"'
        f' srcdoc="{html.escape(content)}"></iframe>'
        for name, content in [*PAGES.items(), ("bad", f"<!DOCTYPE html>{BAD}")]
        for width in (NARROW, WIDE)
    ]
    script = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
    around = folder / "around.html"
    around.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><body>{"".join(frames)}<script>{script}</script>',
        encoding="utf-8",
    )
    after = document_after_scripts(around, scheme)
    found = re.search(r'<pre id="found">(.*)</pre>', after)
    assert found, after[-500:]
    return {
        (name, int(width)): each
        for each in json.loads(html.unescape(found[1]))
        for name, _, width in [each.pop("name").partition(" ")]
    }


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_fits_and_can_be_read_on_a_telephone_and_on_a_desk(
    scheme: Scheme, tmp_path: Path
) -> None:
    found = measured(scheme, tmp_path)
    for width in (NARROW, WIDE):
        bad = found.pop(("bad", width))
        assert bad["faintest"]["contrast"] < 2
        assert (bad["overflow"] > 0) == (width == NARROW)
    assert set(found) == {(name, width) for name in PAGES for width in (NARROW, WIDE)}
    for (name, width), each in found.items():
        assert {"width": each["width"], "overflow": each["overflow"]} == {
            "width": width,
            "overflow": 0,
        }, name
        assert tuple(each["paper"]) == PAPER[scheme]
        assert each["faintest"]["contrast"] >= READABLE, (name, each["faintest"])
        assert each["asked_for"] == 0
        assert each["rows"] == PAGES[name].count("<tr"), name
        assert each["pictures"] == PAGES[name].count("<svg"), name
    assert found["two", WIDE]["scrolling"] == found["four", WIDE]["scrolling"] == []
    assert "Rank list" in found["two", NARROW]["scrolling"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_file_alone_is_shown_on_the_paper_of_its_scheme(scheme: Scheme, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    file.write_text(PAGES["four"], encoding="utf-8")
    picture = screenshot(file, scheme, NARROW, 700)
    assert first_pixel(picture) == PAPER[scheme]
    assert len(picture) > 10_000  # an empty page of this size has 1,500 bytes


def first_pixel(png: bytes) -> tuple[int, int, int]:
    """The corner of a picture: no filter of PNG changes the first pixel of the first row."""
    pixels = b""
    at = 8
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        pixels += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    red, green, blue = zlib.decompress(pixels)[1:4]
    return red, green, blue
