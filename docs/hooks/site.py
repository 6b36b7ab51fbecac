"""Build the site of the docs: every page with what is made for it from the code, and the games as pages that play.

    python docs/hooks/site.py     in the checkout, with the extra `docs`: build/site/ is the site

The pages are written to build/pages/ first, where Zensical reads them (mkdocs.yml). Exit code 1 where a link, an anchor
or a page of the navigation is not there, or where a page loads anything from elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from pages import playing, shown

DOCS, PAGES, SITE = Path("docs"), Path("build/pages"), Path("build/site")
LOADED = re.compile(r'<(?:script|img|iframe)[^>]*\ssrc="https?:|<link[^>]*\srel="stylesheet"[^>]*href="https?:')


def write_pages() -> None:
    """Write what the site is built from, in the place of what was there."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("hooks"))
    for page in PAGES.rglob("*.md"):
        page.write_text(shown(page.read_text("utf-8")), "utf-8")
    for place, content in (item for page in playing().values() for item in page.items()):
        path = PAGES / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def loaded_from_elsewhere() -> list[str]:
    """The pages of the site that load something from elsewhere, each with the first of it."""
    pages = ((page, LOADED.search(page.read_text("utf-8"))) for page in sorted(SITE.rglob("*.html")))
    return [f"{page} loads something from elsewhere: {found[0]}" for page, found in pages if found]


if __name__ == "__main__":
    zensical = Path(sys.executable).parent / "zensical"
    if not zensical.exists() or not DOCS.exists():
        sys.exit("site.py: run it in the checkout, with the extra `docs`: pip install -e '.[docs]'")
    write_pages()
    built = subprocess.run([str(zensical), "build", "--clean", "--strict", "-f", "mkdocs.yml"], check=False)
    sys.exit(built.returncode or "\n".join(loaded_from_elsewhere()) or 0)
