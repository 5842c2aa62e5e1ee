-- keep: note how far a check is, unless another one is at work.
--
-- KEYS  1 the mark of the check
-- ARGV  1 who we are   2 how long one that is not heard of counts as alive, in ms
--       3 how long the mark is kept, in ms   4 '1' to forget what was there before, else '0'
--       5… fields and values
-- Returns 1 if it was kept, 0 if somebody else is at work.

local mark, holder = KEYS[1], ARGV[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known = redis.call('HMGET', mark, 'holder', 'seen')
local taken = known[1] and known[1] ~= '' and known[1] ~= holder
if taken and now - (tonumber(known[2]) or 0) < tonumber(ARGV[2]) then return 0 end
if ARGV[4] == '1' then redis.call('DEL', mark) end
redis.call('HSET', mark, 'holder', holder, 'seen', string.format('%.0f', now))
for i = 5, #ARGV, 2 do redis.call('HSET', mark, ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', mark, ARGV[3])
return 1
