"""The simulated Discord shows and presses what stands inside other components."""

import discord
from discord import app_commands
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


async def test_commands_on_messages_and_members(database: Database, clock: Clock):
    """A command is given on a message with what is in it, and on a member."""

    async def remember(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(message.content, ephemeral=True)

    async def about(interaction: discord.Interaction, user: discord.Member) -> None:
        await interaction.response.send_message(user.name, ephemeral=True)

    async with simulated.world(database, clock) as world:
        for name, callback in (("Remember this", remember), ("About me", about)):
            world.client.tree.add_command(app_commands.ContextMenu(name=name, callback=callback))
        await world.client.tree.sync()
        said = await world.say("The kiln fires on Friday.")
        told = [answer(await world.point_at(said, "Remember this", world.bob))]
        told += [answer(await world.point_at(world.bob, "About me"))]
        assert [("The kiln fires on Friday.", True), ("bob", True)] == [(shown(each), each.ephemeral) for each in told]
