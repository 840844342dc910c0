"""The floor: what a bot costs with discord.py and the openai SDK, and no memory."""

import os

import discord
import openai
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

Route.BASE = os.environ["DISCORD_API_URL"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])
bot = discord.Client(intents=discord.Intents(guilds=True, guild_messages=True, message_content=True))
model = openai.AsyncOpenAI(base_url=os.environ["LLM_BASE_URL"], api_key="none", max_retries=0)


@bot.event
async def on_message(message: discord.Message) -> None:
    if message.author.bot or bot.user not in message.mentions:
        return
    said, text = [{"role": "user", "content": f"{message.author.display_name}: {message.content}"}], ""
    stream = await model.chat.completions.create(model="scripted", messages=said, stream=True)  # type: ignore[arg-type]
    async for chunk in stream:
        if chunk.choices:
            text += chunk.choices[0].delta.content or ""
    await message.reply(text, allowed_mentions=discord.AllowedMentions.none())


bot.run(os.environ["DISCORD_TOKEN"], log_handler=None)
