"""Numba's undocumented parts taken away one by one; entries on disk, each in its own place, from many threads."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

KERNELS = """
import numpy as np
from rulebots.kernel import kernel, runnable

@kernel
def root(n):
    r = 0
    while (r + 1) * (r + 1) <= n:
        r += 1
    return r

@kernel
def total(numbers):
    result = 0.0
    for i in range(numbers.shape[0]):
        result += root(int(numbers[i])) if numbers[i] > 1 else numbers[i]
    return result

@kernel
def doubled(numbers):
    copy = np.empty(numbers.shape[0])
    for i in range(numbers.shape[0]):
        copy[i] = 2 * numbers[i]
    result = 0.0
    for i in range(numbers.shape[0]):
        result += copy[i]
    return result

def use():
    numbers = np.arange(10.0)
    bodies = [runnable(body, numbers) for body in (total, doubled)]
    hits = [sum(body.__wrapped__.stats.cache_hits.values()) for body in bodies]
    print(*(body(numbers) for body in bodies), *hits)
"""
RESULTS = "16.0 90.0"
#: What this Numba is made to lack, and whether machine code is still kept on disk without it.
TAKEN_AWAY = {
    "nothing": ("", True),
    "flags": ("import rulebots.kernel.numba_backend as b; b._known_flags = lambda: frozenset({'nogil'})", True),
    "_nrt": (
        "import rulebots.kernel.numba_backend as b; f = b._known_flags(); b._known_flags = lambda: f - {'_nrt'}",
        True,
    ),
    "forceinline": (
        "import rulebots.kernel.numba_backend as b; f = b._known_flags(); b._known_flags = lambda: f - {'forceinline'}",
        True,
    ),
    "get_call_template": ("import rulebots.kernel.numba_backend as b; b._widened = lambda kind: kind", True),
    "a flag that is refused": (
        (
            "from numba.core.options import DefaultOptions; from numba.core.cpu import CPUTargetOptions\n"
            "for kind in (DefaultOptions, CPUTargetOptions):\n"
            "    for name in ('_nrt', 'forceinline', 'no_cfunc_wrapper'):\n"
            "        vars(kind).get(name) is not None and delattr(kind, name)"
        ),
        True,
    ),
    "CompileResult._reduce": ("from numba.core.compiler import CompileResult as c; del c._reduce", False),
    "CompileResult._rebuild": ("from numba.core.compiler import CompileResult as c; del c._rebuild", None),
    "rtsys": ("import numba.core.runtime as r, numba; del r.rtsys", None),
    "_cache": (
        (
            "from numba.core.dispatcher import Dispatcher as d\n"
            "d._cache = property(lambda self: vars(self)['kept'], lambda self, new: vars(self).setdefault('kept', new))"
        ),
        False,
    ),
}


def process(folder: Path, code: str, **environment: str) -> str:
    """What a new Python process prints that runs in a folder which nobody but it writes to."""
    (folder / "bodies.py").write_text(KERNELS)
    here = folder / "here"
    here.mkdir(exist_ok=True)
    here.chmod(0o555)
    variables = {
        "RULEBOTS_CACHE": str(folder / "cache"),
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **variables, **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=here,
    )
    assert run.returncode == 0, run.stderr
    assert not list(here.iterdir())
    return run.stdout.strip()


@pytest.mark.parametrize("part", TAKEN_AWAY)
def test_without_an_undocumented_part_it_is_slower_and_not_broken(part: str, tmp_path: Path) -> None:
    code, kept = TAKEN_AWAY[part]
    program = f"{code}\nfrom bodies import use; use()"
    assert process(tmp_path, program) == f"{RESULTS} 0 0"
    files = list(tmp_path.glob("cache/*/*.nbc"))
    assert len(files) == {True: 2, False: 0}.get(kept, len(files))
    assert process(tmp_path, program) == f"{RESULTS} {'1 1' if kept else '0 0'}"


def test_what_is_broken_on_disk_is_compiled_again(tmp_path: Path) -> None:
    program = "from bodies import use; use()"
    process(tmp_path, program)
    first, second = sorted(tmp_path.glob("cache/*/*.nbc"))
    first.write_bytes(b"no machine code")
    whole = second.read_bytes()
    second.write_bytes(whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:])
    assert process(tmp_path, program) == f"{RESULTS} 0 0"
    assert process(tmp_path, program) == f"{RESULTS} 1 1"


def test_what_is_broken_on_disk_is_deleted_before_it_is_compiled_again(tmp_path: Path) -> None:
    program = "from bodies import use; use()"
    process(tmp_path, program)
    for file in tmp_path.glob("cache/*/*.nbc"):
        file.write_bytes(b"no machine code")
    assert process(
        tmp_path, f"from rulebots.kernel import numba_backend as b; b._Kept.save_overload = b._Kept._file; {program}"
    )
    assert not list(tmp_path.glob("cache/*/*.nbc"))


def test_eight_threads_compile_at_once_and_every_entry_has_its_own_place(tmp_path: Path) -> None:
    """What is said of no setting of Numba's: none is changed for it."""
    program = """
        import threading, numba
        from rulebots.kernel import kernel, runnable
        before = {name: getattr(numba.config, name) for name in dir(numba.config) if name.isupper()}
        loop = "    for i in range(x):\\n        total += i * {0}\\n    return total\\n"
        source = "@kernel\\ndef body_{0}(x):\\n    total = {0}\\n" + loop
        import pathlib, importlib, sys, tempfile
        folder = pathlib.Path(tempfile.mkdtemp())
        for i in range(8):
            (folder / f"m{i}.py").write_text("from rulebots.kernel import kernel\\n" + source.format(i))
        sys.path.insert(0, str(folder))
        bodies = [getattr(importlib.import_module(f"m{i}"), f"body_{i}") for i in range(8)]
        results, ready = {}, threading.Barrier(8)
        def work(i):
            ready.wait()
            results[i] = runnable(bodies[i], 5)(5)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        [t.start() for t in threads], [t.join() for t in threads]
        assert results == {i: i + 10 * i for i in range(8)}, results
        assert before == {name: getattr(numba.config, name) for name in before}
        assert all(len(list(body.folder.iterdir())) == 1 for body in bodies)
        assert len({body.folder for body in bodies}) == 8
        print("good")
    """
    assert process(tmp_path, program) == "good"
    assert len(list(tmp_path.glob("cache/*/*"))) == 8


