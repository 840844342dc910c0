"""Patterns for greetings, yes and no, and questions who Hathi is, by language.

Patterns ignore case and are written without accents. A message is one of these when it consists of such pieces and
nothing else but those beside them, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetingWords:
    """One language's greetings, answers yes and no, and questions who Hathi is."""

    greeting: str
    who: str
    help: str
    pointing: str
    """What asks for help where there is nothing that it could point at: `how does this work?`"""
    beside: str
    """What may stand before or after any of them."""
    yes: str
    no: str
    undo: str
    """What takes back what was just done."""
    stop: str
    """What ends an answer that is still being written."""
    why: str
    """What asks for the sources of what was just answered."""


_ENGLISH: Final = {
    # Not "this" or "it": whoever says so may point at something.
    "you": r"(?:you|u|this thing|this bot|hathi|the bot)",
    "use": r"(?:use|talk to|work with|get started with|operate|start with|interact with|chat with)",
}

ENGLISH: Final = GreetingWords(
    greeting=patterns.either(
        r"""
        (?:heya|hiya|howdy|helo|ello|hey there|aloha|welcome|hola|oi|ayy?|wazzup|yo|greetings|hullo|g'?day|sup\
            |wassup|salutations|ahoy|hallo|hi+|he+y+|hell?o+)
        good (?:morning|afternoon|evening|day)|gm|morning|evening|what's up|what is up|whats up|how's it going\
            |pleased to meet you
        nice to (?:meet|see) you|(?:is )?any(?:one|body) (?:there|here|home)|are you (?:there|here|on|online|alive\
            |awake|up)|you (?:there|up|awake|alive|on|online|here|around|listening)
        (?:can|do) you hear me|knock knock|ping
        """
    ),
    who=patterns.either(
        r"""
        (?:who|what)(?: exactly| the heck| even)? (?:are|r) (?:you|u)(?: exactly| anyway| again| really)?
        (?:what|who)(?: exactly)?(?:'s| is) (?:hathi|this bot|this thing|the bot)(?: exactly| about| for)?\
            |who am i (?:talking|\
            speaking|chatting) (?:to|with)
        what(?:'s| is) your name|(?:do )?you have a name|(?:please )?introduce yourself|tell (?:me|us)(?: something\
            | more)? about yourself
        are you (?:a |an |some kind of )?(?:bot|robot|human|person|real|real person|ai|machine|program|chatbot\
            |chat bot|llm)\
            (?: or (?:a |an )?(?:bot|robot|human|person|real person|ai|machine))?
        what(?: kind| sort| type) of (?:bot|thing|ai|assistant|program) (?:are you|is this)\
            |what are you(?: good)? for|your name
        what(?:'s| is) your (?:purpose|job|role|deal|function)|why are you here|what do you do(?: here| exactly\
            | all day)?|who (?:made|built|created|wrote|runs|owns|programmed) you
        """,
        _ENGLISH,
    ),
    help=patterns.either(
        r"""
        what (?:can|could|do) you help(?: (?:me|us|people))? with
        what (?:is it|exactly is it) (?:that )?you (?:do|can do)|what (?:are )?you(?:'re| are)? (?:good|useful|made\
            |built|here|meant|there) for|what {you} (?:can|could) do|what you (?:do|are able to do|are for)
        what (?:kinds?|sorts?|types?) of (?:things|stuff|questions?|help|commands?) (?:can|could|do|should\
            |may) (?:i|you|we)\
            (?: (?:ask|do|say|tell|give|use|help with|answer|handle|know|type))?(?: {you})?
        (?:(?:do you|have you|you) )?(?:got|have)?(?: a| any| some)? ?(?:manual|guide|tutorial|docs|documentation\
            |help page\
            |instructions|user guide|command list|list of commands|cheat ?sheet|faq|readme|how[- ]?to)
        help(?: me| please| us| out| me out)*|(?:i |we )?(?:need|want|could use)(?: some| a little| your\
            | a bit of)? help|sos
        what (?:can|could|do|else can|all can|are you able to) {you}(?: do)?(?: for (?:me|us))?(?: here| exactly\
            | besides that)?
        what (?:are you able to do|are you capable of|all can you do|things can you do|can i do(?: here| with (?:you\
            |this))?)
        what(?:'s| is| are) (?:your|the) (?:features?|abilities|capabilities|skills|commands?|options|functions?\
            |instructions)
        what (?:commands|features|options)(?: are there| do you (?:have|know|understand|support)| can i (?:use|give\
            |type))?
        what (?:can|could|should|do|may|might) i (?:ask|say|tell|type|try|do|write)(?: to)?(?: {you})?(?: here| now\
            | first)?
        how (?:do|does|can|could|would|should) (?:i|we|one|{you}|everything)(?: {use})?(?: {you})?(?: work\
            | help(?: me| us)?| begin| start|\
            get started)?(?: here| exactly)?
        how to (?:use|start|begin|talk to)(?: {you})?|how can you (?:help|be useful)(?: me| us)?
        (?:can|could|will|would) you help(?: me| us)?(?: out)?|(?:show|list|give|see)(?: me| us)?(?: the| your| all\
            | all the| some)? \
            (?:commands|help|menu|options|features|instructions)
        commands|menu|usage|instructions|manual|get(?:ting)? started|where (?:do|should) i (?:start|begin)\
            |i'm (?:new(?: here)?|lost)
        (?:i don't|i do not) know (?:what to (?:say to you|ask you|type)|how {you} works?|how to use {you})
        help me (?:to )?(?:understand|see|learn|figure out) (?:what|how) (?:{you} (?:does?|works?|is for)\
            |to {use} {you}|you (?:do|work|are))
        how (?:do|can|could|would|should) (?:i|we)(?: (?:get|make|have|let|tell|ask|teach\
            |use) {you}(?: to)?)? (?:remember\
            |save|store|forget|delete|recall|\
            find|remind me of|keep|list|look up)(?: (?:something|things|anything|stuff|memories|a memory|a note\
                |a fact|notes|facts|it|them)){0,2}
        explain (?:to me |to us )?(?:yourself|(?:how|what) {you} (?:works?|functions?|operates?|does?))\
            |how do i use you
        (?:how|what) {you} (?:works?|functions?|operates?|does?)|what(?:'s| is) possible|what(?:'s\
            | is) (?:all )?this bot (?:about|for)\
            |how (?:are you|is this bot|is this) used|how to (?:work|operate) (?:this|you)\
            |what (?:all )?you(?:'ve| have)? got
        """,
        _ENGLISH,
    ),
    pointing=patterns.either(
        r"""
        what(?:'s| is) this(?: about| for)?|who(?:'s| is) this|how (?:do|does|can) (?:this|it|i use (?:this\
            |it))(?: all)?(?: work)?
        what (?:can|does) (?:this|it) do|what now|what next|now what|help me (?:to )?understand this|what (?:do\
            |should) i do(?: now)?
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|oh|ah|so|and|now|then|well|right|please|pls|by the way|btw|just|actually|again|there|everyone\
            |everybody|all|folks|bot|robot|machine|assistant|computer|hathi|today|this is|from|what is it|for me
        my name(?: is|'s) \w{1,20}|i'm \w{1,20}|i am \w{1,20}|from \w{1,20}|lol|haha|or something|real quick|uh+\
            |er+m?|wait|partner|stranger|fam|bro|dude|man|gang|peeps|chat
        y'?all|(?:in|on|of|for) (?:this|the|our) (?:server|channel|place|discord)|using (?:this|the) bot\
            |first time talking to you\
            |i'?ve never used (?:you|this|a bot)(?: before)?|i just (?:joined|got here|found you)|and you|my dear|love
        (?:can|could|would|will) you(?: please)?(?: (?:tell|show|explain to) (?:me|us))?|do you know\
            |(?:just )?(?:joined\
            |got here|found you|installed you|met you|added you)|first time here|hope you(?:'re| are) well
        guys|team|friend|friends|my friend|buddy|mate|pal|dear|old friend|world|thanks|thank you|exactly|tell me|say\
            |um+|hm+|you|to you
        i wonder|i'm curious|quick question|can you tell me|could you tell me|i'm new here|nice to meet you\
            |how are you(?: doing)?\
            (?: today)?
        """
    ),
    yes=patterns.either(
        r"""
        yes|yeah|yep|yup|yea|y|sure|ok|okay|of course|certainly|definitely|absolutely|affirmative|correct|exactly\
            |right|do it|do that
        do so|go ahead|go on|go for it|confirm|confirmed|proceed|(?:forget|delete|erase|remove) (?:them|it|all\
            |all of them|everything|\
            both|that|those|these|all of it)(?: all)?|all of them|both(?: of them)?|i'm sure|i am sure|i am|i do\
                |i confirm|agreed|fine
        yes to all|all|please do|that's right|that is right|that's it|that one|those|them all|really
        """
    ),
    no=patterns.either(
        r"""
        no|nope|nah|n|no way|don't|do not|cancel|stop|abort|leave (?:it|them)|keep (?:it|them|them all)|never ?mind\
            |wait|rather not
        not now|better not|no thanks|no thank you|i changed my mind|forget it|none(?: of them)?
        """
    ),
    undo=patterns.either(
        r"""
        (?:undo|revert|reverse)(?: (?:(?:that|it|this|(?:the|my|your) last)(?: (?:one|thing|change|edit|action|command\
            |step))?|forgetting|(?:my|the) (?:change|edit)|what (?:i|you)(?: just)? did))?
        (?:bring|give|put|get) (?:it|that|them|this) back|take (?:that|it) back
        restore (?:it|that|them)|(?:i )?changed my mind|(?:don't|do not) forget (?:it|that|them)
        """
    ),
    stop=patterns.either(
        r"""
        stop(?: (?:it|that|this|now|talking|writing|answering|there|right there))*|cancel(?: (?:that|it|this))?\
            |abort(?: (?:that|it|this))?|halt|enough|that's enough|that is enough|shut up|be quiet|never ?mind|nvm\
            |(?:you can|please) stop(?: now)?
        """
    ),
    why=patterns.either(
        r"""
        why|why (?:that|this|so)|how come|(?:says|said|according to) who\
            |who (?:says|said)(?: that| so| this)?|who told (?:you|u)(?: (?:that|this|so))?|source
        why (?:did|do|would) (?:you|u) (?:say|think|tell me|answer|reply)(?: (?:that|this|so|it))?\
            |what makes you\
            (?: (?:say|think))(?: (?:that|this|so))?
        how (?:do|did|can|would) (?:you|u) (?:even )?(?:know|come up with|come to)(?: (?:that|this|it))?
        where (?:did|do) (?:you|u) (?:get|have|take|know|hear) (?:that|this|it)(?: from)?\
            |what(?:'s| is) (?:your|the) source\
            |where (?:is|does) (?:that|this|it)(?: come)? from|where's (?:that|this|it) from
        (?:can you |could you )?(?:explain|justify) (?:that|this|your) (?:answer|reply)|(?:based )?on what(?: basis)?
        """
    ),
)

