"""Doctests are looked for in every module, but importing a hostile bot runs it."""

collect_ignore_glob = ["hostile/*.py"]
