"""The contract of a game, over every game found, with random play."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from hidden_cards import REDEALT
from recorded import _recorder, recorded

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game
from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.play.deals import draw_deals

GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
every_game_that_hides_something = pytest.mark.parametrize(
    "game", [game for game in GAMES if game.hidden], ids=lambda g: g.name
)


def option_extremes(game: Game) -> list[dict[str, int]]:
    """The defaults, all options at their lowest, all at their highest."""
    lows = {name: option.low for name, option in game.options.items()}
    highs = {name: option.high for name, option in game.options.items()}
    return [{}, lows, highs] if game.options else [{}]


@pytest.mark.slow
@every_game
def test_moves_are_unique_and_in_range_until_the_game_is_over(game: Game) -> None:
    for options in option_extremes(game):
        deals = draw_deals(game, 10, 1, options=options)
        for number in range(10):
            record = recorded(deals, number)
            assert 0 < record.plies <= game.ply_cap
            for legal in record.legal:
                assert legal
                assert len(set(legal)) == len(legal)
                assert min(legal) >= 0
                assert max(legal) < game.move_count
            law = law_of(game)
            assert [law.over(s) for s in record.states[:-1]] == [False] * record.plies
            assert law.over(record.states[-1]) or record.plies == game.ply_cap


@every_game
def test_some_random_games_come_to_their_end(game: Game) -> None:
    deals = draw_deals(game, 20, 2)
    assert any(law_of(game).over(recorded(deals, number).states[-1]) for number in range(20))


@every_game
def test_the_mover_is_seat_0_first_and_then_any(game: Game) -> None:
    record = recorded(draw_deals(game, 1, 3), 0)
    movers = record.states["mover"].tolist()
    seats = [mover for mover in movers if mover != CHANCE]
    assert seats[0] == 0 or game.name == "hearts", "there the two of clubs begins"
    assert set(seats) == set(range(game.seats_with({})))
    assert game.chance == (CHANCE in movers)


@every_game
def test_points_are_whole_numbers_for_each_seat(game: Game) -> None:
    record = recorded(draw_deals(game, 1, 4), 0)
    for state in record.states[:: max(1, record.plies // 20)]:
        for seat in range(2):
            points = game.points(state, seat)
            assert np.isfinite(points)
            assert points == int(points)


@pytest.mark.slow
@every_game
def test_what_is_written_reads_back(game: Game) -> None:
    for options in option_extremes(game):
        record = recorded(draw_deals(game, 1, 5, options=options), 0)
        for state, legal in zip(record.states, record.legal, strict=False):
            texts = [game.text.write(move) for move in legal]
            assert len(set(texts)) == len(texts)
            assert [game.text.read(text, state) for text in texts] == legal


@every_game
def test_nonsense_is_no_move(game: Game) -> None:
    state = recorded(draw_deals(game, 1, 5), 0).states[0]
    for text in ("", "   ", "?", "no move", "-1", "9999999999999999999999", "\x00", "é"):
        with pytest.raises(UsageError):
            game.text.read(text, state)


@every_game
def test_every_position_can_be_shown_to_both_seats_and_the_referee(game: Game) -> None:
    record = recorded(draw_deals(game, 1, 6), 0)
    for state in record.states[:: max(1, record.plies // 10)]:
        assert all(game.text.show(state, seat).strip() for seat in (0, 1, None))


@pytest.mark.slow
@every_game
def test_a_view_depends_on_the_position_only(game: Game) -> None:
    """Not on what was observed into it before, and observing changes nothing."""
    record = recorded(draw_deals(game, 1, 7), 0)
    used = game.new_view()
    for state in record.states[: record.plies]:
        if state.mover == CHANCE:
            continue
        before, fresh = state.tobytes(), game.new_view()
        game.observe(state, fresh)
        game.observe(state, used)
        game.observe(state, used)
        assert used.tobytes() == fresh.tobytes()
        assert state.tobytes() == before


@pytest.mark.slow
@every_game_that_hides_something
def test_a_view_tells_nothing_that_is_hidden(game: Game) -> None:
    assert game.name in REDEALT, f"hidden_cards.py says nothing about {game.name}"
    law, rng, differs = law_of(game), np.random.default_rng(1), 0
    for number in range(10):
        record = recorded(draw_deals(game, 10, 8), number)
        for state in record.states[: record.plies]:
            if state.mover == CHANCE:
                continue
            other = REDEALT[game.name](state, rng)
            differs += other.tobytes() != state.tobytes()
            views = game.new_view(), game.new_view()
            law.observe(state, views[0])
            law.observe(other, views[1])
            assert views[0].tobytes() == views[1].tobytes()
    assert differs > 50


@every_game
def test_kinds_and_items_are_defined_for_every_legal_move(game: Game) -> None:
    record = recorded(draw_deals(game, 1, 9), 0)
    for state, view, legal in zip(record.states, record.views, record.legal, strict=False):
        for move in legal if state.mover != CHANCE else ():
            assert game.kind(move) in range(len(game.kinds))
            assert int(game.item(view, move)) == game.item(view, move)


@every_game
def test_the_odds_of_every_chance_decision_are_probabilities(game: Game) -> None:
    record = recorded(draw_deals(game, 1, 9), 0)
    for position in map(record.position, range(record.plies)):
        if position.chance_to_move:
            outcomes, odds = position.outcomes
            assert outcomes.tolist() == record.legal[position.plies]
            assert (odds >= 0).all()
            assert odds.sum() == pytest.approx(1)


def test_an_unknown_game_is_answered_with_the_nearest_or_with_all() -> None:
    with pytest.raises(UsageError, match=r"no game 'lost_citys'; did you mean 'lost-cities'\?"):
        load_game("lost_citys")
    with pytest.raises(UsageError, match=r"no game 'xyzzy'; there are: .*lost-cities"):
        load_game("xyzzy")


def test_an_unknown_rule_set_is_answered_with_the_nearest(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match=r"no rule set 'shely' of lost-cities; did you mean 'shelly'\?"):
        load_rules("shely", lost_cities)


@pytest.mark.slow
@every_game
def test_loading_a_game_its_rules_and_players_does_not_import_numba(game: Game) -> None:
    assert importlib.util.find_spec("numba")
    code = (
        "import sys; from rulebots.packages import load_game, package_of; "
        f"game = load_game({game.name!r}); parts = package_of(game); parts.rule_sets, parts.players, parts.references; "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@every_game
def test_the_default_rule_set_and_the_references_exist(game: Game) -> None:
    assert load_rules(game=game).name in rule_sets_of(game)
    assert package_of(game).references
    assert set(package_of(game).references) <= {*package_of(game).players, "random"}


@pytest.mark.slow
@every_game
def test_interpreted_and_compiled_law_play_the_same_games(game: Game) -> None:
    deals = draw_deals(game, 3, 10)
    for number in range(3):
        compiled = recorded(deals, number)
        states, views = records(game.state, game.ply_cap + 1), records(game.view, game.ply_cap)
        legal = np.full((game.ply_cap, game.move_count), -1, np.int64)
        counts, chosen = np.zeros(game.ply_cap, np.int64), np.zeros(game.ply_cap, np.int64)
        game.setup.function(states[0], deals.cards[number], deals.options)
        luck = int(deals.luck[number, 0])
        plies = _recorder(game).function(states, views, legal, counts, chosen, luck)
        assert plies == compiled.plies
        assert states[: plies + 1].tobytes() == compiled.states.tobytes()
        assert views[:plies].tobytes() == compiled.views.tobytes()
        assert chosen[:plies].tolist() == compiled.chosen


@every_game
def test_options_are_whole_numbers_in_their_range(game: Game) -> None:
    for chosen in option_extremes(game):
        values = game.option_values(chosen)
        assert {name: int(values[name]) for name in chosen} == chosen
    for name, option in game.options.items():
        assert option.low <= option.default <= option.high
        for wrong in (option.low - 1, option.high + 1, 1.5, "5", True, None):
            with pytest.raises(UsageError, match=rf"option '{name}' of {game.name} takes a whole number from"):
                game.option_values({name: wrong})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=f"no option 'nonsense' of {game.name}; there are:"):
        game.option_values({"nonsense": 1})
