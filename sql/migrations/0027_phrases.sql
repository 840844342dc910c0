-- A memory is also found by the names and key phrases it is filed with, which need not stand in its own words.
CREATE FUNCTION memory_vector(language text, topic text, content text, tags text[], phrases text[]) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT setweight(search_vector(language, topic), 'A')
           || setweight(search_vector(language, content), 'B')
           || setweight(search_vector(language, tag_words(tags) || ' ' || array_to_string(phrases, ' ')), 'C')
$$;
