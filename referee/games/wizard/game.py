"""The game, as the referee knows it: the contract of `referee.game`, put together from its parts."""

from collections.abc import Collection
from random import Random
from typing import Final

from msgspec import UNSET

from protocol.messages import Event, Moved, Scored
from referee.cards import NAMES, names_in
from referee.game import DealError, Happening, IllegalActionError, Outcome
from referee.games.wizard.dealing import dealt, determinized, drawn, round_from
from referee.games.wizard.moves import (
    CARD_OF,
    TRUMP,
    begun,
    bids_allowed,
    plays,
    with_bid,
    with_card,
    with_trump,
)
from referee.games.wizard.shapes import SEATS, Deal, Options, State, View, round_sizes
from referee.games.wizard.tricks import places, playable
from referee.games.wizard.words import description, facts, refusal, suit_name

_SWING_OF_ROUND: Final = 200 / 15  # game points, measured with four seats


class Wizard:
    """The game, as the referee knows it."""

    name = "wizard"
    title = "Wizard"
    seats = SEATS
    hidden = True
    options_type = Options
    deal_type = Deal
    view_type = View
    tally = "bids made"

    def deal(self, rng: Random, seats: int, options: Options) -> Deal:
        """Each round from a fresh shuffle of all 60 cards."""
        sizes = round_sizes(options, seats)
        rounds = [drawn(rng, number, cards, seats) for number, cards in enumerate(sizes, 1)]
        return Deal(tuple(map(dealt, rounds)))

    def deal_count(self, options: Options) -> None:
        """More than will ever be played."""
        return

    def swing(self, seats: int, options: Options) -> float:
        return _SWING_OF_ROUND * len(round_sizes(options, seats))

    def start(self, deal: Deal, seats: int, options: Options) -> State:
        sizes = round_sizes(options, seats)
        if len(deal.rounds) != len(sizes):
            raise DealError(f"there are {len(deal.rounds)} rounds, not the {len(sizes)} to play")
        first, *ahead = [
            round_from(logged, number, cards, seats)
            for number, (logged, cards) in enumerate(zip(deal.rounds, sizes, strict=True), 1)
        ]
        return begun(options, len(sizes), first, tuple(ahead), (0,) * seats)

    def turn(self, state: State) -> int | None:
        return state.mover

    def legal_actions(self, state: State) -> tuple[str, ...]:
        if state.mover is None:
            return ()
        if state.phase == "play":
            return plays(playable(state.hands[state.mover], state.led))
        return TRUMP if state.phase == "trump" else bids_allowed(state)

    def play(self, state: State, action: str) -> State:
        # A look at the same bits that the list is made of, instead of a search in the list.
        if state.phase == "play" and state.mover is not None:
            card = CARD_OF.get(action)
            if card is not None and playable(state.hands[state.mover], state.led) >> card & 1:
                return with_card(state, state.mover, card)
        elif action in self.legal_actions(state):
            return with_trump(state, action) if state.phase == "trump" else with_bid(state, action)
        raise IllegalActionError(self.refusal(state, action))

    def refusal(self, state: State, action: str) -> str:
        """`wrong_phase`, `bad_suit`, `bad_bid`, `bad_card`, `not_in_hand`, `must_follow` or `game_over`."""
        return refusal(state, action)

    def view(self, state: State, seat: int | None) -> View:
        now = state.round
        return View(
            phase=state.phase,
            round=now.number,
            rounds=state.rounds,
            cards=now.cards,
            dealer=now.dealer,
            upcard=UNSET if now.upcard is None else NAMES[now.upcard],
            trump=suit_name(state.trump),
            hand=UNSET if seat is None else names_in(state.hands[seat]),
            bids=state.bids,
            won=state.won,
            leader=state.leader,
            trick=state.trick,
            played=state.played,
            scores=state.scores,
        )

    def happenings(self, before: State, action: str, after: State) -> tuple[Happening, ...]:
        """The decision and what it settled. The first round's beginning is in its first views."""
        assert before.mover is not None
        events = [Moved(before.mover, action), *facts(before, action, after)]
        return tuple([Happening(event) for event in events])

    def outcome(self, state: State) -> Outcome:
        assert state.mover is None
        return Outcome(state.scores, places(state.scores), "complete")

    def forfeit_scores(self, state: State, out: Collection[int]) -> tuple[int, ...]:
        """The totals of the finished rounds: an unfinished round counts for nobody."""
        return state.scores

    def redeal(self, state: State, seat: int, rng: Random) -> State:
        return self.determinize(self.view(state, seat), seat, len(state.hands), state.options, rng)

    def determinize(
        self, view: View, seat: int, seats: int, options: Options, rng: Random
    ) -> State:
        """A state that the seat may be in; bids and choices of the others are not read into it.

        The unseen cards lie anywhere, but a seat that did not follow holds none of that suit. All
        distributions that can be are about equally likely, exactly so until somebody shows to lack
        a suit; then they are reached by chance placing and many swaps. Later rounds: drawn afresh.
        """
        return determinized(view, seat, seats, options, rng)

    def describe(self, before: State, event: Event) -> str:
        return description(before, event)

    def tallied(self, event: Event) -> tuple[bool, ...]:
        """A round's points are above zero for who made the bid, and only then."""
        return tuple(points > 0 for points in event.points) if isinstance(event, Scored) else ()

    def interesting(self, before: State, action: str) -> bool:
        """The naming of trump, and the card that ends a round."""
        last = before.phase == "play" and sum(map(int.bit_count, before.hands)) == 1
        return before.phase == "trump" or last
