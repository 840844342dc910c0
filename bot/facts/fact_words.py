"""The words facts are compared by: which mean the same, which exclude each other, which tell of change; tables."""

from typing import Final

from bot.text import patterns

WEAK: Final = patterns.vocabulary(
    """
    a an the and or but nor so if then than that this these those there here it its he she him her his hers they them
    their theirs who whom whose what when where which why how is are was were be been being am do does did done have has
    had having can could will would should shall may might must of in on at by for from with about into onto over under
    to as up out off all any some oh well very really re we us our ours ourselves you your yours one ones let lets
    themselves himself herself itself yourself
    within between among around along through throughout upon via per toward towards next
    get gets got getting go goes going gone went come comes coming came make makes making made take takes taking took
    taken keep keeps keeping kept give gives giving gave given put puts putting set sets use uses used using want wants
    wanted need needs needed needing run runs running ran happen happens happened happening occur occurs
    work works working worked
    bring brings bringing brought stay stays staying stayed be become becomes became say says said tell tells told
    call calls called name names named know find found see look looks looked mean means show shows
    place takes everyone everybody people person persons thing things stuff way kind sort case lot lots bit part matter
    always usually normally generally regularly just only simply actually currently present presently moment far yet
    still ever exactly precisely namely each every both else own too much many more most less least enough quite
    please remember note careful fyi reminder hey hi ok okay yes btw plan plans planned planning scheduled schedule
    total altogether sum amount amounts amounting whole entire overall
    responsible charge
    limit limits limited maximum max minimum min cap
    new thing
    like such same different certain particular
    two-thirds sharp oclock o'clock
    stand stands standing stood sit sits sitting sat lie lies lying hang hangs hanging hung located situated
    live lives living lived hold holds holding
    able possible allowed entitled permitted permit permits allow allows let letting
    de het een und der die das ein eine ist sind le la les un une est sont el los las es
    """
)
"""Words that carry nothing two facts could differ in, beside pronouns and articles: most verbs of being and doing."""

EMPTY: Final = patterns.vocabulary("a an the and this that these those please note remember well really")
"""Of those, what two texts of one build may have or not."""

FORMS: Final = {"be": "is are am been being", "was": "were", "have": "has having"}
"""Of those, the forms of the plainest verbs."""

TELLING_VERBS: Final = patterns.vocabulary(
    """
    live lives living work works use uses using run runs keep keeps kept hold holds held stay stays stand stands
    sit sits lie lies hang hangs need needs call called named
    """
)
"""Of those, verbs that tell more than that something is, or has been made so."""

VERBS: Final = TELLING_VERBS | patterns.vocabulary("be was have had put go goes went come comes came take takes took")
"""Of those, verbs behind which something is told."""

LINKS: Final = VERBS | patterns.vocabulary(
    "of in on at by for from with about into onto over under to as off out within between among along through via"
)
"""Of those, verbs and prepositions."""

OWNERS: Final = patterns.vocabulary("our your his her their its")
"""Of those, words for whose something is."""

STATES: Final = patterns.vocabulary(
    """
    live lives living work works keep kept hold held stay stays stand stands sit sits lie lies hang hangs
    """
)
"""Of those, verbs behind which it is told where somebody or something is."""

PLACES: Final = patterns.vocabulary("in at on under over")
"""Small words before a place."""

WHERE: Final = PLACES | patterns.vocabulary("with by behind beside inside")
"""Words before where something is, or with whom."""

NO_PLACES: Final = patterns.vocabulary(
    """
    use sale holiday vacation fire strike stock danger risk demand order repair maintenance progress trouble doubt bloom
    season beta service hand time top track schedule hold display view duty leave charge
    """
)
"""Words behind those by which it is told how something is, and not where."""

CALLED: Final = patterns.vocabulary("called named")
"""Verbs behind which stands what something is called."""

USES: Final = patterns.vocabulary("use uses using run runs")
"""Verbs behind which stands what is made use of."""

ATTRIBUTES: Final = patterns.vocabulary(
    """
    password code name colour address theme language motto mascot topic brand model system distro editor capital title
    drink favourite default branch venue timezone currency
    """
)
"""What a thing has one of."""

