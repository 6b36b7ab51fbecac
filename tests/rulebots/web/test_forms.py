"""Every form of the page, found by walking its links, filled with names that would say something to a command."""

from __future__ import annotations

import html
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from page_client import Client, serving
from run_logs import begin, generation, line

from rulebots.players.specs import quoted, split_specs

#: With characters that separate something somewhere.
NAMES = ["x,program:touch FILE,y;:#=@", "p:q,guide=program:touch FILE#b.yaml#c", "k=1,;:#=@\nl"]
POPULATION = "format: rulebots-population/1\ngame: tictactoe\nrules: standard\nplayers: {mine: {weights: {}}}\n"


@dataclass
class Form:
    """A form: where it is sent, and its fields with the values that can be chosen, none where any text can be typed."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)


class Reader(HTMLParser):
    """The forms and links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms = list[Form]()
        self.links = list[str]()
        self.select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in given}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "a":
            self.links.append(attributes["href"])
        elif tag == "form":
            self.forms.append(Form(attributes["action"], attributes["method"]))
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and value:
            self.forms[-1].fields.setdefault(self.select, []).append(value)
        elif tag in ("input", "textarea", "button") and name and self.forms:
            if attributes.get("type") == "hidden":
                self.forms[-1].fixed[name] = value
            else:
                chosen = [value] if attributes.get("type") in ("checkbox", "radio") or tag == "button" else []
                self.forms[-1].fields.setdefault(name, []).extend(chosen)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""


def walked(site: Client, *more: str) -> Iterator[tuple[str, Form]]:
    """Each form once: those at an address of the same kind are alike."""
    waiting, seen, kinds = ["/", *more], set[str](), set[tuple[str, ...]]()
    while waiting:
        path = waiting.pop(0)
        if path in seen or len(seen) > 400 or not path.startswith("/") or path.endswith("/record"):
            continue
        seen.add(path)
        answer = site.get(path.replace("\n", "%0A"))
        assert answer.status < 500, (path, answer.text)
        reader = Reader(answer.text)
        waiting += reader.links
        for form in reader.forms:
            kind = (form.action.partition("?")[0], *form.fields)
            if kind not in kinds:
                kinds.add(kind)
                yield path, form


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_form_makes_a_command_of_a_name(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is typed or chosen: no program is started but `evolve`, and each name reaches it as one word."""
    started = list[list[str]]()

    def noted(words: list[str], **_: object) -> None:
        started.append(words)
        raise OSError("not here")

    folder = tmp_path / name
    (run := folder / "runs" / "mine").mkdir(parents=True)
    (run / "log.jsonl").write_text(line("r", "begin", **begin()) + line("r", "generation", **generation(1)))
    (run / "champion.yaml").write_text(POPULATION)
    (folder / f"{name}.yaml").write_text(POPULATION)
    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.chdir(folder)
    with serving(folder) as site:
        game = site.begin("tictactoe", player2="you")
        forms = 0
        for path, form in walked(site, game):
            forms += 1
            for text in (name, f"{name}.yaml", f"random,{quoted(name)}.yaml"):
                typed = {key: text for key, chosen in form.fields.items() if not chosen}
                if form.action == "/runs/new":
                    typed |= {
                        "generations": "2",
                        "population": "4",
                        "seed": "1",
                        "rules": "",
                        "name": "",
                        "strategy": "",
                    }
                    typed["start"] = name if text == name else f"{name}.yaml#mine"
                last = {key: chosen[-1] for key, chosen in form.fields.items() if chosen}
                if form.action == "/runs/new":
                    last["game"] = "tictactoe"  # the players' game
                sent = {**form.fixed, **typed, **last}
                if form.method == "post":
                    answer = site.post(form.action, {**sent, "secret": site.secret})
                else:
                    answer = site.get(f"{form.action}?{'&'.join(f'{k}={quote(v)}' for k, v in sent.items())}")
                assert answer.status < 500, (path, form, answer.text)
        assert forms >= 14
        if not name.isprintable():  # what a form cannot send as it is, is not offered
            assert "l.yaml" not in site.get("/new/tictactoe").text
            return
        assert html.escape(f"{name}.yaml") in site.get("/new/tictactoe").text
        chosen = site.begin("tictactoe", player2=f"{name}.yaml")
        session = site.sessions.get(chosen.rpartition("/")[2])
        assert session.ongoing.recorded.names[1] == f"{name}.yaml", "the file that was chosen, and no other player"
    assert not [*tmp_path.rglob("FILE")]
    opponents = [split_specs(word) for words in started for flag, word in pairwise(words) if flag == "--opponents"]
    assert all(words[1:3] == ["-P", "-c"] for words in started)
    assert all(spec == "random" or spec.startswith(str(folder)) for (spec,) in opponents)
    assert opponents or not name.isprintable()
