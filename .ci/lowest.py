"""Print the lowest versions that pyproject.toml allows, as a constraints file for pip."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

project = tomllib.loads(PROJECT.read_text())["project"]
extras = project["optional-dependencies"]
for requirement in (*project["dependencies"], *extras["plot"], *extras["pandas"], *extras["web"], *extras["websocket"]):
    name, lowest = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
    print(f"{name}=={lowest}")
