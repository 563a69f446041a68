"""For all tests: what hypothesis may take is not measured, since a busy machine proves nothing about the code."""

from hypothesis import settings

settings.register_profile("linstock", deadline=None)
settings.load_profile("linstock")
