"""The commands of `evolve`; a new module here adds its commands."""

from rulebots.cli.app import App

app = App(
    "Breed players of turn-based games out of named rules, as YAML that a person can read and change.",
    "evolve run lost-cities --generations 50 --seed 1",
    "evolve resume runs/strong",
    "evolve show lost_cities-seed1.yaml",
    "evolve check lost_cities-seed1.yaml",
    "rulebots match lost_cities-seed1.yaml shelly",
    first={
        "evolve run lost-cities": "breed players, into a file",
        "evolve show FILE": "read what was bred, rule by rule",
        "rulebots match FILE shelly": "let it play",
    },
)
