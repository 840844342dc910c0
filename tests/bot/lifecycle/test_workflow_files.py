"""The laws of files of workflows: each word is checked, and what is wrong is named by file, line and word."""

from pathlib import Path

import pytest

from bot import app, errors, toml_files
from bot.lifecycle import workflow_files, workflow_kinds
from bot.lifecycle.workflow_kinds import MEMORY, REPLY
from bot.prompting import personas

GOOD = """\
kind = "memory"
makes = "facts"

[[steps]]
name = "topics"
role = "summarizer"
inputs = ["chunk"]
prompt = '''
Name the topics of {chunk}
[[steps]]
as {"json": []}.
'''

[[steps]]
name = "facts"
role = "reasoning"
inputs = ["chunk",
          "topics"]
prompt = "Of {chunk} write {topics} down."
"""
TWO = """\
kind = "reply"
about = "Two of them."

[[steps]]
name = "answer"
persona = "butler"
inputs = ["request", "talk"]
prompt = "Answer {request}."

[[steps]]
name = "remark"

persona = "critic"
inputs = ["request", "answer"]
prompt = "Judge {answer}."
"""
WRONG: list[tuple[str, str, int, str]] = [
    ('kind = "memory"', 'kind = "memories"', 1, "'memories'"),
    ('kind = "memory"\n', "", 1, "kind is missing"),
    ('makes = "facts"', 'makes = "poems"', 2, "'poems'"),
    ('makes = "facts"', 'make = "facts"', 2, "'make'"),
    ('role = "reasoning"', 'role = "resoning"', 16, "'resoning'; did you mean reasoning?"),
    ('role = "reasoning"\n', "", 14, "role is missing"),
    ('          "topics"]', '          "topicz"]', 18, "'topicz'; did you mean topics?"),
    ('inputs = ["chunk"]', 'inputs = ["chunk", "facts"]', 7, "'facts' is a step that comes no earlier"),
    ('inputs = ["chunk"]', 'inputs = ["chunk", "topics"]', 7, "'topics' is a step that comes no earlier"),
    ('inputs = ["chunk"]', "inputs = 5", 7, "5"),
    ("write {topics} down", "write {topicz} down", 19, "'topicz'; did you mean topics?"),
    ("write {topics} down", "write {ledger} down", 19, "{ledger}"),
    ("Name the topics of {chunk}", "Name {Chunk} {chunk}", 9, "'Chunk'; did you mean chunk?"),
    ('name = "facts"', 'name = "topics"', 15, "'topics'"),
    ('name = "facts"', 'name = "summary"', 15, "'summary', which is a variable"),
    ('name = "facts"', 'name = "search"', 15, "'search', which is a variable"),
    ('name = "facts"', 'name = "My facts"', 15, "'My facts'"),
    ('inputs = ["chunk"]', 'inputs = ["chunk", "recnet"]', 7, "'recnet'; did you mean recent?"),
    ('inputs = ["chunk"]', 'inputs = ["chunk", "search"]', 7, "'search' needs keywords"),
    ('inputs = ["chunk"]', 'inputs = ["chunk", "since"]', 7, "'since' needs when"),
    ('inputs = ["chunk"]', "inputs = ['chunk', 'ledger']\nlimit = 3", 8, "recent or first or search"),
    ('inputs = ["chunk"]', "inputs = ['chunk', 'first']\nlimit = 900", 8, "limit is 900"),
    ('inputs = ["chunk"]', "inputs = ['chunk', 'since']\nwhen = 'soonish'", 8, "'soonish'"),
    ('inputs = ["chunk"]', "inputs = ['chunk', 'search']\nkeywords = ' ; '", 8, "' ; '"),
    ('inputs = ["chunk"]', "inputs = ['chunk', 'search']\nkeywords = '{facts}; gate'", 8, "'facts'"),
    ('prompt = "Of {chunk} write {topics} down."', 'prompt = " "', 19, "' '"),
    ('role = "reasoning"', 'role = "reasoning', 16, "'role = \"reasoning'"),
    ('role = "reasoning"', "temperature = 1\nrole = 'reasoning'", 16, "'temperature'"),
]


