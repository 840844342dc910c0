"""The laws of what a message says is a rule no more."""

import pytest

from bot.language.requests import scrapped_rules

RULES = (
    "Every release is tagged.",
    "No meetings on Fridays.",
    "Boots stay at the door.",
    "Stiefel bleiben vor der T\u00fcr.",
    "Les bottes restent dehors.",
)


def meant(scrapped: scrapped_rules.ScrappedRule | None) -> list[str]:
    return [] if scrapped is None else [rule for rule in RULES if scrapped.means(rule)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("we no longer tag releases", RULES[0]),
        ("From now on we don't tag releases anymore", RULES[0]),
        ("We stopped tagging releases.", RULES[0]),
        ("wir taggen keine Releases mehr", RULES[0]),
        ("let's scrap the no-meeting-Friday rule", RULES[1]),
        ("The no-meeting rule is off", RULES[1]),
        ("cancel the rule about boots", RULES[2]),
        ("ok, the boots rule no longer applies", RULES[2]),
        ("please lift the rule that boots stay at the door", RULES[2]),
        ("Die Stiefelregel gilt nicht mehr", RULES[3]),
        ("la r\u00e8gle sur les bottes ne s'applique plus", RULES[4]),
    ],
)
def test_a_rule_is_known_by_what_is_said_of_it(text: str, rule: str) -> None:
    """In whatever form its words are."""
    assert [rule] == meant(scrapped_rules.read(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "is the rule about boots off?",
        "we no longer meet on Fridays",
        "the boots are gone",
        "no more releases",
        "drop the boots at the door",
        "I no longer like boots at the door",
        "the rules are off",
        "scrap the rule about coffee",
        "every release is tagged",
    ],
)
def test_what_breaks_no_rule_scraps_none(text: str) -> None:
    """What keeps to a rule, asks, or is of something else as well."""
    assert [] == meant(scrapped_rules.read(text))


@pytest.mark.parametrize(
    ("about", "rules"),
    [
        ("the no-meeting-Friday rule", [RULES[1]]),
        ("the rule about tagging releases", [RULES[0]]),
        ("die Regel mit den Stiefeln", [RULES[3]]),
        ("the boots", []),
        ("the rules", []),
    ],
)
def test_what_is_to_be_forgotten_is_a_rule_where_it_is_called_one(about: str, rules: list[str]) -> None:
    assert rules == meant(scrapped_rules.named(about))
