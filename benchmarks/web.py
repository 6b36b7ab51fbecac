"""The page: what it brings along, how soon it is there, how soon it answers, and what it holds.

It starts a server on a free port of this machine, and asks it over HTTP as browsers do.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib import metadata
from pathlib import Path

import numpy as np
from machine import CHECKOUT, Figures, program

sys.path.append(str(CHECKOUT / "tests" / "rulebots" / "web"))
from page_client import Client

sys.path.append(str(CHECKOUT / "tests" / "browser"))
try:
    from browsing import CHROMIUM, DRIVER, Browser, click_a_move
except ModuleNotFoundError:  # selenium: frames are not measured
    CHROMIUM = DRIVER = None

TICKS = os.sysconf("SC_CLK_TCK")
GAME = ("tictactoe", "kalah", "gomoku")
#: Games whose answers to a move are weighed, and how many moves of each.
WEIGHED, MOVES = ("gomoku", "kalah", "lost-cities"), 40
#: Whose champion's weights are changed by hand, and against whom.
TUNED = {"lost-cities": "shelly", "kalah": "hand_tuned", "gomoku": "hand_tuned"}
#: Seconds for the finished games; what is not played by then is not, and the figure says how many were.
MOST_SECONDS = 300
#: Notes how many milliseconds lie between two frames while something on the page moves.
FRAMES = """
window.frames = [];
let until = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (steps, options) {
  let last = null;
  const next = (now) => {
    if (last !== null) window.frames.push(now - last);
    last = now;
    if (now < until) requestAnimationFrame(next);
  };
  if (performance.now() > until) requestAnimationFrame(next);
  until = performance.now() + options.duration;
  return animate.call(this, steps, options);
};
"""


class Server:
    """`rulebots web` in a new process that serves a folder."""

    def __init__(self, folder: str) -> None:
        command = [str(program("rulebots")), "web", "--port", "0", "--folder", folder]
        # Bytecode is written, as it is where pip installs, whatever this machine says.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
        assert self.process.stdout is not None
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        assert found, "the server gives no address"
        self.port = int(found[1])

    def cpu(self) -> float:
        """CPU seconds so far."""
        numbers = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / TICKS

    def memory(self) -> float:
        """Resident megabytes now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def interrupt(self) -> float:
        """Seconds from Ctrl-C to the end."""
        began = time.perf_counter()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        return time.perf_counter() - began


def packages() -> tuple[list[str], float]:
    """What the extra brings besides a plain install, and its megabytes as installed."""
    plain, with_page = closure("rulebots", ""), closure("rulebots", "web")
    names = sorted(with_page - plain)
    files = [file.locate() for name in names for file in metadata.files(name) or ()]
    return names, sum(Path(str(path)).stat().st_size for path in files if Path(str(path)).exists()) / 1e6


def own_megabytes() -> float:
    """What the page itself weighs, its code, templates and the vendored htmx: part of a plain install."""
    files = (CHECKOUT / "rulebots" / "web").rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc") / 1e6


def closure(package: str, extra: str) -> set[str]:
    """The packages that a package needs, and those that they need, by name, for this version of Python and system."""
    from packaging.requirements import Requirement

    found: set[str] = set()
    left = [(package, extra)]
    while left:
        name, wanted = left.pop()
        for text in metadata.requires(name) or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": wanted}):
                key = needed.name.lower().replace("_", "-")
                if key not in found:
                    found.add(key)
                    left += [(key, one) for one in ("", *needed.extras)]
    return found


