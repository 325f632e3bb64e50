"""What can be wrong with a tournament, by who can mend it. Imports nothing, so that every command can know it."""


class LeagueError(Exception):
    """All that is wrong with a league file, a line each."""


class StoreError(Exception):
    """The run folder cannot be used; the message says why, and what to do."""


class StoreFullError(StoreError):
    """The disk is full: nothing was stored, and the same can be tried again."""


class EventChangedError(StoreError):
    """What is to be played is not what was begun; results of the two must not be mixed."""


class TrialError(Exception):
    """The games on trial could not be played; the message says why."""
