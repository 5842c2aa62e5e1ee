-- page: part of a sorted index in the order of (score, member), with the values, in one call.
--
-- KEYS  1 the index  2 another index by the same scores: only what is in both; may be missing
--       (The values are read too: ARGV[7] .. member .. ARGV[8]; and the lists and what is on them:
--       ARGV[12] .. member .. ARGV[13], and ARGV[14] .. id .. ARGV[15]. Their keys cannot be named
--       before the members are known, and share the slot of KEYS[1].)
-- ARGV  1 lowest score  2 highest score  3 'up' or 'down'  4 how many
--       5 score and 6 member of the cursor: start behind it; both empty for none
--       7 head and 8 tail of a value's key  9 's' string, 'h' hash, '' no values
--       10 bytes after which the page ends, however few it has
--       11 how many entries are looked at, where there is a second index
--       12 head and 13 tail of the key of a sorted set that lists parts; missing for none
--       14 head and 15 tail of a part's key  16 's' or 'h'  17 how many parts are read of one list
-- Returns {more, score, member, …}: whether there are entries behind the last one looked at ('1' or
-- '0'), which that is, and for each hit: member, score, value; value is false where there is none,
-- a flat list of fields for a hash. With lists a fourth thing: {id, value, id, value, …}.
--
-- A cursor inside a group of equal scores is a place between two members. If the member is still
-- there, its rank says where to go on; if it was deleted meanwhile, a search by halves finds the
-- place where it stood.
--
-- Of two indexes the smaller one is walked. A cursor is good for both, so it does not matter if
-- another one is the smaller next time.

local index, other = KEYS[1], KEYS[2]
local lowest, highest, direction, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local score, member = ARGV[5], ARGV[6]
local head, tail, kind = ARGV[7], ARGV[8], ARGV[9]
local budget, probes = tonumber(ARGV[10]), tonumber(ARGV[11])
local listHead, listTail = ARGV[12], ARGV[13]
local partHead, partTail, partKind, mostParts = ARGV[14], ARGV[15], ARGV[16], ARGV[17]
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
if first >= stop or count <= 0 then return {'0', '', ''} end

local look = other and probes or count
local found
if up then
  found = redis.call('ZRANGE', index, first, math.min(first + look, stop) - 1, 'WITHSCORES')
else
  local card = redis.call('ZCARD', index)
  found = redis.call('ZRANGE', index, card - stop, card - math.max(stop - look, first) - 1, 'REV', 'WITHSCORES')
end

local bytes = 0
-- A key of another type is not a value; the check reports it.
local function read(valueHead, id, valueTail, valueKind)
  local value = false
  if valueKind == 's' then
    value = redis.pcall('GET', valueHead .. id .. valueTail)
  elseif valueKind == 'h' then
    value = redis.pcall('HGETALL', valueHead .. id .. valueTail)
  end
  if type(value) == 'table' then
    if value.err then return false end
    for i = 1, #value do bytes = bytes + #value[i] end
  elseif value then
    bytes = bytes + #value
  end
  return value
end

local function parts(id)
  local listed = redis.pcall('ZRANGE', listHead .. id .. listTail, 0, mostParts - 1)
  if listed.err then return {} end
  local all = {}
  for i = 1, #listed do
    all[2 * i - 1] = listed[i]
    all[2 * i] = read(partHead, listed[i], partTail, partKind)
  end
  return all
end

local page, hits, seen = {'0', '', ''}, 0, 0
for i = 1, #found, 2 do
  if hits == count or bytes >= budget then break end
  seen = i
  if not other or redis.call('ZSCORE', other, found[i]) then
    hits = hits + 1
    page[#page + 1] = found[i]
    page[#page + 1] = found[i + 1]
    page[#page + 1] = read(head, found[i], tail, kind)
    if listHead then page[#page + 1] = parts(found[i]) end
  end
end
local left = stop - first > #found / 2
page[1] = (left or seen + 1 < #found) and '1' or '0'
page[2], page[3] = found[seen + 1], found[seen]
return page
