-- clear: remove all dead letters of a channel.
--
-- KEYS  1 the dead letters   2 their bytes
-- Returns how many there were.

local count = redis.call('LLEN', KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2])
return count
