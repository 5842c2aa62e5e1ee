-- members: a whole set with the values, in one call.
--
-- KEYS  1 the set (the values are read too: ARGV[2] .. member .. ARGV[3]; their keys cannot be
--       named before the members are known, and share the slot of KEYS[1])
-- ARGV  1 the most members that are read  2 head and 3 tail of a value's key  4 's' string, 'h' hash
-- Returns {member, value, member, value, …}, value false where there is none;
-- {size} alone if the set is larger than ARGV[1].

local set, most, head, tail, kind = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local size = redis.call('SCARD', set)
if size > most then return {size} end

local page = {}
for _, member in ipairs(redis.call('SMEMBERS', set)) do
  local value = redis.pcall(kind == 's' and 'GET' or 'HGETALL', head .. member .. tail)
  -- A key of another type is not a value; the check reports it.
  if type(value) == 'table' and value.err then value = false end
  page[#page + 1] = member
  page[#page + 1] = value
end
return page
