"""What languages are called beside their English names: by themselves, and by their codes; pure."""

import difflib
from collections.abc import Collection
from types import MappingProxyType
from typing import Final

from bot.text import folding

_NAMES: Final = """
    afrikaans=af arabic=ar=العربية armenian=hy=հայերեն azerbaijani=az=azərbaycanca basque=eu=euskara
    belarusian=be=беларуская bengali=bn=বাংলা bosnian=bs=bosanski bulgarian=bg=български catalan=ca=català
    chinese=zh=中文 croatian=hr=hrvatski czech=cs=čeština danish=da=dansk dutch=nl=nederlands english=en esperanto=eo
    estonian=et=eesti filipino=fil=tagalog finnish=fi=suomi french=fr=français galician=gl=galego georgian=ka=ქართული
    german=de=deutsch greek=el=ελληνικά gujarati=gu=ગુજરાતી hebrew=he=עברית hindi=hi=हिन्दी hungarian=hu=magyar
    icelandic=is=íslenska indonesian=id=bahasa_indonesia irish=ga=gaeilge italian=it=italiano japanese=ja=日本語
    kannada=kn=ಕನ್ನಡ kazakh=kk=қазақша khmer=km=ខ្មែរ korean=ko=한국어 kurdish=ku=kurdî kyrgyz=ky=кыргызча lao=lo=ລາວ
    latin=la=latina latvian=lv=latviešu lithuanian=lt=lietuvių luxembourgish=lb=lëtzebuergesch
    macedonian=mk=македонски malay=ms=bahasa_melayu malayalam=ml=മലയാളം maltese=mt=malti marathi=mr=मराठी
    mongolian=mn=монгол nepali=ne=नेपाली norwegian=no=norsk=nb=nn=bokmål=nynorsk pashto=ps=پښتو persian=fa=فارسی=farsi
    polish=pl=polski portuguese=pt=português punjabi=pa=ਪੰਜਾਬੀ romanian=ro=română russian=ru=русский
    serbian=sr=српски=srpski
    sinhala=si=සිංහල slovak=sk=slovenčina slovenian=sl=slovenščina somali=so=soomaali spanish=es=español=castellano
    swahili=sw=kiswahili swedish=sv=svenska tajik=tg=тоҷикӣ tamil=ta=தமிழ் tatar=tt=татарча telugu=te=తెలుగు thai=th=ไทย
    turkish=tr=türkçe turkmen=tk=türkmençe ukrainian=uk=українська urdu=ur=اردو uyghur=ug=ئۇيغۇرچە uzbek=uz=ozbekcha
    vietnamese=vi=tiếng_việt welsh=cy=cymraeg xhosa=xh=isixhosa yiddish=yi=ייִדיש yoruba=yo=yorùbá zulu=zu=isizulu
    albanian=sq=shqip amharic=am=አማርኛ burmese=my=မြန်မာ
    """
"""Each by its English name, its code, and then by its own."""
_MOST: Final = 3
"""Languages that are told for a name of none."""
_LIKENESS: Final = 0.6
"""How like a name of one it is, of 1."""
_CALLED: Final = MappingProxyType(
    {rest[0]: tuple(name.replace("_", " ") for name in rest[1:]) for rest in (row.split("=") for row in _NAMES.split())}
)
_BY_NAME: Final = MappingProxyType(
    {folding.folded(name): language for language, names in _CALLED.items() for name in (language, *names)}
)


def named(name: str) -> str:
    """The English name of a language that is named in any way; what is none of these in small letters."""
    return _BY_NAME.get(folding.folded(name.strip()), name.strip().lower())


def begins(language: str, typed: str) -> bool:
    """Whether a language is called something that begins with what is typed."""
    looked_for = folding.folded(typed)
    return any(folding.folded(name).startswith(looked_for) for name in (language, *_CALLED.get(language, ())))


def near(name: str, known: Collection[str]) -> list[str]:
    """Up to three of these languages by whose names a mistyped one is, the nearest first."""
    names = {**{language: language for language in known}, **_BY_NAME}
    found = difflib.get_close_matches(folding.folded(name), names, _MOST, _LIKENESS)
    return [language for language in dict.fromkeys(names[one] for one in found) if language in known]
