"""The lines that a bot got in a logged game, for use under a debugger. Pure: values in, bytes out."""

from collections.abc import Iterator

from msgspec import UNSET

from protocol.codec import encode
from protocol.messages import PROTOCOL, Bye, ServerHello
from referee.match import Finished
from referee.record import clock_of
from referee.replay import LoggedGame
from referee.saying import Seating, end_of, start_of, turn_of


def input_lines(
    game: LoggedGame, seat: int, *, reveal: bool, until: int | None = None
) -> Iterator[bytes]:
    """From hello to bye; to the last question when the bot did not see the end of the game.

    `reveal`: the bot was shown the deal at the end. `until`: the last step that is asked. The ids are
    those of the log; a bot that had played before has a hello with id 1 and goes on from there.
    """
    line = game.line
    seating = Seating(
        number=line.game,
        rules=game.game.name,
        options=game.options,
        names=[game.header.bots[bot].name for bot in line.seats],
        seeds=line.seeds,
        commitment=line.commitment,
    )
    yield encode(ServerHello(id=1, protocol=PROTOCOL, server=game.header.program))
    yield encode(start_of(seating, seat, clock_of(game.header)))
    for position in game.positions:
        act = position.act
        if until is not None and act.step > until:
            return
        if act.seat != seat or position.prompt is None or act.id is UNSET:
            continue
        yield encode(turn_of(seating, position.prompt, act.id))
        if act.fault is not UNSET:
            return
    result = game.match.result
    if isinstance(result, Finished):
        revealed = (line.deal, line.salt) if reveal else None
        yield encode(end_of(seating, result, game.match.unseen(seat), revealed))
        again = game.header.restart == "game"
        yield encode(Bye(reason="restart" if again else "match over"))
