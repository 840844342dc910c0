"""Every error Hathi raises on purpose, in one tree; a class docstring is the sentence the person reads.

HathiError
├── UserError                the person can mend it
│   ├── BadArgument
│   ├── NotFound
│   ├── NotAllowed
│   ├── ChannelBusy
│   │   └── ShareTaken
│   ├── TooOften
│   ├── Missed
│   ├── Restarting
│   └── RefusedText
├── SettingsError            whoever runs Hathi can mend it; exit 78
├── DatabaseError
│   ├── DatabaseDown
│   │   ├── DatabaseLost
│   │   └── DiskFull
│   ├── MigrationError
│   └── EmbeddedServerError
│       └── DataDirectoryInUse
├── DiscordError
│   ├── DiscordDown
│   └── NotSent
│       ├── CannotSpeak
│       └── ReplyDeleted
├── AnswerOutdated           the turn is answered anew
│   ├── AudienceSeesLess
│   ├── EvidenceGone
│   └── ForgottenBroughtUp
├── ModelError
│   ├── ModelUnreachable
│   ├── ModelRefused
│   │   ├── PromptTooLong
│   │   └── ModelSilent
│   │       └── ModelLookedOn
│   └── ModelCutOff
├── ForgeError
│   ├── ForgeNotFound
│   ├── ForgeMoved
│   ├── ForgeForbidden
│   │   └── ForgeTokenRefused
│   ├── ForgeUnreachable
│   │   └── ForgeBusy
│   ├── ForgeUnreadable
│   └── ForgeUnusable
├── SummaryUnusable
├── BudgetSpent              memory is made again on the next day
├── LeaseLost
├── TakenBackMeanwhile
└── TransferError
"""

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from bot import catalogue


class HathiError(Exception):
    """Something went wrong."""

    def __init__(self, message: str | Callable[[str], str] | None = None) -> None:
        """A message that names commands is made from what they begin with, where that is known."""
        super().__init__(message("!") if callable(message) else message or (type(self).__doc__ or "").strip())
        self._message = message

    def said(self, prefix: str) -> str:
        """The sentence where commands begin with that prefix, in the language that is spoken there."""
        return self._message(prefix) if callable(self._message) else catalogue.gettext(str(self))


class UserError(HathiError):
    """That can't be done as asked."""


class BadArgument(UserError):
    """The command was not understood."""


class NotFound(UserError):
    """There is nothing like that here."""


class NotAllowed(UserError):
    """Only an admin of this space may do that."""


class ChannelBusy(UserError):
    """I have 20 questions waiting in this channel; please ask again when I have caught up."""


class ShareTaken(ChannelBusy):
    """Three questions of yours are waiting here already; please ask again when one of them is answered."""


class TooOften(UserError):
    """That is too much at once; please wait a moment."""

    def __init__(self, message: str, *, told: bool) -> None:
        super().__init__(message)
        self.told: bool = told
        """Whether they were told of it not long ago."""


class NotAnswered(UserError):
    """I don't answer here."""


class Missed(UserError):
    """I was away when you wrote this; please give it again."""


class Restarting(UserError):
    """I am just restarting; please give it again in a minute."""


class RefusedText(UserError):
    """That text can't be kept as a memory."""


class SettingsError(HathiError):
    """A setting is missing or wrong."""

    exit_code: ClassVar[int] = 78
    """EX_CONFIG of sysexits.h."""


class DatabaseError(HathiError):
    """The database can't be used."""


class DatabaseDown(DatabaseError):
    """I can't reach my memory right now; please try again in a moment."""


class DatabaseLost(DatabaseDown):
    """I lost my memory in the middle of this; your question is kept, and answered if I start again soon."""


class DiskFull(DatabaseDown):
    """The disk that holds my memory is full; free some space and try again."""


class MigrationError(DatabaseError):
    """The database schema does not fit this version of Hathi."""


class EmbeddedServerError(DatabaseError):
    """The embedded Postgres did not start."""


class DataDirectoryInUse(EmbeddedServerError):
    """Another Hathi already runs on this data directory."""


class DiscordError(HathiError):
    """Discord did not take it."""


class DiscordDown(DiscordError):
    """Discord can't be reached right now."""


class NotSent(DiscordError):
    """Discord did not take my answer."""


class NotShown(DiscordError):
    """That is done, but Discord did not let me show it here; there is no need to try again."""


class CannotSpeak(NotSent):
    """I may not write here."""


class ReplyDeleted(NotSent):
    """My answer was deleted while I wrote it."""


class AnswerOutdated(HathiError):
    """Something changed in the middle of an answer that makes it one not to be given."""


class AudienceSeesLess(AnswerOutdated):
    """Somebody reads along in the middle of an answer who may not be shown all that it is made from."""


class EvidenceGone(AnswerOutdated):
    """Something was deleted, edited or forgotten in the middle of an answer that is made from it."""


class ForgottenBroughtUp(AnswerOutdated):
    """An answer brings up what was taken back in the middle of it."""


class ModelError(HathiError):
    """The model did not answer."""


class ModelUnreachable(ModelError):
    """The model can't be reached right now."""


class ModelRefused(ModelError):
    """The model's server refused the request."""


class PromptTooLong(ModelRefused):
    """The prompt is longer than the model takes."""


class ModelSilent(ModelRefused):
    """The model answered, but said nothing."""


class ModelLookedOn(ModelSilent):
    """The model went on looking things up, and said nothing."""


class ModelCutOff(ModelError):
    """The model's answer broke off; what came is kept and marked."""

    def __init__(self, received: str) -> None:
        super().__init__()
        self.received: str = received


class ForgeError(HathiError):
    """The forge did not answer."""


class ForgeNotFound(ForgeError):
    """There is nothing like that on the forge."""


class ForgeMoved(ForgeError):
    """The repository has moved on the forge; its path in the settings must be changed."""

    def __init__(self, to: str | None) -> None:
        super().__init__()
        self.to: str | None = to
        """Owner and name of where it is now, in small letters; none where the forge tells it by a number."""


class ForgeForbidden(ForgeError):
    """The forge does not allow me to read that."""


class ForgeTokenRefused(ForgeForbidden):
    """The forge refuses the token it was given."""


class ForgeUnreachable(ForgeError):
    """The forge can't be reached right now."""


class ForgeBusy(ForgeUnreachable):
    """The forge asks to wait."""

    def __init__(self, until: datetime) -> None:
        super().__init__(catalogue.gettext("The forge asks to wait until {time} UTC.").format(time=f"{until:%H:%M:%S}"))
        self.until: datetime = until


class ForgeUnreadable(ForgeError):
    """That is nothing on the forge that I can read as text."""


class ForgeUnusable(ForgeError):
    """The forge's answer can't be used."""


class SummaryUnusable(HathiError):
    """The summarizer's answer could not be used."""


class BudgetSpent(HathiError):
    """What memory may cost here in a day is used up; it is made on from midnight UTC."""


class LeaseLost(HathiError):
    """Another worker has taken this over."""


class TakenBackMeanwhile(HathiError):
    """Something was forgotten, erased or edited that the text may tell."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times: int = times
        """How often that has happened in the space."""


class TransferError(HathiError):
    """The export file can't be read."""
