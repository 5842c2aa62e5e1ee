-- register: make a durable reader known, once.
--
-- KEYS  1 the feed's state   2 its readers
-- ARGV  1 name   2 'gap' or 'refuse'   3 'now' or 'start'   4 hard cap in bytes
-- Returns the reader's cursor: the number of the last fact it is done with.
--
-- A reader that is known already keeps its cursor. Writes are refused at the hard cap only while
-- there is a reader that wants it so; the state says it, where every commit with a fact looks.

local state, readers = KEYS[1], KEYS[2]
local name, policy, from, cap = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local known = redis.call('HGET', readers, name)
local cursor = known and known:match('^%d+')
if not cursor then
  cursor = '0'
  if from == 'now' then cursor = redis.call('HGET', state, 'seq') or '0' end
end
redis.call('HSET', readers, name, cursor .. ' ' .. policy)
local refusing = false
for _, value in ipairs(redis.call('HVALS', readers)) do
  if value:match(' refuse$') then refusing = true end
end
if refusing then redis.call('HSET', state, 'cap', cap) else redis.call('HDEL', state, 'cap') end
return cursor
