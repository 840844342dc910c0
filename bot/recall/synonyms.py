"""Everyday English words that stand for each other in questions and answers; a table, one group a line."""

from collections.abc import Mapping
from typing import Final

from bot.recall import irregular_forms

_GROUPS: Final = """
    cost price fee charge rate
    pay paid payment
    money cash funds finances budget euro euros eur dollar dollars pound pounds quid bucks
    rent lease
    membership member subs sub subscription dues fee
    treasurer money finances accounts
    buy bought purchase purchased order ordered get got
    sell sold sale
    cheap cheaper inexpensive
    expensive dear dearer pricey costly
    earn made raise raised profit takings
    donate donation gave
    owe owes owed owing debt debts
    refund repay
    phone telephone tel mobile cell number call ring
    call ring phone
    email mail
    address addr adress street flat house lives live
    live lives living house home address flat
    home house flat place
    move moved relocate relocated
    birthday bday b-day born birth
    born birth birthday
    age old years
    married marry wedding engaged
    married marry wife
    married marry husband
    wedding marry married
    partner spouse wife
    partner spouse husband
    partner boyfriend
    partner girlfriend
    child children kid kids baby
    child children kid kids son
    child children kid kids daughter
    baby newborn born pregnant
    mother mum mom
    father dad
    parents mum mother
    parents dad father
    sibling brother
    sibling sister
    grandmother grandma gran granny
    grandfather grandpa grandad
    pet dog puppy
    pet cat kitten
    job work works working employed employer company office
    work job
    boss manager
    fired redundant
    hired job
    school class teacher
    university uni college
    study studying course degree
    exam test
    holiday vacation trip travel
    trip travel journey tour
    flight fly plane airport
    hotel stay
    car van vehicle drive
    drive driving car
    bike bicycle cycle
    train rail
    bus coach
    ill sick unwell
    doctor gp hospital clinic
    dentist teeth tooth
    medicine medication pills tablets
    allergic allergy allergies intolerant intolerance react
    free available booked busy taken
    vegan vegetarian meat
    eat eats food diet
    drink drinks beverage
    dinner supper meal
    lunch meal
    restaurant table dinner
    cook cooking bake baked recipe
    hurt injured injury broke broken
    broken broke damaged defective faulty dead
    fix fixed repair repaired mend mended
    replace replaced new swap
    steal stolen theft nicked took
    lose lost missing
    find found
    keep kept store stored
    store storage stored kept keep
    key keys
    code pin password pw combination number
    password pw pwd passwd passcode login credentials
    lock padlock
    door entrance
    room space hall
    meet meeting met meetup
    meeting mtg meet call session
    appointment appt
    call meeting
    practice practise rehearsal rehearse training session
    rehearsal rehearse practise practice
    training practice session
    show performance play
    concert gig show
    game match
    win won winner
    lose lost
    team crew squad
    captain skipper
    coach trainer
    chair chairman chairwoman chairperson president
    secretary minutes
    leader lead head
    responsible charge duty job
    begin start begins started
    end finish ends finished over
    open opens opened opening
    close closed closes shut
    cancel cancelled off
    postpone postponed delayed moved
    change changed moved new switch switched
    decide decided decision agreed agree settled
    choose chose chosen picked pick
    vote voted votes
    plan planned plans planning
    suggest suggested proposed idea
    idea suggestion proposal suggested
    reason because why
    problem issue trouble bug
    issue problem bug
    error bug crash
    release version ship shipped
    deadline due
    date day
    evening night nite
    morning am
    lend lent borrow borrowed loan
    borrow borrowed lend lent
    bring brought take
    give gave given present
    gift present
    present gift
    send sent mail post
    receive received got
    picture photo image
    film movie
    song music track
    band group
    book novel read
    colour color paint
    big large size
    small little
    tall high height
    long length
    heavy weight weigh
    fast speed quick
    help helped helping
    clean cleaned cleaning tidy
    rubbish trash bin bins waste
    garden allotment yard
    tree plant
    fence gate
    roof leak
    heating boiler radiator
    water leak tap
    power electricity
    internet wifi
    computer laptop pc
    server host hosting machine
    backup backups
    website site page
    link url
    repository repo
    insurance insured policy
    licence license permit
    tax taxes
    bank account
    landlord owner
    tenant renter
    neighbour neighbor
    shop store market
    bakery baker
    bag backpack rucksack
    clothes clothing outfit
    jacket coat
    shoes boots
    hire rent rental
    boat ship
    swim swimming pool
    run running race
    hike hiking walk
    team group
    friend friends mate
    people guests attendees
    guest guests visitor visitors
    volunteer volunteers helper
    hobby hobbies interest
    favourite favorite prefer prefers best
    prefer prefers preferred rather
    like likes love loves enjoy enjoys
    hate hates dislike dislikes
    afraid scared fear
    happy glad
    sad upset
    quit quitting left leave stopped
    leave left leaving
    join joined joins
    arrive arrived arrives
    return returned back
    park parking
    ticket tickets
    score result points
"""


def _read(groups: str) -> Mapping[str, tuple[str, ...]]:
    found = dict[str, dict[str, None]]()
    for group in groups.splitlines():
        words = group.split()
        for word in words:
            found.setdefault(word, {}).update(dict.fromkeys(other for other in words if other != word))
    return {word: (*others,) for word, others in found.items()}


_SAME: Final = _read(irregular_forms.GROUPS + _GROUPS)


def of(word: str, language: str) -> tuple[str, ...]:
    """Other words for one in small letters; none in a language there is no table for."""
    return _SAME.get(word, ()) if language == "english" else ()
