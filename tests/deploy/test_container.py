"""The container files: what they promise, and that what they run works where nothing else of the checkout is."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import yaml

import bot
from bot.config import Settings
from tests.deploy import dockerfile
from tests.deploy.dockerfile import ROOT, Container, Stage

COMPOSE = ROOT / "deploy/compose.yaml"
_SECRET = re.compile(r"(?i)token|secret|password|key|database_url")


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return dockerfile.read(ROOT / "deploy/Dockerfile")


@pytest.fixture(scope="module")
def container(stages: list[Stage]) -> Generator[Container]:
    """What the Dockerfile makes, in a folder below /tmp."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-image-") as name:
        # Reachable by the account that serves, when the tests run as root.
        Path(name).chmod(0o711)
        built = Container(folder=Path(name))
        built.build(stages)
        yield built


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    return yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]


def test_the_image_is_built(container: Container) -> None:
    """Its commands install the pinned packages and Hathi from what COPY takes; only the account is left unmade."""
    done = container.run("hathi", "--version")
    where = container.run("python", "-c", "import bot; print(bot.__file__)").stdout

    assert (0, f"hathi {bot.__version__}\n") == (done.returncode, done.stdout)
    assert Path(where.strip()).is_relative_to(container.folder / "opt/hathi")
    assert ["useradd"] == [text.split()[0] for text in container.unrun]


def test_the_program_of_the_image_needs_a_token(stages: list[Stage], container: Container) -> None:
    """What the container runs ends with exit 78 and the name of the missing setting, where there is no token."""
    done = container.run(*stages[-1].last("CMD").words)

    assert 78 == done.returncode, done.stderr
    assert "DISCORD_TOKEN" in done.stderr


def test_the_health_check_runs(stages: list[Stage], container: Container, dsn: str) -> None:
    """What the container is asked for its health is a yes where the database answers, and a no where it does not."""
    words = stages[-1].last("HEALTHCHECK").words
    well = container.run(*words, DATABASE_URL=dsn)
    ill = container.run(*words, DATABASE_URL="postgresql://hathi@127.0.0.1:1/hathi")

    assert (0, 1) == (well.returncode, ill.returncode), well.stdout + well.stderr


def test_the_image_backs_up(container: Container, dsn: str) -> None:
    """The container's own scripts back up the database it is given."""
    script = container.folder / "opt/hathi/deploy/backup.sh"
    done = container.run(str(script), str(container.folder / "backups"), DATABASE_URL=dsn)

    assert 0 == done.returncode, done.stderr
    assert Path(done.stdout.strip()).is_file()


def test_the_image_holds_no_secret(stages: list[Stage]) -> None:
    """No layer names a secret, and the last process is not root's."""
    named = [word for stage in stages for name in ("ENV", "ARG") for each in stage.all(name) for word in each.words]

    assert [] == [word for word in named if _SECRET.search(word)]
    assert "hathi" == stages[-1].last("USER").text


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".git/config",
        "deploy/hathi.env",
        "hathi.toml",
        "tests/conftest.py",
        "bot/__pycache__/app.pyc",
        ".venv/x",
    ],
)
def test_the_build_does_not_see_what_is_not_the_program(path: str) -> None:
    """Secrets, history, tests and leavings stay out of the build."""
    assert dockerfile.ignored(path)


def test_packages_are_installed_by_hash(stages: list[Stage]) -> None:
    """Packages come from the pinned list, each by its hash, and the project adds none."""
    installs = [
        each.text for stage in stages for each in stage.all("RUN") if " install " in each.text and "pip" in each.text
    ]

    assert 2 == len(installs)
    assert "--require-hashes -r requirements.txt" in installs[0]
    assert "--no-deps --no-build-isolation ." in installs[1]


def test_variables_are_settings(stages: list[Stage], services: dict[str, dict[str, Any]]) -> None:
    """Each HATHI_ variable of the image and of compose is a setting; Hathi refuses others."""
    given = {*stages[-1].environment, *services["hathi"]["environment"]}

    assert set() == {
        name for name in given if name.startswith("HATHI_") and name[6:].lower() not in Settings.model_fields
    }


def test_compose_locks_its_services_in(services: dict[str, dict[str, Any]]) -> None:
    """Each service has a read-only root, no more rights than its start needs, a health check and a bounded log."""
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert ["ALL"] == service["cap_drop"], name
        assert ["no-new-privileges:true"] == service["security_opt"], name
        assert service["healthcheck"]["test"][0] == "CMD", name
        assert {"max-size", "max-file"} == set(service["logging"]["options"]), name
        assert not service.get("privileged"), name
    assert "cap_add" not in services["hathi"]


def test_compose_keeps_secrets_in_files(services: dict[str, dict[str, Any]]) -> None:
    """No secret stands in the file; each service reads its own."""
    assert {"hathi": ["hathi.env"], "postgres": ["postgres.env"]} == {
        name: service["env_file"] for name, service in services.items()
    }
    assert [] == [key for service in services.values() for key in service["environment"] if _SECRET.search(key)]


def test_compose_waits_for_its_database(services: dict[str, dict[str, Any]]) -> None:
    """Hathi starts when Postgres is healthy, asked over TCP, where it listens only when it is ready."""
    assert {"postgres": {"condition": "service_healthy"}} == services["hathi"]["depends_on"]
    assert ["-h", "127.0.0.1"] == services["postgres"]["healthcheck"]["test"][3:5]
    assert "pgvector/pgvector:pg17" == services["postgres"]["image"]


def test_compose_keeps_data_in_volumes(stages: list[Stage], services: dict[str, dict[str, Any]]) -> None:
    """What is to last lies in a named volume: Hathi's data directory, and Postgres's."""
    volumes = yaml.safe_load(COMPOSE.read_text("utf-8"))["volumes"]
    mounts = {name: service["volumes"] for name, service in services.items()}
    data = stages[-1].environment["HATHI_DATA_DIR"]

    assert {"hathi": [f"hathi-data:{data}"], "postgres": ["postgres-data:/var/lib/postgresql/data"]} == mounts
    assert {"hathi-data", "postgres-data"} == set(volumes)
    assert [data] == list(stages[-1].last("VOLUME").words)


def test_compose_agrees_with_the_image(stages: list[Stage], services: dict[str, dict[str, Any]]) -> None:
    """Both files ask for health alike, and compose builds this Dockerfile from the root of the checkout."""
    hathi = services["hathi"]
    check = stages[-1].last("HEALTHCHECK")

    assert ["CMD", *check.words] == hathi["healthcheck"]["test"]
    assert {key.replace("-", "_"): value for key, value in check.flags.items()} == {
        key: str(value) for key, value in hathi["healthcheck"].items() if key != "test"
    }
    assert ROOT / "deploy/Dockerfile" == (COMPOSE.parent / hathi["build"]["context"]).resolve() / "deploy/Dockerfile"
    assert hathi["ports"] == [f"127.0.0.1:8080:{hathi['environment']['HATHI_HTTP_PORT']}"]


def test_the_database_check_is_a_command(services: dict[str, dict[str, Any]]) -> None:
    """Postgres's health check is a command that Postgres's own program takes: no server is its exit 2."""
    program = shutil.which("pg_isready")
    if program is None:
        pytest.skip("pg_isready is not installed (Debian: postgresql-client)")
    words = services["postgres"]["healthcheck"]["test"][2:]
    done = subprocess.run([program, *words, "-p", "1"], capture_output=True, text=True, check=False, timeout=30)

    assert (2, "") == (done.returncode, done.stderr)
