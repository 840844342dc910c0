"""What tells a Spanish question about the past."""

from types import MappingProxyType
from typing import Final

from bot.language.past.abroad.language_cues import LanguageCues, cues, spellings
from bot.text import patterns

_WORDS: Final = MappingProxyType(
    {
        "w": r"(?:que|quien|quienes|cuando|cuanto|cuanta|cuantos|cuantas|donde|adonde|como|cual|cuales|por que)",
        "lead": (
            r"\| (?:(?:y|pero|oye|oigan|hola|ey|ah|ok|vale|bueno|entonces|por cierto|hathi|a ver|dime|pues"
            r"|es que) ){0,4}"
        ),
        "said": (
            r"(?:dijo|dije|dijiste|dijimos|dijeron|decia|decias|escribio|escribi|escribieron|conto|conte|contaste"
            r"|prometio|prometi|prometiste|propuso|propuse|propusieron|sugirio|menciono|mencionaste|comento|comente"
            r"|comentaste|recomendo|aviso|anuncio|pregunto|ofrecio|publico|compartio|mando|explico|confirmo"
            r"|hablo|hablaron"
            r"|respondio|contesto|respondieron|contestaron|paso)"
        ),
        "saying": (
            r"(?:dicho|escrito|contado|prometido|propuesto|sugerido|mencionado|comentado|recomendado|avisado|anunciado"
            r"|preguntado|ofrecido|publicado|compartido|mandado|explicado|hablado|confirmado|apuntado|prestado)"
        ),
        "decided": (
            r"(?:decidimos|decidieron|acordamos|acordaron|quedamos|elegimos|eligieron|escogimos|planeamos|hablamos"
            r"|votamos|discutimos|reservamos|fijamos|organizamos|decidio|acordo|hicimos|fuimos|compramos|pusimos"
            r"|repartimos|aplazamos|cancelamos|dejamos|vimos|habiamos|hemos|estabamos|ibamos)"
        ),
        "the": r"(?:el|la|los|las|lo|del|al|nuestr[oa]s?|un|una|este|esta)",
        "event": (
            r"(?:ensayo|concierto|reunion|quedada|torneo|entrenamiento|fiesta|raid|excursion|viaje|bus|autobus|autocar"
            r"|taller|curso|demo|release|lanzamiento|actualizacion|plazo|cuota|barbacoa|cena|comida|asamblea|fecha"
            r"|mudanza|evento|sesion|funcion|gira|mercadillo|rifa|turno|actuacion|campamento|partida|despliegue|cumple"
            r"|cumpleanos|partido del (?:sabado|domingo|viernes))s?"
        ),
        "ours": (
            r"(?:codigo|contrasena|clave|wifi|llave|direccion|iban|acta|lista|enlace|link|archivo|carpeta"
            r"|formulario|caja"
            r"|presupuesto|sala|habitacion|local|partitura|programa|numero|alquiler|proyector|altavoz|altavoce"
            r"|sonido|cartel"
            r"|cartele|logo|camiseta|bebida|tarta|tarifa|cuota|junta|hotel|porteria|portero)e?s?"
        ),
        "past": (
            r"(?:ayer|anteayer|anoche|el otro dia|hace (?:un rato|poco|\S+ (?:dias?|semanas?|mes|meses|horas?))|antes"
            r"|la ultima vez|la ultima \w+|la semana pasada|el mes pasado|el ano pasado|el \w+ pasado|recientemente)"
        ),
    }
)

