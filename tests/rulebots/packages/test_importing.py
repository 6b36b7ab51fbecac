"""A module of the user's is imported from where it is, and never another one of its name."""

from __future__ import annotations

from user_code_files import H4, KEEP, copy_of_tictactoe, said

from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules


def test_a_module_beside_a_file_is_the_one_that_it_imports(user_code, lost_cities):
    make_player("h4.py:H4", lost_cities)  # which imports the helper beside it
    (user_code / "b").mkdir()
    (user_code / "b" / "helper.py").write_text("def first_of(moves):\n    return moves[-1]\n")
    (user_code / "b" / "h4.py").write_text(H4)
    message = said(CodeError, lambda: make_player("b/h4.py:H4", lost_cities))
    here = str(user_code)
    assert message == f"{here}/b/h4.py:2: 'helper' would be {here}/helper.py, not {here}/b/helper.py: rename that file"
    (user_code / "b" / "keep.py").write_text(KEEP.format(name="other"))
    assert load_rules("b/keep.py:mine", lost_cities) is not load_rules("keep.py:mine", lost_cities)


def test_a_script_beside_a_games_project_finds_the_package_inside(user_code, monkeypatch):
    monkeypatch.syspath_prepend(user_code)  # as where `python train.py` runs: the project's folder looks like a package
    copy_of_tictactoe(user_code / "beside" / "beside", "beside")
    assert load_game("./beside").name == "beside"
