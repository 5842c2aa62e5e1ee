-- release: give a lease back, if it is still ours.
--
-- KEYS  1 the lease
-- ARGV  1 holder   2 fence
-- Returns 1 if it was ours, 0 if not. The fence stays, so that the next holder's is larger.

local lease, holder, fence = KEYS[1], ARGV[1], ARGV[2]
local known = redis.call('HMGET', lease, 'holder', 'fence')
if known[1] ~= holder or known[2] ~= fence then return 0 end
redis.call('HSET', lease, 'holder', '', 'until', '0')
return 1
