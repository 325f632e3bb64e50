"""The sample bots against the wire protocol alone: real pipes, raw JSON lines, nothing of ours between."""

import itertools
import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sample_bots
from tests.tools import need

Message = dict[str, object]
Start = Callable[[str], "Wire"]

RANDOM = [name for name in sample_bots.NAMES if name.startswith("random")]
HELLO: Message = {"type": "hello", "id": 1, "protocol": 1, "server": "croupier 0.1.0"}
BYE: Message = {"type": "bye", "reason": "match over"}
PATIENCE = 10.0  # seconds for an answer; node on a busy machine needs one to start


def start_of(seed: int, **more: object) -> Message:
    return {"type": "start", "game": "g1", "rules": "cuttle", "options": {}, "seat": 0} | {
        "players": ["ann", "bob"],
        "move_ms": 1000,
        "seed": seed,
        "commitment": "0" * 64,
        **more,
    }


def turn_of(number: int, legal: list[str], **more: object) -> Message:
    turn = {"type": "turn", "id": number, "game": "g1", "seat": 0, "move_ms": 1000, "legal": legal}
    return turn | {"state": {"phase": "main"}, "events": []} | more


class Wire:
    """A started bot, with the wire protocol's lines going in and out."""

    def __init__(self, command: list[str], folder: Path) -> None:
        # No PYTHONUNBUFFERED here: a bot flushes by itself.
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            cwd=folder,
        )
        self._unread = b""

    def tell(self, message: Message | str) -> None:
        line = message if isinstance(message, str) else compact(message)
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")

    def ask(self, message: Message) -> Message:
        self.tell(message)
        return json.loads(self._line())  # type: ignore[no-any-return]

    def leave(self) -> tuple[str, str, int]:
        """Close its input; what it still says, its standard error, its exit status."""
        rest, errors = self.process.communicate(timeout=1.0)
        return (self._unread + rest).decode(), errors.decode(), self.process.returncode

    def _line(self) -> bytes:
        assert self.process.stdout
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self._unread:
            left = max(0.0, deadline - time.monotonic())
            assert select.select([self.process.stdout], [], [], left)[0], "no answer: not flushed?"
            some = os.read(self.process.stdout.fileno(), 65536)
            assert some, f"the bot ended: {self.process.stderr and self.process.stderr.read()!r}"
            self._unread += some
        line, _, self._unread = self._unread.partition(b"\n")
        return line


def compact(message: Message) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


@pytest.fixture(scope="session")
def compiled_bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    program = tmp_path_factory.mktemp("c") / "random_bot"
    source = sample_bots.path_of("random_bot.c")
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=c11"]
    compiler = subprocess.run(
        [need("cc"), *flags, "-o", program, source], capture_output=True, text=True, check=False
    )
    assert (compiler.returncode, compiler.stderr) == (0, "")
    return str(program)


