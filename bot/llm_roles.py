"""Makes roles of `LLM_BASE_URL`, `LLM_MODEL` and `LLM_API_KEY`, with the keys of single roles laid over them; pure."""

from collections.abc import Mapping
from typing import Any, Final

from bot.domain import ModelRole

PARTS: Final = {"base_url": "LLM_BASE_URL", "model": "LLM_MODEL", "api_key": "LLM_API_KEY"}
MADE: Final = (ModelRole.REASONING, ModelRole.SUMMARIZER)
"""The roles there are wherever an address and a model are given."""
_KEYS: Final = ("api_key", "api_key_env")
_OF_A_SERVER: Final = ("base_url", *_KEYS, "extra_body", "extra_headers", "extra_query")
"""What is told one server and no other: it may be a secret."""


def common(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The address, the model and the key for every role, as far as they are given, by their names in a role."""
    found = {part: settings.get(name) or settings.get(name.lower()) for part, name in PARTS.items()}
    return {part: value for part, value in found.items() if value}


def giving_way(roles: Any, common: Mapping[str, Any]) -> Any:
    """The roles of a settings file as they are where the environment names another address, model or key.

    A role that has an address and a model of its own is replaced in what is named; one that has not adds its keys.
    """
    if not isinstance(roles, dict):
        return roles
    gone = {"model"} & common.keys()
    gone |= set(_OF_A_SERVER) if "base_url" in common else set(_KEYS) if "api_key" in common else set()
    return {
        name: {key: value for key, value in role.items() if key not in gone}
        if name in {*ModelRole} and isinstance(role, dict) and role.keys() >= {"base_url", "model"}
        else role
        for name, role in roles.items()
    }


def laid_out(roles: Any, common: Mapping[str, Any]) -> Any:
    """Every role but the embedder, made of what is common and its own keys over it."""
    if not common or not isinstance(roles, dict | None):
        return roles
    own = dict(roles or {})
    made = [name.value for name in MADE if {"base_url", "model"} <= common.keys()]
    for name in dict.fromkeys([*made, *(name for name in own if name in {*ModelRole})]):
        role = own.get(name, {})
        if isinstance(role, dict):
            own[name] = {**_fitting(common, role), **role}
    return own


def completed(models: Any, common: Mapping[str, Any]) -> Any:
    """The models that are there to be chosen, each made of what is common and its own keys over it."""
    if not common or not isinstance(models, dict):
        return models
    return {
        name: {**_fitting(common, model), **model} if isinstance(model, dict) else model
        for name, model in models.items()
    }


def _fitting(common: Mapping[str, Any], role: Mapping[str, Any]) -> dict[str, Any]:
    """What is common without its key, where the role has one of its own or asks another server than that one."""
    is_elsewhere = "base_url" in common and role.get("base_url", common["base_url"]) != common["base_url"]
    has_key = any(role.get(key) for key in _KEYS)
    return {part: value for part, value in common.items() if part != "api_key" or not (is_elsewhere or has_key)}
