"""Words by what they do in a sentence, for finding the noun phrases that say what it is about; data alone."""

from typing import Final

from bot.text import patterns

DETERMINERS: Final = patterns.vocabulary(
    """
    a an the my our your his her its their this that these those some any no every each all both another what which
    whose either neither several many much few more most enough other own such
    """
)
PREPOSITIONS: Final = patterns.vocabulary(
    """
    of in on at by for from with without about into onto over under to as above below behind beside between near
    next before after until till since during through against across along around among per via towards within than
    like off up down out inside outside upon despite except regarding according due plus minus besides beyond
    alongside aboard amid
    """
)
JOINING: Final = patterns.vocabulary(
    """
    and or but so if then because when while though although unless whether where why how nor yet however therefore
    else
    """
)
PRONOUNS: Final = patterns.vocabulary(
    """
    i me mine myself you yours yourself he him she hers it we us ours they them theirs who whom everyone everybody
    someone somebody anyone anybody nobody one ones there here something anything nothing everything u ya y'all
    himself herself itself ourselves themselves others whoever whatever whichever
    """
)
THIRD_PERSONS: Final = patterns.vocabulary(
    "he she it who everyone everybody someone somebody anyone anybody nobody one"
)
"""Those behind which a word in s is a verb."""
AUXILIARIES: Final = patterns.vocabulary(
    """
    is are was were be been being am do does did done has have had having can could will would shall should may
    might must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't cannot couldn't won't
    wouldn't shouldn't mustn't needn't ain't gonna gotta wanna born isnt arent wasnt werent dont doesnt didnt hasnt
    havent hadnt cant couldnt wont wouldnt shouldnt mustnt neednt aint im ive youre theyre whats thats
    """
)
ASIDES: Final = patterns.vocabulary(
    """
    now again already still always never often usually sometimes soon later today tonight tomorrow yesterday ago
    just only also too very really quite rather almost even ever instead anyway actually apparently officially
    currently please pls thanks thank sorry ok okay yes yeah yep nope not oh hey hi hello well right sure fyi btw ps
    nb note reminder remember heads-up anyways lol haha hm hmm wow cool great fine good nice bad happy glad sad away
    back home together twice once maybe perhaps probably mostly mainly especially exactly least less alone forward
    roughly nearly finally recently basically literally definitely certainly otherwise meanwhile whenever wherever
    ahead apart aside everywhere somewhere anywhere nowhere hathi ready available possible necessary true false
    wrong able unable allergic confirmed agreed decided settled btw, due asap effective henceforth indoors
    outdoors upstairs downstairs afraid scared fond proud keen tired yet either neither wait look let's
    lets let third-party according speaking congrats cheers bye yup yep nah ah oops wow woah gosh ugh aww hehe
    """
)
"""Adverbs, courtesies, and what is said of a thing behind its verb."""
TIMES: Final = patterns.vocabulary(
    """
    january february march april june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs
    fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays day days week weeks weekend weekends
    month months year years hour hours minute minutes min mins second seconds o'clock morning afternoon evening
    night noon midnight am pm fortnight quarter time times spring summer autumn winter christmas easter eve date
    dates

    januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag montags
    dienstags mittwochs donnerstags freitags samstags sonntags heute morgen gestern

    janvier février avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi
    samedi dimanche

    enero febrero abril junio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado
    domingo
    """
)
COUNTS: Final = patterns.vocabulary(
    """
    zero one two three four five six seven eight nine ten eleven twelve dozen hundred thousand first second third
    fourth fifth sixth last next half euro euros pound pounds dollar dollars percent cents km kg degrees
    """
)
KEPT_TIMES: Final = patterns.vocabulary("evening night morning day week time date")
"""Times that stand for a thing where a word before them says which: `parents' evening`, `closing time`."""
DULL: Final = patterns.vocabulary(
    """
    thing things stuff way ways lot lots bit kind sort couple pair bunch part parts rest end top side left point
    people person guy guys fact reason idea decision decisions rule rules agreement question number one record case
    example amount set piece pieces term mind sake everyone favourite favorite use fun chance round anybody share turn
    middle front deal need needs list kinds
    """
)
"""Nouns that say little alone: of another noun that follows by "of" they are the measure."""
NUMBERED: Final = patterns.vocabulary(
    """
    tab plot release version room floor gate track level lane row bus line road route sprint chapter season episode
    phase step lab unit flat table page platform terminal zone house channel ticket issue section part box bay size
    number
    """
)
"""What a number names that follows."""
ADJECTIVES: Final = patterns.vocabulary(
    """
    new old big small large little long short high low early late main full empty open closed public private local
    free cheap expensive own extra spare final current previous former official normal regular usual annual monthly
    weekly daily whole single double same different similar separate shared common important urgent special red blue
    green white black yellow brown grey gray orange pink purple silver golden hot cold warm wet dry soft hard heavy
    light clean dirty broken lost torn frozen locked missing leaking loose safe secret digital online offline remote
    internal external upper lower inner outer northern southern eastern western left right rear healthy sick ill
    dead alive young elderly bad good best better worst worse great real true false major minor senior junior easy
    tough difficult scary lucky awesome amazing incredible fantastic wonderful lovely beautiful perfect weird funny
    crazy wild cute sweet tasty delicious boring interesting exciting excited inspiring inspired motivated passionate
    nervous worried relaxed calm peaceful positive negative thankful grateful busy brave curious jealous various
    """
)
NOUNS_IN_ING: Final = patterns.vocabulary(
    """
    meeting building parking booking wedding training reading evening morning catering opening heating ceiling
    lighting plumbing painting recording setting clothing housing funding mailing landing crossing listing ruling
    king string ring thing spring wing sibling pudding railing rehearsing rating hearing saying ending swimming
    climbing standing cutting filing filling outing offering pricing billing banking shipping testing staging
    planning wiring roofing drawing coating rigging
    """
)
PLURAL_SINGULARS: Final = patterns.vocabulary(
    "bus gas yes news class glass pass boss loss address access process business mattress progress chess virus status"
    " campus bonus lens series focus census cactus express press dress mess stress fitness wellness"
)
"""Words in s that are one thing, and no verb's third person."""
ODD_PLURALS: Final = patterns.vocabulary("people children men women mice geese sheep police folk staff")
BEHIND_VERBS: Final = (
    patterns.vocabulary("at on in off out up down until till since from by around behind next daily weekly hourly")
    | TIMES
) - patterns.vocabulary("time times date dates")
"""What stands behind a verb that is also a noun, and seldom behind that noun: `licences end on 1 May`."""
_VERBS: Final = """
    accept achieve add admit advise afford agree aim allow announce answer apologise appear appoint argue arrange
    arrive ask assign assume attach attend avoid bake ban bark bear beep become begin behave believe belong borrow
    bother break bring build burn buy carry catch cause celebrate choose clean clear close collect come complain
    complete confirm consider contact contain continue convert cook correct create cut deal decide decline decrease
    delay deliver depend describe deserve destroy develop die disable discuss divide donate draw drink drive drop earn
    eat empty enable encourage end enjoy enter establish exist expect expire explain fail fall feed feel fetch fight
    fill find finish fit fix fly fold follow forbid forget forgive form gather get give glue go grab grow guess handle
    hang happen hate hear help hide hire hold hope hurt ignore imagine improve include increase inform insist install
    introduce invite join keep kill know lay learn leave lend lie like live lock look lose love maintain make manage
    mean meet mend mention merge miss move need nick notice offer open own paint park pass pay pick plan plant play
    plug post prefer prepare press prevent print produce promise provide publish pull push put quit raise reach read
    realise receive recommend record recover reduce refuse reject release remain remember remind remove rent repair
    repeat replace reply report require reserve reset resign retire return reveal ring rise roll rotate run save say
    see seem select sell send serve set settle share shoot shop shout show shut sign sing sit skip sleep smoke sort
    speak spend spread stand start stay steal stick stop store suffer suggest supply support suppose switch take talk
    teach tell text thank think throw thump touch train travel treat try turn understand unlock unplug update upgrade
    use visit vote wait wake walk want warn wash waste watch water wear win wipe wish withdraw wonder work worry write
    bend boil bounce brew cancel charge check claim climb coach commit compare connect control cost count cover crash
    dance date decorate demand deploy design direct document double dry edit exchange exercise experience export extend
    face film filter flood forecast freeze fund group guide head heat host hunt import insure issue jump kick label
    land last launch lead leak level light limit link list load log mail map mark match measure milk mix monitor name
    nod note object offset order pack phone place point pop power practise practice present price process program
    project protect queue quote race rank rate rebuild recycle reference refund register rehearse relax rely request
    rescue research rest result review ride rule schedule score search season shape shift shower slow smell snow sound
    spot stage steer step storm study sum swim tackle tag taste test tie time top total track trade transfer trigger
    trust type value view volunteer weigh approve realize appreciate explore contribute recognise recognize chat lapse
    insulate renew owe chase inspect hoover vacuum rinse recharge reboot wrap dislike adore detest swap book call
    change guard ship mow prune knock sweep knit sew peel chop dig pour stir drip jam
"""
_ALSO_NOUNS: Final = patterns.vocabulary(
    """
    answer attempt ban bake bark beep bend chat book boss bounce break brew build burn call cancel cause charge check
    claim climb clue coach control cook cost count cover crash cut dance date deal delay demand design develop document
    double drink drip drive drop dry edit end exchange exercise experience export face fall feed fight film filter fit
    fix flood fly fold forecast form freeze fund glue group guess guide guard hand head heat host hunt import increase
    interview issue jam join jump kick label land last launch lead leak level light limit link list live load lock log
    loss mail map mark match measure milk mix monitor move name note notice object offer open order pack paint park
    pass pay phone pick place plan plant play plug point pop post power practice present press price print process
    produce program project promise push queue quote race rank rate read record reference refund register release rent
    repair reply report request rescue research reserve reset rest result return review ring rise roll rule run save
    schedule score search season set shape shift shop show shower sign sleep smell smoke snow sort sound spot spread
    stage stand step stick store storm study sum supply support swap switch tackle tag talk taste test text tie time
    top total touch track trade train transfer travel treat trigger trip trust type update upgrade value view visit
    volunteer vote wake walk wash waste water wear win work worry wrap drinks
    """
)
_IRREGULAR: Final = patterns.vocabulary(
    """
    ate became began begun bore bought broke brought built burnt came caught chose chosen cut dealt did done drank
    drew drawn driven drove drunk eaten fallen fed fell felt flew flown forgave forgot forgotten fought found froze
    gave given gone got gotten grew grown heard held hid hidden hung hurt kept knew known laid lain lay led left
    lent lit lost made meant met paid put quit ran rang read ridden risen rode rose rung said sang sat saw seen sent
    shook shown shrunk shut slept sold spent split spoke spoken stole stolen stood stuck sung swam swapped taken
    taught thought threw thrown told took went woke woken won wore worn wrote written understood withdrew withdrawn
    goes does has says runs rebuilt
    """
)
_DOUBLED: Final = patterns.vocabulary(
    """
    ban cut drop get hit log plan plug put run set shop shut sit skip spot stop swap swim tag trim win wrap nod ship
    fit refer prefer cancel step chat grab quit pop jam drip
    """
)


