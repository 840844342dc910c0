"""Parses the JSON of GitHub and Gitea into models, and converts these to the records of `things`.

GitHub's REST API v3 and Gitea's v1 name these fields alike (docs.github.com/rest, docs.gitea.com/api).
"""

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from bot import catalogue, errors
from bot.layers.forge.things import Comment, Commit, Item, ItemKind, Job, RepositoryFile, RepositoryState, Run, Status
from bot.text import normalize

MOST_FILE_BYTES: Final = 2**20
MOST_FILES: Final = 50
"""Names of a commit's files that are kept."""
_FAILED: Final = frozenset({"failure", "error", "timed_out", "startup_failure", "cancelled", "canceled"})
T = TypeVar("T")


class _Named(BaseModel):
    name: str = ""


class _User(BaseModel):
    login: str = ""


class _Pull(BaseModel):
    merged: bool = False
    merged_at: datetime | None = None


class RepositoryAnswer(BaseModel):
    """A repository."""

    private: bool
    internal: bool = False
    visibility: str = "public"
    default_branch: str = "HEAD"

    def thing(self) -> RepositoryState:
        """What counts of it: one that only members may read is not public either."""
        is_closed = self.private or self.internal or self.visibility in {"private", "internal", "limited"}
        return RepositoryState(private=is_closed, branch=self.default_branch or "HEAD")


class ItemAnswer(BaseModel):
    """An issue, or a pull request as one."""

    number: int
    title: str
    state: str
    body: str | None = None
    user: _User | None = None
    labels: list[_Named] | None = None
    created_at: datetime
    closed_at: datetime | None = None
    html_url: str = ""
    comments: int = 0
    pull_request: _Pull | None = None

    def thing(self) -> Item:
        """The item, merged where it was."""
        pull = self.pull_request
        is_merged = pull is not None and (pull.merged or pull.merged_at is not None)
        return Item(
            kind=ItemKind.ISSUE if pull is None else ItemKind.PULL,
            number=self.number,
            title=normalize.one_line(normalize.shown(self.title)),
            state="merged" if is_merged else self.state,
            author=_login(self.user),
            created_at=self.created_at,
            ended_at=(pull.merged_at if pull and is_merged else None) or self.closed_at,
            body=normalize.shown(self.body or ""),
            labels=tuple(normalize.shown(label.name) for label in self.labels or ()),
            url=self.html_url,
            comment_count=self.comments,
        )


class CommentAnswer(BaseModel):
    """A comment."""

    body: str | None = None
    user: _User | None = None
    created_at: datetime

    def thing(self) -> Comment:
        """The comment."""
        return Comment(author=_login(self.user), said_at=self.created_at, body=normalize.shown(self.body or ""))


class HeadAnswer(BaseModel):
    """A pull request, with nothing but its last commit."""

    class _Head(BaseModel):
        sha: str

    head: _Head


class FileAnswer(BaseModel):
    """A file with its content."""

    type: str
    path: str
    size: int = 0
    encoding: str | None = None
    content: str | None = None
    html_url: str | None = None

    def thing(self) -> RepositoryFile:
        """The file. Raises `ForgeUnreadable` where it is none, is too large or holds no text."""
        if self.type != "file":
            raise errors.ForgeUnreadable(catalogue.later("it names a folder or a link, not a file"))
        if self.encoding != "base64" or self.content is None or self.size > MOST_FILE_BYTES:
            raise errors.ForgeUnreadable(catalogue.later("the file it names is too large"))
        try:
            raw = base64.b64decode(self.content)
            content = raw.decode()
        except (binascii.Error, ValueError) as exc:
            raise errors.ForgeUnreadable(catalogue.later("the file it names holds no text")) from exc
        if "\0" in content or len(raw) > MOST_FILE_BYTES:
            raise errors.ForgeUnreadable(catalogue.later("the file it names holds no text"))
        return RepositoryFile(path=normalize.shown(self.path), content=normalize.shown(content), url=self.html_url)


class TreeAnswer(BaseModel):
    """The names of what a repository holds."""

    class _Entry(BaseModel):
        path: str
        type: str

    tree: list[_Entry]
    truncated: bool = False

    @property
    def files(self) -> list[str]:
        """The paths of its files."""
        return [entry.path for entry in self.tree if entry.type == "blob"]


