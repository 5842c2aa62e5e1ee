-- trace: is an entity in this shard, or something that leads to it? One moment for all keys.
--
-- KEYS  the value, its home pointer, the copy and the receipt of a move; then, where several kinds
--       share a pattern, the index of the kind
-- ARGV  the id
-- Returns 1 if there may be something, 0 if there is nothing

if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) > 0 then return 1 end
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if KEYS[5] then
  local score = redis.pcall('ZSCORE', KEYS[5], ARGV[1])
  if not score or type(score) == 'table' then return 0 end
end
return 1
