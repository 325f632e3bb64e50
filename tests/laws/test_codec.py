"""Laws of the codec: any bytes of a bot make a message or a `ProtocolError`, nothing else."""

import json
from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import (
    BOM,
    MAX_NOTE_CHARACTERS,
    MAX_NOTE_VALUES,
    LineBuffer,
    decode_bot_message,
    depth,
    encode,
    read_note,
)
from protocol.faults import ProtocolError
from protocol.messages import Action, BotHello, ServerHello
from protocol.session import BotSession

ids = st.integers(0, 2**53 - 1)
texts = st.text(st.characters(codec="utf-8"), max_size=40)
actions = st.builds(Action, id=ids, action=texts)
hellos = st.builds(
    BotHello,
    id=ids,
    protocol=st.integers(0, 9),
    name=texts,
    version=texts | st.just(msgspec.UNSET),
    games=st.lists(texts, max_size=3) | st.just(msgspec.UNSET),
)
lines = st.lists(
    st.binary(max_size=20).filter(lambda line: b"\n" not in line and not line.endswith(b"\r"))
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=600),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(texts, inner, max_size=20),
    max_leaves=30,
)
answer_texts = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["action", "hello", "turn"]) | json_values,
        "id": ids | json_values,
        "action": texts | json_values,
        "note": json_values,
        "protocol": st.just(1) | json_values,
        "name": texts | json_values,
    },
).map(lambda fields: json.dumps(fields).encode())


@given(lines, st.lists(st.sampled_from([b"\n", b"\r\n"])), st.data())
def test_lines_survive_any_chunking_and_either_line_end(wanted, ends, data):
    ends += [b"\n"] * len(wanted)
    stream = b"".join(line + end for line, end in zip(wanted, ends, strict=False))
    if stream.startswith(BOM):
        wanted[0] = wanted[0].removeprefix(BOM)
    buffer = LineBuffer()
    assert [line for chunk in _chunks(data, stream) for line in buffer.feed(chunk)] == wanted
    assert buffer.tail == b""


@given(st.lists(actions | hellos, max_size=5), st.data())
def test_messages_survive_encoding_chunking_and_decoding(messages, data):
    stream = b"".join(map(encode, messages))
    buffer = LineBuffer()
    got = [line for chunk in _chunks(data, stream) for line in buffer.feed(chunk)]
    assert [decode_bot_message(line) for line in got] == messages


@given(st.binary() | answer_texts)
@example(b'{"type":"action","id":1,"action":"a","x":' + b"[" * 20_000)
@example(b"[" * 20_000 + b"]" * 20_000)
@example(b'{"a":' * 20_000)
@example(b'{"type":"action","id":' + b"9" * 20_000 + b',"action":"a"}')
@example(b'{"type":"action","id":-' + b"9" * 400 + b',"action":"a"}')
@example(b'{"type":"action","id":1,"action":"a","x":' + b"9" * 20_000 + b"}")
@example(b'{"type":"action","id":1e999,"action":"a"}')
@example(b'{"type":"action","id":NaN,"action":"a"}')
@example(b'{"type":"action","id":1,"action":"a","x":NaN}')
@example('{"type":"action","id":1,"action":"a"}'.encode("utf-16"))
@example('{"type":"action","id":1,"action":"a"}'.encode("utf-16-le"))
@example(b'{"type":"action","id":1,"action":"\\ud800"}')
@example(b'{"type":"action","id":1,"action":"\xed\xa0\x80"}')
@example(b'{"type":"action","id":1,"action":"a","x":"\xff"}')
@example(b'{"type":"action","id":1,"action":"a","\xff":1}')
@example(b'{"type":"action","id":1,"action":"a\x00"}')
@example(b"\x00")
@example(b"")
@example(b"null")
def test_any_bytes_make_a_message_or_a_protocol_error(line):
    with suppress(ProtocolError):
        message = decode_bot_message(line)
        assert isinstance(message, Action | BotHello)
        line.decode("utf-8")  # what was accepted is text, also where the message's shape skips it


@given(st.lists(st.binary(max_size=80) | actions.map(encode), max_size=8))
def test_any_bytes_into_a_session_make_an_answer_or_a_protocol_error(chunks):
    session = BotSession()
    session.send(ServerHello(id=1, protocol=1, server="croupier"))
    with suppress(ProtocolError):
        for chunk in chunks:
            assert isinstance(session.receive(chunk), BotHello | None)


@given(json_values)
@example({"a": float("inf")})
@example({"a": 10**30})
@example({"a": "x" * 600, "b": None})
@example({str(number): number for number in range(20)})
@example("x" * 600)
def test_a_note_is_kept_within_its_bounds_and_can_be_logged_or_is_dropped(value):
    raw = msgspec.Raw(json.dumps(value).encode())
    note, warning = read_note(raw)
    assert msgspec.json.decode(msgspec.json.encode(note)) == note
    assert warning.isprintable()
    _is_within_bounds(note)
    if warning == "":
        assert note == value


@given(st.binary())
@example(b"[" * 60_000)
@example(b'{"a":' + b"9" * 5000 + b"}")
@example(b'{"a":"\\ud800"}')
@example(b'"\\ud800"')
@example(b"1e999")
def test_any_raw_note_is_kept_or_dropped_without_raising(raw):
    note, _ = read_note(msgspec.Raw(raw))
    _is_within_bounds(note)


@given(json_values)
def test_the_depth_of_a_text_is_that_of_its_value(value):
    assert depth(json.dumps(value).encode()) == _depth_of(value)


def _depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth_of, value), default=0)
    return 0


def _is_within_bounds(note: Any) -> None:
    if isinstance(note, dict):
        assert len(note) <= MAX_NOTE_VALUES
        words = [*note, *(value for value in note.values() if isinstance(value, str))]
        assert all(len(word) <= MAX_NOTE_CHARACTERS for word in words)
    else:
        assert note is None or len(note) <= MAX_NOTE_CHARACTERS


def _chunks(data: st.DataObject, stream: bytes) -> list[bytes]:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    bounds = zip([0, *cuts], [*cuts, len(stream)], strict=True)
    return [stream[start:end] for start, end in bounds]
