"""The example of the design's section 7, line by line: a log that proves itself."""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from protocol.log import (
    Act,
    Aside,
    BotLine,
    Chain,
    Close,
    GameLine,
    Header,
    Limits,
    LogLineError,
    Result,
    SealLine,
    commitment,
    decode_line,
    encode_line,
)
from referee.games.svoyi_koziri import Deal, Options, SvoyiKoziri

GAME = SvoyiKoziri()
LINES = Path(__file__).with_name("example_log.jsonl").read_bytes().splitlines(keepends=True)
FIRST = "231d4c99a08a967c696f953e2433dd91cead6d2684db2bb00462d7add87b7a41"
ASIDES = "7a08c8e3ab180ddbb5165fcf11664efb58b6d8c7f2668335e4b10b5e7efc023e"
SEAL = "9d1a2ec1cdd8a2764b570c6e030bff1404c6fd7229806c37d5f668e7cbf0b7d2"
COMMITMENT = "08b281bdfc5f74d32f26f697989dc0431d00efeeed7ddf07140d9c91957b6bac"
DEAL = Deal(code=1, hands=(("AD", "KH", "AH", "KS"), ("KC", "AC", "KD", "AS")))


def line_of(kind):
    (line,) = [line for line in map(decode_line, LINES) if isinstance(line, kind)]
    return line


def chain_of(lines, **public):
    """The seal line that belongs to a game's lines."""
    chain = Chain(LINES[0])
    for line in lines:
        decoded = decode_line(line)
        if isinstance(decoded, Aside):
            chain.add_aside(line)
        else:
            chain.add(line)
    return chain.seal_line(1, **public)


def test_the_example_decodes_to_what_it_says():
    game = line_of(GameLine)
    assert [decode_line(line) for line in LINES] == [
        Header(
            format=1,
            program="croupier 0.1.0",
            game="svoyi-koziri",
            seed=7,
            limits=Limits(start_ms=10000, move_ms=1000, margin_ms=20),
            isolation="posix",
            restart="never",
            bots=[BotLine(name="ada", version="1.2"), BotLine(name="bob", version="3fe1c09a")],
        ),
        GameLine(
            game=1,
            deal_no=0,
            options=game.options,
            seats=(0, 1),
            seeds=(71403311, 1290554807),
            deal=game.deal,
            salt="9f1c6a0b7d2e48c35a10f4e2b8d7c601",
            commitment=COMMITMENT,
        ),
        Act(step=1, seat=0, id=2, action="play KS", ms=3),
        Act(step=2, seat=1, id=2, action="play KD", ms=1),
        Act(step=3, seat=1, id=3, action="play AC", ms=1),
        Aside(step=3, note={"win": 0.8}, stderr="t3: cashing the ace\n"),
        Act(step=4, seat=0, id=3, action="take", ms=0),
        Act(step=5, seat=1, id=4, action="play AS", ms=1),
        Act(step=6, seat=0, id=4, action="take", ms=0),
        Act(step=7, seat=1, id=5, action="play KC", ms=2),
        Result(scores=(0, 1), places=(2, 1), reason="out", verdicts=("ok", "ok")),
        SealLine(game=1, previous=FIRST, seal=SEAL, asides=ASIDES),
        Close(games=1, seal=SEAL),
    ]
    assert msgspec.json.decode(game.options, type=Options) == Options(cards=8)
    assert msgspec.json.decode(game.deal, type=Deal) == DEAL


@pytest.mark.parametrize("line", LINES, ids=range(1, len(LINES) + 1))
def test_a_decoded_line_is_written_with_the_same_bytes(line):
    assert encode_line(decode_line(line)) == line


def test_options_and_deal_are_written_with_the_same_bytes():
    game = line_of(GameLine)
    assert msgspec.json.encode(Options(cards=8)) == bytes(game.options)
    assert msgspec.json.encode(DEAL) == bytes(game.deal)


def test_the_commitment_is_that_of_salt_and_deal():
    game = line_of(GameLine)
    assert commitment(game.salt, bytes(game.deal)) == game.commitment == COMMITMENT


def test_the_chain_gives_the_seal_line():
    assert encode_line(chain_of(LINES[1:11])) == LINES[11]


def test_the_seal_is_what_the_module_says_it_is():
    public = [line for line in LINES[1:11] if line != LINES[5]]
    asides = sha256(LINES[5]).hexdigest()
    seal = sha256(f"{FIRST}\n{asides}\n".encode() + b"".join(public)).hexdigest()
    assert (sha256(LINES[0]).hexdigest(), asides, seal) == (FIRST, ASIDES, SEAL)


def test_a_public_copy_without_asides_keeps_the_seal():
    public = [line for line in LINES[1:11] if line != LINES[5]]
    assert encode_line(chain_of(public, asides=ASIDES)) == LINES[11]


@pytest.mark.parametrize("number", range(1, 11))
def test_any_altered_line_breaks_the_seal(number):
    altered = LINES[1:11]
    altered[number - 1] = altered[number - 1].replace(b"}\n", b" }\n")
    assert chain_of(altered).seal != SEAL


def test_the_next_game_is_chained_to_the_one_before_and_its_asides_begin_anew():
    chain = Chain(LINES[0])
    chain.add_aside(LINES[5])
    first = chain.seal_line(1)
    chain.add(LINES[2])
    assert not chain.has_asides
    second = chain.seal_line(2)
    nothing = sha256().hexdigest()
    seal = sha256(f"{first.seal}\n{nothing}\n".encode() + LINES[2]).hexdigest()
    assert second == SealLine(game=2, previous=first.seal, seal=seal, asides=nothing)


def test_the_actions_of_the_example_are_the_game_that_its_result_says():
    state = GAME.start(DEAL, 2, Options(cards=8))
    for act in map(decode_line, LINES):
        if isinstance(act, Act):
            assert GAME.turn(state) == act.seat
            state = GAME.play(state, str(act.action))
    outcome, result = GAME.outcome(state), line_of(Result)
    assert (outcome.scores, outcome.places, outcome.reason) == (
        result.scores,
        result.places,
        result.reason,
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "Input data was truncated"),
        (b'{"type":"act"}\n', "Object missing required field `step`"),
        (b'{"type":"act","step":0,"seat":0}\n', r"Expected `int` >= 1 - at `\$\.step`"),
        (b'{"type":"act","step":1,"seat":0,"x":1}\n', "Object contains unknown field `x`"),
        (b'{"type":"move"}\n', r"Invalid value 'move' - at `\$\.type`"),
        (b'{"type":"aside","note":"\xff"}\n', "'utf-8' codec can't decode byte 0xff"),
        (b'{"type":"aside","note":' + b"[" * 64 + b"]" * 64 + b"}\n", "nested deeper than 64"),
        (b'{"type":"close","games":1,"seal":"9D"}\n', "Expected `str` matching regex"),
    ],
)
def test_what_is_no_line_of_a_log_is_refused_in_words(line, why):
    with pytest.raises(LogLineError, match=f"^{why}"):
        decode_line(line)
