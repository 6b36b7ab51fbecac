"""Refuse to release a tag that is not the version, or a version that CHANGELOG.md and CITATION.cff do not have.

python .ci/release.py v0.1.0
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """A line for each thing that has to be mended before the tag is released."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    found = [] if tag == f"v{version}" else [f"the tag is {tag}: expected v{version}, the version of pyproject.toml"]
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    if not re.search(heading, (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        found.append(f"CHANGELOG.md: expected a heading '## [{version}] - YEAR-MONTH-DAY'")
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text("utf-8"):
        found.append(f"CITATION.cff: expected version: {version}")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python .ci/release.py TAG")
    sys.exit("\n".join(problems(sys.argv[1])) or None)
