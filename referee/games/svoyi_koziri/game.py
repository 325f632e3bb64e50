"""The game, as the referee knows it: the contract of `referee.game`, put together from its parts."""

from collections.abc import Collection
from random import Random

import msgspec

from protocol.messages import Event, Moved, Took
from referee.cards import NAMES, NUMBERS, SUITS, cards_in, hand_from, names_in
from referee.game import DealError, Happening, IllegalActionError, Outcome
from referee.games.svoyi_koziri.dealing import deal_from_code, deal_from_drawn, pack
from referee.games.svoyi_koziri.moves import (
    CARD_OF,
    TAKE,
    at_lead,
    choices,
    played,
    plays,
    recounted,
    taken,
)
from referee.games.svoyi_koziri.shapes import PLAN, Deal, Options, State, View


class SvoyiKoziri:
    """The game, as the referee knows it."""

    name = "svoyi-koziri"
    title = "Svoyi Koziri"
    seats = range(2, 3)
    hidden = False
    options_type = Options
    deal_type = Deal
    view_type = View
    tally = ""

    def deal(self, rng: Random, seats: int, options: Options) -> Deal:
        """Really deals half the pack: a coin for each card would give another distribution."""
        shuffled = list(cards_in(pack(options.cards)))
        rng.shuffle(shuffled)
        return deal_from_drawn(shuffled[: options.cards // 2], options.cards)

    def deal_count(self, options: Options) -> int:
        return 1 << options.cards // 2

    def swing(self, seats: int, options: Options) -> float:
        return 1.0

    def start(self, deal: Deal, seats: int, options: Options) -> State:
        if not 0 <= deal.code < 1 << options.cards // 2:
            raise DealError(f"code {deal.code} is not a deal of {options.cards} cards")
        if deal != deal_from_code(deal.code, options.cards):
            raise DealError(f"the hands are not those of code {deal.code}")
        hands = (hand_from(deal.hands[0]), hand_from(deal.hands[1]))
        return at_lead(State(options=options, trumps=PLAN.trump, leader=0, hands=hands))

    def turn(self, state: State) -> int | None:
        if state.over:
            return None
        return state.leader if state.led is None else 1 - state.leader

    def legal_actions(self, state: State) -> tuple[str, ...]:
        if state.over:
            return ()
        may_take, cards = choices(state)
        return (TAKE, *plays(cards)) if may_take else plays(cards)

    def play(self, state: State, action: str) -> State:
        # The same choices as in the legal list: what generates and what validates cannot disagree.
        seat = self.turn(state)
        if seat is not None:
            may_take, cards = choices(state)
            if action == TAKE and may_take:
                return taken(state, seat)
            card = CARD_OF.get(action)
            if card is not None and cards >> card & 1:
                return played(state, seat, card)
        raise IllegalActionError(self.refusal(state, action))

    def refusal(self, state: State, action: str) -> str:
        """`bad_card`, `not_in_hand`, `does_not_beat`, `can_beat`, `nothing_to_take` or `game_over`."""
        seat = self.turn(state)
        if seat is None:
            return "game_over: the game has ended"
        if action == TAKE:
            if state.led is None:
                return "nothing_to_take: it is your turn to lead"
            return "can_beat: one may take only when no card beats (take = forced)"
        word = action.removeprefix("play ")
        card = NUMBERS.get(word)
        if not action.startswith("play ") or card is None:
            return f"bad_card: {word!r} is no card; say `play` and a card, or `take`"
        if not pack(state.options.cards) >> card & 1:
            return f"bad_card: {word} is not in the pack of {state.options.cards}"
        if not state.hands[seat] >> card & 1:
            return f"not_in_hand: seat {seat} does not hold {word}"
        assert state.led is not None
        return f"does_not_beat: {word} does not beat {NAMES[state.led]}"

    def view(self, state: State, seat: int | None) -> View:
        return View(
            phase="lead" if state.led is None else "reply",
            leader=state.leader,
            trumps=(SUITS[state.trumps[0]], SUITS[state.trumps[1]]),
            hands=(names_in(state.hands[0]), names_in(state.hands[1])),
            pile=tuple([NAMES[card] for card in state.pile]),
            led=msgspec.UNSET if state.led is None else NAMES[state.led],
            plies=state.plies,
            max_plies=state.options.max_plies or 0,
            position_count=state.occurrences,
        )

    def happenings(self, before: State, action: str, after: State) -> tuple[Happening, ...]:
        seat = self.turn(before)
        assert seat is not None
        moved = Happening(Moved(seat, action))
        if action != TAKE:
            return (moved,)
        return moved, Happening(Took(seat, tuple([NAMES[card] for card in before.pile])))

    def outcome(self, state: State) -> Outcome:
        assert state.over
        if state.over != "out":
            return Outcome((0, 0), (1, 1), state.over)
        winner = 0 if not state.hands[0] else 1
        return Outcome((1 - winner, winner), (1 + winner, 2 - winner), "out")

    def forfeit_scores(self, state: State, out: Collection[int]) -> tuple[int, ...]:
        return tuple(int(seat not in out) for seat in (0, 1))

    def redeal(self, state: State, seat: int, rng: Random) -> State:
        return state  # nothing is hidden

    def determinize(
        self, view: View, seat: int, seats: int, options: Options, rng: Random
    ) -> State:
        """Of the positions before this one, a view tells only how often the present one occurred."""
        first, second = map(hand_from, view.hands)
        state = State(
            options=options,
            trumps=(SUITS.index(view.trumps[0]), SUITS.index(view.trumps[1])),
            leader=view.leader,
            hands=(first, second),
            pile=tuple([NUMBERS[name] for name in view.pile]),
            led=None if view.led is msgspec.UNSET else NUMBERS[view.led],
            plies=view.plies,
        )
        return recounted(state, view.position_count)

    def describe(self, before: State, event: Event) -> str:
        if not isinstance(event, Moved):
            return ""
        if event.action == TAKE:
            return f"takes the pile of {len(before.pile)}"
        card = event.action.removeprefix("play ")
        ending = " and is out" if before.hands[event.seat].bit_count() == 1 else ""
        if before.led is None:
            return f"leads {card}{ending}"
        return f"beats {NAMES[before.led]} with {card}{ending}"

    def tallied(self, event: Event) -> tuple[()]:
        """Nothing is counted."""
        return ()

    def interesting(self, before: State, action: str) -> bool:
        """A taking, and the card that goes out."""
        seat = self.turn(before)
        return action == TAKE or (seat is not None and before.hands[seat].bit_count() == 1)
