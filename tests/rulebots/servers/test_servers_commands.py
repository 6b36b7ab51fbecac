"""Wrong use of `rulebots host`, `connect` and `engine`."""

from __future__ import annotations

import subprocess
import sys

import pytest

MAIN = "import sys; from rulebots.cli.main import main; sys.exit(main())"


def started(*arguments: str) -> subprocess.Popen[str]:
    """A command, as in a terminal: it is not one of the background jobs, which ignore Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler); {MAIN}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("host", "gomoku", "--port", "0"), 2, "no server is about gomoku: expected lost-cities"),
        (("host", "lost-cities", "--port", "99999"), 2, "expected a whole number from 0 to 65,535"),
        (("host", "lost-cities", "--port", "0", "--bind", "999.1.1.1"), 2, "cannot listen at 999.1.1.1, port 0"),
        (("connect", "127.0.0.1"), 2, "expected HOST and PORT"),
        (("connect", "nothing://127.0.0.1:5"), 2, "no protocol 'nothing'"),
        (("connect", "127.0.0.1", "1", "--player", "dumb"), 1, "the server 127.0.0.1:1, game 1: cannot be reached"),
        (("engine", "champion", "--protocol", "x"), 2, "no protocol 'x'"),
    ],
)
def test_wrong_use_is_one_line(arguments, code, message):
    command = started(*arguments)
    _, err = command.communicate(timeout=60)
    assert message in err
    assert (command.returncode, err.count("\n")) == (code, 1)
