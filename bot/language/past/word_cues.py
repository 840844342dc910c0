"""Finds cues word by word where a pattern would be too slow: own actions, files, projects, commits, sums."""

import re
from collections.abc import Iterator
from typing import Final

from bot.text import patterns
from bot.text.plain_form import LINK, Plain, Sentence

QUESTION_WORDS: Final = patterns.vocabulary(
    "what which who whom whose when where why how what's who's when's where's why's how's what're"
)
_I: Final = frozenset({"i", "i'd", "i've"})
_MINE: Final = frozenset({"my", "mine"})
_ADVERBS: Final = patterns.vocabulary(
    """
    just ever already also finally actually even still really not all once previously recently last usually originally
    initially had have both then again first always normally currently only never
    """
)
_PAST: Final = patterns.vocabulary(
    """
    got took went bought made met gave came told said sent left saw found chose won wrote spent did had read began
    brought built ate drank drove flew grew heard held kept knew led lost paid put ran rode sang set sold spoke stood
    swam taught thought threw wore became caught felt fell lent hid cut hit quit was were been broke slept forgot
    """
)
_HABITS: Final = patterns.vocabulary("use own keep prefer play drive live work study lead collect drink watch")
_NOT_PAST: Final = patterns.vocabulary("need feed speed indeed seed exceed succeed proceed hundred embed")
_SHORTEST_PAST: Final = 5
_ASKED_OF_OTHERS: Final = patterns.vocabulary("should need will would can could suggest recommend your until near if")
_REQUESTS: Final = patterns.vocabulary("can could would will please do does is are")
_TOLD: Final = patterns.vocabulary("me us know remember recall tell say")
"""What stands before a question that is inside another: `can you tell me what I bought?`."""
WORK: Final = patterns.vocabulary(
    """
    workaround staging deploy deployment rollout rollback hotfix backups outage incident pipeline migration refactor
    repo branch endpoint frontend backend homepage onboarding offboarding standup stand-up retro offsite sprint
    roadmap backlog milestone invoice contract vendor landlord client prospect proposal agenda budget venue caterer
    workshop newsletter campaign mockup prototype changelog runbook playbook cron dashboard webhook integration
    printer demo rota timesheet reimbursement fundraiser webinar kickoff follow-up handover hackathon meetup hosting
    """
)
"""Things that people who work together have in common, and that a question with `the` means one of."""
_OURS: Final = frozenset({"the", "our", "that", "this", "those", "these"})
_OPENS: Final = QUESTION_WORDS | {"is", "are", "was", "were", "did", "has", "have", "do", "does"}
_OPENING: Final = 4
_SHORT: Final = 5
"""Words of the longest question that can't be understood alone."""
_OURS_TO_TELL: Final = patterns.vocabulary("i we us our my somebody someone i've we've i'd we'd")
_NOT_OF_A_STORY: Final = patterns.vocabulary(
    """
    should can could would will do does you your you'd now next i'd wrong about mean best worth normal why to true right
    correct possible ok okay fine bad good legal safe else
    """
)
_GONE_ON: Final = patterns.vocabulary("was were did had it that he she they them happened")
_FILE: Final = re.compile(
    r"[\w./-]*\w\.(?:py|pyi|ipynb|md|rst|txt|toml|ya?ml|jsonl?|sql|jsx?|tsx?|css|html?|go|rs|rb|java|kt|c|h|cpp|cs|php"
    r"|sh|cfg|ini|conf|env|lock|csv|tsv|xlsx?|docx?|pptx?|pdf|png|jpe?g|gif|svg|zip|tar|gz|log|exe)"
)
_PROJECT: Final = re.compile(r"the-\w[\w-]+|[a-z][\w.-]{1,38}/[a-z][\w.-]{1,60}")
_NO_WORD: Final = re.compile(r"[-_.\d]")
_HASH: Final = re.compile(r"[0-9a-f]{7,40}")
_NUMBER: Final = re.compile(r"\d[\d.,/:]*")
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
_COUNTS: Final = patterns.vocabulary(
    """
    two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand dozen
    half third quarter twice thrice double triple
    """
)
_MONTHS: Final = patterns.vocabulary(
    "january february march april may june july august september october november december"
)
_HOW_MANY: Final = re.compile(r"\b(?:how (?:many|much|old|long|far|tall|fast)|what (?:is|was|percentage|fraction))\b")
_PEOPLE_HERE: Final = patterns.vocabulary("i my me we our us you your i've we've")
_STORIES: Final = patterns.vocabulary(
    "movie film series show sitcom novel book story musical cartoon strip opera play drama comedy game album song tv"
)
_KINDS: Final = frozenset({"classic", "version", "adaptation", "franchise", ","})


