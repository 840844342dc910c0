"""The laws of how texts are searched: what the index holds of a text, and what a query looks for."""

import asyncio
import tempfile
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.config import DatabaseSettings
from bot.db import migrations, pool
from bot.text import languages
from tests.faults import servers

FORMS: Final = [
    ("english", "the bridges were painted", "painting a bridge"),
    ("german", "Die Häuser wurden gestrichen", "Haus"),
    ("german", "Über die Flüsse", "Fluss"),
    ("french", "Les générations futures", "generation"),
    ("french", "Elles sont arrivées hier", "arrivé"),
    ("spanish", "Las canciones nuevas", "canción"),
    ("spanish", "Comíamos tarde", "comer"),
    ("portuguese", "Falávamos de tudo", "falar"),
    ("italian", "Le città antiche", "antica"),
    ("dutch", "De boeken liggen hier", "boek"),
    ("swedish", "Flickorna sjunger", "flicka"),
    ("finnish", "Olemme talossa", "talo"),
    ("hungarian", "A könyvek itt vannak", "könyv"),
    ("romanian", "orașe mari", "oraș"),
    ("turkish", "güzel günler", "gün"),
    ("russian", "красные книги", "книга"),
    ("russian", "зелёный дом", "зеленого"),
    ("greek", "τα σπίτια", "σπίτι"),
    ("arabic", "في المدرسة", "مدرسة"),
    ("hindi", "किताबें लाल हैं", "किताब"),
]
"""A language, a text, and another form of one of its words."""
SAME: Final = [
    ("café", "cafe"),
    ("cafe\u0301", "café"),
    ("Müller", "Muller"),
    ("Straße", "STRASSE"),
    ("Łódź", "lodz"),
    ("Øresund", "oresund"),
    ("Æsir", "aesir"),
    ("İstanbul", "istanbul"),
    ("Đà Nẵng", "da nang"),
    ("ΑΓΆΠΗ", "αγαπη"),
    ("ЁЛКА", "елка"),
    ("\uff28\uff41\uff54\uff48\uff49\uff12", "hathi2"),
    ("ﬁle", "file"),
    ("Anna\u2019s", "Anna's"),
    ("ｶﾞｲﾄﾞ", "ガイド"),
    ("GPT-4", "gpt 4"),
    ("2026\u201305\u201308", "2026/05/08"),
]
"""Two ways of writing the same."""
UNSPACED: Final = [
    ("我们明天去北京吧", ["北京", "明天", "北", "吧", "明天去哪"], ["上海", "京北"]),
    ("私の猫は黒い", ["猫", "私", "黒い", "い"], ["犬", "白い"]),
    ("コーヒーが好きです", ["コーヒー", "好き"], ["ゴミ"]),
    ("우리 집 고양이는 검은색이다", ["고양이", "집", "검은색"], ["강아지"]),
    ("iPhone13を買った", ["iphone13", "買った"], ["iphone"]),
    ("ฉันชอบหนังสือมาก", ["หนังสือ"], ["แมว"]),
    ("𠮷野家", ["𠮷", "𠮷野"], ["吉"]),
]
"""A text without blanks, what finds it, and what does not."""
QUOTED: Final = [
    "it's \"quoted\" and \\escaped\\ 'twice'",
    "a & b | !c (d) e:* f:AB <-> g <2> h",
    "' | 'x':*",
    "\\",
    "''''",
    "<b>bold</b> &amp; <@123456> <:wave:42>",
    "https://example.com/a/b?x=1#y ann@example.com C:\\dir /usr/lib",
    "\u2019n ŉ \u02bcx",
    "wave \U0001f44b\U0001f3fd family \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f",
    "word " * 800,
    "猫犬" * 2000,
    "x" * 4000,
    "é" * 4000,
]
TAGGED: Final = [
    [],
    ["auto"],
    ["auto", "type:decision", "domain:web-shop", "colour"],
    ["auto", "domain:", "Brücke", "花見", "two words", ""],
]
"""Tags, as memories have them."""
WRITTEN_OUT: Final = """
    setweight(search_vector(language, topic), 'A')
    || setweight(search_vector(language, content), 'B')
    || setweight(search_vector(language, tag_words(tags)), 'C')
"""
"""What the vector of a memory is made of."""
LANGUAGES: Final = ["english", "german", "french", "russian", "simple", "polish", "japanese", "klingon"]


