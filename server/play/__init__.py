"""Playing: who may act, in what order, and that everything is on disk before anybody sees it."""