class CommitAnswer(BaseModel):
    """A commit."""

    class _Commit(BaseModel):
        class _Author(BaseModel):
            name: str = ""
            date: datetime | None = None

        message: str
        author: _Author | None = None

    class _File(BaseModel):
        filename: str

    sha: str
    commit: _Commit
    author: _User | None = None
    files: list[_File] | None = None
    html_url: str | None = None

    def thing(self) -> Commit:
        """The commit; of who wrote it the name, never the address."""
        by = self.commit.author
        return Commit(
            sha=self.sha,
            message=normalize.shown(self.commit.message),
            author=_login(self.author) or (normalize.one_line(by.name) if by and by.name else None),
            committed_at=by.date if by else None,
            files=tuple(normalize.shown(file.filename) for file in (self.files or ())[:MOST_FILES]),
            url=self.html_url,
        )


class RunAnswer(BaseModel):
    """A CI run."""

    id: int
    run_number: int = 0
    name: str | None = None
    display_title: str = ""
    status: str | None = None
    conclusion: str | None = None
    head_branch: str | None = None
    head_sha: str = ""
    html_url: str | None = None
    actor: _User | None = None
    run_started_at: datetime | None = None
    started_at: datetime | None = None

    def thing(self) -> Run:
        """The run, without its jobs."""
        titles = [title for title in (self.name, self.display_title) if title]
        return Run(
            run_id=self.id,
            number=self.run_number or self.id,
            title=normalize.one_line(normalize.shown(", ".join(dict.fromkeys(titles)))),
            outcome=self.conclusion or self.status or catalogue.gettext("unknown"),
            author=_login(self.actor),
            started_at=self.run_started_at or self.started_at,
            branch=normalize.shown(self.head_branch or ""),
            sha=self.head_sha,
            url=self.html_url,
        )


class RunsAnswer(BaseModel):
    """CI runs, the newest first."""

    workflow_runs: list[RunAnswer]


class JobsAnswer(BaseModel):
    """The jobs of a run."""

    class _Job(BaseModel):
        class _Step(BaseModel):
            name: str
            conclusion: str | None = None

        id: int
        name: str
        status: str | None = None
        conclusion: str | None = None
        steps: list[_Step] | None = None

    jobs: list[_Job]

    def things(self) -> tuple[Job, ...]:
        """The jobs."""
        return tuple(
            Job(
                job_id=job.id,
                name=normalize.one_line(normalize.shown(job.name)),
                outcome=job.conclusion or job.status or catalogue.gettext("unknown"),
                failed_steps=tuple(
                    normalize.one_line(normalize.shown(s.name))
                    for s in job.steps or ()
                    if has_failed(s.conclusion or "")
                ),
            )
            for job in self.jobs
        )


class StatusAnswer(BaseModel):
    """What all checks together say of a commit; Gitea has `status` in each where GitHub has `state`."""

    class _Check(BaseModel):
        context: str = ""
        state: str | None = None
        status: str | None = None
        description: str | None = None
        target_url: str | None = None

    state: str
    sha: str = ""
    statuses: list[_Check] | None = None

    def thing(self) -> Status | None:
        """The checks; None where nothing ever checked it."""
        if not self.statuses:
            return None
        unknown = catalogue.gettext("unknown")
        lines = [
            normalize.one_line(
                normalize.shown(
                    f"{one.context}: {one.state or one.status or unknown}"
                    + (f", {one.description}" if one.description else "")
                )
            )
            for one in self.statuses
        ]
        bad = next((one for one in self.statuses if has_failed(one.state or one.status or "")), self.statuses[0])
        url = bad.target_url if (bad.target_url or "").startswith(("http://", "https://")) else None
        return Status(sha=self.sha, state=self.state, checks=tuple(lines), url=url)


class FoundAnswer(BaseModel):
    """What GitHub's search found."""

    items: list[ItemAnswer]


def has_failed(outcome: str) -> bool:
    """Whether a run, a job, a step or a check ended badly."""
    return outcome in _FAILED


def read(kind: type[T], answer: Any) -> T:
    """The answer as what it ought to be. Raises `ForgeUnusable`."""
    try:
        return TypeAdapter(kind).validate_python(answer)
    except ValidationError as exc:
        # The values stay out: they are what people wrote.
        what = ", ".join(".".join(map(str, error["loc"])) for error in exc.errors()[:3])
        raise errors.ForgeUnusable(f"The forge's answer lacks something: {normalize.one_line(what)}.") from None


def read_all(kind: type[T], answer: Any) -> Sequence[T]:
    """A list of them. Raises `ForgeUnusable`."""
    return read(list[kind], answer)


def _login(user: _User | None) -> str | None:
    return normalize.one_line(normalize.shown(user.login)) or None if user is not None else None
