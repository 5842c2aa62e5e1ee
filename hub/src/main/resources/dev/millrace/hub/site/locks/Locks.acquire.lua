-- acquire: take a lock that nobody holds.
--
-- KEYS  1 the lock   2 its last fence
-- ARGV  1 token   2 how long it is held, in ms   3 how long the fence is remembered, in ms
-- Returns {1, fence}, or {0, token of the holder, ms until it expires; -1 if it never does}.
--
-- The fence is never below the time, so one that was forgotten meanwhile does not come again. A second
-- call with the same token, after a lost answer, finds the lock taken by itself.

local held = redis.call('GET', KEYS[1])
local last = redis.call('GET', KEYS[2])
if held == ARGV[1] then return {1, last or '0'} end
if held then return {0, held, redis.call('PTTL', KEYS[1])} end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local fence = string.format('%.0f', math.max((tonumber(last or '0') or 0) + 1, now))
redis.call('SET', KEYS[2], fence, 'PX', ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {1, fence}
