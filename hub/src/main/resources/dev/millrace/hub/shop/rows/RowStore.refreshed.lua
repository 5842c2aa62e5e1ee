
-- refreshed: store what became of the refresh of a row.
--
-- KEYS  as in keep
-- ARGV  1 the row as it stands in schedule:   2 until when it was ours, as it was told
--       3 "row", "gone" or "failed"   4 the row   5 now in ms   6 when it is due again in s
--       7 for how many s a row may be missing before its schedule is dropped
--       8 for how many s a row is kept that cannot be refreshed
--       9 until when it is known that there is none, in ms
-- Returns "changed", "same", "gone" the first time, "failed", or "moved" if it is not ours any more: it was
-- scheduled anew, thrown away or given up meanwhile, and what we have may be older than that.

local mine = redis.call('ZSCORE', KEYS[2], ARGV[1]) == ARGV[2]
local delay = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
local loaded = tonumber(redis.call('HGET', KEYS[4], 'loaded') or '')
local missing = tonumber(redis.call('HGET', KEYS[4], 'missing') or '')
redis.call('STRLEN', KEYS[3])
if not mine then return 'moved' end
if not delay or delay <= 0 then
  redis.call('ZADD', KEYS[2], string.format('%.6f', ARGV[5] / 1000), ARGV[1])
  return 'moved'
end

if ARGV[3] == 'row' then
  redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
  return keep(ARGV[4], ARGV[5], lifetime(delay, '60'))
end
if ARGV[3] == 'gone' then
  if missing and ARGV[5] - missing > ARGV[7] * 1000 then
    redis.call('ZREM', KEYS[2], ARGV[1])
    redis.call('ZREM', KEYS[1], ARGV[1])
    redis.call('DEL', KEYS[3], KEYS[4])
  else
    redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
    note_absence(ARGV[5], ARGV[9], string.format('%.0f', ARGV[7] + math.ceil(10 * delay)))
  end
  return missing and 'same' or 'gone'
end
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
redis.call('HINCRBY', KEYS[4], 'failures', 1)
-- The worker lives, it is the database that does not: the old row is better than none.
local left = ARGV[8] * 1000 - (ARGV[5] - (loaded or ARGV[5]))
if loaded and left > 0 then
  local life = string.format('%.0f', math.min(left / 1000, math.max(10 * delay, 60)) + 1)
  redis.call('EXPIRE', KEYS[3], life)
  redis.call('EXPIRE', KEYS[4], life)
elseif not loaded then
  redis.call('EXPIRE', KEYS[4], lifetime(delay, '60'))
end
return 'failed'
