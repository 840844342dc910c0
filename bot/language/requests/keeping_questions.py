"""Patterns for asking what is kept of what is said here, who sees it and for how long, by language.

Patterns ignore case and are written without accents. A message asks for it when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without. What is known of somebody is another question.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.requests import self_questions
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingWords:
    """One language's questions about what is kept."""

    asking: str
    """What asks for it, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""


_ENGLISH: Final = {
    "keep": r"(?:keep|save|store|record|log|remember|track|collect|retain|archive)(?: down)?",
    "keeping": r"(?:keeping|saving|storing|recording|logging|remembering|tracking|collecting|retaining|archiving)",
    "kept": r"(?:kept|saved|stored|recorded|logged|remembered|tracked|collected|retained|archived)",
    "all": r"(?:(?: even| also| really| actually| ever| always| just| still| already| now)*)",
    "logs": r"(?:(?:a |any |the )?(?:logs?|records?|copy|copies|history|transcripts?) of )",
    "what": (
        r"(?:everything|anything|all(?: that| of what)?|what(?:ever)?|the (?:things|stuff|messages)(?: that)?|things"
        r"|messages(?: that)?)"
    ),
    "say": (
        r"(?:(?:i|we|people|users|everyone|everybody) (?:just |have |'ve )?"
        r"(?:say|said|write|wrote|type|typed|post|posted|send|sent|tell|told)(?: (?:you|to you))?)"
    ),
    "mine": (
        r"(?:(?:all |any )?(?:of )?(?:my|our)"
        r" (?:messages?|chats?|data|words|stuff|dms?|conversations?|info|texts?))"
    ),
    "here": (
        r"(?:(?: (?:here|in here|in this (?:channel|server|chat)|in dms?|privately|somewhere|anywhere|right now|now"
        r"|to you|about me|too|at all))*)"
    ),
    "unasked": (
        r"(?:(?:,? (?:even )?(?:when|if) (?:i|we) (?:don't|do not|didn't|dont)(?: even)? (?:say|ask|tell you|use)"
        r"(?: you)?(?: to)?(?: ?[\"']?remember[\"']?)?(?: you| it| to)?)?)"
    ),
}

ENGLISH: Final = KeepingWords(
    asking=patterns.either(
        r"""
        (?:do|did|will|would|are|can) you{all} (?:going to )?(?:{keep}|{keeping}) \
            {logs}?(?:{what} {say}|{mine}|this(?: (?:chat|conversation|channel))?){here}{unasked}
        are you{all} {keeping} (?:me|us){here}
        (?:am i|are we|is (?:this|it|that|any of this|all of this|all this|everything|anything|{what} {say}{here}\
            |{mine})|are {mine}){all} (?:being )?{kept}{here}{unasked}
        (?:is|are) (?:this|it|that|{mine}|what {say}|this (?:chat|conversation|channel)){all} \
            (?:private|confidential){here}
        do you{all} keep (?:this|it|{mine}|what {say}) (?:private|confidential|secret|safe){here}
        what (?:exactly )?(?:do you{all} (?:keep|store|save|record|log)|gets {kept}|is(?: being)? {kept}\
            |are you {keeping})(?: of (?:{mine}|what {say}))?{here}
        how long (?:do you{all} {keep}|(?:is|are)) (?:{what} {say}|{mine}|this|it|them)(?: {kept}| for)?{here}
        for how long do you{all} {keep} (?:{what} {say}|{mine}|this|it|them)
        where (?:does|do|is|are) (?:{mine}|what {say}|this|it) (?:go|end up|live|{kept}){here}
        who(?: else)? (?:can|could|may|will|is able to|gets to) (?:{all} )?(?:see|read|access|view|find) \
            (?:{mine}|{what} {say}|this|it|that){here}
        who(?: else)? sees (?:{mine}|{what} {say}|this){here}
        (?:what(?:'s| is) )?(?:your |the )?privacy(?: policy)?|how (?:private|safe|secure) is (?:this|it|{mine})
        """,
        _ENGLISH,
    ),
    beside=f"{self_questions.ENGLISH.beside}|but|wait|um+|uh+|hm+|hold on|question|quick question|be honest|honestly",
)

LANGUAGES: Final = (ENGLISH,)
