"""What may happen in an attempt: each step is one line, read by the first pattern here that fits it whole."""

import asyncio
import contextlib
import json
import os
import re
import shlex
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from unittest import mock

from bot import errors, transfer
from bot.layers.forge import forge_client
from bot.lifecycle import compaction
from tests import transfers
from tests.attacks import stage as stages
from tests.attacks.scene import Scene
from tests.conftest import QUICK_START
from tests.discord_server.channels import Channel, Kind
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission
from tests.forge_server import Moved
from tests.model_server import Reply, Status, Step
from tests.rows import one

Verb = Callable[[Scene, re.Match[str]], Awaitable[None]]
VERBS: Final[dict[re.Pattern[str], Verb]] = {}
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
TOLD_WITHIN: Final = 4.0
"""Seconds within which a pressed button is followed by a message, if it is."""
_PLACE: Final = r"(?P<place>DM|\w*#[\w-]+)"


def verb(pattern: str) -> Callable[[Verb], Verb]:
    """Makes a function what a line of this shape does; its docstring tells people so."""

    def put(function: Verb) -> Verb:
        VERBS[re.compile(pattern.replace("PLACE", _PLACE), re.DOTALL)] = function
        return function

    return put


def read(line: str) -> tuple[Verb, re.Match[str]]:
    """What a line does. Raises `ValueError` where nothing fits."""
    for pattern, function in VERBS.items():
        if found := pattern.fullmatch(line):
            return function, found
    raise ValueError(f"No step reads {line!r}; python -m tests.attacks --steps lists what is read.")


async def play(scene: Scene, line: str) -> None:
    """Let one step happen."""
    function, found = read(line)
    await function(scene, found)


# ---- talk


@verb(r"(?P<who>\w+) in PLACE(?P<how>(?:, [^:,]+)*): (?P<text>.*)")
async def says(scene: Scene, found: re.Match[str]) -> None:
    """`Ann in #staff: text` says it; what is said to Hathi is answered before the next step.

    Between place and colon, each after a comma: `replying to Bob` (his last message there; or Hathi's),
    `replying to Bob on WORD` (his last that says it), `forwarding Bob` (his last message anywhere),
    `with NAME` (a file of the attempt), `5 times` (`{n}` counts), `one by one` (each waits for the answer before),
    `unanswered`.
    """
    person = scene.person(found["who"])
    channel = scene.channel(found["place"], person)
    reply_to: Message | None = None
    forwards: Message | None = None
    files: dict[str, bytes] = {}
    times, is_awaited, one_by_one = 1, True, False
    for how in filter(None, found["how"].split(", ")):
        match how.split():
            case ["replying", "to", "Hathi"]:
                reply_to = scene.last_by(scene.stage.bot.discord.bot, channel)
            case ["replying", "to", name, "on", word]:
                author = scene.stage.bot.discord.bot if name == "Hathi" else scene.person(name)
                reply_to = scene.last(word, author)
            case ["replying", "to", name]:
                reply_to = scene.last_by(scene.person(name), channel)
            case ["forwarding", name]:
                forwards = scene.last("", scene.person(name))
            case ["with", name]:
                files[name] = scene.posted(name)
            case [number, "times"]:
                times = int(number)
            case ["one", "by", "one"]:
                one_by_one = True
            case ["unanswered"]:
                is_awaited = False
            case _:
                raise ValueError(f"Nobody says anything {how!r}.")
    bot = scene.stage.bot.discord.bot
    text = scene.worded(found["text"])
    called = channel.guild is None or text.startswith("!") or (reply_to is not None and reply_to.author is bot)
    said = list[Message]()
    for n in range(1, times + 1):
        each = text.replace("{n}", str(n))
        said.append(await person.say(channel, each, reply_to=reply_to, files=files, forwards=forwards))
        is_last = n == times
        if is_awaited and (called or bot in said[-1].mentions) and (one_by_one or is_last):
            await scene.answered(*said)
    if is_awaited and not called and bot not in said[-1].mentions and await _hears_all(scene, channel):
        # Whoever has opted out is heard by nobody.
        heard = (
            "SELECT EXISTS (SELECT 1 FROM message WHERE message_id = $1)"
            " OR EXISTS (SELECT 1 FROM person WHERE person_id = $2 AND opted_out_at IS NOT NULL)"
        )
        for message in said:
            await scene.comes(heard, message.message_id, person.user_id)


