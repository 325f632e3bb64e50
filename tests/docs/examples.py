"""The games that the pages show, and the parts of the pages that are written from them.

Two kinds: a game as lines of the wire, played through the real table, and moves from a position,
played by the rules. What the pages say about a move stands in the pages; here is only what is done.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from referee.game import Game
from referee.games import GAMES, svoyi_koziri, wizard
from referee.games.cuttle import Deal as CuttleDeal
from referee.games.cuttle import Options as CuttleOptions
from referee.games.cuttle.cards import NAMES as CUTTLE_CARDS
from referee.table import Setup
from tests.docs.recording import Recording, transcript
from tests.rules.cuttle import position

SHOWN_LINES: Final = 7  # of the transcript in the protocol page
_NUMBERED: Final = ("turn", "action")  # messages that a part is cut at by their id


def _setup(game: str, options: Any, deal: Any, names: str) -> Setup:
    """As the first game of a match whose deals are not played again."""
    bots = tuple(range(len(names.split())))
    return Setup(
        number=1,
        deal_no=0,
        game=GAMES[game],
        options=options,
        deal=deal,
        bots=bots,
        names=tuple(names.split()),
        seeds=(71403311, 1290554807, 403817732)[: len(bots)],
        salt="9f1c6a0b7d2e48c35a10f4e2b8d7c601",
        reveal=True,
    )


def _wizard_deal(*rounds: str) -> wizard.Deal:
    """Each round is `the upcard: a hand, a hand, …`."""
    dealt = []
    for round_ in rounds:
        upcard, hands = round_.split(": ")
        dealt.append(
            wizard.DealtRound(tuple(tuple(hand.split()) for hand in hands.split(", ")), upcard)
        )
    return wizard.Deal(tuple(dealt))


def _cuttle_deal(first: str) -> CuttleDeal:
    """These cards on top, the others below them in the order A to K, C D H S."""
    top = first.split()
    return CuttleDeal((*top, *(card for card in CUTTLE_CARDS if card not in top)))


RECORDINGS: Final[dict[str, Recording]] = {
    "svoyi-koziri": Recording(
        _setup(
            "svoyi-koziri",
            svoyi_koziri.Options(cards=8),
            svoyi_koziri.deal_from_code(1, 8),
            "ada bob",
        ),
        hellos=({"name": "ada", "version": "1.2", "games": ["svoyi-koziri"]}, {"name": "bob"}),
        actions=("play KS", "play KD", "play AC", "take", "play AS", "take", "play KC"),
        notes={2: {"win": 0.8}},
    ),
    "wizard": Recording(
        _setup(
            "wizard",
            wizard.Options(rounds=(1, 2), bid_rule="hook"),
            _wizard_deal("7H: KS, N1, 4H", "W3: 9D AD, QC W1, 5D N4"),
            "ada bob cyd",
        ),
        hellos=({"name": "ada"}, {"name": "bob"}, {"name": "cyd"}),
        actions=(
            *("bid 0", "bid 1", "bid 1", "play N1", "play 4H", "play KS"),
            *("trump C", "bid 0", "bid 1", "bid 2"),
            *("play N4", "play AD", "play QC", "play W1", "play 5D", "play 9D"),
        ),
    ),
    "cuttle": Recording(
        _setup(
            "cuttle",
            CuttleOptions(),
            _cuttle_deal("2D 2S 7C TH KC AC 2C 4D 5S 9H JD 6H"),
            "ada bob",
        ),
        hellos=({"name": "ada"}, {"name": "bob"}),
        actions=(
            *("points TH", "oneoff AC", "counter 2D", "counter 2C", "counter 2S", "decline"),
            *("permanent KC", "draw", "points 7C"),
        ),
    ),
}


class Moves(NamedTuple):
    """Moves from a position, as the rules play them."""

    game: Game[Any]
    start: Any
    actions: tuple[str, ...]


# One round is a whole game when the options say so.
_WIZARD_DEAL: Final = _wizard_deal("6S: 9H 5S W4, 7C W3 N2, KH QS W2, 2H AS W1")
_CUTTLE_POSITION: Final = position(
    {
        "hands": [["4D", "7D"], ["2H", "3H", "4H", "4S", "6C", "8D", "JC", "JD"]],
        "points": [["9C", "3S"], ["TS", "AH"]],
        "layouts": [["QS"], []],
        "deck": ["KH", "5C", "JS"],
        "rest": "scrap",
        "turn": 1,
    },
    CuttleOptions(ruleset="cuttle.cards"),
)
MOVES: Final[dict[str, Moves]] = {
    "svoyi": Moves(
        GAMES["svoyi-koziri"],
        GAMES["svoyi-koziri"].start(
            svoyi_koziri.deal_from_code(1, 8), 2, svoyi_koziri.Options(cards=8)
        ),
        RECORDINGS["svoyi-koziri"].actions,
    ),
    "wizard": Moves(
        GAMES["wizard"],
        GAMES["wizard"].start(_WIZARD_DEAL, 4, wizard.Options(rounds=(3,))),
        (
            *("bid 1", "bid 0", "bid 2", "bid 1"),
            *("play N2", "play KH", "play W1", "play 9H"),
            *("play AS", "play W4", "play 7C", "play W2"),
            *("play 5S", "play W3", "play QS", "play 2H"),
        ),
    ),
    "cuttle": Moves(
        GAMES["cuttle"],
        _CUTTLE_POSITION,
        ("draw", "discard JC", "oneoff 7D", "decline", "jack JS TS"),
    ),
}


@cache
def recorded(game: str) -> str:
    """The lines of a recorded game."""
    return transcript(RECORDINGS[game])


def conversation(game: str, seat: int, first: str = "hello", last: str = "bye") -> str:
    """What one seat hears and says, from a message to a message: `hello`, `start`, `turn 3`, …"""
    lines, showing = [], False
    for text in recorded(game).splitlines():
        line = json.loads(text)
        if seat not in {line.get("to"), line.get("from")}:
            continue
        message = line["message"]
        name = message["type"] + (f" {message['id']}" if message["type"] in _NUMBERED else "")
        showing = showing or name == first
        if showing:
            arrow = "→" if "to" in line else "←"
            lines.append(f"{arrow} {json.dumps(message, separators=(',', ':'))}")
        if showing and name == last:
            break
    return "\n".join(["```text", *lines, "```"])


def transcript_beginning() -> str:
    """The first lines of the transcript's file."""
    return "\n".join(["```text", *recorded("svoyi-koziri").splitlines()[:SHOWN_LINES], "```"])


