"""What tells a French question about the past."""

from types import MappingProxyType
from typing import Final

from bot.language.past.abroad.language_cues import LanguageCues, cues, spellings
from bot.text import patterns

_WORDS: Final = MappingProxyType(
    {
        "w": (
            r"(?:qui|que|qu|quoi|quand|ou|comment|combien|pourquoi|quel|quelle|quels|quelles|lequel|laquelle"
            r"|ce qu?e?)"
        ),
        "lead": (
            r"\| (?:(?:et|mais|hey|salut|bonjour|dis|dites|ah|oh|ok|alors|donc|du coup|au fait|hathi|bon"
            r"|sinon) ){0,4}"
        ),
        "said": (
            r"(?:dit|ecrit|raconte|promis|propose|mentionne|suggere|recommande|conseille|poste|envoye|partage|annonce"
            r"|demande|offert|explique|note|repondu|precise|parle|confirme|publie|mis)"
        ),
        "decided": (
            r"(?:decide|convenu|prevu|choisi|vote|discute|parle|fixe|planifie|arrete|reserve|retenu|regle|pris|dit"
            r"|repousse|annule|organise|reparti)"
        ),
        "have": r"(?:a|as|ai|avons|avez|ont|avait|avais|avaient|avions|aviez|est|etait|etais|sommes|s est|s etait)",
        "the": r"(?:le|la|les|l|du|des|au|aux|notre|nos|votre|vos|ce|cette|un|une|pour)",
        "event": (
            r"(?:repetition|repet|repete|concert|reunion|rendez vous|rdv|tournoi|entrainement|match amical|soiree|fete"
            r"|raid|sortie|voyage|bus|car|atelier|cours|demo|release|sortie|mise a jour|deadline|echeance|cotisation"
            r"|weekend|week end|stage|barbecue|repas|apero|assemblee|ag|repas|permanence|date|demenagement|evenement"
            r"|session|representation|spectacle|generale|tournee|brocante|tombola|vide grenier|stand up|deploiement)s?"
        ),
        "ours": (
            r"(?:code|mot de passe|mdp|wifi|cle|clef|adresse|iban|compte rendu|cr|liste|lien|fichier|dossier|formulaire"
            r"|caisse|budget|salle|chambre|local|partition|planning|programme|numero|loyer|projecteur|enceinte|sono"
            r"|affiche|logo|maillot|clefs|boisson|gateau|cachet|tarif|cotisation|bureau)s?"
        ),
        "past": (
            r"(?:hier|avant hier|l autre jour|tout a l heure|tantot|la derniere fois|la semaine derniere"
            r"|le mois dernier"
            r"|l an dernier|l annee derniere|recemment|precedemment|a l epoque|il y a (?:\S+ ){1,2}(?:jours?|semaines?"
            r"|mois|heures?))"
        ),
        "us": r"(?:on|nous|vous|tu|je|j|il|elle|ils|elles|quelqu un|qqn)",
    }
)