ALIKE: Final = """
    begin start kick-off kickoff commence beginning started starting began starts begins
    open opens opened opening
    end finish over conclude ends ended stop
    close closing shut closes shuts closed
    prescribe prescription prescribed
    licence license licensed licences
    sponsor sponsorship sponsors sponsored
    merge merger merged
    salary paid wage wages
    single sole
    leave depart departure leaving departs sail
    arrive land arrival get-in touch-down touchdown lands arrives landing
    cost price fee charge pay rate costs costing priced fees charges paid pays paying dues subscription tariff
    buy purchase bought get-hold
    sell sale sold selling sells
    meet meeting assembly gather get-together meetup meets met meetings gathering
    practice practise training train rehearse rehearsal session trains rehearses rehearsals workout
    concert gig show performance perform
    password passphrase pin passcode code combination
    wifi wi-fi wlan internet wireless
    phone telephone mobile-number call ring reach contact
    doctor physician gp
    vet veterinarian
    car vehicle automobile
    bike bicycle cycle
    bus minibus
    van
    parcel package
    sign signature signed signs
    referee ref umpire whistle
    imitate repeat copy mimic
    beneath below underneath
    file files
    agree settle settled
    tortoise turtle
    inherit inherited
    answer reply respond replies answers
    weekend weekends
    height tall high
    plaster bandage
    child kid kids children youngster
    mum mother mom mummy
    dad father daddy
    gran grandma grandmother nana granny nan
    grandpa grandfather granddad grandad
    sister sis
    brother bro
    husband spouse
    wife
    boss manager supervisor
    chief head lead leader leads leading chair chairperson chairs chairman chairwoman president presides
    treasurer bookkeeper
    secretary minute-taker
    captain skipper
    coach trainer
    teach teacher instructor instruct teaches taught teaching run-class
    host organise organize organiser organizer organised organises hosts
    drive driver behind-the-wheel drives driving drove driven
    cook chef
    shop store
    house home flat apartment
    office workplace
    room chamber
    kitchen
    toilet bathroom loo restroom lavatory
    cellar basement
    garage
    garden yard
    fridge refrigerator
    sofa couch
    rubbish trash bin bins garbage waste
    gym gymnasium sports-hall
    cinema movies
    film movie
    pub bar tavern
    restaurant eatery diner
    holiday vacation
    trousers pants
    jersey shirt kit jerseys shirts top
    sweets candy
    scared afraid frighten fear frightened terrified frightens
    allergic allergy
    love adore like enjoy fond loves likes adores enjoys
    hate dislike detest hates dislikes detests
    big large
    small little tiny
    fast quick quickly rapid
    expensive pricey
    cheap inexpensive
    ill sick unwell
    broken defective faulty dead kaput out-of-order bust broke
    repair fix mend fixed repaired mended
    speak talk language speaks spoke spoken
    annual yearly year
    agm general-meeting
    member membership members
    board committee
    money cash funds
    cashbox till cash-box
    budget
    deposit
    refund refundable reimburse back
    rent hire rental hires renting rented
    borrow borrowed borrows borrowing
    lend loan lends lent lending
    spare second extra
    key keys
    behind back rear
    before front
    boiler heater
    database db databases
    postgres postgresql
    production prod
    staging stage
    development dev
    environment env
    application app
    repository repo
    documentation docs doc
    configuration config
    server box host hosted machine
    kubernetes k8s
    javascript js
    typescript ts
    deploy deployment release rollout deploys deployed releases ship ships
    backup backups
    bug issue defect
    request call requests
    temperature temp
    write writer author written writes wrote
    build construct built
    create make
    choose pick select chosen chose picked
    decide decision agree decided agreed resolve
    buy order
    help assist
    feed fed feeding feeds
    eat consume eats ate
    food meal
    drink beverage drinks
    simmer bubble-gently bubble
    bake oven baked bakes baking
    wash clean cleaning washed
    walk foot walking walks
    watch view
    win won winner wins
    lose lost
    team squad side
    match game fixture matches games
    player
    goalkeeper keeper goalie
    tournament competition cup
    birthday born birth bday
    wedding marry married marriage
    party celebration celebrate
    festival fair
    job profession occupation
    employ hired
    appointment
    deadline due latest cutoff closing-date expire expires expiry runs-out
    send sent mail post posted sends
    receive
    invoice bill
    letter
    address
    present gift
    picture photo image photograph
    song track tune
    book novel
    bed sleep sleeps slept
    dog hound
    cat
    puppy
    rabbit bunny
    water watering watered waters
    plant flower
    road street
    sit seat sits seated
    park parking
    stop halt
    station
    airport
    plane flight flies fly flying
    train railway rail
    ticket
    entry entrance admission admit
    exit
    door
    floor storey level
    lift elevator
    stairs staircase
    cupboard cabinet closet
    shelf rack
    drawer
    box case container
    hook
    hidden hide stashed
    store stored storage
    only sole
    together
    remote remotely home-office telework
    website site homepage webpage
    email e-mail mail
    chat
    forum
    group
    admin administrator admins
    lesson class course
    school
    pupil student
    exam test
    quantity number
    roommate flatmate
    neighbour neighbor
    colour color
    grey gray
    centre center
    programme program
    litre liter
    metre meter
    vegetarian veggie
    lorry truck
    empty emptied collect collected pick-up fetch picks
    transfer
    newsletter bulletin
    volunteer helper
    guest visitor
    supply supplied provide provides provided
    dial punch type enter key-in
    lock padlock
    fix
    mandatory compulsory obligatory required
    forbid forbidden ban banned prohibit prohibited
    accept approve approved accepts accepted
    reject rejected turned-down decline declined refuse refused
    cancel cancelled canceled called-off
    insurance policy
    contract agreement
    lease tenancy
    landlord owner
    tenant
    pet animal
    coffee
    tea
    bread loaf
    gluten
    lactose
    """
