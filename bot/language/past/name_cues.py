"""Tells whether a known name in a question means the one known here, or a namesake in a film or book."""

from collections.abc import Iterator
from typing import Final

from bot.language.past.space_names import Names, Spoken, bare
from bot.language.past.word_cues import QUESTION_WORDS
from bot.text import patterns
from bot.text.plain_form import QUOTED, SOMEBODY, Plain, Sentence

_TITLES: Final = patterns.vocabulary(
    """
    president king queen prince princess sir lord lady saint st pope captain general emperor senator governor judge
    character villain singer actor actress author rapper pitcher named
    """
)
"""What makes the name after it somebody else's."""
_BEFORE: Final = patterns.vocabulary(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday i i'm dr mr mrs ms prof professor uncle aunt coach the
    """
)
"""What may stand before a name in capitals without being a part of it."""
_VERBS: Final = patterns.vocabulary(
    """
    accomplish adopt appear approve argue ask attend be become begin believe bring build buy call care celebrate change
    choose clean come complete compose consider cook could create cry cut dance date deal decide describe design die
    direct discover do draw dream drink drive eat encounter enjoy experience explain feel fight find finish fix forget
    found get give go graduate grow hate have hear help hire hold hope hurt injure invent invite join keep know last
    lead learn leave lend lie like listen live look lose love make marry mean meet mention move name need offer open
    order own paint pass pay pick plan play prefer prepare promise propose put read reach receive recommend record
    relax release remember replace reply represent resign retire return ride rule run save say see seem sell send serve
    set share show sign sing sit sleep speak spend start stay stop study suggest support take talk teach tell think
    travel try turn use visit volunteer wait walk want watch wear win wish work write
    publish vanish conquer rule portray star debut sail reign escape survive crash
    bought came did died drank drew found gave goes got had has hired is kept left likes lives lost loved made met moved
    owns paid plays ran said sang sat saw says sent sold spent stood studied taught thinks told took wants was went were
    won works wrote born married
    """
)
"""Verbs that people ask about each other with; a word before one of them, and after a name, may be a surname."""
_AFTER: Final = _VERBS | patterns.vocabulary(
    """
    a about again all already also always and any are as at because been before began but by can ever first for from
    gone he her here his how if in into it its just know likely may might more most my never no not now of off often on
    once one online or our out over really she should since so some still than that the their them then there they this
    to today together tomorrow too two up us usually we what when where which while who why will with without would
    yesterday yet you your ? | , & allergic vegetarian vegan single okay ok around away sick happy sad afraid free busy
    back good bad late early absent missing ill mad angry upset worried ready done gone alone banned new
    """
)
"""Words that follow a name and are no surname."""
_ENDINGS: Final = frozenset(
    {"?", "|", "in", "for", "on", "from", "to", "when", "with", "at", "famous", "alive", "dead"}
)
"""What follows a whole name where no verb does: `where is audrey hepburn from`."""
_BEING: Final = frozenset({"is", "was", "are", "were", "who's", "where's", "when"})
_GOVERNING: Final = patterns.vocabulary(
    "about of to with for by and or from did does is was has had on at than like near after before against tell told"
)
"""What stands before a mention at the end of a question that is about whoever is mentioned."""
_RELAYED: Final = patterns.vocabulary("tell ask remind message text ping dm thank invite email let call")
"""What is to be done to somebody, and asks nothing about them."""
_PARTICLES: Final = patterns.vocabulary("von van de der den del della di da dos bin ibn al el la le")
"""What stands between a forename and a surname."""
_ADVERBS: Final = patterns.vocabulary("really actually ever first originally finally once also never")
_TELLING: Final = patterns.vocabulary("name list find show tell give")
_WANTED: Final = frozenset({("i", "need"), ("i", "want"), ("looking", "for"), ("i'm", "after")})
_OF_THE_PAST: Final = patterns.vocabulary(
    """
    has have had was were did said mentioned told suggested wrote brought promised borrowed lived went came gave took
    """
)
_ELLIPTIC: Final = 5
"""Words and marks of the longest question that says nothing of what it is about."""
_AUXILIARIES: Final = patterns.vocabulary(
    "did does do is was are were has have had will would could can should didn't doesn't isn't wasn't"
)


def spoken(plain: Plain, names: Names) -> Iterator[str]:
    """`known name` where a question is about somebody or something known here, else `namesake` where it seems so."""
    found = False
    for name in names.spoken_in(plain):
        place = next((n for n, s in enumerate(plain.sentences) if s.start <= name.start < s.end), None)
        if place is None:
            continue
        sentence = plain.sentences[place]
        if not (
            sentence.asks or _is_asked_of(plain, place, is_owner=plain.words[name.end - 1].endswith("'s"))
        ) or _is_addressed(plain, name, sentence):
            continue
        if not name.telling and not _is_written_like_a_name(plain, name, sentence):
            continue
        if not _is_namesake(plain, name, sentence):
            yield "known name"
            return
        found = True
    if found:
        yield "namesake"


def _is_asked_of(plain: Plain, place: int, *, is_owner: bool) -> bool:
    """Whether a sentence that is no question has what is asked of it: `Ann told us of a dentist. Which one?`.

    The next one is nothing but a question, or it asks to be told what came to pass, or what is somebody's: `List what
    Ann has borrowed.`, `I need Ann's recipe.`
    """
    sentence, after = plain.sentences[place], plain.sentences[place + 1 : place + 2]
    if after and after[0].asks and after[0].end - after[0].start <= _ELLIPTIC:
        return True
    words = plain.words[sentence.start : sentence.end]
    if words[0] in _TELLING and not _OF_THE_PAST.isdisjoint(words):
        return True
    return is_owner and words[:2] in _WANTED


def _is_addressed(plain: Plain, spoken: Spoken, sentence: Sentence) -> bool:
    """Whether somebody is spoken to, not of: `Ann, how are you?`, `are you a fan, Ann?`, `tell Ann I'm here`."""
    words = plain.words
    after = words[spoken.end] if spoken.end < len(words) else "|"
    before = words[spoken.start - 1] if spoken.start > sentence.start else "|"
    if before == "|" and (words[spoken.start] == SOMEBODY or after in QUESTION_WORDS):
        return True
    if words[spoken.start] == SOMEBODY and after in {"?", "|"} and before not in _GOVERNING:
        return True
    if (
        before in _RELAYED
        and spoken.start - sentence.start <= _ELLIPTIC
        and words[sentence.start] not in QUESTION_WORDS
    ):
        return True
    if after == "," and before in {"|", ",", "hi", "hey", "hello", "thanks", "so", "ok", "and", "but", "wow", "yo"}:
        return True
    return before == "," and after in {"?", "|"} and " or " not in plain.text


def _is_written_like_a_name(plain: Plain, spoken: Spoken, sentence: Sentence) -> bool:
    """Whether an everyday word has the capital of a name, and not because a sentence begins with it."""
    written = plain.written[spoken.start]
    return spoken.start > sentence.start and written[0].isupper() and not written.isupper()


def _is_namesake(plain: Plain, spoken: Spoken, sentence: Sentence) -> bool:
    """Whether the name is a part of a longer one that is not known here: `Kevin Bacon`, `john franklin`."""
    words, written, end = plain.words, plain.written, min(sentence.end, len(plain.words))
    if words[spoken.start] == SOMEBODY:
        return False
    if spoken.start > sentence.start and words[spoken.start - 1] in _TITLES:
        return True
    if words[spoken.end : spoken.end + 1] and words[spoken.end] in _PARTICLES:
        return True
    after = written[spoken.end] if spoken.end < end else ""
    before = written[spoken.start - 1] if spoken.start > sentence.start + 1 else ""
    is_owner = words[spoken.end - 1].endswith("'s") or words[spoken.end - 1].endswith("'")
    if after == "the" and written[spoken.end + 1 : spoken.end + 2] and written[spoken.end + 1][0].isupper():
        return True
    if written[spoken.start][0].isupper():
        surname = after[:1].isupper() and not is_owner and words[spoken.end] not in _BEFORE
        forename = before[:1].isupper() and bare(words[spoken.start - 1]) not in _BEFORE
        return surname or (forename and words[spoken.start - 1] != QUOTED)
    return _is_namesake_in_small_letters(words[sentence.start : end], spoken, sentence.start, is_owner=is_owner)


def _is_namesake_in_small_letters(words: tuple[str, ...], spoken: Spoken, start: int, *, is_owner: bool) -> bool:
    place, end = spoken.start - start, spoken.end - start
    before = words[place - 1] if place else "|"
    after = words[end] if end < len(words) else "|"
    beyond = words[end + 1] if end + 1 < len(words) else "|"
    if before in {"a", "an"}:
        return True
    if beyond in _ADVERBS:
        beyond = words[end + 2] if end + 2 < len(words) else "|"
    if not is_owner and after not in _AFTER and after.isalpha():
        if before in _AUXILIARIES - _BEING and beyond in _VERBS and not after.endswith("ly"):
            return True
        if not after.endswith(("ing", "ed", "ly")):
            is_subject = (before in _BEING or before.endswith("ed")) and beyond in _ENDINGS
            return is_subject or beyond in _VERBS or before in {"what", "which"}
    # `did otto frank go`: a word between the auxiliary and the name, and a verb after it.
    return (
        place > 1 and words[place - 2] in _AUXILIARIES and before not in _AFTER and before.isalpha() and after in _VERBS
    )
