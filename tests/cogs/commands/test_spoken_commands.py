"""Commands as people type them: behind the prefix they chose, or said to Hathi in words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.commands import hello
from bot.commands.grammar import GRAMMARS
from bot.config import Roles
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from tests import discord_bot

ROOT: Final = Path(__file__).parents[3]
AT_THE_TERMINAL: Final = frozenset({"bot/cli/terminal.py", "bot/cli/demo.py", "bot/prompting/evidence.py"})
"""Where ! always works."""
_NAMED: Final = re.compile(rf"(?<![\w!`?@<])!(?:{'|'.join(GRAMMARS)})\b")


def _texts() -> Iterator[tuple[str, str]]:
    """Every text of the program but its documentation; as if a command stood for each value in it."""
    for path in sorted(file for top in ("bot", "cogs") for file in (ROOT / top).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if name in AT_THE_TERMINAL:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        notes = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in notes:
                yield name, node.value
            if isinstance(node, ast.JoinedStr):
                yield (
                    name,
                    "".join(str(part.value) if isinstance(part, ast.Constant) else "help" for part in node.values),
                )


async def test_replies_name_commands_by_the_space_s_prefix(database: Database) -> None:
    """Where a space has another prefix, replies, refusals and what buttons say name commands with it, and no other."""
    async with discord_bot.running(database) as bot:
        owner = bot.knows(bot.guild.owner)
        await bot.answer(await owner.say(bot.channel, "!settings prefix ?"))
        saved = await bot.answer(await owner.say(bot.channel, "?remember the lift says !reset when it is stuck"))
        told = [
            (await bot.answer(await owner.say(bot.channel, line))).text
            for line in ("?help", "?help age", "?memories nosuch", "?forget", "?channel enable", "?forget 1")
        ]
    assert "saved" in saved.content
    assert [] == [text for text in told if "!" in text.replace("says !reset when", "")]
    assert ("?recall, or ?help recall" in told[0], True) == (True, told[1].startswith("`?age [older_than_hours:1"))
    assert "?recall nosuch" in told[2]
    assert told[3].endswith(": ?forget <id>")
    assert "?channel disable" in told[4]
    assert "?undo" in told[5]


def test_no_text_names_a_command_by_a_prefix_of_its_own() -> None:
    """Each is made with the prefix of whoever reads it, so that none has to be changed afterwards."""
    assert [] == [f"{path}: {text}" for path, text in _texts() if _NAMED.search(text)]


async def test_what_is_said_is_no_command_though_it_begins_as_one(database: Database) -> None:
    """Behind a mention a note to self is a memory and "help" is answered as it is without; commands stay commands."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann = bot.person("Ann")
        assert "buy tape" in (await bot.asks(ann, bot.channel, "note to self: buy tape")).content
        helped = (await bot.asks(ann, bot.channel, "help me")).content
        assert hello.CANT not in helped
        assert "!me" not in helped.split("\n")[0]
        assert "[note] N1" in (await bot.asks(ann, bot.channel, "note buy milk")).content
        async with database.connection() as connection:
            assert ["buy tape"] == [row["content"] for row in await connection.fetch("SELECT content FROM memory")]


async def test_a_request_to_remember_is_read_by_its_words(database: Database) -> None:
    """Behind a mention "remember that …" keeps what follows it, and "remember this" the answer before."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        asked = await bot.asks(ann, bot.channel, "remember that the car is red")
        assert "[memory] saved: topic=car" in asked.content
        assert "nothing in that answer to keep" in (await bot.asks(ann, bot.channel, "remember this")).content
        assert "Fine." == (await bot.asks(ann, bot.channel, "remember when we went to Rome")).content
        assert "topic=bikes" in (await bot.asks(ann, bot.channel, "remember mine is blue topic:bikes")).content
        async with database.connection() as connection:
            rows = await connection.fetch("SELECT content, cardinality(evidence) FROM memory ORDER BY memory_id")
    assert [("the car is red", 1), ("mine is blue", 1)] == [tuple(row) for row in rows]


async def test_talk_that_begins_with_a_command_s_name_is_talk(database: Database) -> None:
    """Behind a mention alone a command has what it takes beyond doubt; with the prefix it is one whatever follows."""
    talk = (
        "do you remember the hoover",
        "do we have milk",
        "missed you",
        "learn something new every day",
        "memories of last summer",
        "palace of dreams",
        "model citizen",
    )
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        said = [(await bot.asks(ann, bot.channel, text)).text for text in talk]
        commands = [
            (await bot.asks(ann, bot.channel, text)).text
            for text in ("memories", "memories sort:new", "help recall", "do", "!do you like tea", "!memories bikes")
        ]
    assert [] == [text for text in said if "Fine." not in text and NOTHING_FOUND not in text]
    assert [] == [text for text in commands if "Fine." in text]


async def test_a_question_that_begins_with_do_runs_no_workflow(database: Database) -> None:
    """Said to Hathi without the prefix it is talk; alone it lists the workflows, and with the prefix it runs one."""
    async with discord_bot.running(database, roles=Roles()) as bot:
        ann = bot.person("ann")
        said = [
            (await bot.asks(ann, bot.channel, text)).text
            for text in ("do I have to pay before October", "do you share my data", "do it", "do")
        ]
        typed = await bot.answer(await ann.say(bot.channel, "!do nosuch the work day"))
    assert [False, False, False, True] == ["workflow" in text for text in said]
    assert "There is no workflow nosuch here" in typed.text
