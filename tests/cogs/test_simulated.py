"""The simulated Discord shows and presses what stands inside other components."""

import discord
from discord.ext import commands

from bot.db.pool import Database
from tests.cogs import simulated
from tests.cogs.simulated import answer, buttons, shown
from tests.conftest import Clock


class Boxes(commands.Cog):
    """Answers a press with the button that was pressed, a text with a box of two memories."""

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        if message.content == "boxes":
            view = discord.ui.LayoutView(timeout=None)
            for number in (1, 2):
                button = discord.ui.Button[discord.ui.LayoutView](label="Open", custom_id=f"open:{number}")
                view.add_item(discord.ui.Container(discord.ui.Section(f"Memory {number}", accessory=button)))
            await message.channel.send(view=view)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        custom_id = (interaction.data or {}).get("custom_id")
        if interaction.type is discord.InteractionType.component and custom_id:
            await interaction.response.send_message(custom_id, ephemeral=True)


async def test_buttons_and_texts_inside_boxes(database: Database, clock: Clock):
    """Labels and texts are read in their order, and of two buttons alike the one at a place is pressed."""
    async with simulated.world(database, clock) as world:
        await world.client.add_cog(Boxes())
        boxes = await world.say("boxes")
        assert (["Open", "Open"], "Memory 1\nMemory 2") == (buttons(boxes), shown(boxes))
        pressed = [answer(await world.press(boxes, "Open", nth=nth)) for nth in (0, 1)]
        assert ["open:1", "open:2"] == [shown(told) for told in pressed]
