"""What the tests of population files share."""

from pathlib import Path

import pytest

from rulebots.packages.population import (
    PopulationError,
    check_population,
    load_population,
)


@pytest.fixture
def problems_of(tmp_path, monkeypatch):
    """What check finds in a file `p.yaml` of that text, as lines; load must report the first of them."""
    monkeypatch.chdir(tmp_path)

    def check(text):
        Path("p.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
        found = [str(problem) for problem in check_population("p.yaml")]
        if found:
            with pytest.raises(PopulationError) as error:
                load_population("p.yaml")
            assert str(error.value) == found[0]
        else:
            assert load_population("p.yaml").players
        assert all("\n" not in line for line in found)
        return found

    return check
