"""How a command line talks, whatever the command."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import warnings

import pytest
import typer

from rulebots.cli import app as command_line, console
from rulebots.errors import FileError, UsageError

COMPILING = logging.getLogger("rulebots.compile")


@pytest.fixture
def app() -> typer.Typer:
    return command_line.App("Try.")


def test_a_warning_takes_one_line(app: typer.Typer, capsys: pytest.CaptureFixture[str]) -> None:
    @app.command()
    def careless(name: str) -> None:
        warnings.warn(f"{name} runs interpreted,\nwhich is slow", RuntimeWarning, stacklevel=1)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert command_line.run_app(app, "program", ["careless", "a_rule"]) == 0
    assert capsys.readouterr().err == "warning: a_rule runs interpreted, which is slow\n"


def test_a_command_does_not_wait_for_the_others_options(app: typer.Typer) -> None:
    @app.command()
    def asked() -> None:
        """Do nothing."""

    @app.command()
    def other(option: NoSuchThing) -> None:  # type: ignore[name-defined]  # noqa: F821 - looked up when typer reads it
        """Do nothing either."""

    assert command_line.run_app(app, "program", ["asked"]) == 0
    with pytest.raises(NameError):
        command_line.run_app(app, "program", ["--help"])


@pytest.mark.parametrize(
    ("error", "code"), [(UsageError("it was\nwrong"), 2), (FileError("it was\nwrong"), 1), (OSError("it was wrong"), 1)]
)
def test_an_error_knows_its_exit_code(error, code, app: typer.Typer, capsys: pytest.CaptureFixture[str]) -> None:
    @app.command()
    def fail() -> None:
        raise error

    assert command_line.run_app(app, "program", ["fail"]) == code
    assert capsys.readouterr().err == "program: it was wrong\n"


@pytest.mark.parametrize(("about", "said"), [("", ""), ("cannot allocate 3 GB", " (cannot allocate 3 GB)")])
def test_memory_that_is_not_enough_is_told_without_empty_brackets(
    about: str, said: str, app: typer.Typer, capsys: pytest.CaptureFixture[str]
) -> None:
    @app.command()
    def fail() -> None:
        raise MemoryError(about)

    assert command_line.run_app(app, "program", ["fail"]) == 1
    assert capsys.readouterr().err == f"program: not enough memory{said}: ask for fewer deals or players\n"


def test_a_bug_keeps_its_traceback(app: typer.Typer) -> None:
    @app.command()
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        command_line.run_app(app, "program", ["fail"])


def test_what_is_compiled_is_said_on_stderr_only(app: typer.Typer, capsys: pytest.CaptureFixture[str]) -> None:
    @app.command()
    def work() -> None:
        COMPILING.info("compiling %s: about %d seconds, once", "the rules\nof chess", 9)
        COMPILING.debug("nobody reads this")
        console.say_json({"elo": float("inf"), "counts": [1, 2]})

    assert command_line.run_app(app, "program", ["work"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "compiling the rules of chess: about 9 seconds, once\n"
    assert printed.out == '{"elo": null, "counts": [1, 2]}\n'


def test_who_else_listens_hears_what_is_compiled(app: typer.Typer) -> None:
    @app.command()
    def work() -> None:
        COMPILING.addFilter(listen)
        COMPILING.info("compiling the rules of chess")
        COMPILING.removeFilter(listen)

    def listen(record: logging.LogRecord) -> bool:
        heard.append(record.getMessage())
        return True

    heard: list[str] = []
    assert command_line.run_app(app, "program", ["work"]) == 0
    assert heard == ["compiling the rules of chess"], "the page says so, too"


def test_the_library_alone_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    COMPILING.info("compiling the rules of chess")
    assert COMPILING.handlers == []
    assert capsys.readouterr().err == ""


def test_a_stderr_that_is_gone_stops_no_compilation(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    @app.command()
    def work() -> None:
        for gone in (None, closed):
            monkeypatch.setattr(sys, "stderr", gone)
            COMPILING.info("compiling the rules of chess")

    closed = io.StringIO()
    closed.close()
    assert command_line.run_app(app, "program", ["work"]) == 0


def program(*arguments: str, environment: dict[str, str] | None = None, before: str = "") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of `rulebots` in a process of its own; `before` are redirections of a shell."""
    command = f'exec "$0" -c "from rulebots.cli.main import main; raise SystemExit(main())" "$@" {before}'
    whole = {"PATH": os.environ["PATH"], "NUMBA_DISABLE_JIT": "1"} | (environment or {})
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, *arguments], env=whole, capture_output=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_closed_stdout_is_one_line() -> None:
    said = b"rulebots: standard output is closed: expected a terminal, a file or a pipe\n"
    assert program("games", before=">&-") == (1, b"", said)
    assert program("games", before=">&- 2>&-") == (1, b"", b"")


@pytest.mark.slow
def test_a_closed_stderr_and_a_closed_stdin_stop_nothing() -> None:
    assert program("games", before="2>&-")[0] == 0
    assert program("games", before="<&-")[0] == 0
    assert program("match", "shelly", "nobody", before="2>&-")[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment", [{"LANG": "C", "LC_ALL": "C"}, {"HOME": "/none"}, {"TMPDIR": "/none"}, {}], ids=str
)
def test_a_poor_environment_stops_nothing(environment: dict[str, str]) -> None:
    code, out, err = program("rules", "lost-cities", environment={"PYTHONUTF8": "0", **environment})
    assert (code, err) == (0, b"")
    assert out.startswith(b"standard: ")
