"""The laws of the forge in a walk: what is shown to whom, what counts as found, and what could not be reached."""

import asyncio
import io
from collections.abc import AsyncGenerator
from datetime import timedelta
from unittest import mock

import pytest
from structlog.testing import capture_logs

from bot import log
from bot.config import ForgeSettings
from bot.domain import ChannelId, Layer
from bot.layers.forge import forge_client, source
from bot.layers.forge.forge_client import ForgeClient
from bot.layers.forge.source import ForgeLayer
from bot.layers.walk import Finding
from tests.bot.layers.forge.connecting import PRIVATE, PUBLIC, asking, settings
from tests.forge_server import TOKEN, WHEN, ForgeServer, Hang, Moved, Raw, Repository, Status

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(params=["github", "gitea"])
async def server(request: pytest.FixtureRequest) -> AsyncGenerator[ForgeServer]:
    """A forge of each kind, with a public and a private repository."""
    async with ForgeServer(request.param) as started:
        nexus = started.repository("acme/the-nexus")
        nexus.issue(12, "Add cache", "It was slow.", pull={"merged_at": WHEN}, state="closed", closed_at=WHEN)
        nexus.heads[12] = SHA
        nexus.issue(13, "Redis eviction is too eager", "Keys vanish under memory pressure.")
        nexus.comment(13, "We decided on volatile-lru.")
        nexus.commit(SHA, "Add cache", "src/cache.py")
        nexus.files = {"src/cache.py": b"def evict():\n    pass\n"}
        nexus.run(88, SHA, "failure", log="E   boom\n")
        started.repository("acme/vault", private=True).issue(3, "The vault's redis eviction", "Secret plans.")
        yield started


@pytest.fixture
def nexus(server: ForgeServer) -> Repository:
    """What acme/the-nexus holds."""
    return server.repositories["acme/the-nexus"]


@pytest.fixture
async def forge(server: ForgeServer) -> AsyncGenerator[ForgeLayer]:
    """The forge as a source."""
    opened = ForgeLayer(settings(server))
    yield opened
    await opened.aclose()


def titles(finding: Finding) -> list[str]:
    return [one.title for one in finding.evidence]


# --- what is found --------------------------------------------------------------------------------------------------


async def test_what_is_named_is_found_in_its_order(forge: ForgeLayer) -> None:
    """Labelled A1, A2 …, with title, content, author, time and address."""
    finding = await forge.look(asking("what about #12, issue 13, src/cache.py and commit 0123456?"))
    assert [
        "pull request 12 of nexus: Add cache (merged)",
        "issue 13 of nexus: Redis eviction is too eager (open)",
        "src/cache.py of nexus",
        "commit 0123456789 of nexus: Add cache",
    ] == titles(finding)
    assert (["A1", "A2", "A3", "A4"], 4, "", "") == (
        [one.label for one in finding.evidence],
        finding.looked,
        finding.failed,
        finding.why,
    )
    first, second = finding.evidence[:2]
    assert (Layer.ARTIFACTS, "alice", WHEN[:10], "https://forge.example/12", True) == (
        first.layer,
        first.author,
        f"{first.said_at:%Y-%m-%d}",
        first.url,
        "It was slow." in first.content,
    )
    assert "bob, 2026-03-01: We decided on volatile-lru." in second.content


async def test_what_is_named_and_not_there_is_no_evidence(forge: ForgeLayer) -> None:
    """It is told in a few words; what else was named is still found."""
    gone = await forge.look(asking("what was #99?"))
    assert ((), source.NOT_THERE, "", 1) == (gone.evidence, gone.why, gone.failed, gone.looked)
    both = await forge.look(asking("what were #99 and #12?"))
    assert (["pull request 12 of nexus: Add cache (merged)"], source.NOT_THERE) == (titles(both), both.why)


