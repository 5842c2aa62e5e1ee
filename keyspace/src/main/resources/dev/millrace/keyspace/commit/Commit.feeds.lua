-- feeds: not a script of its own, but what all scripts that write facts begin with.

local call, pcall, type, tonumber = redis.call, redis.pcall, type, tonumber
local KEYS, ARGV = KEYS, ARGV
local feeds = {}

-- True if the text is a whole number as Redis writes it (007 is none), far enough from the end of
-- the range to be added to.
local function countable(text)
  if text == false or text == '0' then return true end
  if type(text) ~= 'string' or not text:match('^%-?[1-9]%d*$') then return false end
  local n = tonumber(text)
  return n > -4e15 and n < 4e15
end

-- The last number that a stream has given out, also if what it was given to is gone.
local function lastOf(stream)
  local info = call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return info[i + 1]:match('^%d+') end
  end
end

-- What is known of a feed: read once for all commits of this call, written back once at its end.
-- Nil if one of its keys holds something else. A stream takes growing numbers only, and the state
-- may be lost or behind: then the stream says how far it is.
local function feed(stream, state)
  local known = feeds[state]
  if known then return known end
  local found, length = pcall('HMGET', state, 'seq', 'bytes', 'cap'), pcall('XLEN', stream)
  if found.err or type(length) ~= 'number' then return nil end
  local sequence = found[1] or '0'
  if not countable(sequence) or not countable(found[2]) then return nil end
  local behind
  if length == 0 then
    behind = call('EXISTS', stream) == 1
  else
    -- Compares with the stream's last id and reads nothing, where XRANGE would look for it.
    local given = string.format('%.0f-18446744073709551615', tonumber(sequence))
    behind = call('XREAD', 'COUNT', 1, 'STREAMS', stream, given) and true or false
  end
  if behind then
    local latest = lastOf(stream)
    if not countable(latest) then return nil end
    if tonumber(latest) > tonumber(sequence) then sequence = latest end
  end
  known = {seq = tonumber(sequence), bytes = tonumber(found[2] or 0), cap = tonumber(found[3] or nil)}
  feeds[state] = known
  return known
end

local clock
local function now()
  if not clock then
    local time = call('TIME')
    clock = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  end
  return clock
end

-- Writes a fact to a feed that is known; gives its number.
local function tell(stream, known, body)
  local sequence = known.seq + 1
  known.seq, known.bytes, known.changed = sequence, known.bytes + #body, true
  call('XADD', stream, string.format('%.0f-', sequence) .. now(), 'b', body)
  return sequence
end

-- At the end: writes back what is known of the feeds.
local function keepFeeds()
  for state, known in pairs(feeds) do
    if known.changed then
      call('HSET', state, 'seq', string.format('%.0f', known.seq),
        'bytes', string.format('%.0f', known.bytes))
    end
  end
end
