"""Rules of Svoyi Koziri, also known as Challenge. Pure: values in, values out.

Two players, all cards open. The leader leads any card; the other must beat it (a higher card of
its suit, or his own trump on another suit) or take the whole pile. Who is out of cards first wins.
"""

from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from protocol.messages import Event, Moved, Took
from referee.cards import (
    NAMES,
    NUMBERS,
    RANKS,
    SUIT_BITS,
    SUITS,
    bits_of,
    cards_in,
    hand_from,
    names_in,
    suit_of,
)
from referee.game import DealError, Happening, IllegalActionError, OptionsError, Outcome

PLIES_PER_CARD: Final = 60

TAKE: Final = "take"
PLAY: Final[tuple[str, ...]] = tuple(f"play {name}" for name in NAMES)
_CARD_OF: Final[dict[str, int]] = {action: card for card, action in enumerate(PLAY)}


class Plan(msgspec.Struct, frozen=True):
    """Who owns which suits, by seat, as suit numbers (C D H S = 0..3).

    The players' choice is made before a card is seen, so it is a mere naming: everyone plays the
    article's plan. Others exist to state that the rules do not depend on it.
    """

    trump: tuple[int, int]
    plain: tuple[int, int]


PLAN: Final = Plan(trump=(SUITS.index("S"), SUITS.index("D")), plain=(0, SUITS.index("H")))


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of Svoyi Koziri."""

    cards: Annotated[int, Meta(description="size of the pack: a multiple of 4 from 8 to 52")] = 32
    take: Annotated[
        Literal["forced", "free"],
        Meta(description="forced: one may take only when nothing beats; free: always"),
    ] = "forced"
    after_take: Annotated[
        Literal["leader", "taker"], Meta(description="who leads after a taking")
    ] = "leader"
    repetition: Annotated[
        int, Meta(description="how often a position must occur for a draw; 0: never")
    ] = 3
    max_plies: Annotated[
        int | None,
        Meta(description=f"plies until a draw; left out: {PLIES_PER_CARD} for each card"),
    ] = None

    def __post_init__(self) -> None:
        if self.cards not in range(8, 53, 4):
            raise OptionsError(f"cards is a multiple of 4 from 8 to 52, not {self.cards}")
        if self.repetition < 0 or self.repetition == 1:
            raise OptionsError(f"repetition is 0 (off), or 2 or more, not {self.repetition}")
        if self.max_plies is None:
            msgspec.structs.force_setattr(self, "max_plies", PLIES_PER_CARD * self.cards)
        elif self.max_plies < 1:
            raise OptionsError(f"max-plies is 1 or more, not {self.max_plies}")


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both hands, and the code that says the same in one number.

    Bit i of the code is set when the dealer keeps own card i; own cards are listed trump suit low
    to high, then plain suit low to high.
    """

    code: int
    hands: tuple[tuple[str, ...], tuple[str, ...]]


class State(msgspec.Struct, frozen=True):
    """The whole truth. Hands are bits, `pile` is bottom to top, `led` is the card to be beaten."""

    options: Options
    trumps: tuple[int, int]
    leader: int
    hands: tuple[int, int]
    pile: tuple[int, ...] = ()
    led: int | None = None
    plies: int = 0
    # Positions at a lead so far, the present one last; a position is both hands and who leads.
    positions: tuple[tuple[int, int, int], ...] = ()
    occurrences: int = 0  # how often the last of them has occurred
    over: Literal["out", "repetition", "ply_limit"] | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The `state` of a turn: everything is open."""

    phase: Literal["lead", "reply"]
    leader: int
    trumps: Annotated[Sequence[str], Meta(description="each seat's trump suit")]
    hands: Annotated[
        Sequence[Sequence[str]], Meta(description="by seat, in the order C D H S, low to high")
    ]
    pile: Annotated[Sequence[str], Meta(description="the cards on the table, bottom to top")]
    led: Annotated[
        str | msgspec.UnsetType, Meta(description="the card to be beaten; only in a reply")
    ] = msgspec.UNSET
    plies: int
    max_plies: int
    position_count: Annotated[
        int, Meta(description="how often the position of the last lead has occurred")
    ]


def pack(cards: int) -> int:
    """The pack of this size as bits: its highest ranks in all four suits."""
    per_suit = bits_of(range(len(RANKS) - cards // 4, len(RANKS)))
    return sum(per_suit << (13 * suit) for suit in range(4))


def mirror(card: int, plan: Plan = PLAN) -> int:
    """Trump to trump, plain to plain, same rank."""
    suits = {plan.trump[0]: plan.trump[1], plan.plain[0]: plan.plain[1]}
    suits |= {theirs: ours for ours, theirs in suits.items()}
    return suits[suit_of(card)] * 13 + card % 13


def own_cards(cards: int, plan: Plan = PLAN) -> list[int]:
    """The dealer's own suits in the order of the deal code."""
    whole = pack(cards)
    return [
        card
        for suit in (plan.trump[0], plan.plain[0])
        for card in cards_in(whole & SUIT_BITS[suit])
    ]