"""Words that mean the same in what people note down, a line a meaning; the first names it."""

EXCLUSIVE: Final = {
    "side": "left right",
    "compass": "north south east west northern southern eastern western",
    "height": "upstairs downstairs upper lower top bottom",
    "fuel": "diesel petrol electric hybrid gasoline",
    "sex": "male female boy girl",
    "colour": "red green blue yellow black white orange purple pink brown grey gray silver gold golden beige turquoise",
    "season": "spring summer autumn winter",
    "part of day": "morning afternoon evening night midday",
    "where": "indoors outdoors inside outside",
    "end": "midnight noon",
    "zone": "utc gmt cet cest est edt pst pdt bst",
    "size": "small medium large xl xs",
    "state": "open closed",
    "early": "early late",
    "vote": "against favour",
    "warm": "hot cold warm",
    "gain": "profit loss surplus deficit",
    "outcome": "passed pass failed fail fails",
    "age": "older younger oldest youngest elder",
    "means": "cash card cheque",
    "share": "half full third quarter",
    "more": "more less fewer",
    "wet": "wet dry",
    "diet": "vegan vegetarian pescatarian",
    "turn": "clockwise anticlockwise counterclockwise",
    "public": "public private",
    "days": "weekday weekdays weekend weekends",
    "length": "long short",
    "strength": "strong weak",
    "sweet": "sweet savoury salty",
    "way": "inbound outbound",
    "licence": "mit gpl agpl apache bsd",
    "level": "beginners beginner intermediate advanced juniors seniors junior senior",
    "on": "even odd",
}
"""Words of which a thing has one of each kind."""

OPPOSITES: Final = """
    on / off
    in / out
    up / down
    must / may can
    maximum max limit limits limited cap / minimum min
    all every each / some
    same / different
    he him his / she her hers / they them their theirs
    give gives giving gave given / get gets getting got
    bring brings bringing brought / take takes taking took taken
    """
"""Small words that make the opposite of a text wherever they stand in it, a line a choice."""

TENSES: Final = """
    be / was
    have / had
    do does / did
    """
"""Those that tell how something is, and how it was."""

WAYS: Final = """
    to toward towards for / from by
    until till / since from / at on
    """
"""Those that make something else of what they stand before, and of a text that ends with them."""

POSITIONS: Final = """
    under / over / on / in / by
    """
"""Those of which a thing has one before what it is told to be at."""

ROLES: Final = patterns.vocabulary(
    """
    treasurer secretary captain chief host coach teach drive organise responsible landlord goalkeeper boss maintain
    referee champion win president mayor contact vet dentist doctor caretaker godmother godfather librarian
    moderator editor accountant winner keeper driver
    """
)
"""What one person is: another name beside it contradicts."""

ADDED: Final = patterns.vocabulary(
    "too also alongside plus another additional additionally besides further likewise extra additionally"
)
"""Words that tell of one more, and of nothing that changed."""

