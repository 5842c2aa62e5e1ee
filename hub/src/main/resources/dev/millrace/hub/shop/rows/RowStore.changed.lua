-- changed: the database says that a row is not what it was. A scheduled one is due now, and what is
-- here of it serves until then; of others nothing is kept.
--
-- KEYS  1 delay:   2 schedule:   3 the row   4 what is ours of it   5 who loads it
-- ARGV  1 the row as it stands in schedule:   2 now in s
-- Returns 1 if it is scheduled.

if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  redis.call('DEL', KEYS[5])
  redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[1])
  return 1
end
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
return 0
