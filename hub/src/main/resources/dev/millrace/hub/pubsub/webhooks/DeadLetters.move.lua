-- move: take the oldest dead letter away, or put it behind the others.
--
-- KEYS  1 the dead letters   2 their bytes
-- ARGV  1 the letter that is meant   2 what it is put back as, or ""   3 lifetime in s
-- Returns 1 if it was done, 0 if it is not the oldest any more: somebody else has dealt with it.

local dead, bytesKey, letter, new = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if redis.call('LINDEX', dead, 0) ~= letter then return 0 end
redis.call('LPOP', dead)
local bytes = math.max(0, (tonumber(redis.call('GET', bytesKey) or '0') or 0) - #letter)
if new ~= '' then
  redis.call('RPUSH', dead, new)
  bytes = bytes + #new
end
if redis.call('LLEN', dead) == 0 then
  redis.call('DEL', bytesKey)
else
  redis.call('EXPIRE', dead, ARGV[3])
  redis.call('SET', bytesKey, string.format('%.0f', bytes), 'EX', ARGV[3])
end
return 1
