-- keep: what the scripts that store a row have in common. Each of them has as KEYS
--   1 delay:   2 schedule:   3 the row   4 what is ours of it   5 who loads it

-- A row that is refreshed is thrown away if that does not happen for long, so that nothing outlives
-- a dead worker unnoticed.
local function lifetime(delay, otherwise)
  if delay and delay > 0 then return string.format('%.0f', math.max(math.ceil(10 * delay), 60)) end
  return otherwise
end

local function keep(row, now, life)
  local before = redis.call('GET', KEYS[3])
  local changed = before and before ~= row
  redis.call('SET', KEYS[3], row, 'EX', life)
  redis.call('HSET', KEYS[4], 'loaded', now)
  redis.call('HDEL', KEYS[4], 'absent', 'failures', 'missing')
  redis.call('EXPIRE', KEYS[4], life)
  return changed and 'changed' or 'same'
end

-- Notes that there is no such row; for a scheduled one, since when.
local function note_absence(now, until_then, life)
  redis.call('DEL', KEYS[3])
  redis.call('HDEL', KEYS[4], 'loaded', 'failures')
  redis.call('HSET', KEYS[4], 'absent', until_then)
  redis.call('HSETNX', KEYS[4], 'missing', now)
  redis.call('EXPIRE', KEYS[4], life)
end
