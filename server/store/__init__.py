"""Where games are kept: the log of each game, its seats and people, and chat, in one SQL database."""
