-- clear: forget what was written down.
--
-- KEYS  1 the list of words
-- Returns 1 if there was something.

return redis.call('DEL', KEYS[1])
