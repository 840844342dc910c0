-- Where Discord refuses Hathi a channel, it is not asked again at each start: here stands, as one number, what Hathi was
-- allowed to do there when it was refused; it is asked again once that is another.
ALTER TABLE channel ADD COLUMN refused_with bigint;
