"""The games this referee knows. A new game is one module and one line here."""

from typing import Any, Final

from referee.game import Game
from referee.games.cuttle import Cuttle
from referee.games.svoyi_koziri import SvoyiKoziri
from referee.games.wizard import Wizard

GAMES: Final[dict[str, Game[Any]]] = {
    game.name: game for game in (SvoyiKoziri(), Wizard(), Cuttle())
}