def play(site: Client, game: str, opponent: str, seed: int, most: int = 10**6) -> list[float]:
    """Play a game by at most `most` clicks; the seconds of each answer."""
    address, took = site.begin(game, player2=opponent, seed=seed), list[float]()
    rng = np.random.default_rng(seed)
    page = site.get(address)
    while "getting ready" in page.text:
        time.sleep(0.1)
        page = site.get(address)
    while len(took) < most and (page.places or page.moves):
        began = time.perf_counter()
        if page.places:
            page = site.act(f"{address}/place", place=str(rng.choice(page.places)))
        else:
            page = site.act(f"{address}/move", move=str(rng.choice(page.moves)))
        took.append(time.perf_counter() - began)
        while "thinking" in page.text or "getting ready" in page.text:
            time.sleep(0.1)
            page = site.get(address)
    return took


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer games: do the figures come out at all?")
    quick = parser.parse_args().quick
    figures = Figures("the page of rulebots web")
    names, megabytes = packages()
    figures.add("packages of the extra", str(len(names)), "at most 8", met=len(names) <= 8)
    figures.add("their size", f"{megabytes:.1f} MB", "at most 6 MB", met=megabytes <= 6)
    figures.add("the page's own files, in every install", f"{own_megabytes():.2f} MB")
    with tempfile.TemporaryDirectory() as folder:
        written = Server(folder)
        Client(written.port).get("/")
        written.interrupt()
        server = Server(folder)
        try:
            measure(server, figures, quick=quick)
            frames(server, figures, quick=quick)
            play(Client(server.port), "gomoku", "mcts:power=1", 1, 1)  # compiles, or loads what was compiled
            tell("Ctrl-C with five tabs")
            tabs = [threading.Thread(target=look_on, args=(server.port,), daemon=True) for _ in range(5)]
            for tab in tabs:
                tab.start()
            time.sleep(1.0)
            seconds = server.interrupt()
            figures.add("Ctrl-C with five open tabs", f"{seconds:.2f} s", "at most 2 s", met=seconds <= 2)
        finally:
            server.process.kill()
    figures.show()


def tell(step: str) -> None:
    """Say what is measured now; the figures come at the end."""
    print(f"{time.strftime('%H:%M:%S')} {step}", file=sys.stderr, flush=True)