SPANISH: Final = LanguageCues(
    words=patterns.vocabulary(
        """
        me he has no a o su les le si mi un debo debe
        el la los las lo una unos unas de del al pero que quien quienes cuando cuanto cuanta cuantos cuantas
        donde adonde como cual cuales por para con sobre en es eran fue esta estan estaba estoy estas soy eres
        hay habia hemos han tengo tiene tienes tenemos hace hacer hago haces ser estar tu ella nosotros
        ustedes ellos te se nos mis sus nuestro nuestra nuestros nuestras este ese esa eso ya todavia aun muy
        mas menos hoy ayer manana siempre nunca alguien algo nada todo todos tambien dijo dije dijimos sabe
        sabes quiere quieres puedes puede voy va vas vamos ibamos quedamos recuerda recuerdame dame gracias
        hola vale buenas noches jaja jajaja hasta desde entonces porque cuentas explicame resumeme conoces
        olvida acuerdas acuerdo pedimos vemos llego sigue cumple
        """
    ),
    spelled=spellings(
        """
        q=que k=que xq=por_que pq=por_que porq=por_que xke=por_que ke=que kien=quien cdo=cuando dnd=donde tmb=tambien
        finde=fin_de_semana bn=bien
        """
    ),
    asking=(
        r"\| (?:(?:y|pero|oye|oigan|hola|ey|ah|ok|vale|bueno|entonces|por|cierto|hathi|a|de|en|con|para|desde"
        r"|hasta|al|no|ya"
        r"|alguien|me|se|te|les|lo|del) ){0,4}(?:que(?! (?:dia|bien|bueno|risa|guay|pena|asco|rico|lindo|mal"
        r"|fuerte|calor)\b)|quien|quienes|cuando"
        r"|cuant[oa]s?|donde|adonde|como|cual|cuales|por que|acuerdas|acuerdan|recuerdas|recuerda|recuerdan"
        r"|sabe|sabes|hay|decidimos"
        r"|hablamos|habiamos|quedamos|hemos|habias|dijimos|dijiste|decidio|ofrecio|dije|conte)\b"
    ),
    addressing=r"hey|hola|oye|gracias|ey|buenas|querido|querida|adios",
    rules=cues(
        _WORDS,
        (
            "asked to recall",
            5,
            r"""
            \b(?:te|se|os) (?:\S+ )?(?:acuerdas?|acuerdan|acordais)\b
            \b(?:recuerdas|recuerdan|recordais)\b|\balguien (?:se )?(?:recuerda|acuerda)\b
            \brecuerda(?:me|nos) (?:\S+ )?(?:lo que|que (?!(?:tengo|hay|debo)\b)|quien|cuando|donde|cual|como|cuanto\
                |en que|de que)\b(?! (?:manana|hoy)\b)
            \bno (?:me )?(?:acuerdo|recuerdo) (?:de |ya )?(?:lo |el |la )?(?:{w})\b
            \b(?:se me olvido|he olvidado|olvide) {w}\b
            """,
        ),
        (
            "left off",
            5,
            r"""
            \b(?:por )?donde (?:\S+ )?(?:ibamos|quedamos|estabamos|lo dejamos|nos quedamos)\b
            {lead}que (?:cosas )?me (?:\S+ )?(?:perdi|he perdido)\b
            \bresum(?:e|en|eme|enos) (?:lo que|la reunion|la conversacion|lo de|nuestra|lo)\b
            \bde que (?:se )?(?:hablaron|hablo|hablaban|hablamos|hablabamos|va la reunion)\b
            \bque (?:paso|ha pasado|ocurrio)\b[^|]{0,60}\b(?:{past}|aqui|reunion|mientras)\b
            """,
        ),
        (
            "what somebody said",
            4,
            r"""
            \b{w} (?:[^|? ]+ ){0,4}?{said}\b
            \b{w} (?:[^|? ]+ ){0,4}?(?:ha|has|he|habia|habias|han|habian|hemos) {saying}\b
            {lead}(?:\S+ ){0,2}?no (?:{said}|habias? {saying}|ha {saying})\b[^|]{0,200}\?
            {lead}{said} (?:el|la|los|las|alguien|ya)\b[^|]{0,200}\?
            \bque (?:ponia|decia) (?:\S+ )?en\b
            {lead}(?:ya )?(?:te|les|os) (?:dije|conte|he dicho|he contado|comente|mencione)\b
            \balguien (?:\S+ ){0,2}?(?:{said}|ha {saying}|sabe (?:quien|cuando|donde|si|a que)|quedo)\b
            \b(?:quien|quienes) (?:iba|iban|queria|querian|tenia|debia|traia|traian|tuvo|estuvo|estuvieron|fue\
                |fueron|era|eran|habia|trajo|trae|puso|hizo)\b
            \bde quien (?:fue|era|es)\b
            """,
        ),
        (
            "shared past",
            4.6,
            r"""
            \b{w} (?:[^|? ]+ ){0,4}?{decided}\b
            {lead}(?:ya |no |al final )?(?:{decided}|se decidio|se acordo)\b[^|]{0,200}\?
            {lead}ya (?:hablamos|decidimos|quedamos|acordamos|elegimos|hemos)\b
            \b{w} (?:\S+ ){0,3}?(?!podemos\b|hacemos\b|tenemos que hacer\b|pedimos\b|comemos\b\
                |vamos a comer\b)(?:tenemos que|\w{3,}(?:amos|emos|imos))\b
            \bnuestr[oa]s?\b[^|]{0,100}(?:\?)(?<!planeta \?)
            \b{w} [^|]{0,60}\bnuestr[oa]s?\b(?! (?:planeta|sol|sistema solar|cuerpo|galaxia))
            \ben que (?:\S+ )?(?:quedo|quedamos|quedo lo)\b
            """,
        ),
        (
            "again",
            4,
            r"""
            \b(?:que|quien|cual|cuando|como|donde|cuanto|de que \S+|a que \S+) (?:\S+ )?(?:era\
                |eran)\b(?!.{0,60}\b(?:siglo|guerra|rey|reina)\b)
            \bcomo (?:era|se llamaba) (?:\S+ ){0,4}
            """,
        ),
        (
            "what I did",
            4,
            r"""
            \b(?:a que|donde|cuando|en que \S+|con quien|de quien|cuanto) (?:\S+ ){0,2}?(?:soy|vivo|estoy|debo|tengo\
                |canto\
                |juego|trabajo|duermo)\b(?! que\b)
            \bme (?:debe|deben|debia)\b|\bcuanto (?:le|te|les) debo\b
            \b(?:como se llama|cuando es|cual es|donde esta|quien es|cuanto|que) (?:\S+ ){0,2}?(?:mi|mis)\b(?! (?:pc\
                |ordenador|codigo|problema|movil|telefono|coche|script|programa|cuenta))
            """,
        ),
        (
            "work without a name",
            3.4,
            r"""
            \b(?:cuando|donde|quien|a que hora|que dia|cuanto|por que|como) (?:\S+ ){0,4}?{the} (?:\S+ ){0,1}?{event}\b
            {lead}(?:es |ya hay |hay )?{the} {event} (?:\S+ ){0,3}?(?:es|sera|sigue|queda|o)\b[^|]{0,80}\?
            {lead}no habia\b
            \b(?:a que hora|que dia|cuando|donde) (?:\S+ )?hay que (?:estar|llegar|salir|pagar|traer)\b
            \bhay (?:\S+ ){0,1}?(?:fecha|decision|plan|reunion|hora|acta|ensayo)\b
            """,
        ),
        (
            "known only here",
            3.4,
            r"""
            \b(?:quien|quienes|donde|cual|cuando|cuanto|que) (?:\S+ ){0,4}?{the} (?:\S+ ){0,1}?{ours}\b
            \bquien(?:es)? (?:se )?(?:\S+ )?(?:trae|traen|encarga|ocupa|organiza|lleva|toma|compra|conduce|juega\
                |canta|tiene (?:el|la|los|las)|presto|falta)\b
            """,
        ),
        (
            "how it stands",
            3.4,
            r"""
            \b(?:que fue de|que paso con|como va lo|como quedo|en que quedo|que hay de lo)\b
            \bsigue (?:\S+ )?(?:enferm[oa]|en pie|pendiente|vigente|malo|mala)\b
            \bya (?:esta|estan) (?:\S+ )?(?:list[oa]|hech[oa]|reservad[oa]|pagad[oa]|arreglad[oa])s?\b
            """,
        ),
        ("time past", 2.6, r"\b{past}\b"),
        (
            "request",
            -4,
            r"""
            {lead}(?:puedes|podrias|me puedes|me podrias|me) (?!acuerdo\b|debe|deben|puedes recordar\
                |recuerdas)(?:\S+ ){0,1}?(?!recordar|decir (?:quien|cuando|que))(?:traducir|contar|cuentas|escribir\
                |hacer|explicar|ayudar|dar|recomendar|buscar|calcular|cantar|ensenar|crear|haces)\b
            {lead}(?:escribe|escribeme|explica|explicame|dame|haz|hazme|traduce|crea|muestrame|busca|calcula\
                |cuentame|ayudame|recomienda|recomiendame|apunta|anota|recuerda que|resumeme este|resume este)\b
            \brecuerda(?:me|nos) (?:\S+ )?(?:manana|hoy|llamar|comprar|que tengo|en|el|la|a las)\b(?! que)
            \balguien (?:quiere|se apunta|viene|tiene ganas)\b
            """,
        ),
        (
            "how to",
            -4.5,
            r"""
            \bcomo (?:se (?!llama)|puedo|hago|\w+o\b|hacer|hay que|puede)
            \b(?<!a que hora )(?<!que dia )(?:hay que|se puede|puedo|(?:que|como|donde) debo|que hago|que cocino\
                |cuanto tarda|cuanto tardan)\b
            """,
        ),
        (
            "general knowledge",
            -4.6,
            r"""
            \b(?:invento|descubrio|compuso|pinto|fundo|capital|habitantes|presidente|ministro|rey|reina|emperador\
                |planeta|guerra|pelicula|serie|novela|actor|actriz|sol|luna|cielo|diferencia entre|torre eiffel\
                |nacio|murio|mundial|bitcoin|poblacion|siglo)\b
            \b(?:que hora es|que tiempo|significa|como se (?:dice|escribe)|que es (?:un|una)|cual es (?:la|el) mejor\
                |cuanto (?:mide|cuesta un|cuesta una))\b
            \bquien (?:va a ganar|gana|escribio (?!eso|que|esto|el mensaje|en|lo))\b
            """,
        ),
        (
            "small talk",
            -4.5,
            r"""
            \b(?:que tal|que haces|que piensas|que opinas|que quieres|que te gusta|te gusta|te apetece|eres un\
                |conoces|sabes cantar|prefieres|como estas|como te va|tu finde|que dia|vienen)\b
            """,
        ),
    ),
)
