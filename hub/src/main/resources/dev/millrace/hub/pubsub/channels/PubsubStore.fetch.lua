-- fetch: the next messages of a subscriber, without a gap where others have expired.
--
-- KEYS  1 the clock of the channel   2 the cursor of the subscriber   3 when each was seen
-- ARGV  1 lifetime in s   2 the subscriber   3 what the keys of messages begin with
--       4 most messages   5 about so many bytes at most   6 read after this clock, or "" for the cursor
--       7 "1" to renew the subscriber's life and note that it was seen, "0" only to renew it, or "" for
--         somebody who only looks: then nothing is written
-- Returns false if there is no such subscriber, else {clock, cursor, reached, back, clock of a
-- message, message, …}: reached is the clock up to which was looked, back the cursor that was there
-- if the clock had gone back behind it and the cursor was put back too, else false.
--
-- A clock far behind the cursor is not a clock that has gone round: the server has lost its newest
-- writes. Then the cursor is put so far back that nothing can be missed; what is delivered twice is
-- allowed. A cursor in front of messages that have all expired is moved behind them.

local clockKey, cursorKey, seenKey, life, prefix = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[3]
local MAX, HALF, WAY_BACK, LONGEST_WAY, STRIDE = 9007199254740991, 9007199254740992, 10000, 4096, 16

local function integer(text)
  local number = text and string.find(text, '^-?%d+$') and tonumber(text)
  return number and number <= MAX and number >= -MAX and number or nil
end
local function distance(from, to)
  return to >= from and to - from or (to + MAX) + (MAX - from) + 1
end
local acts = ARGV[7] ~= ''
local function text(clock) return string.format('%.0f', clock) end

local found = redis.call('MGET', clockKey, cursorKey)
local clock, cursor = integer(found[1]), integer(found[2])
if not clock or not cursor then return false end
local back = false
if distance(cursor, clock) > HALF then
  back = acts and text(cursor)
  if clock >= 0 then
    cursor = math.max(0, clock - WAY_BACK)
  else
    cursor = clock - WAY_BACK
    if cursor < -MAX then cursor = cursor + MAX + MAX + 1 end
  end
  if acts then redis.call('SET', cursorKey, text(cursor)) end
end

if acts then
  redis.call('EXPIRE', clockKey, life)
  redis.call('EXPIRE', cursorKey, life)
end
if ARGV[7] == '1' then
  local time = redis.call('TIME')
  redis.call('ZADD', seenKey, time[1] * 1000 + math.floor(time[2] / 1000), ARGV[2])
  redis.call('EXPIRE', seenKey, life)
end

local most, room = tonumber(ARGV[4]), tonumber(ARGV[5])
local after = integer(ARGV[6])
local at = after and distance(cursor, after) <= distance(cursor, clock) and after or cursor
local leading = acts and at == cursor
local page, count, looked = {}, 0, 0
while at ~= clock and count < most and room > 0 and looked < LONGEST_WAY do
  local stride = math.min(STRIDE, most - count, distance(at, clock))
  local clocks, keys = {}, {}
  local ahead = at
  for i = 1, stride do
    ahead = ahead == MAX and -MAX or ahead + 1
    clocks[i] = text(ahead)
    keys[i] = prefix .. clocks[i]
  end
  local bodies = redis.call('MGET', unpack(keys))
  for i = 1, stride do
    if room <= 0 then break end
    local body = bodies[i]
    if body then
      if leading and count == 0 and at ~= cursor then
        redis.call('SET', cursorKey, text(at), 'EX', life)
        cursor = at
      end
      page[#page + 1] = clocks[i]
      page[#page + 1] = body
      count = count + 1
      room = room - #body
    end
    at = tonumber(clocks[i])
  end
  looked = looked + stride
end
if leading and count == 0 and at ~= cursor then
  redis.call('SET', cursorKey, text(at), 'EX', life)
  cursor = at
end
return {text(clock), text(cursor), text(at), back, unpack(page)}
