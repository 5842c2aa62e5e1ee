-- entries: part of a sorted index in the order of (score, member), without the values.
--
-- KEYS  1 the index  2 another index by the same scores: only what is in both; may be missing
--       (Lists are read too: ARGV[8] .. member .. ARGV[9]. Their keys cannot be named before the
--       members are known, and share the slot of KEYS[1].)
-- ARGV  1 lowest score  2 highest score  3 'up' or 'down'  4 how many
--       5 score and 6 member of the cursor: start behind it; both empty for none
--       7 how many entries are looked at, where there is a second index
--       8 head and 9 tail of the key of a sorted set that lists parts; missing for none
--       10 how many parts are read of one list  11 after how many of all lists the page ends
-- Returns {more, score, member, {member, score, …}}: whether there are entries behind the last one
-- looked at ('1' or '0'), which that is, and all hits. With lists a fifth thing, {{id, …}, …}: what
-- is on the list of each hit.
--
-- A cursor inside a group of equal scores is a place between two members. If the member is still
-- there, its rank says where to go on; if it was deleted meanwhile, a search by halves finds the
-- place where it stood.
--
-- Of two indexes the smaller one is walked. A cursor is good for both, so it does not matter if
-- another one is the smaller next time.

local index, other = KEYS[1], KEYS[2]
local lowest, highest, direction, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local score, member, probes = ARGV[5], ARGV[6], tonumber(ARGV[7])
local listHead, listTail, mostParts, allParts = ARGV[8], ARGV[9], ARGV[10], tonumber(ARGV[11])
local up = direction == 'up'
if other and redis.call('ZCARD', other) < redis.call('ZCARD', index) then
  index, other = other, index
end

-- Byte order, as sorted sets have it; Lua's own comparison follows the server's locale.
local function before(one, other)
  local shorter = math.min(#one, #other)
  for i = 1, shorter do
    local x, y = one:byte(i), other:byte(i)
    if x ~= y then return x < y end
  end
  return #one < #other
end

-- The number of entries that come before (score, member), and whether it is there itself.
local function place()
  local rank = redis.call('ZRANK', index, member)
  if rank and tonumber(redis.call('ZSCORE', index, member)) == tonumber(score) then
    return rank, true
  end
  local low = redis.call('ZCOUNT', index, '-inf', '(' .. score)
  local high = low + redis.call('ZCOUNT', index, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local there = redis.call('ZRANGE', index, middle, middle)[1]
    if before(there, member) then low = middle + 1 else high = middle end
  end
  return low, false
end

local first = lowest == '-inf' and 0 or redis.call('ZCOUNT', index, '-inf', '(' .. lowest)
local stop = highest == '+inf' and redis.call('ZCARD', index) or redis.call('ZCOUNT', index, '-inf', highest)
if score ~= '' then
  local rank, there = place()
  if up then
    first = math.max(first, there and rank + 1 or rank)
  else
    stop = math.min(stop, rank)
  end
end
if first >= stop or count <= 0 then return {'0', '', '', {}, {}} end

local look = other and probes or count
local found
if up then
  found = redis.call('ZRANGE', index, first, math.min(first + look, stop) - 1, 'WITHSCORES')
else
  local card = redis.call('ZCARD', index)
  found = redis.call('ZRANGE', index, card - stop, card - math.max(stop - look, first) - 1, 'REV', 'WITHSCORES')
end

local hits, seen = found, #found
if other then
  local members = {}
  for i = 1, #found, 2 do members[#members + 1] = found[i] end
  local there = redis.call('ZMSCORE', other, unpack(members))
  hits = {}
  for i = 1, #found, 2 do
    if #hits == 2 * count then break end
    seen = i + 1
    if there[seen / 2] then
      hits[#hits + 1] = found[i]
      hits[#hits + 1] = found[i + 1]
    end
  end
end
local more = seen < #found or stop - first > #found / 2
local page = {more and '1' or '0', found[seen], found[seen - 1], hits}
if not listHead then return page end

local lists, parts = {}, 0
for i = 1, #hits, 2 do
  if parts >= allParts then
    page[1], page[2], page[3] = '1', hits[i - 1], hits[i - 2]
    for j = #hits, i, -1 do hits[j] = nil end
    break
  end
  local listed = redis.pcall('ZRANGE', listHead .. hits[i] .. listTail, 0, mostParts - 1)
  -- A key of another type lists nothing; the check reports it.
  if listed.err then listed = {} end
  parts = parts + #listed
  lists[#lists + 1] = listed
end
page[5] = lists
return page
