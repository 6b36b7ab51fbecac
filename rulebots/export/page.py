"""A page that plays: a folder of files that a browser opens from anywhere, without a server.

The exported module, and the game's drawing and texts as JavaScript; the looks and the handling of boards are those of
`rulebots web`. What of the drawing cannot be read is left out, and the page shows the text of the position or buttons.
"""

import html
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from rulebots.errors import demand
from rulebots.export.contents import Contents
from rulebots.export.javascript import javascript_file
from rulebots.export.printing import filled, template
from rulebots.export.scripts import Script
from rulebots.export.source import NotInSubset
from rulebots.packages import package_of

STATIC = Path(__file__).parents[1] / "web" / "static"
_SHARED = ("page.css", "page.js", "moves.js")


def page_files(whole: Contents, folder: Path, say: Callable[[str], None]) -> dict[Path, str]:
    """The files of a page, as text, by path; `say` is told what the page does without.

    Raises:
        UsageError: a player without a law, or a game whose deals cannot be drawn in a browser.
    """
    demand(whole.law_too, "a page plays by the law: leave out --player-only")
    demand(not whole.search, "a page does not search: leave out --search")
    dealt = f"{whole.game.name} deals in a way that a page cannot: expected a shuffled pack, or no deal"
    demand(whole.deal.way != "given", dealt)
    package = package_of(whole.game)
    text = whole.game.text
    script = Script(template("python.js"))
    script.made |= {id(law.source): (f"k_{law.name}", "", law.source) for law in whole.law.values()}
    wanted = [package.draw, whole.game.told, text.show, text.write_in, text.sentence, text.learned]
    names = dict.fromkeys(("DRAW", "TOLD", "SHOW", "WRITE", "SENTENCE", "LEARNED"), "null")
    for part, function in zip(names, wanted, strict=True):
        try:
            names[part] = "null" if function is None else script.function(function)
        except NotInSubset as error:
            say(f"the page does without `{part.lower()}`: {error}")
    demand(whole.game.told is None or names["TOLD"] != "null", "a page needs `told`, which says who sees which move")
    diagram = sys.modules.get("rulebots.output.diagram")  # which a drawing has imported
    parts = {
        "MODULE": javascript_file(whole, template("python.js")).replace("\nexport ", "\n"),
        "PYTHON": template("python.js"),
        "DIAGRAM": filled("diagram.js", {"SYMBOLS": json.dumps(getattr(diagram, "SYMBOLS", {}))}),
        "SCRIPT": "\n".join(text for _, text, _ in script.made.values()),
        "UNSEEN": json.dumps(text.unseen),
        "SAYS": json.dumps(
            {
                rule.key: (rule.says or rule.words, rule.early + rule.late or 1)
                for judge in whole.judges
                for rule in judge.rules
            }
        ),
        "HIDDEN": json.dumps(whole.game.hidden),
        "TOGETHER": json.dumps(whole.game.aim == "together"),
        **names,
    }
    summary, rules = package.about
    about = "".join(
        f"<p>{html.escape(block)}</p>"
        if isinstance(block, str)
        else f"<ul>{''.join(f'<li>{html.escape(item)}</li>' for item in block)}</ul>"
        for block in (summary, *rules)
    )
    page = filled("page.html", {"TITLE": html.escape(whole.game.title), "ABOUT": about})
    files = {"index.html": page, "game.js": compact(filled("game_page.js", parts)), "play.js": template("play.js")}
    files |= {name: (STATIC / name).read_text("utf-8") for name in _SHARED}
    files["page.css"] = re.sub("@font-face.*", "", files["page.css"])  # a system's own letters do
    return {folder / name: text for name, text in files.items()}


def compact(text: str) -> str:
    """JavaScript without indentation, empty lines, and lines of comments after the first."""
    first, *lines = (line.strip() for line in text.splitlines())
    return "\n".join([first, *(line for line in lines if not re.match(r"//|/\*|\*( |/|$)|$", line))])
