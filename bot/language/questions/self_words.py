"""The words by which people ask of themselves, and tell how it is with them, in four languages; of folded text."""

from typing import Final

SAID: Final = r"""
    \b(?:did|have|had|didn't|haven't) i (?:\w+ ){0,2}?(?:say|said|tell|told|mention(?:ed)?|\
        write|written|promised?|ask(?:ed)?)\b
    \b(?:what|that|everything|all) i (?:\w+ )?(?:said|told|wrote|mentioned|promised)\b
    \bhab(?:e)? ich (?:\w+ ){0,6}?(?:gesagt|erzahlt|erwahnt|geschrieben|versprochen)\b|\bwas ich (?:\w+ ){0,4}?gesagt
    \b(?:ai[- ]je|j'ai) (?:\w+ )?(?:dit|raconte|mentionne|ecrit|promis)\b
    \b(?:te |os )?(?:dije|conte|mencione|escribi|prometi)\b|\bhe (?:dicho|contado|mencionado|escrito|prometido)\b
"""
"""Who asks for what they said themselves."""
OWN: Final = r"""
    \b(?:my|mine)\b|\b(?:am|was) i\b
    \bdo i (?:\w+ )?(?:do|live|work|like|love|hate|prefer|enjoy|study|speak|eat|drink|play|drive|come from|take\
        |suffer)\b
    \bmein\w{0,2}\b|\bbin ich\b|\b(?:wohne|lebe|arbeite|mag|esse|trinke|spiele|studiere|heisse) ich\b
    \b(?:mon|ma|mes)\b|\bsuis[- ]je\b|\bje (?:suis|vis|mange|bois|travaille|prefere)\b|\bj'(?:habite|aime)\b
    \bmis?\b|\b(?:soy|estoy|vivo|trabajo|como|bebo|prefiero)\b|\bme gusta\w?\b
"""
"""Who asks how it is with themselves."""
STATE: Final = r"""
    \bi(?:'m| am| was)\b
    \bi (?:\w+ )?(?:live|work|like|love|hate|prefer|enjoy|study|speak|eat|drink|play|drive|come from)\b
    \bi (?:can't|cannot|don't|never|won't) (?:\w+ )?(?:eat|drink|like|stand|take|drive)\b
    \bi (?:have|suffer from) an? \w+
    \bich (?:bin|war|wohne|lebe|arbeite|mag|esse|trinke|spiele|studiere|heisse)\b|\bbin ich\b
    \bje (?:suis|vis|mange|bois|travaille|prefere)\b|\bj'(?:habite|aime|etais)\b|\bje ne (?:mange|bois) (?:pas|jamais)\b
    \b(?:soy|estoy|vivo|trabajo|bebo|prefiero)\b|\bme gusta\w?\b|\bno (?:como|bebo)\b
"""
"""Who tells how it is with them, and with nobody else."""
YOURS: Final = r"\b(?:you|your|yours|du|dein\w{0,2}|dich|dir|tu|toi|ton|ta|tes|votre|vos|vous|ti|tus?|tuyo)\b"
"""Who speaks to somebody of theirs."""
