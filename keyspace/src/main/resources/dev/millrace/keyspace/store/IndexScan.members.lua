-- members: a whole set.
--
-- KEYS  1 the set
-- ARGV  1 the most members that are read
-- Returns its members; its size alone if it is larger than ARGV[1].

local set, most = KEYS[1], tonumber(ARGV[1])
local size = redis.call('SCARD', set)
if size > most then return size end
return redis.call('SMEMBERS', set)
