"""The commands of `rulebots`; a new module here adds its commands."""

from rulebots.cli.app import App

app = App(
    """Play matches between players of turn-based games, and look at the rules that they are made of.

    A player is a built-in name, path.yaml (the first player of the file) or path.yaml#player.
    """,
    "rulebots match shelly risk",
    "rulebots match champion.yaml shelly --deals 5000",
    "rulebots rules lost-cities --rules standard",
    first={
        "rulebots play kalah": "play in the terminal; easier with --against level:casual",
        "rulebots web": "play, tune and breed in the browser",
        "rulebots match champion shelly": "let two players play a match",
        "evolve run lost-cities": "breed a player, into a file",
        "rulebots new nim": "write a game of your own",
    },
)
#: Commands of rooms beside the core, which a user may leave out.
BESIDE = ("rulebots.export.commands", "rulebots.servers.commands", "rulebots.web.commands")
