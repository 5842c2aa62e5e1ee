-- rescale: halve the popularity of items, so that what was looked at long ago counts little.
--
-- KEYS  1 the popularity of items   2 when that was done last, in s
-- ARGV  1 how many items are kept   2 now in s   3 how long ago the last time must be, in s
-- Returns {kept, dropped}, or false if it is not due; who asks first only begins to count. Whichever
-- hub comes first does it. Halving needs no more than some milliseconds for 20,000 items; what has
-- faded below a hundredth goes.

local last = tonumber(redis.call('GET', KEYS[2]) or '')
if not last and tonumber(ARGV[3]) > 0 then
  redis.call('SET', KEYS[2], ARGV[2])
  return false
end
if last and last <= tonumber(ARGV[2]) and ARGV[2] - last < tonumber(ARGV[3]) then return false end
local before = redis.call('ZCARD', KEYS[1])

redis.call('SET', KEYS[2], ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[1], ARGV[1], -1)
redis.call('ZUNIONSTORE', KEYS[1], 1, KEYS[1], 'WEIGHTS', '0.5')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(-0.01', '+inf')
local kept = redis.call('ZCARD', KEYS[1])
return {kept, before - kept}