async def _hears_all(scene: Scene, channel: Channel) -> bool:
    """Whether what is said there is recorded though it is not said to Hathi."""
    home = channel.parent if channel.kind is Kind.PUBLIC_THREAD else channel
    assert home is not None
    query = "SELECT mode = 'all' FROM channel WHERE channel_id = $1"
    return bool(await one(scene.stage.database, query, home.channel_id))


@verb(r'(?P<who>\w+) edits "(?P<old>[^"]+)" to: (?P<text>.*)')
async def edits(scene: Scene, found: re.Match[str]) -> None:
    """`Ann edits "old" to: new text` rewrites her newest message that holds the words in quotes."""
    person = scene.person(found["who"])
    message = scene.last(found["old"], person)
    query = "SELECT edited_at FROM message WHERE message_id = $1"
    before = await one(scene.stage.database, query, message.message_id)
    await person.edit(message, scene.worded(found["text"]))
    changed = "SELECT NOT EXISTS (SELECT 1 FROM message WHERE message_id = $1 AND edited_at IS NOT DISTINCT FROM $2)"
    await scene.comes(changed, message.message_id, before)
    await scene.settled()


@verb(r'(?P<who>\w+) deletes (?P<own>anyone\'s )?"(?P<text>[^"]+)"')
async def deletes(scene: Scene, found: re.Match[str]) -> None:
    """`Ann deletes "text"` deletes her newest message that holds the words, `Cid deletes anyone's "text"` anybody's."""
    person = scene.person(found["who"])
    message = scene.last(found["text"], person) if found["own"] is None else scene.last(found["text"])
    await person.delete(message)
    # Hathi is told of it at some moment, and tells nobody.
    gone = (
        "SELECT NOT EXISTS (SELECT 1 FROM message WHERE message_id = $1) AND NOT EXISTS (SELECT 1 FROM memory"
        " WHERE $1 = ANY (evidence) AND forgotten_at IS NULL AND cardinality(evidence) = 1)"
    )
    if scene.stage.is_running:
        await scene.comes(gone, message.message_id)
    await scene.settled()


@verb(r'(?P<who>\w+) reacts (?P<emoji>\S+) to "(?P<text>[^"]+)"')
async def reacts(scene: Scene, found: re.Match[str]) -> None:
    """`Ann reacts 📌 to "text"` adds a reaction to the newest message that holds the words."""
    message = scene.last(found["text"])
    memories: Any = "SELECT count(*) FROM memory_event WHERE space_id = ANY ($1::bigint[])"
    before = await one(scene.stage.database, memories, scene.spaces)
    await scene.person(found["who"]).react(message, found["emoji"])
    await scene.comes(memories.replace("count(*)", "count(*) > $2"), scene.spaces, before, within=0.5)
    await scene.settled()


@verb(r"(?P<who>\w+) in PLACE runs /(?P<command>.*)")
async def runs(scene: Scene, found: re.Match[str]) -> None:
    """`Ann in #staff runs /recall query="tea"` runs a slash command, or a group's: `/mydata see`."""
    person = scene.person(found["who"])
    words = shlex.split(found["command"])
    options: dict[str, Any] = {}
    for name, _, value in (word.partition("=") for word in words if "=" in word):
        options[name] = int(value) if value.isdecimal() else value == "true" if value in {"true", "false"} else value
    name = " ".join(word for word in words if "=" not in word)
    asked = await person.slash(scene.channel(found["place"], person), name, options)
    await asked.until_told()
    await scene.settled()


@verb(r'(?P<who>\w+) types "(?P<typed>[^"]*)" into /(?P<command>[\w ]+) (?P<option>\w+) in PLACE')
async def types(scene: Scene, found: re.Match[str]) -> None:
    """`Bob types "fo" into /forget id in #general` is offered what completes it, which he then sees."""
    person = scene.person(found["who"])
    channel = scene.channel(found["place"], person)
    asked = await person.autocomplete(channel, found["command"], found["option"], found["typed"])
    await asked.until_answered()
    scene.suggests(person, channel, asked.choices)


