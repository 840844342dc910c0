"""Writes out what people shorten in a hurry: contractions without their apostrophe, `u`, `pls`; pure."""

from typing import Final

from bot.text import patterns


def table(words: str) -> dict[str, str]:
    """A table of short words and what they stand for: `pls=please rn=right_now`."""
    return dict(pair.replace("_", " ").split("=") for pair in patterns.vocabulary(words))


CONTRACTIONS: Final = table(
    """
    im=i'm ive=i've youre=you're youve=you've hes=he's shes=she's theyre=they're theyve=they've weve=we've
    dont=don't doesnt=doesn't didnt=didn't isnt=isn't arent=aren't wasnt=wasn't werent=weren't
    hasnt=hasn't havent=haven't hadnt=hadn't cant=can't couldnt=couldn't wont=won't wouldnt=wouldn't
    shouldnt=shouldn't mustnt=mustn't wouldve=would've shouldve=should've couldve=could've thats=that's theres=there's
    whats=what's whos=who's wheres=where's whens=when's hows=how's whys=why's
    """
)
"""Contractions as they are written without an apostrophe; not those that are other words then: its, were, ill, well."""
HURRIED: Final = CONTRACTIONS | table("u=you ur=your r=are pls=please plz=please")
"""Those, and words cut short that stand for nothing else."""
_HURRIED: Final = patterns.compiled(rf"(?<![\w'\u2019.#@/-])(?:{patterns.any_of(HURRIED)})(?![\w'\u2019-]|\.\w)")


def written_out(text: str) -> str:
    """The text with these words in full, and all else as it was written; of no text that is kept."""
    return _HURRIED.sub(lambda found: _cased(HURRIED[found[0].lower()], found[0]), text)


def _cased(full: str, written: str) -> str:
    """A word begun as the one it stands for."""
    return full[:1].upper() + full[1:] if written[0].isupper() else full
