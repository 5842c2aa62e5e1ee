-- create: carry out commits that only store what is new, all of them or none.
--
-- KEYS  1 … v the keys of the values, and c more keys that must not be there; then s sorted sets;
--       then a stream and its state for each feed
-- ARGV  1 v  2 c  3 s  4 for each commit a byte: the number of the feed that its fact goes to, 0 if it
--       has none; then the values; the facts; and for each sorted set: how many words, then score,
--       member, score, member, …
-- Returns a list, one item for each commit: the sequence number of its fact, 0 if it has none.
-- False if anything stands in the way; then nothing is done, and Commit.run.lua says what it is.
--
-- Most of what a hub does is to store new things, many commits to a call. Here the caller has sorted
-- the writes by key already, so nothing is left for the interpreter but to hand them to the server.
-- There is no probe either: writing to a sorted set fails on a wrong type, and what was written
-- before that is taken back. All members are ids of values that are new, so they were in no set.

local values, more, sets = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local feedOf = {string.byte(ARGV[4], 1, -1)}
local firstSet = values + more
local firstFeed = firstSet + sets

if call('EXISTS', unpack(KEYS, 1, firstSet)) > 0 then return false end

local fact = 4 + values
local at = fact
for i = 1, #feedOf do
  local number = feedOf[i]
  if number > 0 then
    at = at + 1
    local known = feed(KEYS[firstFeed + 2 * number - 1], KEYS[firstFeed + 2 * number])
    if not known then return false end
    if known.cap then
      known.coming = (known.coming or known.bytes) + #ARGV[at]
      if known.coming > known.cap then return false end
    end
  end
end

-- Takes back what was written to the sets before this one.
local firstPair = at + 1
local function takeBack(failed)
  local from = firstPair
  for i = 1, failed - 1 do
    local to = from + ARGV[from]
    for member = from + 2, to, 2 do call('ZREM', KEYS[firstSet + i], ARGV[member]) end
    from = to + 1
  end
end

for i = 1, sets do
  local from = at + 1
  at = from + ARGV[from]
  if type(pcall('ZADD', KEYS[firstSet + i], unpack(ARGV, from + 1, at))) ~= 'number' then
    takeBack(i)
    return false
  end
end

local pairsOfAll = {'MSET'}
for i = 1, values do
  pairsOfAll[2 * i], pairsOfAll[2 * i + 1] = KEYS[i], ARGV[4 + i]
end
call(unpack(pairsOfAll, 1, 2 * values + 1))

local results = {}
for i = 1, #feedOf do
  local number, sequence = feedOf[i], 0
  if number > 0 then
    fact = fact + 1
    local known = feeds[KEYS[firstFeed + 2 * number]]
    sequence = tell(KEYS[firstFeed + 2 * number - 1], known, ARGV[fact])
  end
  results[i] = sequence
end
keepFeeds()
return results
