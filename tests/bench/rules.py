"""How fast are the rules? Games of uniform chance in one process, beside those of OpenSpiel.

    python tests/bench/rules.py [--rounds N] [--seconds S] [--json]

The cases take turns (A B C … A B C …), so that a busy machine slows all of them. What the rows and
columns mean: docs/benchmarks.md.
"""

import argparse
import importlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean, median
from typing import Any, Final

import msgspec

from referee.game import Game
from referee.games import cuttle, svoyi_koziri, wizard

GAMES_AT_ONCE: Final = 20  # dealt, then played: so dealing can be told from playing
NOISE: Final = 0.15  # by how much the two runs of the yardstick may differ
OH_HELL: Final = "oh_hell(players=4,num_tricks_fixed=10)"
YARDSTICKS: Final = ("OpenSpiel oh_hell", "oh_hell again")
OURS: Final[dict[str, tuple[Game[Any], int, Any]]] = {
    "svoyi-koziri": (svoyi_koziri.SvoyiKoziri(), 2, svoyi_koziri.Options()),
    "wizard, 4 seats": (wizard.Wizard(), 4, wizard.Options()),
    "cuttle, classic": (cuttle.Cuttle(), 2, cuttle.Options()),
    "cuttle, cuttle.cards": (cuttle.Cuttle(), 2, cuttle.Options(ruleset="cuttle.cards")),
}


class Timed(msgspec.Struct):
    """Decisions of a case, and the processor seconds for them and for the deals before them."""

    decisions: int = 0
    playing: float = 0.0
    dealing: float = 0.0

    @property
    def rate(self) -> float:
        return self.decisions / self.playing

    @property
    def whole_rate(self) -> float:
        return self.decisions / (self.playing + self.dealing)


class Case(msgspec.Struct, frozen=True):
    """One row of the table: how a game is dealt, and how it is played to its end."""

    name: str
    deal: Callable[[Random], Any]
    play: Callable[[Any, Callable[[], float]], int]  # gives the number of decisions


# -- the cases --


