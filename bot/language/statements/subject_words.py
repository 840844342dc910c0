"""Words beside which a word in small letters is somebody's name, or is none; the languages one after another."""

from typing import Final

from bot.text import patterns

ARTICLES: Final = patterns.vocabulary(
    """
    a an the this that these those my your his her its our their every each no any some which what another one
    der die das den dem des ein eine einen einem einer eines dieser diese dieses kein keine keinen mein meine dein deine
    sein seine ihr ihre unser unsere euer eure jeder jede jedes
    le la les l un une des du de ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs chaque
    el los las una unos unas este esta ese esa mi mis tu tus su sus nuestro nuestra cada ningun ninguna
    """
)
"""What stands before a thing, and before nobody's name."""
PREDICATES: Final = patterns.vocabulary(
    """
    is isn't was wasn't has hasn't had will won't would can can't could should shouldn't must may might does doesn't did
    didn't never always often usually still also only just really hates loves likes dislikes prefers wants needs owes
    lives works plays drinks eats smokes drives speaks knows thinks says said told owns keeps brings brought got gets
    takes took comes came goes went makes made moved moves bought sells sold wears hosts runs ran leads teaches studies
    sleeps snores smells steals stole lies lied cheats cheated forgot forgets lost broke breaks sings dances cooks bakes
    paid pays married divorced retired joined left quit
    ist war hat hatte wird kann muss soll will darf mag mochte wohnt lebt arbeitet isst trinkt spielt hasst liebt kommt
    geht macht bringt sagt sagte weiss braucht schuldet immer nie oft
    est etait a avait sera peut doit aime deteste prefere habite travaille mange boit joue vient va fait apporte dit
    veut toujours jamais
    es era esta estaba tiene tenia puede debe ama odia prefiere vive trabaja come bebe juega viene va hace trae dice
    quiere siempre nunca
    """
)
"""What follows the name of somebody of whom something is told."""
