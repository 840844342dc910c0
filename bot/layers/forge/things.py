"""The forge's records: references, issues, files, commits and CI runs; no I/O."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReference:
    """An issue or a pull request by its number; they share one count."""

    repository: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReference:
    """A file, by its path or by the end of it."""

    repository: str | None
    """None where nobody said which; so for commits."""
    path: str
    ref: str | None = None
    """A branch, a tag or a commit; the default branch unless given."""
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReference:
    """A commit by the beginning of its id."""

    repository: str | None
    sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReference:
    """A CI run by its id, and a job of it where one is named."""

    repository: str | None
    run: int
    job: int | None = None


Reference: TypeAlias = ItemReference | FileReference | CommitReference | RunReference


class ItemKind(StrEnum):
    """The kinds of items, as people call them."""

    ISSUE = "issue"
    PULL = "pull request"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryState:
    """What the forge says of a repository itself."""

    private: bool
    """Whether not everybody may read it there."""
    branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What somebody wrote below an item."""

    author: str | None
    said_at: datetime
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An issue or a pull request."""

    kind: ItemKind
    number: int
    title: str
    state: str
    """`open`, `closed` or `merged`."""
    author: str | None
    created_at: datetime
    ended_at: datetime | None
    """When it was closed or merged."""
    body: str
    labels: tuple[str, ...]
    url: str
    comment_count: int = 0
    comments: tuple[Comment, ...] = ()
    """The newest, oldest of them first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryFile:
    """A file as text."""

    path: str
    content: str
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit, with the names of what it changed."""

    sha: str
    message: str
    author: str | None
    committed_at: datetime | None
    files: tuple[str, ...]
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job of a run."""

    job_id: int
    name: str
    outcome: str
    """`success`, `failure`, or what it is at: `in_progress`."""
    failed_steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A CI run, with the end of the log of the job that tells most."""

    run_id: int
    number: int
    title: str
    outcome: str
    author: str | None
    started_at: datetime | None
    branch: str
    sha: str
    url: str | None
    jobs: tuple[Job, ...] = ()
    logged: str | None = None
    """The name of the job whose log it is."""
    log: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What CI of any kind says of a commit."""

    sha: str
    state: str
    checks: tuple[str, ...]
    """One line each."""
    url: str | None
