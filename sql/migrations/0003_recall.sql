-- Recall: one reading of text for everything that is searched, the date among what a message is found by, and names.

-- The text search configuration of a language; `simple`, which only tells words apart, where this server has none.
CREATE FUNCTION other_text_config(language text) RETURNS regconfig
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce((SELECT oid::regconfig FROM pg_ts_config
                     WHERE cfgname = language AND pg_ts_config_is_visible(oid)), 'simple'::regconfig)
$$;
-- Those that every server has are not looked up: this is put into the statement that calls it.
CREATE FUNCTION text_config(language text) RETURNS regconfig
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN language IN (
        'simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french',
        'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian',
        'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish')
    THEN language::regconfig ELSE other_text_config(language) END
$$;

-- The letters of scripts that leave no blanks between words, or whose words no stemmer of Postgres takes apart: Thai
-- and Lao, Burmese, Khmer, Chinese, Japanese, Korean.
CREATE FUNCTION unspaced_letters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31ff'
           '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;

-- They are found by pairs. The last letter of a run also stands alone, so that each letter begins a word of the index
-- and a query of one letter finds it; in a query that would find what merely ends alike.
CREATE FUNCTION letter_pairs(body text, is_query boolean) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT pair
        FROM (SELECT n, at, count(*) OVER run AS letters,
                     letter || coalesce(lead(letter) OVER (run ORDER BY at), '') AS pair
              FROM regexp_matches(body, unspaced_letters() || '+', 'g') WITH ORDINALITY AS runs (run, n),
                   string_to_table(run[1], NULL) WITH ORDINALITY AS spelled (letter, at)
              WINDOW run AS (PARTITION BY n)) AS found
        WHERE NOT is_query OR at < letters OR letters = 1
        ORDER BY n, at)
$$;

-- A text that is not all ASCII: accents, full-width letters and the like become plain ones first. Some endings are known
-- to a stemmer by their accents alone (arrivées, razões), so a text is also found by what it makes of those.
CREATE FUNCTION folded_vector(config regconfig, body text, is_query boolean) RETURNS tsvector
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
    spelled text := regexp_replace(normalize(body, NFKC), '[-+/<>]', ' ', 'g');
    folded text := regexp_replace(unaccent(regexp_replace(spelled, '[\u0300-\u036f]+', '', 'g')), '[-+/<>]', ' ', 'g');
    words tsvector;
