"""One process that forks those which are killed."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.faults import crashes


@pytest.fixture(scope="session")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """Where drivers are served, for the whole run."""
    with crashes.served(tmp_path_factory.mktemp("drivers")) as socket:
        yield socket
