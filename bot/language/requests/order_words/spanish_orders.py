"""Requests to remember and to forget in Spanish."""

from typing import Final

from bot.language.requests.order_words.order_patterns import OrderPatterns
from bot.text import patterns

_SPANISH: Final = {
    "soft": (
        r"(?:,? (?:por favor|porfa|bien|tambien|siempre|nunca|ya|para (?:mi|nosotros|luego|despues|mas tarde)|eso si))"
    ),
    "can": r"(?:puedes|podrias|puede usted|puede|podria|quieres)",
    "head": r"(?:en (?:cuenta|mente|(?:la |tu )?memoria|la cabeza)|presente)",
    "keep": (
        r"(?:recuerd(?:a|e|en)|recordad|anot(?:a|e|en|ad)|apunt(?:a|e|en|ad)|memori(?:za|ce|cen|zad)|guard(?:a|e|ad)"
        r"|registr(?:a|e)"
        r"|tom[ae] nota(?: de)?|acuerdate(?: de)?|acuerdese(?: de)?|no (?:te |se )?olvid(?:es|e|eis)(?: de)?"
        r"|que no se te olvide)"
    ),
    "kept": (
        r"(?:recordar|anotar|apuntar|memorizar|guardar|acordarte(?: de)?|tomar nota(?: de)?|tener {head}"
        r"|no olvidar)"
    ).replace("{head}", r"(?:en cuenta|presente|en mente)"),
    "this": r"(?: (?:esto|eso|lo siguiente|est[ao]s (?:\w{1,30} ){0,2}\w{1,30}))",
    "mine": r"(?:mis?|nuestr[oa]s?)\b",
}

