-- begin: claim the loading of a row, so that others wait for it.
--
-- KEYS  1 who loads it
-- ARGV  1 name of the claim   2 for how many ms   3 "1" whoever else does
-- Returns 1, or 0 if somebody else does.

if ARGV[3] == '1' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
end
local holder = redis.call('GET', KEYS[1])
if holder then return holder == ARGV[1] and 1 or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
