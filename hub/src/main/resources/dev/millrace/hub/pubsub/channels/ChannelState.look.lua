-- look: how a channel is doing.
--
-- KEYS  1 the clock of the channel   2 when each subscriber was seen
-- ARGV  1 what the keys of messages begin with   2 what the keys of cursors begin with
--       3 most messages to be counted   4 most subscribers to be named
-- Returns false if there is no such channel, else {clock, seconds left, messages that live, their
-- bytes, 1 if there may be more of them, subscribers, then for each: its id, its cursor or false,
-- when it was seen in ms}.
--
-- Messages of a channel expire in the order in which they came, so those that live are counted
-- from the newest to the first one that is gone.

local MAX = 9007199254740991
local text = redis.call('GET', KEYS[1])
local clock = text and string.find(text, '^-?%d+$') and tonumber(text)
if not clock then return false end

local at, count, bytes, most = clock, 0, 0, tonumber(ARGV[3])
local more = 1
while count < most do
  local length = redis.call('STRLEN', ARGV[1] .. string.format('%.0f', at))
  if length == 0 then
    more = 0
    break
  end
  count = count + 1
  bytes = bytes + length
  at = at == -MAX and MAX or at - 1
end

local result = {text, redis.call('TTL', KEYS[1]), count, bytes, more, redis.call('ZCARD', KEYS[2])}
local seen = redis.call('ZREVRANGE', KEYS[2], 0, ARGV[4] - 1, 'WITHSCORES')
for i = 1, #seen, 2 do
  result[#result + 1] = seen[i]
  result[#result + 1] = redis.call('GET', ARGV[2] .. seen[i])
  result[#result + 1] = seen[i + 1]
end
return result
