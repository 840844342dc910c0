"""The laws of references: what a text names of the forge, and what it does not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import ForgeSettings
from bot.layers.forge import references
from bot.layers.forge.repositories import places
from bot.layers.forge.things import CommitReference, FileReference, ItemKind, ItemReference, Reference, RunReference

TWO = {"nexus": {"path": "acme/the-nexus"}, "web": {"path": "acme/web", "private": True, "channels": [20]}}
GITHUB = places(ForgeSettings.model_validate({"repositories": TWO, "default_repository": "nexus"}))
UNSURE = places(ForgeSettings.model_validate({"repositories": TWO}))
ONE = places(ForgeSettings.model_validate({"repositories": {"nexus": {"path": "acme/the-nexus"}}}))
GITEA = places(
    ForgeSettings.model_validate(
        {
            "kind": "gitea",
            "base_url": "https://git.example.org/forge/api/v1/",
            "repositories": TWO,
            "default_repository": "nexus",
        }
    )
)
SHA = "0123456789abcdef0123456789abcdef01234567"


def item(number: int, repository: str = "nexus") -> ItemReference:
    return ItemReference(repository=repository, number=number)


def file(
    path: str, repository: str | None = "nexus", ref: str | None = None, lines: tuple[int, int] | None = None
) -> FileReference:
    return FileReference(repository=repository, path=path, ref=ref, lines=lines)


def commit(sha: str, repository: str | None = None) -> CommitReference:
    return CommitReference(repository=repository, sha=sha)


FOUND: list[tuple[str, list[Reference]]] = [
    ("what was decided in #123?", [item(123)]),
    ("#12, #13 and web#4", [item(12), item(13), item(4, "web")]),
    ("see acme/the-nexus#7, ACME/Web#8 and the-nexus#9", [item(7), item(8, "web"), item(9)]),
    ("why did we close issue 456?", [item(456)]),
    ("PR 12 or pull request 13, or pull request #14", [item(12), item(13), item(14)]),
    ("issues 12, 13 and 15", [item(12), item(13), item(15)]),
    ("PR#12 and Issue #3", [item(12), item(3)]),
    ("what is PR 12 in web about?", [item(12, "web")]),
    ("the web issue 3", [item(3, "web")]),
    ("https://github.com/acme/the-nexus/issues/12", [item(12)]),
    ("<https://github.com/Acme/the-Nexus/pull/7/files#diff-1>", [item(7)]),
    (f"https://github.com/acme/web/commit/{SHA}.", [commit(SHA, "web")]),
    ("(https://github.com/acme/the-nexus/blob/main/a%20b.py#L3-L9)", [file("a b.py", ref="main", lines=(3, 9))]),
    ("https://github.com/acme/the-nexus/blob/v1/README.md#L4", [file("README.md", ref="v1", lines=(4, 4))]),
    (
        "https://github.com/acme/the-nexus/actions/runs/88/job/99?pr=1",
        [RunReference(repository="nexus", run=88, job=99)],
    ),
    ("what broke in CI run 88?", [RunReference(repository="nexus", run=88)]),
    ("what does mempalace.py do?", [file("mempalace.py")]),
    (
        "compare src/app/main.py, `web:docs/x.md:12-14` and ./Dockerfile.",
        [file("src/app/main.py"), file("docs/x.md", "web", lines=(12, 14)), file("Dockerfile")],
    ),
    ("what changed in commit abc1234?", [commit("abc1234")]),
    ("commit 1234567 and abc1235", [commit("1234567"), commit("abc1235")]),
    (f"web@{SHA[:12]}", [commit(SHA[:12], "web")]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_what_a_text_names_is_found_in_its_order(text: str, expected: list[Reference]) -> None:
    """Numbers, names, addresses, files, commits and runs, each with the repository it is of."""
    assert expected == list(references.read(text, GITHUB).found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://git.example.org/forge/acme/the-nexus/issues/12", [item(12)]),
        ("https://git.example.org/forge/acme/the-nexus/pulls/7", [item(7)]),
        (f"https://git.example.org/forge/acme/web/commit/{SHA}", [commit(SHA, "web")]),
        (
            "https://git.example.org/forge/acme/the-nexus/src/branch/main/src/a.py#L3-L9",
            [file("src/a.py", ref="main", lines=(3, 9))],
        ),
        (
            "https://git.example.org/forge/acme/the-nexus/actions/runs/8/jobs/1",
            [RunReference(repository="nexus", run=8, job=1)],
        ),
        ("https://git.example.org/acme/the-nexus/issues/12", []),
        ("https://github.com/acme/the-nexus/issues/12", []),
    ],
)
def test_addresses_of_a_gitea_are_read_too(text: str, expected: list[Reference]) -> None:
    """Below the path its pages lie at, and nowhere else."""
    assert expected == list(references.read(text, GITEA).found)


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("https://api.github.com/", "github.com"),
        ("https://ghe.example.org/api/v3", "ghe.example.org"),
        ("https://api.acme.ghe.com", "acme.ghe.com"),
    ],
)
def test_the_pages_of_a_github_are_known_by_its_api(base_url: str, host: str) -> None:
    """The public one, one of a company's own, one at GitHub under a name of its own."""
    known = places(ForgeSettings.model_validate({"base_url": base_url, "repositories": TWO}))
    assert (item(3),) == references.read(f"https://{host}/acme/the-nexus/issues/3", known).found


