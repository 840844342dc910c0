"""Servers of models that people ask for, each with an address, a model to begin with and where its key usually stands.

The documents' table of providers is held to this list, and `hathi setup` offers it. Model names are examples.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One OpenAI-compatible server."""

    name: str
    base_url: str
    model: str
    key_env: str = ""
    """The variable in which people keep its key; none for a server on this machine, which wants none."""

    @property
    def word(self) -> str:
        """Its name on the command line."""
        return self.name.lower().replace(" ", "-")

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine, on its usual port."""
        return not self.key_env


PROVIDERS: Final = (
    Provider(name="xAI", base_url="https://api.x.ai/v1", model="grok-4-1-fast-non-reasoning", key_env="XAI_API_KEY"),
    Provider(name="OpenAI", base_url="https://api.openai.com/v1", model="gpt-4o-mini", key_env="OPENAI_API_KEY"),
    Provider(
        name="Anthropic",
        base_url="https://api.anthropic.com/v1/",
        model="claude-haiku-4-5-20251001",
        key_env="ANTHROPIC_API_KEY",
    ),
    Provider(
        name="Gemini",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai/",
        model="gemini-2.5-flash",
        key_env="GEMINI_API_KEY",
    ),
    Provider(
        name="Mistral", base_url="https://api.mistral.ai/v1", model="mistral-small-latest", key_env="MISTRAL_API_KEY"
    ),
    Provider(
        name="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        model="openai/gpt-4o-mini",
        key_env="OPENROUTER_API_KEY",
    ),
    Provider(name="Ollama", base_url="http://localhost:11434/v1", model="llama3.1"),
    Provider(name="LM Studio", base_url="http://localhost:1234/v1", model="qwen2.5-7b-instruct"),
    Provider(name="vLLM", base_url="http://localhost:8000/v1", model="Qwen/Qwen2.5-7B-Instruct"),
    Provider(name="llama.cpp", base_url="http://localhost:8080/v1", model="default"),
)
