-- whole: an entity and what is on the list beside it, in one call.
--
-- KEYS  1 the value  2 the sorted set that lists its parts  3 the index of its kind; may be missing
--       (The parts are read too: ARGV[3] .. id .. ARGV[4]; their keys cannot be named before the
--       list is known, and share the slot of KEYS[1].)
-- ARGV  1 the entity's id  2 's' string, 'h' hash
--       3 head and 4 tail of a part's key  5 's' or 'h'  6 how many parts are read at most
-- Returns {value, {id, value, id, value, …}}, the value of a part false where there is none;
-- {} if there is no such entity, or one of another kind.

local key, list, index = KEYS[1], KEYS[2], KEYS[3]
local id, kind, partHead, partTail, partKind, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

if index and not redis.call('ZSCORE', index, id) then return {} end
local value = redis.pcall(kind == 's' and 'GET' or 'HGETALL', key)
-- A key of another type is not a value; the check reports it.
if not value or (type(value) == 'table' and (value.err or #value == 0)) then return {} end

local parts = {}
local listed = redis.pcall('ZRANGE', list, 0, most - 1)
if listed.err then return {value, parts} end
for i = 1, #listed do
  local part = redis.pcall(partKind == 's' and 'GET' or 'HGETALL', partHead .. listed[i] .. partTail)
  if type(part) == 'table' and part.err then part = false end
  parts[2 * i - 1] = listed[i]
  parts[2 * i] = part
end
return {value, parts}
