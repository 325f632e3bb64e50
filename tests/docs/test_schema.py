"""The JSON Schema says what may cross the wire, neither more nor less."""

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from protocol.codec import encode
from protocol.messages import (
    Action,
    BotHello,
    BotMessage,
    Bye,
    End,
    Error,
    FaultEvent,
    Moved,
    ServerHello,
    ServerMessage,
    Start,
    Took,
    Turn,
)
from referee.games import GAMES
from referee.schema import BOT_MESSAGES, SERVER_MESSAGES
from tests.docs.examples import RECORDINGS
from tests.docs.pages import ROOT, blocks
from tests.docs.recording import new_match

RECORDED = RECORDINGS["svoyi-koziri"]
SETUP = RECORDED.setup
PROMPT = new_match(RECORDED).prompt
assert PROMPT

SAMPLES: list[ServerMessage | BotMessage] = [
    ServerHello(id=1, protocol=1, server="croupier 0.1.0"),
    Start(
        game="g1",
        rules="svoyi-koziri",
        options=SETUP.options,
        seat=0,
        players=SETUP.names,
        move_ms=1000,
        clock_ms=60_000,
        seed=7,
        commitment="08b2",
    ),
    Turn(
        id=2,
        game="g1",
        seat=0,
        move_ms=1000,
        legal=PROMPT.legal,
        state=PROMPT.view,
        events=[Moved(1, "take"), Took(1, ["KS"]), FaultEvent(1, "timeout")],
    ),
    End(
        game="g1",
        scores=[0, 1],
        places=[2, 1],
        reason="out",
        events=[],
        deal=SETUP.deal,
        salt=SETUP.salt,
    ),
    Error(re=2, code="illegal", message="no", fatal=True),
    Bye(reason="match over"),
    BotHello(id=1, protocol=1, name="ada", version="1.2", games=["svoyi-koziri"]),
    Action(id=2, action="play KS", note=msgspec.Raw(b'{"win":0.5}')),
]


def schema(game: str) -> Any:
    return json.loads((ROOT / f"protocol/schema/{game}.json").read_text(encoding="utf-8"))


def check(message: object, game: str = "svoyi-koziri") -> None:
    validator = jsonschema.Draft202012Validator(schema(game))
    validator.validate(message)


@pytest.mark.parametrize("game", GAMES)
def test_the_document_is_a_schema(game: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(game))


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(sample) for sample in SAMPLES} == {*SERVER_MESSAGES, *BOT_MESSAGES}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_message_fits_the_schema(sample: ServerMessage | BotMessage) -> None:
    check(json.loads(encode(sample)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_message_without_one_of_its_fields_does_not_fit(
    sample: ServerMessage | BotMessage,
) -> None:
    whole = json.loads(encode(sample))
    required = {
        field.encode_name for field in msgspec.structs.fields(type(sample)) if field.required
    }
    for missing in ("type", *required):
        with pytest.raises(jsonschema.ValidationError):
            check({field: value for field, value in whole.items() if field != missing})


@pytest.mark.parametrize(
    ("message", "field", "wrong"),
    [
        (Turn, "id", "2"),
        (Turn, "legal", "take"),
        (Turn, "state", {"phase": "bid"}),
        (Turn, "events", [{"event": "sneezed", "seat": 0}]),
        (Start, "rules", "whist"),
        (Start, "options", {"cards": "many"}),
        (End, "deal", {"code": 1}),
        (Action, "action", 3),
        (BotHello, "games", "svoyi-koziri"),
    ],
)
def test_a_wrong_value_does_not_fit(message: type, field: str, wrong: object) -> None:
    (sample,) = (sample for sample in SAMPLES if type(sample) is message)
    with pytest.raises(jsonschema.ValidationError):
        check(json.loads(encode(sample)) | {field: wrong})


@pytest.mark.parametrize("game", RECORDINGS)
def test_a_transcript_fits_the_schema(game: str) -> None:
    lines = (ROOT / f"docs/transcripts/{game}.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        check(json.loads(line)["message"], game)


def test_every_message_that_the_protocol_page_shows_fits_the_schema() -> None:
    shown = [
        json.loads(line)
        for block in blocks(ROOT / "docs/protocol.md")
        if block.language == "json"
        for line in block.body.splitlines()
    ]
    for message in shown:
        check(message)
    tags = {struct.__struct_config__.tag for struct in (*SERVER_MESSAGES, *BOT_MESSAGES)}
    assert {message["type"] for message in shown} == tags


def test_the_example_log_is_the_transcripts_game() -> None:
    (log,) = (b.body for b in blocks(ROOT / "docs/log.md") if b.info.get("file") == "example.jsonl")
    logged = [line["action"] for line in map(json.loads, log.splitlines()) if "action" in line]
    lines = (ROOT / "docs/transcripts/svoyi-koziri.jsonl").read_text(encoding="utf-8").splitlines()
    messages = [json.loads(line)["message"] for line in lines]
    assert logged == [message["action"] for message in messages if "action" in message]
