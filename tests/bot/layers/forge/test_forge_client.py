"""The laws of asking a forge, over real HTTP: what is read of both kinds, what is refused, bounded and never sent."""

import asyncio
import traceback
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Any, Literal

import aiohttp
import pytest
from pydantic import SecretStr

from bot import errors
from bot.layers.forge import forge_requests
from bot.layers.forge.forge_client import ForgeClient
from bot.layers.forge.repositories import ForgeRepository
from bot.layers.forge.things import Item, ItemKind, Run
from bot.layers.forge.things import Status as Checks
from tests.bot.layers.forge.connecting import NOW, settings
from tests.forge_server import TOKEN, WHEN, Asked, Cut, ForgeServer, Hang, Moved, Raw, Repository, Status

NEXUS = ForgeRepository(name="nexus", path="acme/the-nexus")
WEB = ForgeRepository(name="web", path="acme/web")
SHA = "0123456789abcdef0123456789abcdef01234567"
DAY = datetime.fromisoformat(WHEN)
QUICK = timedelta(milliseconds=200)


class Clock:
    """A time that stands until it is moved."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()


@pytest.fixture(params=["github", "gitea"])
async def server(request: pytest.FixtureRequest) -> AsyncGenerator[ForgeServer]:
    """A forge of each kind."""
    async with ForgeServer(request.param) as started:
        started.repository("acme/the-nexus")
        yield started


@pytest.fixture
async def github() -> AsyncGenerator[ForgeServer]:
    """A GitHub."""
    async with ForgeServer() as started:
        started.repository("acme/the-nexus")
        yield started


@pytest.fixture
def nexus(server: ForgeServer) -> Repository:
    """What acme/the-nexus holds."""
    return server.repositories["acme/the-nexus"]


@pytest.fixture
def clock() -> Clock:
    """A time of our own."""
    return Clock()


@pytest.fixture
async def client(server: ForgeServer, clock: Clock) -> AsyncGenerator[ForgeClient]:
    """A client of it, with the token."""
    opened = ForgeClient(settings(server), now=clock.now, clock=clock.monotonic)
    yield opened
    await opened.aclose()


@pytest.fixture
async def impatient(github: ForgeServer) -> AsyncGenerator[ForgeClient]:
    """One that waits a fifth of a second, for what never comes."""
    opened = ForgeClient(settings(github), timeout=QUICK)
    yield opened
    await opened.aclose()


@pytest.fixture
async def hub(github: ForgeServer, clock: Clock) -> AsyncGenerator[ForgeClient]:
    """A client of GitHub."""
    opened = ForgeClient(settings(github), now=clock.now, clock=clock.monotonic)
    yield opened
    await opened.aclose()


# --- what is read ---------------------------------------------------------------------------------------------------


async def test_an_issue_is_read_with_its_newest_comments(client: ForgeClient, nexus: Repository) -> None:
    """Title, state, author, dates, labels and the last three comments, the oldest of them first."""
    closed = "2026-03-05T08:00:00Z"
    nexus.issue(12, "Cache grows", "It never\nshrinks.", state="closed", closed_at=closed, labels=[{"name": "bug"}])
    for day in range(1, 26):
        nexus.comment(12, f"comment {day}", at=f"2026-03-{day:02}T10:00:00Z")

    item = await client.item(NEXUS, 12)

    expected = Item(
        kind=ItemKind.ISSUE,
        number=12,
        title="Cache grows",
        state="closed",
        author="alice",
        created_at=DAY,
        ended_at=datetime.fromisoformat(closed),
        body="It never\nshrinks.",
        labels=("bug",),
        url="https://forge.example/12",
        comment_count=25,
        comments=item.comments,
    )
    assert expected == item
    assert ["comment 23", "comment 24", "comment 25"] == [one.body for one in item.comments]


@pytest.mark.parametrize(
    ("pull", "state"),
    [({"merged_at": WHEN}, "merged"), ({"merged": True, "merged_at": WHEN}, "merged"), ({"merged_at": None}, "closed")],
)
async def test_a_pull_request_is_merged_or_only_closed(
    client: ForgeClient, nexus: Repository, pull: dict[str, Any], state: str
) -> None:
    """Both are closed to the forge; what was merged is told so."""
    nexus.issue(13, "Add cache", pull=pull, state="closed", closed_at=WHEN)
    item = await client.item(NEXUS, 13)
    assert (ItemKind.PULL, state, DAY) == (item.kind, item.state, item.ended_at)


@pytest.mark.parametrize("count", [1, 2, 3, 10, 11, 101, 2521])
async def test_however_many_comments_the_last_page_is_asked_for(
    github: ForgeServer, hub: ForgeClient, count: int
) -> None:
    """GitHub gives the oldest first: one request, for the page that ends with the newest."""
    held = github.repositories["acme/the-nexus"]
    held.issue(1, "Long")
    for number in range(count):
        held.comment(1, str(number), at=f"{2000 + number}-01-01T00:00:00Z")
    item = await hub.item(NEXUS, 1)
    assert [str(number) for number in range(max(0, count - 3), count)] == [one.body for one in item.comments]
    assert 1 == len(github.asked_for("/comments"))


async def test_a_file_is_read_at_its_path_or_where_its_name_is_found(client: ForgeClient, nexus: Repository) -> None:
    """The path goes first; a bare name is looked for in the tree, the least deep first; UTF-8 survives."""
    nexus.files = {"src/deep/er/cache.py": b"3", "src/cache.py": "grün = 1\n".encode(), "other_cache.py": b"2"}
    at_path = await client.file(NEXUS, "src/deep/er/cache.py")
    by_name = await client.file(NEXUS, "cache.py")
    assert ("3", "src/cache.py", "grün = 1\n") == (at_path.content, by_name.path, by_name.content)
    with pytest.raises(errors.ForgeNotFound):
        await client.file(NEXUS, "nowhere.py")


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("logo.png", b"\x89PNG\x00\xff", "holds no text"),
        ("zero.bin", b"a\x00b", "holds no text"),
        ("big.txt", b"x" * (2**20 + 1), "too large"),
        ("src", b"", "a folder"),
    ],
)
async def test_what_is_no_text_of_at_most_a_mebibyte_is_not_read(
    client: ForgeClient, nexus: Repository, path: str, content: bytes, told: str
) -> None:
    """Pictures, binaries, folders and what is too large say what they are."""
    nexus.files = {path: content} if content else {"src/a.py": b"a"}
    with pytest.raises(errors.ForgeUnreadable, match=told):
        await client.file(NEXUS, path)


async def test_a_commit_is_read_by_the_beginning_of_its_id(client: ForgeClient, nexus: Repository) -> None:
    """Message, author by login and never by address, date, and the files it changed."""
    nexus.commit(SHA, "Add cache\n\nIt helps.", "src/cache.py", "README.md")
    commit = await client.commit(NEXUS, SHA[:7])
    assert (SHA, "Add cache\n\nIt helps.", "carol", DAY) == (
        commit.sha,
        commit.message,
        commit.author,
        commit.committed_at,
    )
    assert ("src/cache.py", "README.md") == commit.files
    assert "carol@example.org" not in repr(commit)
    with pytest.raises(errors.ForgeNotFound):
        await client.commit(NEXUS, "fffffff")


async def test_a_run_is_read_with_the_log_of_the_job_that_failed(client: ForgeClient, nexus: Repository) -> None:
    """Its jobs, the steps that failed, and the end of that log."""
    nexus.run(88, SHA, "failure", log="line\n" * 500 + "E   boom\n")
    run = await client.run(NEXUS, 88)
    assert (88, 7, "failure", SHA, "dave", DAY) == (
        run.run_id,
        run.number,
        run.outcome,
        run.sha,
        run.author,
        run.started_at,
    )
    assert [("lint", "success", ()), ("test", "failure", ("pytest",))] == [
        (job.name, job.outcome, job.failed_steps) for job in run.jobs
    ]
    assert ("test", True) == (run.logged, run.log.endswith("line\nE   boom\n"))


async def test_a_run_is_told_without_a_log_that_is_gone(
    client: ForgeClient, nexus: Repository, server: ForgeServer
) -> None:
    """Logs are kept for some weeks, and some are for members only."""
    nexus.run(88, SHA, "failure")
    for status in (404, 410, 403, 500):
        server.faults["/logs"] = [Status(status=status)] * (2 if status == 500 else 1)
        run = await client.run(NEXUS, 88)
        assert ("failure", None, "") == (run.outcome, run.logged, run.log)


async def test_a_run_whose_jobs_are_not_told_is_one(client: ForgeClient, nexus: Repository) -> None:
    """Not every forge that is like Gitea has them."""
    nexus.run(88, SHA, "failure")
    nexus.jobs.clear()
    run = await client.run(NEXUS, 88)
    assert ("failure", (), None) == (run.outcome, run.jobs, run.logged)


async def test_the_newest_run_is_found_or_the_newest_that_failed(client: ForgeClient, nexus: Repository) -> None:
    """Of the repository, or of one commit, where the one that failed tells most."""
    nexus.run(1, SHA, "failure", log="old")
    nexus.run(2, "f" * 40, "success", log="new")
    found = [
        await client.latest(NEXUS, failed=False),
        await client.latest(NEXUS, failed=True),
        await client.latest(NEXUS, failed=False, sha=SHA),
    ]
    assert [2, 1, 1] == [one.run_id for one in found if isinstance(one, Run)]


async def test_where_no_runs_are_kept_other_checks_are_told(client: ForgeClient, nexus: Repository) -> None:
    """A CI of another kind writes statuses; where nothing ever checked, there is nothing to tell."""
    nexus.statuses[SHA] = [
        {"context": "ci/lint", "state": "success", "status": "success", "description": "", "target_url": None},
        {"context": "ci/test", "state": "failure", "status": "failure", "description": "2 failed", "target_url": "x"},
    ]
    checks = await client.latest(NEXUS, failed=True, sha=SHA)
    assert isinstance(checks, Checks)
    assert ("ci/lint: success", "ci/test: failure, 2 failed") == checks.checks
    assert await client.latest(NEXUS, failed=True) is None


async def test_an_older_gitea_counts_runs_and_has_none_by_that_id() -> None:
    """An address of its pages names the number of a run: it is found among the newest."""
    async with ForgeServer("gitea") as server:
        server.repository("acme/the-nexus").run(880, SHA, "failure", number=12)
        client = ForgeClient(settings(server))
        assert 880 == (await client.run(NEXUS, 12)).run_id
        with pytest.raises(errors.ForgeNotFound):
            await client.run(NEXUS, 13)
        await client.aclose()


async def test_items_are_searched_by_any_of_the_words(client: ForgeClient, nexus: Repository) -> None:
    """Also where the forge's own search takes words for a phrase; of both kinds, or of one."""
    nexus.issue(1, "Cache grows without bound")
    nexus.issue(2, "Eviction is slow", pull={"merged_at": None})
    nexus.issue(3, "Dark mode")
    both = await client.search(NEXUS, ["eviction", "cache"], tuple(ItemKind))
    pulls = await client.search(NEXUS, ["eviction", "cache"], (ItemKind.PULL,))
    assert ([1, 2], [2]) == (sorted(one.number for one in both), [one.number for one in pulls])