GERMAN: Final = GreetingWords(
    greeting=(
        r"hallo|moin(?: moin)?|servus|grue?zi|guten (?:morgen|tag|abend)|grue?ss gott|huhu|na|bist du da"
        r"|hallihallo|tach"
    ),
    who=patterns.either(
        r"""
        wer bist du(?: denn| eigentlich)?|was bist du(?: denn| eigentlich| fue?r einer)?|wie heisst du\
            |stell dich(?: bitte| mal)* vor
        bist du (?:ein )?(?:bot|mensch|roboter|ki|maschine)
        """
    ),
    help=patterns.either(
        r"""
        hilfe|hilf mir|ich brauche hilfe|was kannst du(?: alles| so| denn| eigentlich)*|wie funktionierst du\
            |wie geht das
        was kann ich (?:dich )?(?:fragen|tun|machen)|wie benutze ich dich|(?:zeig\
            |welche) (?:mir )?(?:die )?befehle(?: gibt es)?
        """
    ),
    pointing=r"was ist das(?: hier)?|wie funktioniert das|was jetzt|was nun",
    beside=(
        r"ok|okay|ach|so|und|jetzt|nun|also|bitte|mal|sag mal|zusammen|alle|leute|du|da|danke"
        r"|wie geht'?s(?: dir)?|wie geht es dir"
    ),
    yes=(
        r"ja|jo|jep|klar|na klar|genau|mach(?: das| es)?|bestae?tigt|bitte|ja bitte|in ordnung|einverstanden"
        r"|sicher|alle"
    ),
    no=r"nein|ne|nee|nicht|lass(?: das| es)?|abbrechen|stopp?|doch nicht|behalte? (?:es|sie)|lieber nicht",
    undo=(
        r"(?:mach|nimm)e? (?:das|es|dies|das letzte|die letzte ae?nderung)(?: bitte| wieder| mal){0,2} "
        r"(?:rue?ckgae?ngig|zurue?ck)"
        r"|(?:bitte |wieder ){0,2}rue?ckgae?ngig(?: machen)?|hole? (?:das|es) (?:wieder )?zurue?ck"
    ),
    stop=(
        r"stopp?|hoe?r auf(?: damit)?|halt|(?:brich|breche) (?:das |es )?ab|abbrechen|lass (?:das|es)(?: sein)?|schluss"
        r"|genug|das reicht|sei still|egal"
    ),
    why=patterns.either(
        r"""
        warum|wieso|weshalb|wieso das|warum (?:das|sagst du das|glaubst du das)\
            |(?:warum|wieso) hast du das gesagt|wieso (?:sagst|glaubst|denkst) du das
        woher (?:weisst|hast|kennst) du das(?: denn)?|wie kommst du darauf|wer (?:sagt|hat) das(?: gesagt)?\
            |wer hat dir das (?:gesagt|erz(?:a|ae)hlt)\
            |(?:deine )?quelle|woher stammt das|woher kommt das
        """
    ),
)

