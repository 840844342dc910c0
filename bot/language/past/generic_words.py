"""Everyday words that are no sign of a known name, though a topic, room or channel may be called so."""

from typing import Final

from bot.text import patterns

GENERIC: Final = patterns.vocabulary(
    """
    about admin admins advice age agenda ai airport alert alerts all animal animals announcement announcements answer
    answers api app application apps architecture archive art article articles asset assets backend backlog backup
    backups bag balance bank beach beer bike birthday birthdays block blog board book books boss bot bots brand break
    breakfast bridge brother budget bug bugs build builds building business bus call calls camera camping car card
    cards care career case cat cats cause challenge change changes channel chat child children chill city class
    client clients climate clock clothes cloud club code coding coffee color colour comic command commands comment
    community company computer concert config configuration contact content contract cook cooking cost costs country
    course culture customer customers cycle daily dance data database date dates day days deadline deadlines deal
    debate decision decisions default demo deploy deployment deployments design designer detail details dev developer
    developers development diet dinner directive directives discussion doc docs doctor document documents dog dogs
    dollar door drink drinks drive driver editor education email emails energy engine engineer engineering english
    error errors event events everyone evening exam example exercise expert expense expenses experience facts faq
    family farm fashion fear feature features feedback field file files film films finance finances fire fish fitness
    flight food football forest form forum fox free friday friend friends frontend fruit fuel fun furniture future
    game games gaming garden gardening gate general gift girl goal goals gold government group groups growth guide
    guides guest gym hardware health heart help history hobbies hobby holiday holidays home host hotel house human
    idea ideas image images incident incidents industry info information infrastructure insurance interface internet
    interview intro introduction introductions investment invoice issue issues item items job jobs joke jokes key
    keys keyboard kitchen knowledge language languages law lead leader learning lesson level library life light link
    links list lists lobby local location log logic logs long lost lounge love lunch machine magic mail main
    management manager map market marketing master match math maths maintenance meal meals media medicine meeting
    meetings member members meme memes memory menu message messages metal milk mind misc mobile mode model models
    moment monday money month mother motor mountain movie movies music name names nature network new news newsletter
    night note notes number object off office online open operation operations option order other outage outages
    owner page paint paper parent park partner party pass password passwords pay payment payments people person pet
    pets phone photo photos picture pictures pizza place places plan plane planet planning plans plant plants platform
    play poem point policy political politics pool post posts power practice preference preferences presentation price
    prices pricing privacy problem problems procedure procedures process product production products program
    programming progress project projects purchase question questions queue quote quotes race radio rain random rant
    reading recipe recipes red release releases remote report reports request requests research reset restaurant
    result results review reviews reward risk river road roadmap role room rooms rule rules run running salary sale
    sales sample saturday schedule school science score screen script sea search season secret security server servers
    service services session setting settings setup shop shopping short show site size sleep snack social software
    solution song songs sound source space spam speed sport sports spring staff staging standup star start state
    statement status stock storage store story strategy stream street strength student study stuff style subject
    suggestion suggestions summary summer sunday support survey system systems table talk tax taxes tea teacher team
    teams tech technology term terms test testing tests text theme thing things thread threads thursday ticket tickets
    time times timeline timing tip tips title today token tool tools topic topics town toy trade trading traffic train
    training transport travel tree trip trips trouble truck tuesday tv update updates upload user users vacation value
    vehicle version video videos voice volume wall war water weather web website wednesday weekend weekly welcome wifi
    will window winter wood word words work working workshop world writing yard year years
    may mark grace hope joy faith art bill rose rob sue pat drew chase hunter cash dean ray dawn jack robin
    unknown none tester anonymous someone nobody
    """
)
"""Everyday nouns, and given names that are everyday words: either acts like a name only when written like one."""
HONORIFICS: Final = patterns.vocabulary(
    "mr mrs ms miss dr prof professor hon sir madam dame lord lady phd grad postdoc the minister senator captain am mp"
)
"""What stands before or after a name and is no part of it that people would use alone."""