CHANGED: Final = patterns.either(
    r"""
    (?<!until\s)(?<!till\s)(?<!to\s)now(?!\s+and\s+then)
    nowadays
    these\sdays
    from\s(?:now|today|tomorrow|next\s\w+)(?:\son)?
    as\s(?:of|from)
    no\slonger
    (?:not|n't)\s.{0,40}?\bany\s?(?:more|longer)
    any\s?(?:more|longer)
    instead
    (?:has|have|had|was|were|is|are|been|get|gets|got|'s|'ve|we|they|i|it|just)\s(?:since\s|just\s|been\s|recently\s)?\
(?:moved|changed|switched|swapped|replaced|renamed|rescheduled|postponed|shifted|migrated|updated|upgraded|bumped|\
raised|lowered|reduced|increased|cut|extended|shortened|lengthened|delayed|dropped|brought\sforward|pushed\sback|\
put\sback|put\soff|taken\sover|handed\sover|stepped\sdown|left|quit|retired|risen|fallen|doubled|halved|relocated|\
reassigned|amended|revised|corrected|stopped|started)
    moved
    changed
    switched
    swapped
    replaced
    rescheduled
    postponed
    migrated
    (?:went|gone)\s(?:up|down)
    change\sof\s\w+
    new\s(?:rule|time|date|code|price|plan|number|address|place|day|password|deadline|treasurer|captain|home|venue|\
secretary|boss|host|job|name|fee|owner)
    (?:the|my|our|his|her|their|its)\snew
    (?<!\ba\s)(?<!\ban\s)(?<!\bthe\s)(?<!\bmy\s)(?<!\bour\s)(?:raised|lowered|extended|shortened|lengthened|\
reduced|increased|bumped|shifted|relocated|upgraded|renamed)\s(?:\w+\s){0,8}?(?:to|by|from)
    took\sover
    taken\sover
    handed\sover
    stepped\sdown
    stopped
    gave\sup
    given\sup
    has\srisen
    grown\sto
    henceforth
    starting(?:\sin|\sfrom|\son|\swith)?
    brought\sforward
    cut\sback
    gone\sfrom
    back\sfrom\s\w+\sto
    relocates?|relocated
    moves\sto
    after\sthe\s(?:upgrade|update|move|change|switch|merger|renovation)
    earlier|later\sthan\sbefore
    correction
    update:
    pushed\s(?:back|forward)
    put\s(?:back|off)
    brought\sforward
    since\s(?:last|this|the|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)
    """
)
"""What tells that something is other than before."""

PAST: Final = patterns.either(
    r"""
    used\sto
    previously
    formerly
    (?:until|till|up\sto)\snow
    so\sfar
    """
)
"""What tells how something was, and not how it is."""

INTENT: Final = patterns.either(
    r"""
    (?:want|plan|hope|intend|mean|wish)s?(?:ing)?\sto
    (?:planning|planned|hoping|hoped|wanted|meant|intended)\sto
    might|would|could
    """
)
"""What tells of something that is not done."""

REASON: Final = patterns.either(
    r"""
    because
    since
    so\s(?:that|the|we|i|it|he|she|they|you|there|nobody|everybody|everyone)
    (?<!\bis\s)(?<!\bare\s)(?<!\bwas\s)(?<!\bwere\s)due\sto
    owing\sto
    thanks\sto
    given\sthat
    as\s(?:we|i|it|he|she|they|you|there|nobody|everybody|everyone)
    as(?=(?:\s[\w'-]+){1,4}\s(?:is|are|was|were|has|have|had|can|can't|will|won't|needs|isn't|aren't)\b)
    as(?=\s(?:the|a|an|my|our|his|her|their)\s[\w'-]+\s\w+(?<!s)s\b)
    """
)
"""What a reason begins with."""

CHANGE_WORDS: Final = patterns.vocabulary(
    """
    now nowadays days today tomorrow week instead moved move moving changed change changes switched switch swapped swap
    replaced replace renamed rescheduled postponed shifted migrated updated update upgraded bumped raised lowered
    reduced increased cut extended shortened lengthened delayed dropped brought forward pushed back handed taken over
    stepped quit retired risen fallen doubled halved relocated reassigned amended revised corrected stopped started
    since new rule
    henceforth starting gone earlier begun upgrade relocates as before
    went longer anymore used previously formerly grown correction went earlier recently lately
    """
)
"""The words of those, which tell nothing else."""

