-- unschedule: stop keeping a row; what is kept of it goes.
--
-- KEYS  1 delay:   2 schedule:   3 the row   4 what is ours of it   5 who loads it
-- ARGV  1 the row as it stands in delay:
-- Returns 1 if it was scheduled. Whoever loads or refreshes it at this moment stores nothing.

redis.call('ZCARD', KEYS[1])
local before = redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
return before
