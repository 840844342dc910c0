"""Words as a community uses them: function words and real nouns first, then a long tail, by Zipf's law."""

import itertools
import random
from collections.abc import Sequence

_FUNCTION = """
the of and to a in is that it for was on are as with they be at this have from or had by not but what all were
when we there can an your which their said if do will each about how up out them then she many some so these
would into has more her two like him see time could no my than been who its now did get may over new after our
"""
_CONTENT = """
server release project deploy build party raid guild bug fix branch database backup schedule meeting budget
dragon sword potion quest map dungeon healer tank boss loot event stream music playlist concert guitar drummer
recipe kitchen café bread sourdough oven garden tomato harvest compost photo camera lens portrait landscape
travel flight hotel passport beach mountain trail bicycle marathon training coach league match goal referee
python postgres index query table column migration branch review merge commit tests coverage pipeline runner
docker cluster storage bucket region latency cache worker queue timeout retry token secret password certificate
domain website design colour logo banner font sticker emoji avatar channel thread moderator rule warning ban
appeal vote poll election winner prize contest deadline submission judge theme winter summer autumn spring
birthday anniversary wedding holiday vacation weekend monday tuesday wednesday thursday friday saturday sunday
january february april june july august september october november december morning evening midnight breakfast
lunch dinner coffee tea allergy peanut vegan vegetarian cheese pasta résumé interview office manager salary
contract invoice customer support ticket priority owner team sprint roadmap milestone launch feature flag
experiment metric dashboard alert incident postmortem outage rollback staging production laptop keyboard monitor
printer router network cable battery phone tablet console controller headset microphone speaker volume video
episode season character plot author chapter novel library bookshop museum gallery painting sculpture theatre
actor film cinema festival crowd camping tent campfire river lake forest wolf rabbit parrot kitten puppy vet
doctor hospital medicine therapy exercise yoga sleep school teacher lesson homework exam language french german
spanish japanese translation grammar dictionary physics chemistry biology maths rocket satellite telescope planet
prefer use need want plan change move start stop open close write read play win lose buy sell send keep build
wait join leave meet call ask answer learn teach cook bake paint sing run walk swim drive fly ship break repair
small large blue green red black white early late fast slow cheap expensive public private broken ready weekly
daily monthly naïve piñata jalapeño élite
"""
_STARTS = ("br", "c", "d", "f", "gr", "h", "kl", "l", "m", "n", "p", "qu", "r", "st", "t", "v", "w", "sh", "tr", "z")
_MIDDLES = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_ENDS = ("b", "ck", "d", "g", "l", "mp", "n", "nd", "p", "r", "rk", "sh", "t", "th", "x", "ve")
_TAIL = 12_000
"""Names, jargon and misspellings: rare each, together a quarter of what is said."""


def _coined() -> list[str]:
    """Words nobody has a dictionary for, of two syllables, in an order of their own."""
    first = ["".join(parts) for parts in itertools.product(_STARTS, _MIDDLES, _ENDS)]
    chosen = random.Random(7)
    return list(dict.fromkeys(chosen.choice(first) + chosen.choice(first) for _ in range(_TAIL)))


class Vocabulary:
    """Draws words: 45 of 100 are function words, the others fall off as one over their rank."""

    def __init__(self) -> None:
        content = [*dict.fromkeys(_CONTENT.split()), *_coined()]
        self._content = content
        self.content = tuple(content[:300])
        """The words topics are named with."""
        function = _FUNCTION.split()
        self._words = (*function, *content)
        self.every = self._words
        """All words there are."""
        zipf = [1 / (rank + 4) for rank in range(len(content))]
        scale = 0.55 / sum(zipf)
        weights = [0.45 / len(function)] * len(function) + [weight * scale for weight in zipf]
        self._cumulated = list(itertools.accumulate(weights))

    def words(self, chosen: random.Random, count: int) -> list[str]:
        return chosen.choices(self._words, cum_weights=self._cumulated, k=count)

    def rarities(self, chosen: random.Random, count: int) -> list[str]:
        """Words that say something: as often one of the next hundred as one of the ten most common."""
        ranks = [int(len(self._content) ** chosen.random()) - 1 for _ in range(count)]
        return [self._content[rank] for rank in ranks]

    def question(self, chosen: random.Random) -> str:
        """Eight to twelve words of the kind the memories are made of."""
        return " ".join(self.words(chosen, chosen.randint(8, 12))) + "?"

    def sentences(self, chosen: random.Random, lengths: Sequence[int]) -> list[str]:
        """One sentence a length."""
        drawn = iter(self.words(chosen, sum(lengths)))
        return [" ".join(itertools.islice(drawn, length)).capitalize() + "." for length in lengths]