async def test_ci_of_what_is_named_is_told_with_it(forge: ForgeLayer) -> None:
    """Of a pull request that of the commit it ends in; an issue has none."""
    finding = await forge.look(asking("why did CI fail on PR 12?"))
    assert ["pull request 12 of nexus: Add cache (merged)", "CI run 7 of nexus", True] == [
        titles(finding)[0],
        titles(finding)[1][:17],
        "E   boom" in finding.evidence[1].content,
    ]
    issue = await forge.look(asking("did CI fail on issue 13?"))
    assert 1 == len(issue.evidence)
    commit = await forge.look(asking(f"did the tests pass for {SHA[:12]}?"))
    assert ["commit 0123456789", "CI run 7 of nexus"] == [title[:17] for title in titles(commit)]


async def test_ci_that_is_asked_for_without_a_name_is_the_newest(forge: ForgeLayer, nexus: Repository) -> None:
    """The newest that failed if the question is about a failure."""
    nexus.run(89, "f" * 40, "success", number=8)
    failed = await forge.look(asking("why did CI fail?"))
    newest = await forge.look(asking("are the tests green?"))
    assert ["CI run 7", "CI run 8"] == [finding.evidence[0].title[:8] for finding in (failed, newest)]


async def test_a_repository_whose_ci_never_ran_says_so(forge: ForgeLayer, nexus: Repository) -> None:
    """Nothing is made up."""
    nexus.runs.clear()
    finding = await forge.look(asking("why did CI fail?"))
    assert ((), source.NO_CI, "") == (finding.evidence, finding.why, finding.failed)


async def test_a_run_is_found_by_its_number(forge: ForgeLayer) -> None:
    """With the error of its log."""
    finding = await forge.look(asking("what broke in CI run 88?"))
    assert (True, True) == ("E   boom" in finding.evidence[0].content, titles(finding)[0].endswith("(failure)"))


async def test_issues_are_searched_where_the_question_speaks_of_them(forge: ForgeLayer, server: ForgeServer) -> None:
    """With their newest comments, where decisions stand; nothing of a question on other things is sent."""
    finding = await forge.look(asking("which issue was about redis evicting keys?"))
    assert ["issue 13 of nexus: Redis eviction is too eager (open)"] == titles(finding)
    assert "We decided on volatile-lru." in finding.evidence[0].content
    before = len(server.requests)
    other = await forge.look(asking("what did we say about redis eviction?"))
    assert ((), source.NOTHING, 0) == (other.evidence, other.why, len(server.requests) - before)


async def test_issues_are_searched_where_artifacts_are_suggested(forge: ForgeLayer) -> None:
    """Whatever the words of the question."""
    finding = await forge.look(asking("what did we say about redis eviction?", layers=(Layer.ARTIFACTS,)))
    assert 1 == len(finding.evidence)


async def test_what_shares_one_common_word_is_no_hit(forge: ForgeLayer) -> None:
    """The forge found it; it is about something else."""
    finding = await forge.look(asking("which issue was about memory leaks in the kettle?"))
    assert ((), source.NO_HIT, "") == (finding.evidence, finding.why, finding.failed)


async def test_a_name_keeps_the_search_from_being_made(forge: ForgeLayer, server: ForgeServer) -> None:
    """Who names a number means that one, also where it is not there."""
    await forge.look(asking("which issue on redis eviction was #99?"))
    assert [] == [one for one in server.requests if "q" in one.query]


async def test_a_question_that_is_too_long_is_read_in_part(forge: ForgeLayer) -> None:
    """At most five things are looked up, and eight shown."""
    finding = await forge.look(asking(" ".join(f"#{number}" for number in range(1, 400))))
    assert (5, 0) == (finding.looked, len(finding.evidence))


async def test_a_file_that_is_no_text_is_no_failure(forge: ForgeLayer, nexus: Repository) -> None:
    """It is there and says nothing."""
    nexus.files["table.csv"] = b"\xff\xfe\x00"
    finding = await forge.look(asking("what is in table.csv?"))
    assert ((), True, "") == (finding.evidence, "holds no text" in finding.why, finding.failed)


async def test_without_a_default_files_and_commits_are_looked_for_in_each(server: ForgeServer) -> None:
    """The first that has it answers; a number alone means none."""
    repositories = {"web": {"path": "acme/web"}, "nexus": {"path": "acme/the-nexus"}}
    server.repository("acme/web")
    forge = ForgeLayer(settings(server, repositories=repositories, default_repository=None))
    assert ["commit 0123456789 of nexus: Add cache"] == titles(await forge.look(asking("commit 0123456?")))
    assert source.UNPLACED == (await forge.look(asking("what was #12?"))).why
    await forge.aclose()


