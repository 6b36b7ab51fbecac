"""Runs on the page of `rulebots web`: an entry point of the group `rulebots.web` names `part`."""

from evolve.web.watching import part

__all__ = ["part"]
