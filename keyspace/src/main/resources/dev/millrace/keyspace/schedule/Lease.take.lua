-- take: take a lease that is free, or renew one that is ours.
--
-- KEYS  1 the lease
-- ARGV  1 holder   2 time in ms
-- Returns {fence, until}: the lease is ours until that server time in ms; a new holder has a larger
-- fence than every holder before, also after the key was lost. {} if somebody else has it.

local lease, holder, time = KEYS[1], ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known = redis.call('HMGET', lease, 'holder', 'until', 'fence')
local free = not known[1] or known[1] == '' or tonumber(known[2]) <= now
if not free and known[1] ~= holder then return {} end
local fence = tonumber(known[3] or 0)
if free then fence = math.max(fence + 1, now) end
local text, till = string.format('%.0f', fence), string.format('%.0f', now + time)
redis.call('HSET', lease, 'holder', holder, 'until', till, 'fence', text)
return {text, till}
