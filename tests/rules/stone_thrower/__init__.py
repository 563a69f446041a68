"""Every rule of the stone throwers, by its number."""
