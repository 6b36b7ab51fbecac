"""Tuning by hand, asked over HTTP."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator

import numpy as np
import pytest
from match_results import result_of
from page_client import Answer, Site

from rulebots.packages import load_game
from rulebots.packages.population import check_population, load_population
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import sides_of_deal
from rulebots.play.results import MatchResult
from rulebots.web.served_folder import ServedFolder
from rulebots.web.weight_trials import TEST, TrialResult, WeightTrial


@pytest.fixture
def mine(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with a file of the hand-tuned weights of tic-tac-toe, whose trials are short and end with the test."""
    from rulebots.packages.population import Entry, Population, population_text

    monkeypatch.setattr("rulebots.web.weight_trials.BLOCK", 10)
    monkeypatch.setattr("rulebots.web.weight_trials.MOST_DEALS", 20)
    game = load_game("tictactoe")
    rules = load_rules(game=game)
    players = {"mine": Entry(rules.hand_tuned(), None, "my own")}
    text = population_text(Population(game, rules, players, comment="Mine, and what I think of it.\nA second line."))
    (site.folder / "mine.yaml").write_text(text)
    begun = list[WeightTrial]()
    begin = WeightTrial.start

    def start(trial: WeightTrial) -> None:
        begun.append(trial)
        begin(trial)

    monkeypatch.setattr(WeightTrial, "start", start)
    yield site
    for trial in begun:  # the interpreter does not end well while one compiles
        trial.stop()
        assert trial.done.wait(240)


def done(site: Site, address: str) -> Answer:
    for _ in range(600):
        page = site.get(address)
        assert page.status == 200
        if "Done." in page.text or "Stopped." in page.text:
            return page
        time.sleep(0.05)
    raise AssertionError(page.text)


def trial_of(answer: Answer) -> str:
    return f"/tune/trial/{answer.field('trial')}"


def rates(page: Answer) -> list[float]:
    return [float(rate) for rate in re.findall(r'class="rate">([\d.]+) %', page.text)]


def test_the_files_and_shipped_players_are_offered(mine: Site) -> None:
    page = mine.get("/tune")
    assert "mine.yaml" in page.text
    assert '<h2><a href="/tune/edit?game=lost-cities&amp;player=champion">Lost Cities</a></h2>' in page.text
    assert mine.get("/tune/edit?game=kalah&player=champion").status == 200
    edit = mine.get("/tune/edit?player=mine.yaml")
    assert edit.status == 200
    assert edit.text.count('type="range"') == edit.text.count("data-file=") > 4


def test_a_file_is_offered_by_what_it_is(mine: Site) -> None:
    for name in ("runs/kalah-seed1/champion.yaml", "tried/two_rules.yaml"):
        file = mine.folder / name
        file.parent.mkdir(parents=True)
        file.write_text((mine.folder / "mine.yaml").read_text())
    page = mine.get("/tune").text
    assert (
        'player=runs/kalah-seed1/champion.yaml" title="runs/kalah-seed1/champion.yaml">champion of kalah-seed1<' in page
    )
    assert ">two rules in tried<" in page
    assert ">mine<" in page
    assert page.count("<strong>Tic-tac-toe</strong>\n") == 1, "the files of a game stand together"
    assert "<strong>Kalah</strong>" not in page


def test_files_without_players_say_what_is_wrong(mine: Site) -> None:
    (mine.folder / "notes.yaml").write_text("hello: world\n")
    (mine.folder / "picture.yaml").write_bytes(b"\x89\x00\xff")
    (mine.folder / "ladder.yaml").write_text("format: rulebots-ladder/1\n")
    (mine.folder / "gone.yaml").symlink_to("nowhere.yaml")
    page = mine.get("/tune").text
    assert 'title="notes.yaml"' not in page, "no button as those have that can be tuned"
    assert "2 files hold no player that can be read" in page
    assert '<a href="/tune/edit?player=notes.yaml">notes.yaml</a>:1:1: expected the key &#39;format&#39;' in page
    assert ">picture.yaml</a>: expected a population file" in page
    (mine.folder / "notes.yaml").write_text((mine.folder / "mine.yaml").read_text())
    assert "One file holds no player that can be read" in mine.get("/tune").text
    assert "gone.yaml" not in page
    assert "ladder.yaml" not in page, "it says itself that it is something else"


