-- bound: a temporary key that somebody has written without a time to live gets one.
--
-- KEYS  1 the key
-- ARGV  1 time to live in ms
-- Returns 1 if it had none.

if redis.call('PTTL', KEYS[1]) ~= -1 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