async def test_a_long_search_stays_within_what_github_takes(github: ForgeServer, hub: ForgeClient) -> None:
    """At most six words with five operators, and 256 characters."""
    await hub.search(NEXUS, [letter * 60 for letter in "abcdefgh"], (ItemKind.ISSUE,))
    (asked,) = github.asked_for("search/issues")
    assert ("repo:acme/the-nexus is:issue (", 3) == (asked.query["q"][:30], asked.query["q"].count("OR") + 1)
    assert len(asked.query["q"]) <= 256


async def test_nothing_but_get_is_ever_asked(client: ForgeClient, nexus: Repository, server: ForgeServer) -> None:
    """The forge is read, never written."""
    nexus.issue(1, "Cache", pull={"merged_at": None})
    nexus.heads[1] = SHA
    nexus.run(88, SHA, "failure", log="x")
    nexus.commit(SHA, "m")
    nexus.files = {"a/b.py": b"x"}
    await client.item(NEXUS, 1)
    await client.latest(NEXUS, failed=True, sha=await client.head(NEXUS, 1))
    await client.commit(NEXUS, SHA)
    await client.file(NEXUS, "b.py")
    await client.search(NEXUS, ["cache"], tuple(ItemKind))
    assert {"GET"} == {one.method for one in [*server.requests, *server.stored]}