@verb(r'(?P<who>\w+) presses "(?P<label>[^"]+)"(?: in PLACE)?')
async def presses(scene: Scene, found: re.Match[str]) -> None:
    """`Ann presses "Forget #1"` presses the newest button of that label that stands where she can see it.

    Where there is none for her, nothing happens.
    """
    person = scene.person(found["who"])
    button = scene.button(person, found["label"])
    if button is None:
        scene.missing.append(found["label"])
        return
    before = scene.messages
    pressed = await person.press(*button)
    await pressed.until_answered()
    # What comes of it is told by a message; where it is not, nothing tells that it was done.
    with contextlib.suppress(TimeoutError):
        discord = scene.stage.place.discord
        await discord.until(lambda: scene.messages > before, within=timedelta(seconds=TOLD_WITHIN))
    await scene.settled()


# ---- people and places


@verb(r'(?P<who>\w+) is called "(?P<nick>[^"]+)"')
async def is_called(scene: Scene, found: re.Match[str]) -> None:
    """`Mal is called "Ann"` gives somebody another name in the server."""
    scene.guild("").change_member(scene.person(found["who"]), nick=found["nick"])


@verb(r"(?P<who>\w+) manages (?P<guild>\w+|the server)")
async def manages(scene: Scene, found: re.Match[str]) -> None:
    """`Mal manages Tigers`, `Mal manages the server`: gives somebody the permission Manage Server there."""
    person, guild = scene.person(found["who"]), scene.guild("" if " " in found["guild"] else found["guild"])
    if person.user_id not in guild.members:
        guild.join(person)
    role = guild.role("manager", Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS)
    guild.change_member(person, roles=[*guild.members[person.user_id].roles, role])


@verb(r"(?P<who>\w+) manages nothing any more")
async def manages_nothing(scene: Scene, found: re.Match[str]) -> None:
    """`Cid manages nothing any more` takes what rights somebody was given."""
    scene.guild("").change_member(scene.person(found["who"]), roles=[])


@verb(r"(?P<who>\w+) moderates the server")
async def moderates(scene: Scene, found: re.Match[str]) -> None:
    """`Cid moderates the server`: gives somebody the permission Manage Messages."""
    person, guild = scene.person(found["who"]), scene.guild("")
    role = guild.role("moderator", Permission.MANAGE_MESSAGES)
    guild.change_member(person, roles=[*guild.members[person.user_id].roles, role])


@verb(r"(?P<who>\w+) leaves(?: (?P<guild>\w+))?")
async def leaves(scene: Scene, found: re.Match[str]) -> None:
    """`Bob leaves`, or `Hathi leaves`: is in the server no more."""
    guild = scene.guild(found["guild"] or "")
    is_bot = found["who"] == scene.stage.bot.discord.bot.name
    guild.leave(scene.stage.bot.discord.bot if is_bot else scene.person(found["who"]))
    if is_bot:
        await scene.comes("SELECT gone_at IS NOT NULL FROM space WHERE space_id = $1", guild.guild_id)


@verb(r"(?P<who>\w+) joins (?P<guild>\w+)")
async def joins(scene: Scene, found: re.Match[str]) -> None:
    """`Bob joins Tigers`, `Bob joins House`: is in another server too."""
    scene.guild(found["guild"]).join(scene.person(found["who"]))


@verb(r"(?P<who>\w+) (?P<may>may|may not) read PLACE")
async def may_read(scene: Scene, found: re.Match[str]) -> None:
    """`Bob may read #staff`, `Bob may not read #general`: changes who sees a channel."""
    person = scene.person(found["who"])
    scene.lets_see(scene.channel(found["place"]), person, may=found["may"] == "may")


@verb(r"PLACE is a private channel of (?P<who>[\w, ]+)")
async def private_channel(scene: Scene, found: re.Match[str]) -> None:
    """`#board is a private channel of Ann, Cid` makes it."""
    guild_name, _, name = found["place"].partition("#")
    guild = scene.guild(guild_name)
    people = [scene.person(each) for each in found["who"].split(", ")]
    for person in people:
        if person.user_id not in guild.members:
            guild.join(person)
    guild.private_channel(name, seen_by=[*people, guild.owner])


