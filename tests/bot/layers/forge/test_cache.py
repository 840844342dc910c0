"""The laws of kept answers: bounded in number and size, and each of one repository."""

from bot.layers.forge.cache import MOST, MOST_BYTES, AnswerCache, CachedAnswer


def kept(size: int) -> CachedAnswer:
    return CachedAnswer(etag='"1"', body=b"x" * size)


def test_the_bounds_are_those_that_were_promised() -> None:
    """500 answers, 16 MiB."""
    assert (500, 16 * 2**20) == (MOST, MOST_BYTES)


def test_the_longest_unasked_goes_first() -> None:
    """What is asked for stays."""
    cache = AnswerCache(most=2)
    cache.keep("a/b", "1", kept(1))
    cache.keep("a/b", "2", kept(1))
    assert cache.find("a/b", "1") is not None
    cache.keep("a/b", "3", kept(1))
    assert [True, False, True] == [cache.find("a/b", name) is not None for name in "123"]
    assert (2, 2) == (len(cache), cache.size)


def test_it_never_holds_more_than_its_bytes() -> None:
    """Older ones go for the newest; one of more than a quarter is not kept, and takes the place of none."""
    cache = AnswerCache(most_bytes=100)
    for number in range(5):
        cache.keep("a/b", str(number), kept(25))
    cache.keep("a/b", "large", kept(26))
    assert (4, 100, None) == (len(cache), cache.size, cache.find("a/b", "large"))


def test_a_newer_answer_takes_the_place_of_the_older() -> None:
    """Once, with its own size; also where the newer is too large."""
    cache = AnswerCache(most_bytes=100)
    cache.keep("a/b", "1", kept(10))
    cache.keep("a/b", "1", kept(20))
    assert (1, 20) == (len(cache), cache.size)
    cache.keep("a/b", "1", kept(50))
    assert (0, 0) == (len(cache), cache.size)


def test_an_answer_belongs_to_its_repository() -> None:
    """The same address asked on behalf of another repository finds nothing."""
    cache = AnswerCache()
    cache.keep("acme/vault", "search", kept(1))
    assert cache.find("acme/the-nexus", "search") is None