def measure(server: Server, figures: Figures, *, quick: bool) -> None:
    """What a running server can be asked."""
    site = Client(server.port)
    site.get("/")
    python = cpu_of_python()
    first = server.cpu() - python
    figures.add("CPU until the first page, beyond Python's start", f"{first:.2f} s", "at most 0.6 s", met=first <= 0.6)
    tell("a click on a rule player")
    play(site, "gomoku", "hand_tuned", 1, 2)  # compiles, or loads what was compiled
    took = play(site, "gomoku", "hand_tuned", 2, 5 if quick else 30)
    middle = float(np.median(took))
    figures.add("a click answered by a rule player, warm", f"{1000 * middle:.0f} ms", "below 150 ms", met=middle < 0.15)
    for game in WEIGHED:
        tell(f"bytes after a move of {game}")
        whole, sizes = weigh(Client(server.port), game, 5 if quick else MOVES)
        middle, most = float(np.median(sizes[1:])), max(sizes)
        figures.add(f"{game}, after a move: median", f"{middle / 1000:.1f} of {whole / 1000:.0f} kB")
        figures.add(f"{game}, after a move: most", f"{most / 1000:.1f} kB", "at most 8 kB", met=most <= 8000)
    for game in GAME:
        play(site, game, "hand_tuned", 1, 2)
    for game, opponent in TUNED.items():
        tell(f"a weight of {game} changed")
        tune(site, game, opponent, 0.5)  # compiles, or loads what was compiled
        shown = tune(site, game, opponent, 0.7)
        figures.add(f"a changed weight of {game}: the win rate", f"{shown:.2f} s", "at most 2 s", met=shown <= 2)
    at_once = 5 if quick else 50
    tell(f"{at_once} games at once")
    slow = concurrent(server.port, at_once, 3 if quick else 10)
    figures.add(f"{at_once} games at once, a click: median", f"{1000 * np.median(slow):.0f} ms")
    figures.add(f"{at_once} games at once, a click: 95th percentile", f"{1000 * np.quantile(slow, 0.95):.0f} ms")
    games = 20 if quick else 1000
    tell(f"memory after {games:,} finished games")
    began, sizes = time.monotonic(), [server.memory()]
    while len(sizes) <= games and time.monotonic() - began < MOST_SECONDS:
        play(site, "tictactoe", "random", len(sizes))
        sizes.append(server.memory())
        if len(sizes) % 100 == 1:
            tell(f"  {len(sizes) - 1:,} games, {sizes[-1]:.0f} MB")
    grown = sizes[-1] - sizes[len(sizes) // 2]
    figures.add(f"memory after {len(sizes) - 1:,} finished games", f"{sizes[-1]:.0f} MB")
    figures.add("of that, since half of them", f"{grown:+.1f} MB", "at most 5 MB", met=grown <= 5)


def weigh(site: Client, game: str, most: int) -> tuple[int, list[int]]:
    """The bytes of the latest board as a page's script writes it, and those that came after each click of a game."""
    address, sizes = site.begin(game, player2="random", seed=1), list[int]()
    rng, page = np.random.default_rng(1), site.get(address)
    while len(sizes) < most and (page.places or page.moves):
        if page.places:
            chosen = page.field("chosen")
            act, fields = "place", {"place": str(rng.choice(page.places)), "chosen": chosen}
        else:
            act, fields = "move", {"move": str(rng.choice(page.moves))}
        page = site.post(f"{address}/{act}", fields, {"HX-Request": "true", "Accept-Encoding": "gzip"})
        sizes.append(page.size)
        while "thinking" in page.text or "getting ready" in page.text:
            time.sleep(0.1)
            page = site.get(address)
    return len(page.text.encode()), sizes


def frames(server: Server, figures: Figures, *, quick: bool) -> None:
    """The longest frame while boards move, as a browser without a screen draws it."""
    if not (CHROMIUM and DRIVER):
        figures.add("frames of moves that are seen", "not measured: needs selenium, chromium and chromium-driver")
        return
    browser = Browser(Client(server.port))
    try:
        for game, clicks in (("kalah", 20), ("gomoku", 10)):
            tell(f"frames of {game}")
            browser.begin(game, "hand_tuned", "&option-size=15" if game == "gomoku" else "")
            browser.driver.execute_script(FRAMES)
            moves = 0
            while moves < (3 if quick else clicks) and not browser.ended():
                before = browser.count()
                click_a_move(browser)
                browser.settle(before)
                time.sleep(0.7)
                moves += 1
            took = browser.driver.execute_script("return window.frames")
            words = f"{max(took):.0f} ms; {sum(one > 50 for one in took)} of {len(took)} above 50 ms, in {moves} turns"
            figures.add(f"longest frame while {game} moves", words, "at most 50 ms", met=max(took) <= 50)
    finally:
        browser.driver.quit()


def tune(site: Client, game: str, opponent: str, weight: float) -> float:
    """Change the champion's first weight; the seconds until a win rate over a hundred games is shown."""
    fields = {"player": "champion", "game": game, "opponents": opponent, "early-0": weight}
    began = time.perf_counter()
    page = site.post("/tune/try", fields)
    address = f"/tune/trial/{page.field('trial')}"
    while 'class="rate"' not in page.text and "Done." not in page.text:
        time.sleep(0.05)
        page = site.get(address)
    shown = time.perf_counter() - began
    while "Done." not in page.text:
        time.sleep(0.05)
        page = site.get(address)
    return shown


def concurrent(port: int, games: int, clicks: int) -> list[float]:
    """The seconds of all answers while as many browsers play as there are games."""
    took: list[float] = []

    def one(number: int) -> None:
        took.extend(play(Client(port), GAME[number % len(GAME)], "hand_tuned", number, clicks))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def look_on(port: int) -> None:
    """A tab: two players are watched, until the server is gone."""
    site = Client(port)
    try:
        address = site.begin("gomoku", player1="mcts:seconds=5", player2="mcts:seconds=5")
        while True:
            site.get(f"{address}/look?version=-1")
            time.sleep(0.2)
    except OSError:
        return


def cpu_of_python() -> float:
    """CPU seconds of starting Python."""
    code = "import resource; print(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    main()