# --- the token ------------------------------------------------------------------------------------------------------


def sent(requests: list[Asked]) -> set[str | None]:
    return {one.headers.get("Authorization") for one in requests}


async def test_the_token_goes_to_the_forge_and_to_nobody_else(github: ForgeServer, hub: ForgeClient) -> None:
    """The log lies with another origin: its address is followed as it stands, without the token or a mark of it."""
    github.repositories["acme/the-nexus"].run(88, SHA, "failure", log="boom")
    assert "boom" == (await hub.run(NEXUS, 88)).log
    assert ({f"Bearer {TOKEN}"}, {None}) == (sent(github.requests), sent(github.stored))
    assert [{"sig": "a/b="}] == [one.query for one in github.stored]
    assert TOKEN not in repr(github.stored)


async def test_a_gitea_is_sent_its_own_kind_of_token() -> None:
    """The word before the token is Gitea's."""
    async with ForgeServer("gitea") as server:
        server.repository("acme/the-nexus").issue(1, "x")
        client = ForgeClient(settings(server))
        await client.item(NEXUS, 1)
        await client.aclose()
    assert {f"token {TOKEN}"} == sent(server.requests)


async def test_a_redirect_back_home_gets_no_token(github: ForgeServer, hub: ForgeClient) -> None:
    """Where logs are stored nobody can have another repository read with the token."""
    github.repository("acme/secret", private=True).issue(1, "The secret")
    github.repositories["acme/the-nexus"].run(88, SHA, "failure", log="boom")
    github.faults["/881"] = [Moved(to=f"{github.api}/repos/acme/secret/issues/1")]
    run = await hub.run(NEXUS, 88)
    assert ("", [None]) == (run.log, [one.headers.get("Authorization") for one in github.asked_for("secret/issues/1")])


