"""The commands of `rulebots`, one a module; a new module here is a new command."""

from rulebots.console import new_app

app = new_app()
