"""Patterns for asking not to be remembered from now on, by language.

Patterns ignore case and are written without accents. A message asks for it when it consists of `asking` pieces and
nothing else but `beside` ones. What is kept already is not said to go. And how a message begins, or ends, that is not
to be kept itself.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingWords:
    """One language's requests to be remembered no more."""

    asking: str
    """What asks for it, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""
    unrecorded: str
    """What says of a message that it is not to be kept, before it or after it."""


ENGLISH: Final = StoppingWords(
    asking=patterns.either(
        r"""
        (?:{not_to} {keep}|{stop} {keeping}) {any}(?: from| about| of)?(?: (?:me|us|mine|my messages))?(?: {now})*
        (?:{not_to} {keep}|{stop} {keeping}) {any} (?:that )?(?:i|we) {say}(?: (?:here|to you|in here|you))?(?: {now})*
        (?:{not_to} {keep}|{stop} {keeping}) (?:what|whatever|the things|things|stuff|the stuff) (?:i|we) {say}\
            (?: (?:here|to you|in here))?(?: {now})*
        (?:{not_to} {keep}|{stop} {keeping}) (?:me|us|my messages|my stuff|my words)(?: {now})*
        (?:{not_to} {keep}|{stop} {keeping}) (?:things|stuff|notes|memories|facts|data|info|records) (?:about|on|of\
            |from) \
            (?:me|us)(?: {now})*
        (?:{stop} listening|{not_to} listen) to (?:me|us|what (?:i|we) {say})(?: {now})*
        (?:ignore (?:me|us)|{not_to} (?:read|track|watch|spy on) (?:me|us|my messages))(?: {now})*
        i (?:(?:do not|don't|did not|didn't|never) (?:give (?:you )?(?:my )?)?consent\
            (?: to (?:this|that|it|any of this))?|(?:withdraw|revoke|take back) my consent)(?: {now})*
        i (?:don't want|do not want|would rather not|'d rather not)(?: {any} i {say})? to be (?:remembered|recorded\
            |stored|saved)\
            (?: {now})*
        """,
        {
            "not_to": (
                r"(?:don't|do not|never|i don't want you to|i do not want you to|you (?:must|should|may) not"
                r"|could you not"
                r"|can you not|please not)(?: (?:ever|you))?"
            ),
            "stop": r"(?:stop|quit|can you stop|could you stop|would you stop|you can stop|i want you to stop)",
            "keep": r"(?:keep|save|store|record|note|log|memorize|memorise|remember|write down|collect)(?: down)?",
            "keeping": (
                r"(?:keeping|saving|storing|recording|noting|logging|memorizing|memorising|remembering|writing down"
                r"|collecting)"
            ),
            "any": (
                r"(?:anything|everything|any of (?:it|this|that)|a thing|a word|nothing|any more|all)(?: (?:else"
                r"|more))?"
            ),
            "say": r"(?:say|write|post|type|tell you|send|am saying|am writing|might say|will say)",
            "now": (
                r"(?:any ?more|any longer|from now on|from here on|again|ever again|ever|in (?:the )?future"
                r"|from today|at all)"
            ),
        },
    ),
    beside=r"ok|okay|hey|hi|hello|please|pls|thanks|thank you|so|and|also|now|actually|bot|from now on|sorry",
    unrecorded=patterns.either(
        r"""
        (?:strictly |totally )?off[ -]the[ -]record|not for the record
        (?:just |strictly |only )between (?:the two of )?us|between (?:you and me|ourselves)
        (?:in (?:strict |all )?confidence|(?:strictly )?confidential(?:ly)?|(?:a |big |top )?secret)
        (?:do not|don't|dont|never) (?:you )?(?:dare )?(?:tell|say|share|repeat|mention|spread) (?:(?:this|that|it)\
            (?: (?:to|with) (?:{anyone}))?|(?:{anyone})(?: (?:this|that|about (?:this|that|it)))?)
        keep (?:this|that|it) (?:a secret|secret|quiet|private|confidential|to yourself|between us|hush)
        (?:nobody|no one|noone) (?:else )?(?:should|must|may|can|needs to|has to|is to)(?: ever)? (?:know|hear)\
            (?: (?:this|that|it|about (?:this|that|it)))?
        """,
        {"anyone": "any(?: )?(?:one|body)(?: else)?|a soul|no(?: one|body)|the others|everyone|people"},
    ),
)

GERMAN: Final = StoppingWords(
    asking=patterns.either(
        r"""
        {keep}(?: {now})+ (?:{nothing})(?: {of_me})?(?: {now})*(?: auf| ab)?
        {keep} (?:{nothing})(?:(?: {now})+(?: {of_me})?| {of_me})(?: {now})*(?: auf| ab)?
        {keep} (?:dir )?(?:bitte )?(?:nicht|nie)(?: mehr)?,? was ich (?:hier |dir |so )*(?:sage|schreibe|erzahle|poste)\
            (?: {now})*
        (?:ich )?(?:will|moe?chte)(?: {now})* nicht(?: {now})*,? dass (?:du (?:dir )?(?:et)?was|du dir sachen\
            |du was)(?: {of_me})? \
            (?:merkst|speicherst|behaltst|notierst|aufschreibst)
        (?:ich )?(?:will|moe?chte)(?: {now})* nicht(?: {now})*,? dass (?:diese nachricht|das|irgendwas|etwas\
            |was)(?: {of_me})? \
            (?:gemerkt|gespeichert|behalten|notiert) wird
        hoe?re? (?:bitte |endlich |mal )*auf,? (?:dir )?(?:{things} )?(?:{of_me} )?(?:{things} )?(?:zu {verb}|{joined})
        {never} (?:dir )?(?:bitte )?(?:nichts|nie wieder was|nie wieder etwas\
            |nix)(?: mehr)?(?: {of_me})?(?: mehr)? {verb}
        (?:kannst|koe?nntest) du (?:bitte )?aufhoe?ren,? (?:dir )?(?:{things} )?(?:{of_me} )?(?:zu {verb}|{joined})
        (?:erinner|erinnere) dich (?:bitte )?nicht(?: mehr)? an mich
        """,
        {
            "keep": (
                r"(?:merke? (?:dir|euch)|speichere?(?: dir)?|behalte?|notiere?(?: dir)?|schreibe?(?: dir)?)"
                r"(?: (?:bitte|mal|doch)){0,2}"
            ),
            "nothing": r"(?:nichts|nix|gar nichts|keine (?:sachen|dinge|nachrichten|infos|daten))",
            "now": (
                r"(?:mehr|ab jetzt|ab sofort|von jetzt an|kunftig|in zukunft|ab heute|nie wieder|jemals"
                r"|wieder|hier)"
            ),
            "of_me": r"(?:(?:von|uber|zu) (?:mir|mich|uns)|von dem,? was ich (?:sage|schreibe))",
            "things": r"(?:sachen|dinge|alles|was|etwas|zeug|meine (?:sachen|nachrichten)|mich|daten)",
            "verb": r"(?:merken|speichern|behalten|notieren|aufschreiben|sammeln)",
            "joined": r"(?:abzuspeichern|aufzuschreiben|mitzuschreiben|mitzuspeichern)",
            "never": r"(?:du sollst|du darfst|bitte|ab jetzt|bitte ab jetzt|ich will dass du)",
        },
    ),
    beside=r"ok|okay|hey|hi|hallo|bitte|danke|also|so|und|jetzt|ab jetzt|mal|bot|ubrigens|eigentlich|sorry",
    unrecorded=patterns.either(
        r"""
        nicht f(?:u|ue)rs protokoll|(?:nur |ganz )?unter uns(?: gesagt)?|(?:streng |ganz )?(?:vertraulich|geheim)
        (?:sag|sagt|erza?e?hl|erza?e?hle|verrat|verrate)(?: (?:das|es|dies))?(?: bitte)? (?:niemand(?:em|en)?|keinem)\
            (?: weiter)?
        behalte? (?:das|es|dies) fu?e?r dich|(?:das )?(?:darf|soll) (?:niemand|keiner) (?:wissen|erfahren)
        """
    ),
)

FRENCH: Final = StoppingWords(
    asking=patterns.either(
        r"""
        (?:ne |n')?{keep} (?:plus|jamais)(?: {any})?(?: {of_me})?(?: {now})*
        (?:ne |n')?{keep} pas(?: {any})?(?: {of_me}| {now})(?: {now})*
        (?:ne |n')?{keep} pas mes messages(?: {now})*
        (?:ne |n')?{keep} (?:plus|jamais|pas) (?:de |d')?(?:{any} )?(?:de )?ce que (?:je|j') ?{say}(?: ici)?(?: {now})*
        (?:arrete|cesse|arretez|evite)(?: (?:de|d'))? ?{keeping}(?: {things})?(?: {of_me})?(?: {now})*
        (?:arrete|cesse|arretez)(?: (?:de|d'))? ?{keeping} (?:tout )?ce que (?:je|j') ?{say}(?: ici)?(?: {now})*
        (?:je )?(?:ne )?veux (?:plus|pas) que (?:tu (?:te souviennes|retiennes|gardes|notes|enregistres|memorises)) \
            ?(?:{things} ?)?(?:{of_me})?(?: {now})*
        (?:je )?(?:ne )?veux (?:plus|pas) que (?:ce message|ca|cela|mes messages|ce que je (?:dis|ecris)\
            |{any}) (?:soit|soient) \
            (?:retenue?s?|gardee?s?|enregistree?s?|notee?s?|memorisee?s?)(?: {now})*
        """,
        {
            "keep": (
                r"(?:te souviens|(?:te )?souviens[- ]toi|retiens|garde|enregistre|note|memorise|retenez|gardez|conserve"
                r"|me retiens)"
            ),
            "keeping": r"(?:te souvenir|retenir|garder|enregistrer|noter|memoriser|conserver|me retenir|te rappeler)",
            "any": r"(?:rien|de rien|quoi que ce soit|aucun message|mes messages|quelque chose)",
            "of_me": (
                r"(?:(?:de|sur|a propos de|concernant|venant de) (?:moi|nous)|de ma part|me concernant"
                r"|de ce que je (?:dis|ecris))"
            ),
            "things": (
                r"(?:des trucs|des choses|des infos|tout|mes messages|quoi que ce soit|quelque chose|mes trucs"
                r"|rien)"
            ),
            "say": r"(?:dis|ecris|poste|raconte|te dis)",
            "now": r"(?:desormais|a partir de maintenant|dorenavant|a l'avenir|maintenant|du tout|jamais)",
        },
    ),
    beside=r"ok|okay|hey|salut|bonjour|s'il (?:te|vous) plait|stp|svp|merci|alors|et|maintenant|bon|en fait",
    unrecorded=patterns.either(
        r"""
        en off|hors micro|(?:juste |strictement )?entre nous|(?:c'est )?(?:un secret|confidentiel)
        (?:ne )?(?:le |la )?(?:dis|dites|repete|repetez|raconte) (?:(?:le|ca|cela) )?(?:pas )?(?:ca |cela )?a personne
        garde (?:ca|cela|le) pour toi|personne ne doit (?:le )?savoir
        """
    ),
)

SPANISH: Final = StoppingWords(
    asking=patterns.either(
        r"""
        ya no {keep} (?:mas )?{any}(?: mas)?(?: {of_me})?(?: {now})*
        no {keep} (?:mas {any}|{any}(?: mas)? {of_me}|{any} (?:mas|{now}))(?: {of_me})?(?: {now})*
        no {keep} mis (?:mensajes|cosas)(?: {now})*
        (?:ya )?no (?:me (?:{keep}|escuches|leas|espies)|{keep} {now})(?: {now})*
        (?:ya )?no {keep} (?:mas )?(?:nada )?(?:de )?lo que (?:yo )?{say}(?: aqui)?(?: {now})*
        (?:deja|para|dejad|deje) de {keeping}(?: {things})?(?: {of_me})?(?: {now})*
        (?:deja|para) de {keeping} (?:todo )?lo que {say}(?: aqui)?(?: {now})*
        no quiero que (?:recuerdes|guardes|anotes|memorices|apuntes|registres|te acuerdes)(?: de)?(?: mas)?(?: {any}\
            | {things})?\
            (?: {of_me})?(?: {now})*
        no quiero que (?:este mensaje|esto|eso|mis mensajes|lo que (?:digo|escribo)|{any}) (?:se guarden?\
            |se recuerde|quede guardado\
            |sea recordado|quede)(?: {now})*
        """,
        {
            "keep": (
                r"(?:recuerdes|guardes|anotes|memorices|apuntes|registres|almacenes|grabes|te acuerdes de|te acuerdes)"
            ),
            "keeping": (
                r"(?:recordar|guardar|anotar|memorizar|apuntar|registrar|almacenar|acordarte de|guardarte|recordarme)"
            ),
            "any": r"(?:nada|ninguna cosa|ningun mensaje|cosas|mis mensajes|mis cosas|ni una palabra)",
            "of_me": r"(?:(?:de|sobre|acerca de) (?:mi|nosotros)|mio|de lo que (?:digo|escribo))",
            "things": r"(?:cosas|todo|mis cosas|mis mensajes|datos)",
            "say": r"(?:digo|escribo|diga|escriba|publico|cuento)",
            "now": (
                r"(?:mas|nunca mas|de ahora en adelante|desde ahora|a partir de ahora|en adelante|jamas|nunca"
                r"|para nada)"
            ),
        },
    ),
    beside=r"ok|okay|hey|hola|oye|por favor|porfa|gracias|vale|y|ahora|bueno|ya",
    unrecorded=patterns.either(
        r"""
        extraoficialmente|fuera de micr(?:o|ofono)|(?:solo )?entre (?:nosotros|tu y yo)
        (?:es )?(?:un )?secreto|confidencial
        no (?:se )?(?:lo |la )?(?:digas|cuentes|comentes|repitas)(?: (?:esto|eso))? a nadie
        guardame el secreto|nadie (?:debe|puede) saber(?:lo)?
        """
    ),
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
