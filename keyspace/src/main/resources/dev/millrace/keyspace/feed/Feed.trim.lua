-- trim: drop the oldest facts of a feed, one bounded step.
--
-- KEYS  1 stream   2 state   3 readers   4 gaps
-- ARGV  1 age to keep in ms   2 bytes to keep   3 hard cap in bytes   4 bytes to look at
-- Returns {facts dropped, 1 if there may be more to drop, readers that lost facts, …}
--
-- What a registered reader has not read stays, up to the hard cap. Beyond it a reader with the
-- policy 'refuse' still holds everything (its commits are refused instead), one with 'gap' loses
-- the facts: its cursor moves on and the gap is noted, so that it knows what it missed.
--
-- To know the size of a fact it has to be fetched, so a step is measured in bytes. Beyond the hard
-- cap it is sixteen times as large: whoever drops must be faster than whoever writes.

local stream, state, readers, gaps = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local keepAge, keepBytes, cap, step = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bytes = tonumber(redis.call('HGET', state, 'bytes') or 0)
local length = redis.call('XLEN', stream)
if length == 0 then return {0, 0} end
local count = math.max(16, math.min(1024, math.floor(step / math.max(bytes / length, 1))))

local slowest, cursors = math.huge, {}
local known = redis.call('HGETALL', readers)
for i = 1, #known, 2 do
  local cursor, policy = known[i + 1]:match('^(%d+) (%a+)$')
  cursor = tonumber(cursor)
  cursors[#cursors + 1] = {name = known[i], cursor = cursor, policy = policy}
  slowest = math.min(slowest, cursor)
end

-- Whether every reader that is not past this fact would rather have a gap.
local function gapAllowed(sequence)
  for _, reader in ipairs(cursors) do
    if reader.cursor < sequence and reader.policy ~= 'gap' then return false end
  end
  return true
end

-- Drops what may go of the oldest facts; false if something had to stay.
local dropped, upTo = 0, 0
local function drop()
  local facts = redis.call('XRANGE', stream, string.format('%.0f-0', upTo + 1), '+', 'COUNT', count)
  for _, fact in ipairs(facts) do
    local sequence, at = fact[1]:match('^(%d+)-(%d+)$')
    sequence, at = tonumber(sequence), tonumber(at)
    if now - at <= keepAge and bytes <= keepBytes then return false end
    if sequence > slowest and not (bytes > cap and gapAllowed(sequence)) then return false end
    bytes = bytes - #fact[2][2]
    dropped, upTo = dropped + 1, sequence
  end
  return #facts == count
end

local steps, more = 0, true
repeat
  steps = steps + 1
  more = drop()
until not more or bytes <= cap or steps == 16
if dropped == 0 then return {0, 0} end

local result = {dropped, more and 1 or 0}
redis.call('XTRIM', stream, 'MINID', string.format('%.0f-0', upTo + 1))
redis.call('HSET', state, 'bytes', string.format('%.0f', math.max(bytes, 0)))
for _, reader in ipairs(cursors) do
  if reader.cursor < upTo then
    local from = redis.call('HGET', gaps, reader.name)
    from = from and from:match('^%d+') or string.format('%.0f', reader.cursor + 1)
    redis.call('HSET', gaps, reader.name, from .. '-' .. string.format('%.0f', upTo))
    redis.call('HSET', readers, reader.name, string.format('%.0f ', upTo) .. reader.policy)
    result[#result + 1] = reader.name
  end
end
return result
