"""The example for boardgame.io in docs/how-to/export.md plays whole games in its client, where npm can install it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from test_readme import CHECKOUT, blocks

from rulebots.export.contents import contents_of
from rulebots.export.javascript import javascript_file
from rulebots.packages import load_game
from rulebots.packages.players import make_player

PAGE = CHECKOUT / "docs/how-to/export.md"
PACKAGE = {"type": "module", "dependencies": {"boardgame.io": "0.50.2"}}
NPM = shutil.which("npm") or ""
NODE = shutil.which("node") or ""
#: Two games: seat 0 moves anyhow, the bot in seat 1. Prints whether a game is over, its points as boardgame.io and as
#: the law have them, and how often the bot moved as the champion does.
DRIVER = """
import { createRequire } from "node:module";
import { ChampionBot, Kalah } from "./game.js";
import { Position } from "./kalah.js";

const require = createRequire(import.meta.url);
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");

const ended = (number) =>
    new Promise((resolve) => {
        const client = Client({
            game: Kalah, matchID: String(number), playerID: "0", debug: false,
            multiplayer: Local({ bots: { 1: ChampionBot } }),
        });
        let asked = -1;
        client.subscribe((state) => {
            if (!state || asked >= state._stateID) return;
            if (state.ctx.gameover) {
                asked = state._stateID;
                resolve(state);
            } else if (state.ctx.currentPlayer === "0") {
                asked = state._stateID;
                const legal = Kalah.ai.enumerate(state.G);
                setTimeout(() => client.moves.play(...legal[(asked + number) % legal.length].args), 0);
            }
        });
        client.start();
    });

for (const state of await Promise.all([1, 2].map(ended))) {
    const position = new Position(state.G.seed);
    let asBot = 0;
    for (const move of state.G.moves) {
        if (position.mover === 1) {
            if (position.choose("champion") !== move) throw new Error("the bot played another move");
            asBot++;
        }
        position.play(move);
    }
    console.log(JSON.stringify([position.over, state.ctx.gameover.points, position.points(), asBot]));
}
process.exit(0);
"""


@pytest.mark.slow
@pytest.mark.skipif(not NPM, reason="npm is not installed")
def test_an_exported_bot_plays_in_boardgame_io(tmp_path: Path) -> None:
    game = load_game("kalah")
    contents = contents_of(game, {"champion": make_player("champion", game)})
    (text,) = (block.text for block in blocks(PAGE) if block.mark == "file: game.js")
    files = {"kalah.js": javascript_file(contents), "game.js": text, "driver.js": DRIVER}
    for name, body in {**files, "package.json": json.dumps(PACKAGE)}.items():
        (tmp_path / name).write_text(body, "utf-8")
    install = [NPM, "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    installed = subprocess.run(install, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    if installed.returncode:
        pytest.skip(f"npm cannot install boardgame.io: {installed.stderr.strip().splitlines()[-1:]}")
    done = subprocess.run([NODE, "driver.js"], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        over, shown, points, moves = json.loads(line)
        assert over
        assert shown == points
        assert points[1] > points[0]
        assert moves > 5
    assert len(done.stdout.splitlines()) == 2