@pytest.mark.parametrize(
    "text",
    [
        "memory #42 says so",
        "forget memory #42",
        "<#123456789012345678> is a channel",
        "C#12 is a language",
        "12 issues and PR 3.5",
        "version 1.2.3, e.g. this",
        "a defaced facade, 1234567 times",
        "#ff00aa1",
        "550e8400-e29b-41d4-a716-446655440000",
        "discord.py and node.js",
        "we meet at 10:30",
        "mail ann@example.md",
        "../../etc/passwd.txt",
        "..//x.py",
        "https://example.com/a/b/issues/1",
        "https://[broken/issues/1",
        "10 % of PRs",
        "the issue with 12% of users",
    ],
)
def test_what_only_looks_like_a_reference_is_none(text: str) -> None:
    """Memories, channels, numbers, words in hex letters, names of programs, ways up, other hosts."""
    assert () == references.read(text, GITHUB).found


@pytest.mark.parametrize("path", ["a/..%2F..%2F..%2Facme%2Fsecret%2Fcontents%2Fkey.txt", "a/../../../secret/key.txt"])
def test_no_address_leads_out_of_its_repository(path: str) -> None:
    """A way up in an address names nothing."""
    assert () == references.read(f"https://github.com/acme/the-nexus/blob/main/{path}", GITHUB).found


def test_a_bare_number_is_of_the_default_repository_or_of_the_only_one() -> None:
    """Where there are several and none is the default, nobody knows of which it is."""
    assert ((item(5),), False) == (references.read("#5", ONE).found, references.read("#5", ONE).unplaced)
    assert ((), True) == (references.read("issue 5", UNSURE).found, references.read("issue 5", UNSURE).unplaced)
    assert (item(5, "web"),) == references.read("issue 5 of web", UNSURE).found


def test_files_and_commits_may_be_anywhere_where_there_is_no_default() -> None:
    """They are looked for in every repository."""
    assert (file("a.py", None), commit("abc1234")) == references.read("a.py at abc1234", UNSURE).found


@pytest.mark.parametrize("text", ["other#3", "some/other#3", "https://github.com/some/other/issues/3", "other@abc1234"])
def test_a_repository_that_is_not_connected_is_told_apart(text: str) -> None:
    """It is named, and nothing of it is looked up."""
    read = references.read(text, GITHUB)
    assert ((), True) == (read.found, read.elsewhere)


def test_at_most_five_references_and_each_once() -> None:
    """The first five, however often they are named."""
    read = references.read("#1 #2 #1 #3 #4 #5 #6 #7", GITHUB)
    assert [1, 2, 3, 4, 5] == [one.number for one in read.found if isinstance(one, ItemReference)]


def test_only_the_first_4000_characters_are_read() -> None:
    """What comes after is not looked at."""
    assert () == references.read("x " * 2000 + "#12", GITHUB).found


def test_the_rest_is_what_was_not_found() -> None:
    """The words for a search, without references."""
    assert "why did open the cache" == " ".join(references.read("why did #12 open the cache", GITHUB).rest.split())


@pytest.mark.parametrize(
    ("text", "items", "forge", "ci", "failure"),
    [
        ("which issue was about the cache?", True, True, False, False),
        ("why did CI fail on main?", False, True, True, True),
        ("are the tests green again?", False, False, True, False),
        ("when was it merged?", False, True, False, False),
        ("who likes tea?", False, False, False, False),
        ("why did the cake burn?", False, False, False, True),
    ],
)
def test_what_kind_of_thing_is_spoken_of(text: str, items: bool, forge: bool, ci: bool, failure: bool) -> None:
    """Issues, the forge at all, its CI, and what went wrong."""
    read = references.read(text, GITHUB)
    assert (items, forge, ci, failure) == (read.of_items, read.of_forge, read.of_ci, read.of_failure)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("which PR was it", (ItemKind.PULL,)),
        ("which bug was it", (ItemKind.ISSUE,)),
        ("which issue or pull request", (ItemKind.ISSUE, ItemKind.PULL)),
        ("what was it", (ItemKind.ISSUE, ItemKind.PULL)),
    ],
)
def test_one_kind_that_is_named_is_the_one_looked_for(text: str, kinds: tuple[ItemKind, ...]) -> None:
    """Issues, pull requests, or both."""
    assert kinds == references.read(text, GITHUB).kinds


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    """No text breaks it, and what it finds is of a connected repository."""
    found = references.read(text, GITHUB).found
    assert {None, "nexus", "web"} >= {one.repository for one in found}


HARD = [
    "a",
    "a/",
    "a-",
    "#1",
    "issue ",
    "https://",
    "in nexus ",
    "1 and ",
    ", 1",
    "@",
    "abcdef1@",
    "tests is are was ",
    "web:",
    "a.",
    "0a",
    "issue 1, 2, 3, 4 ",
    "%2f",
]


@pytest.mark.parametrize("part", HARD)
def test_reading_takes_no_longer_than_the_text_is_long(part: str) -> None:
    """The hardest 4,000 characters cost at most as much as a whole second of processor time, on any machine."""
    text = (part * 4000)[:4000]
    began = time.process_time()
    references.read(text, GITHUB)
    assert time.process_time() - began < 1.0