def test_no_look_at_a_trial_overtakes_a_change_of_its_weights(mine: Site) -> None:
    page = mine.get("/tune/edit?player=mine.yaml").text
    form = page[page.index('action="/tune/try"') : page.index('id="weights"')]
    assert 'hx-sync="this:replace"' in form  # a change gives up a look that is under way
    fragment = mine.act("/tune/try", player="mine.yaml", game="", opponents="random").text
    assert "data-polls" not in fragment or 'hx-sync="#weights:drop"' in fragment  # which waits for the change


@pytest.mark.slow
def test_a_change_shows_both_win_rates_and_where_it_moves_otherwise(mine: Site) -> None:
    fields = {"player": "mine.yaml", "game": "", "opponents": "hand_tuned random"}
    slight = done(mine, trial_of(mine.post("/tune/try", {**fields, "early-0": "256.1"})))
    old = rates(slight)
    assert len(old) == 4
    assert old[0] == old[1]
    assert re.search(r"moves as before in all [\d,]+ positions that were looked at\.", slight.text)
    assert re.search(r"Against random: <strong>undecided</strong> \(([\d.]+) → \1 % so far\) .*40 games", slight.text)
    page = mine.get("/tune/edit?player=mine.yaml")
    spoilt = dict.fromkeys(re.findall(r'name="((?:early|late)-\d+)"', page.text), "-5")
    after = done(mine, trial_of(mine.post("/tune/try", {**fields, **spoilt})))
    changed = rates(after)
    assert changed[1] < changed[0]
    assert "Where it now moves differently" in after.text
    assert re.search(r"move \d+: it now chooses to [a-z]+ [^<]*, not to [a-z]+ ", after.text), "moves are said in words"


def test_weights_of_the_file_play_nothing(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WeightTrial, "_played", None)  # fails where it plays
    fields = {"player": "mine.yaml", "game": "", "opponents": "random"}
    answer = mine.act("/tune/try", **fields)
    assert answer.text.count("Nothing is changed: the weights are those of the file.") == 2, "shown, and announced"
    assert "data-polls" not in answer.text, "it is over at once"
    assert "Nothing is changed" in mine.post("/tune/try", dict(fields)).text
    assert "moves as before" not in answer.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"early-0": "x"}, "”: expected a number from -1000000 to 1000000, not &#39;x&#39;"),
        ({"early-0": "nan"}, "expected a number"),
        ({"late-0": "1e9"}, "expected a number"),
        ({"opponents": ""}, "expected 1 to 4 opponents, chosen or named with spaces between the names, not none"),
        ({"opponents": "a b c d e"}, "expected 1 to 4 opponents, chosen or named with spaces between the names, not 5"),
        (
            {"against-1": "unchanged", "opponents": "a b c d"},
            "expected 1 to 4 opponents, chosen or named with spaces between the names, not 5",
        ),
        ({"opponents": "os:system"}, "is not a player that this page may start"),
        ({"opponents": "newell-simom"}, "this page may start; did you mean &#39;newell-simon&#39;?"),
        ({"opponents": "mind.yaml"}, "in the folder that is served; did you mean &#39;mine.yaml&#39;?"),
        ({"opponents": "mcts:power=1"}, "too slow to try weights against"),
        ({"player": "no.yaml"}, "there is no file"),
        ({"player": "mine.yaml#other"}, "no player &#39;other&#39;"),
        ({"game": "hearts"}, "mine.yaml holds players of Tic-tac-toe, not of hearts"),
    ],
)
def test_a_trial_that_cannot_begin_says_why(mine: Site, fields: dict[str, str], said: str) -> None:
    page = mine.get("/tune/edit?player=mine.yaml")
    key = re.findall(r'name="(early-\d+)"', page.text)[0]
    flat = 'name="late-0"' not in page.text
    asked = {(key if name.startswith("late") and flat else name): value for name, value in fields.items()}
    answer = mine.post("/tune/try", {"player": "mine.yaml", "game": "", "opponents": "random", **asked})
    assert answer.status == 422
    assert said in answer.text, answer.text