SHIFTS: Final = patterns.vocabulary("only back return returning after before half part afterwards main")
"""Words that make another thing of it where one side alone has them."""

RELATIONS: Final = patterns.vocabulary("against than before after above below beats beat owes owe defeated")
"""Words that stand between two things that may not change places."""

CONTRASTS: Final = patterns.vocabulary("but instead rather except unless however whereas while although though versus")
"""Words behind which a text says something else: with them the same words may be told of other things."""

DENIALS: Final = patterns.vocabulary(
    """
    not no none never cannot without neither nobody nothing nowhere isn't aren't wasn't weren't don't doesn't didn't
    can't couldn't won't wouldn't shouldn't mustn't hasn't haven't hadn't needn't ain't unable
    forbidden forbid forbids ban banned prohibited prohibit refuse refused reject rejected declined turned-down
    cancelled canceled called-off free-of except unless stopped
    nicht kein keine keinen keiner keinem nie niemals ohne ne pas jamais aucun aucune sans nunca jamas sin ningun
    ninguna
    """
)
"""Words that deny; two of them in one text may cancel each other out."""

SAYINGS: Final = {
    r"\bwork (?=number|phone|mobile|e?-?mail|address)": "workplace ",
    r"\bopens? (?:up )?with\b": "code",
    r"\b(?:and |)no more(?: than)?\b|\bnot? \w+ longer than\b|\bno longer than\b|\band not a \w+ longer\b": " maximum ",
    r"\b(?:no ?one|nobody|no other|nothing) else(?:'s)?\b|\bno others?\b|\balone\b": "only",
    r"(?<!the )(?<!on )\bleft (?=me|us|him|her|them|for|at|in|on|early|home)": "gone ",
    r"\bnot (?:yet|only)\b": " ",
    r"\bin (?:the )?fall\b": "in autumn",
    r"\bfully electric\b": "electric",
    r"\bleft-hand\b": "left",
    r"\bright-hand\b": "right",
    r"\bdecided against\b": "decided not",
    r"\bsecond (?=key|hand|home|copy)": "spare ",
    r"\btouch(?:es|ed)? down\b": "arrive",
    r"\bgets? in at\b": "arrive at",
    r"\bset(?:s|ting)? off\b": "leave",
    r"\bkicks? off\b": "begin",
    r"\bpicks? up\b": "fetch",
    r"\bturned down\b": "rejected",
    r"\bcalled off\b": "cancelled",
    r"\ban hour and a half\b": "90 minutes",
    r"\bevery other\b": "every 2",
    r"\bevery second\b": "every 2",
    r"\bfree of charge\b": "free",
    r"\bbehind the wheel(?: of)?\b": "drive",
    r"\b(?:at|in|round) the back of\b": "behind",
    r"\bin front of\b": "before",
    r"\bon foot\b": "walk",
    r"\bat most\b|\bup to\b|\b(?:less|fewer) than\b|\bunder (?=\d)": " maximum ",
    r"\bmore than\b|\bat least\b|\bover (?=\d)": " minimum ",
    r"\b(?:pushed|put|moved) back\b": "moved",
    r"\b(?:(?:has|have|had|was|were|is|are|been|got|just) ){0,2}moved to (?=the |my |our |his |her |their )": "is in ",
    r"\b(?:we|i|they|he|she) (?:'ve |have |has |just )?moved (the \w+(?: \w+)?) to (?=the )": r"\1 is in ",
    r"\bas before\b|\bafter the (?:upgrade|update|move|change|switch|merger|renovation)\b": " ",
    r"\bat the latest\b": " ",
    r"\bsold out\b": "sold-out",
    r"\bas well as\b": " and ",
    r"\bas well\b": "also",
    r"\btakes? care of\b|\blooks? after\b|\bin charge of\b": "responsible",
    r"\bgeneral meeting\b": "agm",
    r"\bfrom home\b": "remote",
    r"\bpull requests?\b|\bmerge requests?\b": "pr",
    r"\bhas not\b": "not",
    r"\bno longer\b": "not longer",
    r"\ba couple of\b": "2",
    r"\ba dozen\b": "12",
    r"\bhalf a dozen\b": "6",
    r"\bleap day\b": "29 february",
    r"\bis not allowed\b|\bare not allowed\b|\bmay not\b|\bmust not\b": "not",
    r"\bnot only\b": " ",
}
"""Sayings, and the plain word for each."""
