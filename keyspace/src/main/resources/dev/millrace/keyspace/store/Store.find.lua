-- find: the entity that a unique field points to, in one call.
--
-- KEYS  1 the hash from field to id (the value is read too: ARGV[2] .. id .. ARGV[3]; its key cannot
--       be named before the id is known, and shares the slot of KEYS[1])
-- ARGV  1 the field  2 head and 3 tail of the value's key  4 's' string, 'h' hash
-- Returns {id, value}; {} if the field points nowhere or to nothing that can be read.

local unique, field, head, tail, kind = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local id = redis.call('HGET', unique, field)
if not id then return {} end
local value = redis.pcall(kind == 's' and 'GET' or 'HGETALL', head .. id .. tail)
if not value or type(value) == 'table' and value.err then return {} end
return {id, value}
