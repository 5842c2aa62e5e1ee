-- page: part of a sorted index in the order of (score, member), with the values, in one call.
--
-- KEYS  1 the index (the values are read too: ARGV[7] .. member .. ARGV[8]; their keys cannot be
--       named before the members are known, and share the slot of KEYS[1])
-- ARGV  1 lowest score  2 highest score  3 'up' or 'down'  4 how many
--       5 score and 6 member of the cursor: start behind it; both empty for none
--       7 head and 8 tail of a value's key  9 's' string, 'h' hash, '' no values
-- Returns {member, score, value, member, score, value, …}; value is false where there is none,
-- a flat list of fields for a hash.
--
-- A cursor inside a group of equal scores is a place between two members. If the member is still
-- there, its rank says where to go on; if it was deleted meanwhile, a search by halves finds the
-- place where it stood.

local index = KEYS[1]
local lowest, highest, direction, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local score, member = ARGV[5], ARGV[6]
local head, tail, kind = ARGV[7], ARGV[8], ARGV[9]
local up = direction == 'up'

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
if first >= stop or count <= 0 then return {} end

local found
if up then
  found = redis.call('ZRANGE', index, first, math.min(first + count, stop) - 1, 'WITHSCORES')
else
  local card = redis.call('ZCARD', index)
  found = redis.call('ZRANGE', index, card - stop, card - math.max(stop - count, first) - 1, 'REV', 'WITHSCORES')
end

local page = {}
for i = 1, #found, 2 do
  page[#page + 1] = found[i]
  page[#page + 1] = found[i + 1]
  local value = false
  if kind == 's' then
    value = redis.pcall('GET', head .. found[i] .. tail)
  elseif kind == 'h' then
    value = redis.pcall('HGETALL', head .. found[i] .. tail)
  end
  -- A key of another type is no value; the check reports it.
  if type(value) == 'table' and value.err then value = false end
  page[#page + 1] = value
end
return page