def rules_alone(name: str) -> Case:
    """What any program needs that plays: whose turn it is, what may be done, and doing it."""
    game, seats, options = OURS[name]

    def deal(rng: Random) -> Any:
        return game.start(game.deal(rng, seats, options), seats, options)

    def play(state: Any, random: Callable[[], float]) -> int:
        turn, legal_actions, then = game.turn, game.legal_actions, game.play
        decisions = 0
        while turn(state) is not None:
            legal = legal_actions(state)
            state = then(state, legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return Case(name, deal, play)


def with_looks(name: str) -> Case:
    """All that the referee asks for at a decision: a view and the events too."""
    game, *_ = OURS[name]

    def play(state: Any, random: Callable[[], float]) -> int:
        decisions = 0
        while (seat := game.turn(state)) is not None:
            game.view(state, seat)
            legal = game.legal_actions(state)
            action = legal[int(random() * len(legal))]
            after = game.play(state, action)
            game.happenings(state, action, after)
            state = after
            decisions += 1
        return decisions

    return Case(f"{name} + view, events", rules_alone(name).deal, play)


def of_open_spiel(name: str, game: Any) -> Case:
    """Rules in C++, asked from Python; a deal is one chance node after the other."""

    def deal(rng: Random) -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes = state.chance_outcomes()  # all of one chance
            state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
        return state

    def play(state: Any, random: Callable[[], float]) -> int:
        turn, legal_actions, then = state.current_player, state.legal_actions, state.apply_action
        decisions = 0
        while turn() >= 0:  # below: the game is over
            legal = legal_actions()
            then(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return Case(name, deal, play)


def all_cases() -> Iterator[Case]:
    """In the order of a round: the two runs of the yardstick stand apart."""
    try:
        oh_hell = importlib.import_module("pyspiel").load_game(OH_HELL)
    except ImportError:
        oh_hell = None
    if oh_hell:
        yield of_open_spiel(YARDSTICKS[0], oh_hell)
    yield from map(rules_alone, OURS)
    if oh_hell:
        yield of_open_spiel(YARDSTICKS[1], oh_hell)
    yield from map(with_looks, OURS)


def run(case: Case, seconds: float, rng: Random) -> Timed:
    """Whole games for at least so many processor seconds."""
    clock, timed = time.process_time, Timed()
    while timed.playing + timed.dealing < seconds:
        start = clock()
        states = [case.deal(rng) for _ in range(GAMES_AT_ONCE)]
        dealt = clock()
        timed.decisions += sum([case.play(state, rng.random) for state in states])
        timed.dealing += dealt - start
        timed.playing += clock() - dealt
    return timed


# -- the table --


def row_of(name: str, rounds: list[dict[str, Timed]]) -> dict[str, Any]:
    """Medians; a ratio is the median of the rounds' own ratios to their own two yardsticks."""
    mine = [one[name] for one in rounds]
    row = {
        "case": name,
        "decisions_per_s": median(timed.rate for timed in mine),
        "with_deals_per_s": median(timed.whole_rate for timed in mine),
    }
    if YARDSTICKS[0] not in rounds[0]:
        return row
    ratios, whole_ratios = [], []
    for one in rounds:
        yardsticks = [one[yardstick] for yardstick in YARDSTICKS]
        ratios.append(one[name].rate / mean(timed.rate for timed in yardsticks))
        whole_rate = mean(timed.whole_rate for timed in yardsticks)
        whole_ratios.append(one[name].whole_rate / whole_rate)
    return row | {
        "ratio": median(ratios),
        "with_deals_ratio": median(whole_ratios),
        "spread": max(ratios) / min(ratios),
    }


def yardstick_gap(rounds: list[dict[str, Timed]]) -> float | None:
    """By how much the two runs of the yardstick differ: the median round. None: not installed."""
    first, second = YARDSTICKS
    if first not in rounds[0]:
        return None
    ratios = [one[first].rate / one[second].rate for one in rounds]
    return median(max(ratio, 1 / ratio) for ratio in ratios) - 1


def print_report(report: dict[str, Any]) -> None:
    line = "{:<35} {:>12} {:>8} {:>13} {:>8} {:>7}"
    print(line.format("case", "decisions/s", "ratio", "with deals/s", "ratio", "spread"))  # noqa: T201
    for row in report["rows"]:
        ratios = [
            f"{row[key]:.2f}" if key in row else "-"
            for key in ("ratio", "with_deals_ratio", "spread")
        ]
        rates = f"{row['decisions_per_s']:,.0f}", f"{row['with_deals_per_s']:,.0f}"
        print(line.format(row["case"], rates[0], ratios[0], rates[1], *ratios[1:]))  # noqa: T201
    print(  # noqa: T201
        f"\nPython {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, load {' '.join(f'{load:.2f}' for load in os.getloadavg())}\n"
        f"{report['rounds']} rounds, {report['seconds']} seconds of each case"
    )
    gap = report["yardstick_gap"]
    if gap is None:
        print("oh_hell is skipped and nothing has a ratio: install open-spiel")  # noqa: T201
        return
    words = f"the two runs of oh_hell differ by {gap:.0%}"
    print(f"NOISY: {words}; trust no figure of this run" if gap > NOISE else words)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--seconds", type=float, default=0.5, metavar="S", help="of each case (default: 0.5)"
    )
    parser.add_argument("--json", action="store_true", help="all rounds and the table as JSON")
    told = parser.parse_args()
    cases = list(all_cases())
    rounds = [
        {case.name: run(case, told.seconds, Random(number)) for case in cases}
        for number in range(told.rounds + 1)
    ][1:]  # the first one is the warm-up
    report = {
        "rounds": told.rounds,
        "seconds": told.seconds,
        "yardstick_gap": yardstick_gap(rounds),
        "rows": [row_of(case.name, rounds) for case in cases],
    }
    if told.json:
        report["measured"] = [
            {name: msgspec.to_builtins(timed) for name, timed in one.items()} for one in rounds
        ]
        print(json.dumps(report, ensure_ascii=False))  # noqa: T201
    else:
        print_report(report)


if __name__ == "__main__":
    main()
