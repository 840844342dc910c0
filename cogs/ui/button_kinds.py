"""The kinds of buttons under Hathi's messages; their ids carry what they do, so they survive a restart."""

import re
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, Protocol, Self, cast

import discord

from bot.domain import Holds, SessionId, What

PRESSER: Final = "ButtonPresses"
"""Name of the cog that answers presses."""
ASKER: Final = "QuestionField"
"""Name of the cog that opens the field for a question."""
KEEPER: Final = "KeepButtonPresses"
"""Name of the cog that keeps what was proposed."""
DELETER: Final = "DeleteButtonPresses"
"""Name of the cog that deletes what tells of what was erased."""
INCLUDER: Final = "IncludeButtonPresses"
"""Name of the cog that makes memory of talk."""
PICKER: Final = "MenuPicks"
"""Name of the cog that does something with one memory of a list."""
LEARNER: Final = "LearnButtonPresses"
"""Name of the cog that has a channel's past read, and leaves out of it who wants that."""
STOPPER: Final = "StopAnswerPresses"
"""Name of the cog that stops what is being written."""
REPLACER: Final = "ReplaceAnswerPresses"
"""Name of the cog that has a question answered anew."""
GREETER: Final = "ContactButtons"
"""Name of the cog that answers those who meet Hathi."""


class Presser(Protocol):
    """A cog that handles presses."""

    async def pressed(self, button: "Button | PalaceIntoButton", interaction: discord.Interaction[Any]) -> None:
        """Do what the button says."""
        ...


class Asker(Protocol):
    """The cog that opens the form for a question."""

    async def opened(self, interaction: discord.Interaction[Any]) -> None:
        """Show it."""
        ...


class Button(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"hathi:none"):
    """A button whose id alone says what it does."""

    handled_by: ClassVar[str] = PRESSER
    """Name of the cog that does it."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """The button of a message sent at any time."""
        return cls(cast("discord.ui.Button[discord.ui.View]", item))

    @property
    def number(self) -> int:
        """The number at the end of the id."""
        return int(self.custom_id.rpartition(":")[2])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hands the press to the cog that handles it."""
        await cast("Presser", interaction.client.get_cog(self.handled_by)).pressed(self, interaction)


class ForgetButton(Button, template=r"hathi:forget:[1-9]\d{0,18}"):
    """Forget one memory."""


class MemoryButton(Button, template=r"hathi:(?:open|theirs|mend|pin|unpin|asks):[1-9]\d{0,18}"):
    """Do something with one memory of a list, or show what can be done."""

    handled_by = PICKER

    @property
    def what(self) -> str:
        """What is to be done: open (of others', theirs), mend, pin, unpin, or asks (to have it removed)."""
        return self.custom_id.split(":")[1]


class RestoreButton(Button, template=r"hathi:restore:[1-9]\d{0,18}"):
    """Bring one memory back."""


class UnsayButton(Button, template=r"hathi:unsay:[1-9]\d{0,18}"):
    """Forget one of the presser's own messages."""


class SettleButton(Button, template=r"hathi:(?:holds|newer|older|both):[1-9]\d{0,18}"):
    """Say which of a memory and what it contradicts holds."""

    @property
    def choice(self) -> Holds:
        """What is chosen."""
        return Holds(self.custom_id.split(":")[1])


class AgreeButton(Button, template=r"hathi:agree:[1-9]\d{0,18}"):
    """Agree to what a reply proposes, by the id of its question."""


class KeepButton(Button, template=r"hathi:keep:[1-9]\d{0,18}"):
    """Keep what a reply shows as not kept, by the id of its question."""

    handled_by = KEEPER


class DoButton(Button, template=r"hathi:do:[1-9]\d{0,18}"):
    """Do what a reply shows as not done, by the id of its question."""

    handled_by = KEEPER


class DeleteButton(Button, template=r"hathi:delete:[1-9]\d{0,18}"):
    """Delete what tells on Discord of what somebody erased, by who that is."""

    handled_by = DELETER


class TakeBackButton(Button, template=r"hathi:undo:[1-9]\d{0,18}"):
    """Undo a reset."""


class IncludeButton(Button, template=r"hathi:include:[1-9]\d{0,18}"):
    """Make memory of the talk between people before a reset, by its session."""

    handled_by = INCLUDER


class ExcludeButton(Button, template=r"hathi:exclude:[1-9]\d{0,18}"):
    """Take that back."""

    handled_by = INCLUDER


class PageButton(Button, template=r"hathi:page:[1-9]\d{0,5}"):
    """Show another page."""


