"""The command that serves the page."""
