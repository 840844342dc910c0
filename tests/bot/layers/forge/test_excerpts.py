"""The laws of what is shown of a thing: its title, and the part that tells."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.domain import Layer
from bot.layers.forge import excerpts
from bot.layers.forge.repositories import ForgeRepository
from bot.layers.forge.things import Comment, Commit, Item, ItemKind, Job, RepositoryFile, Run, Status

NEXUS = ForgeRepository(name="nexus", path="acme/the-nexus")
DAY = datetime(2026, 3, 1, 10, tzinfo=UTC)
PULL = Item(
    kind=ItemKind.PULL,
    number=12,
    title="Add cache",
    state="merged",
    author="alice",
    created_at=DAY,
    ended_at=DAY,
    body="<!-- say why -->\nIt is slow.\nNow it is not.",
    labels=("perf", "db"),
    url="https://forge.example/12",
    comments=(Comment(author="bob", said_at=DAY, body="Ship it."),),
)
RUN = Run(
    run_id=88,
    number=7,
    title="CI, Add cache",
    outcome="failure",
    author="dave",
    started_at=DAY,
    branch="main",
    sha="0123456789abcdef",
    url="https://forge.example/runs/88",
    jobs=(
        Job(job_id=1, name="lint", outcome="success"),
        Job(job_id=2, name="test", outcome="failure", failed_steps=("pytest",)),
    ),
    logged="test",
)


def test_an_item_is_told_with_its_state_its_body_and_its_comments() -> None:
    """Who wrote it and when stand beside; what a template says is left out."""
    told = excerpts.of_item(NEXUS, PULL)
    assert "pull request 12 of nexus: Add cache (merged)" == told.title
    assert [
        "Add cache",
        "merged since 2026-03-01; labels: perf, db",
        "It is slow.",
        "Now it is not.",
        "bob, 2026-03-01: Ship it.",
    ] == told.content.splitlines()
    assert (Layer.ARTIFACTS, "alice", DAY, "https://forge.example/12") == (
        told.layer,
        told.author,
        told.said_at,
        told.url,
    )


def test_comments_that_are_not_shown_are_counted() -> None:
    """Who reads three of many knows that there are more."""
    lines = excerpts.of_item(NEXUS, replace(PULL, comment_count=25)).content.splitlines()
    assert ["comments: 25, the newest 1 of them", "bob, 2026-03-01: Ship it."] == lines[-2:]


def test_a_long_body_is_cut_at_a_whole_line() -> None:
    """At 1,500 characters; a first line that is longer alone is cut in itself."""
    told = excerpts.of_item(NEXUS, replace(PULL, body="\n".join(["x" * 100] * 30), comments=()))
    assert (14, {"x" * 100}) == (told.content.count("x" * 100), set(told.content.splitlines()[2:]))
    single = excerpts.of_item(NEXUS, replace(PULL, body="y" * 5000, comments=()))
    assert "y" * 1499 + "…" == single.content.splitlines()[-1]


def test_an_address_that_is_none_of_the_web_is_left_out() -> None:
    """A forge could write anything there."""
    assert None is excerpts.of_item(NEXUS, replace(PULL, url="javascript:alert(1)")).url


def test_of_a_file_the_lines_that_were_named_are_shown() -> None:
    """Else those about the question, else the first; lines beyond its end are none."""
    file = RepositoryFile(path="src/a.py", content="one\ntwo\nthree\n", url=None)
    named = excerpts.of_file(NEXUS, file, (2, 3), ())
    assert ("src/a.py of nexus, from line 2", "two\nthree") == (named.title, named.content)
    assert "one\ntwo\nthree" == excerpts.of_file(NEXUS, file, None, ()).content
    assert "" == excerpts.of_file(NEXUS, file, (9, 9), ()).content


def test_a_commit_is_told_with_what_it_changed() -> None:
    """At most fifteen names; the others are counted."""
    commit = Commit(
        sha="0123456789abcdef",
        message="Add cache\n\nIt helps.",
        author="carol",
        committed_at=DAY,
        files=tuple(f"f{number}" for number in range(17)),
        url=None,
    )
    told = excerpts.of_commit(NEXUS, commit)
    assert "commit 0123456789 of nexus: Add cache" == told.title
    assert ("It helps.", True) == (told.content.splitlines()[2], told.content.endswith("f13, f14 and 2 more"))


def test_a_run_is_told_by_what_failed_and_the_error_of_its_log() -> None:
    """Not by the green jobs, the clock, the colours, or what comes long after the error."""
    log = "\n".join(
        [
            *(f"2026-03-01T10:00:00.1234567Z step {number}" for number in range(300)),
            "2026-03-01T10:00:01.1234567Z \x1b[31mE   AssertionError: 3 != 4\x1b[0m",
            "2026-03-01T10:00:01.1234567Z ##[error]Process completed with exit code 1.",
            *(f"2026-03-01T10:00:02.1234567Z Post job {number}" for number in range(20)),
        ]
    )
    told = excerpts.of_run(NEXUS, replace(RUN, log=log))
    assert "CI run 7 of nexus: CI, Add cache (failure)" == told.title
    lines = told.content.splitlines()
    assert ["failure; branch main 0123456789", "job test: failure at pytest", "log of test:"] == lines[:3]
    assert ["E   AssertionError: 3 != 4", "Process completed with exit code 1.", "Post job 0", "Post job 1"] == lines[
        -4:
    ]
    assert len(told.content) < 1700


def test_only_the_last_200_lines_of_a_log_are_read() -> None:
    """An error before them is not shown; without one the end is."""
    log = "\n".join(["error: long ago", *(f"line {number}" for number in range(200))])
    content = excerpts.of_run(NEXUS, replace(RUN, log=log)).content
    assert (False, True) == ("long ago" in content, content.endswith("line 199"))


def test_a_run_without_a_log_tells_its_jobs() -> None:
    """All of them where none failed."""
    told = excerpts.of_run(NEXUS, replace(RUN, jobs=RUN.jobs[:1], outcome="success", logged=None))
    assert "success; branch main 0123456789\njob lint: success" == told.content


def test_a_failed_run_whose_log_can_t_be_read_says_so() -> None:
    """Nobody takes the step that failed for the reason."""
    told = excerpts.of_run(NEXUS, replace(RUN, logged=None))
    assert "its log can't be read" == told.content.splitlines()[-1]


def test_other_checks_are_told_a_line_each() -> None:
    """With the state they have together."""
    told = excerpts.of_status(NEXUS, Status(sha="0123456789abcdef", state="failure", checks=("a: success",), url=None))
    assert ("checks of commit 0123456789 of nexus (failure)", "a: success") == (told.title, told.content)
