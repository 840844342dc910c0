"""The laws of personas: each word of their files is checked, and who speaks and who keeps is told by them alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot import errors
from bot.domain import TERMINAL_SPACE, Access, ModelRole
from bot.prompting import personas
from tests import people

CALLER = people.caller("Ann")
GOOD = """\
name = "Ada"
memory = "read-write"
role = "execution"
voice = '''
I am Ada.
'''

[templates]
found = "Here, {asker}: {found} That is all of {archivist}."
"""
WRONG: list[tuple[str, str, int, str]] = [
    ('name = "Ada"\n', "", 1, "name is missing"),
    ('name = "Ada"', 'name = "**Ada**"', 1, "'**Ada**'"),
    ('name = "Ada"', "name = 7", 1, "name is 7"),
    ('memory = "read-write"\n', "", 1, "memory is missing; there are read, write, read-write, prompt, none"),
    ('memory = "read-write"', 'memory = "reads"', 2, "'reads'; did you mean read?"),
    ('role = "execution"', 'role = "executor"', 3, "'executor'; did you mean execution?"),
    ('role = "execution"', 'prompt = "../x"', 3, "'../x'"),
    ('role = "execution"', 'household = "My house"', 3, "'My house'"),
    ('role = "execution"', 'household = "hathi"', 3, "'hathi'"),
    ('role = "execution"', "answers = true", 3, "names no household"),
    ('role = "execution"', 'answers = "yes"', 3, "true or false"),
    ('role = "execution"', 'rolle = "execution"', 3, "'rolle'; did you mean role?"),
    ("I am Ada.", "I am Ada, and I go on. " * 60, 4, "200 are the most"),
    ("'''\nI am Ada.\n'''", "3", 4, "voice is 3"),
    ("I am Ada.", "", 4, "voice is "),
    ("found =", "fond =", 9, "'fond'; did you mean found?"),
    ("{found} ", "", 9, "0 times"),
    ("{found}", "{found} {found}", 9, "2 times"),
    ("{asker}", "{askr}", 9, "'{askr}'; did you mean {asker}?"),
    ("found =", 'nothing = "{found}"\nfound =', 9, "'{found}'"),
    ("found =", 'closing = ""\nfound =', 9, "1 to 500"),
    ("[templates]\n", "templates = 3\n#", 8, "a section of its own"),
    ('name = "Ada"', 'name = "Ada', 1, "no TOML"),
]


def written(folder: Path, **files: str) -> Path:
    """The folder of settings with these personas."""
    (folder / personas.FOLDER).mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / personas.FOLDER / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_persona_is_what_its_file_says(tmp_path: Path) -> None:
    """It may be chosen by the name of its file, and keeps what it may keep itself."""
    household = personas.read(written(tmp_path, ada=GOOD))["ada"]
    ada = household.speaker
    assert ("Ada", Access.READ_WRITE, ModelRole.EXECUTION, "I am Ada.") == (ada.name, ada.memory, ada.role, ada.voice)
    assert (ada, (ada,)) == (household.writer, household.members)


@pytest.mark.parametrize(("good", "bad", "line", "told"), WRONG)
def test_what_is_wrong_is_named_by_file_and_line(tmp_path: Path, good: str, bad: str, line: int, told: str) -> None:
    """With the word itself, and what would be right."""
    assert good in GOOD
    with pytest.raises(errors.SettingsError) as caught:
        personas.read(written(tmp_path, ada=GOOD.replace(good, bad, 1)))
    said = next(one for one in str(caught.value).split("\n") if told in one)
    assert said.startswith(f"personas/ada.toml, line {line}: ")


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    """In every file."""
    with pytest.raises(errors.SettingsError) as caught:
        personas.read(written(tmp_path, ada="name = 3", bea="memory = 4", hathi=GOOD, Cy=GOOD))
    told = str(caught.value)
    for file in ("ada.toml, line 1", "bea.toml, line 1", "hathi.toml: 'hathi' is no name", "Cy.toml: 'Cy' is no name"):
        assert f"personas/{file}" in told


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"ada": 'household = "duo"'}, "household duo (personas/ada.toml): 0 of them answer"),
        ({"ada": 'household = "duo"\nanswers = true', "bea": 'household = "duo"\nanswers = true'}, "2 of them answer"),
        ({"ada": 'household = "duo"\nanswers = true', "bea": 'household = "duo"'}, "2 of them may write"),
        ({"ada": 'household = "bea"\nanswers = true', "bea": ""}, "personas/bea.toml: a household is called bea"),
    ],
)
def test_in_a_household_one_answers_and_one_writes(tmp_path: Path, files: dict[str, str], told: str) -> None:
    """Or it would be left to chance who does."""
    each = {key: f'name = "Ada"\nvoice = "I."\nmemory = "read-write"\n{more}' for key, more in files.items()}
    with pytest.raises(errors.SettingsError, match=r"personas/") as caught:
        personas.read(written(tmp_path, **each))
    assert told in str(caught.value)


def test_a_household_comes_with_hathi(tmp_path: Path) -> None:
    """A butler who reads and answers, an archivist who alone writes, a researcher who reads, and a critic."""
    found = personas.read(tmp_path)
    household = found["household"]
    levels = {one.key: one.memory for one in household.members}
    assert {
        "archivist": Access.WRITE,
        "butler": Access.READ,
        "critic": Access.PROMPT,
        "researcher": Access.READ,
    } == levels
    assert household.writer is not None
    assert ("butler", "archivist") == (household.speaker.key, household.writer.key)
    assert ["hathi", "household", "archivist", "butler", "critic", "researcher"] == [*found]


def test_a_file_of_ones_own_replaces_the_one_that_comes_along(tmp_path: Path) -> None:
    """By its name."""
    own = 'name = "Wren"\nvoice = "I."\nhousehold = "household"\nanswers = true\nmemory = "none"'
    assert "Wren" == personas.read(written(tmp_path, butler=own))["household"].speaker.name


def test_a_persona_may_have_a_prompt_of_its_own(tmp_path: Path) -> None:
    """A root of the prompts; one that is not there is named."""
    ada = GOOD.replace('role = "execution"', 'prompt = "short"')
    with pytest.raises(errors.SettingsError, match=r"no prompts/short.md"):
        personas.read(written(tmp_path, ada=ada))
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "short.md").write_text("Be short.")
    root = personas.read(tmp_path)["ada"].speaker.root
    assert root is not None
    assert ("Be short.", [root]) == (root.assembled, personas.sections({"ada": personas.read(tmp_path)["ada"]}))


def test_what_it_says_stands_around_what_it_found(tmp_path: Path) -> None:
    """With the names of who asks and who writes, which are no markup there."""
    butler = personas.read(tmp_path)["household"].speaker
    asker = replace(CALLER, name="Ann [x](https://evil)")
    before, after = butler.around_found(asker) or ("", "")
    assert before.startswith("Indeed, Ann ")
    assert "](" not in before
    assert "Upon consulting Alder's carefully kept ledger, I find the following relevant recollection:\n" in before
    assert "\nShall I search again?" == after
    assert "Alder's ledger has nothing on that." in butler.nothing(asker)
    assert (None, "", "") == (
        personas.ITSELF.speaker.around_found(asker),
        personas.ITSELF.speaker.nothing(asker),
        personas.ITSELF.speaker.closing(asker),
    )


def test_its_name_stands_before_its_words(tmp_path: Path) -> None:
    """In bold where that is shown; nothing stands there for Hathi itself."""
    butler = personas.read(tmp_path)["household"].speaker
    at_terminal = replace(CALLER, space_id=TERMINAL_SPACE)
    assert ("**Ferris:** Yes.", "Ferris: Yes.") == (butler.spoken(CALLER, "Yes."), butler.spoken(at_terminal, "Yes."))
    assert "**Ferris:**\n> Yes." == butler.spoken(CALLER, "> Yes.")
    assert "Yes." == personas.ITSELF.speaker.spoken(CALLER, "Yes.")


@pytest.mark.parametrize("said", ["Yes.", "> Yes.", "1. Yes.", "", "**Ferris:** Yes."])
def test_what_it_says_is_what_is_read_without_its_name(tmp_path: Path, said: str) -> None:
    """So that what is recorded is its words alone."""
    butler = personas.read(tmp_path)["household"].speaker
    assert said == butler.unspoken(CALLER, butler.spoken(CALLER, said))
    assert said == personas.ITSELF.speaker.unspoken(CALLER, said)


@pytest.mark.parametrize("said", ["Ferris: Yes: no.", "**Ferris:** Yes: no.", "**Ferris**: Yes: no.", "Yes: no."])
def test_a_name_that_a_model_writes_itself_is_not_said_twice(tmp_path: Path, said: str) -> None:
    """Whatever it is written in; another colon stays."""
    assert "Yes: no." == personas.read(tmp_path)["household"].speaker.own(said)


@pytest.mark.parametrize("access", Access)
def test_who_may_not_read_sees_no_channel(access: Access) -> None:
    """Whatever is made of such a caller later."""
    caller = replace(CALLER, access=access)
    later = replace(caller, visible=(CALLER.channel_id,))
    assert (access.reads, access.reads) == (bool(caller.visible), bool(later.visible))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Access.READ, Access.WRITE, Access.READ_WRITE),
        (Access.WRITE, Access.NONE, Access.WRITE),
        (Access.PROMPT, Access.WRITE, Access.WRITE),
        (Access.READ, Access.PROMPT, Access.READ),
        (Access.PROMPT, Access.NONE, Access.PROMPT),
        (Access.NONE, Access.NONE, Access.NONE),
    ],
)
def test_two_may_do_together_what_either_may(one: Access, other: Access, both: Access) -> None:
    """And nothing more."""
    assert (both, both) == (one.with_(other), other.with_(one))