@pytest.mark.parametrize(("right", "wrong", "line", "word"), WRONG)
def test_what_is_wrong_is_named_by_file_line_and_word(
    tmp_path: Path, right: str, wrong: str, line: int, word: str
) -> None:
    """One line for each fault, of one fault one.

    “node_type in workflow JSON, WorkflowManager registrar, MemoryNodeHandler router”
    """
    assert GOOD.count(right) == 1
    _write(tmp_path, "mine", GOOD.replace(right, wrong))
    with pytest.raises(errors.SettingsError) as told:
        app.all_workflows(tmp_path)
    (fault,) = [one for one in str(told.value).splitlines() if word in one]
    assert fault.startswith(f"workflows/mine.toml, line {line}: ")


def test_all_faults_of_all_files_are_named_at_once(tmp_path: Path) -> None:
    """Whoever mends them need not start again for each."""
    _write(tmp_path, "one", GOOD.replace("memory", "poem"))
    _write(tmp_path, "two", GOOD.replace("summarizer", "poet").replace('"topics"]', '"rhymes"]'))
    with pytest.raises(errors.SettingsError) as told:
        app.all_workflows(tmp_path)
    assert ["'poem'", "'poet'", "'rhymes'", "{topics}"] == [
        word for word in ("'poem'", "'poet'", "'rhymes'", "{topics}") if word in str(told.value)
    ]


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("empty", "", "kind is missing"),
        ("none", GOOD, "'none'"),
        ("Mine", GOOD, "'Mine'"),
        ("stepless", 'kind = "memory"\nmakes = "facts"\n', "[[steps]]"),
        ("blind", GOOD.replace('"chunk",', "").replace('"chunk"', "").replace("{chunk}", "it"), "'chunk'"),
        ("many", GOOD + "[[steps]]\n" * workflow_kinds.MOST_STEPS, f"{workflow_kinds.MOST_STEPS + 2} steps"),
        ("deep", "kind = " + "[" * 5000, "line 1"),
        ("long", "#" * (toml_files.LARGEST + 1), "KiB"),
        ("flat", 'kind = "memory"\nmakes = "facts"\nsteps = [1, 2]\n', "line 3"),
    ],
)
def test_what_is_no_workflow_at_all_is_refused(tmp_path: Path, name: str, text: str, word: str) -> None:
    """However little or much stands in the file."""
    _write(tmp_path, name, text)
    with pytest.raises(errors.SettingsError, match=r"workflows/") as told:
        app.all_workflows(tmp_path)
    assert word in str(told.value)


def test_bytes_and_what_is_no_file_are_refused(tmp_path: Path) -> None:
    """A pipe would be waited for without end."""
    folder = tmp_path / workflow_files.FOLDER
    folder.mkdir()
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    (folder / "pipe.toml").symlink_to("/dev/zero")
    with pytest.raises(errors.SettingsError) as told:
        app.all_workflows(tmp_path)
    assert 2 == len(str(told.value).splitlines())


def test_two_workflows_of_memory_ship_and_an_own_file_replaces_one(tmp_path: Path) -> None:
    """Facts see the chunk alone, by way of its topics; the file of the same name is run in their place."""
    shipped = workflow_files.of_kind(app.all_workflows(tmp_path), MEMORY)
    assert ["facts", "ledger"] == [*shipped]
    facts, ledger = shipped.values()
    assert (("facts", [("chunk",), ("chunk", "topics")]), ("ledger", [("recent_chunks", "chunk")])) == (
        (facts.makes, [step.inputs for step in facts.steps]),
        (ledger.makes, [step.inputs for step in ledger.steps]),
    )
    _write(tmp_path, "facts", GOOD)
    first, second = app.all_workflows(tmp_path)["facts"].steps
    assert ("reasoning", ("chunk", "topics")) == (second.role.value, second.inputs)
    assert first.instructions == 'Name the topics of "## chunk"\n[[steps]]\nas {"json": []}.'


