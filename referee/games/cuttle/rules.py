"""The game, as the referee knows it."""

from collections.abc import Collection
from random import Random
from typing import Final

from msgspec import UNSET

from protocol.messages import Event
from referee.cards import bits_of
from referee.game import DealError, Happening, IllegalActionError, Outcome
from referee.games.cuttle import telling
from referee.games.cuttle.cards import NAMES, NUMBERS, parse
from referee.games.cuttle.effects import LOTS, stepped
from referee.games.cuttle.legal import legal_actions
from referee.games.cuttle.options import Options
from referee.games.cuttle.state import Deal, State, scores
from referee.games.cuttle.truths import determinized, redealt
from referee.games.cuttle.view import View, view_of

FIRST_HAND: Final = 5
SECOND_HAND: Final = 6  # the dealer's


class Cuttle:
    """Two players, hidden hands: seat 1 deals, seat 0 moves first."""

    name = "cuttle"
    title = "Cuttle"
    seats = range(2, 3)
    hidden = True
    options_type = Options
    deal_type = Deal
    view_type = View
    tally = ""

    def deal(self, rng: Random, seats: int, options: Options) -> Deal:
        deck = list(NAMES)
        rng.shuffle(deck)
        return Deal(tuple(deck), rng.randrange(LOTS) if options.four_mode == "random" else UNSET)

    def deal_count(self, options: Options) -> None:
        """More than will ever be played."""
        return

    def swing(self, seats: int, options: Options) -> float:
        return 1.0

    def start(self, deal: Deal, seats: int, options: Options) -> State:
        if sorted(deal.deck) != sorted(NAMES):
            raise DealError("the deck is not the 52 cards, each once")
        if (deal.lot is not UNSET) != (options.four_mode == "random"):
            raise DealError("a deal has a lot if, and only if, four_mode is random")
        if deal.lot is not UNSET and not 0 <= deal.lot < LOTS:
            raise DealError(f"the lot is a whole number from 0 to {LOTS - 1}, not {deal.lot}")
        cards = tuple([NUMBERS[name] for name in deal.deck])
        dealt = FIRST_HAND + SECOND_HAND
        return State(
            options=options,
            hands=(bits_of(cards[:FIRST_HAND]), bits_of(cards[FIRST_HAND:dealt])),
            deck=cards[dealt:],
            lot=None if deal.lot is UNSET else deal.lot,
        )

    def turn(self, state: State) -> int | None:
        return None if state.over else state.to_move

    def legal_actions(self, state: State) -> tuple[str, ...]:
        return legal_actions(state)

    def play(self, state: State, action: str) -> State:
        move = parse(action) if action in legal_actions(state) else None
        if move is None:
            raise IllegalActionError(self.refusal(state, action))
        return stepped(state, move)

    def refusal(self, state: State, action: str) -> str:
        return telling.refusal(state, action)

    def view(self, state: State, seat: int | None) -> View:
        return view_of(state, seat)

    def happenings(self, before: State, action: str, after: State) -> tuple[Happening, ...]:
        return tuple(telling.happenings(before, action, after))

    def outcome(self, state: State) -> Outcome:
        assert state.over
        places = {None: (1, 1), 0: (1, 2), 1: (2, 1)}[state.winner]
        return Outcome(scores(state), places, state.over)

    def forfeit_scores(self, state: State, out: Collection[int]) -> tuple[int, ...]:
        """The points on the table stay; places decide."""
        return scores(state)

    def describe(self, before: State, event: Event) -> str:
        return telling.describe(before, event)

    def tallied(self, event: Event) -> tuple[()]:
        """Nothing is counted."""
        return ()

    def interesting(self, before: State, action: str) -> bool:
        return telling.is_interesting(before, action)

    def redeal(self, state: State, seat: int, rng: Random) -> State:
        """Another truth that the seat cannot tell from this one: unknown cards are dealt anew."""
        return redealt(state, seat, rng)

    def determinize(
        self, view: View, seat: int, seats: int, options: Options, rng: Random
    ) -> State:
        """A full state in which the seat has exactly this view."""
        return determinized(view, seat, options, rng)
