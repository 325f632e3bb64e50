"""A bot that plays well but for the faults that its flags name. Turns count from 1 in a process.

Standard library only; speaks protocol 1. With --pick it says which legal action it takes.
"""

import argparse
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

ACTION = '{"type":"action","id":%d,"action":%s}\n'
SPOILERS = {
    "garbage": "Hm, let me think.\n",
    "flood": "\n" * 300,
    "long_line": "x" * 10_000_000,
    "nest": "[" * 65 + "]" * 65 + "\n",
}
NAME = {"name": "naughty", "version": "1.0"}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for fault in [
        "crash",
        "fail",
        "exit",
        "hang",
        "garbage",
        "illegal",
        "flood",
        "long-line",
        "wrong-id",
    ]:
        parser.add_argument(f"--{fault}-on", type=int, default=0, metavar="N")
    for fault in ["partial", "stale", "close-stdout", "close-stdin", "nest", "raise"]:
        parser.add_argument(f"--{fault}-on", type=int, default=0, metavar="N")
    parser.add_argument("--late-on", type=int, nargs=2, default=(0, 0), metavar=("N", "MS"))
    parser.add_argument("--drip", choices=["bytes", "lines"])
    for flag in ["never-hello", "bad-version", "fork-child", "ignore-bye", "environ", "clock"]:
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--start-exit", type=int, metavar="STATUS")
    parser.add_argument("--stderr", type=int, default=0, metavar="BYTES")
    parser.add_argument("--sleep", type=float, default=0, metavar="MS")
    parser.add_argument("--say", default="", help="on stderr, in every turn; \\x1b and so on")
    parser.add_argument("--note", default="", help="JSON")
    parser.add_argument("--action", default="", help="what --illegal-on plays; \\x1b and so on")
    parser.add_argument("--pids", default="", help="a file to append the pids of its processes to")
    parser.add_argument("--pick", choices=["first", "random"], default="first")
    return parser.parse_args()


def out(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def err(text: str) -> None:
    os.write(2, text.encode() + b"\n")


def facts() -> dict[str, Any]:
    """What a bot can see of its surroundings."""
    home = Path.cwd()
    return {
        "env": dict(os.environ),
        "cwd": str(home),
        "mode": home.stat().st_mode & 0o777,
        "files": [entry.name for entry in home.iterdir()],
        "umask": os.umask(0o077),
        "hash": hash("card"),
        "descriptors": sorted(int(entry.name) for entry in Path("/proc/self/fd").iterdir()),
    }


def fork_child() -> None:
    """A child that holds our pipes and does nothing, in our process group."""
    if os.fork() == 0:
        while True:
            time.sleep(60)


class Naughty:
    def __init__(self, wanted: argparse.Namespace) -> None:
        self.wanted = wanted
        self.turns = 0
        self.random = random.Random(0)

    def now(self, fault: str) -> bool:
        return bool(self.turns == getattr(self.wanted, f"{fault}_on"))

    def hear(self, message: dict[str, Any]) -> None:
        if self.wanted.clock and message["type"] in {"start", "end"}:
            err(f"{message['type']} {time.monotonic():.6f}")
        match message["type"]:
            case "hello" if not self.wanted.never_hello:
                version = 2 if self.wanted.bad_version else 1
                hello = {"type": "hello", "id": message["id"], "protocol": version} | NAME
                out(json.dumps(hello) + "\n")
            case "start":
                self.random.seed(message["seed"])
            case "turn":
                self.turns += 1
                self.leave()
                self.spoil(message["id"])
                self.answer(message)
            case _:
                pass  # whatever else comes wants no answer

    def leave(self) -> None:
        """Faults after which nothing comes any more."""
        if self.now("crash"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.now("raise"):
            raise ValueError("this bot has a bug")
        if self.now("fail"):
            os._exit(3)
        if self.now("exit"):
            os._exit(0)
        if self.now("close_stdout"):
            os.close(1)
        if self.now("hang") or self.now("close_stdout"):
            time.sleep(600)

    def spoil(self, number: int) -> None:
        """Faults in what is said before the answer."""
        if self.turns == self.wanted.late_on[0]:
            time.sleep(self.wanted.late_on[1] / 1000)
        for fault, said in SPOILERS.items():
            if self.now(fault):
                out(said)
        if self.now("wrong_id"):
            out(ACTION % (number + 1, '"take"'))
        if self.now("stale"):
            out(ACTION % (number - 1, '"take"') * 17)
        while self.wanted.drip:
            out("\n" if self.wanted.drip == "lines" else " ")
            time.sleep(0.01)

    def answer(self, message: dict[str, Any]) -> None:
        wanted = self.wanted
        os.write(2, b"!" * wanted.stderr + escaped(wanted.say).encode())
        time.sleep(wanted.sleep / 1000)
        legal = message["legal"]
        action = (
            legal[int(self.random.random() * len(legal))] if wanted.pick == "random" else legal[0]
        )
        if self.now("illegal"):
            action = escaped(wanted.action) or "play 2X"
        note = {"note": json.loads(wanted.note)} if wanted.note else {}
        line = json.dumps({"type": "action", "id": message["id"], "action": action} | note) + "\n"
        if self.now("partial"):
            out(line[:-1])
            time.sleep(600)
        out(line)
        if self.now("close_stdin"):
            os.close(0)
            time.sleep(600)


def escaped(words: str) -> str:
    return words.encode().decode("unicode_escape")


def main() -> None:
    wanted = arguments()
    if wanted.start_exit is not None:
        err("cannot find my opening book")
        sys.exit(wanted.start_exit)
    if wanted.pids:
        with Path(wanted.pids).open("a") as file:
            file.write(f"{os.getpid()} {Path.cwd()}\n")
    if wanted.environ:
        err(json.dumps(facts()))
    if wanted.fork_child:
        fork_child()
    bot = Naughty(wanted)
    for line in iter(sys.stdin.buffer.readline, b""):
        bot.hear(json.loads(line))
    while wanted.ignore_bye:
        time.sleep(1)


if __name__ == "__main__":
    main()
