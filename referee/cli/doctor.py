"""`croupier doctor`: what works on this machine, what is missing, and how to get it."""

import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Final

import msgspec
import trio

from referee import screen
from referee.channels.isolation import LayerName
from referee.channels.sweep import adopt_orphans
from referee.checkup import Checkup, Tool, check_up

NOT_READY: Final = 3
_MARK: Final = {True: "✓", False: "✗"}
_FOR: Final[dict[LayerName, str]] = {
    "posix": "bots that you trust",
    "bwrap": "bots of strangers",
}


def run_doctor(*, as_json: bool) -> int:
    """Prints what was found; 3 when no match can be played."""
    adopt_orphans()
    found = trio.run(check_up)
    if as_json:
        report = {"schema": 1, "ready": found.ready, **msgspec.to_builtins(found)}
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        out = screen.console()
        for line in told(found):
            out.print(line, soft_wrap=True)
    return 0 if found.ready else NOT_READY


def told(found: Checkup) -> Iterator[str]:
    """For people, line by line."""
    yield f"croupier {found.croupier}, Python {found.python}, {found.system}"
    yield from ("", "isolation")
    for layer in found.layers:
        if layer.works:
            yield f"  ✓ {layer.name:<12}{_FOR[layer.name]}; starts in {layer.start_ms} ms"
        else:
            yield f"  ✗ {layer.name:<12}{layer.why_not}"
            if layer.remedy:
                yield f"    {'':<12}{layer.remedy}"
    yield from ("", "kernel")
    for feature in found.features:
        words = feature.purpose if feature.works else f"not here, so not: {feature.purpose}"
        yield f"  {_MARK[feature.works]} {feature.name:<12}{words}"
    yield from ("", "languages")
    for language, tools in groupby(found.tools, lambda tool: tool.language):
        yield _language(language, list(tools))
    yield ""
    cores = "1 core" if found.cores == 1 else f"{found.cores} cores"
    matches = "1 match" if found.matches == 1 else f"up to {found.matches} matches"
    pondering = found.matches_pondering
    yield f"{cores}: {matches} at a time, with --ponder {pondering}"
    yield _verdict(found)


def _language(language: str, tools: list[Tool]) -> str:
    missing = [tool for tool in tools if tool.version is None]
    there = ", ".join(f"{tool.program} {tool.version}" for tool in tools if tool not in missing)
    if not missing:
        return f"  ✓ {language:<12}{there}"
    packages = " ".join(dict.fromkeys(tool.package for tool in missing))
    lacks = ", ".join(tool.program for tool in missing)
    found = f"{there}; " if there else ""
    return f"  - {language:<12}{found}no {lacks} (Debian: sudo apt-get install {packages})"


def _verdict(found: Checkup) -> str:
    works = [layer.name for layer in found.layers if layer.works]
    if "bwrap" in works:
        return "ready"
    remedies = "; ".join(layer.remedy or layer.why_not for layer in found.layers if not layer.works)
    if works:
        return f"ready for bots that you trust; for those of strangers: {remedies}"
    return f"not ready: {remedies}"