@pytest.mark.parametrize(
    ("question", "is_ci"),
    [
        ("did the tests pass?", True),
        ("why is the build red?", True),
        ("did CI pass for the kettle?", True),
        ("did the school tests go well, did everybody's tests pass in maths?", False),
    ],
)
async def test_people_sit_tests_too(forge: ForgeLayer, question: str, is_ci: bool) -> None:
    """Without a word of CI it is asked for only where the question is about nothing else."""
    finding = await forge.look(asking(question))
    assert is_ci == bool(finding.evidence)


async def test_an_item_is_shown_though_its_comments_can_t_be_read(forge: ForgeLayer, server: ForgeServer) -> None:
    """It says that there are some."""
    server.faults["/13/comments"] = [Status(status=500)] * 2
    finding = await forge.look(asking("what was decided in #13?"))
    assert (True, "") == (finding.evidence[0].content.endswith("comments: 1, not shown here"), finding.failed)


# --- to whom --------------------------------------------------------------------------------------------------------

VAULT = "what is vault#3 about?"


async def test_a_private_repository_is_shown_in_its_channels_alone(forge: ForgeLayer, server: ForgeServer) -> None:
    """Elsewhere it is not asked, not searched, and not told from one that is not connected."""
    assert ["issue 3 of vault: The vault's redis eviction (open)"] == titles(await forge.look(asking(VAULT, PRIVATE)))
    before = len(server.requests)
    for text in (
        VAULT,
        "what is acme/vault#3?",
        "which issue of vault is on redis eviction?",
        "why did CI fail in vault?",
    ):
        finding = await forge.look(asking(text, PUBLIC))
        assert ((), source.NOT_SHOWN, "", 0) == (finding.evidence, finding.why, finding.failed, finding.looked)
    assert source.NOT_SHOWN == (await forge.look(asking("what is other#3?", PUBLIC))).why
    assert before == len(server.requests)


async def test_what_was_answered_in_its_channel_is_not_answered_elsewhere(
    forge: ForgeLayer, server: ForgeServer
) -> None:
    """Nothing that was kept of a private repository leaves its channel."""
    shown = await forge.look(asking(VAULT, PRIVATE))
    hidden = await forge.look(asking(VAULT, PUBLIC))
    assert (1, 0) == (len(shown.evidence), len(hidden.evidence))
    again = await forge.look(asking(VAULT, PRIVATE))
    assert shown.evidence == again.evidence


async def test_a_thread_counts_as_discord_shows_it(forge: ForgeLayer) -> None:
    """A public thread as its parent; a private one as its own, though its parent is named."""
    public_thread = await forge.look(asking(VAULT, ChannelId(21), origin=PRIVATE))
    private_thread = await forge.look(asking(VAULT, ChannelId(22)))
    assert (1, 0) == (len(public_thread.evidence), len(private_thread.evidence))


async def test_a_search_reaches_what_is_shown_where_it_is_asked(forge: ForgeLayer, server: ForgeServer) -> None:
    """The default one and others, the best first; a private one in its channel only, and alone if it is named."""
    server.repositories["acme/vault"].issue(4, "Unlike")
    text = "which issue was about redis eviction and eager keys?"
    public, private = await forge.look(asking(text)), await forge.look(asking(text, PRIVATE))
    named = await forge.look(asking("which issue of vault was about redis eviction?", PRIVATE))
    nexus = "issue 13 of nexus: Redis eviction is too eager (open)"
    vault = "issue 3 of vault: The vault's redis eviction (open)"
    assert ([nexus], [nexus, vault], [vault]) == (titles(public), titles(private), titles(named))


