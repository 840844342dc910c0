"""The words of questions that only ask what to think of what lies at hand: "is that right?"; a language a table."""

from typing import Final

from bot.text import patterns, stop_words

JUDGING: Final = stop_words.FUNCTION | patterns.vocabulary(
    """
    right wrong true false correct incorrect good great bad better worse fine fair nice cool funny weird smart stupid
    useful useless possible likely plausible realistic legit real serious seriously sure certain honest honestly
    idea ideas thought thoughts think thinks thinking opinion opinions view take agree agrees disagree
    mean means meaning meant sense make makes worth work works help helps matter matters problem issue instead else
    check verify explain believe guess bet hm hmm huh eh
    """
)
"""English, without accents and in small letters."""
ABROAD: Final = (
    patterns.vocabulary(
        """
        das dies es er sie wir du ihr man was wie warum wieso ist sind war ware waren kann konnte sollte soll wurde
        haltst haltet halten meinst meint meinen denkst davon damit dazu daran daruber dabei so und oder nicht
        denn eigentlich wirklich ganz sehr ein eine einer guter gute gutes schlechte schlechter idee sinn macht stimmt
        richtig falsch wahr sicher bist moglich sinnvoll besser schlimm heisst bedeutet stattdessen hilft klappt
        geht gut schlecht
        """
    ),
    patterns.vocabulary(
        """
        c est ce cela ca ceci il elle on tu vous nous que qu en y quoi comment pourquoi est-ce qu'est-ce c'est vrai
        vraie faux fausse juste bon bonne mauvais mauvaise idee penses pensez pense dis crois d'accord sur sure certain
        veut dire sens un une le la les et ou ne pas bien mal mieux grave possible marche peut faire fait plutot qu'en
        penses-tu t'en avis ton as es
        """
    ),
    patterns.vocabulary(
        """
        es eso esto el ella tu que como por verdad cierto falso correcto bueno buena malo mala idea crees piensas opinas
        seguro segura sentido tiene un una lo la y o no bien mal mejor grave posible sirve funciona estas de acuerdo
        significa quiere decir
        """
    ),
)
"""German, French and Spanish, with their small words."""
POINTING: Final = patterns.vocabulary(
    """
    this that these those it it's that's he she they he's she's they're him her them
    instead else stattdessen das dies es davon damit dazu er c'est cela ca ce en il elle eso esto
    """
)
OWN: Final = patterns.vocabulary("i i'm i've my me mine we we're our us ich mein meine wir je mon ma nous yo mi mis")
"""Who asks: of them, and of nothing at hand, a question may be that has no other word."""
