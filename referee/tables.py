"""The standings in a terminal."""