async def test_a_default_that_is_not_shown_leaves_the_others_to_search(server: ForgeServer) -> None:
    """A search is of no repository in particular; CI is of the default one."""
    forge = ForgeLayer(settings(server, default_repository="vault"))
    found = await forge.look(asking("which issue was about redis eviction?"))
    assert ["issue 13 of nexus: Redis eviction is too eager (open)"] == titles(found)
    ci = await forge.look(asking("why did CI fail?"))
    assert ((), source.NOT_SHOWN) == (ci.evidence, ci.why)
    await forge.aclose()


async def test_a_bare_number_never_falls_to_another_repository(server: ForgeServer) -> None:
    """Where the default one is not shown, `#12` means nothing."""
    forge = ForgeLayer(settings(server, default_repository="vault"))
    finding = await forge.look(asking("what was #12?", PUBLIC))
    assert ((), source.NOT_SHOWN) == (finding.evidence, finding.why)
    await forge.aclose()


async def test_where_nothing_is_shown_nothing_is_asked(server: ForgeServer) -> None:
    """A channel without a repository."""
    only = {"vault": {"path": "acme/vault", "private": True, "channels": [PRIVATE]}}
    forge = ForgeLayer(settings(server, repositories=only, default_repository=None))
    assert "no repository is shown" in (await forge.look(asking("#3", PUBLIC))).why
    assert [] == server.requests
    await forge.aclose()


@pytest.mark.parametrize("to", ["repos/acme/vault", "repos/acme/unknown", "repositories/7"])
async def test_where_a_repository_has_moved_is_another_repository(
    forge: ForgeLayer, server: ForgeServer, to: str
) -> None:
    """What is not connected, or not shown where it is asked, is not asked for there; the operator's log says so."""
    server.faults["/the-nexus"] = [Moved(to=f"{server.api}/{to}", status=301)]
    with capture_logs() as logged:
        finding = await forge.look(asking("what was #3?", PUBLIC))
    assert ((), source.MOVED, "") == (finding.evidence, finding.why, finding.failed)
    assert ["repos/acme/the-nexus"] == [one.path for one in server.requests]
    assert [("forge.moved", "nexus")] == [(line["event"], line["repository"]) for line in logged]


async def test_where_a_repository_has_moved_is_asked_if_it_is_shown(forge: ForgeLayer, server: ForgeServer) -> None:
    """As that repository, with its own channels."""
    server.faults["/the-nexus"] = [Moved(to=f"{server.api}/repos/Acme/Vault", status=301)]
    found = await forge.look(asking("what was #3?", PRIVATE))
    assert ["issue 3 of vault: The vault's redis eviction (open)"] == titles(found)


async def test_what_the_forge_keeps_private_is_not_shown_as_public(server: ForgeServer) -> None:
    """A token may read more than the settings say: they must say so, and nothing of it is fetched until they do."""
    forge = ForgeLayer(settings(server, repositories={"vault": {"path": "acme/vault"}}, default_repository="vault"))
    finding = await forge.look(asking(VAULT, PRIVATE))
    assert ((), source.NOT_SHOWN) == (finding.evidence, finding.why)
    assert ["repos/acme/vault"] == [one.path for one in server.requests]
    await forge.aclose()


# --- what could not be reached --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [Status(status=403), Status(status=401), Status(status=500), Hang(), Raw(body=b"<html>"), Raw(body=b" " * 2**22)],
)
async def test_a_forge_that_can_t_be_asked_has_failed(server: ForgeServer, fault: Status | Hang | Raw) -> None:
    """It is not known whether it has the answer; the source is told as a person would call it, the rest is found."""
    client = ForgeClient(settings(server), timeout=timedelta(seconds=2))
    forge = ForgeLayer(settings(server), client=client)
    server.faults["/issues/12"] = [fault] * 2
    finding = await forge.look(asking("what were #12 and #13?"))
    assert (["issue 13 of nexus: Redis eviction is too eager (open)"], "the forge (acme/the-nexus)") == (
        titles(finding),
        finding.failed,
    )
    await forge.aclose()


async def test_a_forge_that_asks_to_wait_has_failed_and_says_until_when(forge: ForgeLayer, server: ForgeServer) -> None:
    """Nothing is asked of it in the meantime."""
    server.faults["/issues/12"] = [Status(status=429, headers={"Retry-After": "3000"})]
    first = await forge.look(asking("what was #12?"))
    asked = len(server.requests)
    second = await forge.look(asking("what was #13?"))
    for finding in (first, second):
        assert ("the forge (acme/the-nexus)", True) == (
            finding.failed,
            finding.why.startswith("the forge asks to wait until "),
        )
    assert asked == len(server.requests)


