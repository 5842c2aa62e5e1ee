-- holds: whether a copy is still what is kept here.
--
-- KEYS  1 the body   2 what is known of the page
-- ARGV  1 what is known of the copy   2 "1" if it has a body
-- Returns 1 or 0. Nobody reads the body for that: it is written together with what is known of it.

local known, body = redis.call('GET', KEYS[2]), redis.call('EXISTS', KEYS[1])
return known == ARGV[1] and (ARGV[2] ~= '1' or body == 1) and 1 or 0
