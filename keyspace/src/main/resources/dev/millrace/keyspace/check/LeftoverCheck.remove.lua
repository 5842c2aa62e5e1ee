-- remove: a key that another system has left behind, if it is what it was taken for.
--
-- KEYS  1 the key
-- ARGV  1 its type, as Redis names it
-- Returns 1 if it was removed, 0 if it is gone or something else lies there.

local key, expected = KEYS[1], ARGV[1]

if redis.call('TYPE', key).ok ~= expected then return 0 end
return redis.call('UNLINK', key)
