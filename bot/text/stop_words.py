"""English stop words, and the words that only ask; pure."""

from typing import Final

from bot.text import patterns

ASKING: Final = patterns.vocabulary(
    """
        ask asks asked asking
        remember remembers remembered recall recollect remind reminds say says said saying tell tells told know knows
        knew known talk talks talked talking discuss discussed discussing mention mentions mentioned decide decides
        decided decision agree agreed suggest suggested again forget forgot yesterday earlier previously before ago
        please ever already still anything something anyone anybody someone somebody happened happen happens
        happening exactly
        actually hathi hey hi hello just idea memory memories notes conversation chat
        """
)
"""Words of asking, dropped unless nothing else is left."""
FUNCTION: Final = patterns.vocabulary(
    """
        teh taht waht wich whcih wehn thier wuold woudl coudl shoudl
        a an the and or but nor so if then than that this these those there here it its it's i i'm i've i'd me my mine
        myself we we're we've we'd us our ours you you're you've your yours he she he's she's him her his hers they
        they're them their theirs who who's whom whose what what's when when's where where's which why how is isn't
        are aren't was wasn't were weren't be been being am do does did don't doesn't didn't done have has had haven't
        hasn't hadn't having can can't could couldn't will won't would wouldn't should shouldn't shall may might must
        of in on at by for from with without about into onto over under to as up out off not no yes all any some
        ok okay oh well too also very really re
        """
)
"""Words that carry no content."""
