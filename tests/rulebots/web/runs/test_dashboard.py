"""What the page shows of a run: figures and curves from its log."""

from __future__ import annotations

from page_client import Site


def test_a_damaged_log_is_no_dead_page(site: Site) -> None:
    folder = site.folder / "runs" / "cut"
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text('{"event": "begin"\nnonsense\n')
    assert site.get("/runs").status == 200
    assert "no line yet" in site.get("/runs/cut").text
