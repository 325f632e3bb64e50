"""Rules of Wizard. Pure: values in, values out.

Three to six players foretell how many tricks they will take, and are paid for being right. Sixty
cards: four suits, four wizards that win, four jesters that lose. Hands and undealt cards are hidden.
"""

from referee.games.wizard.game import Wizard
from referee.games.wizard.shapes import Deal, DealtRound, Options, Round, State, View

__all__ = ["Deal", "DealtRound", "Options", "Round", "State", "View", "Wizard"]