async def test_what_is_not_there_in_time_is_told_beside_what_is(server: ForgeServer) -> None:
    """The budget is for the whole question; nothing goes on after it, however long one request might wait."""
    client = ForgeClient(settings(server), timeout=timedelta(hours=1))
    forge = ForgeLayer(settings(server), client=client, budget=timedelta(seconds=2))
    server.faults["/issues/12"] = [Hang()]
    finding = await forge.look(asking("what were #12 and #13?"))
    assert (1, "the forge (acme/the-nexus)") == (len(finding.evidence), finding.failed)
    assert set() == {task for task in asyncio.all_tasks() if "_done" in repr(task.get_coro())}
    await forge.aclose()


async def test_a_question_that_is_given_up_leaves_nothing_behind(server: ForgeServer) -> None:
    """Its requests end with it, however long they might wait."""
    forge = ForgeLayer(settings(server), client=ForgeClient(settings(server), timeout=timedelta(hours=1)))
    server.faults["/issues/12"] = [Hang()]
    look = asyncio.create_task(forge.look(asking("what was #12?")))
    await server.asked.wait()
    look.cancel()
    await asyncio.gather(look, return_exceptions=True)
    assert (True, set()) == (
        look.cancelled(),
        {task for task in asyncio.all_tasks() if "_done" in repr(task.get_coro())},
    )
    await forge.aclose()


async def test_where_no_forge_is_connected_nothing_is_asked_or_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can stand in every walk."""
    monkeypatch.setattr(forge_client, "ForgeClient", opened := mock.Mock())
    forge = ForgeLayer(ForgeSettings())
    finding = await forge.look(asking("why did CI fail on PR 12?"))
    assert ((), "", []) == (finding.evidence, finding.failed, opened.mock_calls)
    await forge.aclose()


async def test_a_repository_the_token_may_not_see_has_failed(server: ForgeServer) -> None:
    """What is in it nobody knows: it is not taken for one that has nothing of that number."""
    forge = ForgeLayer(settings(server, repositories={"gone": {"path": "acme/gone"}}, default_repository="gone"))
    finding = await forge.look(asking("what was #12?"))
    assert ((), "", "the forge (acme/gone)") == (finding.evidence, finding.why, finding.failed)
    await forge.aclose()


async def test_a_search_that_fails_is_told(forge: ForgeLayer, server: ForgeServer) -> None:
    """It is not taken for one that found nothing."""
    ending = "search/issues" if server.kind == "github" else "/issues"
    server.faults[ending] = [Status(status=422 if server.kind == "github" else 403)] * 9
    finding = await forge.look(asking("which issue was about redis eviction?"))
    assert ((), "the forge (acme/the-nexus)", "") == (finding.evidence, finding.failed, finding.why)


async def test_a_hit_whose_comments_can_t_be_read_is_shown_without(forge: ForgeLayer, server: ForgeServer) -> None:
    """The search said enough."""
    server.faults["/issues/13"] = [Status(status=403)]
    finding = await forge.look(asking("which issue was about redis eviction?"))
    assert (1, "") == (len(finding.evidence), finding.failed)


async def test_the_log_tells_what_failed_without_a_word_of_the_question_or_the_token(
    server: ForgeServer, forge: ForgeLayer
) -> None:
    """Which repository and why; neither what was asked nor what was answered."""
    lines = io.StringIO()
    log.configure(to=lines, json=True)
    server.faults["/issues/12"] = [Status(status=403, body={"message": "the kettle is secret"})]
    server.faults["/issues/13"] = [Raw(body=b'{"title": "the kettle"}')]
    await forge.look(asking("was the kettle in #12 or #13?"))
    told = lines.getvalue()
    log.configure(to=io.StringIO())
    assert (2, "nexus" in told, "kettle" in told, TOKEN in told) == (told.count("forge.failed"), True, False, False)