@verb(r"PLACE is a (?P<kind>private thread|thread) of (?P<who>[\w, ]+) in (?P<parent>\w*#[\w-]+)")
async def thread(scene: Scene, found: re.Match[str]) -> None:
    """`#aside is a private thread of Ann, Cid in #general`, or `a thread`, begins one, with Hathi in it."""
    first, *others = [scene.person(each) for each in found["who"].split(", ")]
    is_private = found["kind"].startswith("private")
    name = found["place"].partition("#")[2]
    began = await first.start_thread(scene.channel(found["parent"]), name, private=is_private)
    for user in [*others, scene.stage.bot.discord.bot]:
        began.add(user)


@verb(r"PLACE is (?P<what>deleted|age-restricted)")
async def changed(scene: Scene, found: re.Match[str]) -> None:
    """`#staff is deleted`, `#lounge is age-restricted`."""
    channel = scene.channel(found["place"])
    if found["what"] == "age-restricted":
        channel.nsfw = True
        channel.tell_change()
        return
    channel.delete()
    await scene.comes(
        "SELECT NOT EXISTS (SELECT 1 FROM message WHERE channel_id = $1) AND"
        " NOT EXISTS (SELECT 1 FROM memory WHERE channel_id = $1)",
        channel.channel_id,
    )
    await scene.settled()


# ---- models


@verb(r"the model (?P<always>always )?says: (?P<text>.*)")
async def model_says(scene: Scene, found: re.Match[str]) -> None:
    """`the model says: text` is what the next request is answered with; `always says`, every one from now on."""
    _script(scene, Reply(text=found["text"]), always=bool(found["always"]))


@verb(r"the model (?P<always>always )?calls (?P<tool>\w+)(?: (?P<times>\d+) times)? (?P<arguments>.*)")
async def model_calls(scene: Scene, found: re.Match[str]) -> None:
    """`the model calls memory_save {"content": "…"}` has it use a tool; `40 times` at once, `{n}` counts."""
    times = int(found["times"] or 1)
    arguments = scene.worded(found["arguments"])
    calls = tuple((found["tool"], arguments.replace("{n}", str(n))) for n in range(1, times + 1))
    _script(scene, Reply(calls=calls), always=bool(found["always"]))


