-- fence: make a shard refuse commits of earlier holders.
--
-- KEYS  1 the fence of the lease in this shard
-- ARGV  1 the new holder's fence
-- Returns the fence that counts here now, which is larger if there is a newer holder already.

local key, fence = KEYS[1], tonumber(ARGV[1])
local known = tonumber(redis.call('GET', key) or 0)
if known >= fence then return string.format('%.0f', known) end
redis.call('SET', key, ARGV[1])
return ARGV[1]
