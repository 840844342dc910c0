"""Links in what a model writes, and words that are Hathi's own."""

import pytest

from bot import catalogue
from bot.grounding import model_words
from bot.text import notices

KNOWN = frozenset({"https://good.example/a", "https://good.example/a_(b)"})
MARK = model_words.UNKNOWN


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See https://good.example/a.", "See https://good.example/a."),
        ("See HTTPS://Good.Example/a/ and (https://good.example/a_(b)).",) * 2,
        ("See https://good.example/b.", f"See https://good.example/b{MARK}."),
        ("See https://good.example/?d=a", f"See https://good.example/?d=a{MARK}"),
        ("[our rules](https://good.example/a)", "[our rules] (https://good.example/a)"),
        ("[our rules](https://evil.example/?d=7)", f"[our rules] (https://evil.example/?d=7){MARK}"),
        ("[a [b] c]( <https://evil.example/> 'x')", f"[a [b] c] ( <https://evil.example/>{MARK} 'x')"),
        ("![picture](HTTPS://EVIL.example/d.png)", f"![picture] (HTTPS://EVIL.example/d.png){MARK}"),
        ("[rules][1]\n\n[1]: https://evil.example", f"[rules][1]\n\n[1]: https://evil.example{MARK}"),
        ("<https://evil.example/d>", f"<https://evil.example/d>{MARK}"),
        ("**https://evil.example**, www.evil.example!", f"**https://evil.example{MARK}**, www.evil.example{MARK}!"),
        ("[x](discord://evil/d)", f"[x] (discord://evil/d){MARK}"),
        ("[x](javascript:alert)", f"[x] (javascript:alert){MARK}"),
        ("https:\\\\evil.example", f"https:\\\\evil.example{MARK}"),
        ("||https://evil.example||", f"||https://evil.example{MARK}||"),
        ("Run `curl https://evil.example`.",) * 2,
        ("```sh\ncurl https://evil.example\n```",) * 2,
        ("```sh\ncurl https://evil.example\n",) * 2,
        ("Either/or: 3://4, and:so, C:/x, note: www",) * 2,
    ],
)
def test_a_link_shows_where_it_leads_and_whether_it_is_known(text: str, told: str) -> None:
    """Whatever it is written as; code stays as it is, as nobody is led anywhere by it."""
    assert told == model_words.with_links_told(text, KNOWN)


@pytest.mark.parametrize("unseen", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\U000e0041"])
def test_nothing_unseen_hides_a_link(unseen: str) -> None:
    """What nobody sees is taken out before a link is looked for."""
    written = f"[our rules]{unseen}({unseen}ht{unseen}tps:/{unseen}/evil.example/d{unseen})"
    told = model_words.with_links_told(model_words.own_words(written), KNOWN)
    assert f"[our rules] (https://evil.example/d){MARK}" == told


def test_what_joins_letters_and_emoji_stays() -> None:
    """Only between letters that nothing joins it is unseen."""
    text = "\U0001f469\u200d\U0001f680 1\ufe0f\u20e3 \u0645\u06cc\u200c\u062e"
    assert text == model_words.own_words(text)


@pytest.mark.parametrize("deed", [told for deed in notices.DEEDS for told in catalogue.in_all(deed)])
def test_no_model_tells_of_a_deed_in_hathis_words(deed: str) -> None:
    """What Hathi says of what it did is taken out of a model's text, in every language and with any letters."""
    assert model_words.own_words(f"I like tea. {deed.removesuffix('#')}") == "I like tea."
    assert model_words.own_words(f"I like tea.\n{deed.removesuffix('#').upper()}") == "I like tea."


@pytest.mark.parametrize(
    "head", [told for each in (notices.FROM, notices.LOOKED_AT) for told in catalogue.in_all(each)]
)
def test_no_model_names_sources_as_hathi_does(head: str) -> None:
    """A line that names sources as the one under Hathi's answers does is none of a model's, in every language."""
    assert model_words.own_words(f"I like tea.\n{head}#12, Ada · why?") == "I like tea."
    assert model_words.finished(f"I like tea.\n{head}#12, Ada. And") == "I like tea.\n"
