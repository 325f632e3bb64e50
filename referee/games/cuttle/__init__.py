"""Rules of Cuttle. Pure: values in, values out.

`cards` words and numbers · `options` · `state` the truth · `legal` what may be done · `effects` what
it does · `view` what a seat sees of it · `telling` events, words, refusals · `truths` what else
could be true · `rules` the game as the referee knows it.
"""

from referee.games.cuttle.options import Options
from referee.games.cuttle.rules import Cuttle
from referee.games.cuttle.state import Deal, Pending, Stack, State
from referee.games.cuttle.view import View

__all__ = ["Cuttle", "Deal", "Options", "Pending", "Stack", "State", "View"]