def test_three_digits_that_nobody_changes_keep_the_weight_of_the_file(site: Site) -> None:
    page = site.get("/tune/edit?game=kalah&player=champion")
    shown = dict(re.findall(r'name="((?:early|late)-\d+)" value="([^"]*)"', page.text))
    assert max(len(text.strip("-0.").replace(".", "")) for text in shown.values()) <= 3
    (changed, _), *_ = shown.items()
    asked = {"player": "champion", "game": "kalah", **shown, changed: "0.12345", "file": "tuned.yaml"}
    assert site.post("/tune/save", asked).status == 200
    whole = ServedFolder(site.folder).file_player("champion", "kalah").entry.weights
    tuned = load_population(site.folder / "tuned.yaml").players["champion"].weights
    assert (whole != tuned).sum() == 1


def test_a_new_file_says_nothing_that_a_run_found_of_its_parent(mine: Site) -> None:
    text = (mine.folder / "mine.yaml").read_text().replace("players:", "bred: {seed: 1}\nplayers:", 1)
    (mine.folder / "bred.yaml").write_text(text)
    key = re.findall(r'name="(early-\d+)"', mine.get("/tune/edit?player=bred.yaml").text)[0]
    assert mine.post("/tune/save", {"player": "bred.yaml", "game": "", key: "0.125", "file": "tuned"}).status == 200
    assert load_population(mine.folder / "tuned.yaml").comment == "tuned by hand from bred.yaml"


def test_a_new_file_keeps_comments_and_no_file_is_overwritten(mine: Site) -> None:
    page = mine.get("/tune/edit?player=mine.yaml")
    key = re.findall(r'name="(early-\d+)"', page.text)[0]
    before = (mine.folder / "mine.yaml").read_text()
    fields = {"player": "mine.yaml", "game": "", key: "0.125", "file": "tuned"}
    saved = mine.post("/tune/save", fields)
    assert saved.status == 200
    assert "Saved as" in saved.text
    assert check_population(mine.folder / "tuned.yaml") == []
    population = load_population(mine.folder / "tuned.yaml")
    assert population.comment.startswith("Mine, and what I think of it.\nA second line.")
    assert population.players["mine"].note == "my own"
    assert population.players["mine"].weights[0, int(key.split("-")[1])] == 0.125
    assert "nothing is changed" in mine.post("/tune/save", {"player": "mine.yaml", "game": "", "file": "same"}).text
    again = mine.post("/tune/save", {**fields, key: "9"})
    assert again.status == 422
    assert "no file is overwritten" in again.text
    for name in ("mine.yaml", "../out.yaml", "/tmp/out.yaml", "x.txt", "", ".hidden.yaml", "a/b.yaml"):  # noqa: S108
        assert mine.post("/tune/save", {**fields, "file": name}).status == 422, name
    assert (mine.folder / "mine.yaml").read_text() == before
    assert sorted(path.name for path in mine.folder.glob("*.yaml")) == ["mine.yaml", "tuned.yaml"]
    address = mine.begin("tictactoe", player2="tuned.yaml")
    assert mine.get(address).status == 200


