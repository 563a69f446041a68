"""What stands on a wargame table, what can happen to it, and the only function that makes it happen."""
