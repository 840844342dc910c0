"""The laws of asking about the forge and the playbooks: in whatever words, a whole turn reaches what they hold."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import pytest

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.language.past import detector
from bot.language.past.space_names import Names
from tests import people
from tests.bot.layers.forge.connecting import settings
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.forge_server import WHEN, ForgeServer
from tests.model_server import ModelServer, Reply

ANN: Final = people.caller("Ann", admin=True)
SHA: Final = "0123456789abcdef0123456789abcdef01234567"

FORGE: Final = """
why did CI fail?                                             | CI run 7
what went wrong in the last pipeline run on main?            | CI run 7
why is the build red?                                        | CI run 7
is the build green?                                          | CI run 7
what failed in the tests on CI?                              | CI run 7
why did the build break?                                     | CI run 7
what broke the build?                                        | CI run 7
status of the build?                                         | CI run 7
why did the last run fail?                                   | CI run 7
which ticket was about accents?                              | issue 58
which issue was about the rate limiter?                      | issue 31
what's the state of #31?                                     | issue 31
is there an issue for the lost accents in the CSV export?    | issue 58
who opened the ticket about accents?                         | issue 58
show me issue 58                                             | issue 58
any open issues about exports?                               | issue 58
did anybody file a bug about password reset?                 | issue 12
has #12 been closed?                                         | issue 12
which PR fixed the webhook bursts?                           | pull request 60
was there a pull request about the limiter?                  | pull request 60
what is pull request 60 about?                               | pull request 60
what does README.md in nexus say about installing?           | README.md of nexus
what did commit 0123456 change?                              | commit 0123456789
find the issue about the password reset                      | issue 12
Find the issue about the login.                              | issue 12
can you look up the ticket about accents                     | issue 58
show me the PR about webhook bursts                          | pull request 60
please search the issues for accents                         | issue 58
get me the pull request that fixed the webhook bursts        | pull request 60
how come the build fails                                     | CI run 7
how come CI is red?                                          | CI run 7
what's wrong with the pipeline?                              | CI run 7
what's up with the build?                                    | CI run 7
what's #58 about?                                            | issue 58
what does #31 say?                                           | issue 31
was there an issue on lost accents?                          | issue 58
is there a bug on the password reset?                        | issue 12
is the accents bug fixed?                                    | issue 58
has the password reset bug been fixed yet?                   | issue 12
who fixed the webhook bursts?                                | pull request 60
which PR touched the limiter?                                | pull request 60
"""
"""Questions in many words, each with what of the forge answers it."""

PLAYBOOKS: Final = """
How do we analyze an issue?                          | Issue analysis
How do we analyse issues?                            | Issue analysis
what's our procedure for analysing an issue          | Issue analysis
how should I go about issue-analysis?                | Issue analysis
what are the steps for analyzing issues here?        | Issue analysis
is there a playbook for issue analysis?              | Issue analysis
How's an issue analyzed around here?                 | Issue analysis
How do we analize an issue?                          | Issue analysis
show me how we do issue analyses                     | Issue analysis
what do we do when an issue needs analysing?         | Issue analysis
walk me through the analysis of an issue             | Issue analysis
what is our process for an issue analysis?           | Issue analysis
how do i analyse a new isue                          | Issue analysis
how is the analysis of issues done?                  | Issue analysis
How do we analyze issue #31?                         | Issue analysis
how do we analyse issue 58 again?                    | Issue analysis
how do we organise a meetup?                         | Organizing a meetup
how do we onboard new members?                       | Onboarding a new member
what's the onboarding procedure for members?         | Onboarding a new member
what do we do before releasing the website?          | Website release
"""
"""Questions in many inflections and spellings, each with the playbook that answers it."""

OPENINGS: Final = """
status of {}?
status of {}
what's the status of {}
give me the status of {}
last time we talked about {}
last time we talked about {}, what did we say?
what happened last time we looked at {}?
where are we on {}?
where are we on {} right now?
has {} finished?
has {} been finished yet?
has {} been paid already?
has {} finished yet?
what did we say about {}?
what did Ben do about {}?
"""
"""Questions about how something stands or what became of it, whatever it is."""

ON_THE_SHELF: Final = {
    "issue-analysis.md": "---\ntitle: Issue analysis\nwhen:\n  - analyse an issue\n---\n1. Say what was observed.",
    "organize-meetup.md": "---\ntitle: Organizing a meetup\n---\n1. Find a room.",
    "onboarding.md": "---\ntitle: Onboarding a new member\n---\n1. Show them the kitchen.",
    "release.md": "---\ntitle: Website release\nwhen:\n  - before a release\n---\n1. Run the tests.",
}


def rows(table: str) -> list[tuple[str, str]]:
    """The rows of a table: a question, and what answers it."""
    return [
        (asked.strip(), found.strip()) for asked, _, found in (row.partition("|") for row in table.split("\n") if row)
    ]


@pytest.fixture
async def connected(database: Database, clock: Clock, tmp_path: Path) -> AsyncGenerator[Room]:
    """A room with a model, a forge and playbooks."""
    (tmp_path / "playbooks").mkdir()
    for name, text in ON_THE_SHELF.items():
        (tmp_path / "playbooks" / name).write_text(text)
    async with ForgeServer() as forge, ModelServer(always=Reply(text="As you like.")) as server:
        nexus = forge.repository("acme/the-nexus")
        nexus.issue(12, "Login fails after a password reset", "It loops.", state="closed", closed_at=WHEN)
        nexus.issue(31, "Rate limiter drops bursts of webhooks", "Only in the morning.")
        nexus.issue(58, "Export to CSV loses accents", "Umlauts too.")
        nexus.issue(60, "Fix bursts of webhooks in the limiter", "Closes the burst one.", pull={"merged_at": WHEN})
        nexus.heads[60] = SHA
        nexus.commit(SHA, "Fix bursts", "src/limiter.py")
        nexus.files = {"README.md": b"# Nexus\n\nInstalling takes one line.\n"}
        nexus.run(88, SHA, "failure", log="E   boom\n")
        connecting = settings(forge, repositories={"nexus": {"path": "acme/the-nexus"}})
        async with room(
            database, clock, models=roles(server.base_url), who=ANN, forge=connecting, settings_dir=tmp_path
        ) as opened:
            yield opened


@pytest.mark.parametrize("table", [FORGE, PLAYBOOKS], ids=["forge", "playbooks"])
async def test_what_is_asked_for_is_found_in_a_whole_turn(connected: Room, table: str) -> None:
    """With a model that has no answer of its own, what is quoted is what was asked for."""
    missed = []
    for asked, found in rows(table):
        # Each by itself: nothing of what was asked before is near.
        await connected.run("!reset discard")
        said = await connected.say(asked)
        if found not in said.text:
            missed.append((asked, found, said.text[:160], detector.detect(asked, Names()).cues))
    assert not missed, "\n".join(map(str, missed))


async def test_what_a_space_laid_out_is_found_too(database: Database, clock: Clock) -> None:
    """A shipped playbook that was laid out as a memory is found in the same words, and in those of its `when`."""
    asked_for = [asked for asked, found in rows(PLAYBOOKS) if found == "Issue analysis"]
    async with room(database, clock, who=ANN) as opened:
        await opened.run("!palace new issue-analysis")
        missed = []
        for asked in [*asked_for, "why does it keep breaking?"]:
            await opened.run("!reset discard")
            said = await opened.say(asked)
            if "Say what was observed" not in said.text:
                missed.append((asked, said.text[:160]))
    assert not missed, "\n".join(map(str, missed))


@pytest.mark.parametrize(
    "asked",
    [
        "what does CI stand for?",
        "how does CI work?",
        "how do I get tickets for the opera in Vienna?",
        "how do I cook rice?",
        "how do plants analyse light?",
        "what is a pull request?",
        "find the issue with my login code: print(x",
        "find a fix for the issue with exports",
        "find tickets for the opera in Vienna",
        "write an issue about the login",
        "open an issue about the login",
    ],
)
async def test_the_world_is_left_to_the_model(connected: Room, asked: str) -> None:
    """What only shares a word with forge and shelf is none of theirs."""
    assert "As you like." == (await connected.say(asked)).text


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "subject", ["the boiler", "the zeppelin hangar", "onboarding", "our Lisbon trip", "Bob's ticket"]
)
async def test_how_it_stands_is_asked_of_memory(connected: Room, subject: str, known: bool) -> None:
    """The subject may be known here or not: memory is asked, and what it has is told, or that it has nothing."""
    told = f"{subject.capitalize()} was finished by Ben on Friday, said the whole team."
    if known:
        await connected.run(f"!remember {told}")
    missed, answered = [], 0
    for opening in OPENINGS.strip().splitlines():
        await connected.run("!reset discard")
        said = (await connected.say(opening.format(subject))).text
        answered += told in said
        if told not in said and not said.startswith(NOTHING_FOUND):
            missed.append((opening.format(subject), said[:160]))
    assert not missed, "\n".join(map(str, missed))
    # "What happened last time we looked at it?" has three telling words, of which that holds one.
    assert answered >= len(OPENINGS.strip().splitlines()) - 2 if known else answered == 0
