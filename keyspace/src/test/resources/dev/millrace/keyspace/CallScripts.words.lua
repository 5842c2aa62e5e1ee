-- words: what was written down.
--
-- KEYS  1 the list of words
-- Returns {the word, …}.

return redis.call('LRANGE', KEYS[1], 0, -1)
