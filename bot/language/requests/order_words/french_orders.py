"""Requests to remember and to forget in French."""

from typing import Final

from bot.language.requests.order_words.order_patterns import OrderPatterns
from bot.text import patterns

_FRENCH: Final = {
    "soft": (
        r"(?:,? (?:bien|donc|aussi|surtout|s'il (?:te|vous) plait|stp|svp|pour (?:moi|nous|plus tard)|egalement"
        r"|quand meme"
        r"|toujours))"
    ),
    "can": (
        r"(?:(?:peux|pourrais|veux)[- ]tu|(?:pouvez|pourriez|voulez)[- ]vous|(?:est[- ]ce que )?(?:tu (?:peux|pourrais)"
        r"|vous (?:pouvez|pourriez)))"
    ),
    "head": r"(?:en (?:tete|memoire)|a l'esprit|dans ta memoire)",
    "keep": (
        r"(?:retiens|retenez|notez?|memorisez?|enregistrez?|sauvegardez?|inscris|inscrivez|prends note|prenez note"
        r"|(?:souviens|rappelle)[- ]toi"
        r"|(?:souvenez|rappelez)[- ]vous|n'oubliez? (?:pas|jamais|surtout pas))"
    ),
    "kept": r"(?:(?:te |vous )?(?:retenir|noter|memoriser|souvenir|rappeler)|enregistrer|sauvegarder)",
    "this": r"(?: (?:bien )?(?:de )?(?:ceci|cela|ca|ce qui suit|ces (?:\w{1,30} ){0,2}\w{1,30}|cette \w{1,30}))",
    "mine": r"(?:mon|ma|mes|notre|nos)\b",
}