def _inflected(base: str) -> set[str]:
    """The forms of a regular verb."""
    stem = base + base[-1] if base in _DOUBLED else base.removesuffix("e")
    if base.endswith("y") and base[-2] not in "aeiou":
        return {base[:-1] + "ies", base[:-1] + "ied", base + "ing"}
    third = base + ("es" if base.endswith(("s", "x", "ch", "sh", "o")) else "s")
    return {third, stem + "ed", stem + "ing"}


BASES: Final = frozenset(_VERBS.split()) | {"text", "call"}
THIRDS: Final = frozenset(
    form for base in BASES for form in _inflected(base) if form.endswith("s")
) | patterns.vocabulary("goes does has says")
"""What one does: `keeps`."""
SAYING: Final = patterns.vocabulary(
    """
    said says say asked asks told tells wrote writes texted texts announced announces confirmed confirms reckons thinks
    thought knows knew mentioned mentions reminded reminds promised promises decided decides
    """
)
"""What somebody does who tells of something else."""
PASTS: Final = frozenset(form for base in BASES for form in _inflected(base) if form.endswith("ed")) | _IRREGULAR
PLURALS: Final = BASES | PASTS | patterns.vocabulary("are were have do can will must should may")
"""What several do, or one did: before it a word in s is a noun."""
NOUN_VERBS: Final = _ALSO_NOUNS | {form for base in _ALSO_NOUNS & BASES for form in _inflected(base) if form[-1] == "s"}
"""Verbs that are as often nouns: what stands beside them tells which."""
MISHAPS: Final = patterns.vocabulary("jams drips barks beeps leaks")
"""What a thing does, also with nothing behind: `printer jams`; of other words two nouns are likelier, `office keys`."""
FOREIGN: Final = {
    "german": patterns.vocabulary(
        """
        der die das den dem des ein eine einen einem einer und ist sind war nicht mit auf für von im am zum zur ich wir
        er sie es mein meine unser unsere sein ihr wird werden hat haben auch nur noch jeden bei nach aus vor unter über
        bin bist habe hast kann muss soll heißt heisst heiße heisse bis beim seit dass weil oder aber schon doch
        sehr wenn
        """
    ),
    "french": patterns.vocabulary(
        """
        le la les un une des du au aux et est sont dans sur avec pour mon ma mes notre nos votre son sa ses ce cette je
        """
    ),
    "spanish": patterns.vocabulary(
        "el la los las un una unos del al y es son está están en con para mi mis nuestro nuestra su sus este esta soy "
        "estoy tengo tiene tienen hay"
    ),
}
"""Small words by which a text is told to be in another language."""
FOREIGN_ALONE: Final = patterns.vocabulary(
    """
    das ich und oder aber nicht mit für bis zum zur vom beim im ist sind bin habe wird heißt heisst jeden schon doch
    seit dass avec dans pour est sont chez soy estoy tengo está están para
    """
)
"""Those of them that no English text has: one of them tells the language, and none of them is what a text is about."""
ENGLISH_ALONE: Final = (DETERMINERS | AUXILIARIES) - patterns.vocabulary("a an no")
"""Small words of English that those languages have not."""
INTERJECTIONS: Final = patterns.vocabulary(
    "äh ähm öh öhm hm hmm mhm hmpf uh uhm um erm er eh ah oh ach tja naja euh heu bah pff"
)
"""Sounds people make while they think."""
ARTICLES: Final = {
    "french": patterns.vocabulary("le la les un une des du au aux mon ma mes notre nos votre son sa ses ce cette l d"),
    "spanish": patterns.vocabulary(
        "el la los las un una unos del al mi mis nuestro nuestra su sus este esta nuestros nuestras"
    ),
}
LINKS: Final = patterns.vocabulary("de du des del d")
"""What joins two nouns of those languages into one phrase."""
