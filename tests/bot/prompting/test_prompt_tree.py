"""The laws of prompts made of sections: what is assembled, and what is told of files that are wrong."""

from pathlib import Path

import pytest

from bot import errors
from bot.config import Roles, RoleSettings
from bot.prompting import compose, prompt_tree, session_start


def written(folder: Path, **files: str) -> Path:
    """A settings folder with these files of prompts."""
    (folder / prompt_tree.FOLDER).mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / prompt_tree.FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def faults(folder: Path, root: str = "talk") -> list[str]:
    with pytest.raises(errors.SettingsError) as told:
        prompt_tree.read(folder, [root])
    return str(told.value).splitlines()


def test_sections_stand_below_what_lists_them(tmp_path: Path) -> None:
    """In their order, each under its description, as deep as wanted; front matter and list are not told."""
    folder = written(
        tmp_path,
        talk="---\nmax_tokens: 200\n---\nSpeak up.\n\n[SECTIONS]\ntone: How it sounds\n\nfacts: What is known",
        tone="Be kind.\n[SECTIONS]\ntone_deep: More of it",
        tone_deep="Never shout.",
        facts="Water is wet.",
    )

    prompt = prompt_tree.read(folder, ["talk"])["talk"]

    assert prompt.assembled == (
        "Speak up.\n\n# How it sounds\nBe kind.\n\n## More of it\nNever shout.\n\n# What is known\nWater is wet."
    )
    assert [(depth, section.name) for depth, section in prompt.all()] == [
        (0, "talk"),
        (1, "tone"),
        (2, "tone_deep"),
        (1, "facts"),
    ]
    assert prompt.tokens >= sum(section.tokens for depth, section in prompt.all() if depth == 1)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"talk": "Hi.\n[SECTIONS]\ntone"}, "prompts/talk.md, line 3: 'tone' has no description; write tone: "),
        ({"talk": "[SECTIONS]\ntone:"}, "prompts/talk.md, line 2: 'tone' has no description"),
        ({"talk": "[SECTIONS]\nMy Tone: x"}, "prompts/talk.md, line 2: 'My Tone' is no name of a section"),
        ({"talk": "[SECTIONS]\ntoen: x", "tone": "y"}, "line 2: there is no prompts/toen.md; did you mean tone?"),
        ({"talk": "[SECTIONS]\ntalk: x"}, "line 2: talk is listed below itself: talk > talk."),
        (
            {"talk": "[SECTIONS]\ntone: x", "tone": "[SECTIONS]\nfacts: x", "facts": "a\n[SECTIONS]\ntone: x"},
            "prompts/facts.md, line 3: tone is listed below itself: talk > tone > facts > tone.",
        ),
        (
            {"talk": "[SECTIONS]\ntone: x\nfacts: y", "tone": "[SECTIONS]\nfacts: z", "facts": "a"},
            "prompts/talk.md, line 3: facts is listed already: prompts/tone.md, line 2.",
        ),
        (
            {"talk": "---\nmax_tokens: 5\n---\n[SECTIONS]\ntone: How", "tone": "A great many words of it " * 5},
            "prompts/talk.md, line 2: it has ",
        ),
        ({"talk": "---\nmax_token: 5\n---\nHi."}, "line 2: there is no 'max_token' here; there is max_tokens."),
        ({"talk": "---\nmax_tokens: many\n---\nHi."}, "line 2: max_tokens is 'many'; it takes a whole number"),
        ({"talk": "---\nmax_tokens: 5\nHi."}, "prompts/talk.md, line 1: the front matter has no end"),
        ({"other": "Hi."}, "There is no prompts/talk.md, which settings name; "),
    ],
)
def test_what_is_wrong_is_told_by_file_and_line(files: dict[str, str], told: str, tmp_path: Path) -> None:
    """With what would be right."""
    (fault,) = faults(written(tmp_path, **files))

    assert told in fault


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    """A line for each; what is no text, or too long, too."""
    folder = written(tmp_path, talk="[SECTIONS]\nlatin: x\nlong: y\nnone", long="a" * (prompt_tree.LARGEST + 1))
    (folder / prompt_tree.FOLDER / "latin.md").write_bytes(b"caf\xe9")

    assert [fault.partition(":")[0] for fault in faults(folder)] == [
        "prompts/latin.md",
        "prompts/long.md",
        "prompts/talk.md, line 4",
    ]


def test_a_file_that_no_prompt_uses_is_known(tmp_path: Path) -> None:
    """It is no fault; a section that comes with Hathi may be replaced alone, and a root listed anew with it."""
    folder = written(tmp_path, behaviour="Bark.", forgotten="Nobody reads this.")
    prompts = compose.roots(folder, Roles())

    assert prompt_tree.unused(folder, prompts.values()) == ["prompts/forgotten.md"]
    assert "Bark." in prompts["identity"].assembled
    assert "memory_save" in prompts["identity"].assembled
    assert [section.name for _, section in prompts["identity"].all() if section.is_own] == ["behaviour"]


def test_a_file_of_before_is_a_root_without_sections(tmp_path: Path) -> None:
    """The texts that replaced whole prompts still do."""
    folder = written(tmp_path, identity="Only this.", summary="Sum it up.", delegate="Do it.")
    texts = compose.texts(compose.roots(folder, Roles()))

    assert (texts.identity, texts.summary, texts.delegate) == ("Only this.", "Sum it up.", "Do it.")


def test_a_role_may_name_its_root(tmp_path: Path) -> None:
    """The others keep theirs; one that is not there is told."""
    folder = written(tmp_path, butler="Indeed.")
    role = RoleSettings.model_validate({"base_url": "http://localhost:1", "model": "m", "prompt": "butler"})
    texts = compose.texts(compose.roots(folder, Roles(reasoning=role)))

    assert texts.identity == "Indeed."
    assert texts.delegate == compose.texts(compose.roots(folder, Roles())).delegate
    with pytest.raises(errors.SettingsError, match="did you mean butler"):
        compose.roots(folder, Roles(reasoning=role.model_copy(update={"prompt": "buttler"})))


def test_the_shipped_prompt_has_its_sections(tmp_path: Path) -> None:
    """Behaviour, continuity, memory and tools; and it speaks of the blocks by the names they have."""
    prompt = compose.roots(tmp_path, Roles())["identity"]

    assert [section.name for _, section in prompt.all()] == ["identity", "behaviour", "continuity", "memory", "tools"]
    assert compose.ACTIVE_HEADING in prompt.assembled
    assert session_start.HEADING in prompt.assembled