async def test_a_redirect_within_a_repository_keeps_the_token(github: ForgeServer, hub: ForgeClient) -> None:
    """However it spells the name."""
    github.repositories["acme/the-nexus"].issue(2, "Merged into this one")
    github.repositories["Acme/The-Nexus"] = github.repositories["acme/the-nexus"]
    github.faults["the-nexus/issues/1"] = [Moved(to=f"{github.api}/repos/Acme/The-Nexus/issues/2", status=301)]
    assert ("Merged into this one", {f"Bearer {TOKEN}"}) == ((await hub.item(NEXUS, 1)).title, sent(github.requests))


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("repos/acme/secret/issues/1", "acme/secret"),
        ("repos/Acme/SECRET/issues/1", "acme/secret"),
        ("repositories/5/issues/1", None),
        ("repos/acme/the-nexus/../secret/issues/1", None),
        ("repos/acme/the-nexus/%2e%2e/secret/issues/1", None),
        ("user", None),
    ],
)
async def test_a_redirect_to_another_repository_is_not_followed(
    github: ForgeServer, hub: ForgeClient, to: str, told: str | None
) -> None:
    """Nothing of it is asked for: who may see what was transferred or renamed is another question."""
    github.faults["the-nexus/issues/1"] = [Moved(to=f"{github.api}/{to}", status=301)]
    with pytest.raises(errors.ForgeMoved) as moved:
        await hub.item(NEXUS, 1)
    assert (told, 1) == (moved.value.to, len(github.requests))


