-- values: what lies behind some members of a set, read together with the set.
--
-- KEYS  1 the set (the values are read too: ARGV[1] .. member .. ARGV[2]; their keys share the slot
--       of KEYS[1])
-- ARGV  1 head and 2 tail of a value's key  3 's' string, 'h' hash  4… the members
-- Returns for each its value, false where there is none; 0 where it is not a member any more, because
-- then the value says nothing about the set.

local set, head, tail, kind = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local values = {}
for i = 4, #ARGV do
  local member = ARGV[i]
  local value = 0
  if redis.call('SISMEMBER', set, member) == 1 then
    value = redis.pcall(kind == 's' and 'GET' or 'HGETALL', head .. member .. tail)
    -- A key of another type is not a value; the check reports it.
    if type(value) == 'table' and value.err then value = false end
  end
  values[#values + 1] = value
end
return values
