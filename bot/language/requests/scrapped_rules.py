"""Tells which rule a message says is no more: `the no-meeting-Friday rule`, "we no longer tag releases"; pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.language.requests import denials
from bot.text import folding, patterns, stop_words, trigrams, word_forms

LONGEST: Final = 200
"""Characters of a message that takes back a rule."""
_LEAST: Final = 2
"""Telling words of what is not done any more; of what is called a rule one is enough."""
_BEGINNING: Final = 4
"""Letters in which forms of one word begin alike, at least."""
_RULE: Final = patterns.compiled(
    r"\b(?:rules?|directives?|guidelines?|polic(?:y|ies)|regeln?|\w+regeln?|vorschrift(?:en)?|anweisung(?:en)?"
    r"|regles?|consignes?|reglas?|normas?)\b"
)
_OF_ANYTHING: Final = patterns.vocabulary(
    """
    rule rules directive directives guideline guidelines policy policies about old our any more anymore longer must
    have need needs needed follow obey apply keep require required
    requires supposed allowed every all always nobody everybody everyone people
    regel regeln vorschrift vorschriften anweisung anweisungen die der das den dem des mit von zu zur zum uber wir man
    dass alle immer nicht mehr keine kein keinen muss mussen
    regle regles consigne consignes la le les des de du sur que on nous ne plus pas
    regla reglas norma normas el los las del sobre que ya no hay
    """
)
"""What a rule may be called beside what it is of."""
_LEAD: Final = (
    r"^\W*(?:(?:actually|ok|okay|so|well|right|then|and|but|fyi|btw|update|note|hathi|as of (?:now|today)|from now on"
    r"|since (?:today|yesterday)|by the way|ab (?:jetzt|sofort|heute)|also|ubrigens|desormais|au fait|ahora|por cierto)"
    r"\W+){0,4}"
)
_WHO: Final = r"(?:we|you|people|members|nobody|everyone|everybody|they|i|the team|the admins)"
_SAYINGS: Final = tuple(
    patterns.compiled(_LEAD + saying)
    for saying in (
        rf"{_WHO} (?:(?:do|does|will|need|have to) )?no longer (?P<done>[^,;:.!?\n]+)",
        (
            rf"{_WHO} (?:don't|do not|doesn't|won't|needn't|need not|don't (?:have|need) to)"
            r" (?P<done>[^,;:.!?\n]+?) (?:any ?more|any longer)\b"
        ),
        rf"{_WHO}(?:'ve| have|'re| are)? (?:stopped|stop|stopping|quit|given up|gave up) (?P<done>[^,;:.!?\n]+)",
        r"no more (?P<done>[^,;:.!?\n]+)",
        (
            r"(?P<rule>[^,;:.!?\n]+?) (?:no longer|(?:doesn't|does not|don't|do not)) "
            r"(?:appl(?:y|ies)|holds?|counts?|exists?|(?:is|are) in (?:force|effect))(?: any ?more)?\b"
        ),
        (
            r"(?P<rule>[^,;:.!?\n]+?) (?:is|are|was|were|has been|have been) (?:now )?(?:off|gone|dead|void|history"
            r"|scrapped|dropped|cancel+ed|lifted|abolished|revoked|withdrawn"
            r"|no longer (?:valid|in force|needed|required)|off the table)\b"
        ),
        (
            r"(?:let's |lets |we(?:'ll| will|'re going to)? |please |can we |can you )*"
            r"(?:scrap|drop|ditch|bin|shelve|axe|abandon|abolish|revoke|repeal|lift|cancel|call off|get rid of)"
            r"(?:ed|ped)? (?P<rule>[^,;:.!?\n]+)"
        ),
        r"wir (?P<done>[^,;:.!?\n]+?) (?:nicht|keine?n?) ?(?P<more>[^,;:.!?\n]*?) ?mehr\b",
        r"(?P<rule>[^,;:.!?\n]+?) (?:gilt|gelten|zahlt) nicht(?: mehr)?\b",
        r"(?:bitte |wir )*(?:streich\w*|verwerfen|kippen|schaff\w*) (?P<rule>[^,;:.!?\n]+)",
        r"(?:on|nous) (?:ne |n')(?P<done>[^,;:.!?\n]+?) plus\b(?P<more>[^,;:.!?\n]*)",
        r"(?P<rule>[^,;:.!?\n]+?) (?:ne s'applique|ne vaut|n'est) plus\b",
        r"ya no (?P<done>[^,;:.!?\n]+)",
        r"(?P<rule>[^,;:.!?\n]+?) ya no (?:vale|rige|se aplica)\b",
    )
)
"""Each with a rule, or with what is `done` no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrappedRule:
    """A rule that is no more, as far as a message tells which."""

    words: frozenset[str]
    """Its telling words."""
    is_named: bool
    """Whether it is called a rule; else it is told what is not done any more."""

    def means(self, rule: str) -> bool:
        """Whether a rule has all of the words in some form, and asks for what is not done any more."""
        there = trigrams.words(rule)
        forms = [{each for each in there if _is_form(word, each)} for word in self.words]
        return all(forms) and (self.is_named or not denials.denies(rule, " ".join(frozenset[str]().union(*forms))))


def named(about: str) -> ScrappedRule | None:
    """The rule that some words name as one: "the boots rule"; none where they name something else."""
    words = frozenset(_telling(about)) if len(about) <= LONGEST and _RULE.search(_plain(about)) else None
    return ScrappedRule(words=words, is_named=True) if words else None


def read(text: str) -> ScrappedRule | None:
    """The rule that a message says holds no more, or what is not done any more; none where it says so of nothing."""
    if len(text) > LONGEST or "?" in text:
        return None
    plain = _plain(text)
    found = next(filter(None, (saying.search(plain) for saying in _SAYINGS)), None)
    if found is None:
        return None
    said = " ".join(filter(None, found.groups()))
    if "rule" in found.groupdict() or _RULE.search(said):
        return named(said)
    words = frozenset(_telling(said))
    return ScrappedRule(words=words, is_named=False) if len(words) >= _LEAST else None


def _telling(text: str) -> Iterator[str]:
    for word in trigrams.words(text):
        if word not in stop_words.FUNCTION and word not in _OF_ANYTHING:
            yield word.removesuffix("regel") or word


def _is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one, in whatever language."""
    least = max(_BEGINNING, min(len(one), len(other)) - 2)
    is_alike = len(one) >= _BEGINNING and len(other) >= _BEGINNING and one[:least] == other[:least]
    return is_alike or word_forms.alike(word_forms.stem(one), word_forms.stem(other))


def _plain(text: str) -> str:
    return folding.folded(text.translate(patterns.STRAIGHT_QUOTES))
