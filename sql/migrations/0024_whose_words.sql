-- "I am vegan" is another fact in another's mouth: what tells of whoever said it is known by its words and by who that
-- is. Of what stands already the words that mean "I" tell it.
UPDATE memory SET content_hash = content_hash || int8send(author_id)
WHERE author_id IS NOT NULL AND octet_length(content_hash) = 16
  AND content ~* '\m(i|my|mine|me|myself|ich|mein|meine|meinen|meinem|meiner|meines|mir|mich|je|moi|yo)\M';
