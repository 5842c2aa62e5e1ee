-- invalidate: throw a row away; if it is scheduled, it is due now.
--
-- KEYS  1 delay:   2 schedule:   3 the row   4 what is ours of it   5 who loads it
-- ARGV  1 the row as it stands in schedule:   2 now in s
-- Returns 1 if it is scheduled.

local scheduled = redis.call('ZSCORE', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
if scheduled then redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[1]) end
return scheduled and 1 or 0
