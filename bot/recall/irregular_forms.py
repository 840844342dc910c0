"""English words whose forms no stemmer brings together: irregular verbs with their pasts, and plurals; a table."""

from typing import Final

_VERBS: Final = """
    awake awoke awoken
    bear bore borne
    beat beaten
    become became
    begin began begun
    bend bent
    bind bound
    bite bit bitten
    bleed bled
    blow blew blown
    break broke broken
    breed bred
    bring brought
    build built
    burn burnt
    buy bought
    catch caught
    choose chose chosen
    come came
    creep crept
    deal dealt
    dig dug
    draw drew drawn
    dream dreamt
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed
    feel felt
    fight fought
    find found
    flee fled
    fly flew flown
    forbid forbade forbidden
    forget forgot forgotten
    forgive forgave forgiven
    freeze froze frozen
    get got gotten
    give gave given
    go goes went gone
    grind ground
    grow grew grown
    hang hung
    hear heard
    hide hid hidden
    hold held
    keep kept
    kneel knelt
    know knew known
    lay laid
    lead led
    lean leant
    leap leapt
    learn learnt
    leave left
    lend lent
    lie lay lain
    light lit
    lose lost
    make made
    mean meant
    meet met
    mow mown
    pay paid
    prove proven
    ride rode ridden
    ring rang rung
    rise rose risen
    run ran
    say said
    see saw seen
    seek sought
    sell sold
    send sent
    sew sewn
    shake shook shaken
    shine shone
    shoot shot
    show shown
    shrink shrank shrunk
    sing sang sung
    sink sank sunk
    sit sat
    sleep slept
    slide slid
    smell smelt
    sow sown
    speak spoke spoken
    spell spelt
    spend spent
    spill spilt
    spin spun
    spoil spoilt
    spring sprang sprung
    stand stood
    steal stole stolen
    stick stuck
    sting stung
    strike struck
    swear swore sworn
    sweep swept
    swell swollen
    swim swam swum
    swing swung
    take took taken
    teach taught
    tear tore torn
    tell told
    think thought
    throw threw thrown
    understand understood
    wake woke woken
    wear wore worn
    weave wove woven
    weep wept
    win won
    wind wound
    write wrote written
"""
_OTHERS: Final = """
    child children
    man men
    woman women
    foot feet
    tooth teeth
    goose geese
    mouse mice
    person people
    knife knives
    wife wives
    life lives
    leaf leaves
    shelf shelves
    loaf loaves
    half halves
    calf calves
    wolf wolves
    thief thieves
    scarf scarves
    good better best
    bad worse worst
    far further farther
"""
GROUPS: Final = _VERBS + _OTHERS
"""Forms of one word a line, the one it is listed under first."""
PASTS: Final = frozenset(past for verb in _VERBS.splitlines() for past in verb.split()[1:])
"""What is said of what was."""
