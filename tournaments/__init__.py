"""Many games: what they say about the bots. Pure, but for what plays and stores them."""
