-- create: store one event that is not there yet, with its four index entries.
--
-- KEYS  1 the event   2 all events   3 by time of creation   4 by time of pushing   5 of the device
-- ARGV  1 JSON   2 id   3 time of creation   4 time of pushing
-- Returns 1 stored · 0 exists already; an error, and nothing written, if a key holds another type
--
-- What one writes for this one entity when one knows that a script that fails half-way leaves the
-- first half behind: probe every type, then write.

local event, all, created, pushed, device = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local json, id, createdAt, pushedAt = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local call = redis.call

if call('EXISTS', event) == 1 then return 0 end
call('ZCARD', all)
call('ZCARD', created)
call('ZCARD', pushed)
call('ZCARD', device)

call('SET', event, json)
call('ZADD', all, 0, id)
call('ZADD', created, createdAt, id)
call('ZADD', pushed, pushedAt, id)
call('ZADD', device, createdAt, id)
return 1