@pytest.mark.parametrize("to", ["", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://[broken"])
async def test_a_redirect_to_nowhere_is_no_answer(github: ForgeServer, hub: ForgeClient, to: str) -> None:
    """Only web addresses are followed."""
    github.faults["/issues/1"] = [Moved(to=to)]
    with pytest.raises(errors.ForgeUnusable, match="can't be followed"):
        await hub.item(NEXUS, 1)


async def test_at_most_three_redirects_are_followed(github: ForgeServer, hub: ForgeClient) -> None:
    """Then the forge is taken to be broken."""
    github.faults["/issues/1"] = [Moved(to=f"{github.api}/repos/acme/the-nexus/issues/1")] * 9
    with pytest.raises(errors.ForgeUnusable, match="more than 3 times"):
        await hub.item(NEXUS, 1)
    assert 4 == len(github.requests)


HUGE = b" " * forge_requests.MOST_BYTES + (
    b'{"number": 1, "title": "x", "state": "open", "created_at": "2026-03-01T10:00:00Z"}'
)
"""An item after two mebibytes of blanks."""
FAULTS: list[tuple[Any, type[errors.ForgeError]]] = [
    (Status(status=401), errors.ForgeTokenRefused),
    (Status(status=403), errors.ForgeForbidden),
    (Status(status=404), errors.ForgeNotFound),
    (Status(status=410), errors.ForgeNotFound),
    (Status(status=451), errors.ForgeForbidden),
    (Status(status=418), errors.ForgeUnusable),
    (Status(status=500), errors.ForgeUnreachable),
    (Cut(), errors.ForgeUnreachable),
    (Raw(body=b"<html>not json"), errors.ForgeUnusable),
    (Raw(body=b"[" * 100_000), errors.ForgeUnusable),
    (Raw(body=b"[1, 2]"), errors.ForgeUnusable),
    (Raw(body=b'{"number": "none", "title": "secret words"}'), errors.ForgeUnusable),
    (Raw(body=HUGE), errors.ForgeUnusable),
    (Status(status=429), errors.ForgeBusy),
]


@pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=lambda one: getattr(one, "__name__", repr(one)[:24]))
async def test_every_fault_has_its_own_error(
    github: ForgeServer, hub: ForgeClient, fault: Any, kind: type[errors.ForgeError]
) -> None:
    """Not there, not allowed, refused, away, too slow, too large, no JSON, another JSON; and none tells the token."""
    github.repositories["acme/the-nexus"].issue(1, "x")
    github.faults["/issues/1"] = [fault] * 2
    with pytest.raises(errors.ForgeError) as caught:
        await hub.item(NEXUS, 1)
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__cause__)
    assert (kind, False, False) == (type(caught.value), TOKEN in told, "secret words" in told)


@pytest.mark.parametrize("fault", [Status(status=502), Cut()])
async def test_what_failed_once_is_asked_once_more(github: ForgeServer, hub: ForgeClient, fault: Any) -> None:
    """After a 5xx or a broken connection, and no oftener."""
    github.repositories["acme/the-nexus"].issue(1, "There")
    github.faults["/issues/1"] = [fault]
    assert "There" == (await hub.item(NEXUS, 1)).title
    assert 2 == len(github.requests)


async def test_what_was_too_slow_is_not_asked_again(github: ForgeServer, impatient: ForgeClient) -> None:
    """Nobody waits twice."""
    github.faults["/issues/1"] = [Hang()]
    with pytest.raises(errors.ForgeUnreachable, match=r"did not answer within 0\.2 s"):
        await impatient.item(NEXUS, 1)
    assert 1 == len(github.requests)


async def test_an_address_where_nothing_listens_can_t_be_reached(github: ForgeServer) -> None:
    """It is told by its host."""
    client = ForgeClient(settings(github, base_url="http://127.0.0.1:1/api/v3"))
    with pytest.raises(errors.ForgeUnreachable, match=r"127\.0\.0\.1:1 can't be reached"):
        await client.item(NEXUS, 1)
    await client.aclose()