@verb(r"the model rambles for (?P<length>\d+) letters")
async def model_rambles(scene: Scene, found: re.Match[str]) -> None:
    """`the model rambles for 300000 letters` lets it not come to an end."""
    _script(scene, Reply(text="gravel " * (int(found["length"]) // 7)))


@verb(r"the model nests its arguments (?P<deep>\d+) deep")
async def model_nests(scene: Scene, found: re.Match[str]) -> None:
    """`the model nests its arguments 100000 deep` sends a tool JSON that no parser likes."""
    deep = int(found["deep"])
    _script(scene, Reply(calls=(("memory_save", '{"content": ' + "[" * deep + "]" * deep + "}"),)))


@verb(r"the model always refuses with (?P<status>\d+): (?P<text>.*)")
async def model_refuses(scene: Scene, found: re.Match[str]) -> None:
    """`the model always refuses with 401: text` answers every request so from now on."""
    body = {"error": {"message": found["text"]}}
    scene.model_fails(Status(status=int(found["status"]), body=body))


@verb(r"the model holds its breath")
async def model_waits(scene: Scene, _: re.Match[str]) -> None:
    """`the model holds its breath`: whatever it is asked from now on, it answers once `the model goes on`."""
    scene.stage.place.model.always = Reply(text="Fine.", gate=scene.gate)


@verb(r"the model goes on")
async def model_goes_on(scene: Scene, _: re.Match[str]) -> None:
    """`the model goes on`: everything it was asked is answered."""
    scene.gate.set()
    await scene.settled()


@verb(r"the model is down")
async def model_is_down(scene: Scene, _: re.Match[str]) -> None:
    """`the model is down`: every request fails from now on."""
    scene.model_fails(Status(status=503))


@verb(r"the summarizer finds (?P<facts>\[.*\])")
async def summarizer_finds(scene: Scene, found: re.Match[str]) -> None:
    """`the summarizer finds [{"content": "…", "evidence": [1]}]`: what the next reset's model makes of the talk.

    Evidence is the numbers of lines; what is not said (room, topic, importance) is filled in. `"text"` in the first
    fact is the summary's own text.
    """
    facts = json.loads(found["facts"])
    text = next((fact.pop("text") for fact in facts if "text" in fact), "They talked.")
    made = [{"room": "general", "topic": "talk", "importance": 5, "evidence": [1]} | fact for fact in facts if fact]
    _script(scene, Reply(text=json.dumps({"summary": text, "facts": made})))


def _script(scene: Scene, step: Step, *, always: bool = False) -> None:
    model = scene.stage.place.model
    if always:
        model.always = step
    else:
        model.steps.append(step)


# ---- time, the process, the forge


@verb(r"(?P<number>\d+) (?P<unit>second|minute|hour|day)s? pass(?:es)?")
async def passes(scene: Scene, found: re.Match[str]) -> None:
    """`11 minutes pass`: everything is so much older, and the jobs that are due then run.

    Before days do, Hathi has caught up: no start takes that long, and what is given up then would count as missed.
    """
    if found["unit"] == "day" and scene.stage.is_running:
        await scene.stage.bot.caught_up()
    await scene.passes(int(found["number"]) * _SECONDS[found["unit"]])


@verb(r"the jobs run")
async def jobs_run(scene: Scene, _: re.Match[str]) -> None:
    """`the jobs run`: upkeep, decay, retention and the erasure of servers that are gone."""
    await scene.jobs()


@verb(r"Postgres looks at its tables")
async def analyzes(scene: Scene, _: re.Match[str]) -> None:
    """`Postgres looks at its tables`: makes its statistics, as it does by itself at times."""
    async with scene.stage.database.connection() as connection:
        await connection.execute("ANALYZE")


@verb(r"hathi compact runs")
async def compacts(scene: Scene, _: re.Match[str]) -> None:
    """`hathi compact runs`: the tables are written anew."""
    async for _done in compaction.compact(scene.stage.database):
        pass


@verb(r"Hathi restarts")
async def restarts(scene: Scene, _: re.Match[str]) -> None:
    """`Hathi restarts`: its process ends, and another begins and catches up."""
    await scene.stage.stop()
    await comes_back(scene, _)


@verb(r"Hathi goes away")
async def goes_away(scene: Scene, _: re.Match[str]) -> None:
    """`Hathi goes away`: its process ends."""
    await scene.stage.stop()


@verb(r"Hathi comes back")
async def comes_back(scene: Scene, _: re.Match[str]) -> None:
    """`Hathi comes back`: another process begins, and reads what it has missed."""
    await scene.stage.start()
    for user in scene.people.values():
        scene.stage.bot.knows(user)
    await scene.stage.bot.caught_up()
    await scene.settled()


@verb(r"the forge says that (?P<path>\S+) has moved to (?P<to>\S+)")
async def forge_moved(scene: Scene, found: re.Match[str]) -> None:
    """`the forge says that acme/nexus/issues/1 has moved to acme/vault/issues/7` answers 301."""
    forge = scene.stage.forge
    forge.faults[found["path"]] = [Moved(to=f"{forge.api}/repos/{found['to']}", status=301) for _ in range(20)]


@verb(r"the forge says that (?P<path>\S+) is kept elsewhere")
async def forge_elsewhere(scene: Scene, found: re.Match[str]) -> None:
    """`the forge says that acme/nexus/issues/1 is kept elsewhere` redirects to another host."""
    forge = scene.stage.forge
    forge.faults[found["path"]] = [Moved(to=f"{forge.store}/acme/nexus/1") for _ in range(20)]


@verb(r"a minute passes at the forge")
async def forge_minute(scene: Scene, _: re.Match[str]) -> None:
    """`a minute passes at the forge`: what is known of a repository's standing is asked for again."""
    scene.stage.is_shaken = True
    scene.undo.enter_context(mock.patch.object(forge_client, "STANDING_KEPT", timedelta(0)))


@verb(r"in (?P<repository>nexus|vault) issue (?P<number>\d+) is titled (?P<title>[^:]+): (?P<body>.*)")
async def forge_issue(scene: Scene, found: re.Match[str]) -> None:
    """`in vault issue 7 is titled Boiler: The plumber is …` writes an issue; `nexus` is everybody's repository."""
    path = {"nexus": stages.OPEN_REPOSITORY, "vault": stages.PRIVATE_REPOSITORY}[found["repository"]]
    is_private = path == stages.PRIVATE_REPOSITORY
    scene.stage.forge.repository(path, private=is_private).issue(int(found["number"]), found["title"], found["body"])


@verb(r"in (?P<repository>nexus|vault) the file (?P<file>\S+) says: (?P<text>.*)")
async def forge_file(scene: Scene, found: re.Match[str]) -> None:
    """`in vault the file docs/a.md says: text` writes a file."""
    path = {"nexus": stages.OPEN_REPOSITORY, "vault": stages.PRIVATE_REPOSITORY}[found["repository"]]
    held = scene.stage.forge.repository(path, private=path == stages.PRIVATE_REPOSITORY)
    held.files[found["file"]] = found["text"].encode()


@verb(r"in nexus CI run (?P<number>\d+) fails, and its log says: (?P<text>.*)")
async def forge_run(scene: Scene, found: re.Match[str]) -> None:
    """`in nexus CI run 41 fails, and its log says: text`."""
    repository, number = scene.stage.forge.repository(stages.OPEN_REPOSITORY), int(found["number"])
    repository.commit(f"{number:040x}", "Build")
    repository.run(number, f"{number:040x}", "failure", log=found["text"], number=number)


@verb(r"nexus becomes (?P<what>private|public)")
async def forge_hides(scene: Scene, found: re.Match[str]) -> None:
    """`nexus becomes private`: the forge shows it to nobody without a right any more."""
    scene.stage.forge.repository(stages.OPEN_REPOSITORY).private = found["what"] == "private"


@verb(r"on the town's board stands: (?P<text>.*)")
async def board_says(scene: Scene, found: re.Match[str]) -> None:
    """`on the town's board stands: text`, where the setup is `served`: `town_board` reads it, `town_pin` adds to it."""
    scene.stage.board.write_text(f"{found['text']}\n", encoding="utf-8")


# ---- who runs Hathi


@verb(r"a playbook of (?P<size>\d+) megabytes is called (?P<name>\w+)")
async def playbook(scene: Scene, found: re.Match[str]) -> None:
    """`a playbook of 64 megabytes is called quag` lies in the settings folder from now on."""
    file = scene.stage.folder / "playbooks" / f"{found['name']}.md"
    file.write_text(f"---\ntitle: {found['name']}\nwhen: [cross the {found['name']}]\n---\n", encoding="utf-8")
    os.truncate(file, int(found["size"]) << 20)
    scene.undo.callback(file.unlink)


@verb(r"the operator imports a file (?P<again>again )?with a (?P<kind>\w+) (?P<row>\{.*\})")
async def imports(scene: Scene, found: re.Match[str]) -> None:
    """`the operator imports a file with a space {"memory_count": 1}`: one whose row of that kind says so.

    A kind that is not in it is added. `"@Ann"` is her id and `"#"` the server's. The terminal's space is empty before,
    unless it says `again`.
    """
    if not found["again"]:
        async with scene.stage.database.transaction() as connection:
            for table in reversed(transfers.SPACE_TABLES):
                if table != "person":
                    empty: Any = f"DELETE FROM {table} WHERE space_id = 0"
                    await connection.execute(empty)
    ids: dict[str, int] = {f"@{name}": user.user_id for name, user in scene.people.items()}
    ids["#"] = scene.guild("").guild_id
    said = {name: ids.get(value, value) for name, value in json.loads(found["row"]).items()}
    rows = transfers.community()
    at = [n for n, row in enumerate(rows) if row["kind"] == found["kind"]]
    if at:
        rows[at[0]] |= said
    else:
        rows.insert(2, {"kind": found["kind"]} | said)
    file = scene.stage.folder / "import.jsonl"
    transfers.write(file, rows)
    try:
        scene.told.append(await transfer.import_from(scene.stage.database, file, language="english"))
    except errors.HathiError as exc:
        scene.told.append(str(exc))


@verb(r"the operator starts hathi (?P<command>\w+) with (?P<name>\w+)=(?P<value>.*)")
async def starts(scene: Scene, found: re.Match[str]) -> None:
    """`the operator starts hathi doctor with DATABASE_URL=…` runs the program, and reads all that it prints."""
    folder = scene.stage.folder / "operator"
    folder.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    given = {"HATHI_DATA_DIR": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": f"{QUICK_START}:{Path.cwd()}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", found["command"]),
        cwd=folder,
        env=kept | given | {found["name"]: found["value"]},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    scene.told.append(printed.decode())


@verb(r"---")
async def deed(scene: Scene, _: re.Match[str]) -> None:
    """`---` parts what comes before from what comes after; claims may be about either."""
    scene.part()
