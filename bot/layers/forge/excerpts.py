"""Chooses what is shown of an issue, file, commit or CI run: its title and most relevant lines; pure."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.domain import Layer
from bot.layers.forge import forge_json, relevance
from bot.layers.forge.relevance import TellingWord
from bot.layers.forge.repositories import ForgeRepository
from bot.layers.forge.things import Commit, Item, ItemKind, Job, RepositoryFile, Run, Status
from bot.layers.walk import Evidence
from bot.text import normalize

LONGEST: Final = 1500
"""Characters of the body of a thing."""
LONGEST_COMMENT: Final = 400
LOG_LINES: Final = 200
"""The last lines of a log, of which those about the last error are shown."""
_AFTER: Final = 3
"""Lines after an error that are shown with it."""
_NAMES: Final = 15
"""Names of files, jobs and checks."""
_TITLES: Final = {
    ItemKind.ISSUE: catalogue.later("issue {number} of {place}: {title} ({state})"),
    ItemKind.PULL: catalogue.later("pull request {number} of {place}: {title} ({state})"),
}
_REMARK: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""What a template says to whoever fills it in."""
_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_CLOCK: Final = re.compile(r"^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?")
_MARK: Final = re.compile(r"^##\[(?:error|warning|group|endgroup|command|debug|section)\]")
_ERROR: Final = re.compile(
    r"\b(?:\w{0,60}(?:error|exception)s?|failed|failure|fatal|traceback|panic)\b|^E  ", re.IGNORECASE
)
_NO_ERROR: Final = re.compile(
    r"\b(?:0|no) (?:errors?|failed|failures)\b|process completed with exit code", re.IGNORECASE
)


def of_item(place: ForgeRepository, item: Item, score: float = 1.0) -> Evidence:
    """An issue or a pull request: how it stands, what it says, and the newest comments."""
    title = catalogue.gettext(_TITLES[item.kind]).format(
        number=item.number, place=place.name, title=normalize.one_line(item.title, 120), state=item.state
    )
    facts = [item.state]
    if item.ended_at:
        facts = [catalogue.gettext("{state} since {day}").format(state=item.state, day=_day(item.ended_at))]
    if item.labels:
        facts.append(catalogue.gettext("labels: {labels}").format(labels=", ".join(item.labels)))
    parts = [item.title, "; ".join(facts), _cut(_REMARK.sub("", item.body))]
    if item.comment_count > len(item.comments):
        told = (
            catalogue.gettext("comments: {count}, the newest {shown} of them")
            if item.comments
            else catalogue.gettext("comments: {count}, not shown here")
        )
        parts.append(told.format(count=item.comment_count, shown=len(item.comments)))
    somebody = catalogue.gettext("somebody")
    parts += [
        f"{one.author or somebody}, {_day(one.said_at)}: {_cut(one.body, LONGEST_COMMENT)}" for one in item.comments
    ]
    return _evidence(title, parts, author=item.author, said_at=item.created_at, url=item.url, score=score)


def of_file(
    place: ForgeRepository, file: RepositoryFile, lines: tuple[int, int] | None, words: Sequence[TellingWord]
) -> Evidence:
    """A file: the lines that were named, those about the question, or the first."""
    if lines is not None:
        first, last = lines
        content = relevance.whole_lines(file.content.splitlines()[first - 1 : last], LONGEST)
        told = catalogue.gettext("{path} of {place}, from line {line}")
        title = told.format(path=file.path, place=place.name, line=first)
    else:
        content = relevance.passage(file.content, words, LONGEST)
        title = catalogue.gettext("{path} of {place}").format(path=file.path, place=place.name)
    return _evidence(title, [content], url=file.url)