class AllButton(Button, template=r"hathi:all(?::.{1,90})?"):
    """Show the whole of a short list."""

    @property
    def again(self) -> str:
        """The command line that asks for it; empty where its message says that."""
        return self.custom_id.removeprefix("hathi:all").removeprefix(":")


class WhyResultsButton(Button, template=r"hathi:why:[1-9]\d{0,5}"):
    """Explain the ranking of a page of results."""


class KeptButton(Button, template=r"hathi:kept:[1-9]\d{0,18}:[1-9]\d{0,5}"):
    """Show a page of what the session of a reset became, by its session."""

    @property
    def session_id(self) -> SessionId:
        """The session."""
        return SessionId(int(self.custom_id.split(":")[2]))


class PalaceOutButton(Button, template=r"hathi:out"):
    """Walk out of a room, to the list of rooms."""


class PalaceIntoButton(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=r"hathi:into"):
    """A menu of rooms to walk into; each choice is its room's name."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """The menu of a message that was sent at any time."""
        return cls(cast("discord.ui.Select[discord.ui.View]", item))

    @property
    def room(self) -> str:
        """What was chosen."""
        return self.item.values[0]

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the cog that answers it."""
        await cast("Presser", interaction.client.get_cog(PRESSER)).pressed(self, interaction)


class AskButton(Button, template=r"hathi:ask"):
    """Open a form for one question."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to the cog that opens it: a form is the first answer to a press, or none."""
        await cast("Asker", interaction.client.get_cog(ASKER)).opened(interaction)


class HereButton(Button, template=r"hathi:here"):
    """Show the presser what is remembered here."""

    handled_by = GREETER


class SettingsButton(Button, template=r"hathi:settings"):
    """Show the presser how Hathi is set here."""

    handled_by = GREETER


class StopButton(Button, template=r"hathi:stop"):
    """Have nothing of the presser kept any more."""

    handled_by = GREETER


class StopAnswerButton(Button, template=r"hathi:halt:[1-9]\d{0,18}"):
    """Stop what is being written, by the id of its question."""

    handled_by = STOPPER


class AgainButton(Button, template=r"hathi:again:[1-9]\d{0,18}"):
    """Answer a question anew, by its id."""

    handled_by = REPLACER


class RemoveButton(Button, template=r"hathi:remove:[1-9]\d{0,18}:[1-9]\d{0,18}"):
    """Forget a memory of a server from elsewhere, by the channel it belongs to."""

    @property
    def channel_id(self) -> int:
        """The channel it belongs to."""
        return int(self.custom_id.split(":")[2])


class MissedButton(Button, template=r"hathi:missed:\d{1,12}-\d{1,12}(?:-(?:decided|planned|asked)){0,3}"):
    """Tell the presser what happened from one moment on, up to another; if it says so, some kinds of it alone."""

    @property
    def span(self) -> tuple[datetime, datetime | None]:
        """The two moments; none where it has no end."""
        since, until, *_ = self.custom_id.rpartition(":")[2].split("-")
        return datetime.fromtimestamp(int(since), UTC), datetime.fromtimestamp(int(until), UTC) if int(until) else None

    @property
    def only(self) -> frozenset[What]:
        """The kinds of things that are told alone; none where all are."""
        return frozenset(map(What, self.custom_id.split("-")[2:]))


class WhyReplyButton(Button, template=r"hathi:reasons:[1-9]\d{0,18}"):
    """Tell what led to a reply, by the id of its question."""


class ExactlyButton(Button, template=r"hathi:exactly:[1-9]\d{0,18}"):
    """Tell at length what led to a reply, by the id of its question."""


class LearnButton(Button, template=r"hathi:learn:[1-9]\d{0,18}"):
    """Agree to have a channel's past read, by the channel."""

    handled_by = LEARNER


class LeaveOutButton(Button, template=r"hathi:leave:[1-9]\d{0,18}"):
    """Leave out what the presser said, where a channel's past is read."""

    handled_by = LEARNER


BUTTONS: Final[tuple[type[Button | PalaceIntoButton], ...]] = (
    ForgetButton,
    MemoryButton,
    RestoreButton,
    UnsayButton,
    AgreeButton,
    SettleButton,
    KeepButton,
    DoButton,
    DeleteButton,
    TakeBackButton,
    IncludeButton,
    ExcludeButton,
    PageButton,
    AllButton,
    WhyResultsButton,
    KeptButton,
    PalaceOutButton,
    PalaceIntoButton,
    AskButton,
    HereButton,
    SettingsButton,
    StopButton,
    StopAnswerButton,
    AgainButton,
    WhyReplyButton,
    ExactlyButton,
    RemoveButton,
    MissedButton,
    LearnButton,
    LeaveOutButton,
)
