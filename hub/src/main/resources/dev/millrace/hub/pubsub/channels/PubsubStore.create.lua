-- create: a subscriber that begins at a place of the channel, or the one that is there.
--
-- KEYS  1 the clock of the channel   2 the cursor of the subscriber   3 when each was seen
--       4 the deduplication record of the message to begin with, or the clock again
-- ARGV  1 lifetime in s   2 the subscriber   3 what the keys of messages begin with
--       4 where to begin: "latest", "earliest", "message" or a clock
--       5 "1" to move a subscriber that is there
-- Returns 'created', 'exists', 'moved', or 'gone': the place to begin at does not live any more.

local clockKey, cursorKey, seenKey, life, prefix, from = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[3], ARGV[4]
local MAX = 9007199254740991

local function integer(text)
  local number = text and string.find(text, '^-?%d+$') and tonumber(text)
  return number and number <= MAX and number >= -MAX and number or nil
end
local function back(clock, steps)
  local to = clock - steps
  return to < -MAX and to + MAX + MAX + 1 or to
end
local function lives(clock) return redis.call('EXISTS', prefix .. string.format('%.0f', clock)) == 1 end

local clock = integer(redis.call('GET', clockKey))
local cursor = integer(redis.call('GET', cursorKey))
local start = clock or 0
if not cursor or ARGV[5] == '1' then
  if from == 'earliest' then
    -- Messages expire in the order in which they came: a few looks find the first that lives.
    local dead = 1
    while lives(back(start, dead - 1)) do dead = dead * 2 end
    local living = math.floor(dead / 2)
    while dead - living > 1 do
      local middle = math.floor((living + dead) / 2)
      if lives(back(start, middle - 1)) then living = middle else dead = middle end
    end
    start = back(start, living)
  elseif from ~= 'latest' then
    local first = integer(from == 'message' and redis.call('GET', KEYS[4]) or from)
    if not first or not lives(first) then return 'gone' end
    start = back(first, 1)
  end
end

local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', seenKey, '-inf', '(' .. (time[1] - life) * 1000)
redis.call('ZADD', seenKey, time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
redis.call('EXPIRE', seenKey, life)
if clock then
  redis.call('EXPIRE', clockKey, life)
else
  redis.call('SET', clockKey, '0', 'EX', life)
end
if cursor and ARGV[5] ~= '1' then
  redis.call('EXPIRE', cursorKey, life)
  return 'exists'
end
redis.call('SET', cursorKey, string.format('%.0f', start), 'EX', life)
return cursor and 'moved' or 'created'
