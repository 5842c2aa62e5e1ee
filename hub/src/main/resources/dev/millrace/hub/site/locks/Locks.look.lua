-- look: who holds a lock.
--
-- KEYS  1 the lock   2 its last fence
-- ARGV  none
-- Returns false if nobody does, else {token, ms until it expires or -1, fence or ''}.

local held = redis.call('GET', KEYS[1])
return held and {held, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) or ''}