BEGIN
    IF folded ~ unspaced_letters() THEN
        RETURN to_tsvector(config, regexp_replace(folded, unspaced_letters() || '+', ' ', 'g'))
               || (SELECT string_agg(format('''%s'':%s', pair, least(at, 16383)), ' ')::tsvector
                   FROM unnest(letter_pairs(folded, is_query)) WITH ORDINALITY AS pairs (pair, at));
    END IF;
    words := to_tsvector(config, folded);
    IF is_query OR folded = spelled OR words = '' THEN
        RETURN words;
    END IF;
    RETURN words || to_tsvector('simple', coalesce((
        SELECT string_agg(stem, ' ' ORDER BY stem)
        FROM (SELECT unaccent(word) FROM unnest(tsvector_to_array(to_tsvector(config, spelled))) AS word
              EXCEPT SELECT unnest(tsvector_to_array(words))) AS stems (stem)), ''));
END
$$;

-- The words of a text as they are searched: without accents, reduced by the language's stemmer. Signs that the parser
-- takes for part of a word, or for a mark around one, part words here: gpt-4, 2026-05-08, yes/no, <Ann>.
CREATE FUNCTION search_vector(language text, body text) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(body) = char_length(body)
                THEN to_tsvector(text_config(language), regexp_replace(body, '[-+/<>]', ' ', 'g'))
                ELSE folded_vector(text_config(language), body, false) END
$$;

-- A message is also found by its day, as people name it: '8 May 2026'.
CREATE FUNCTION message_vector(language text, body text, said_at timestamptz) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(body) = char_length(body)
                THEN to_tsvector(text_config(language), regexp_replace(body, '[-+/<>]', ' ', 'g')
                                                        || to_char(said_at AT TIME ZONE 'UTC', ' FMDD FMMonth YYYY'))
                ELSE folded_vector(text_config(language),
                                   body || to_char(said_at AT TIME ZONE 'UTC', ' FMDD FMMonth YYYY'), false) END
$$;

-- The words a text is looked for by, each once: what `search_vector` makes of it, but for last letters.
CREATE FUNCTION query_words(language text, body text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT tsvector_to_array(
        CASE WHEN octet_length(body) = char_length(body) THEN search_vector(language, body)
             ELSE folded_vector(text_config(language), body, true) END)
$$;

-- One of them as a query; a letter that stands alone is looked for as the beginning of a pair.
CREATE FUNCTION query_term(word text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''''
           || CASE WHEN word ~ ('^' || unspaced_letters() || '$') THEN ':*' ELSE '' END
$$;

-- A query that any word of a text answers; of a very long one, as many as Postgres takes in one query.
CREATE FUNCTION any_word(language text, body text) RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(query_term(word), ' | '), '')::tsquery
    FROM unnest((query_words(language, body))[:4096]) AS word
$$;

-- Which of 16 queries a text answers, as bits. Written out, as it is put into the statement that calls it.
CREATE FUNCTION term_mask(search tsvector, terms tsquery[]) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN search @@ terms[1] THEN 1 ELSE 0 END + CASE WHEN search @@ terms[2] THEN 2 ELSE 0 END
         + CASE WHEN search @@ terms[3] THEN 4 ELSE 0 END + CASE WHEN search @@ terms[4] THEN 8 ELSE 0 END
         + CASE WHEN search @@ terms[5] THEN 16 ELSE 0 END + CASE WHEN search @@ terms[6] THEN 32 ELSE 0 END
         + CASE WHEN search @@ terms[7] THEN 64 ELSE 0 END + CASE WHEN search @@ terms[8] THEN 128 ELSE 0 END
         + CASE WHEN search @@ terms[9] THEN 256 ELSE 0 END + CASE WHEN search @@ terms[10] THEN 512 ELSE 0 END
         + CASE WHEN search @@ terms[11] THEN 1024 ELSE 0 END + CASE WHEN search @@ terms[12] THEN 2048 ELSE 0 END
         + CASE WHEN search @@ terms[13] THEN 4096 ELSE 0 END + CASE WHEN search @@ terms[14] THEN 8192 ELSE 0 END
         + CASE WHEN search @@ terms[15] THEN 16384 ELSE 0 END + CASE WHEN search @@ terms[16] THEN 32768 ELSE 0 END
$$;

UPDATE message SET search = message_vector(space.language, message.content, message.said_at)
FROM space WHERE space.space_id = message.space_id;
UPDATE memory SET search =
    setweight(search_vector(space.language, memory.topic), 'A')
    || setweight(search_vector(space.language, memory.content), 'B')
    || setweight(search_vector(space.language, array_to_string(array_remove(memory.tags, 'auto'), ' ')), 'C')
FROM space WHERE space.space_id = memory.space_id;

-- Who is meant by a name, or by the first word of one: people who were met here, by their names of then and now.
CREATE INDEX member_name ON member (space_id, lower(name));
CREATE INDEX member_first_name ON member (space_id, lower(split_part(name, ' ', 1)));

-- ---------------------------------------------------------------------------------------------------------------------
-- Tags. What of them is among the words a memory is found by: a domain by its bare name, and a person's own; what every
-- memory has, and how it came to be, are none, or a search for "type" would find everything.
CREATE FUNCTION tag_words(tags text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(CASE WHEN tag LIKE 'domain:%' THEN substr(tag, 8) ELSE tag END, ' ' ORDER BY place), '')
    FROM unnest(tags) WITH ORDINALITY AS given (tag, place)
    WHERE tag <> 'auto' AND tag NOT LIKE 'type:%'
$$;

UPDATE memory SET search =
    setweight(search_vector(space.language, memory.topic), 'A')
    || setweight(search_vector(space.language, memory.content), 'B')
    || setweight(search_vector(space.language, tag_words(memory.tags)), 'C')
FROM space
WHERE space.space_id = memory.space_id AND array_to_string(memory.tags, ' ') ~ '(domain|type):';
-- ---------------------------------------------------------------------------------------------------------------------

-- ---- Recall by meaning ----------------------------------------------------------------------------------------------

-- The tables of vectors, one a model and dimension, made at run time where there is pgvector. One that has been dropped
-- stays here as retired; `filled_at` is when every text there was had its vector.
CREATE TABLE embedding_table (
    table_name text PRIMARY KEY,
    model text NOT NULL,
    dimension integer NOT NULL,
    made_at timestamptz NOT NULL,
    filled_at timestamptz,
    retired_at timestamptz,
    -- Which worker fills it, as long as it does.
    worker text,
    lease_until timestamptz
);

-- Which words a vector was made of: a text that was edited is told by it, without being kept beside its vector.
CREATE FUNCTION content_digest(body text) RETURNS bytea
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT substr(sha256(convert_to(body, 'UTF8')), 1, 16)
$$;

-- ---- What was just said ---------------------------------------------------------------------------------------------

-- New messages wait in a list that every search reads from end to end, until one of them puts all into the index: with a
-- short list a search costs next to nothing more, and that message waits milliseconds.
ALTER INDEX message_search SET (gin_pending_list_limit = 256);