def hands_from(kept: Iterable[int], cards: int, plan: Plan = PLAN) -> tuple[int, int]:
    """Both hands when the dealer has kept these of his own cards."""
    own = set(own_cards(cards, plan))
    kept = set(kept)
    assert kept <= own
    dealer = kept | {mirror(card, plan) for card in own - kept}
    return bits_of(dealer), bits_of(mirror(card, plan) for card in dealer)


def deal_from_code(code: int, cards: int) -> Deal:
    """The deal of this code."""
    own = own_cards(cards)
    hands = hands_from((card for bit, card in enumerate(own) if code >> bit & 1), cards)
    return Deal(code=code, hands=(names_in(hands[0]), names_in(hands[1])))


def deal_from_drawn(drawn: Iterable[int], cards: int) -> Deal:
    """The deal when the dealer turned up these cards: those of the other's suits go back."""
    own, turned_up = own_cards(cards), set(drawn)
    return deal_from_code(sum(1 << bit for bit, card in enumerate(own) if card in turned_up), cards)


def beats(card: int, led: int, own_trump: int) -> bool:
    """Whether the replier, whose trump suit is `own_trump`, beats the led card with `card`."""
    if suit_of(card) == suit_of(led):
        return card > led
    return suit_of(card) == own_trump


def beating(hand: int, led: int, own_trump: int) -> int:
    """The cards of a hand that beat the led card."""
    suit = SUIT_BITS[suit_of(led)]
    higher = hand & suit & -(2 << led)
    return higher if suit_of(led) == own_trump else higher | hand & SUIT_BITS[own_trump]


def _choices(state: State) -> tuple[bool, int]:
    """Whether the seat to move may take, and the cards that it may play."""
    if state.led is None:
        return False, state.hands[state.leader]
    replier = 1 - state.leader
    cards = beating(state.hands[replier], state.led, state.trumps[replier])
    return not cards or state.options.take == "free", cards


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
        may_take, cards = _choices(state)
        plays = tuple([PLAY[card] for card in cards_in(cards)])
        return (TAKE, *plays) if may_take else plays

    def play(self, state: State, action: str) -> State:
        # The same choices as in the legal list: what generates and what validates cannot disagree.
        seat = self.turn(state)
        if seat is not None:
            may_take, cards = _choices(state)
            if action == TAKE and may_take:
                return _taken(state, seat)
            card = _CARD_OF.get(action)
            if card is not None and cards >> card & 1:
                return _played(state, seat, card)
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
        return _recounted(state, view.position_count)

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


def at_lead(state: State) -> State:
    """The state with its position counted; a draw when it has now occurred too often."""
    position = (*state.hands, state.leader)
    occurrences = state.positions.count(position) + 1
    limit = state.options.repetition
    drawn = limit and occurrences >= limit
    return msgspec.structs.replace(
        state,
        positions=(*state.positions, position),
        occurrences=occurrences,
        over="repetition" if drawn else _ply_limit(state),
    )


def _recounted(state: State, count: int) -> State:
    """The state whose last lead was at a position that has occurred so often."""
    led = 0 if state.led is None else 1 << state.led
    hands = _with_hand(state, state.leader, state.hands[state.leader] | led)
    counted = msgspec.structs.replace(
        state, positions=((*hands, state.leader),) * count, occurrences=count
    )
    if not all(state.hands):
        return msgspec.structs.replace(counted, over="out")
    drawn = 0 < state.options.repetition <= count
    return msgspec.structs.replace(counted, over="repetition" if drawn else _ply_limit(state))


def _ply_limit(state: State) -> Literal["ply_limit"] | None:
    assert state.options.max_plies is not None
    return "ply_limit" if state.plies >= state.options.max_plies else None


def _with_hand(state: State, seat: int, hand: int) -> tuple[int, int]:
    return (hand, state.hands[1]) if seat == 0 else (state.hands[0], hand)


def _played(state: State, seat: int, card: int) -> State:
    """The state after a lead or a beat. Going out on the last allowed ply is a win."""
    hand = state.hands[seat] & ~(1 << card)
    is_lead = state.led is None
    after = State(
        options=state.options,
        trumps=state.trumps,
        leader=seat,  # a beater leads next
        hands=_with_hand(state, seat, hand),
        pile=(*state.pile, card),
        led=card if is_lead else None,
        plies=state.plies + 1,
        positions=state.positions,
        occurrences=state.occurrences,
        over=None if hand else "out",
    )
    if not hand:
        return after
    if is_lead:
        return msgspec.structs.replace(after, over=_ply_limit(after))
    return at_lead(after)


def _taken(state: State, seat: int) -> State:
    """The state after a taking: the pile is in the taker's hand, the table is empty."""
    hand = state.hands[seat] | bits_of(state.pile)
    return at_lead(
        State(
            options=state.options,
            trumps=state.trumps,
            leader=seat if state.options.after_take == "taker" else state.leader,
            hands=_with_hand(state, seat, hand),
            plies=state.plies + 1,
            positions=state.positions,
        )
    )