class Server:
    """Asks one server, from tests that wait and tests that don't."""

    def __init__(self, runner: asyncio.Runner, dsn: str) -> None:
        self._runner = runner
        self._connection = runner.run(asyncpg.connect(dsn))

    def one(self, query: Any, *args: object) -> Any:
        """The one value a query gives."""
        return self._runner.run(self._connection.fetchval(query, *args))

    def row(self, query: Any, *args: object) -> Any:
        """The one row a query gives."""
        return self._runner.run(self._connection.fetchrow(query, *args))

    def finds(self, language: str, text: str, query: str) -> bool:
        """Whether a text is found by the words of another."""
        return self.one("SELECT search_vector($1, $2) @@ any_word($1, $3)", language, text, query)

    def close(self) -> None:
        """Let go of the server."""
        self._runner.run(self._connection.close())


@pytest.fixture(scope="module")
def oldest() -> Generator[str]:
    """The address of a migrated database of a Postgres 15, owned by somebody who is no superuser."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-words-") as made:
        Path(made).chmod(0o711)
        with servers.postgres(Path(made)) as running:
            asyncio.run(_migrated(running.locally("hathi")))
            yield running.locally("hathi")


async def _migrated(dsn: str) -> None:
    async with pool.opened(dsn, DatabaseSettings()) as database:
        await migrations.migrate(database)


@pytest.fixture(scope="module", params=["embedded", "oldest"])
def postgres(request: pytest.FixtureRequest) -> Generator[Server]:
    """Every law holds on the embedded Postgres and on the oldest that is served."""
    dsn = request.getfixturevalue("schema" if request.param == "embedded" else "oldest")
    with asyncio.Runner() as runner:
        server = Server(runner, dsn)
        yield server
        server.close()


@pytest.mark.parametrize(("language", "text", "form"), FORMS)
def test_other_forms_of_a_word_find_it(postgres: Server, language: str, text: str, form: str) -> None:
    """Where Postgres has a stemmer, an inflected word is found by its base form."""
    assert postgres.finds(language, text, form)


@pytest.mark.parametrize(("one", "other"), SAME)
@pytest.mark.parametrize("language", ["english", "polish"])
def test_ways_of_writing_a_word_find_each_other(postgres: Server, language: str, one: str, other: str) -> None:
    """Accents fold both ways, and so do case, full-width and composed letters, typographic quotes and dashes."""
    found = (postgres.finds(language, f"so {one} it is", other), postgres.finds(language, f"so {other} it is", one))
    assert (True, True) == found


@pytest.mark.parametrize(("text", "found", "missed"), UNSPACED)
@pytest.mark.parametrize("language", ["english", "japanese"])
def test_words_without_blanks_are_found_by_pairs(
    postgres: Server, language: str, text: str, found: list[str], missed: list[str]
) -> None:
    """Chinese, Japanese, Korean and Thai, whatever the language set: by words, by one letter, beside Latin ones."""
    assert [True] * len(found) == [postgres.finds(language, text, query) for query in found]
    assert [False] * len(missed) == [postgres.finds(language, text, query) for query in missed]


def test_a_query_looks_for_pairs_and_not_for_what_ends_alike(postgres: Server) -> None:
    """Only a letter that stands alone is looked for as the beginning of a pair."""
    looked = postgres.one("SELECT any_word('english', '猫です the 犬 cats')::text")
    assert "'cat' | 'です' | '犬':* | '猫で'" == looked


def test_parts_joined_by_signs_are_words(postgres: Server) -> None:
    """What stands on either side of a stroke, a sign or a bracket is found alone."""
    text = "We ship gpt-4 on 2026-05-08 (rooms 10-20), yes/no, said <Ann>; src/app.py, +49 170"
    assert [True] * 9 == [
        postgres.finds("english", text, word) for word in ("gpt", "4", "05", "20", "yes", "Ann", "src", "app.py", "49")
    ]


def test_weights_reach_pairs_as_they_reach_words(postgres: Server) -> None:
    """A topic counts for more than content in any script."""
    weighed = "SELECT setweight(search_vector('english', $1), 'A')::text"
    assert ("'cat':1A", "'犬':2A '猫犬':1A") == (postgres.one(weighed, "cats"), postgres.one(weighed, "猫犬"))


@pytest.mark.parametrize("tags", TAGGED)
def test_a_memory_is_found_by_its_topic_its_content_and_its_tags(postgres: Server, tags: list[str]) -> None:
    """In this order of weight, whatever the language and the script."""
    texts = [*FORMS, *((language, text, text) for language in LANGUAGES for text in ["", *QUOTED])]
    differing = postgres.one(
        f"SELECT count(*) FROM unnest($1::text[], $2::text[], $3::text[]) AS given (language, content, topic),"
        f" (SELECT $4::text[] AS tags OFFSET 0) AS tagged"
        f" WHERE memory_vector(language, topic, content, tags) IS DISTINCT FROM {WRITTEN_OUT}",
        *([text[place] for text in texts] for place in range(3)),
        tags,
    )
    assert 0 == differing


def test_the_planner_puts_the_vector_of_a_memory_into_the_statement(postgres: Server) -> None:
    """As if it were written out there, and not called for each row."""
    plans = [
        postgres.one(f"EXPLAIN (VERBOSE, FORMAT JSON) SELECT {made} FROM memory, (SELECT 'english' AS language) AS l")
        for made in ("memory_vector(language, topic, content, tags)", WRITTEN_OUT)
    ]
    assert plans[1] == plans[0]


@pytest.mark.parametrize("text", ["", " \n", "the of and", "\U0001f44b", "\u3002\u3001!"])
def test_a_text_that_says_nothing_finds_nothing(postgres: Server, text: str) -> None:
    """Without words, with stop words alone, with emoji or marks alone: an empty vector and an empty query."""
    assert ("", "") == (
        postgres.one("SELECT search_vector('english', $1)::text", text),
        postgres.one("SELECT any_word('english', $1)::text", text),
    )


def test_emoji_do_not_hide_the_words_beside_them(postgres: Server) -> None:
    """Also where they touch."""
    assert postgres.finds("english", "\U0001f355pizza\U0001f355 tonight \u2764\ufe0f", "pizzas")


@pytest.mark.parametrize("text", ["The bridge is red.", "Die Brücke ist rot.", "橋は赤い"])
def test_a_message_is_found_by_its_words_and_by_its_day(postgres: Server, text: str) -> None:
    """Of UTC, as people write it."""
    said = datetime(2026, 5, 8, 23, 30, tzinfo=UTC)
    found = [
        postgres.one("SELECT message_vector('english', $1, $2) @@ any_word('english', $3)", text, said, query)
        for query in (text, "8 May 2026", "in May", "9 June 2025")
    ]
    assert [True, True, True, False] == found


@pytest.mark.parametrize("text", QUOTED)
@pytest.mark.parametrize("language", ["english", "polish"])
def test_whatever_a_text_quotes_it_is_read_and_found(postgres: Server, language: str, text: str) -> None:
    """Operators, quotes, marks, addresses, and 4,000 letters are text like any other, in every function."""
    _found_by_itself(postgres, language, text)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    language=st.sampled_from(LANGUAGES),
    text=st.lists(
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
        | st.text("猫犬い한ก a'\\:*&|!()<>-", max_size=12)
        | st.sampled_from(["café", "schön", "für", "sí", "été", "ŉ", "the", "\u00bd"]),
        max_size=8,
    ).map(" ".join),
)
def test_any_text_is_found_by_itself(postgres: Server, language: str, text: str) -> None:
    """No text is an error in any language, and what was indexed is found by the same text."""
    _found_by_itself(postgres, language, text)


def _found_by_itself(postgres: Server, language: str, text: str) -> None:
    row = postgres.row(
        "SELECT v = '' AS is_empty, v @@ any_word($1, $2) AS found, "
        "query_words($1, $2) <@ tsvector_to_array(v) AS held, "
        "message_vector($1, $2, $3) @@ any_word($1, '8 May') AS dated FROM search_vector($1, $2) AS v",
        language,
        text,
        datetime(2026, 5, 8, tzinfo=UTC),
    )
    assert (not row["is_empty"], True, True) == (row["found"], row["held"], row["dated"])


def test_a_language_without_a_configuration_is_simple(postgres: Server) -> None:
    """Named in the table, of another server, or nothing that ever was one: words stay whole, and nothing fails."""
    for language in ("polish", "klingon", "", "-", "0", "public.simple", "no;such", "English"):
        assert "'bridges':2 'the':1" == postgres.one("SELECT search_vector($1, 'the bridges')::text", language)


def test_every_stemmed_language_is_configured(postgres: Server) -> None:
    """On every server: no language of that table falls back to `simple`."""
    assert [] == [
        language
        for language in sorted(languages.STEMMED)
        if postgres.one("SELECT text_config($1)::text", language) != language
    ]
    assert "simple" == postgres.one("SELECT text_config('simple')::text")


async def test_a_configuration_of_the_servers_own_is_used(dsn: str) -> None:
    """Where somebody made one for a language that Postgres has none for, texts are read with it."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("CREATE TEXT SEARCH CONFIGURATION polish (COPY = english)")
        indexed = await connection.fetchval("SELECT search_vector('polish', 'the bridges')::text")
    finally:
        await connection.close()
    assert "'bridg':2" == indexed


def test_a_query_of_sixty_thousand_letters_is_answered(postgres: Server) -> None:
    """Postgres takes no query of so many words; those it takes are looked for."""
    text = "".join(chr(0x4E00 + number * 7919 % 20000) for number in range(60_000))
    assert postgres.finds("english", text, text)