def test_counted_and_uncounted_code_have_different_names(tmp_path: Path) -> None:
    process(tmp_path, "from bodies import use; use()")
    assert sorted(file.name.split("-")[0] for file in tmp_path.glob("cache/*/*.nbc")) == ["counted", "uncounted"]


def test_a_flag_that_changes_code_is_in_the_name(tmp_path: Path) -> None:
    program = "from bodies import use; use()"
    process(tmp_path, program)
    for flag, value in (("BOUNDSCHECK", "1"), ("OPT", "1"), ("DEBUGINFO", "1"), ("CPU_NAME", "generic")):
        assert process(tmp_path, program, **{f"NUMBA_{flag}": value}) == f"{RESULTS} 0 0", flag
    assert process(tmp_path, program, NUMBA_NUM_THREADS="1") == f"{RESULTS} 1 1"


def test_bounds_are_checked_where_that_is_asked_for(tmp_path: Path) -> None:
    program = """
        import numpy as np
        import bodies
        from rulebots.kernel import kernel
        @kernel
        def beyond(x):
            return x[x.shape[0]]
        try:
            beyond.compiled(np.zeros(1))
        except IndexError:
            print("checked")
    """
    assert process(tmp_path, program, NUMBA_BOUNDSCHECK="1") == "checked"
