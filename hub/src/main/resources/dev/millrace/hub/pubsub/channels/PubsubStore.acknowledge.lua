-- acknowledge: move a cursor forward.
--
-- KEYS  1 the clock of the channel   2 the cursor of the subscriber   3 when each was seen
-- ARGV  1 lifetime in s   2 the subscriber   3 the clock up to which everything has arrived
--       4 "1" to note that the subscriber was seen
-- Returns 1 if the cursor has moved, 0 if it stays where it is (an older handle, or one of a time
-- that the server has lost), -1 if there is no such subscriber.

local MAX = 9007199254740991
local function integer(text)
  local number = text and string.find(text, '^-?%d+$') and tonumber(text)
  return number and number <= MAX and number >= -MAX and number or nil
end

local found = redis.call('MGET', KEYS[1], KEYS[2])
local clock, cursor, acknowledged = integer(found[1]), integer(found[2]), tonumber(ARGV[3])
if not clock or not cursor then return -1 end
local within
if clock >= cursor then
  within = cursor < acknowledged and acknowledged <= clock
else
  within = cursor < acknowledged or acknowledged <= clock
end
if not within then return 0 end
redis.call('SET', KEYS[2], string.format('%.0f', acknowledged), 'EX', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
if ARGV[4] == '1' then
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
  redis.call('EXPIRE', KEYS[3], ARGV[1])
end
return 1
