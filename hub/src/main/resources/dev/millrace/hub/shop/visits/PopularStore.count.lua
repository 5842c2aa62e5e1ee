-- count: an item was looked at.
--
-- KEYS  1 the popularity of items
-- ARGV  1 item   2 at how many items no new ones are taken
-- Returns 1, or 0 if it is new and there are too many: the next rescale makes room.

if not redis.call('ZSCORE', KEYS[1], ARGV[1])
    and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZINCRBY', KEYS[1], -1, ARGV[1])
return 1
