"""The file of a run."""

from __future__ import annotations

from evolve.storage import result as save


def test_a_name_that_is_taken_gets_a_number(tmp_path):
    assert save.free_name(tmp_path / "a.yaml") == tmp_path / "a.yaml"
    (tmp_path / "a.yaml").touch()
    (tmp_path / "a-2.yaml").touch()
    assert save.free_name(tmp_path / "a.yaml") == tmp_path / "a-3.yaml"
