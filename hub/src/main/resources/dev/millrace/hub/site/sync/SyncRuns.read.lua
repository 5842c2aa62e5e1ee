-- read: a key that belongs to no room, as a list of fields and values.
--
-- KEYS  1 the key
-- ARGV  1 hash or string
-- Returns fields and values of a hash, {value} of a string, nothing if it is not there or of another type.

local kind = redis.call('TYPE', KEYS[1])
kind = type(kind) == 'table' and kind.ok or kind
if kind ~= ARGV[1] then return {} end
return kind == 'hash' and redis.call('HGETALL', KEYS[1]) or {redis.call('GET', KEYS[1])}
