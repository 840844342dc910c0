"""The default domains of memories, with the words and phrases that indicate each.

A word is listed if it indicates its domain whoever says it: "bank" does, "code" (of a vault) does not. English plurals
are derived; other languages are listed in the forms people use.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _listed(table: str) -> tuple[str, ...]:
    """The words and phrases of a table, between commas."""
    return tuple(phrase for part in table.split(",") if (phrase := " ".join(part.split())))


DOMAINS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "poetry": _listed(
            """
            poetry, poem, poet, poetic, haiku, sonnet, limerick, stanza, rhyme, verse, villanelle, iambic pentameter,
            gedicht, gedichte, lyrik, poesie, poeme, poemes, poesia, poema, poemas
            """
        ),
        "finance": _listed(
            """
            finance, financial, budget, money, bank, bank account, loan, mortgage, invoice, tax, taxes, salary, payroll,
            invest, investing, investment, investor, savings, stock market, dividend, bond fund, index fund, interest
            rate, credit card, debt, expense, refund, pension, insurance premium, crypto, bitcoin, exchange rate,
            geld, haushaltsplan, steuer, steuern, rechnung, rechnungen, gehalt, kredit, budgets, argent, banque, impot,
            impots, facture, factures, salaire, pret immobilier, dinero, banco, impuesto, impuestos, factura, facturas,
            presupuesto, sueldo, hipoteca
            """
        ),
        "garden": _listed(
            """
            garden, gardening, gardener, seedling, compost, flower bed, vegetable patch, raised bed, greenhouse, lawn,
            mulch, pruning, weeding, fertiliser, fertilizer, potting soil, allotment, tomato plant, rose bush,
            watering can, perennial, garten, gartenarbeit, rasen, hochbeet, gewachshaus, jardin,
            jardins, jardinage, potager, pelouse, jardines, jardineria, huerto, cesped, invernadero
            """
        ),
        "drafting": _listed(
            """
            draft, drafting, redraft, rewrite, rough draft, first draft, outline, manuscript, proofread, proofreading,
            copy editing, word count, chapter, paragraph, blog post, newsletter, press release, cover letter, essay,
            entwurf, entwurfe, manuskript, kapitel, brouillon, brouillons, manuscrit, chapitre, chapitres, borrador,
            borradores, manuscrito, capitulo, capitulos
            """
        ),
        "schedule": _listed(
            """
            schedule, scheduled, reschedule, rescheduled, calendar, appointment, deadline, due date, agenda, time slot,
            timetable, postpone, postponed, time zone, rota, roster, termin, termine, kalender, frist, zeitplan,
            stundenplan, calendrier, rendez-vous, echeance, horaire, horaires, emploi du temps, calendario, cita,
            citas, plazo, plazos, horario, horarios
            """
        ),
        "research": _listed(
            """
            research, researcher, study shows, literature review, hypothesis, hypotheses, experiment, survey results,
            dataset, data set, peer review, peer reviewed, citation, thesis, dissertation, white paper, case study,
            case studies, bibliography, forschung, studie, studien, umfrage, hypothese, hypothesen, recherche,
            experience scientifique, etude, etudes, these de doctorat, investigacion, estudio, estudios, hipotesis,
            tesis
            """
        ),
        "games": _listed(
            """
            game, gaming, gamer, video game, board game, card game, speedrun, speedrunning, minecraft, fortnite,
            valorant, league of legends, world of warcraft, dungeons and dragons, d&d, dnd, ttrpg, rpg, mmo, mmorpg,
            chess, poker night, xbox, playstation, nintendo, steam deck, steam sale, esport, esports, boss fight, raid
            night, game night, spiele, brettspiel, brettspiele, schach, jeu, jeux, jeu video, jeux video, echecs,
            juego, juegos, videojuego, videojuegos, ajedrez
            """
        ),
        "music": _listed(
            """
            music, musician, song, album, playlist, concert, band practice, band rehearsal, guitar, piano, violin,
            drummer, drum kit, bassline, melody, lyrics, lyric, choir, orchestra, spotify, vinyl, soundtrack, karaoke,
            musik, lieder, konzert, konzerte, gitarre, klavier, chor, musique, chanson, chansons, guitare,
            concerts, musica, cancion, canciones, concierto, conciertos, guitarra
            """
        ),
        "code": _listed(
            """
            coding, codebase, source code, code review, programming, programmer, software, python, javascript,
            typescript, java, golang, kubernetes, docker, postgres, postgresql, sql, git, github, gitlab, pull request,
            merge request, merge conflict, refactor, refactoring, compiler, unit test, stack trace, bugfix, hotfix,
            debugger, debugging, api, api key, backend, frontend, front end, back end, regex, deploy, deployed,
            deployment, c++, c#, html, css, linux, programmieren, programmierung, quellcode, programmation, logiciel,
            programacion, codigo fuente
            """
        ),
        "food": _listed(
            """
            food, recipe, cook, cooking, bake, baking, baker, bakery, bread, cake, cookie, pizza, pasta, soup, salad,
            sushi, curry, cheese, chocolate, coffee, tea, beer, wine, breakfast, lunch, dinner, brunch, dessert, snack,
            restaurant, vegan, vegetarian, gluten free, gluten, peanut, sourdough, barbecue, bbq, spicy, ingredient,
            essen, rezept, rezepte, kochen, backen, brot, kuchen, kase, kaffee, fruhstuck, mittagessen, abendessen,
            vegetarisch, nourriture, recette, recettes, cuisine, gateau, gateaux, fromage, petit dejeuner, vegetarien,
            vegetarienne, comida, receta, recetas, cocina, queso, desayuno, almuerzo, vegetariano, vegetariana
            """
        ),
        "travel": _listed(
            """
            travel, travelling, traveling, trip, flight, airport, airline, hotel, hostel, airbnb, passport, visa
            application, itinerary, itineraries, luggage, suitcase, vacation, holiday, road trip, train ticket,
            sightseeing, backpacking, jet lag, boarding pass, reise, reisen, urlaub, flug, fluge, flughafen, koffer,
            reisepass, voyage, voyages, vacances, vol retour, aeroport, valise, valises, passeport, viaje, viajes,
            vacaciones, vuelo, vuelos, aeropuerto, maleta, maletas, pasaporte
            """
        ),
        "pets": _listed(
            """
            pet, dog, puppy, cat, kitten, hamster, guinea pig, parrot, budgie, goldfish, aquarium,
            vet appointment, veterinarian, litter box, dog food, cat food, leash, tortoise, terrarium, haustier,
            haustiere, hund, hunde, katze, katzen, tierarzt, welpe, welpen, chien, chiens, chienne, chat noir, chaton,
            chatons, veterinaire, animal de compagnie, mascota, mascotas, perro, perros, perra, gato, gatos, gata,
            veterinario, cachorro, cachorros
            """
        ),
        "health": _listed(
            """
            health, healthy, doctor, dentist, hospital, clinic, therapy, therapist, medicine, medication, prescription,
            vaccine, vaccination, allergy, allergies, allergic, asthma, diabetes, migraine, headache, surgery, symptom,
            diagnosis, diagnoses, blood pressure, blood test, mental health, physiotherapy, nutrition, insomnia,
            gesundheit, arzt, arztin, zahnarzt, krankenhaus, allergie, allergien, allergisch, medikament, medikamente,
            impfung, sante, medecin, dentiste, hopital, allergique, medicament, medicaments, vaccin, salud, medico,
            medica, dentista, alergia, alergias, alergico, alergica, medicamento, medicamentos, vacuna
            """
        ),
        "sports": _listed(
            """
            sport, football, soccer, basketball, baseball, tennis, volleyball, hockey, rugby, cricket match, swimming,
            marathon, jogging, cycling, yoga, gym, workout, referee, world cup, olympics, climbing,
            bouldering, skiing, fussball, schwimmen, laufen gehen, turnhalle, fitnessstudio, radfahren, deporte,
            deportes, futbol, baloncesto, natacion, gimnasio, ciclismo, course a pied, natation, escalade
            """
        ),
        "events": _listed(
            """
            event, party, parties, meetup, birthday, anniversary, wedding, festival, conference, workshop, webinar,
            hackathon, movie night, watch party, giveaway, tournament, fundraiser, rsvp, venue, live stream, livestream,
            veranstaltung, veranstaltungen, geburtstag, hochzeit, konferenz, turnier, treffen, feier, evenement,
            evenements, anniversaire, mariage, fete, soiree jeux, tournoi, evento, eventos, cumpleanos, boda, fiesta,
            fiestas, torneo
            """
        ),
        "moderation": _listed(
            """
            moderation, moderator, moderate, mod team, mods, admin team, ban, banned, unban, ban appeal, mute, muted,
            spammer, spam, raid protection, harassment, server rule, rule of the server, community
            guideline, code of conduct, slow mode, warning points, report button, automod, server regeln, serverregeln,
            gebannt, regelverstoss, moderateur, moderateurs, banni, reglement, harcelement, moderador, moderadores,
            baneado, acoso, reglas del servidor
            """
        ),
        "work": _listed(
            """
            meeting, standup, stand-up, stakeholder, customer, colleague, coworker, office, job interview,
            project plan, milestone, sprint planning, retrospective, quarterly report, freelance, remote work,
            besprechung, besprechungen, kunde, kunden, kollege, kollegin, kollegen, buro, vorstellungsgesprach, reunion,
            reunions, collegue, collegues, bureau, entretien d'embauche, reuniones, cliente, clientes, oficina,
            entrevista de trabajo
            """
        ),
        "school": _listed(
            """
            school, university, college, homework, exam, lecture, teacher, professor, semester, tuition, classroom,
            assignment due, study group, scholarship, curriculum, schule, universitat, hausaufgaben, prufung, prufungen,
            lehrer, lehrerin, vorlesung, ecole, universite, devoirs, examen, examens, professeur, escuela, universidad,
            deberes, examenes, profesor, profesora
            """
        ),
        "art": _listed(
            """
            painting, painter, drawing, sketch, sketchbook, watercolor, watercolour, acrylics, sculpture, pottery,
            illustration, illustrator, art gallery, artwork, fan art, fanart, digital art, photography, photographer,
            crochet, knitting, calligraphy, malerei, zeichnung, zeichnungen, aquarell, gemalde, peinture, dessin,
            dessins, sculptures, pintura, dibujo, dibujos, escultura, acuarela, fotografia
            """
        ),
        "film": _listed(
            """
            movie, film, cinema, tv show, tv series, netflix, anime, documentary, sitcom, screenplay, box office,
            film director, kino, filme, serie, serien, dokumentation, dessin anime, series televisees, pelicula,
            peliculas, cine, documental
            """
        ),
        "books": _listed(
            """
            books, novel, bookshop, bookstore, library, book club, reading list, audiobook, ebook,
            paperback, fantasy series, short story, short stories, buch, bucher, romane, bibliothek, livre,
            livres, bibliotheque, libro, libros, novela, novelas, biblioteca
            """
        ),
        "home": _listed(
            """
            rent, landlord, flat share, apartment, plumber, plumbing, electrician, furniture, kitchen renovation,
            renovation, washing machine, dishwasher, fridge, cleaning, housework, chore, moving house, diy, miete,
            vermieter, wohnung, mobel, haushalt, umzug, loyer, proprietaire, appartement, meubles, demenagement,
            alquiler, casero, piso compartido, muebles, mudanza
            """
        ),
    }
)
