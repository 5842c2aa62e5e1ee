-- renew: hold a lock longer, if it is still ours.
--
-- KEYS  1 the lock
-- ARGV  1 token   2 from now on, in ms
-- Returns 1, or 0 if another one holds it or nobody does. The value stays, and with it when it was taken.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