FRENCH: Final = LanguageCues(
    words=patterns.vocabulary(
        """
        on a as me an es se si sa mon fait contre soit faut doit sans
        le la les l un une des du de et ou mais donc que qui quoi quand comment combien pourquoi quel quelle
        quels quelles qu je j tu il elle nous vous ils elles c ce cette ces est sont etait etais sommes suis
        sera ai avons avez ont avait avais avaient pas plus ne en dans pour avec sur sous chez par aux au mon
        ma mes ton ta tes notre nos votre vos sa ses te toi moi lui leur quelqu faut fais peux peut veux veut
        va vas vais deja encore toujours hier demain soir aujourd hui samedi merci salut bonjour bonne nuit
        mdr dis tres vraiment jusqu depuis connais rappelle rappelles explique donne ecris resume oublie ca
        cela
        """
    ),
    spelled=spellings(
        """
        quon=qu_on quest=qu_est cest=c_est cetait=c_etait jai=j_ai javais=j_avais ta=t_a tas=t_as tavais=t_avais
        ya=y_a yavait=y_avait ki=qui koi=quoi kan=quand keske=qu_est_ce_que kesk=qu_est_ce_qu qd=quand cb=combien
        pk=pourquoi pq=pourquoi stp=stp dr=dr setait=c_etait sait=sait quelquun=quelqu_un qqun=quelqu_un qqn=quelqu_un
        aujourdhui=aujourd_hui anniv=anniversaire daccord=d_accord
        """
    ),
    asking=(
        r"\| (?:(?:et|mais|hey|salut|bonjour|dis|dites|ah|oh|ok|alors|donc|du|coup|au|fait|hathi|bon|sinon|a|de|en|avec"
        r"|pour|depuis|jusqu|par|sur|chez|dans|c est|c etait) ){0,4}(?:qui|quoi|quand|ou|comment|combien"
        r"|pourquoi|quels?"
        r"|quelles?|qu est|qu a|qu avons|qu avez|que|est ce|y a|il y a (?:eu|qui)|avons nous|avez vous|as tu"
        r"|a t|tu te|quelqu un|t as)\b"
        r"|\b(?:quand|quoi|qui|deja|ou)(?: deja)? (?:\||\?)|\bcombien\b|(?<!importe )\bquoi\b|\b(?:c est"
        r"|c etait|est|etait|on \S+|dit|s \S+|disais|mange) "
        r"(?:pas )?(?:quand|quoi|ou|qui|quel|quelle|combien)\b|\ba quelle heure\b|\bquelle? \S+ deja\b"
        r"|\bdans quelle? \S+"
    ),
    addressing=r"hey|salut|bonjour|coucou|merci|ciao|bonsoir|cher|chere",
    rules=cues(
        _WORDS,
        (
            "asked to recall",
            5,
            r"""
            \b(?:te|t) (?:en )?(?:souviens|rappelles)(?: tu)?\b
            \b(?:vous|se) (?:en )?(?:souvenez|rappelez|souvient|rappelle)\b
            \b(?:souviens|rappelles|souvenez|rappelez) (?:tu|toi|vous)\b(?! que\b)
            \b(?:rappelle|rappelez|redis|redites) (?:moi|nous) (?:\S+ )?(?:ce qu|qui|quand|ou|comment|combien\
                |pourquoi|quel\w*)
            \bj(?:e)? (?:ne )?(?:sais|me (?:souviens|rappelle)) (?:plus|pas) (?:\S+ )?{w}\b
            \bj ai (?:\S+ )?oublie (?:\S+ )?{w}\b
            """,
        ),
        (
            "left off",
            5,
            r"""
            \b(?:on|nous) en (?:etait|est|etions) (?:\S+ )?ou\b|\bou (?:\S+ ){0,3}?en (?:etait|est|etions)\b
            \b(?:j ai|ai je|on a) (?:\S+ ){0,2}?(?:rate|loupe|manque)\b
            \bresume[sz]? (?:moi |nous )?(?:ce qu|la reunion|les discussions|notre|nos|la discussion|le dernier)
            \b(?:de quoi|quoi) (?:\S+ ){0,4}?(?:parle|parliez|discute)\b
            \b(?:il|qu est ce qu il|qu) s est (?:passe|dit)\b[^|]{0,60}\b(?:{past}|ici|reunion|pendant)\b
            """,
        ),
        (
            "what somebody said",
            4,
            r"""
            \b{w} (?:[^|? ]+ ){0,8}?{have} (?:(?:deja|pas|bien|dit|encore) ){0,2}{said}\b
            {lead}(?:est ce qu(?:e)? )?(?:[^|? ]+ ){1,4}?(?:avait|avais|as|a|ai|avez|avaient) (?:(?:deja|pas|bien\
                |jamais) ){0,2}{said}\b[^|]{0,200}\?
            \b(?:{us}|\S+) (?:a|ai|as|avait|avais|avez|avaient) dit (?:quoi|ou|quand|quel\w*|combien|comment|qui)\b
            \b(?:disait|disais|voulait|devait|proposait|voulais|devais|disiez) quoi\b|\bqui (?:voulait|devait\
                |proposait|disait|pouvait)\b
            \bquelqu un (?:\S+ )?(?:a |s est |avait )?(?:deja )?(?:\S+ ){0,2}?(?:propose|dit|trouve|reserve|paye\
                |achete|repondu|vu|pris|sait (?:qui|quand|ou|si|quel\w*))\b
            """,
        ),
        (
            "shared past",
            4.6,
            r"""
            \b(?:on|nous|vous|s) (?:a|avait|avons|avions|avez|aviez|est|etait|s est|s etait) (?:(?:deja|pas|bien\
                |finalement|tous|pris|mis) ){0,2}(?:{decided}|mis d accord|d accord)\b[^|]{0,200}\?
            \b{w} (?:[^|? ]+ ){0,6}?(?:on|nous) (?:a|avait|avons|avions) (?:\S+ )?(?!besoin\b)\S{3,}
            \b(?:on|nous) (?:a|avons|avait) \S{2,} (?:combien|quoi|qui|ou|quand)\b
            \b(?:on|nous) (?:soit|doit|devait) (?:\S+ ){0,3}?(?:quand|ou|a quelle heure)\b
            \b(?:avons|avions|avez|aviez) (?:nous|vous) (?:\S+ )?\S{3,}
            \bquel(?:le)?s? \S+ (?:on|nous) (?:a|avait|avons|fait|prend)\b
            \b(?:on|nous) (?:avait|avions|etait|etions|s etait) (?:\S+ ){1,4}?(?:quoi|quand|ou|quel\w*|qui|combien\
                |deja)\b
            \b(?:on|nous) (?:se )?(?!va\b|fait quoi\b|mange\b)\S+ (?:\S+ ){0,4}?(?:quand|ou|a quelle heure\
                |avec qui)(?: deja| ce week end| samedi| a \S+)? (?:\?|\|)
            \b(?:depuis quand|jusqu a quand|quand|ou) (?:est ce qu )?on (?!va\b|peut\b|met\b|trouve\b|achete\b)\S+
            \bon (?:se )?(?:dort|retrouve|voit|repete|joue|part|chante) (?:ou|quand|quoi|a quelle heure)\b
            \b(?:notre|nos)\b[^|]{0,100}(?:\?|\b(?:quand|ou|quelle heure|combien)\b)(?<!planete)
            \bdate (?:\S+ ){1,3}?est (?:deja )?(?:fixee|decidee|connue)\b
            """,
        ),
        (
            "again",
            4,
            r"""
            \b(?:quoi|quand|ou|qui|quel\w*|combien|comment)\b[^|?]{0,80}\bdeja (?:\?|\|)
            \b(?:c etait|c est|il etait|s appelait) (?:quoi|quand|qui|ou|quel\w*|combien)\b[^|?]{0,60}\bdeja\b
            \bc etait (?:quand|qui|ou|quoi (?:le|la|l|les|notre)|quel\w*|combien)\b
            """,
        ),
        (
            "what I did",
            4,
            r"""
            \b(?:a quoi|ou|quand|dans quelle? \S+|avec qui|combien|qui) (?:\S+ ){0,3}?(?:je|j) (?:suis|habite|dois\
                |ai|avais|chante|joue|travaille|dors)\b
            \bje (?:suis|dois|chante|joue|dors|habite) (?:dans |chez |avec )?(?:qui|quelle?|combien|ou|a quel\w*)\b
            \b(?:me|nous) (?:doit|doivent|devait)\b|\bje dois combien\b
            \b(?:est ce que |)(?:je|j) (?:vous |t |te )?(?:ai|avais) (?:deja )?(?:dit|raconte|donne|parle)\b
            \b(?:quand|comment|ou|quel\w*|qui)\b (?:\S+ ){0,4}?(?:mon|ma|mes)\b(?! (?:pc|ordi|ordinateur|code\
                |probleme|telephone|portable|voiture|script|programme|wifi|compte))
            """,
        ),
        (
            "work without a name",
            3.4,
            r"""
            \b(?:quand|ou|qui|a quelle heure|combien|quoi|comment|pourquoi) (?:\S+ ){0,5}?{the} (?:\S+ ){0,1}?{event}\b
            \b{the} {event}\b[^|]{0,40}\b(?:quand|ou|a quelle heure|quel jour|combien|quoi)\b
            {lead}(?:il )?y avait (?:\S+ )?pas\b
            {lead}(?:est ce que )?{the} {event} (?:\S+ ){0,6}?(?:est|c est|a|aura|sera|tient|reste|ou)\b[^|]{0,80}\?
            \by a (?:\S+ ){0,2}?(?:decision|date|reunion|plan|horaire|compte rendu)\b[^|]{0,80}\?
            """,
        ),
        (
            "known only here",
            3.4,
            r"""
            \b(?:qui|ou|quand|combien|quel\w*|c est quoi|quoi) (?:\S+ ){0,4}?{the} (?:\S+ ){0,1}?{ours}\b
            \b{the} {ours}\b[^|]{0,30} (?:c est|est|etait) (?:quoi|ou|qui|combien)\b
            \bqui (?:\S+ ){0,1}?(?:apporte|ramene|s occupe|s occupait|organise|gere|prend|achete|conduit|joue|chante\
                |prete|a pris|amene|a eu|etait la|a prete|avait)\b
            \bil y avait qui\b
            """,
        ),
        (
            "how it stands",
            3.4,
            r"""
            \b(?:ca a donne quoi|qu a donne|ou en est|ou en sont|qu est devenu|qu est ce qu est devenu)\b
            \b(?:est|sont) (?:toujours|deja|encore) (?:\S+ )?(?:malade|la|prete?|regle|fini|valable|absente?|reserve\
                |paye)\w?\b
            """,
        ),
        ("time past", 2.6, r"\b{past}\b"),
        (
            "request",
            -4,
            r"""
            {lead}(?:tu peux|peux tu|vous pouvez|pourrais tu|tu pourrais|pouvez vous) (?:\S+ ){0,2}?(?!\S*rappel\
                |redire|me dire (?:qui|quand|ou|ce))\S+
            {lead}(?:ecris|explique|donne|fais|traduis|cree|montre|cherche|calcule|raconte|aide|trouve|note\
                |souviens toi que|retiens|resume[sz]? (?:moi |nous )?(?:ce texte|cet article))\b
            \brappelle (?:moi|nous) (?:\S+ )?(?:de|d|demain|que|dans|a|ce soir|lundi|mardi|mercredi|jeudi|vendredi\
                |samedi|dimanche)\b
            \b(?:quelqu un|qui) (?:veut|voudrait|vient|est chaud)\b
            {lead}(?:on|vous) (?:commande|va|vient|venez|joue|mange)\b(?!.{0,60}\b(?:quand|ou|heure|deja)\b)
            """,
        ),
        (
            "how to",
            -4.5,
            r"""
            \b(?:comment|combien de temps|ou|quand) (?:est ce qu |est ce que )?(?:(?:on|je|tu|faire|pour|peut on\
                |puis je)\b (?!a\b|avait\b|s est\b|habite\b|dois a\b|dort\b|se\b|suis\b|fait\b|paie\b|doit\b|part\b\
                |joue\b)|\w+er\b|\w+ir\b|\w+re\b(?<!notre)(?<!votre)|enlever)
            \b(?:faut (?!qu on\b)|doit on|peut on|on peut)\b
            \bje (?:fais|peux|dois faire|mets) (?:quoi|comment|ou)\b
            """,
        ),
        (
            "general knowledge",
            -4.6,
            r"""
            \b(?:invente|decouvert|compose|peint|fonde|capitale|habitants|president|ministre|roi|reine|empereur\
                |planete|guerre|film|serie|roman|acteur|actrice|soleil|lune|ciel|meteo|difference entre|tour eiffel\
                |ne|nee|mort|morte|coupe du monde|bitcoin|population|siecle)\b
            \b(?:quel temps|quelle heure (?:est il|il est)|il est quelle heure|veut dire|signifie|comment on (?:dit\
                |ecrit)|c est quoi (?:un|une|la meilleure|le meilleur|la difference))\b
            \bqui (?:va gagner|gagne|a ecrit (?!ca|qu|que|ici|le message|dans))\b|\bcoute combien un\b\
                |\bcombien coute un\b
            """,
        ),
        (
            "small talk",
            -4.5,
            r"""
            \b(?:ca va|tu vas bien|tu fais quoi|tu penses quoi|que penses tu|qu est ce que tu (?:penses|fais|aimes)\
                |tu aimes|tu connais|tu veux|t as envie|t es un|es tu|tu sais|tu preferes|ton week end|ta journee\
                |quelle (?:journee|horreur|chance))\b
            """,
        ),
    ),
)
