-- write: what a pattern makes of a source, into a key that belongs to no room.
--
-- KEYS  1 the target   2 the targets that this pattern has made
-- ARGV  1 name of the target   2 hash or string   3 how many targets there may be   4… fields and values, or a value
-- Returns 1, 0 if the target is there and is not of this pattern or of another type, -1 if there are too many.

local known = redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1
local kind = redis.call('TYPE', KEYS[1])
kind = type(kind) == 'table' and kind.ok or kind
if kind ~= 'none' and (not known or kind ~= ARGV[2]) then return 0 end
if not known and redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then return -1 end
redis.call('SADD', KEYS[2], ARGV[1])
if ARGV[2] == 'hash' then
  for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
else
  redis.call('SET', KEYS[1], ARGV[4])
end
return 1
