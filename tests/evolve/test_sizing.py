"""A run of a slow game becomes smaller, unless the user chose its sizes."""

import pytest

from evolve import Run, Settings
from evolve.sizing import (
    BRED_SHARE,
    LEAST,
    MOST_SECONDS,
    TOLERATED,
    coarse,
    fitted,
    free_sizes,
    games_a_second,
    seconds_of,
    still_fitting,
)
from rulebots.packages import load_game


def sizes(settings: Settings) -> dict[str, int]:
    return {name: getattr(settings, name) for name in LEAST}


def test_a_fast_game_keeps_its_sizes() -> None:
    run = Run(Settings.of(game="tictactoe"))
    assert fitted(run, 50_000.0, list(LEAST)) == run.settings


@pytest.mark.parametrize(("options", "speed"), [({}, 70.0), ({"seats": 4}, 70.0)])
def test_a_slow_game_takes_minutes(options: dict[str, int], speed: float) -> None:
    run = Run(Settings.of(game="cant-stop", options=options))
    settings = fitted(run, speed, list(LEAST))
    assert MOST_SECONDS / 8 < seconds_of(run, settings, speed) <= MOST_SECONDS
    before, after = sizes(run.settings), sizes(settings)
    assert all(min(LEAST[name], before[name]) <= after[name] <= before[name] for name in LEAST)
    assert set(settings.chosen()) <= {*LEAST, "game", "options"}


def test_no_size_shrinks_below_its_least() -> None:
    run = Run(Settings.of(game="tictactoe"))
    assert sizes(fitted(run, 0.001, list(LEAST))) == {**LEAST, "lessons": 0}


def test_what_is_farthest_above_its_least_is_halved_first() -> None:
    run = Run(Settings.of(game="tictactoe", deals=32, opponent_deals=12))
    speed = seconds_of(run, run.settings, 1.0) / (BRED_SHARE * 1200 + 1)
    assert sizes(fitted(run, speed, list(LEAST)[:-1], 1200.0)) == {**sizes(run.settings), "deals": 16}


@pytest.mark.parametrize(
    ("games", "expected"), [(500, (8, 2)), (3000, (12, 9)), (12_000, (24, 12)), (35_000, (24, 31)), (10**6, (40, 143))]
)
def test_a_small_run_has_fewer_generations_before_it_has_fewer_players(games: int, expected: tuple[int, int]) -> None:
    run = Run(Settings.of(game="tictactoe"))
    settings = fitted(run, games / BRED_SHARE, list(LEAST), 1.0)
    assert (settings.population, settings.generations) == expected


@pytest.mark.parametrize(
    ("chosen", "free"),
    [
        ([], list(LEAST)),
        (["generations", "seed"], [name for name in LEAST if name != "generations"]),
        (["population"], []),
        (["opponent_deals", "generations"], []),
    ],
)
def test_a_size_of_a_generation_fixes_all_without_a_time_limit(chosen: list[str], free: list[str]) -> None:
    game = load_game("tictactoe")
    assert free_sizes(chosen, game) == free
    assert free_sizes(chosen, game, 60.0) == [name for name in LEAST if name not in chosen]


def test_a_population_that_the_user_chose_stays_where_time_is_short() -> None:
    run = Run(Settings.of(game="tictactoe", population=32))
    settings = fitted(run, 1 / BRED_SHARE, free_sizes(["population"], run.game, 1.0), 1.0)
    assert (settings.population, settings.generations) == (32, 1)


@pytest.mark.parametrize("name", ["lost-cities", "hearts", "hanabi", "kalah"])
def test_a_game_that_says_how_it_is_bred_keeps_its_sizes_on_any_machine(name: str) -> None:
    assert free_sizes([], load_game(name)) == []
    assert free_sizes([], load_game(name), 60.0) == list(LEAST)


def test_half_and_twice_the_speed_decide_alike() -> None:
    run = Run(Settings.of(game="tictactoe"))
    hours = coarse(seconds_of(run, run.settings, 1.0) / (20 * TOLERATED))
    shrunk = fitted(run, hours, list(LEAST))
    assert shrunk != run.settings
    assert [fitted(run, coarse(share * hours), list(LEAST)) for share in (0.55, 1.9)] == [shrunk, shrunk]
    assert fitted(run, seconds_of(run, run.settings, 1.0) / (TOLERATED - 1), list(LEAST)) == run.settings


def test_the_speed_is_measured_over_enough_games(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(Settings.of(game="tictactoe"))
    clock = iter([0.0, 0.05, 1.0, 1.1, 2.0, 2.5])
    monkeypatch.setattr("evolve.sizing.time.perf_counter", lambda: next(clock))
    assert games_a_second(run) == pytest.approx(16 * 2 / 0.5)


def test_generations_follow_the_time_that_they_take() -> None:
    seconds = 100.0
    assert still_fitting(1, 10.0, seconds) == BRED_SHARE * seconds / 10
    assert still_fitting(4, 20.0, seconds) == BRED_SHARE * seconds / 5
    assert still_fitting(4, 90.0, seconds) == 4
