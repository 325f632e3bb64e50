"""What follows from the input of a case of statistics, by what its id begins with.

Each function gives all facts it knows of under the names that cases use for them.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, pstdev
from typing import Any, Final, TypeAlias

import msgspec

from tests.unit.online_ratings import Opponent, elo_update, glicko2, trueskill_win, weng_lin
from tournaments.evalues import (
    asymptotic_radius,
    asymptotic_rho,
    betting_interval,
    log_e_of_differences,
    log_e_of_pairs,
)
from tournaments.intervals import holm, normal_quantile, t_quantile
from tournaments.pentanomial import (
    approximate_ratio,
    effect_ratio,
    effect_size,
    logistic_ratio,
    normalised_ratio,
    summary,
    wald_bounds,
)
from tournaments.rankings import Placed, davidson, plackett_luce, within_games
from tournaments.ratings import SCALE, Game, bradley_terry, elo_of_score, score_of_elo
from tournaments.schedule import canonical, circle_rounds, game_key, neighbour_orders
from tournaments.tiebreaks import mean_places, sonneborn_berger, win_shares

Facts: TypeAlias = dict[str, Any]
Input: TypeAlias = Mapping[str, Any]


def _elo_score(given: Input) -> Facts:
    return {
        "elo": [elo_of_score(score) for score in given["scores"]],
        "score_of_200": score_of_elo(200),
    }


def _penta(given: Input) -> Facts:
    found = summary(given["counts"])
    assert found
    return {**msgspec.to_builtins(found), "var_pair": found.variance}


def _gsprt_normalised(given: Input) -> Facts:
    wanted = given["counts"], given["elo0"], given["elo1"]
    return {"llr": normalised_ratio(*wanted), "llr_alt": approximate_ratio(*wanted)}


def _gsprt_logistic(given: Input) -> Facts:
    return {"llr": logistic_ratio(given["counts"], given["elo0"], given["elo1"])}


def _sprt_bounds(given: Input) -> Facts:
    lower, upper = wald_bounds(given["alpha"], given["beta"])
    return {"lower": lower, "upper": upper}


def _evalue(given: Input) -> Facts:
    stakes = [share / 2 for share in given["lambdas"]]  # of the most that can be lost
    log_e = log_e_of_pairs(given["counts"], stakes)
    return {
        "log_e": log_e,
        "e": math.exp(log_e),
        "log_e_other_side": log_e_of_pairs(given["counts"][::-1], stakes),
    }


def _kplayer_sequential(given: Input) -> Facts:
    d, bound, stakes = given["d"], given["bound"], given["fractions"]
    t = effect_size(d)
    return {
        "mean": fmean(d),
        "sd": pstdev(d),
        "t": t,
        "llr": effect_ratio(len(d), t, given["t0"], given["t1"]),
        "log_e": log_e_of_differences(d, bound, stakes),
        "log_e_other_side": log_e_of_differences([-each for each in d], bound, stakes),
    }


def _betting_cs(given: Input) -> Facts:
    counts = given["counts"]
    outcomes = ((place / (len(counts) - 1), count) for place, count in enumerate(counts))
    found = betting_interval(outcomes, given["alpha"], given["fractions"])
    return {"lower": found.low, "upper": found.high}


def _asymptotic_cs(given: Input) -> Facts:
    alpha, planned, sd, n = given["alpha"], given["n_star"], given["sd"], given["n"]
    return {
        "rho": asymptotic_rho(alpha, planned),
        "radius": asymptotic_radius(sd, n, alpha, planned),
        "fixed_n_radius": normal_quantile(1 - alpha / 2) * sd / math.sqrt(n),
    }


def _holm(given: Input) -> Facts:
    adjusted = holm(next(iter(given.values())))
    alpha = given.get("alpha", 0.05)
    return {
        **dict.fromkeys(("adjusted", "p_adjusted", "holm"), adjusted),
        "reject": [p <= alpha for p in adjusted],
    }


def _bradley_terry(given: Input) -> Facts:
    games = _games(given)
    bots = _bots(given, games)
    found = bradley_terry(bots, games, prior=given.get("prior", 0))
    spread, deals = found.fisher, found.covariance
    last = bots - 1
    facts: Facts = {
        "elo": found.elo,
        "elo_half": found.elo,
        "theta": [elo / SCALE for elo in found.elo],
        "elo_diff": found.elo[0] - found.elo[1],
        "se_diff": _error_of_difference(spread, 0, 1),
        "se_fisher": [math.sqrt(spread[bot][bot]) for bot in range(bots)],
        "se_deal": [math.sqrt(deals[bot][bot]) for bot in range(bots)],
        f"se_deal_diff_0_{last}": _error_of_difference(deals, 0, last),
        f"t_quantile_df{found.blocks - 1}": t_quantile(0.975, max(1, found.blocks - 1)),
    }
    facts["se"] = facts["se_fisher"]
    if "draws" in given:
        facts["elo_davidson"], facts["davidson_nu"] = davidson(bots, games, prior=0)
    return facts


def _perfect_score(given: Input) -> Facts:
    return _bradley_terry({"prior": 1, **given})


def _games(given: Input) -> list[Game]:
    """From games as they are, or from how often the row has beaten the column and drawn with it."""
    if "games" in given:
        return [Game(*game) for game in given["games"]]
    wins = given["wins"]
    results = [
        (one, other, score)
        for score, table in ((1.0, wins), (0.5, given.get("draws", [])))
        for one, row in enumerate(table)
        for other, times in enumerate(row)
        if score == 1.0 or one < other
        for _ in range(times)
    ]
    return [Game(*result, block) for block, result in enumerate(results)]


def _bots(given: Input, games: Sequence[Game]) -> int:
    return len(given["wins"]) if "wins" in given else 1 + max(max(g.first, g.second) for g in games)


def _error_of_difference(covariance: Sequence[Sequence[float]], one: int, other: int) -> float:
    variance = covariance[one][one] + covariance[other][other] - 2 * covariance[one][other]
    return math.sqrt(variance)


def _plackett_luce(given: Input) -> Facts:
    rankings = given["rankings"]
    elo = plackett_luce(1 + max(map(max, rankings)), rankings, prior=0)
    return {"elo": elo, "theta": [each / SCALE for each in elo]}


def _within_game_ls(given: Input) -> Facts:
    games = _placed(given["games"])
    found = within_games(1 + max(max(game.bots) for game in games), games)
    return {"beta": found.points}


def _placed(games: Sequence[Any]) -> list[Placed]:
    """Games as bots and scores, or as the scores of all bots in their order."""
    pairs = [game if isinstance(game[0], list) else (range(len(game)), game) for game in games]
    return [Placed(tuple(bots), tuple(scores), no) for no, (bots, scores) in enumerate(pairs)]


def _sonneborn_berger(given: Input) -> Facts:
    table = next(value for value in given.values() if isinstance(value, list))
    results = [
        [None if one == other else result for other, result in enumerate(row)]
        for one, row in enumerate(table)
    ]
    points = [sum(result for result in row if result is not None) for row in results]
    found = sonneborn_berger(results, points)
    return {"points": points, **dict.fromkeys(("sb", "sonneborn_berger"), found)}


def _kplayer_standings(given: Input) -> Facts:
    games = _placed(next(value for value in given.values() if isinstance(value, list)))
    bots = range(1 + max(max(game.bots) for game in games))

    def mean(values: Callable[[Sequence[float]], Sequence[float]]) -> list[float]:
        return [
            fmean(values(game.scores)[game.bots.index(bot)] for game in games if bot in game.bots)
            for bot in bots
        ]

    scores, places, shares = mean(list), mean(mean_places), mean(win_shares)
    return {
        **dict.fromkeys(("mean_score", "score"), scores),
        **dict.fromkeys(("mean_rank", "mean_place"), places),
        "win_share": shares,
        "order": sorted(bots, key=lambda bot: (-scores[bot], places[bot], -shares[bot])),
    }


def _circle(given: Input) -> Facts:
    return {"rounds": circle_rounds(given["n"])}


def _neighbour_orders(given: Input) -> Facts:
    return {f"k{seats}": neighbour_orders(seats) for seats in given["k"]}


def _game_key(given: Input) -> Facts:
    return {"canonical": canonical(given["spec"]), "key": game_key(given["spec"])}


def _elo_update(given: Input) -> Facts:
    expected, new = elo_update(given["r"], given["score"], given["K"])
    return {"expected": expected, "new": new}


def _glicko2(given: Input) -> Facts:
    opponents = msgspec.convert(given["opponents"], list[Opponent])
    found = glicko2(given["r"], given["rd"], given["vol"], opponents, given["tau"])
    return dict(zip(("r", "rd", "vol"), found, strict=True))


def _openskill(given: Input) -> Facts:
    mu, sigma = weng_lin(given["mu"], given["sigma"], given["ranks"])
    return {"mu": mu, "sigma": sigma}


def _trueskill(given: Input) -> Facts:
    winner, loser = trueskill_win(given["mu"], given["sigma"], given["draw_probability"])
    return {"winner": winner, "loser": loser}


KINDS: Final[dict[str, Callable[[Input], Facts]]] = {
    "asymptotic_cs": _asymptotic_cs,
    "betting_cs": _betting_cs,
    "bt_": _bradley_terry,
    "bt_perfect_score": _perfect_score,
    "circle_": _circle,
    "elo_score": _elo_score,
    "elo_update": _elo_update,
    "evalue_": _evalue,
    "game_key": _game_key,
    "glicko2": _glicko2,
    "gsprt_log_": _gsprt_logistic,
    "gsprt_norm_": _gsprt_normalised,
    "gsprt_small_": _gsprt_normalised,
    "holm": _holm,
    "kplayer_sequential": _kplayer_sequential,
    "kplayer_standings": _kplayer_standings,
    "neighbour_orders": _neighbour_orders,
    "openskill_pl_": _openskill,
    "penta_": _penta,
    "plackett_luce": _plackett_luce,
    "sonneborn_berger": _sonneborn_berger,
    "sprt_bounds": _sprt_bounds,
    "trueskill_1v1": _trueskill,
    "within_game_ls": _within_game_ls,
}


def facts(case: Mapping[str, Any]) -> Facts:
    """All that is known to follow from the case's input; an unknown kind is a KeyError."""
    kind = max((kind for kind in KINDS if case["id"].startswith(kind)), key=len, default=case["id"])
    return KINDS[kind](case["input"])


def comparable(name: str, value: Any) -> Any:
    """Rounds, and pairs in them, have no order; neither have the orders of bots around a table."""
    if name == "rounds":
        return sorted(sorted(sorted(pair) for pair in circle) for circle in value)
    if name.startswith("k") and name[1:].isdigit():
        return sorted(map(list, value))
    return value
