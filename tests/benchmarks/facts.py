"""Facts that a model distilled from chat: how many honest ones pass the check of their lines, and how many others.

The 120 facts of five invented communities were written by somebody who knew neither check nor project. `kept` are the
honest ones that pass, `named` those of them in the name of whoever said them, `passed` ones that say more, or something
else, than their lines.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from bot.domain import Message
from bot.grounding import provenance
from tests import people

FACTS: Final = Path(__file__).with_name("facts.jsonl")


async def run(*, small: bool) -> dict[str, float]:
    del small  # it takes some seconds
    facts = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    honest, others = [fact for fact in facts if fact["honest"]], [fact for fact in facts if not fact["honest"]]
    kept = [fact for fact in honest if _stands(fact)]
    return {
        "honest": len(honest),
        "kept": len(kept),
        "named": sum(_speaker(fact) == fact["author"] for fact in kept),
        "others": len(others),
        "passed": sum(map(_stands, others)),
    }


def _stands(fact: dict[str, Any]) -> bool:
    return provenance.stands(fact["fact"], _lines(fact), zone="UTC", share=provenance.MOST)


def _speaker(fact: dict[str, Any]) -> str | None:
    found = provenance.speaker(fact["fact"], _lines(fact), zone="UTC", share=provenance.MOST)
    return None if found is None else found.author


def _lines(fact: dict[str, Any]) -> list[Message]:
    names = [*dict.fromkeys(line["author"] for line in fact["lines"])]
    return [
        people.said(
            people.caller(line["author"], person=10 + names.index(line["author"])),
            line["text"],
            datetime.fromisoformat(line["said"]),
        )
        for line in fact["lines"]
    ]
