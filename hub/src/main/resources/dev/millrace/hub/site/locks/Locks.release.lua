-- release: give a lock back, if it is still ours.
--
-- KEYS  1 the lock
-- ARGV  1 token
-- Returns 1, or 0 if another one holds it or nobody does.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
return 1