SPANISH: Final = OrderPatterns(
    lead=(
        r"por favor|porfa|oye|oiga|hola|hey|ok|okay|vale|bueno|y|si|ah|oh|gracias|genial|perfecto|por cierto"
        r"|una cosa mas"
        r"|importante|buenos dias|buenas(?: tardes| noches)?|pues"
    ),
    told=patterns.either(
        r"""
        {keep}{soft}{0,3},? que\s
        (?:ten|tenga|tened|guard[ae]|mant(?:en|enga)|conserva){soft}{0,3} {head}{soft}{0,2},? (?:de )?que\s
        (?P<ask>{can}){soft}{0,3} {kept}{soft}{0,3},? que\s
        (?:debes|deberias|tienes que|has de){soft}{0,3} {kept}{soft}{0,3},? que\s
        (?:quiero|quisiera|me gustaria|necesito|estaria bien|seria bueno) que (?:recuerdes|anotes|apuntes|memorices\
            |guardes|recordaras|anotaras\
            |te acuerdes de|tengas {head}){soft}{0,3},? que\s
        (?:recuerda|anota|apunta|memoriza){soft}{0,3}\s(?={mine})
        """,
        _SPANISH,
    ),
    shown=patterns.either(
        r"""
        {keep}{soft}{0,3}{this}{soft}{0,2}\s?[:\n]
        (?:recuerda|memoriza|(?:anota|apunta)(?:{soft})?){soft}{0,2}\s?[:\n]
        (?:tom[ae] nota|no (?:te )?olvides(?: nunca)?){soft}{0,2}\s?:
        (?:nota (?:para mi|a mi mism[oa]|mental|para (?:luego|despues))|para (?:recordar|no olvidar)\
            |recordatorio)\s?[:\n]
        (?P<ask>{can}){soft}{0,3} {kept}{this}{soft}{0,2}\s?\??\s?[:\n]
        """,
        _SPANISH,
    ),
    pointed=patterns.either(
        r"""
        (?:recuerda|anota|apunta|memoriza)(?:l[oa]s?|{soft}{0,2} (?:eso|esto))(?: {head})?
        no (?:lo|la|los|las) olvides(?: nunca)?|no (?:te )?olvides(?: de)? (?:eso|esto)|que no se te olvide
        ten(?:lo|la) {head}|(?:toma|tome) nota
        {can}{soft}{0,2} (?:recordar|anotar|apuntar|memorizar)(?:l[oa]s?| eso| esto)
        """,
        _SPANISH,
    ),
    listed=patterns.either(r"{can}{soft}{0,3} {kept}{this}{soft}{0,3}|{keep}{this}{soft}{0,3}", _SPANISH),
    reminded=patterns.either(
        r"""
        recuerdame{soft}{0,2} que\s(?!(?:decidimos|dijimos|hicimos|dije|hice|paso)\b)
        recuerdame{soft}{0,2} (?=(?!ayer\b)\w{2,20}(?:ar|er|ir)(?:me|te|lo|la|le)?\b)
        (?P<ask>{can}) recordarme que\s
        """,
        _SPANISH,
    ),
    forgetting=patterns.either(r"(?:olvid[ae]|olvidate de|olvidese de|(?P<ask>{can}){soft}{0,3} olvidar)\b", _SPANISH),
    deleting=patterns.either(r"(?:borr[ae]|elimin[ae]|(?P<ask>{can}){soft}{0,3} (?:borrar|eliminar))\b", _SPANISH),
    everything=patterns.either(
        r"""
        todo (?:sobre|acerca de|de) mi|todos mis (?:datos|recuerdos)
        todo lo que (?:sabes|has (?:aprendido|guardado|anotado)|recuerdas|tienes(?: guardado)?) (?:de|sobre\
            |acerca de) mi
        todo lo que te (?:dije|he dicho|conte)
        """
    ),
    last=(
        r"(?:(?:todo )?(?:eso|esto)|lo que (?:te )?acabo de (?:decir|decirte|escribir|contarte)|mi ultimo mensaje"
        r"|lo ultimo(?: que dije)?)"
    ),
    talk=r"(?:esta (?:conversacion|charla)|nuestra (?:conversacion|charla))",
    numbers=patterns.vocabulary("n no º o numero numeros recuerdo recuerdos nota notas el la los las y n.º nº"),
    clause=r"(?:de )?que ",
    about=patterns.either(
        r"""
        todo lo que (?:sabes|recuerdas|has aprendido|te dije|te he dicho|te conte|dije) (?:sobre |de |del |acerca de )
        (?:todo )?lo que (?:yo )?(?:te |os |les )?(?:dije|he dicho|conte|he contado|escribi|comente|dijimos|hablamos\
            |acordamos) \
            (?:sobre |de |del |acerca de |a proposito de |respecto a )
        lo del?\s
        todo (?:sobre |acerca de |lo de |lo relacionado con )
        """
    ),
    behind="",
    own=patterns.either(
        r"""
        {mine}
        (?:todo )?lo que (?:[^\W\d_]{1,30} )?(?:dijo|dijiste|conto|contaste|escribio|comento\
            |ha dicho) \S{1,30} ?(?:sobre|de|del|acerca)?\b
        """,
        _SPANISH,
    ),
    known=r"(?:el|la|los|las)\b",
    joint="y|e|o",
    sighing=r"oh|ah|bah|ay|uf|pff",
    memory=r"de (?:tu|la|su) memoria|de tus (?:recuerdos|notas)",
    pleading=r"por favor|porfa|gracias",
    courtesy=r"por favor|porfa|gracias|muchas gracias|ok|okay|vale|si|de acuerdo",
    nothing=(
        r"(?:(?:esto|eso|todo|mi|ti|nosotros|gracias|ok|vale|bien|tambien|siempre|hathi|nada|algo|quien|cuando|donde"
        r"|como"
        r"|por que)\b[\s\W]*)*"
    ),
    asking=patterns.either(
        r"""
        {lead}(?:puedes|podrias|sabes|quieres|tienes)\b
        {lead}(?:dime|dinos|dame|danos|muestrame|enviame|explicame|escribeme|hazme|buscame|ayudame|recuerdame\
            |cuentame)\b
        {lead}(?:que|quien|cuando|donde|como|cuanto|cual) (?:es|son|era|debo|puedo|hay|hago|tengo)\b
        """,
        {"lead": r"[\u00a1\u00bf]?(?:(?:y|pero|ahora|luego|entonces)[\s,]+){0,3}"},
    ),
    errand=patterns.either(
        r"""
        ,? y (?:(?:luego|despues|tambien) ){0,2}(?:dime|dame|muestrame|enviame|explicame|escribeme|hazme|buscame\
            |ayudame)\b
        , (?:decia|dijo|dice|dicen|decian|repetia) (?:el|ella|\w{1,30}(?: \w{1,30})?)\W*$
        """
    ),
)