def test_a_mistake_in_a_file_has_its_line_and_column(mine: Site) -> None:
    text = (mine.folder / "mine.yaml").read_text()
    (mine.folder / "wrong.yaml").write_text(text.replace("game: tictactoe", "game: tictactoo"))
    answer = mine.get("/tune/edit?player=wrong.yaml")
    assert answer.status == 422
    assert re.search(r"wrong\.yaml:\d+:\d+: .*tictactoe", answer.text)
    (mine.folder / "wrong.yaml").write_text(re.sub(r"(:) \[?[-\d.]+.*", r"\1 x", text))
    answer = mine.get("/tune/edit?player=wrong.yaml")
    found = check_population(mine.folder / "wrong.yaml")
    assert [str(problem).removeprefix(f"{mine.folder}/") for problem in found] == [
        html.unescape(line) for line in re.findall(r'role="alert">(.*?)</p>', answer.text)
    ]
    assert answer.text.count('role="alert"') > 4


def test_what_a_form_leaves_out_stays_as_it_was(mine: Site) -> None:
    from rulebots.web.served_folder import FilePlayer
    from rulebots.web.tune import weights_of

    population = load_population(mine.folder / "mine.yaml")
    player = FilePlayer("mine.yaml", "", mine.folder / "mine.yaml", population, "mine", population.players["mine"])
    assert np.array_equal(weights_of(player, {}), population.players["mine"].weights)
    assert weights_of(player, {"early-0": "2,5"})[0, 0] == 2.5, "a comma is a decimal point"


@pytest.mark.slow
def test_rules_stand_by_group_the_ones_that_matter_first(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.weight_trials.BLOCK", 1)
    page = mine.get("/tune/edit?game=kalah&player=champion").text
    groups = re.findall(r'<details class="group"( open)?>(.*?)</details>', page, re.DOTALL)
    assert len(groups) > 1
    assert [bool(opened) for opened, _ in groups] == [True] + [False] * (len(groups) - 1)
    for _, text in groups:
        sizes = [
            max(map(abs, map(float, re.findall(r'data-file="([^"]*)"', row))))
            for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL)[1:]
        ]
        assert sizes == sorted(sizes, reverse=True)
    assert "Early is the weight as a game begins, late the one as it ends" in page
    key = re.findall(r'name="(early-\d+)"', groups[-1][1])[0]
    fields = {"player": "champion", "game": "kalah", "opponents": "random", key: "0.125"}
    after = mine.post("/tune/try", fields).text
    assert re.search(rf'name="{key}" value="0.125" data-file="[^"]+"', after)
    opened = re.findall(r'<details class="group"( open)?>', after)
    assert (opened[0], opened[-1]) == (" open",) * 2, "what is changed is in sight"


def test_rules_that_say_the_same_are_told_apart(site: Site) -> None:
    page = site.get("/tune/edit?game=hanabi&player=champion").text
    titles = re.findall(r'scope="row" tabindex="-1">(.*?) <span', page)
    assert len(set(titles)) == len(titles) > 10
    assert "Plays a card that is more likely to fit (law chance)" in titles
    assert 'aria-label="plays a card that is more likely to fit (law chance), early"' in page
    assert page.count('<tr class="alike">') == 11