def seen(moves: Moves, seat: int) -> str:
    """The position as the state of a turn of this seat."""
    return "\n".join(["```json", _json(moves.game.view(moves.start, seat)), "```"])


def table(moves: Moves, first: int, last: int) -> str:
    """Moves, counted from 1: who, out of what, which, and what came of it in words."""
    rows = [*_rows(moves)][first - 1 : last]
    return "\n".join(["| seat | may | does | in words |", "|---|---|---|---|", *rows])


def outcome(moves: Moves) -> str:
    """How the game ends."""
    state = moves.start
    for action in moves.actions:
        state = moves.game.play(state, action)
    return "\n".join(["```json", _json(moves.game.outcome(state)), "```"])


def _rows(moves: Moves) -> Iterator[str]:
    game, state = moves.game, moves.start
    for action in moves.actions:
        after = game.play(state, action)
        happened = game.happenings(state, action, after)
        words = "; ".join(filter(None, [game.describe(state, one.event) for one in happened]))
        offered = _offered(game.legal_actions(state))
        yield f"| {game.turn(state)} | {offered} | `{action}` | {words} |"
        state = after


def _offered(legal: Sequence[str]) -> str:
    """The legal list, a long one cut short."""
    shown = legal if len(legal) <= 6 else legal[:5]
    more = f" and {len(legal) - len(shown)} more" if len(shown) < len(legal) else ""
    return " ".join(f"`{action}`" for action in shown) + more


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


PARTS: Final[dict[str, Callable[[], str]]] = {
    "dialogue": lambda: conversation("svoyi-koziri", 0),
    "transcript": transcript_beginning,
    "svoyi beating": lambda: table(MOVES["svoyi"], 1, 2),
    "svoyi taking": lambda: table(MOVES["svoyi"], 3, 6),
    "svoyi going out": lambda: table(MOVES["svoyi"], 7, 7),
    "wizard start": lambda: conversation("wizard", 1, "start", "start"),
    "wizard bid": lambda: conversation("wizard", 1, "turn 2", "action 2"),
    "wizard jester": lambda: conversation("wizard", 1, "turn 3", "action 3"),
    "wizard trump": lambda: conversation("wizard", 1, "turn 4", "action 4"),
    "wizard hook": lambda: conversation("wizard", 1, "turn 5", "action 5"),
    "wizard play": lambda: conversation("wizard", 1, "turn 6", "action 7"),
    "wizard end": lambda: conversation("wizard", 1, "end", "end"),
    "wizard bids": lambda: table(MOVES["wizard"], 1, 4),
    "wizard trick 1": lambda: table(MOVES["wizard"], 5, 8),
    "wizard trick 2": lambda: table(MOVES["wizard"], 9, 12),
    "wizard trick 3": lambda: table(MOVES["wizard"], 13, 16),
    "wizard outcome": lambda: outcome(MOVES["wizard"]),
    "cuttle points": lambda: conversation("cuttle", 0, "turn 2", "action 2"),
    "cuttle counter": lambda: conversation("cuttle", 0, "turn 3", "action 3"),
    "cuttle countered": lambda: conversation("cuttle", 0, "turn 4", "action 4"),
    "cuttle king": lambda: conversation("cuttle", 0, "turn 5", "action 5"),
    "cuttle win": lambda: conversation("cuttle", 0, "turn 6", "end"),
    "cuttle position": lambda: seen(MOVES["cuttle"], 0),
    "cuttle limit": lambda: table(MOVES["cuttle"], 1, 2),
    "cuttle seven": lambda: table(MOVES["cuttle"], 3, 5),
    "cuttle outcome": lambda: outcome(MOVES["cuttle"]),
}