async def test_a_log_that_does_not_end_is_given_up(
    github: ForgeServer, hub: ForgeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end is never seen; the run is told without it."""
    monkeypatch.setattr(forge_requests, "MOST_LOG_BYTES", 1000)
    github.repositories["acme/the-nexus"].run(88, SHA, "failure", log="x" * 2000)
    assert None is (await hub.run(NEXUS, 88)).logged


async def test_of_a_log_its_end_is_kept(github: ForgeServer, hub: ForgeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is, within the bound."""
    monkeypatch.setattr(forge_requests, "LOG_TAIL", 5)
    github.repositories["acme/the-nexus"].run(88, SHA, "failure", log="beginning and end")
    assert "d end" == (await hub.run(NEXUS, 88)).log


# --- asking less ----------------------------------------------------------------------------------------------------


async def test_what_has_not_changed_is_not_sent_twice(github: ForgeServer, hub: ForgeClient) -> None:
    """The mark of the first answer is sent back; 304 gives it again, and a change the new one."""
    held = github.repositories["acme/the-nexus"]
    held.issue(1, "First")
    titles = [(await hub.item(NEXUS, 1)).title, (await hub.item(NEXUS, 1)).title]
    held.issue(1, "Second")
    titles.append((await hub.item(NEXUS, 1)).title)
    assert ["First", "First", "Second"] == titles
    marks = [one.headers.get("If-None-Match") for one in github.requests]
    assert (None, True, True) == (marks[0], marks[1] is not None, marks[1] == marks[2])


async def test_garbage_is_not_kept(github: ForgeServer, hub: ForgeClient) -> None:
    """An answer that can't be used is asked for anew."""
    github.repositories["acme/the-nexus"].issue(1, "Whole")
    github.faults["/issues/1"] = [Raw(body=b"{", headers={"ETag": '"half"'})]
    with pytest.raises(errors.ForgeUnusable):
        await hub.item(NEXUS, 1)
    assert "Whole" == (await hub.item(NEXUS, 1)).title
    assert [None, None] == [one.headers.get("If-None-Match") for one in github.requests]


RESET = NOW + timedelta(minutes=30)
LIMITS: list[tuple[Status, datetime]] = [
    (
        Status(status=403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{RESET.timestamp():.0f}"}),
        RESET,
    ),
    (Status(status=429, headers={"Retry-After": "90"}), NOW + timedelta(seconds=90)),
    (Status(status=403, headers={"Retry-After": "Mon, 02 Mar 2026 12:05:00 GMT"}), NOW + timedelta(minutes=5)),
    (Status(status=429), NOW + timedelta(minutes=1)),
    (Status(status=429, headers={"Retry-After": "soon"}), NOW + timedelta(minutes=1)),
    (Status(status=403, body={"message": "You have exceeded a secondary rate limit."}), NOW + timedelta(minutes=1)),
    (Status(status=429, headers={"Retry-After": "999999"}), NOW + timedelta(hours=1)),
]


@pytest.mark.parametrize(("refusal", "until"), LIMITS)
async def test_no_request_is_made_before_the_forge_wants_one(
    github: ForgeServer, hub: ForgeClient, clock: Clock, refusal: Status, until: datetime
) -> None:
    """It says until when; nothing is asked before, and then again; never is an hour waited for more."""
    github.repositories["acme/the-nexus"].issue(1, "There")
    github.faults["/issues/1"] = [refusal]
    for moment in (NOW, until - timedelta(seconds=1)):
        clock.at = moment
        with pytest.raises(errors.ForgeBusy, match=f"asks to wait until {until:%H:%M:%S} UTC") as caught:
            await hub.item(NEXUS, 1)
        assert until == caught.value.until
    assert 1 == len(github.requests)
    clock.at = until
    assert "There" == (await hub.item(NEXUS, 1)).title


async def test_a_plain_403_is_no_limit(github: ForgeServer, hub: ForgeClient) -> None:
    """With requests left it means what it says, and the next question is asked."""
    github.faults["/issues/1"] = [Status(status=403, headers={"X-RateLimit-Remaining": "59"})] * 2
    for _ in range(2):
        with pytest.raises(errors.ForgeForbidden):
            await hub.item(NEXUS, 1)
    assert 2 == len(github.requests)


@pytest.mark.parametrize("status", [403, 429])
async def test_a_store_of_logs_that_asks_to_wait_is_not_the_forge(
    github: ForgeServer, hub: ForgeClient, status: int
) -> None:
    """The run is told without its log, and the forge is still asked."""
    held = github.repositories["acme/the-nexus"]
    held.run(88, SHA, "failure", log="boom")
    held.issue(1, "There")
    github.faults["/881"] = [Status(status=status, headers={"Retry-After": "3000", "X-RateLimit-Remaining": "0"})]
    assert None is (await hub.run(NEXUS, 88)).logged
    assert "There" == (await hub.item(NEXUS, 1)).title


async def test_the_search_has_a_limit_of_its_own(github: ForgeServer, hub: ForgeClient) -> None:
    """When it is used up, all else is still asked."""
    github.repositories["acme/the-nexus"].issue(1, "There")
    github.faults["search/issues"] = [LIMITS[0][0]]
    with pytest.raises(errors.ForgeBusy):
        await hub.search(NEXUS, ["cache"], (ItemKind.ISSUE,))
    assert "There" == (await hub.item(NEXUS, 1)).title


async def test_the_last_request_that_is_left_is_answered_and_then_none_is_made(
    github: ForgeServer, hub: ForgeClient
) -> None:
    """An answer that says so ends the asking before the forge refuses."""
    body = b'{"private": false, "default_branch": "main"}'
    spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{RESET.timestamp():.0f}"}
    github.faults["/the-nexus"] = [Raw(body=body, headers=spent)]
    assert "main" == (await hub.standing(NEXUS)).branch
    with pytest.raises(errors.ForgeBusy):
        await hub.item(NEXUS, 1)
    assert 1 == len(github.requests)


async def test_a_repository_is_asked_after_every_minute(github: ForgeServer, hub: ForgeClient, clock: Clock) -> None:
    """However many want to know at once."""
    assert [False] * 3 == [
        one.private
        for one in await asyncio.gather(*[hub.standing(NEXUS)] * 1, *(hub.standing(NEXUS) for _ in range(2)))
    ]
    github.repositories["acme/the-nexus"].private = True
    clock.at += timedelta(seconds=59)
    assert (False, 1) == ((await hub.standing(NEXUS)).private, len(github.requests))
    clock.at += timedelta(seconds=1)
    assert (True, 2) == ((await hub.standing(NEXUS)).private, len(github.requests))


@pytest.mark.parametrize(
    "answer",
    [b'{"private": true}', b'{"private": false, "internal": true}', b'{"private": false, "visibility": "internal"}'],
)
async def test_what_only_members_read_is_private(github: ForgeServer, hub: ForgeClient, answer: bytes) -> None:
    """Whatever each forge calls it."""
    github.faults["/the-nexus"] = [Raw(body=answer)]
    assert True is (await hub.standing(NEXUS)).private


@pytest.mark.parametrize("kind", ["github", "gitea"])
async def test_without_a_token_only_what_everybody_may_see_is_there(kind: Literal["github", "gitea"]) -> None:
    """No header is made up; a private repository is not there."""
    async with ForgeServer(kind) as server:
        server.repository("acme/the-nexus").issue(1, "Public")
        server.repository("acme/web", private=True).issue(1, "Private")
        client = ForgeClient(settings(server).model_copy(update={"token": None}))
        assert "Public" == (await client.item(NEXUS, 1)).title
        with pytest.raises(errors.ForgeNotFound):
            await client.item(WEB, 1)
        await client.aclose()
    assert {None} == sent(server.requests)


async def test_a_session_that_is_given_stays_open(
    github: ForgeServer, hub: ForgeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who opened it closes it; its own is closed."""
    github.repositories["acme/the-nexus"].issue(1, "x")
    opened, session_of = list[aiohttp.ClientSession](), aiohttp.ClientSession

    def recorded(**options: Any) -> aiohttp.ClientSession:
        opened.append(session_of(**options))
        return opened[-1]

    monkeypatch.setattr(aiohttp, "ClientSession", recorded)
    await hub.item(NEXUS, 1)
    (session,) = opened
    second = ForgeClient(settings(github), session)
    await second.item(NEXUS, 1)
    await second.aclose()
    assert False is session.closed
    await hub.aclose()
    assert True is session.closed


async def test_a_refused_token_is_told_from_a_missing_one(github: ForgeServer) -> None:
    """The first is to be replaced, the second to be given."""
    wrong = ForgeClient(settings(github).model_copy(update={"token": SecretStr("wrong")}))
    none = ForgeClient(settings(github).model_copy(update={"token": None}))
    with pytest.raises(errors.ForgeTokenRefused, match="refuses the token"):
        await wrong.item(NEXUS, 1)
    github.faults["/issues/1"] = [Status(status=401)]
    with pytest.raises(errors.ForgeTokenRefused, match="wants a token"):
        await none.item(NEXUS, 1)
    await wrong.aclose()
    await none.aclose()
