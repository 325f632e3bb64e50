import time

import msgspec
import pytest

from protocol.codec import LineBuffer, decode_bot_message, depth, encode, read_note
from protocol.faults import MalformedError, OversizeError
from protocol.messages import Action

ACTION = b'{"type":"action","id":1,"action":"take"}'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", r"not JSON: "),
        (b"hello", r"not JSON: "),
        (ACTION[:-1], r"not JSON: "),
        (ACTION + b" " + ACTION, r"not JSON: "),
        (ACTION.replace(b"take", b"\xff"), r"not UTF-8: byte 35 of the line"),
        (ACTION.replace(b"}", b',"x":"\xff"}'), r"not UTF-8: byte 46 of the line"),
        (ACTION.replace(b"}", b',"x":NaN}'), r"not JSON: "),
        (ACTION.replace(b"take", b"\\ud800"), r"not JSON: "),
        (ACTION.replace(b"take", b"ta\x00ke"), r"not JSON: "),
        (ACTION.decode().encode("utf-16"), r"not UTF-8: byte 1 of the line"),
        (b"[]", r"wrong shape: Expected `object`, got `array`"),
        (b"{}", r"wrong shape: Object missing required field `type`"),
        (b'{"type":"turn"}', r"wrong shape: Invalid value 'turn' - at `\$\.type`"),
        (b'{"type":"action","id":1}', r"wrong shape: Object missing required field `action`"),
        (ACTION.replace(b"1", b'"1"'), r"wrong shape: Expected `int`, got `str` - at `\$\.id`"),
        (ACTION.replace(b"1", b"1.0"), r"wrong shape: Expected `int`, got `float` - at `\$\.id`"),
        (ACTION.replace(b"1", b"true"), r"wrong shape: Expected `int`, got `bool` - at `\$\.id`"),
        (ACTION.replace(b"1", b"-1"), r"wrong shape: Expected `int` >= 0 - at `\$\.id`"),
        (ACTION.replace(b"1", b"9" * 30), r"wrong shape: Expected `int` <= 9007199254740991"),
        (ACTION.replace(b'"take"', b"null"), r"wrong shape: Expected `str`, got `null`"),
    ],
)
def test_a_line_that_is_no_message_is_malformed_and_the_reason_is_in_words(line, why):
    with pytest.raises(MalformedError, match=f"^{why}"):
        decode_bot_message(line)


def test_of_a_key_that_comes_twice_the_last_wins():
    line = b'{"type":"action","id":1,"id":2,"action":"take","action":"play QC"}'
    assert decode_bot_message(line) == Action(id=2, action="play QC")


def nested(levels):
    """An action whose text is nested so deep, the outer object counted."""
    return ACTION.replace(b"}", b',"x":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}")


def test_nesting_of_64_is_read_and_of_65_is_malformed():
    assert decode_bot_message(nested(64)) == Action(id=1, action="take")
    with pytest.raises(MalformedError, match=r"^nested deeper than 64$"):
        decode_bot_message(nested(65))


def test_brackets_in_text_are_no_nesting():
    line = ACTION.replace(b"}", b',"x":"' + b'[{\\"' * 100 + b'"}')
    assert decode_bot_message(line) == Action(id=1, action="take")


@pytest.mark.parametrize(
    ("text", "levels"),
    [(b"1", 0), (b"[]", 1), (b"[[],[[]]]", 3), (b'["]"]', 1), (b'["\\"[",{}]', 2), (b"]][", 0)],
)
def test_depth_counts_the_outermost(text, levels):
    assert depth(text) == levels


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 65_536,
        b"[" * 65 + b'"' + b'\\"' * 32_700,
        b"[" * 65 + b'"\\' * 32_700,
        b"[" * 65 + b"\\" * 65_400,
        b'"[' * 32_768,
    ],
    ids=["brackets", "escaped quotes", "quotes and backslashes", "backslashes", "texts"],
)
def test_no_line_of_64_kib_takes_long_to_refuse(line):
    begun = time.monotonic()
    with pytest.raises(MalformedError):
        decode_bot_message(line)
    assert time.monotonic() - begun < 1


def test_a_line_may_have_exactly_its_limit():
    assert LineBuffer(max_bytes=4).feed(b"four\nfour\n") == [b"four", b"four"]


@pytest.mark.parametrize("data", [b"fiver\n", b"fiver", b"ok\nfiver", b"ok\nfiver\nok\n"])
def test_a_longer_line_is_oversize_ended_or_not(data):
    with pytest.raises(OversizeError, match=r"^more than 4 bytes without the end of the line$"):
        LineBuffer(max_bytes=4).feed(data)


def test_a_line_that_drips_is_oversize_as_soon_as_it_is_too_long():
    buffer = LineBuffer(max_bytes=4)
    assert [buffer.feed(byte) for byte in (b"f", b"i", b"v", b"e")] == [[]] * 4
    with pytest.raises(OversizeError):
        buffer.feed(b"r")


def test_one_carriage_return_before_the_newline_is_dropped():
    assert LineBuffer().feed(b"one\r\ntwo\r\r\nth\rree\n") == [b"one", b"two\r", b"th\rree"]


def test_a_byte_order_mark_is_dropped_at_the_very_start_alone():
    buffer = LineBuffer()
    assert buffer.feed(b"\xef\xbb") == []
    assert buffer.feed(b"\xbfone\n\xef\xbb\xbftwo\n") == [b"one", b"\xef\xbb\xbftwo"]
    assert buffer.had_bom


def test_what_has_no_newline_yet_is_kept():
    buffer = LineBuffer()
    assert buffer.feed(b"one\ntw") == [b"one"]
    assert (buffer.tail, buffer.had_bom) == (b"tw", False)


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (b'"cashing the ace"', ("cashing the ace", "")),
        (
            b'{"win":0.5,"depth":4,"ok":true,"best":null}',
            ({"win": 0.5, "depth": 4, "ok": True, "best": None}, ""),
        ),
        (b'"' + b"x" * 501 + b'"', ("x" * 500, "note cut to 500 characters")),
        (
            b'{"a":"' + b"x" * 501 + b'"}',
            ({"a": "x" * 500}, "note cut to 16 values, or a value in it"),
        ),
        (
            msgspec.json.encode({str(number): number for number in range(17)}),
            (
                {str(number): number for number in range(16)},
                "note cut to 16 values, or a value in it",
            ),
        ),
        *(
            (raw, (None, "note dropped: it is neither a string nor a flat object"))
            for raw in (b"[1]", b"3", b"null", b"true", b'{"a":[1]}', b'{"a":{}}', b'{"a":1e999}')
        ),
    ],
)
def test_a_note_too_long_is_cut_and_one_of_another_shape_is_dropped(raw, note):
    assert read_note(msgspec.Raw(raw)) == note


def test_a_note_is_kept_as_it_was_written_until_it_is_read():
    message = decode_bot_message(b'{"type":"action","id":1,"action":"take","note":{"win": 0.50}}')
    assert isinstance(message, Action)
    assert isinstance(message.note, msgspec.Raw)
    assert bytes(message.note) == b'{"win": 0.50}'
    assert encode(message).endswith(b'"note":{"win": 0.50}}\n')