FRENCH: Final = GreetingWords(
    greeting=r"bonjour|salut|coucou|bonsoir|allo|tu es la|enchante|rebonjour",
    who=(
        r"qui (?:es[- ]tu|etes[- ]vous)|tu es qui|comment (?:t'appelles[- ]tu|tu t'appelles)|presente[- ]toi"
        r"|es[- ]tu (?:un |une )?(?:bot|robot|humain|ia)"
    ),
    help=patterns.either(
        r"""
        aide|aide[- ]moi|a l'aide|j'ai besoin d'aide|que (?:peux|sais)[- ]tu faire|qu'est[- ]ce que tu (?:peux\
            |sais) faire
        tu (?:peux|sais) faire quoi|comment (?:ca marche|tu marches|ca fonctionne|t'utiliser)
        """
    ),
    pointing=r"c'est quoi(?: ca)?|qu'est[- ]ce que c'est|comment ca marche|et maintenant",
    beside=(
        r"ok|okay|ah|oh|alors|et|dis|dis[- ]moi|s'il (?:te|vous) plait|stp|svp|merci|tout le monde|a tous|ca va"
        r"|comment ca va"
    ),
    yes=r"oui|ouais|bien sur|d'accord|vas[- ]y|confirme|exactement|c'est ca|fais[- ]le|tous|toutes",
    no=r"non|nan|annule|arrete|stop|laisse(?: tomber)?|pas maintenant|garde(?:[- ]les|[- ]le)?",
    stop=r"stop|arrete(?:[- ]toi| ca)?|annule(?: ca)?|ca suffit|assez|tais[- ]toi|laisse tomber",
    undo=(
        r"annule(?: ca| la derniere (?:chose|modification|action))?|defais[- ]le|retablis[- ](?:le|la|les)"
        r"|remets[- ](?:le|la|les)"
    ),
    why=patterns.either(
        r"""
        pourquoi(?: (?:ca|cela))?|pourquoi (?:dis[- ]tu|tu dis|as[- ]tu dit|tu as dit) (?:ca|cela)\
            |comment (?:le sais[- ]tu|tu le sais|tu sais ca)
        d'ou (?:tiens[- ]tu|tu tiens|sors[- ]tu|tu sors) (?:ca|cela)|qui (?:dit|a dit|t'a dit) (?:ca|cela)\
            |(?:ta |la )?source
        """
    ),
)

