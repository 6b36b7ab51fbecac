"""Print the lowest versions that pyproject.toml allows, as a constraints file for pip."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

for requirement in tomllib.loads(PROJECT.read_text())["project"]["dependencies"]:
    name, lowest = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
    print(f"{name}=={lowest}")