FRENCH: Final = OrderPatterns(
    lead=(
        r"s'il (?:te|vous) plait|stp|svp|hey|he|salut|bonjour|bonsoir|coucou|ok|okay|alors|et|oui|ah|oh|bon|merci|super"
        r"|parfait|au fait|encore une chose|important|dis|tiens"
    ),
    told=patterns.either(
        r"""
        {keep}{soft}{0,3},? (?:du fait )?{that}
        (?:gardez?|mets|mettez){soft}{0,3} {head}{soft}{0,2},? {that}
        veuillez {kept}{soft}{0,2},? {that}
        (?P<ask>{can}){soft}{0,3} (?:{kept}|garder {head}){soft}{0,3},? {that}
        (?:tu (?:dois|devrais)|vous (?:devez|devriez)){soft}{0,3} (?:{kept}|garder {head}){soft}{0,3},? {that}
        (?:je (?:veux|voudrais|souhaite|souhaiterais)|j'aimerais|ce serait (?:bien|super|gentil)|il faut) que (?:tu\
            |vous) (?:te |vous )?(?:retiennes|reteniez|notes|memorises\
            |souviennes|rappelles|enregistres|gardes {head}){soft}{0,3},? {that}
        (?:retiens|retenez|notez?|memorisez?){soft}{0,3}\s(?={mine})
        """,
        _FRENCH | {"that": r"(?:que\s|qu'(?=\w))"},
    ),
    shown=patterns.either(
        r"""
        {keep}{soft}{0,3}{this}{soft}{0,2}\s?[:\n]
        (?:retiens|retenez|memorisez?|notez?{soft}){soft}{0,3}\s?[:\n]
        n'oubliez? (?:pas|jamais|surtout pas){soft}{0,2}\s?:
        (?:note a (?:moi|toi)[- ]meme|note pour (?:moi|toi|plus tard)|a (?:noter|retenir)|pour memoire|a ne pas oublier\
            |pense-bete)\s?[:\n]
        (?P<ask>{can}){soft}{0,3} {kept}{this}{soft}{0,2}\s?\??\s?[:\n]
        """,
        _FRENCH,
    ),
    pointed=patterns.either(
        r"""
        (?:retiens|retenez|notez?|memorisez?)(?:-l[ea]s?|{soft}{0,2} (?:ca|cela|ceci))(?: {head})?
        gardez?(?:-le|-la|-les)?(?: (?:ca|cela|ceci))? {head}
        n'oubliez? (?:pas|jamais) (?:ca|cela)|ne l'oubliez? (?:pas|jamais)|souviens[- ]t'en|souvenez[- ]vous[- ]en
        a (?:retenir|noter|ne pas oublier)
        {can} (?:le |la |les |t'en |vous en ){kept}|{can}{soft}{0,2} {kept} (?:ca|cela|ceci)
        """,
        _FRENCH,
    ),
    listed=patterns.either(r"{can}{soft}{0,3} {kept}{this}{soft}{0,3}|{keep}{this}{soft}{0,3}", _FRENCH),
    reminded=patterns.either(
        r"""
        rappelle[- ]moi{soft}{0,2} (?:que\s|qu'(?=\w))
        rappelle[- ]moi{soft}{0,2} (?:de\s|d')(?=(?:me |m'|te |les? |la |l')?\w{1,20}(?:er|ir|re)\b)
        (?P<ask>{can}) me rappeler (?:que\s|qu'(?=\w))
        """,
        _FRENCH,
    ),
    forgetting=patterns.either(r"(?:oubliez?|(?P<ask>{can}){soft}{0,3} oublier)\b(?: donc)?", _FRENCH),
    deleting=patterns.either(r"(?:effacez?|supprimez?|(?P<ask>{can}){soft}{0,3} (?:effacer|supprimer))\b", _FRENCH),
    everything=patterns.either(
        r"""
        tout (?:sur|a propos de|de|me concernant)(?: moi)?|toutes mes donnees|tous mes souvenirs
        tout ce que tu (?:sais|as (?:retenu|appris|note|enregistre)) (?:de|sur|a propos de) moi
        tout ce que je t'ai (?:dit|raconte)
        """
    ),
    last=patterns.either(
        r"""
        (?:tout )?(?:ca|cela|ceci)
        ce que je viens (?:de |d')(?:dire|t'?e?crire|te dire|ecrire)|mon dernier message|la derniere chose que j'ai dite
        """
    ),
    talk=r"(?:cette (?:conversation|discussion)|notre (?:conversation|discussion))",
    numbers=patterns.vocabulary("n no numero numeros souvenir souvenirs memoire memoires note notes le la les et n°"),
    clause=r"(?:donc )?(?:que |qu'(?=\w))",
    about=patterns.either(
        r"""
        tout ce que (?:tu sais|tu as (?:retenu|appris|note)|je t'ai dit|j'ai dit|je t'ai raconte) \
            (?:sur |de |d'|a propos de |concernant )
        (?:tout )?ce (?:que |qu')(?:je |j'|on |nous )(?:(?:t'|te |vous |vous )?(?:ai|a|avons|avais|avait)) \
            (?:dit|raconte|ecrit|explique|decide|prevu|poste)e? (?:sur |de |d'|du |des |pour |a propos (?:de |du |d')\
            |au sujet (?:de |du |d')|concernant )
        tout (?:sur |a propos de |a propos d'|concernant |ce qui concerne )
        """
    ),
    behind="",
    own=patterns.either(
        r"""
        {mine}
        (?:tout )?ce (?:que |qu')[^\W\d_]{1,30} (?:t'|m'|nous |vous )?(?:a|as|avait|ont|avez) (?:dit|raconte|ecrit\
            |explique) \
            (?:sur|de|du|des|a propos|au sujet|concernant)\b
        """,
        _FRENCH,
    ),
    known=r"(?:l'|(?:le|la|les)\b)",
    joint="et|ou",
    sighing=r"oh|ah|bah|bof|pff|boh",
    memory=r"(?:de|dans) (?:ta|votre|la) memoire|de (?:tes|vos) (?:souvenirs|notes)",
    pleading=r"s'il (?:te|vous) plait|stp|svp|merci",
    courtesy=r"s'il (?:te|vous) plait|stp|svp|merci|merci beaucoup|ok|okay|d'accord|oui",
    nothing=(
        r"(?:(?:ca|cela|ceci|tout|moi|toi|nous|merci|ok|bien|aussi|toujours|hathi|rien|quelque chose|qui|quoi|quand|ou"
        r"|comment|pourquoi)\b[\s\W]*)*"
    ),
    asking=patterns.either(
        r"""
        {lead}(?:peux|pourrais|sais|veux|as)[- ]tu\b|{lead}est[- ]ce que\b|{lead}qu'est[- ]ce (?:que|qui)\b
        {lead}(?:dis|donne|montre|envoie|explique|ecris|fais|cherche|trouve|rappelle|aide)[- ](?:moi|nous)\b
        {lead}(?:que|qui|quand|comment|pourquoi|combien|quel|quelle) (?:est|sont|dois|peux|puis|faut|faire)\b
        """,
        {"lead": r"(?:(?:et|mais|maintenant|alors|puis|donc)[\s,]+){0,3}"},
    ),
    errand=patterns.either(
        r"""
        ,? (?:et|puis) (?:(?:ensuite|puis|aussi|alors) ){0,2}(?:dis|donne|montre|envoie|explique|ecris|fais|cherche\
            |trouve)\
            [- ](?:moi|nous|lui)\b
        , (?:disait|dit|a dit|disent|disaient|repetait) (?:-?(?:il|elle|on)|\w{1,30}(?: \w{1,30})?)\W*$
        """
    ),
)
