"""A module with a function of each kind that the checks of the reference find."""

__all__ = ["Known", "known", "lost", "silent"]


class Known:
    """A class."""

    def member(self):
        return self


def known():
    """Returns nothing."""


def silent():
    return None


def lost():
    """Returns nothing."""
