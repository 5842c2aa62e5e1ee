-- bury: a webhook is given up for a message, which becomes a dead letter, and the cursor moves on.
--
-- KEYS  1 the clock of the channel   2 the cursor of the webhook   3 when each was seen
--       4 the dead letters   5 their bytes
-- ARGV  1 lifetime in s of the cursor   2 the subscriber   3 the clock of the message
--       4 the letter   5 most letters   6 most bytes   7 lifetime in s of the letters
-- Returns how many old letters had to go, or -1 if the cursor is behind the message already, or
-- there is none: then somebody else has dealt with it.

local MAX = 9007199254740991
local function integer(text)
  local number = text and string.find(text, '^-?%d+$') and tonumber(text)
  return number and number <= MAX and number >= -MAX and number or nil
end

local found = redis.call('MGET', KEYS[1], KEYS[2])
local clock, cursor, given = integer(found[1]), integer(found[2]), tonumber(ARGV[3])
if not clock or not cursor then return -1 end
local within
if clock >= cursor then
  within = cursor < given and given <= clock
else
  within = cursor < given or given <= clock
end
if not within then return -1 end

local dead, bytesKey, life = KEYS[4], KEYS[5], ARGV[7]
local count = redis.call('RPUSH', dead, ARGV[4])
local bytes = #ARGV[4] + (count > 1 and tonumber(redis.call('GET', bytesKey) or '0') or 0)
local gone = 0
while count > 1 and (count > tonumber(ARGV[5]) or bytes > tonumber(ARGV[6])) do
  bytes = math.max(0, bytes - #redis.call('LPOP', dead))
  count = count - 1
  gone = gone + 1
end
redis.call('EXPIRE', dead, life)
redis.call('SET', bytesKey, string.format('%.0f', bytes), 'EX', life)

local time = redis.call('TIME')
redis.call('SET', KEYS[2], string.format('%.0f', given), 'EX', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
redis.call('EXPIRE', KEYS[3], ARGV[1])
return gone
