"""As much of a Dockerfile as ours uses, read, and built in a bare folder instead of an image."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_OURS: Final = re.compile(r"bot|cogs|hathi_bot-.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction: `COPY --from=build a b` has one flag and two words."""

    name: str
    text: str
    flags: dict[str, str]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """From one FROM to the next."""

    base: str
    name: str | None
    instructions: tuple[Instruction, ...]

    def all(self, name: str) -> list[Instruction]:
        return [each for each in self.instructions if each.name == name]

    def last(self, name: str) -> Instruction:
        return self.all(name)[-1]

    @property
    def environment(self) -> dict[str, str]:
        pairs = (word.partition("=") for each in self.all("ENV") for word in each.words)
        return {name: value for name, _, value in pairs}


def read(path: Path) -> list[Stage]:
    """The stages of a Dockerfile."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    stages: list[Stage] = []
    for line in filter(str.strip, joined.splitlines()):
        each = _instruction(line)
        if each.name == "FROM":
            name = each.words[2] if len(each.words) == 3 else None
            stages.append(Stage(base=each.words[0], name=name, instructions=()))
        else:
            stage = stages.pop()
            stages.append(Stage(base=stage.base, name=stage.name, instructions=(*stage.instructions, each)))
    return stages


def _instruction(line: str) -> Instruction:
    name, _, text = line.strip().partition(" ")
    flags: dict[str, str] = {}
    while match := re.match(r"--([a-z-]+)=(\S+)\s+", text):
        flags[match[1]] = match[2]
        text = text[match.end() :]
    form = text.removeprefix("CMD ") if name == "HEALTHCHECK" else text
    words = json.loads(form) if form.startswith("[") else shlex.split(form)
    return Instruction(name=name, text=text, flags=flags, words=tuple(words))


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path out of the build: the last line that matches it or a folder above decides."""
    found = False
    places = [str(place) for place in (PurePosixPath(path), *PurePosixPath(path).parents)][:-1]
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = line.removeprefix("!")
            names = [place.rpartition("/")[2] for place in places] if pattern.startswith("**/") else places
            if any(fnmatch.fnmatchcase(name, pattern.removeprefix("**/")) for name in names):
                found = not line.startswith("!")
    return found


@dataclass(slots=True, kw_only=True)
class Container:
    """A folder that stands for the image: `/opt/hathi` is `FOLDER/opt/hathi`; packages are borrowed from this run."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])
    workdir: str = "/"
    unrun: list[str] = field(default_factory=list[str])
    """What can't be done without an image, such as making an account: checked for syntax only."""

    def build(self, stages: list[Stage]) -> None:
        """Carry out every instruction that changes files or environment."""
        program = self.folder / "usr/local/bin/python"
        program.parent.mkdir(parents=True)
        program.symlink_to(Path(sys.executable).resolve())
        for stage in stages:
            self.workdir, self.environment = "/", {"PATH": "/usr/local/bin:/usr/bin:/bin"}
            for each in stage.instructions:
                self._take(each)

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A program in the container, with its environment and nothing of ours."""
        own = {name: self._within(value) for name, value in self.environment.items()}
        return subprocess.run(
            words,
            cwd=self._place(self.workdir),
            env=own | {"HOME": str(self.folder)} | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def _take(self, each: Instruction) -> None:
        match each.name:
            case "ENV":
                pairs = (word.partition("=") for word in each.words)
                self.environment |= {name: value for name, _, value in pairs}
            case "WORKDIR":
                self.workdir = each.words[0]
                self._place(self.workdir).mkdir(parents=True, exist_ok=True)
            case "COPY" if "from" not in each.flags:
                if each.words[-1].endswith("/"):
                    self._place(each.words[-1]).mkdir(exist_ok=True)
                for source in each.words[:-1]:
                    self._copy(source, self._place(each.words[-1]))
            case "RUN":
                self._execute(each.text)
            case _:
                pass

    def _copy(self, source: str, target: Path) -> None:
        def left_out(folder: str, names: list[str]) -> set[str]:
            return {name for name in names if ignored(str(Path(folder, name).relative_to(ROOT)))}

        assert not ignored(source), f".dockerignore keeps {source} from being copied"
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target, ignore=left_out)
        else:
            shutil.copy(ROOT / source, target)

    def _execute(self, text: str) -> None:
        if "useradd" in text:
            self.unrun.append(text)
            text = f"sh -n -c {shlex.quote(text)}"
        done = self.run("/bin/sh", "-ec", self._within(text), PIP_NO_INDEX="1", PIP_ROOT_USER_ACTION="ignore")
        assert done.returncode == 0, done.stdout + done.stderr
        self._lend()

    def _lend(self) -> None:
        """Put this environment's packages, but not its Hathi, where every new virtual environment finds them."""
        lent = self.folder / "lent"
        if not lent.exists():
            lent.mkdir()
            for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
                for found in Path(place).iterdir():
                    if not _OURS.fullmatch(found.name):
                        (lent / found.name).symlink_to(found)
        for site in self.folder.glob("opt/*/lib/python3*/site-packages"):
            (site / "lent.pth").write_text(f"{lent}\n", "utf-8")

    def _place(self, path: str) -> Path:
        return self.folder / os.path.normpath(path if path.startswith("/") else f"{self.workdir}/{path}").lstrip("/")

    def _within(self, text: str) -> str:
        """The same text with the container's own folders as they lie here."""
        return re.sub(r"(?<![\w.])/(?=(opt|src|var/lib|usr/local)(/|\b))", f"{self.folder}/", text)
