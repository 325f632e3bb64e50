"""Random and mutated lines: whatever a bot writes makes messages or a verdict, never an exception.

The laws of test_codec.py go deep with few examples; this goes wide, with the same lines every time.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.codec import read_note
from protocol.faults import FaultCode, ProtocolError
from protocol.messages import Action, BotHello, ServerHello, Start, Turn
from protocol.session import BotSession, SessionState

LINES = 20_000
MANY_LINES = 1_000_000
MANY_SECONDS = 900
VERDICTS = {FaultCode.MALFORMED, FaultCode.OVERSIZE, FaultCode.FLOOD, FaultCode.PROTOCOL}

HELLO = b'{"type":"hello","id":%d,"protocol":1,"name":"bot","games":["wizard"]}'
SEEDS = [
    HELLO,
    b'{"type":"action","id":%d,"action":"play QC"}',
    b'{"type":"action","id":%d,"action":"take","note":{"win":0.5,"depth":[1,{"a":null}]}}',
    '{"type":"action","id":%d,"action":"bid 2","note":"häß\\u00e9\u2028\\ud83c\\udca1"}'.encode(),
]
TOKENS = [
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\n", b"\r\n", b"\0", b" ", b"\t"),
    *(b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-0", b"01", b"0.5", b"9" * 400),
    *(b"\\ud800", b"\\u0000", b"\\x", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xef\xbb\xbf"),
    *(b"\xf4\x90\x80\x80", b"\xe2\x80", b"\x80", b"[" * 70, b'{"a":' * 70, b"[" * 2000),
    *(b'"type":"action",', b'"id":2,', b'"id":3,', b'"id":"2"', b'"type":1', b'"protocol":2,'),
]
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    2,
    2**53,
    10**30,
    0.5,
    "",
    "x" * 40,
    [],
    [[]],
    {},
    {"a": [1]},
]


def cut(line: bytes, random: Random) -> bytes:
    start, end = sorted(random.randrange(len(line) + 1) for _ in range(2))
    return line[:start] + line[end:]


def doubled(line: bytes, random: Random) -> bytes:
    start, end = sorted(random.randrange(len(line) + 1) for _ in range(2))
    return line[:end] + line[start:]


def with_token(line: bytes, random: Random) -> bytes:
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(TOKENS) + line[at + random.choice((0, 0, 1, 4)) :]


def with_byte(line: bytes, random: Random) -> bytes:
    at = random.randrange(len(line) + 1)
    return line[:at] + bytes([random.randrange(256)]) + line[at + 1 :]


def with_value(line: bytes, random: Random) -> bytes:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(fields, dict):
        fields[random.choice([*fields, "note", "junk"])] = random.choice(VALUES)
    return json.dumps(fields).encode()


def made_up(_: bytes, random: Random) -> bytes:
    return random.randbytes(random.randrange(60))


def padded(line: bytes, random: Random) -> bytes:
    return line + random.choice(TOKENS) * random.choice((1, 20, 300, 70_000))


MUTATIONS = [cut, doubled, with_byte, with_token, with_token, with_value, with_value, made_up]


def mutated(number: int, random: Random) -> bytes:
    """A line that was meant to answer the request of this number, or an older one."""
    line = random.choice(SEEDS) % max(0, number - random.choice((0, 0, 0, 1)))
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        line = random.choice(MUTATIONS)(line, random)
    return padded(line, random) if random.random() < 0.002 else line


def asked() -> BotSession:
    """A session that waits for the answer to turn 2."""
    session = BotSession()
    session.send(ServerHello(id=1, protocol=1, server="croupier"))
    session.receive(HELLO % 1 + b"\n")
    start: dict[str, Any] = {"game": "g", "rules": "wizard", "options": {}, "seat": 0, "seed": 1}
    session.send(Start(players=["a", "b", "c"], **start))
    return ask(session)


def greeted() -> BotSession:
    """A session that waits for hello."""
    session = BotSession()
    session.send(ServerHello(id=1, protocol=1, server="croupier"))
    return session


def ask(session: BotSession) -> BotSession:
    number = session.next_id()
    session.send(Turn(id=number, game="g", seat=0, legal=["take"], state={}, events=[]))
    return session


def chunks(data: bytes, random: Random) -> Iterator[bytes]:
    """As the pipe may give it: mostly whole, sometimes in two pieces, never empty."""
    at = random.randrange(len(data)) if random.random() < 0.2 else 0
    return filter(None, (data[:at], data[at:]))


def read(answer: Action | BotHello) -> None:
    """What a referee does with an answer: it must be fit for a log."""
    if isinstance(answer, Action) and isinstance(answer.note, msgspec.Raw):
        note, warning = read_note(answer.note)
        assert warning.isprintable()
        msgspec.json.encode(note)
    msgspec.json.encode(answer).decode()


def count_verdicts(lines: int, seed: int) -> dict[str, int]:
    """How often each verdict was given, `ok` for an answer; a session lives as long as it can."""
    random = Random(seed)
    found = dict.fromkeys([*VERDICTS, "ok"], 0)
    session = greeted()
    for _ in range(lines):
        if session.state is SessionState.BROKEN or random.random() < 0.02:
            session = random.choice((greeted, asked))()
        elif session.state is SessionState.PLAYING:
            ask(session)
        elif session.state is SessionState.IDLE:
            session = asked()
        try:
            for chunk in chunks(mutated(session.last_id, random) + b"\n", random):
                if answer := session.receive(chunk):
                    read(answer)
                    found["ok"] += 1
        except ProtocolError as exc:
            found[exc.code] += 1
    return found


def test_mutated_lines_make_answers_or_verdicts_and_nothing_else():
    found = count_verdicts(LINES, seed=1)
    assert set(found) == {*VERDICTS, "ok"}
    assert min(found.values()) > 0, found


@pytest.mark.slow
@pytest.mark.timeout(MANY_SECONDS)
def test_a_million_mutated_lines_make_answers_or_verdicts_and_nothing_else():
    found = count_verdicts(MANY_LINES, seed=2)
    assert min(found.values()) > 0, found
