# mypy: ignore-errors
# hostile bot 58: crash_at_start
# what: cannot even start (missing module)
# expect: no_start
# note: reported with stderr; after three no_start in a row the bot is benched and its remaining games
# note: are forfeits without being started
import a_module_that_does_not_exist