@pytest.fixture
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Starts sample bots by name; all of them end with the test."""
    started: list[Wire] = []

    def start_one(name: str) -> Wire:
        path = str(sample_bots.path_of(name))
        match Path(name).suffix:
            case ".c":
                command = [request.getfixturevalue("compiled_bot")]
            case ".js":
                command = [need("node"), path]
            case _:
                command = [sys.executable, path]
        started.append(Wire(command, tmp_path))
        return started[-1]

    yield start_one
    for wire in started:
        wire.process.kill()
        wire.process.communicate()


@pytest.fixture(params=sample_bots.NAMES)
def bot(request: pytest.FixtureRequest, start: Start) -> Wire:
    """Every sample bot in turn."""
    return start(request.param)


def choices(wire: Wire, seed: int, legal: list[str], first: int = 2) -> list[object]:
    """What the bot chooses in one game of thirty turns with the same legal actions."""
    wire.tell(start_of(seed))
    return [wire.ask(turn_of(number, legal))["action"] for number in range(first, first + 30)]


def test_path_of_finds_every_sample_bot() -> None:
    assert [name for name in sample_bots.NAMES if not sample_bots.path_of(name).is_file()] == []


@pytest.mark.parametrize("number", [1, 7, 123456])
def test_it_echoes_the_id_of_the_hello(bot: Wire, number: int) -> None:
    answer = bot.ask(HELLO | {"id": number})
    assert answer.pop("name") in {"random-py", "random-js", "random-c", "greedy-py"}
    assert answer == {"type": "hello", "id": number, "protocol": 1, "version": "1.0"}


def test_it_plays_two_games_in_a_row_and_ids_go_on(bot: Wire) -> None:
    bot.ask(HELLO)
    answers = []
    for number in range(2, 8):
        if number in (2, 5):
            bot.tell(start_of(number))
        answers.append(bot.ask(turn_of(number, [f"bid {number}"])))
        if number in (4, 7):
            bot.tell({"type": "end", "game": "g1", "scores": [1, 0], "places": [1, 2]})
    expected = [{"type": "action", "id": n, "action": f"bid {n}"} for n in range(2, 8)]
    assert (answers, bot.leave()) == (expected, ("", "", 0))


@pytest.mark.parametrize(
    "legal",
    [
        ["draw"],
        ["oneoff 9H QS", "scuttle 9H 7D"],
        ["take", "play TC", "play QD"],
        ["bid 0", "bid 1", "bid 2", "bid 4"],
        ["play W1", "play N4"],
        ["jack JH 7D"] * 3,
    ],
)
def test_its_action_is_copied_whole_from_the_legal_list(bot: Wire, legal: list[str]) -> None:
    bot.ask(HELLO)
    answers = [bot.ask(turn_of(number, legal)) for number in range(2, 12)]
    assert [answer["id"] for answer in answers] == list(range(2, 12))
    assert {str(answer["action"]) for answer in answers} <= set(legal)


UNASKED: dict[str, Message | str] = {
    "a message of an unknown type": {"type": "weather", "sky": "clear"},
    "a type that objects in JavaScript have": {"type": "constructor"},
    "another message with a legal list": {"type": "hint", "legal": ["cheat"], "state": {}},
    "a message without a type": {"sky": "clear"},
    "an error": {"type": "error", "re": 1, "code": "illegal", "message": "no", "fatal": False},
    "an end": {"type": "end", "game": "g1", "scores": [0, 0], "places": [1, 1], "reason": "out"},
    "a start with unknown fields": start_of(5, lights={"seed": 6, "legal": ["cheat"]}),
    "a start with a line separator in a name": start_of(5, players=["a\u2028b\u0085", "Жюль 🂡"]),
    "a start with JSON in a name": start_of(5, players=['"seed":x,"type":"bye"', '{"id":9}']),
    "an empty line": "",
    "a line of white space": " \t ",
}


@pytest.mark.parametrize("message", UNASKED.values(), ids=UNASKED.keys())
def test_it_says_nothing_to(bot: Wire, message: Message | str) -> None:
    bot.ask(HELLO)
    bot.tell(message)
    assert bot.ask(turn_of(2, ["draw"])) == {"type": "action", "id": 2, "action": "draw"}
    assert bot.leave() == ("", "", 0)


ODD_TURNS: dict[str, Message] = {
    "an unknown field before the legal list": {
        "type": "turn", "id": 2, "mood": {"calm": [1]}, "seat": 0, "legal": ["draw"], "state": {}
    },
    "an unknown field after it": turn_of(2, ["draw"], mood="calm"),
    "another legal list inside the state": turn_of(2, ["draw"], state={"legal": ["cheat"]}),
    "another legal list behind the state": turn_of(2, ["draw"], history=[{"legal": ["cheat"]}]),
    "no allowance": {"type": "turn", "id": 2, "seat": 0, "legal": ["draw"], "state": {}},
    "brackets and quotes in the events": turn_of(2, ["draw"], events=[{"say": ']"},{"legal":["x"]'}]),
}  # fmt: skip


@pytest.mark.parametrize("turn", ODD_TURNS.values(), ids=ODD_TURNS.keys())
def test_it_understands_a_turn_with(bot: Wire, turn: Message) -> None:
    bot.ask(HELLO)
    assert bot.ask(turn) == {"type": "action", "id": 2, "action": "draw"}


def test_it_reads_a_turn_of_60_kilobytes(bot: Wire) -> None:
    legal = [f"oneoff {number} QS" for number in range(1500)]
    turn = turn_of(2, legal, state={"scrap": ["Königин"] * 3000})
    assert len(compact(turn).encode()) > 60_000
    bot.ask(HELLO)
    assert bot.ask(turn)["action"] in legal
    assert bot.ask(turn_of(3, ["draw"])) == {"type": "action", "id": 3, "action": "draw"}


def test_it_waits_for_the_rest_of_a_line_that_comes_in_pieces(bot: Wire) -> None:
    assert bot.process.stdin
    bot.ask(HELLO)
    line = compact(turn_of(2, ["draw"], state={"name": "Жюль"})).encode() + b"\n"
    cuts = [0, 9, 30, line.index("ю".encode()) + 1, len(line) - 1]  # one of them inside a letter
    for begin, end in itertools.pairwise(cuts):
        bot.process.stdin.write(line[begin:end])
        time.sleep(0.01)
    bot.process.stdin.write(line[-1:])
    assert bot.ask(turn_of(3, ["take"])) == {"type": "action", "id": 2, "action": "draw"}


def test_it_answers_messages_that_come_together_in_order(bot: Wire) -> None:
    turns = [turn_of(number, [f"bid {number}"]) for number in range(2, 6)]
    bot.ask(HELLO)
    bot.tell("\n".join(compact(message) for message in [*turns, BYE, turn_of(6, ["draw"])]))
    bot.process.wait(PATIENCE)
    said, errors, status = bot.leave()
    answers = [json.loads(line) for line in said.splitlines()]
    expected = [{"type": "action", "id": n, "action": f"bid {n}"} for n in range(2, 6)]
    assert (answers, errors, status) == (expected, "", 0)


def test_it_ends_at_the_end_of_its_input(bot: Wire) -> None:
    bot.ask(HELLO)
    assert bot.leave() == ("", "", 0)


def test_it_ends_at_the_bye_while_its_input_is_open(bot: Wire) -> None:
    bot.ask(HELLO)
    bot.tell(BYE)
    assert bot.process.wait(1.0) == 0
    assert bot.leave() == ("", "", 0)


LEGAL = ["draw", "points 5C", "points 9H", "scuttle 9H 7D", "oneoff 5C", "oneoff 9H QS"]


@pytest.mark.parametrize("name", sample_bots.NAMES)
@pytest.mark.parametrize("seed", [0, 1, 8127365, 2**31 - 1])
def test_the_same_seed_gives_the_same_answers(start: Start, name: str, seed: int) -> None:
    one, other = start(name), start(name)
    one.ask(HELLO)
    other.ask(HELLO)
    choices(other, 77, LEGAL)  # an earlier game leaves nothing behind
    assert choices(one, seed, LEGAL) == choices(other, seed, LEGAL, first=32)


@pytest.mark.parametrize("name", RANDOM)
def test_another_seed_gives_other_answers(start: Start, name: str) -> None:
    wire = start(name)
    wire.ask(HELLO)
    assert choices(wire, 1, LEGAL) != choices(wire, 2, LEGAL, first=32)


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_random_bot_plays_every_action_about_as_often(
    start: Start, name: str, count: int
) -> None:
    wire = start(name)
    wire.ask(HELLO)
    legal = [f"bid {number}" for number in range(count)]
    wire.tell(start_of(20261201))
    played = [wire.ask(turn_of(number, legal))["action"] for number in range(2, 802)]
    for action in legal:
        assert 0.6 < played.count(action) / (800 / count) < 1.4


def position(phase: str, hands: list[list[str]], **more: object) -> Message:
    state = {"phase": phase, "leader": 0, "trumps": ["S", "D"], "hands": hands, "pile": []}
    return state | {"plies": 4, "max_plies": 480, "position_count": 1} | more


# seat, state, legal, the action
GREEDY: dict[str, tuple[int, Message, list[str], str]] = {
    "beats with the lowest card that does": (
        1,
        position("reply", [["7C"], ["9C", "JC", "7H"]], led="8C", pile=["8C"]),
        ["play 9C", "play JC"],
        "play 9C",
    ),
    "beats with a plain card before a trump": (
        1,
        position("reply", [["7C"], ["AC", "6D"]], led="8C", pile=["8C"]),
        ["play AC", "play 6D"],
        "play AC",
    ),
    "spends its lowest trump when it must": (
        1,
        position("reply", [["7C"], ["9D", "6D"]], led="8C", pile=["8C"]),
        ["play 6D", "play 9D"],
        "play 6D",
    ),
    "takes when nothing beats": (
        1,
        position("reply", [["7C"], ["7H"]], led="8S", pile=["8S"]),
        ["take"],
        "take",
    ),
    "beats though it may take": (
        1,
        position("reply", [["7C"], ["9D"]], led="8C", pile=["8C"]),
        ["take", "play 9D"],
        "play 9D",
    ),
    "leads the lowest plain card that cannot be beaten": (
        0,
        position("lead", [["8C", "TC", "QC", "AS"], ["9C", "9H"]]),
        ["play 8C", "play TC", "play QC", "play AS"],
        "play TC",
    ),
    "leads a trump that cannot be beaten before a plain card that can": (
        0,
        position("lead", [["8C", "JS", "AS"], ["9C", "TS"]]),
        ["play 8C", "play JS", "play AS"],
        "play JS",
    ),
    "reckons with the opponent's trumps": (
        0,
        position("lead", [["AC", "7D", "TD"], ["6D", "8D"]]),
        ["play AC", "play 7D", "play TD"],
        "play TD",
    ),
    "leads its lowest plain card when all can be beaten": (
        0,
        position("lead", [["AC", "8H", "9S"], ["6D", "8D"]]),
        ["play AC", "play 8H", "play 9S"],
        "play 8H",
    ),
    "takes the first of two cards as cheap": (
        0,
        position("lead", [["8C", "8H"], ["7C", "7H"]]),
        ["play 8C", "play 8H"],
        "play 8C",
    ),
    "keeps its own trump in the other seat too": (
        1,
        position("lead", [["7H"], ["TC", "9D"]], leader=1),
        ["play TC", "play 9D"],
        "play TC",
    ),
    "plays the first legal action of another game": (
        0,
        {"phase": "play", "trump": "S", "hand": ["7C", "8C"], "trick": []},
        ["play 8C", "play 7C"],
        "play 8C",
    ),
}


@pytest.mark.parametrize("case", GREEDY.values(), ids=GREEDY.keys())
def test_the_greedy_bot(start: Start, case: tuple[int, Message, list[str], str]) -> None:
    seat, state, legal, action = case
    wire = start("greedy_bot.py")
    wire.ask(HELLO)
    answer = wire.ask(turn_of(2, legal, seat=seat, state=state))
    assert answer == {"type": "action", "id": 2, "action": action}


def test_a_turn_without_state_is_no_trouble(bot: Wire) -> None:
    bot.ask(HELLO)
    turn = {"type": "turn", "id": 2, "seat": 0, "legal": ["take", "play TC"]}
    assert bot.ask(turn)["action"] in ("take", "play TC")


def test_a_thousand_turns_of_chance_keep_step(bot: Wire) -> None:
    rng = random.Random(3)
    bot.ask(HELLO)
    bot.tell(start_of(3))
    for number in range(2, 1002):
        legal = rng.sample(LEGAL, rng.randint(1, len(LEGAL)))
        answer = bot.ask(turn_of(number, legal))
        assert (answer["id"], answer["action"] in legal) == (number, True)