def words_for(plain: Plain) -> Iterator[str]:
    """The names of the cues among the words that speak for a question about the past."""
    if any(_is_of_mine(plain, sentence) for sentence in plain.sentences if sentence.asks):
        yield "question of mine"
    if any(_is_of_a_story(plain, place) for place, sentence in enumerate(plain.sentences) if sentence.asks):
        yield "end of a story"
    if any(_is_of_work(plain, sentence) for sentence in plain.sentences if sentence.asks):
        yield "common work"
    for word, written in zip(plain.words, plain.written, strict=True):
        if "." in word and _FILE.fullmatch(word):
            yield "file"
        elif ("-" in word or "/" in word) and written == word and _is_project(word):
            yield "project"
        elif _HASH.fullmatch(word) and not word.isdigit() and not word.isalpha():
            yield "commit"
        elif word == LINK:
            yield "link"


def _is_of_a_story(plain: Plain, place: int) -> bool:
    """Whether a short question asks how something of ours went on: `we voted on a logo, which one was it?`."""
    sentence = plain.sentences[place]
    words = plain.words[sentence.start : sentence.end]
    comma = next((at for at in range(len(words) - 1, 0, -1) if words[at] == ","), None)
    if comma is not None:
        told, asked = words[:comma], words[comma + 1 :]
    elif place:
        before = plain.sentences[place - 1]
        told, asked = plain.words[before.start : before.end], words
    else:
        return False
    asked = tuple(word for word in asked if word != "?")
    if not 0 < len(asked) <= _SHORT or asked[0] not in _OPENS or not _NOT_OF_A_STORY.isdisjoint(asked):
        return False
    is_ours = not _OURS_TO_TELL.isdisjoint(told) and any(map(_is_past, told)) and told[0] not in _OPENS
    return is_ours and (not _GONE_ON.isdisjoint(asked) or asked[0] in {"which", "whose", "where", "who"})


def _is_of_work(plain: Plain, sentence: Sentence) -> bool:
    """Whether a question is about a piece of common work: `who signed off on the travel budget?`."""
    words = plain.words[sentence.start : sentence.end]
    opening = next((n for n, word in enumerate(words[:_OPENING]) if word in _OPENS), None)
    if opening is None or not _ASKED_OF_OTHERS.isdisjoint(words) or words[opening : opening + 2] == ("how", "to"):
        return False
    return any(
        word in WORK and any(near in _OURS or near.endswith("'s") for near in words[max(opening + 1, at - 3) : at])
        for at, word in enumerate(words)
    )


def words_against(plain: Plain) -> Iterator[str]:
    """The names of those that speak against it."""
    if _numbers(plain.words) > 1 and _PEOPLE_HERE.isdisjoint(plain.words) and _HOW_MANY.search(plain.text):
        yield "sums"
    if any(_is_titled(plain, place) for place, word in enumerate(plain.words) if word in _STORIES):
        yield "title of a story"


def _numbers(words: tuple[str, ...]) -> int:
    """How many words are numbers, but for dates."""
    return sum(
        1
        for at, word in enumerate(words)
        if (word in _COUNTS or (_NUMBER.fullmatch(word) and not _YEAR.fullmatch(word)))
        and _MONTHS.isdisjoint(words[max(0, at - 1) : at + 2])
    )


def _is_of_mine(plain: Plain, sentence: Sentence) -> bool:
    """Whether somebody asks what they did themselves, or what was theirs; never what they should do."""
    words = plain.words[sentence.start : sentence.end]
    place = next((n for n, word in enumerate(words) if word in QUESTION_WORDS), None)
    if place is None or (words[0] in _REQUESTS and words[place - 1] not in _TOLD):
        return False
    if words[place + 1 : place + 2] in {("a",), ("an",)}:
        return False
    is_past = False
    for at in range(place + 1, len(words)):
        word = words[at]
        if word in _I and (_is_past(verb := _verb(words, at + 1)) or verb in _HABITS):
            return True
        if word in _MINE and (is_past or words[place : place + 2] in {("how", "many"), ("how", "much")}):
            return _ASKED_OF_OTHERS.isdisjoint(words)
        if word == "me" and _is_past(words[at - 1]):
            return True
        is_past = is_past or word in {"did", "was", "were", "had", "have", "has"} or _is_past(word)
    return words[place] == "which" and "first" in words and not _MINE.isdisjoint(words)


def _verb(words: tuple[str, ...], place: int) -> str:
    """The next word that is no adverb."""
    return next((word for word in words[place : place + 3] if word not in _ADVERBS), "")


def _is_past(word: str) -> bool:
    return word in _PAST or (len(word) >= _SHORTEST_PAST and word.endswith("ed") and word not in _NOT_PAST)


def _is_project(word: str) -> bool:
    """Whether a word is written as projects are: `the-nexus`, `owner/some-repo`; not `and/or`."""
    return bool(_PROJECT.fullmatch(word)) and (word.startswith("the-") or bool(_NO_WORD.search(word)))


def _is_titled(plain: Plain, place: int) -> bool:
    """Whether a title in capitals is beside the word: `the movie Casablanca`, `Bee Movie`."""
    written = plain.written
    after = [word for word in written[place + 1 : place + 4] if word.casefold() not in _KINDS]
    if after and after[0] == "I":
        after = after[1:]
    before = written[place - 1] if place else ""
    return bool(after and after[0][0].isupper()) or (written[place][0].isupper() and before[:1].isupper())
