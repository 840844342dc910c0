-- The words a memory is found by: its topic counts for more than its content, and that for more than its tags.

CREATE FUNCTION memory_vector(language text, topic text, content text, tags text[]) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT setweight(search_vector(language, topic), 'A')
           || setweight(search_vector(language, content), 'B')
           || setweight(search_vector(language, tag_words(tags)), 'C')
$$;