def test_rules_with_the_largest_weights_come_first() -> None:
    from rulebots.web.tune import _groups

    rows = [{"group": g, "rule": n, "meaning": "", "early": 0.0, "late": 0.0} for g, n in ("ax", "ay", "bz")]
    in_file = np.array([[3.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
    assert [[row["rule"] for row in group] for _, group in _groups(rows, in_file)] == [["x", "y"], ["z"]]
    assert [[row["rule"] for row in group] for _, group in _groups(rows, -in_file[:, ::-1])] == [["z"], ["x", "y"]]


@pytest.mark.slow
def test_a_weight_beyond_all_others_together_is_asked_about(mine: Site) -> None:
    fields = {"player": "mine.yaml", "game": "", "opponents": "random"}
    said = "weighs more than all other rules together"
    assert said in mine.post("/tune/try", {**fields, "early-0": "99999"}).text
    assert said not in mine.post("/tune/try", {**fields, "early-1": "0.25"}).text


@pytest.mark.slow
def test_a_verdict_is_said_in_words_with_its_interval(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"player": "mine.yaml", "game": "", "opponents": "random"}
    trial = trial_of(mine.post("/tune/try", {**fields, "early-0": "256.1"}))
    same = done(mine, trial)
    said = "Against random: <strong>undecided</strong> ("
    assert said in same.text
    assert f'<div hx-swap-oob="innerHTML:#said">{said}' in mine.get(trial, HX_Request="true").text
    assert 'id="said" class="hidden" role="status"' in mine.get("/tune/edit?player=mine.yaml").text
    monkeypatch.setattr("rulebots.web.weight_trials.MOST_DEALS", 400)
    page = mine.get("/tune/edit?player=mine.yaml")
    spoilt = dict.fromkeys(re.findall(r'name="((?:early|late)-\d+)"', page.text), "-5")
    after = done(mine, trial_of(mine.post("/tune/try", {**fields, **spoilt})))
    assert re.search(
        r"Against random: <strong>worse</strong> \([\d.]+ → [\d.]+ %, [\d.]+ of 100 games fewer\) "
        r"<span[^>]*>95 %: \u2212[\d.]+ to \u2212[\d.]+; \d+ games<",
        after.text,
    )


@pytest.mark.slow
def test_the_changed_player_meets_the_unchanged_one(mine: Site) -> None:
    page = mine.get("/tune/edit?player=mine.yaml").text
    ticked = re.findall(r'type="checkbox" name="(against-\d+)" value="([^"]*)" checked', page)
    assert [name for _, name in ticked] == ["unchanged", "newell-simon"], "the file holds the weights of standard"
    offered = re.findall(r'type="checkbox" name="against-\d+" value="([^"]*)"', page)
    assert not {"standard", "hand_tuned"} & set(offered), "each player once"
    twice = {"player": "mine.yaml", "game": "", "early-0": "-5", "opponents": "hand_tuned standard"}
    assert len(rates(done(mine, trial_of(mine.post("/tune/try", twice))))) == 2, "old and new against one opponent"
    answer = mine.post("/tune/try", {"player": "mine.yaml", "game": "", "early-0": "-5", ticked[0][0]: "unchanged"})
    tried = done(mine, trial_of(answer)).text
    assert "Against its unchanged self: " in tried
    assert re.findall(r'class="rate">([\d.]+) % <span class="faint">([^<]*)', tried)[0] == ("50.0", ""), (
        "by construction"
    )
    assert re.findall(r'type="checkbox" name="against-\d+" value="([^"]*)" checked', answer.text) == ["unchanged"]


@pytest.mark.slow
def test_more_games_are_added_to_those_played_until_it_is_decided(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.weight_trials.SECONDS", 0.0)
    monkeypatch.setattr("rulebots.web.weight_trials.MOST_DEALS", 10_000)
    fields = {"player": "mine.yaml", "game": "", "opponents": "random", "early-0": "256.1"}
    trial = trial_of(mine.post("/tune/try", dict(fields)))
    page = done(mine, trial)
    assert ">20 games<" in page.text
    assert "too early to say" in page.text
    games = [20]
    while "no clear change" not in page.text:
        assert 'formaction="/tune/on"' in page.text
        assert mine.post("/tune/on", {"trial": trial.rpartition("/")[2]}).status == 303
        page = done(mine, trial)
        games.append(int(re.findall(r">([\d,]+) games<", page.text)[0].replace(",", "")))
    assert games == sorted(set(games))
    said = (
        r"Against random: <strong>no clear change</strong> \([\d.]+ → [\d.]+ %, less than 3 of 100 games either way\)"
    )
    assert re.search(said, page.text)
    assert 'formaction="/tune/on"' not in page.text
    assert mine.post("/tune/on", {"trial": "gone"}).status == 404


def test_a_trial_is_stopped_and_goes_on(mine: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WeightTrial, "open", True)  # however fast the games are played, nothing is decided
    monkeypatch.setattr("rulebots.web.weight_trials.SECONDS", 600.0)
    monkeypatch.setattr(WeightTrial, "_compare", lambda trial: None)
    fields = {"player": "mine.yaml", "game": "", "opponents": "random", "early-0": "256.1"}
    address = trial_of(mine.post("/tune/try", dict(fields)))
    name = address.rpartition("/")[2]
    mine.act("/tune/on", trial=name, stop="1")
    stopped = done(mine, address).text
    assert "Stopped." in stopped
    assert 'formaction="/tune/on"' in stopped
    assert mine.post("/tune/on", {"trial": name}).status == 303
    assert mine.post("/tune/on", {"trial": name, "stop": "1"}).status == 303
    done(mine, address)


@pytest.mark.parametrize(
    ("game", "player", "said", "rates"),
    [
        (
            "hanabi", "champion",
            ("With copies of itself: <strong>worse</strong> (21.50 → 21.00 of 25 points a game, 0.50 fewer) "
            '<span class="faint">95 %: \u22120.56 to \u22120.44; 300 games<'),
            [("21.50", "21.39 to 21.61"), ("21.00", "20.91 to 21.09")],
        ),
        (
            "hearts", "hand_tuned",
            ("Against its unchanged self: <strong>worse</strong> (lead +0.00 → \u22120.50 points a game, 0.50 fewer) "
            '<span class="faint">95 %: \u22120.56 to \u22120.44; 2,400 games<'),
            [("+0.00", ""), ("\u22120.50", "\u22120.56 to \u22120.44")],
        ),
    ],
)  # fmt: skip
def test_where_points_count_the_change_is_said_in_points(
    mine: Site, monkeypatch: pytest.MonkeyPatch, game: str, player: str, said: str, rates: list[tuple[str, str]]
) -> None:
    sides = sides_of_deal(4, together=False)

    def match(less: int) -> MatchResult:
        if game == "hanabi":
            return result_of(
                [(own, own) for deal in range(300) for own in (20 + deal % 3 + (1 - less) * (deal % 2), 20)], game=game
            )
        return result_of([tuple(-less * (deal % 2) * side) for deal in range(300) for side in sides], game=game)

    def work(trial: WeightTrial) -> None:
        trial.results["unchanged"] = TrialResult.of(TEST, match(0), match(1))

    monkeypatch.setattr(WeightTrial, "work", work)
    edit = mine.get(f"/tune/edit?game={game}&player={player}").text
    assert ("It plays with copies of itself." in edit) == (game == "hanabi")
    assert ("<legend>Against</legend>" in edit) == (game == "hearts"), "nobody plays against anybody in Hanabi"
    assert 'name="against-1" value="unchanged"' in edit
    fields = {"player": player, "game": game, "against-1": "unchanged", "early-0": "-3"}
    after = done(mine, trial_of(mine.post("/tune/try", fields))).text
    assert said in after, after
    assert not re.search("of 100 games|[Ww]in", after[after.index("verdicts") : after.index("</details>")])
    assert re.findall(r'class="rate">(\S+) <span class="faint">([^<]*)<', after) == rates


def test_no_trial_of_the_same_weights_and_opponents_restarts(mine: Site) -> None:
    fields = {"player": "mine.yaml", "game": "", "opponents": "random", "early-0": "-5", "file": "one"}
    first = mine.post("/tune/try", dict(fields)).field("trial")
    for same in ({"file": "two"}, {"against-1": "random"}):
        assert mine.post("/tune/try", {**fields, **same, "trial": first}).field("trial") == first
    assert mine.post("/tune/try", {**fields, "early-0": "-4", "trial": first}).field("trial") != first
