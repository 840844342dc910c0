"""Shows the prompts of models as they are assembled, with the tokens of each section."""

from collections.abc import Iterator

from bot import errors
from bot.config import Settings
from bot.domain import ModelRole
from bot.llm.tokens import estimate
from bot.prompting import compose, identity
from bot.prompting.identity import Written
from bot.prompting.prompt_tree import Section


def shown(settings: Settings, role: str | None) -> str:
    """The prompt of a role, or one by its name; of all roles without one.

    Raises `SettingsError` for prompts that can't be assembled, and `BadArgument` for a role that there is none of.
    """
    prompts = compose.roots(settings.settings_dir, settings.roles)
    by_role = {str(each): prompts[name] for each, name in compose.ROOTS.items()}
    known = {**prompts, **by_role}
    if role is not None and role not in known:
        raise errors.BadArgument(f"There is no prompt of {role!r}; there are those of {', '.join(known)}.")
    wanted = [str(each) for each in ModelRole] if role is None else [role]
    who = identity.written(settings.settings_dir, settings.prompt.budget.identity)
    answers = (str(ModelRole.REASONING), compose.ROOTS[ModelRole.REASONING])
    return "\n\n".join("\n".join(_told(name, known[name], who if name in answers else None)) for name in wanted)


def _told(name: str, prompt: Section, who: Written | None) -> Iterator[str]:
    """What a prompt is made of, and then all of it; with who speaks before it, where it answers people."""
    if who is not None:
        whose = "yours" if who.is_own else "comes with Hathi"
        place = "a server's own, or a persona's voice, stands in its place"
        yield f"who it is — {estimate(who.text)} tokens, {identity.FILE} ({whose}; {place})"
    for depth, section in prompt.all():
        whose = "yours" if section.is_own else "comes with Hathi"
        title = name if not depth else f"{'  ' * depth}{section.name}: {section.description}"
        yield f"{title} — {section.tokens} tokens, prompts/{section.name}.md ({whose})"
    yield ""
    yield prompt.assembled if who is None else f"{who.text}\n\n{prompt.assembled}"