def test_six_workflows_of_replies_ship(tmp_path: Path) -> None:
    """Each reads the request, and has those speak that ship beside it."""
    shipped = workflow_files.of_kind(app.all_workflows(tmp_path), REPLY)
    assert ["critique", "drafting", "parlour", "planning", "research", "whole-household"] == [*shipped]
    speakers = {name: {step.persona for step in workflow.steps} for name, workflow in shipped.items()}
    assert {"butler", "researcher", "critic", "archivist"} == speakers["whole-household"] == speakers["parlour"]
    assert all(len(workflow.steps) >= 3 for workflow in shipped.values())


@pytest.mark.parametrize(
    ("right", "wrong", "line", "word"),
    [
        ('persona = "critic"', 'persona = "cricket"', 13, "'cricket'; did you mean critic?"),
        ('persona = "critic"', 'role = "reasoning"', 13, "'role'"),
        ('persona = "critic"\n', "", 10, "persona is missing"),
        ('about = "Two of them."', 'makes = "facts"', 2, "'makes'"),
        ('about = "Two of them."\n', "", 1, "about is missing"),
        ("Two of them.", "x" * 101, 2, "up to 100 characters"),
        ('["request", "answer"]', '["request", "answer", "recent"]', 14, "the persona critic may not look"),
        ('["request", "answer"]', '["request", "answer", "chunk"]', 14, "'chunk'"),
        ('["request", "talk"]', '["talk"]', 8, "{request}"),
        ('persona = "critic"', 'persona = "clerk"', 14, "of which the persona clerk is to know nothing"),
    ],
)
def test_what_is_wrong_in_one_of_a_reply_is_named(tmp_path: Path, right: str, wrong: str, line: int, word: str) -> None:
    """Its steps name personas, and none that may not read memory is given what a retriever or a reader tells."""
    (tmp_path / personas.FOLDER).mkdir()
    (tmp_path / personas.FOLDER / "clerk.toml").write_text('name = "Clem"\nmemory = "none"\nvoice = "I am Clem."\n')
    assert TWO.count(right) == 1
    _write(tmp_path, "mine", TWO)
    assert "Two of them." == app.all_workflows(tmp_path)["mine"].about
    _write(tmp_path, "mine", TWO.replace(right, wrong))
    with pytest.raises(errors.SettingsError) as told:
        app.all_workflows(tmp_path)
    (fault,) = [one for one in str(told.value).splitlines() if word in one]
    assert fault.startswith(f"workflows/mine.toml, line {line}: ")


@pytest.mark.parametrize(("access", "is_wrong"), [("read", False), ("write", False), ("prompt", False), ("none", True)])
def test_only_who_may_know_of_memory_is_given_the_talk(tmp_path: Path, access: str, *, is_wrong: bool) -> None:
    """Hathi may have told of memory in it."""
    (tmp_path / personas.FOLDER).mkdir()
    (tmp_path / personas.FOLDER / "clerk.toml").write_text(f'name = "Clem"\nmemory = "{access}"\nvoice = "Clem."\n')
    step = '[[steps]]\nname = "a"\npersona = "clerk"\ninputs = ["request", "talk"]\nprompt = "Answer {request}."\n'
    _write(tmp_path, "mine", f'kind = "reply"\nabout = "One."\n{step}')
    if not is_wrong:
        assert "One." == app.all_workflows(tmp_path)["mine"].about
        return
    with pytest.raises(errors.SettingsError, match=r"^workflows/mine\.toml, line 6: the input 'talk' may tell"):
        app.all_workflows(tmp_path)


def _write(folder: Path, name: str, text: str) -> None:
    (folder / workflow_files.FOLDER).mkdir(exist_ok=True)
    (folder / workflow_files.FOLDER / f"{name}.toml").write_text(text)