def of_commit(place: ForgeRepository, commit: Commit) -> Evidence:
    """A commit: its message, and the names of the files it changed."""
    subject = normalize.one_line(commit.message.partition("\n")[0], 120)
    parts = [_cut(commit.message)]
    if commit.files:
        rest = len(commit.files) - _NAMES
        told = (
            catalogue.gettext("changed: {files} and {count} more")
            if rest > 0
            else catalogue.gettext("changed: {files}")
        )
        parts.append(told.format(files=", ".join(commit.files[:_NAMES]), count=rest))
    told = catalogue.gettext("commit {sha} of {place}: {subject}")
    title = told.format(sha=commit.sha[:10], place=place.name, subject=subject)
    return _evidence(title, parts, author=commit.author, said_at=commit.committed_at, url=commit.url)


def of_run(place: ForgeRepository, run: Run) -> Evidence:
    """A CI run: what failed, and the lines of a log about it."""
    title = catalogue.gettext("CI run {number} of {place}: {title} ({outcome})").format(
        number=run.number, place=place.name, title=run.title or catalogue.gettext("no name"), outcome=run.outcome
    )
    branch = catalogue.gettext("branch {name}").format(name=run.branch) if run.branch else ""
    where = " ".join(part for part in (branch, run.sha[:10]) if part)
    parts = [f"{run.outcome}; {where}" if where else run.outcome]
    bad = [job for job in run.jobs if forge_json.has_failed(job.outcome)]
    parts += map(_job, (bad or run.jobs)[:_NAMES])
    if run.logged and (log := _told_by(run.log)):
        parts += [catalogue.gettext("log of {job}:").format(job=run.logged), log]
    elif run.logged is None and forge_json.has_failed(run.outcome):
        parts.append(catalogue.gettext("its log can't be read"))
    return _evidence(title, parts, author=run.author, said_at=run.started_at, url=run.url)


def _job(job: Job) -> str:
    told = (
        catalogue.gettext("job {name}: {outcome} at {steps}")
        if job.failed_steps
        else catalogue.gettext("job {name}: {outcome}")
    )
    return told.format(name=job.name, outcome=job.outcome, steps=", ".join(job.failed_steps))


def of_status(place: ForgeRepository, status: Status) -> Evidence:
    """What other checks say of a commit."""
    told = catalogue.gettext("checks of commit {sha} of {place} ({state})")
    title = told.format(sha=status.sha[:10], place=place.name, state=status.state)
    return _evidence(title, status.checks[:_NAMES], url=status.url)


def _evidence(
    title: str,
    parts: Sequence[str],
    *,
    author: str | None = None,
    said_at: datetime | None = None,
    url: str | None = None,
    score: float = 1.0,
) -> Evidence:
    """Evidence without a label, which is given when everything is found."""
    return Evidence(
        label="",
        layer=Layer.ARTIFACTS,
        title=title,
        content="\n".join(part for part in parts if part),
        author=author,
        said_at=said_at,
        url=url if (url or "").startswith(("http://", "https://")) else None,
        score=score,
    )


def _cut(text: str, longest: int = LONGEST) -> str:
    return relevance.whole_lines(text.strip().splitlines(), longest)


def _told_by(log: str) -> str:
    """The lines that end with the last error of a log, or its last lines."""
    plain = (_MARK.sub("", _CLOCK.sub("", _COLOUR.sub("", line))).rstrip() for line in log.splitlines()[-LOG_LINES:])
    lines = [normalize.shown(line) for line in plain if line]
    wrong = [at for at, line in enumerate(lines) if _ERROR.search(line) and not _NO_ERROR.search(line)]
    end = min(len(lines), wrong[-1] + 1 + _AFTER) if wrong else len(lines)
    kept: list[str] = []
    size = 0
    for line in reversed(lines[:end]):
        size += len(line) + 1
        if size > LONGEST:
            break
        kept.insert(0, line)
    return "\n".join(kept) or relevance.whole_lines(lines[-1:], LONGEST)


def _day(time: datetime) -> str:
    return f"{time:%Y-%m-%d}"
