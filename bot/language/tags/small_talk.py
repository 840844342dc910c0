"""Phrases that say nothing: greetings, thanks, fillers; in English, German, French and Spanish.

Phrases are separated by commas; spellings that differ by accents alone are the same.
"""

from typing import Final

GREETINGS: Final = """
    hi, hello, hey, heya, hiya, howdy, yo, greetings, welcome, welcome back, hi there, hello there, hey there,
    good morning, good afternoon, good evening, good night, good day, gm, gn, thanks, thank you, thank you so much,
    thank you very much, thanks a lot, thanks so much, many thanks, much appreciated, thx, ty, tysm, tyvm, cheers,
    thanks for your help, thanks for the help, thanks for that, thanks for this, thank you for your help,
    thank you for the help, bye, bye bye, goodbye, cya, farewell, see you, see you later, see ya, congrats,
    congratulations, good luck, well done, happy birthday, good job, nice work, good bot, bad bot,
    hallo, moin, moin moin, servus, gruss gott, gruezi, guten morgen, guten tag, guten abend, gute nacht, huhu, danke,
    danke schon, danke schoen, danke sehr, danke dir, danke euch, vielen dank, besten dank, herzlichen dank,
    tausend dank, tschuss, tschuess, ciao, tschau, auf wiedersehen, bis bald, bis spater, bis spaeter, bis dann,
    bis morgen, schonen tag, schonen tag noch, schonen abend, schonen abend noch, schones wochenende, viel gluck,
    willkommen, herzlichen gluckwunsch, alles gute,
    bonjour, salut, coucou, bonsoir, bonne nuit, bonne journee, bonne soiree, bon week-end, bonne chance, merci,
    merci beaucoup, merci bien, mille mercis, un grand merci, au revoir, a bientot, a plus, a plus tard, a demain,
    a toute, a tout a l'heure, bienvenue, felicitations, bravo,
    hola, buenas, buenos dias, buen dia, buenas tardes, buenas noches, gracias, muchas gracias, mil gracias,
    muchisimas gracias, adios, chao, hasta luego, hasta manana, hasta pronto, nos vemos, bienvenido, bienvenida,
    felicidades, buena suerte, que tengas un buen dia
"""
"""After one of these a name may follow."""

FILLERS: Final = """
    ok, okay, okey, okie, k, kk, alright, all right, all good, right, yes, yeah, yep, yup, ye, ya, y, yea, aye, no,
    nope, nah, n, sure, sure thing, of course, indeed, exactly, true, agreed, fine, cool, nice, nice one, great,
    good, very good, so good, awesome, perfect, excellent, amazing, wonderful, lovely, sweet, neat, wow, whoa, oh,
    ah, aha, uh, um, er, huh, hm, mm, mhm, uh huh, meh, oops, ouch, yay, woohoo, yikes, ugh, lol, lmao, lmfao, rofl,
    xd, haha, hehe, hihi, please, pls, plz, sorry, my bad, apologies, excuse me, no problem, no worries, np, nvm,
    never mind, you're welcome, you are welcome, yw, don't mention it, anytime, my pleasure, got it, gotcha, i see,
    i know, idk, i don't know, dunno, whatever, same, same here, me too, this, well, anyway, brb, afk, gtg, g2g,
    ttyl, back, i'm back, be right back, back soon, later, laters, morning, evening, night, night night, hugs,
    how are you, how are you doing, how are you today, how's it going, how is it going, what's up, whats up, sup,
    wassup, how do you do, and you, i'm fine, i am fine, i'm good, i'm ok, i am good, i'm great, doing well,
    not bad, so so, have a nice day, have a good day, have a good one, have a great day, have a good night,
    have fun, take care, talk later, talk soon, talk to you later, sleep well, nice to meet you, test, testing,
    just testing, just a test, this is a test, ping, pong, mic check, bump, f, gg, ggwp, wp, omg, wtf, smh, imo,
    tbh, rip, are you there, you there, anyone there, anybody there, anyone here, is anyone there, can you hear me,
    noted, understood, makes sense, sounds good, looks good, lgtm, will do, on it, done, got that, good question,
    interesting, fair, fair enough, i agree, i think so, maybe, perhaps, probably, hopefully, really, seriously,
    no way, no idea, good to know, good point, hooray, yay me, let's go, lets go, very nice, so nice, ja, jo, jep,
    jap, jawohl, nein, nee, ne, doch, klar, na klar, alles klar, alles gut, gut, sehr gut, super, toll, prima,
    genau, stimmt, passt, geht klar, in ordnung, einverstanden, bitte, bitte schon, bitte schoen, bitte sehr, gern,
    gerne, gern geschehen, sehr gerne, kein problem, kein ding, macht nichts, keine ahnung, entschuldigung,
    tut mir leid, wie geht's, wie gehts, wie geht es dir, wie geht's dir, mir geht's gut, mir geht es gut, und dir,
    und selbst, was geht, aha so, achso, ach so, na ja, naja, mal sehen, mahlzeit, gute besserung, schon, echt,
    krass, oui, ouais, ouaip, non, nan, d'accord, dac, ca va, ca va bien, ca marche, comment ca va, comment vas-tu,
    comment allez-vous, et toi, et vous, tres bien, bien, bien sur, parfait, genial, top, voila, exactement,
    tout a fait, de rien, je vous en prie, je t'en prie, s'il te plait, s'il vous plait, stp, svp, desole, desolee,
    pardon, excusez-moi, pas de probleme, pas de souci, pas grave, c'est bon, c'est parfait, quoi de neuf, mdr,
    ptdr, si, vale, claro, claro que si, por supuesto, de acuerdo, muy bien, perfecto, estupendo, guay, exacto,
    que tal, como estas, como esta, como va, y tu, y usted, todo bien, de nada, no hay de que, por favor, porfa,
    lo siento, perdon, perdona, disculpa, no pasa nada, no importa, jaja, jeje, jiji, quizas, tal vez, no se
"""
"""Whole phrases that tell nothing by themselves, nor one after the other."""

ADDRESSED: Final = """
    all, everyone, everybody, folks, guys, team, friends, people, y'all, you all, there, bot, hathi, friend, mate, dude,
    bro, man, alle, zusammen, leute, ihr, freunde, allerseits, tout le monde, tous, a tous, les amis, les gars, todos,
    a todos, todas, chicos, amigos, gente
"""
"""Who is addressed, by no name."""
