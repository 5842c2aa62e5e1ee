
-- schedule: keep a row, refreshed from now on.
--
-- KEYS  as in keep
-- ARGV  1 the row as it stands in delay:   2 seconds between two refreshes   3 now in s
--       4 for how many s a row may be missing before its schedule is dropped
-- Returns 1. Whatever is loading it does not know of the schedule, and begins again.

redis.call('ZCARD', KEYS[1])
redis.call('ZCARD', KEYS[2])
redis.call('HLEN', KEYS[4])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('HDEL', KEYS[4], 'missing', 'absent')
local life = lifetime(tonumber(ARGV[2]), ARGV[4])
redis.call('EXPIRE', KEYS[3], life)
redis.call('EXPIRE', KEYS[4], life)
return 1
