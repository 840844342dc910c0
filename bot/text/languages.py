"""The languages a space can choose, and which of them Postgres can reduce to stems."""

from typing import Final

STEMMED: Final = frozenset({
    "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian",
    "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
})  # fmt: skip
"""Those every Postgres from 15 on has a stemmer for."""
UNSTEMMED: Final = frozenset({
    "afrikaans", "albanian", "amharic", "azerbaijani", "belarusian", "bengali", "bosnian", "bulgarian",
    "burmese", "chinese", "croatian", "czech", "esperanto", "estonian", "filipino", "galician", "georgian",
    "gujarati", "hebrew", "icelandic", "japanese", "kannada", "kazakh", "khmer", "korean", "kurdish",
    "kyrgyz", "lao", "latin", "latvian", "luxembourgish", "macedonian", "malay", "malayalam", "maltese",
    "marathi", "mongolian", "pashto", "persian", "polish", "punjabi", "simple", "sinhala", "slovak",
    "slovenian", "somali", "swahili", "tajik", "tatar", "telugu", "thai", "turkmen", "ukrainian", "urdu",
    "uyghur", "uzbek", "vietnamese", "welsh", "xhosa", "yoruba", "zulu",
})  # fmt: skip
"""Those whose words are taken as they are, and told alike by their letters, unless the server has a configuration of
that name; `simple` is no language in particular."""
KNOWN: Final = STEMMED | UNSTEMMED
