-- look: a temporary value and how long it stays.
--
-- KEYS  1 the key
-- ARGV  none
-- Returns false if it is not there, else {value, ms until it expires or -1}.

local value = redis.call('GET', KEYS[1])
return value and {value, redis.call('PTTL', KEYS[1])}
