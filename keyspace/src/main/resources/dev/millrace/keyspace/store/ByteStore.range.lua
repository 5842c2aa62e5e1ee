-- range: ids from one to another in the order of their bytes, with the values, in one call.
--
-- KEYS  1 the kind index: a sorted set in which all scores are equal
--       (The values are read too: ARGV[4] .. id .. ARGV[5]. Their keys cannot be named before the
--       ids are known, and share the slot of KEYS[1].)
-- ARGV  1 lowest and 2 highest id as ZRANGE takes them BYLEX   3 how many are looked at
--       4 head and 5 tail of a value's key   6 bytes after which the page ends; 0 for no values
-- Returns {more, last, id, value, …}: whether there are ids behind the last one looked at ('1' or
-- '0'), which that is; value is false where there is none, or none that is asked for.

local index, lowest, highest, count = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local head, tail, budget = ARGV[4], ARGV[5], tonumber(ARGV[6])
local ids = redis.call('ZRANGE', index, lowest, highest, 'BYLEX', 'LIMIT', 0, count + 1)
local page, bytes, more = {'0', ''}, 0, #ids > count
for i = 1, math.min(#ids, count) do
  local value = false
  if budget > 0 then
    if bytes >= budget then
      more = true
      break
    end
    -- A key of another type is not a value; the check reports it.
    value = redis.pcall('GET', head .. ids[i] .. tail)
    if type(value) == 'table' then value = false end
    if value then bytes = bytes + #value end
  end
  page[#page + 1], page[#page + 2] = ids[i], value
  page[2] = ids[i]
end
if more then page[1] = '1' end
return page