SPANISH: Final = GreetingWords(
    greeting=r"hola|buenas|buenos dias|buen dia|buenas (?:tardes|noches)|estas ahi|que tal",
    who=(
        r"quien eres(?: tu)?|que eres(?: tu)?|como te llamas|presentate|eres (?:un |una )?(?:bot|robot|humano"
        r"|persona|ia)"
    ),
    help=patterns.either(
        r"""
        ayuda|ayudame|necesito ayuda|que (?:puedes|sabes) hacer|como (?:funcionas|funciona esto|te uso)\
            |que puedo (?:hacer|preguntarte)
        """
    ),
    pointing=r"que es esto|como funciona(?: esto)?|y ahora que",
    beside=r"ok|okay|ah|oh|oye|y|pues|entonces|dime|por favor|gracias|a todos|todos|como estas|que tal",
    yes=r"si|claro|vale|de acuerdo|adelante|hazlo|confirmo|exacto|por supuesto|todos|todas",
    no=r"no|cancela|para|dejalo|mejor no|ahora no|guardalos?",
    stop=r"para(?: ya| eso)?|detente|alto|basta(?: ya)?|cancela(?: eso|lo)?|dejalo|callate|stop",
    undo=r"deshaz(?:lo| eso| esto| lo ultimo| el ultimo cambio)?|deshacer|recuperal[oa]s?",
    why=patterns.either(
        r"""
        por que|por que (?:lo dices|dices eso|lo has dicho|has dicho eso|lo dijiste|dijiste eso)\
            |como (?:lo sabes|sabes eso)|de donde (?:sacas|has sacado|sale) eso
        quien (?:lo dice|dice eso|lo dijo|dijo eso|te lo dijo|te dijo eso)|(?:tu |la )?fuente
        """
    ),
)

UNDOING: Final = r"\b(?:undo|revert|ruckgangig|rueckgaengig|annule|defais|deshaz\w*|deshacer)\b"
"""What asks for nothing else, where others may mean something else by theirs; of folded text."""
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
