"""What the commands do can be done from Python, with a game, rules and players of one's own too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from nim_package import FILES

import evolve
import rulebots
from evolve.storage.folder import new_folder
from evolve.workers.processes import workers_of
from rulebots.kernel.user_code import CodeError
from rulebots.search.exact import solve
from rulebots.search.exact.accuracy import accuracy, judge
from rulebots.tournaments.ladder import contents, ladder_of, ladder_text

KEEP = '''
from rulebots import RuleSet, rule
from nim.game import game
from nim.rules import nim


@rule("take", early=0.3)
def leaves_four(view, taken):
    """It leaves four."""
    return 1.0 * ((view.heap - taken) % 4 == 0)


mine = nim.extended("mine", [leaves_four])
'''
H4 = """
from rulebots import Player


class H4(Player):
    def choose(self, view, moves):
        return moves[0]
"""


@pytest.fixture
def own(tmp_path, monkeypatch, forget):
    """A game in a folder, rules and a player for it in files; nothing is installed."""
    shutil.copytree(FILES, tmp_path / "nim", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "keep.py").write_text(KEEP)
    (tmp_path / "h4.py").write_text(H4)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bred(folder, workers=None, **more):
    """A run of the smallest size, kept in a folder."""
    small = {"generations": 2, "population": 4, "deals": 1, "opponent_deals": 2, **more}
    own = {"game": "./nim", "rules": "keep.py:mine", "opponents": ("h4.py:H4",)}
    settings = evolve.Settings.of("ga", **own, **small)
    run = evolve.Run(settings, workers=workers) if workers else evolve.Run(settings)
    with new_folder(settings.file_name, settings.seed, folder, None) as kept:
        kept.begin(run)
        for progress in run.generations():
            kept.keep(run, progress)
    return run


@pytest.mark.slow
def test_a_run_with_everything_of_ones_own(own):
    game = rulebots.load_game("./nim")
    run = bred(Path("run"))
    text = (own / "run" / "champion.yaml").read_text()
    assert 'code: {game: "./nim", rules: "keep.py:mine"}' in text
    again = evolve.resumed_run("run", generations=3)
    assert again.breeder.generation == 2
    assert [p.generation for p in again.generations()] == [3]
    assert [path.name for path in evolve.plot_run("run")] == ["strength.png", "course.png", "weights.png"]
    champion = rulebots.BredPlayer("run/champion.yaml")
    losses = evolve.rule_losses(champion, [rulebots.make_player("h4.py:H4", game)], deals=4)
    assert losses.keys() <= run.rules.columns.keys()
    compared = evolve.compare(champion, "run/champion.yaml")
    assert compared.alike == pytest.approx(1.0)
    assert run.rules.weights(run.rules.named(champion.weights)).tolist() == champion.weights.tolist()
    shown = rulebots.explain(champion, rulebots.Position(game, seed=3))
    assert shown.rules is run.rules
    with pytest.raises(rulebots.UsageError, match="is dealt by chance"):
        solve(game)
    with pytest.raises(rulebots.UsageError, match="is won for certain"):
        accuracy(champion)
    assert judge(champion, rulebots.Position(game, seed=3)).value in (-1, 1)


@pytest.mark.slow
def test_other_processes_find_them_too(own, monkeypatch):
    monkeypatch.setenv("RULEBOTS_CACHE", str(own / "cache"))
    here = bred(Path("here"))
    with workers_of("loky", 2) as workers:
        there = bred(Path("there"), workers=workers)
    assert [w.tolist() for w in there.candidates()] == [w.tolist() for w in here.candidates()]


@pytest.mark.slow
def test_nothing_in_a_file_makes_code_run(own, forget):
    bred(Path("run"))
    spec, game = "h4.py:H4", rulebots.load_game("nim")
    players = [rulebots.make_player(spec, game), rulebots.make_player("random", game)]
    hashes = contents(players)
    played = rulebots.play_tournament(players, deals=2)
    settings = {"system": "round-robin", "rounds": None, "deals": 2, "seed": 1, "options": {}, "opening_plies": None}
    Path("ladder.yaml").write_text(ladder_text(ladder_of(played, [spec, "random"], hashes, settings)))
    assert rulebots.rerun("ladder.yaml").differences == []
    forget()
    for name in ("keep.py", "h4.py", "nim/game.py", "nim/__init__.py"):
        Path(name).write_text("open('EVIL', 'w').write('ran')\nraise RuntimeError\n")
    champion = Path("run/champion.yaml")
    for what in (
        lambda: evolve.resumed_run("run"),
        lambda: rulebots.load_population(champion),
        lambda: rulebots.BredPlayer(champion),
        lambda: evolve.compare(str(champion), str(champion)),
        lambda: rulebots.rerun("ladder.yaml"),
    ):
        with pytest.raises(rulebots.UsageError, match=r"--game|load_game"):
            what()
    text = champion.read_text()
    rules = text.replace("rules: mine", "rules: keep.py:mine")
    Path("b.yaml").write_text(rules.replace("game: nim", "game: ./nim"))
    Path("c.yaml").write_text(
        text.replace("game: nim", "game: tictactoe").replace("rules: mine", "rules: keep.py:mine")
    )
    Path("d.yaml").write_text(text.replace("game: nim", "game: tictactoe").replace('"./nim", ', '"h4.py:H4", '))
    for file in ("b.yaml", "c.yaml", "d.yaml"):
        with pytest.raises(rulebots.UsageError):
            rulebots.load_population(file)
    evolve.plot_run("run")  # needs no code
    assert not Path("EVIL").exists()


@pytest.mark.slow
def test_the_line_says_what_brings_it(own, forget):
    bred(Path("run"), generations=1, opponent_deals=1)
    forget()
    champion = "run/champion.yaml"
    game_is_missing = r"champion\.yaml:3:7: no game 'nim'; it is in \./nim: --game \./nim brings it"
    with pytest.raises(rulebots.UsageError, match=game_is_missing):
        rulebots.load_population(champion)
    with pytest.raises(
        CodeError, match=r"the game '\./nim' is not here, and code is never loaded from a file: load_game"
    ):
        evolve.resumed_run("run")
    game = rulebots.load_game("./nim")
    with pytest.raises(rulebots.UsageError, match=r"no rule set 'mine' of nim; it is in keep\.py:mine: --import keep"):
        rulebots.load_population(champion)
    with pytest.raises(CodeError, match=r"load_rules\('keep\.py:mine'\)|bring_player\('h4\.py:H4'\)"):
        evolve.resumed_run("run")
    rulebots.load_rules("keep.py:mine")
    rulebots.bring_player("h4.py:H4")
    assert evolve.resumed_run("run").game is game
